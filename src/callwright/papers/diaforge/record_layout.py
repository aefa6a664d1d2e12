"""DiaFORGE's record layout: one JSON object a dialogue, read and written.

    {"seed": tool, "user_persona": text, "messages": [...], "distractor_tools": [tool], "retrieved_tools": [tool]}

A tool is a function with `name`, `description` and `parameters`, with or without OpenAI's envelope. A message has
`role` and `content`; one of the assistant also `thought`, and `tool_calls` with `name` and `arguments`. The gold call
is the last assistant message's call of the seed tool; a record whose last assistant message makes no call is one in
which no tool fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from callwright import __version__
from callwright.errors import BadDocument
from callwright.formats import document, functions
from callwright.formats.described import Described, collect
from callwright.formats.names import first_repeated, unique_names, valid_name
from callwright.papers.paper import Corpus, CorpusReader, CorpusWriter, NoOptions
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldCall,
    Participant,
    Provenance,
    ShownTool,
    Step,
    Task,
    Turn,
    gold_arguments,
)
from callwright.records.jsontext import Json, JsonText, decode, encode, parse
from callwright.records.retrieved import Retrieved
from callwright.records.tool import LeftOut, Tool, digest

RECIPE: Final = "diaforge-records.v1"


class _Call(msgspec.Struct):
    """A call, with or without OpenAI's envelope, its arguments as an object or as JSON text."""

    name: str = ""
    arguments: dict[str, Json] | str = ""
    function: dict[str, Json] | None = None


class _Message(msgspec.Struct):
    role: Literal["user", "assistant"]
    content: str | None = None
    thought: str | None = None
    tool_calls: list[_Call] | None = None


class _Record(msgspec.Struct):
    seed: dict[str, Json]
    messages: Annotated[list[_Message], Meta(min_length=2)]
    user_persona: str | dict[str, Json] = ""
    distractor_tools: list[dict[str, Json]] = []
    retrieved_tools: list[dict[str, Json] | str] = []
    id: str = ""


