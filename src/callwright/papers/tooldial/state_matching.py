"""Predicted states and acts compared with gold ones, and the error classes of states (section 4.1, appendix A.9).

`unicode` is the default normaliser, `paper` the published one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from callwright.match.plain_text import Normaliser, plain
from callwright.models.structured import MOST_REPLY, read_mapping
from callwright.papers.tooldial.act_grammar import SYSTEM_ACTS
from callwright.papers.tooldial.state_layout import PARTS, said
from callwright.records.jsontext import Json

StateError = Literal["generation", "confirmation_true", "confirmation_false", "format", "api", "slot", "value"]
"""`confirmation_true`: an API is confirmed in gold only; `api`: another API with the same slots, which A.9 lacks."""

ACTS: Final = tuple(act for act in SYSTEM_ACTS if act != "request_multi")
"""The paper's eight: to ask which of several results is meant is a `request` too."""


def same_state(predicted: Json, gold: Json, normaliser: Normaliser = "unicode") -> bool:
    """Return whether two states in the paper's layout are equal in every name and value, and all empty values there."""
    return isinstance(predicted, dict) and bool(plain(predicted, normaliser) == plain(gold, normaliser))


# -- replies -----------------------------------------------------------------------------------------------------------


def read_act(reply: str) -> str:
    """Return the letters of the act that a reply names, as the field `action` or alone, in small letters."""
    found = read_mapping(reply)
    told = found.get("action") if found is not None else reply[:MOST_REPLY]
    return plain_act(told) if isinstance(told, str) else ""


def plain_act(act: str) -> str:
    """Return the letters of an act in small letters: acts are equal where these are, and never by a part of them.

    >>> plain_act("Retriever call"), plain_act("request_multi")
    ('retrievercall', 'request')
    """
    letters = "".join(letter for letter in act.lower() if letter.isalpha())
    return "request" if letters == "requestmulti" else letters


# -- error classes -----------------------------------------------------------------------------------------------------


class StateFaults(NamedTuple):
    """The errors of a predicted state; none where it matches."""

    classes: tuple[StateError, ...] = ()
    slots: tuple[str, ...] = ()
    """Plain names of the slots whose values differ from gold."""


def state_faults(
    predicted: Mapping[str, Json] | None, gold: Mapping[str, Json], normaliser: Normaliser = "unicode"
) -> StateFaults:
    """Return the error classes of a predicted state (A.9); `slot` and `value` may both apply."""
    if predicted is None:
        return StateFaults(("generation",))
    if same_state(predicted, gold, normaliser):
        return StateFaults()
    confirmed, told = said(gold, "api_confirmed"), said(predicted, "api_confirmed")
    if {confirmed, told} == {"true", "false"}:
        return StateFaults(("confirmation_true" if confirmed == "true" else "confirmation_false",))
    mine, theirs = predicted.get("api_status"), gold.get("api_status")
    if confirmed != told or not _is_complete(mine) or not _is_complete(theirs):
        return StateFaults(("format",))
    return _status_faults(plain(mine, normaliser), plain(theirs, normaliser))


def _is_complete(status: Json) -> bool:
    return (
        isinstance(status, dict)
        and isinstance(status.get("api_name"), str)
        and all(isinstance(status.get(part), dict) for part in PARTS)
    )


def _status_faults(mine: Mapping[str, Json], gold: Mapping[str, Json]) -> StateFaults:
    """The faults of two complete, plain statuses that differ."""
    parts = [str(plain(part, "unicode")) for part in PARTS]
    is_slot = any(mine[part].keys() != gold[part].keys() for part in parts)
    values = {name: value for part in parts for name, value in mine[part].items()}
    wanted = {name: value for part in parts for name, value in gold[part].items()}
    wrong = tuple(name for name, value in wanted.items() if name in values and values[name] != value)
    found: dict[StateError, bool] = {
        "api": mine["apiname"] != gold["apiname"] and not is_slot,
        "slot": is_slot,
        "value": bool(wrong),
    }
    return StateFaults(tuple(name for name, is_so in found.items() if is_so) or ("format",), wrong)
