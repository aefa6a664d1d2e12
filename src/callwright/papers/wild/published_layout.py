"""WildToolBench's published records: sessions of tasks with their answer nodes, in English and in Chinese.

A line is one record. Fields of the English half have the prefix `english_`, those of the Chinese half none:

    tools, tasks, messages    functions, what the user asks for, and the session as chat messages
    answer_list               for each task its nodes: {action: {name, arguments}, dependency_list, idx, observation
                              [, user_input]}; dependencies are the `idx` of the nodes a node needs
    task_types, turn_types, turn_subtypes, env_info

Two actions are no tools: `ask_user_for_required_parameters` asks the user, who answers `user_input`, and
`prepare_to_answer` closes a task. Gold calls depend on calls alone: what a node needs through such an action, its call
needs too. One half of a record is one dialogue; everything in it is kept, but for what follows.

A tool that a list repeats is kept once, and fields that are not named above are left unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final, Literal

from callwright import __version__
from callwright.errors import BadDocument, BadInput
from callwright.formats import functions
from callwright.match.task_stages import task_stages
from callwright.papers.wild.published_messages import read_messages, write_messages
from callwright.papers.wild.published_nodes import PSEUDO, read_gold, read_nodes, write_nodes
from callwright.papers.wild.published_tools import tool_list
from callwright.records.annotation import WildNotes, WildTask
from callwright.records.dialogue import Dialogue, Participant, Provenance, ShownTool, Task, TaskKind, Turn
from callwright.records.jsontext import Json, JsonText, decode
from callwright.records.tool import Catalog, Tool

Language = Literal["english", "chinese"]

RECIPE: Final = "wild.v1"
AUTHOR: Final = "wildtoolbench"

_PREFIX: Final = {"english": "english_", "chinese": ""}
_LISTS: Final = ("tools", "tasks", "messages", "answer_list", "task_types", "turn_types", "turn_subtypes")
_KINDS: Final[Mapping[str, TaskKind]] = {
    "Single-Tool": "single",
    "Parallel Multi-Tool": "multi",
    "Sequential Multi-Tool": "multi",
    "Mixed Multi-Tool": "multi",
    "Clarify": "clarify",
    "Chat": "chat",
}
_HIDING: Final = {
    "Coreferential Reference": "coreference",
    "Partial Information": "partial",
    "Long-Range Dependency": "long_range",
}
_DATE: Final = re.compile(r"(\d{4})(?:-|年)(\d{1,2})(?:-|月)(\d{1,2})")


def read(document: Json, *, source: str, language: Language = "english") -> tuple[Catalog, tuple[Dialogue, ...]]:
    """Return the tools of all records and a dialogue for each. Raises BadDocument, which names record and place."""
    records = document if isinstance(document, list) else [document]
    halves = [_half(record, f"{source}, record {number}", language) for number, record in enumerate(records, 1)]
    catalog = functions.read([half["tools"] for half in halves], source=source)
    by_raw = {tool.raw: tool for tool in catalog.tools}
    return catalog, tuple(_dialogue(half, by_raw, catalog, language) for half in halves)


def write(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[str, Json]:
    """Return a dialogue as its half of a record; tools by key. Raises BadInput for one that was not read from here."""
    notes = dialogue.annotation
    if not isinstance(notes, WildNotes):
        raise BadInput(f"dialogue {dialogue.id}: not read from a record of WildToolBench.")
    documents = {shown.name: _document(tools[shown.key]) for shown in dialogue.tools}
    names = {name: str(document.get("name", name)) for name, document in documents.items()}
    fields: dict[str, Json] = {
        "env_info": notes.environment,
        "tools": [{"type": "function", "function": document} for document in documents.values()],
        "tasks": [task.goal for task in dialogue.tasks],
        "messages": write_messages(dialogue.turns, names),
        "answer_list": [
            write_nodes(extra.nodes, task, names) for task, extra in zip(dialogue.tasks, notes.tasks, strict=True)
        ],
        "turn_types": list(notes.turn_types),
        "turn_subtypes": list(notes.turn_subtypes),
        "task_types": [task.type for task in notes.tasks],
    }
    return {"id": dialogue.id} | {f"{_PREFIX[notes.language]}{name}": value for name, value in fields.items()}


def _document(tool: Tool) -> dict[str, Json]:
    """Return a tool's document as published, or rebuilt if it was not read from here."""
    document = decode(tool.raw) if tool.raw is not None else None
    if isinstance(document, dict):
        return document
    return {"name": tool.name, "description": tool.description, "parameters": tool.schema}


