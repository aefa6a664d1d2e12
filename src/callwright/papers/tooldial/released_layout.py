"""Dialogues in the paper's released layouts: both are read, `{split}.json` is written, one object a dialogue.

A call's arguments are the values of the state that it was made in, as in the files. The state field `system_action`,
which repeats the act, is left out. `{split}.json` has no documents of tools: names of parameters come from its states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from callwright import __version__
from callwright.errors import BadDocument
from callwright.formats import document
from callwright.formats.described import Described, collect
from callwright.formats.names import valid_name
from callwright.papers.paper import Corpus, CorpusReader, CorpusWriter, NoOptions
from callwright.papers.tooldial.released_turns import ReleasedStep, ReleasedTurn, released_turns
from callwright.papers.tooldial.state_layout import PARTS, retriever_document, state_document
from callwright.records.annotations.tooldial_notes import ToolDialNotes, ToolDialStep, ToolDialTurn
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
from callwright.records.dialogue_state import ApiState
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Catalog, Tool

RECIPE: Final = "tooldial-released.v1"
_PEOPLE: Final = (Participant("user", "user"), Participant("assistant", "assistant"))
_NAMES: Final = ("input_parameter_name", "input_name", "name")


class _Read(NamedTuple):
    id: str
    where: str
    turns: list[ReleasedTurn]
    documents: dict[str, dict[str, Json]]
    """Documents of tools by their shown names."""


def read(path: Path, options: NoOptions) -> Corpus:
    """Return the dialogues of a file in either layout. Raises BadDocument, which names file, dialogue and turn."""
    del options
    content = document.load(path)
    found = [
        _read(record, f"{path.stem}-{number}", f"{path}: dialogue {number}")
        for number, record in enumerate(content if isinstance(content, list) else [content], 1)
    ]
    described = [_described(one) for read in found for one in read.documents.values()]
    catalog = collect(described, source=path.name) if described else Catalog(tools=())
    by_document = {tool.raw: tool for tool in catalog.tools}
    return Corpus(catalog, tuple(_dialogue(one, by_document) for one in found), (path.name,))


def _read(record: Json, id_: str, where: str) -> _Read:
    turns = released_turns(record, where=where)
    documents = {str(one.get("api_name")): one for turn in turns for step in turn.steps for one in step.documents}
    for turn in turns:
        for state in (turn.head, *(step.state for step in turn.steps), turn.state):
            if state and state.api and state.api not in documents:
                documents[state.api] = _document_of(state)
    return _Read(id_, where, turns, documents)


def _document_of(state: ApiState) -> dict[str, Json]:
    """The document of a tool of which only a state is known."""
    named = zip(PARTS, (state.required, state.optional), strict=True)
    parts = {part: [{_NAMES[0]: one.name} for one in values] for part, values in named}
    return {"api_name": state.api, **parts}


def _described(document: dict[str, Json]) -> Described:
    required, optional = (list(_parameters(document.get(part))) for part in PARTS)
    properties = {name: {"description": text} if text else {} for name, text in (*required, *optional)}
    schema = {"type": "object", "properties": properties, "required": [name for name, _ in required]}
    name = str(document.get("api_name"))
    return Described(
        name=valid_name(name),
        description=document.get("api_description") or "",
        parameters=schema,
        source=name,
        raw=document,
    )


def _parameters(listed: Json) -> Iterator[tuple[str, str]]:
    for one in listed if isinstance(listed, list) else ():
        fields = one if isinstance(one, dict) else {}
        if (name := next((fields[key] for key in _NAMES if isinstance(fields.get(key), str)), None)) is not None:
            yield name, str(fields.get("description") or "")


# -- dialogues ---------------------------------------------------------------------------------------------------------


def _dialogue(read: _Read, by_document: Mapping[JsonText | None, Tool]) -> Dialogue:
    tools = {name: by_document.get(encode(one)) for name, one in read.documents.items()}
    if unusable := [name for name, tool in tools.items() if tool is None]:
        raise BadDocument(f"{read.where}: the document of {unusable[0]!r:.80} cannot be used. Remove the dialogue.")
    if not read.turns or read.turns[0].role != "user":
        raise BadDocument(f"{read.where}: the first turn is not the user's.")
    turns = [_turn(turn) for turn in read.turns]
    heads = [after.head if after.role == "assistant" else None for after in (*read.turns[1:], read.turns[0])]
    notes = [_notes(turn, head) for turn, head in zip(read.turns, heads, strict=True)]
    calls = [call for turn in turns for call in turn.calls]
    golds = tuple(
        GoldCall(call.tool, gold_arguments(call.values), after=(at - 1,) if at else ()) for at, call in enumerate(calls)
    )
    return Dialogue(
        id=read.id,
        recipe=RECIPE,
        participants=_PEOPLE,
        turns=tuple(turns),
        tools=tuple(ShownTool(tool.key, name) for name, tool in tools.items() if tool),
        tasks=(Task("multi" if len(calls) > 1 else "single", gold=golds, turn=0),) if calls else (),
        provenance=Provenance(author="tooldial", callwright=__version__),
        annotation=ToolDialNotes(turns=tuple(notes)),
    )


def _turn(turn: ReleasedTurn) -> Turn:
    if turn.role == "user":
        return Turn("user", turn.text, (Step(act=turn.act),))
    steps = tuple(_step(turn, at) for at in range(len(turn.steps)))
    return Turn("assistant", "\n".join(step.message for step in turn.steps if step.message), steps)


def _step(turn: ReleasedTurn, at: int) -> Step:
    step = turn.steps[at]
    if step.act != "call":
        return Step(thought=step.thought, act=step.act)
    later = (one.result for one in turn.steps[at : at + 2])  # the result may stand at the step after
    value = next((one for one in later if one is not msgspec.UNSET), None)
    call = _call(turn, at)
    return Step(step.thought, step.act, (call,), (Result(value=encode(value)),))


def _call(turn: ReleasedTurn, at: int) -> Call:
    """Return the call of a step: of the state at the step, or that of the turn which knows its tool."""
    step, before = turn.steps[at], turn.steps[:at]
    retrieved = [str(document.get("api_name")) for one in before for document in one.documents]
    states = [step.state, turn.head if not any(one.act == "call" for one in before) else None]
    if retrieved and not any(states) and (not turn.state or turn.state.api != retrieved[-1]):
        return Call(retrieved[-1], encode({}))
    state = next((one for one in (*states, turn.state) if one and one.api), None)
    if state is None:
        raise BadDocument(f"{step.where}: no state says which tool is called. Restore the state.")
    values = {one.name: decode(one.value) for one in (*state.required, *state.optional)}
    return Call(state.api, encode({name: value for name, value in values.items() if value != ""}))


def _notes(turn: ReleasedTurn, head: ApiState | None) -> ToolDialTurn:
    if turn.role == "user":
        return ToolDialTurn(state=head)
    inner = [None, *(step.state for step in turn.steps[1:-1]), None]
    steps = tuple(_step_notes(step, state) for step, state in zip(turn.steps, inner, strict=False))
    return ToolDialTurn(state=turn.state, steps=steps)


def _step_notes(step: ReleasedStep, state: ApiState | None) -> ToolDialStep:
    names = tuple(str(one.get("api_name")) for one in step.documents)
    return ToolDialStep(retriever=step.retriever, documents=names, state=state)


# -- written -----------------------------------------------------------------------------------------------------------


def to_record(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[str, Json]:
    """Return a dialogue in the layout of `{split}.json`. Raises BadDocument for one without states."""
    del tools
    notes = dialogue.annotation
    if not isinstance(notes, ToolDialNotes):
        raise BadDocument(f"{dialogue.id}: of {dialogue.recipe}. Only dialogues with states and acts fit the layout.")
    entries: list[Json] = []
    head: ApiState | None = None
    for turn, extra in zip(dialogue.turns, notes.turns, strict=True):
        if dialogue.role(turn) == "user":
            entries.append({"User": {"action": turn.steps[0].act, "message": turn.text}})
            head = extra.state
        elif len(turn.steps) != len(extra.steps):
            raise BadDocument(f"{dialogue.id}: a turn and its annotation have other numbers of steps. Restore them.")
        else:
            entries += [{"System": fields} for fields in _step_fields(turn, extra, head)]
    called = [call.tool for turn in dialogue.turns for call in turn.calls]
    return {"source": called[-2] if called[1:] else "", "target": called[-1] if called else "", "dialogue": entries}


def _step_fields(turn: Turn, extra: ToolDialTurn, head: ApiState | None) -> Iterator[dict[str, Json]]:
    last = len(turn.steps) - 1
    for at, (step, more) in enumerate(zip(turn.steps, extra.steps, strict=True)):
        state = extra.state if at == last else head if at == 0 and head else more.state
        yield {
            "thought": step.thought,
            "action": step.act,
            "retriever_status": retriever_document(more.retriever),
            "message": turn.text if at == last else "",
            "dialogue_state": state_document(state or extra.state or ApiState()),
            "api_response": _result(step.results),
        }


def _result(results: Iterable[Result]) -> Json:
    values = [one.value for one in results]
    return decode(values[0]) if values and values[0] is not None else {}


READER: Final = CorpusReader(
    "Read DIALOGUES of ToolDial: a released `{split}.json` or `{split}_dialogue.json`, for `eval --protocol tooldial`.",
    "DIALOGUES",
    NoOptions,
    read,
)
WRITER: Final = CorpusWriter("dialogues of ToolDial, as in its `{split}.json`", to_record)
