"""A vote between wordings of one turn (DiaFORGE, appendix C.3)."""

from __future__ import annotations

from random import Random

from callwright.author.briefs import UserBrief
from callwright.author.step import checked_step


def _vote_faults(number: int, brief: UserBrief, shown: tuple[str, ...]) -> list[str]:
    return [] if 1 <= number <= len(shown) else [f"{number} is none of 1 to {len(shown)}"]


@checked_step("diaforge/vote.j2", _vote_faults, home=__package__)
def vote(rng: Random, brief: UserBrief, shown: tuple[str, ...]) -> int:
    """Choose one of the wordings shown, by its number from 1. Offline it is drawn: rules have no taste."""
    return rng.randrange(len(shown)) + 1
