"""The published sessions: tasks with answer nodes, in English and in Chinese (WildToolBench, sections 3.2 to 3.5).

A line of the file is one record, and one half of a record is one dialogue. Fields of the English half have the prefix
`english_`, those of the Chinese half have none:

    tools, tasks, messages    functions, the user's requests, and the session as chat messages
    answer_list               for each task its nodes: {action: {name, arguments}, dependency_list, idx, observation
                              [, user_input]}; `dependency_list` holds the `idx` of the nodes that a node needs
    task_types, turn_types, turn_subtypes, env_info

Two actions are not tools: `ask_user_for_required_parameters` asks the user, whose answer is `user_input`, and
`prepare_to_answer` closes a task. A gold call depends on calls alone: if its node needs one of these two actions, the
call needs the calls behind that action. In a turn the assistant makes all its steps until it speaks without a call.

The dialogue keeps everything of the half, except a tool that the list repeats and fields that are not named above.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from callwright import __version__
from callwright.errors import BadDocument, BadInput
from callwright.formats import document as documents
from callwright.formats import functions
from callwright.match.call_graph import call_graph, members
from callwright.match.task_stages import task_stages
from callwright.papers.paper import Corpus, CorpusReader
from callwright.papers.wild.published_tools import tool_list
from callwright.records.annotations.wild_notes import WildNode, WildNotes, WildTask
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldCall,
    Participant,
    Provenance,
    Result,
    ShownTool,
    Step,
    Task,
    TaskKind,
    Turn,
    gold_arguments,
)
from callwright.records.jsontext import Json, JsonText, decode, encode, parse
from callwright.records.tool import Catalog, Tool

Language = Literal["english", "chinese"]

RECIPE: Final = "wild.v1"
AUTHOR: Final = "wildtoolbench"
ASK_USER: Final = "ask_user_for_required_parameters"
CLOSES: Final = "prepare_to_answer"
PSEUDO: Final = (ASK_USER, CLOSES)
"""Actions that are not tools: the first asks the user, the second closes a task."""

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
_ROLES: Final = ("system", "user", "assistant", "tool")


def read(document: Json, *, source: str, language: Language = "english") -> tuple[Catalog, tuple[Dialogue, ...]]:
    """Return the tools of all records and a dialogue for each. Raises BadDocument, which names record and place."""
    records = document if isinstance(document, list) else [document]
    halves = [_half(record, f"{source}, record {number}", language) for number, record in enumerate(records, 1)]
    catalog = functions.read([half.lists["tools"] for half in halves], source=source)
    by_raw = {tool.raw: tool for tool in catalog.tools}
    return catalog, tuple(_dialogue(half, by_raw, catalog, language) for half in halves)


# -- records ---------------------------------------------------------------------------------------------------------


class _Half(NamedTuple):
    """One half of a record whose shape was checked, without the prefix of its fields."""

    id: str
    where: str
    environment: str
    lists: dict[str, Json]
    """The fields of `_LISTS`, each a list."""
    labels: dict[str, Json]
    """`task_types` and `turn_subtypes` in English, where the record has them."""


def _half(record: Json, where: str, language: Language) -> _Half:
    if not isinstance(record, dict) or not isinstance(record.get("id"), str | int):
        raise BadDocument(f"{where}: not an object with an `id`. Give the published file, one record a line.")
    prefix = _PREFIX[language]
    lists: dict[str, Json] = {name: record.get(prefix + name) for name in _LISTS}
    for name, value in lists.items():
        if not isinstance(value, list):
            raise BadDocument(f"{where}: `{prefix}{name}` is not a list. Does the record have its {language} half?")
    count = len(lists["tasks"])
    for name in ("answer_list", "task_types"):
        if len(lists[name]) != count:
            raise BadDocument(f"{where}: {count} tasks, but {len(lists[name])} entries in `{prefix}{name}`.")
    if not count or not all(isinstance(one, str) for name in ("tasks", "task_types") for one in lists[name]):
        raise BadDocument(f"{where}: `{prefix}tasks` and `{prefix}task_types` must be lists of texts, not empty.")
    labels = {name: record.get(f"english_{name}", lists[name]) for name in ("task_types", "turn_subtypes")}
    if not isinstance(labels["task_types"], list) or len(labels["task_types"]) != count:
        raise BadDocument(f"{where}: `english_task_types` must have a label for each of the {count} tasks.")
    return _Half(str(record["id"]), where, str(record.get(prefix + "env_info") or ""), lists, labels)


def _dialogue(half: _Half, by_raw: dict[JsonText | None, Tool], catalog: Catalog, language: Language) -> Dialogue:
    lists, where = half.lists, half.where
    shown = tool_list(lists["tools"], half.id, by_raw).tools
    names = _names(shown, {tool.key: raw for raw, tool in by_raw.items() if raw is not None})
    turns = _read_turns(lists["messages"], names, where)
    answers = [_read_answer(answer, names, f"{where}, task {at}") for at, answer in enumerate(lists["answer_list"], 1)]
    asked = _asking_turns(lists["tasks"], turns, [nodes for nodes, _ in answers], where)
    dialogue = Dialogue(
        id=half.id,
        recipe=RECIPE,
        participants=tuple(
            Participant(speaker, speaker)
            for speaker in dict.fromkeys(("user", "assistant", *(turn.speaker for turn in turns)))
        ),
        tools=shown,
        turns=turns,
        tasks=tuple(
            Task(_kind(label, nodes), goal=goal, gold=golds, turn=turn)
            for label, (nodes, golds), goal, turn in zip(
                half.labels["task_types"], answers, lists["tasks"], asked, strict=True
            )
        ),
        provenance=Provenance(author=AUTHOR, callwright=__version__, catalog=catalog.digest),
        today=_today(half.environment),
        annotation=WildNotes(
            tasks=tuple(
                WildTask(type=label, nodes=own) for label, (own, _) in zip(lists["task_types"], answers, strict=True)
            ),
            environment=half.environment,
            language=language,
            turn_types=tuple(map(str, lists["turn_types"])),
            turn_subtypes=tuple(map(str, lists["turn_subtypes"])),
            hidings=_hidings(half.labels["turn_subtypes"], len(answers), where),
        ),
    )
    for at in range(len(dialogue.tasks)):
        task_stages(dialogue, at)  # raises for a task whose turn is not a user's
    return dialogue


def _names(shown: Iterable[ShownTool], documents: Mapping[str, JsonText]) -> dict[str, str]:
    """Return the shown name by the documented one, the first where several tools have the same; documents by key."""
    names: dict[str, str] = {}
    for one in shown:
        names.setdefault(decode(documents[one.key])["name"], one.name)
    return names


def _kind(label: Json, nodes: Sequence[WildNode]) -> TaskKind:
    """Return the kind that a label stands for; for an unknown label, the kind that the nodes show."""
    if isinstance(label, str) and label in _KINDS:
        return _KINDS[label]
    calls = sum(node.call is not None for node in nodes)
    if any(node.action == ASK_USER for node in nodes):
        return "clarify"
    return "chat" if not calls else "single" if calls == 1 else "multi"


def _hidings(labels: Json, tasks: int, where: str) -> tuple[str, ...]:
    """Return how each task hides its information; the first hides nothing where the labels leave it out."""
    if not isinstance(labels, list) or len(labels) not in (tasks - 1, tasks):
        raise BadDocument(f"{where}: `turn_subtypes` must have a label for each task after the first.")
    found = (_HIDING.get(label, "") if isinstance(label, str) else "" for label in labels)
    return ("", *found) if len(labels) < tasks else tuple(found)


def _asking_turns(
    tasks: Sequence[str], turns: Sequence[Turn], answers: Sequence[Sequence[WildNode]], where: str
) -> list[int]:
    """Return for each task the turn that has its words; else the turn found by counting the questions in between."""
    users = [at for at, turn in enumerate(turns) if turn.speaker == "user"]
    found: list[int] = []
    for goal in tasks:
        after = found[-1] if found else -1
        same = (at for at in users if at > after and turns[at].text.strip() == goal.strip())
        if (turn := next(same, None)) is None:
            break
        found.append(turn)
    else:
        return found
    counts = [1 + sum(node.user_input is not None for node in nodes) for nodes in answers]
    if sum(counts) != len(users):
        raise BadDocument(
            f"{where}: task {len(found) + 1} is asked for in no message. Its words must be those of `tasks`."
        )
    return [users[sum(counts[:at])] for at in range(len(tasks))]


def _today(environment: str) -> str:
    """Return the first date in the words about the environment; empty where there is none."""
    for year, month, day in _DATE.findall(environment):
        try:
            return date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            continue
    return ""


# -- messages --------------------------------------------------------------------------------------------------------


def _read_turns(messages: Sequence[Json], names: Mapping[str, str], where: str) -> tuple[Turn, ...]:
    """Return the turns of a conversation; `names` are the shown names of tools by their documented ones."""
    turns: list[Turn] = []
    steps: list[Step] = []
    for at, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        if role not in _ROLES or not isinstance(content, str | None):
            raise BadDocument(f"{where}: message {at} has no known role, or its content is not a text.")
        if role == "tool":
            if not steps or len(steps[-1].results) >= len(steps[-1].calls):
                raise BadDocument(f"{where}: message {at} is a tool's result, but no call before it waits for one.")
            result = Result(str(message.get("tool_call_id") or ""), _read_value(content or ""))
            steps[-1] = msgspec.structs.replace(steps[-1], results=(*steps[-1].results, result))
        elif role == "assistant" and message.get("tool_calls"):
            calls = _read_calls(message["tool_calls"], names, f"{where}: message {at}")
            steps.append(Step(calls=calls, text=content or ""))
        else:
            if steps and role != "assistant":
                turns.append(Turn("assistant", "", tuple(steps)))
                steps = []
            turns.append(Turn(role, content or "", tuple(steps)))
            steps = []
    return (*turns, Turn("assistant", "", tuple(steps))) if steps else tuple(turns)


def _read_calls(listed: Json, names: Mapping[str, str], where: str) -> tuple[Call, ...]:
    calls = []
    for one in listed if isinstance(listed, list) else [None]:
        function = one.get("function") if isinstance(one, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(one, dict) or not isinstance(function, dict) or not isinstance(name, str):
            raise BadDocument(f"{where} has `tool_calls` in another layout. Each needs `function` with a `name`.")
        written = function.get("arguments")
        arguments = _read_value(written) if isinstance(written, str) else encode({} if written is None else written)
        calls.append(Call(names.get(name, name), arguments, str(one.get("id") or "")))
    return tuple(calls)


def _read_value(content: str) -> JsonText:
    """Return the value that JSON text stands for; other text, and a quoted text, is a text as it stands."""
    try:
        value = parse(content)
    except BadDocument:
        return encode(content)
    return encode(content if isinstance(value, str) else value)


# -- answer nodes ----------------------------------------------------------------------------------------------------


def _read_answer(
    answer: Json, names: Mapping[str, str], where: str
) -> tuple[tuple[WildNode, ...], tuple[GoldCall, ...]]:
    """Return the nodes of a task, known by position, and its gold calls; `names` as for `_read_turns`."""
    nodes = _checked(answer, where)
    needs = _needs(nodes, where)
    try:
        order = call_graph(len(nodes), [(earlier, at) for at, own in enumerate(needs) for earlier in own])
    except BadInput as error:
        raise BadDocument(f"{where}: {error}") from error
    calls = [at for at, node in enumerate(nodes) if not _is_pseudo(node)]
    behind: list[set[int]] = [set() for _ in nodes]  # the calls that each node needs, also through other actions
    for at in sorted(range(len(nodes)), key=order.level.__getitem__):
        for earlier in members(order.needs[at]):
            behind[at] |= behind[earlier] if _is_pseudo(nodes[earlier]) else {earlier}
    places = {at: call for call, at in enumerate(calls)}
    golds = tuple(_gold(nodes[at], sorted(places[one] for one in behind[at]), names, where) for at in calls)
    return tuple(_node(node, needs[at], places.get(at)) for at, node in enumerate(nodes)), golds


def _is_pseudo(node: dict[str, Json]) -> bool:
    return node["action"]["name"] in PSEUDO


def _node(node: dict[str, Json], needs: Sequence[int], call: int | None) -> WildNode:
    if call is not None:
        return WildNode(after=tuple(needs), call=call)
    return WildNode(
        after=tuple(needs),
        action=node["action"]["name"],
        arguments=encode(node["action"]["arguments"]),
        observation=encode(node.get("observation")),
        user_input=node.get("user_input"),
    )


def _gold(node: dict[str, Json], after: Sequence[int], names: Mapping[str, str], where: str) -> GoldCall:
    name, arguments = node["action"]["name"], node["action"]["arguments"]
    if name not in names:
        raise BadDocument(f"{where}: the answer calls {name!r:.80}, which is not among the tools of the record.")
    return GoldCall(
        tool=names[name],
        arguments=gold_arguments(arguments),
        after=tuple(after),
        result=Result(value=encode(node.get("observation"))),
    )


def _checked(answer: Json, where: str) -> list[dict[str, Json]]:
    if not isinstance(answer, list):
        raise BadDocument(f"{where}: the answer is not a list of nodes.")
    for at, node in enumerate(answer):
        action = node.get("action") if isinstance(node, dict) else None
        if not isinstance(action, dict) or not isinstance(action.get("name"), str):
            raise BadDocument(f"{where}: node {at} has no `action` with a name.")
        if not isinstance(action.get("arguments"), dict):
            raise BadDocument(f"{where}: the arguments of node {at} are not an object.")
        if not isinstance(node.get("user_input"), str | None):
            raise BadDocument(f"{where}: `user_input` of node {at} is not a text.")
    return answer


def _needs(nodes: Sequence[dict[str, Json]], where: str) -> list[list[int]]:
    """Return the positions of the nodes that each node needs."""
    places: dict[int, int] = {}
    for at, node in enumerate(nodes):
        number = node.get("idx", at)
        if type(number) is not int or number in places:
            raise BadDocument(f"{where}: `idx` of node {at} is not a number, or an earlier node has the same.")
        places[number] = at
    found = []
    for at, node in enumerate(nodes):
        needed = node.get("dependency_list", [])
        if not isinstance(needed, list) or not all(type(one) is int and one in places for one in needed):
            raise BadDocument(f"{where}: `dependency_list` of node {at} names a node that does not exist.")
        found.append([places[one] for one in needed])
    return found


# -- `callwright read` ------------------------------------------------------------------------------------------------


class WildReadOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which half of each record is read."""

    language: Annotated[Language, msgspec.Meta(description="Language of the half that is read.")] = "english"


def read_file(path: Path, options: WildReadOptions) -> Corpus:
    """Return one half of the records of a file. Raises BadInput for what cannot be read."""
    catalog, dialogues = read(documents.load(path), source=path.name, language=options.language)
    return Corpus(catalog, dialogues, (path.name,), f"the {options.language} half")


READER: Final = CorpusReader(
    "Read PUBLISHED, sessions in the layout of WildToolBench, one record a line.\n\n"
    "A record holds a session in both languages; one of them is read.",
    "PUBLISHED",
    WildReadOptions,
    read_file,
)
