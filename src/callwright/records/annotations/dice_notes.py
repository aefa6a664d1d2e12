"""Annotations of DICE-BENCH: the rounds of a dialogue between several users."""

from __future__ import annotations

import msgspec


class DiceRound(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One round: the turns from `first` up to the next round's first."""

    first: int
    domain: str = ""
    sentence: str = ""
    """The result as a sentence; empty if it equals the round's last turn."""
    taken: tuple[tuple[str, str], ...] = ()
    """Parameters whose values the round before returned, each with its JSON pointer in that result."""


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
