"""The restaurant corpora of Cambridge, WOZ 2.0 and CamRest676, as dialogues with belief states.

WOZ 2.0: `[{"dialogue_idx", "dialogue": [{"system_transcript", "transcript", "belief_state"}]}]`; what the system said
stands with the user's turn that follows it. CamRest676: `[{"dialogue_id", "dial": [{"usr", "sys"}]}]`, below lines that
begin with `#`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from callwright.errors import BadInput
from callwright.formats import document
from callwright.papers.fnctod.domain_functions import Service, domain_tools, multiwoz_services
from callwright.papers.fnctod.tracked_dialogues import LabelledTurn, tracked_dialogue
from callwright.papers.paper import Corpus, NoOptions
from callwright.records.annotations.state_notes import StateTurn
from callwright.records.dialogue_state import DomainState, SlotValue
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog

DOMAIN: Final = "restaurant"

_SLOTS: Final = ("area", "food", "pricerange", "name")


class _Act(msgspec.Struct):
    act: str
    slots: list[tuple[str, str]]


class _WozTurn(msgspec.Struct):
    transcript: str
    system_transcript: str
    belief_state: list[_Act]


class _User(msgspec.Struct):
    transcript: str
    slu: list[_Act]


class _System(msgspec.Struct):
    sent: str


class _CamrestTurn(msgspec.Struct):
    usr: _User
    sys: _System


def read_woz(path: Path, options: NoOptions) -> Corpus:
    """Return the dialogues of WOZ 2.0; the last turn is a user's. Raises BadInput, with file, dialogue and turn."""
    del options
    return _corpus(path, "woz-2.0", (document.load(path), "dialogue_idx", "dialogue"), _WozTurn)


def read_camrest(path: Path, options: NoOptions) -> Corpus:
    """Return the dialogues of CamRest676. Raises BadInput, with file, dialogue and turn."""
    del options
    lines = document.read_bounded(path).split(b"\n")
    start = next((at for at, line in enumerate(lines) if not line.startswith(b"#")), len(lines))
    found = document.loads(b"\n".join(lines[start:]), where=str(path), syntax="json")
    return _corpus(path, "camrest-676", (found, "dialogue_id", "dial"), _CamrestTurn)


def restaurant_service() -> Service:
    """Return MultiWOZ's service of restaurants without bookings."""
    service = next(one for one in multiwoz_services() if one.service_name == DOMAIN)
    slots = tuple(slot for slot in service.slots if slot.name.removeprefix(f"{DOMAIN}-") in _SLOTS)
    return msgspec.structs.replace(service, slots=slots, intents=service.intents[:1])


def _corpus(path: Path, corpus: str, layout: tuple[Json, str, str], turn_type: type[_WozTurn | _CamrestTurn]) -> Corpus:
    found, key, turns = layout
    if not isinstance(found, list) or not found:
        raise BadInput(f"{path}: expected a list of dialogues. Give a file of {corpus}.")
    tools = domain_tools([restaurant_service()])
    dialogues = []
    for at, one in enumerate(found, 1):
        where = f"{path}: dialogue {at}"
        if not isinstance(one, dict) or key not in one or not isinstance(one.get(turns), list) or not one[turns]:
            raise BadInput(f"{where}: no `{key}` and `{turns}`. Give a file of {corpus}.")
        read = [_turn(turn, turn_type, f"{where} ({one[key]}), turn {n}") for n, turn in enumerate(one[turns])]
        said = woz_turns(read) if turn_type is _WozTurn else camrest_turns(read)
        dialogues.append(tracked_dialogue(f"{path.stem}-{one[key]}", corpus, list(said), tools))
    return Corpus(Catalog(tools=tuple(tools.values()), source=path.name), tuple(dialogues), (path.name,))


def _turn(turn: Json, turn_type: type[_WozTurn | _CamrestTurn], where: str) -> _WozTurn | _CamrestTurn:
    try:
        return msgspec.convert(turn, turn_type)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {error}. Every turn needs its texts and its state.") from error


def woz_turns(turns: Sequence[Json]) -> Iterator[LabelledTurn]:
    """Yield user and system turns of WOZ 2.0, the user first."""
    for at, turn in enumerate(turns):
        if at:
            yield LabelledTurn(turn.system_transcript, StateTurn())
        yield LabelledTurn(turn.transcript, StateTurn(states=_states(turn.belief_state)))


def camrest_turns(turns: Sequence[Json]) -> Iterator[LabelledTurn]:
    """Yield user and system turns of CamRest676."""
    for turn in turns:
        yield LabelledTurn(turn.usr.transcript, StateTurn(states=_states(turn.usr.slu)))
        yield LabelledTurn(turn.sys.sent, StateTurn())


def _states(acts: Iterable[_Act]) -> tuple[DomainState, ...]:
    known = {slot: value for one in acts if one.act == "inform" for slot, value in one.slots}
    asked = tuple(value for one in acts if one.act == "request" for _, value in one.slots)
    return (
        DomainState(
            domain=DOMAIN, slots=tuple(SlotValue(slot, (value,)) for slot, value in known.items()), requested=asked
        ),
    )
