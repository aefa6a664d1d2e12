"""`callwright read multiwoz`: versions 2.1 and 2.2 as dialogues with belief states.

2.1 (ConvLab-2): `{dialogue: {"goal", "log"}}`, the state after a user turn in the next system turn's `metadata`.
2.2: `[{"dialogue_id", "turns": [{"speaker", "utterance", "frames"}]}]`, a frame for each service.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from callwright.errors import BadInput
from callwright.formats import archive, document
from callwright.papers.fnctod.domain_functions import domain_tools, multiwoz_services, read_services
from callwright.papers.fnctod.multiwoz_layout import metadata_of
from callwright.papers.fnctod.tracked_dialogues import LabelledTurn, tracked_dialogue
from callwright.papers.paper import Corpus, CorpusReader
from callwright.records.annotations.state_notes import StateTurn, TokenSpan
from callwright.records.dialogue import Dialogue
from callwright.records.dialogue_state import ActLabel, DomainState, SlotValue
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, Tool

_FAULTS: Final = (AttributeError, KeyError, TypeError, ValueError, IndexError)
"""Errors of reading another layout; `_where` names the place."""


class MultiwozReadOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The schema of the domains."""

    schema: Annotated[
        str | None,
        Meta(description="Services in MultiWOZ 2.2's layout.  [default: those of 2.2]", extra={"metavar": "FILE"}),
    ] = None


class _Frame(msgspec.Struct):
    service: str
    state: dict[str, Json] | None = None


class _Turn22(msgspec.Struct):
    speaker: str
    utterance: str
    frames: list[_Frame]


class _Dialogue22(msgspec.Struct):
    dialogue_id: str
    turns: list[Json]


def read(path: Path, options: MultiwozReadOptions) -> Corpus:
    """Return the dialogues of a file, plain or zipped, or a folder. Raises BadInput, with file, dialogue and turn."""
    services = multiwoz_services()
    if options.schema is not None:
        services = read_services(document.load(Path(options.schema)), where=options.schema)
    tools = domain_tools(services)
    dialogues = (one for file in document.parts(path, "dialogues_*.json") for one in _dialogues(file, tools))
    found = tuple(dialogues)
    if not any(task.gold for one in found for task in one.tasks):
        raise BadInput(f"{path}: no state of a domain of MultiWOZ. Read other corpora with their own readers.")
    return Corpus(Catalog(tools=tuple(tools.values()), source=path.name), found, (path.name,))


def _dialogues(path: Path, tools: Mapping[str, Tool]) -> list[Dialogue]:
    found = archive.load(path)
    if found and isinstance(found, dict):
        return [dialogue_21(name, one, tools, where=f"{path}: {name}") for name, one in found.items()]
    if found and isinstance(found, list):
        return [dialogue_22(one, tools, where=f"{path}: dialogue {at}") for at, one in enumerate(found, 1)]
    raise BadInput(f"{path}: no dialogues. Give a file of MultiWOZ 2.1 or 2.2.")


def dialogue_21(name: str, one: Json, tools: Mapping[str, Tool], *, where: str) -> Dialogue:
    """Return a dialogue of version 2.1. Raises BadInput, with the turn."""
    log = one.get("log") if isinstance(one, dict) else None
    if not isinstance(log, list) or "goal" not in one:
        raise BadInput(f"{where}: no `goal` and `log`. Give a file of MultiWOZ 2.1.")
    if len(log) % 2:
        raise BadInput(f"{where}: {len(log)} turns; the last has no reply. Remove it, or add the reply.")
    turns = []
    for at, turn in enumerate(log):
        metadata = metadata_of(log[at + 1], f"{where}, turn {at + 1}") if at % 2 == 0 else {}
        try:
            turns.append(LabelledTurn(_text(turn["text"]), _labels(turn, metadata)))
        except _FAULTS as error:
            raise _broken(f"{where}, turn {at}", error) from error
    return tracked_dialogue(name, "multiwoz-2.1", turns, tools, goal=encode(one["goal"]))


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, got {value!r:.40}")
    return value


def _labels(turn: Mapping[str, Json], metadata: Mapping[str, Json]) -> StateTurn:
    acts = (ActLabel(act, slot, (value,)) for act, slots in turn["dialog_act"].items() for slot, value in slots)
    return StateTurn(
        states=tuple(_state(domain, known) for domain, known in metadata.items()),
        acts=tuple(acts),
        spans=tuple(TokenSpan(*span) for span in turn["span_info"]),
    )


def _state(domain: str, known: Mapping[str, Json]) -> DomainState:
    book = known["book"]
    return DomainState(
        domain=domain,
        slots=tuple(_slot(slot, value) for slot, value in known["semi"].items()),
        booking=tuple(_slot(slot, value) for slot, value in book.items() if slot != "booked"),
        booked=tuple(encode(one) for one in book["booked"]),
    )


def _slot(slot: str, value: Json) -> SlotValue:
    return SlotValue(slot, (text,) if (text := _text(value)) else ())


def dialogue_22(one: Json, tools: Mapping[str, Tool], *, where: str) -> Dialogue:
    """Return a dialogue of version 2.2. Raises BadInput, with the turn."""
    try:
        plain = msgspec.convert(one, _Dialogue22)
    except msgspec.ValidationError as error:
        raise _broken(where, error) from error
    turns = []
    for at, document_ in enumerate(plain.turns):
        place = f"{where}, {plain.dialogue_id}, turn {at}"
        try:
            turn = msgspec.convert(document_, _Turn22)
            states = tuple(_state_22(frame) for frame in turn.frames if frame.state is not None)
        except (msgspec.ValidationError, *_FAULTS) as error:
            raise _broken(place, error) from error
        if turn.speaker != ("USER", "SYSTEM")[at % 2]:
            raise BadInput(f"{place}: {turn.speaker} speaks. User and system must take turns, the user first.")
        turns.append(LabelledTurn(turn.utterance, StateTurn(states=states)))
    return tracked_dialogue(plain.dialogue_id, "multiwoz-2.2", turns, tools)


def _state_22(frame: _Frame) -> DomainState:
    state = frame.state or {}
    return DomainState(
        domain=frame.service,
        slots=tuple(
            SlotValue(name.removeprefix(f"{frame.service}-"), tuple(map(_text, values)))
            for name, values in state["slot_values"].items()
        ),
        intent=state.get("active_intent", ""),
        requested=tuple(state.get("requested_slots", ())),
    )


def _broken(where: str, error: Exception) -> BadInput:
    fault = f"no {error}" if isinstance(error, KeyError) else str(error)
    return BadInput(f"{where}: {fault:.200}. Give a file of MultiWOZ 2.1 or 2.2.")


READER: Final = CorpusReader(
    "Read FILE of MultiWOZ, version 2.1 or 2.2, which may be a zip, or a folder of 2.2.\n\n"
    "A domain is a tool; after each user turn the domains that gained or changed a value are called with all that is "
    "known of them.",
    "FILE",
    MultiwozReadOptions,
    read,
)
