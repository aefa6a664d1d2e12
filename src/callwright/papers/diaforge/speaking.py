"""One turn of the live user: what to do is decided, put into words, and checked for the values it must carry.

Where several wordings are asked for, they are written side by side and one is elected (`wording_election`).
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from callwright.author.briefs import Known, UserAct, UserBrief
from callwright.author.user_turn import user_turn
from callwright.author.value_checks import carrying_faults, is_said
from callwright.engine.context import Context
from callwright.papers.diaforge.relevance import relevance_faults
from callwright.papers.diaforge.user_agent import UserView
from callwright.papers.diaforge.user_policy import UserState, advance, brief_of, next_act
from callwright.papers.diaforge.wording_election import elect, gather
from callwright.protocol.live_user import Election

REWRITES = 6
"""Wordings tried until one carries exactly its values."""


class Spoken(msgspec.Struct, frozen=True):
    """The user's act and words."""

    act: UserAct
    text: str
    user: UserState
    """The user afterwards; a value that the words lack is still to be told."""
    faults: tuple[str, ...] = ()
    """The fault of the last wording, where none does the act and carries exactly its values."""


async def speak(
    user: UserState,
    heard: str,
    ctx: Context,
    place: str,
    *,
    election: Election | None = None,
    view: UserView | None = None,
    choosing: bool = False,
) -> Spoken:
    """Return the user's turn after hearing `heard`; each wording is an attempt at `place` in `ctx`.

    With an `election`, voters are told `view`. `choosing` as in `next_act`.

    A wording with a fault is written again, at most `REWRITES` times in all. Raises RolloutFailed where there is none.
    """
    act = next_act(user, heard, choosing=choosing)
    brief = brief_of(user, act, heard)
    later = tuple(known for known in user.untold if known.slot.name not in act.told)
    wording = _Wording(brief, later, user)
    if election is None or view is None:
        worded = await wording.write(ctx, place)
    else:
        worded = await _elected(wording, view, ctx, place, election)
    lacking = {known.slot.name for known in brief.slots if not is_said(worded.text, known, user.today)}
    return Spoken(act, worded.text, advance(user, _without(act, lacking), worded.text), worded.faults)


def _samples(place: str, election: Election) -> list[str]:
    return [f"{place}/sample/{number}" for number in range(1, election.samples + 1)]


class _Worded(NamedTuple):
    text: str
    faults: tuple[str, ...] = ()


class _Wording(NamedTuple):
    """An act to be put into words, and all that the words are checked against."""

    brief: UserBrief
    later: tuple[Known, ...]
    """Values that it is too early to say."""
    user: UserState

    async def write(self, ctx: Context, place: str) -> _Worded:
        """Return the first wording without a fault; the last where each has one."""
        worded = _Worded("")
        for attempt in range(REWRITES):
            worded = self._checked(await ctx.at(place, attempt=attempt).write(user_turn, self.brief))
            if not worded.faults:
                break
        return worded

    def _checked(self, text: str) -> _Worded:
        idle = relevance_faults(text, self.brief, self.user.names)
        carrying = carrying_faults(text, self.brief.slots, self.later, self.user.today, self.user.gold.phrase)
        return _Worded(text, (*idle, *carrying))


async def _elected(wording: _Wording, view: UserView, ctx: Context, place: str, election: Election) -> _Worded:
    """Return the wording that most voters choose of those without a fault, else of all."""
    samples = await gather([wording.write(ctx, sample) for sample in _samples(place, election)])
    sound = [one for one in samples if not one.faults] or samples
    chosen = await elect(view, [one.text for one in sound], ctx.at(place), voters=election.voters)
    return sound[chosen]


def _without(act: UserAct, names: set[str]) -> UserAct:
    if not names:
        return act
    slots = tuple(name for name in act.slots if name not in names)
    more = tuple(name for name in act.more if name not in names)
    return msgspec.structs.replace(act, slots=slots, more=more)
