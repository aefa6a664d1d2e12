"""The published dialogues of DICE-BENCH, read and written: `round_1.json` to `round_4.json` beside `tool_docs.json`.

A round is what people say, a request to the assistant, its call with the result, and its words. Round i is task i.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from callwright import __version__
from callwright.errors import BadDocument, BadInput
from callwright.formats import document, published_graphs
from callwright.papers.dice import published_functions
from callwright.papers.dice.dice_options import TYPES
from callwright.papers.dice.published_links import to_graph
from callwright.papers.paper import Corpus, CorpusReader, CorpusWriter, NoOptions
from callwright.records.annotations.dice_notes import DiceNotes, DiceRound
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
    Turn,
    gold_arguments,
)
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool

ASSISTANT: Final = "AI Assistant"
TOOLS: Final = "tool_docs.json"
GRAPH: Final = "tool_graph.json"
LENGTHS: Final = (1, 2, 3, 4)
RECIPE: Final = "dice-records.v1"
_CATEGORIES: Final = ("Inquiry_and_Information_Seeking", "Persuassion_Deliberation_and_Negotiation", "Eristic")
"""The types of dialogue as they are published, in the order of `TYPES`."""
_TYPE_OF: Final = dict(zip(_CATEGORIES, TYPES, strict=True))
_CATEGORY_OF: Final = dict(zip(TYPES, _CATEGORIES, strict=True))


class _Message(msgspec.Struct):
    speaker: str
    message: str


class _Gold(msgspec.Struct):
    """A gold call with its result, as a value and as a sentence."""

    function: str
    parameters: dict[str, Json]
    domain: str = ""
    return_value: Json = None
    returned_nl: str = ""


class _Metadata(msgspec.Struct):
    diag_id: int
    user_personas: dict[str, str]
    params_ret_val: list[_Gold]
    category: str
    functions: list[str] = []
    task: str = ""


class _Record(msgspec.Struct):
    metadata: _Metadata
    messages: list[dict[str, list[_Message]]]


def read(path: Path, options: NoOptions) -> Corpus:
    """Return the dialogues of a folder with their tools. Raises BadInput, which names file and dialogue."""
    del options
    names = [name for name in (f"round_{length}.json" for length in LENGTHS) if (path / name).is_file()]
    if not names or not (path / TOOLS).is_file():
        raise BadInput(f"{path}: give the folder that holds {TOOLS} and round_1.json to round_4.json.")
    catalog = published_functions.read(document.load(path / TOOLS), source=TOOLS)
    dialogues: dict[str, Dialogue] = {}
    for name in names:
        for number, published in enumerate(_documents(path / name), 1):
            where = f"{path / name}: dialogue {number}"
            one = to_dialogue(published, catalog, where=where)
            if one.id in dialogues:
                raise BadDocument(f"{where}: another one has the id {one.id}. Correct `diag_id`.")
            dialogues[one.id] = one
    if not (path / GRAPH).is_file():
        return Corpus(catalog, tuple(dialogues.values()), (TOOLS, *names))
    links = published_graphs.read(document.load(path / GRAPH), source=str(path / GRAPH))
    return Corpus(catalog, tuple(dialogues.values()), (TOOLS, *names, GRAPH), graph=to_graph(links, catalog))


def _documents(path: Path) -> list[Json]:
    found = document.load(path)
    if not isinstance(found, list):
        raise BadDocument(f"{path}: no list of dialogues. Give a file as DICE-BENCH published it.")
    return found


def to_dialogue(published: Json, catalog: Catalog, *, where: str) -> Dialogue:
    """Return a published dialogue over the tools of `catalog`. Raises BadDocument, which begins with `where`."""
    try:
        record = msgspec.convert(published, _Record)
    except msgspec.ValidationError as error:
        raise BadDocument(f"{where}: {error}. Correct or remove it.") from error
    meta = record.metadata
    rounds = [messages for one in record.messages for messages in one.values()]
    golds = meta.params_ret_val
    if not rounds or len(rounds) != len(golds):
        raise BadDocument(f"{where}: {len(rounds)} rounds and {len(golds)} gold calls. Each round needs one call.")
    known = {tool.name for tool in catalog.tools}
    for number, (messages, gold) in enumerate(zip(rounds, golds, strict=True), 1):
        _check_round(messages, gold, meta, known, f"{where}, round {number}")
    firsts = [sum(map(len, rounds[:at])) for at in range(len(rounds))]
    people = (Participant(name, "user", persona=persona) for name, persona in meta.user_personas.items())
    return Dialogue(
        id=f"dice-{len(rounds)}-{meta.diag_id}",
        recipe=RECIPE,
        participants=(*people, Participant(ASSISTANT, "assistant")),
        tools=tuple(ShownTool(tool.key, tool.name) for tool in catalog.tools),
        turns=tuple(turn for said, gold in zip(rounds, golds, strict=True) for turn in _turns(said, gold)),
        tasks=tuple(_task(gold, at + len(said) - 2) for gold, at, said in zip(golds, firsts, rounds, strict=True)),
        provenance=Provenance(author=RECIPE, callwright=__version__, catalog=catalog.digest),
        annotation=DiceNotes(
            dialogue_type=_TYPE_OF.get(meta.category, meta.category),
            setting=meta.task,
            functions=tuple(meta.functions),
            rounds=tuple(
                DiceRound(first=first, domain=gold.domain, sentence=_sentence(gold, said))
                for first, gold, said in zip(firsts, golds, rounds, strict=True)
            ),
        ),
    )


def _check_round(messages: list[_Message], gold: _Gold, meta: _Metadata, known: set[str], where: str) -> None:
    people = [one.speaker for one in messages[:-1]]
    if not people or messages[-1].speaker != ASSISTANT or ASSISTANT in people:
        raise BadDocument(f"{where}: it must end with the only words of {ASSISTANT!r}. Correct or remove it.")
    if strange := sorted(set(people) - meta.user_personas.keys()):
        raise BadDocument(f"{where}: {strange[0]!r:.80} speaks, who has no persona. Add one to `user_personas`.")
    if gold.function not in known:
        raise BadDocument(f"{where}: no tool is called {gold.function!r:.80}. Add it to {TOOLS}.")


def _sentence(gold: _Gold, messages: list[_Message]) -> str:
    return "" if gold.returned_nl == messages[-1].message else gold.returned_nl


def _turns(messages: list[_Message], gold: _Gold) -> Iterator[Turn]:
    call = Call(gold.function, encode(gold.parameters))
    step = Step(calls=(call,), results=(Result(value=encode(gold.return_value)),))
    for one in messages:
        yield Turn(one.speaker, one.message, (step,) if one.speaker == ASSISTANT else ())


def _task(gold: _Gold, turn: int) -> Task:
    call = GoldCall(gold.function, gold_arguments(gold.parameters), result=Result(value=encode(gold.return_value)))
    return Task("single", gold=(call,), turn=turn)


def to_record(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[str, Json]:
    """Return a dialogue in the published layout, whose people are `agent_a`, `agent_b`, and so on.

    What people are called has no place there. Raises BadDocument for a dialogue of another recipe.
    """
    del tools
    notes = dialogue.annotation
    if not isinstance(notes, DiceNotes):
        raise BadDocument(f"{dialogue.id}: of {dialogue.recipe}. Only group chats of rounds fit into this layout.")
    if not all(task.gold for task in dialogue.tasks):
        raise BadDocument(f"{dialogue.id}: the assistant only listens in a round. This layout has a call in each one.")
    ends = [*(one.first for one in notes.rounds[1:]), len(dialogue.turns)]
    rounds = [dialogue.turns[one.first : end] for one, end in zip(notes.rounds, ends, strict=True)]
    people = [who for who in dialogue.participants if who.role == "user"]
    is_published = dialogue.recipe == RECIPE
    names = {who.id: who.id if is_published else f"agent_{chr(ord('a') + at)}" for at, who in enumerate(people)}
    if not all(rounds) or len(rounds) != len(dialogue.tasks):
        raise BadDocument(f"{dialogue.id}: annotation.rounds: rounds without turns or tasks. Restore the dialogue.")
    golds = [
        _gold_record(task.gold[0], one, turns[-1])
        for task, one, turns in zip(dialogue.tasks, notes.rounds, rounds, strict=True)
    ]
    number = dialogue.id.rsplit("-", 1)[-1] if dialogue.scenario is None else str(dialogue.scenario.index)
    metadata = {
        "diag_id": int(number) if number.isdigit() else 0,
        "user_personas": {names[who.id]: who.persona for who in people},
        "functions": list(notes.functions),
        "params_ret_val": golds,
        "category": _CATEGORY_OF.get(notes.dialogue_type, notes.dialogue_type),
        "task": notes.setting,
        "round_num": len(rounds),
        "agent_num": len(people),
    }
    messages = [
        {f"Round {at}": [{"speaker": names.get(turn.speaker, ASSISTANT), "message": turn.text} for turn in turns]}
        for at, turns in enumerate(rounds, 1)
    ]
    return {"metadata": metadata, "messages": messages}


def _gold_record(gold: GoldCall, one: DiceRound, last: Turn) -> dict[str, Json]:
    value = gold.result.value if gold.result else None
    return {
        "function": gold.tool,
        "parameters": gold.values,
        "domain": one.domain,
        "return_value": None if value is None else decode(value),
        "returned_nl": one.sentence or last.text,
    }


READER: Final = CorpusReader(
    "Read the group chats of DICE-BENCH from FOLDER, which holds tool_docs.json and round_1.json to "
    "round_4.json, and its tool_graph.json where it has one, which becomes graph.json.",
    "FOLDER",
    NoOptions,
    read,
)
WRITER: Final = CorpusWriter("dialogues of DICE-BENCH, one JSON object a dialogue", to_record)
