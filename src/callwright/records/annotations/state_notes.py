"""Annotations of MultiWOZ and similar corpora: belief states turn by turn."""

from __future__ import annotations

import msgspec

from callwright.records.dialogue_state import ActLabel, DomainState
from callwright.records.jsontext import JsonText


class TokenSpan(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Position of a value in a turn, in blank-separated tokens; `last` is included."""

    act: str
    slot: str
    value: str
    first: int
    last: int


class StateTurn(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The labels of one turn."""

    states: tuple[DomainState, ...] = ()
    """The state after this turn; only user turns have one."""
    acts: tuple[ActLabel, ...] = ()
    spans: tuple[TokenSpan, ...] = ()


class StateNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="state", omit_defaults=True, forbid_unknown_fields=True
):
    """Belief states per turn, for corpora and recipes of dialogue state tracking (MultiWOZ and its like)."""

    turns: tuple[StateTurn, ...]
    """One for each turn of the dialogue."""
    goal: JsonText | None = None
    """The user's goal, in the corpus's layout."""
