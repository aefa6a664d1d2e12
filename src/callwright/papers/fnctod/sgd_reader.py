"""`callwright read sgd`: Schema-Guided Dialogue with its real service calls and their results.

`[{"dialogue_id", "services", "turns": [{"speaker", "utterance", "frames"}]}]`. Each intent of a service is a tool, as
`callwright import` makes them; the states stay in the annotation, from which whole services are tracked.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from callwright import __version__
from callwright.errors import BadInput
from callwright.formats import document, schema_guided
from callwright.papers.paper import Corpus, CorpusReader
from callwright.records.annotations.sgd_notes import CharSpan, SgdFrame, SgdNotes
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
from callwright.records.dialogue_state import ActLabel, DomainState, SlotValue
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool

_SPEAKERS: Final = {"USER": "user", "SYSTEM": "assistant"}


class SgdReadOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The schema of the services."""

    schema: Annotated[
        str | None,
        Meta(description="Services.  [default: schema.json beside the dialogues]", extra={"metavar": "FILE"}),
    ] = None


class _Act(msgspec.Struct):
    act: str
    slot: str
    values: tuple[str, ...]
    canonical_values: tuple[str, ...] = ()


class _Span(msgspec.Struct):
    slot: str
    start: int
    exclusive_end: int


class _State(msgspec.Struct):
    active_intent: str
    requested_slots: tuple[str, ...]
    slot_values: dict[str, tuple[str, ...]]


class _Call(msgspec.Struct):
    method: str
    parameters: dict[str, Json]


class _SgdFrame(msgspec.Struct):
    service: str
    actions: tuple[_Act, ...] = ()
    slots: tuple[_Span, ...] = ()
    state: _State | None = None
    service_call: _Call | None = None
    service_results: Json = None


class _SgdTurn(msgspec.Struct):
    speaker: str
    utterance: str
    frames: tuple[_SgdFrame, ...]


class _SgdDialogue(msgspec.Struct):
    dialogue_id: str
    services: tuple[str, ...]
    turns: tuple[Json, ...]


def read(path: Path, options: SgdReadOptions) -> Corpus:
    """Return the dialogues of a file or folder over its schema. Raises BadInput, with file, dialogue and turn."""
    files = document.parts(path, "dialogues_*.json")
    schema = Path(options.schema) if options.schema else files[0].with_name("schema.json")
    catalog = schema_guided.read(document.load(schema), source=schema.name)
    dialogues = (one for file in files for one in _dialogues(file, catalog))
    return Corpus(catalog, tuple(dialogues), (path.name, schema.name))


def _dialogues(path: Path, catalog: Catalog) -> list[Dialogue]:
    found = document.load(path)
    if not isinstance(found, list) or not found:
        raise BadInput(f"{path}: expected a list of dialogues. Give a file such as dialogues_001.json.")
    return [sgd_dialogue(one, catalog, where=f"{path}: dialogue {at}") for at, one in enumerate(found, 1)]


def sgd_dialogue(one: Json, catalog: Catalog, *, where: str) -> Dialogue:
    """Return a document as a dialogue; a system turn that calls services is a task. Raises BadInput."""
    try:
        plain = msgspec.convert(one, _SgdDialogue)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {error}. Give a file of Schema-Guided Dialogue.") from error
    names = {(tool.domain, _intent(tool)): tool.name for tool in catalog.tools}
    turns: list[Turn] = []
    frames: list[tuple[SgdFrame, ...]] = []
    tasks: list[Task] = []
    for at, turn in enumerate(plain.turns):
        said, labels = _turn(turn, names, at, f"{where} ({plain.dialogue_id}), turn {at}")
        if said.calls and turns:
            tasks.append(Task("single", gold=_golds(said), turn=len(turns) - 1))
        turns.append(said)
        frames.append(labels)
    shown = (ShownTool(tool.key, tool.name) for tool in catalog.tools if tool.domain in plain.services)
    return Dialogue(
        id=plain.dialogue_id,
        recipe="sgd.v1",
        participants=tuple(Participant(role, role) for role in _SPEAKERS.values()),
        tools=tuple(shown),
        turns=tuple(turns),
        tasks=tuple(tasks),
        provenance=Provenance(author="sgd", callwright=__version__, catalog=catalog.digest),
        annotation=SgdNotes(services=plain.services, turns=tuple(frames)),
    )


def _golds(turn: Turn) -> tuple[GoldCall, ...]:
    return tuple(GoldCall(call.tool, gold_arguments(call.values)) for call in turn.calls)


def _intent(tool: Tool) -> str:
    return str(decode(tool.raw)["intents"][0]["name"]) if tool.raw else tool.name


def _turn(
    document_: Json, names: Mapping[tuple[str, str], str], at: int, where: str
) -> tuple[Turn, tuple[SgdFrame, ...]]:
    try:
        turn = msgspec.convert(document_, _SgdTurn)
        speaker = _SPEAKERS[turn.speaker]
    except (msgspec.ValidationError, KeyError) as error:
        raise BadInput(f"{where}: {error}. Give a file of Schema-Guided Dialogue.") from error
    steps: list[Step] = []
    frames = []
    for frame in turn.frames:
        frames.append(_frame(frame, step=len(steps) if frame.service_call else None))
        if frame.service_call:
            method = frame.service_call.method
            if (frame.service, method) not in names:
                raise BadInput(f"{where}: {frame.service} has no intent {method!r:.80}. Give the schema of this file.")
            name = names[frame.service, method]
            call = Call(name, encode(frame.service_call.parameters), f"call_{at}_{len(steps) + 1}")
            steps.append(Step(calls=(call,), results=(Result(call.id, encode(frame.service_results)),)))
    return Turn(speaker, turn.utterance, tuple(steps)), tuple(frames)


def _frame(frame: _SgdFrame, *, step: int | None) -> SgdFrame:
    return SgdFrame(
        service=frame.service,
        acts=tuple(ActLabel(one.act, one.slot, one.values, one.canonical_values) for one in frame.actions),
        spans=tuple(CharSpan(span.slot, span.start, span.exclusive_end) for span in frame.slots),
        state=_domain_state(frame.service, frame.state) if frame.state else None,
        step=step,
    )


def _domain_state(service: str, state: _State) -> DomainState:
    return DomainState(
        domain=service,
        slots=tuple(SlotValue(slot, values) for slot, values in state.slot_values.items()),
        intent=state.active_intent,
        requested=state.requested_slots,
    )


READER: Final = CorpusReader(
    "Read a FILE or folder of Schema-Guided Dialogue: service calls, results, states.", "FILE", SgdReadOptions, read
)
