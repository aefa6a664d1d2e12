"""Recorded outputs of systems on MultiWOZ: `{dialogue: [{"response", "state", "active_domains"}, ...]}`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from callwright.errors import BadInput
from callwright.formats import archive
from callwright.papers.fnctod.canonical_values import State
from callwright.papers.fnctod.multiwoz_layout import plain_id
from callwright.records.jsontext import Json


class RecordedTurn(msgspec.Struct, frozen=True):
    """One turn of the system; what else a record holds is left alone."""

    response: str
    """Delexicalised: `[hotel_name]` or `[name]` stands for a name."""
    state: State | None = None
    """As the system has it, with any spelling of slots and values; None where it is not recorded."""
    active_domains: tuple[str, ...] | None = None


class Unmatched(msgspec.Struct, frozen=True, order=True):
    """Turns that one side has and the other has not."""

    dialogue: str
    turns: int
    whole: bool
    """Whether the whole dialogue is unmatched."""


def read_outputs(path: Path) -> dict[str, tuple[RecordedTurn, ...]]:
    """Return the turns of a file by dialogue. Raises BadInput, with file, dialogue and turn."""
    found = archive.load(path)
    if not isinstance(found, dict):
        raise BadInput(f'{path}: expected an object of dialogues by id, each a list of {{"response": ...}}.')
    outputs = {plain_id(name): _turns(turns, f"{path}: {name}") for name, turns in found.items()}
    if len(outputs) < len(found):
        raise BadInput(f"{path}: two ids are the same in lower case without `.json`. Remove one of them.")
    return outputs


def read_references(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the reference responses of a file: texts, or turns as in recorded outputs. Raises BadInput."""
    found = archive.load(path)
    if not isinstance(found, dict):
        raise BadInput(f"{path}: expected an object of dialogues by id, each a list of responses.")
    return {plain_id(name): _texts(turns, f"{path}: {name}") for name, turns in found.items()}


def unmatched(
    ours: Mapping[str, tuple[RecordedTurn, ...]], gold: Mapping[str, int]
) -> tuple[tuple[Unmatched, ...], tuple[Unmatched, ...]]:
    """Return missing and surplus dialogues and turns of outputs; `gold` is the number of turns by dialogue."""
    missing = [Unmatched(name, turns, whole=True) for name, turns in gold.items() if name not in ours]
    extra = [Unmatched(name, len(turns), whole=True) for name, turns in ours.items() if name not in gold]
    for name in ours.keys() & gold:
        surplus = len(ours[name]) - gold[name]
        if surplus:
            (extra if surplus > 0 else missing).append(Unmatched(name, abs(surplus), whole=False))
    return tuple(sorted(missing)), tuple(sorted(extra))


def _turns(turns: Json, where: str) -> tuple[RecordedTurn, ...]:
    if not isinstance(turns, list):
        raise BadInput(f"{where}: expected a list of turns. Give one record for each turn of the system.")
    return tuple(_turn(turn, f"{where}, turn {at}") for at, turn in enumerate(turns))


def _turn(turn: Json, where: str) -> RecordedTurn:
    try:
        return msgspec.convert(turn, RecordedTurn)
    except msgspec.ValidationError as error:
        raise BadInput(
            f"{where}: {error}. A turn has `response`, a text, and may have `state`, domain to slot to value, and "
            "`active_domains`, a list of names."
        ) from error


def _texts(turns: Json, where: str) -> tuple[str, ...]:
    if not isinstance(turns, list):
        raise BadInput(f"{where}: expected a list of responses.")
    read = (one if isinstance(one, str) else _turn(one, f"{where}, turn {at}").response for at, one in enumerate(turns))
    return tuple(read)