def _half(record: Json, where: str, language: str) -> dict[str, Json]:
    """One half of a record without prefixes, its shape checked; `where` and the English labels with it."""
    if not isinstance(record, dict) or not isinstance(record.get("id"), str | int):
        raise BadDocument(f"{where}: not an object with an `id`. Give the published file, one record a line.")
    prefix = _PREFIX[language]
    half: dict[str, Json] = {name: record.get(prefix + name) for name in _LISTS}
    for name, value in half.items():
        if not isinstance(value, list):
            raise BadDocument(f"{where}: `{prefix}{name}` is not a list. Is the record in {language}?")
    count = len(half["tasks"])
    for name in ("answer_list", "task_types"):
        if len(half[name]) != count:
            raise BadDocument(f"{where}: {count} tasks, but {len(half[name])} entries in `{prefix}{name}`.")
    if not count or not all(isinstance(one, str) for name in ("tasks", "task_types") for one in half[name]):
        raise BadDocument(f"{where}: `{prefix}tasks` and `{prefix}task_types` must be lists of texts, not empty.")
    labels = {name: record.get(f"english_{name}", half[name]) for name in ("task_types", "turn_subtypes")}
    return (
        half
        | {"id": str(record["id"]), "env_info": record.get(prefix + "env_info", ""), "where": where}
        | {f"labels_{name}": value for name, value in labels.items()}
    )


def _dialogue(half: dict[str, Json], by_raw: dict[JsonText | None, Tool], catalog: Catalog, language: str) -> Dialogue:
    where = half["where"]
    shown = tool_list(half["tools"], half["id"], by_raw).tools
    names = _names(shown, {tool.key: tool for tool in by_raw.values()})
    turns = read_messages(half["messages"], names, where)
    nodes = [read_nodes(answer, f"{where}, task {number}") for number, answer in enumerate(half["answer_list"], 1)]
    golds = [read_gold(answer, names, f"{where}, task {at}") for at, answer in enumerate(half["answer_list"], 1)]
    hiding = _hiding(half["labels_turn_subtypes"], len(half["tasks"]), where)
    asked = _asked(half["tasks"], turns, [[one.user_input for one in own] for own in nodes], where)
    environment = str(half["env_info"] or "")
    dialogue = Dialogue(
        id=half["id"],
        recipe=RECIPE,
        participants=_participants(turns),
        tools=shown,
        turns=turns,
        tasks=tuple(
            Task(_kind(label, own), goal=goal, gold=gold, turn=turn, hiding=hides)
            for label, own, goal, gold, turn, hides in zip(
                half["labels_task_types"], nodes, half["tasks"], golds, asked, hiding, strict=True
            )
        ),
        provenance=Provenance(author=AUTHOR, callwright=__version__, catalog=catalog.digest),
        today=_today(environment),
        annotation=WildNotes(
            tasks=tuple(WildTask(type=kind, nodes=own) for kind, own in zip(half["task_types"], nodes, strict=True)),
            environment=environment,
            language=language,
            turn_types=tuple(map(str, half["turn_types"])),
            turn_subtypes=tuple(map(str, half["turn_subtypes"])),
        ),
    )
    for at in range(len(dialogue.tasks)):
        task_stages(dialogue, at)
    return dialogue


def _names(shown: Iterable[ShownTool], tools: Mapping[str, Tool]) -> dict[str, str]:
    """Return documented name to shown name; the first if several tools have it."""
    names: dict[str, str] = {}
    for one in shown:
        names.setdefault(str(_document(tools[one.key]).get("name")), one.name)
    return names


def _participants(turns: Sequence[Turn]) -> tuple[Participant, ...]:
    speakers = dict.fromkeys(("user", "assistant", *(turn.speaker for turn in turns)))
    return tuple(Participant(speaker, speaker) for speaker in speakers)


def _kind(label: Json, nodes: Sequence[object]) -> TaskKind:
    """Return the kind of a label; for an unknown label, the kind by the nodes."""
    if label in _KINDS:
        return _KINDS[label]
    calls = sum(getattr(node, "call", None) is not None for node in nodes)
    if any(getattr(node, "action", "") == PSEUDO[0] for node in nodes):
        return "clarify"
    return "chat" if not calls else "single" if calls == 1 else "multi"


def _hiding(labels: Json, tasks: int, where: str) -> list[str]:
    """Return how each task hides its information; empty for the first task if one label is missing."""
    if not isinstance(labels, list) or len(labels) not in (tasks - 1, tasks):
        raise BadDocument(f"{where}: `turn_subtypes` must have a label for each task after the first.")
    found = [_HIDING.get(label, "") if isinstance(label, str) else "" for label in labels]
    return ["", *found] if len(found) < tasks else found


def _asked(
    tasks: Sequence[str], turns: Sequence[Turn], answers: Sequence[Sequence[str | None]], where: str
) -> list[int]:
    """The turn that asks for each task: the one with its words, or else by how often the user is asked in between."""
    users = [at for at, turn in enumerate(turns) if turn.speaker == "user"]
    found: list[int] = []
    for goal in tasks:
        after = found[-1] if found else -1
        same = (at for at in users if at > after and turns[at].text.strip() == goal.strip())
        found.append(next(same, -1))
        if found[-1] < 0:
            break
    else:
        return found
    counts = [1 + sum(one is not None for one in own) for own in answers]
    if sum(counts) != len(users):
        raise BadDocument(f"{where}: task {len(found)} is in no message. Its text must be that in `tasks`.")
    return [users[sum(counts[:at])] for at in range(len(tasks))]


def _today(environment: str) -> str:
    """The first date in the words about the environment; empty where there is none."""
    for year, month, day in _DATE.findall(environment):
        try:
            return date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            continue
    return ""
