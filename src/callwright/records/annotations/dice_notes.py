"""Annotations of DICE-BENCH: the rounds of a dialogue between several users."""

from __future__ import annotations

import msgspec


class TakenValue(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A parameter whose value the round before returned."""

    parameter: str
    pointer: str
    """Where in that result, as a JSON pointer (RFC 6901)."""


class HeldValue(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A parameter whose value one participant alone knows."""

    parameter: str
    participant: str
    """Id of the participant."""


class DiceRound(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One round: the turns from `first` up to the next round's first."""

    first: int
    domain: str = ""
    sentence: str = ""
    """The result as a sentence; empty if it equals the round's last turn."""
    taken: tuple[TakenValue, ...] = ()
    """The values that the call takes from the result of the round before."""
    known: tuple[HeldValue, ...] = ()
    """Who knows which value; none for published dialogues."""
    listens: bool = False
    """Whether the assistant only listens: nobody asks it for a call."""


class DiceNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="dice", omit_defaults=True, forbid_unknown_fields=True
):
    """The notes of a multi-party dialogue of DICE-BENCH; round i asks for task i."""

    dialogue_type: str
    rounds: tuple[DiceRound, ...]
    setting: str = ""
    """The corpus's `task`: `single_round` or `multi_round`."""
    functions: tuple[str, ...] = ()
    """The sampled chain of tools; the calls of the rounds can differ from it."""