def to_record(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[str, Json]:
    """Return a `diaforge` dialogue as a record; `tools` by key. Raises BadDocument for one of another recipe."""
    notes = dialogue.annotation
    if not isinstance(notes, DiaforgeNotes):
        raise BadDocument(f"{dialogue.id}: of {dialogue.recipe}. Only dialogues of diaforge fit into its records.")
    shown = {one.name: tools[one.key] for one in dialogue.tools}
    seed = shown.get(notes.gold_tool) or next((one for one in tools.values() if one.name == notes.gold_tool), None)
    if seed is None:
        raise BadDocument(
            f"{dialogue.id}: the document of its seed tool {notes.gold_tool!r:.80} is not in the dataset."
        )
    return {
        "id": dialogue.id,
        "seed": _document(seed),
        "user_persona": next(one.persona for one in dialogue.participants if one.role == "user"),
        "messages": [_message(turn, dialogue.role(turn)) for turn in dialogue.turns],
        "distractor_tools": [_document(shown[one.name]) for one in dialogue.tools if one.name != notes.gold_tool],
        "retrieved_tools": [one.name for one in notes.retrieved],
    }


def _document(tool: Tool) -> Json:
    return {"name": tool.name, "description": tool.description, "parameters": functions.argument_schema(tool)}


def _message(turn: Turn, role: str) -> Json:
    message: dict[str, Json] = {"role": role, "content": turn.text}
    if role == "assistant":
        message["thought"] = " ".join(step.thought for step in turn.steps if step.thought)
        message["tool_calls"] = [{"name": call.tool, "arguments": decode(call.arguments)} for call in turn.calls]
    return message


def read(path: Path, options: NoOptions) -> Corpus:
    """Return the records of a file as dialogues with their tools. Raises BadDocument, which names the record."""
    del options
    lines = document.load(path)
    places = [(f"{path}: record {number}", line) for number, line in enumerate(_listed(lines), 1)]
    records = [(where, _converted(line, where)) for where, line in places]
    catalog = collect(_described(records), source=path.name)
    by_document = {tool.raw: tool for tool in catalog.tools}
    dialogues = tuple(_dialogue(record, by_document, where) for where, record in records)
    twice = first_repeated(dialogue.id for dialogue in dialogues)
    if twice is not None:
        raise BadDocument(f"{path}: two records have the id {twice!r:.80}.")
    return Corpus(catalog, dialogues, (path.name,))


def _listed(lines: Json) -> list[Json]:
    return lines if isinstance(lines, list) else [lines]


def _converted(line: Json, where: str) -> _Record:
    try:
        return msgspec.convert(line, _Record)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise BadDocument(f"{where}: {error}. Give a record with `seed` and `messages`.") from error


def _tools_of(record: _Record) -> list[dict[str, Json]]:
    """The documents in a record, the seed's first, without envelopes."""
    given = (record.seed, *record.distractor_tools, *(one for one in record.retrieved_tools if isinstance(one, dict)))
    return [functions.without_envelope(one) or one for one in given]


def _described(records: Iterable[tuple[str, _Record]]) -> Iterator[Described | LeftOut]:
    for where, record in records:
        for position, tool in enumerate(_tools_of(record), 1):
            yield functions.described(tool, f"{where}, tool {position}")


def _dialogue(record: _Record, by_document: Mapping[JsonText | None, Tool], where: str) -> Dialogue:
    documents = {str(one.get("name")): encode(one) for one in _tools_of(record)}
    pool = [str(one.get("name")) for one in _tools_of(record)[: 1 + len(record.distractor_tools)]]
    unusable = [name for name in pool if documents[name] not in by_document]
    if unusable:
        raise BadDocument(f"{where}: the document of {unusable[0]!r:.80} cannot be used. Remove the record.")
    tools = {name: by_document[documents[name]] for name in pool}
    found = [one if isinstance(one, str) else str(one.get("name")) for one in record.retrieved_tools]
    named = tuple(dict.fromkeys((*tools, *found)))
    names = dict(zip(named, unique_names([valid_name(name) for name in named]), strict=True))
    turns = tuple(_turn(message, names, f"{where}, message {n}") for n, message in enumerate(record.messages, 1))
    gold = [call for turn in turns[-1:] for call in turn.calls if call.tool == names[pool[0]]]
    shown = _shown(tools, pool[0], fits=bool(gold))
    persona = record.user_persona if isinstance(record.user_persona, str) else encode(record.user_persona)
    return Dialogue(
        id=record.id or digest(RECIPE, encode(msgspec.to_builtins(record))),
        recipe=RECIPE,
        participants=(Participant("user", "user", persona=persona), Participant("assistant", "assistant")),
        turns=turns,
        tools=tuple(ShownTool(tools[name].key, names[name]) for name in shown),
        tasks=(Task("single" if gold else "chat", gold=tuple(map(_gold, gold[:1])), turn=0),),
        provenance=Provenance(author=RECIPE, callwright=__version__),
        annotation=DiaforgeNotes(
            gold_tool=names[pool[0]],
            distractors=tuple(names[name] for name in pool[1:]),
            retrieved=tuple(Retrieved(names[name], 0.0) for name in found),  # a record has no scores
            tool_fits=bool(gold),
        ),
    )


def _shown(tools: Mapping[str, Tool], seed: str, *, fits: bool) -> list[str]:
    """The pool in the record's order; the seed's place is not in a record, so its key decides, not its rank as gold."""
    rest = [name for name in tools if name != seed]
    before = sum(tools[name].key < tools[seed].key for name in rest)
    return [*rest[:before], seed, *rest[before:]] if fits else rest


def _turn(message: _Message, names: Mapping[str, str], where: str) -> Turn:
    calls = tuple(_call(call, names, where) for call in message.tool_calls or ())
    thought = message.thought or ""
    return Turn(message.role, message.content or "", (Step(thought=thought, calls=calls),) if thought or calls else ())


def _call(call: _Call, names: Mapping[str, str], where: str) -> Call:
    """A call with its arguments as canonical text; what is no object is kept as text, so that checks see it."""
    inner = call.function or {}
    name = call.name or str(inner.get("name", ""))
    given = call.arguments or inner.get("arguments") or {}
    arguments = parse(given, where=f"{where}: arguments of {name!r:.80}") if isinstance(given, str) else given
    return Call(names.get(name, name), encode(arguments))


def _gold(call: Call) -> GoldCall:
    """The gold call that a final call stands for: the paper keeps a dialogue only where they are equal (A.2)."""
    values = decode(call.arguments)
    return GoldCall(call.tool, gold_arguments(values if isinstance(values, dict) else {}))


READER: Final = CorpusReader(
    "Read RECORDS of DiaFORGE, JSON lines with `seed` and `messages`, for static evaluation.",
    "RECORDS",
    NoOptions,
    read,
)
WRITER: Final = CorpusWriter("records of DiaFORGE, one JSON object a dialogue", to_record)
