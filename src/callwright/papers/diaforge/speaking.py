"""One turn of the live user: what to do is decided, put into words, and checked for the values it must carry.

Where several wordings are asked for, they are written side by side and one is elected (`wording_election`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from callwright.author.briefs import Known, UserAct, UserBrief
from callwright.author.online_voice import forget_written
from callwright.author.user_turn import user_turn
from callwright.author.value_checks import carrying_faults, is_said
from callwright.engine.context import Context
from callwright.papers.diaforge.relevance import relevance_faults
from callwright.papers.diaforge.user_policy import UserState, advance, brief_of, next_act
from callwright.papers.diaforge.wording_election import elect, gather
from callwright.protocol.live_user import Election

REWRITES = 6
"""Wordings tried until one carries exactly its values."""


class Spoken(msgspec.Struct, frozen=True):
    """What the user did and said."""

    act: UserAct
    text: str
    user: UserState
    """The user afterwards; a value that the words lack is still to be told."""
    faults: tuple[str, ...] = ()
    """What is wrong with the last wording, where none does what the act is and carries exactly its values."""
    is_idle: bool = False
    """Whether that wording does nothing of what the act is for."""


MessageCheck = Callable[[str], Sequence[str]]
"""Returns what else is wrong with a wording."""


async def speak(
    user: UserState,
    heard: str,
    ctx: Context,
    place: str,
    *,
    election: Election | None = None,
    check: MessageCheck | None = None,
) -> Spoken:
    """Return the user's turn after hearing `heard`; each wording is an attempt at `place` in `ctx`.

    A wording with a fault is written again, at most `REWRITES` times in all. Raises RolloutFailed where there is none.
    """
    act = next_act(user, heard)
    brief = brief_of(user, act, heard)
    later = tuple(known for known in user.untold if known.slot.name not in act.told)
    wording = _Wording(brief, later, user, check)
    if election is None:
        worded = await wording.write(ctx, place)
    else:
        worded = await _elected(wording, ctx, place, election)
    lacking = {known.slot.name for known in brief.slots if not is_said(worded.text, known, user.today)}
    return Spoken(act, worded.text, advance(user, _without(act, lacking), worded.text), worded.faults, worded.is_idle)


def forget_turn(ctx: Context, place: str, role: str, *, election: Election | None) -> None:
    """Forget the wordings of a turn, none of which could be used; the rollout, tried again, asks for others."""
    for sample in _samples(place, election) if election else (place,):
        for attempt in range(REWRITES):
            forget_written(user_turn, ctx.at(sample, attempt=attempt), role)


def _samples(place: str, election: Election) -> list[str]:
    return [f"{place}/sample/{number}" for number in range(1, election.samples + 1)]


def in_words(faults: Sequence[str], known: Sequence[Known]) -> tuple[str, ...]:
    """Return faults as their author may read them: with what people call the slots."""
    nouns = {one.slot.name: one.slot.noun.text for one in known}
    return tuple(" ".join(nouns.get(word, word) for word in fault.split(" ")) for fault in faults)


class _Worded(NamedTuple):
    text: str
    faults: tuple[str, ...] = ()
    is_idle: bool = False


class _Wording(NamedTuple):
    """What is to be worded, and all that its words are checked against."""

    brief: UserBrief
    later: tuple[Known, ...]
    """Values that it is too early to say."""
    user: UserState
    check: MessageCheck | None

    async def write(self, ctx: Context, place: str) -> _Worded:
        """Return the first wording without a fault; the last where each has one."""
        brief, worded = self.brief, _Worded("")
        for attempt in range(REWRITES):
            worded = self._checked(await ctx.at(place, attempt=attempt).write(user_turn, brief))
            if not worded.faults:
                break
            refused = in_words(worded.faults, (*brief.slots, *self.later))
            brief = msgspec.structs.replace(brief, refused=refused)
        return worded

    def _checked(self, text: str) -> _Worded:
        idle = relevance_faults(text, self.brief, self.user.names)
        carrying = carrying_faults(text, self.brief.slots, self.later, self.user.today, self.user.gold.phrase)
        return _Worded(text, (*idle, *carrying, *(self.check(text) if self.check else ())), bool(idle))


async def _elected(wording: _Wording, ctx: Context, place: str, election: Election) -> _Worded:
    """Return the wording that most voters choose of those without a fault, else of those that are not idle."""
    samples = await gather([wording.write(ctx, sample) for sample in _samples(place, election)])
    sound = [one for one in samples if not one.faults] or [one for one in samples if not one.is_idle]
    if not sound:
        return samples[0]
    chosen = await elect(wording.brief, [one.text for one in sound], ctx.at(place), voters=election.voters)
    return sound[chosen]


def _without(act: UserAct, names: set[str]) -> UserAct:
    if not names:
        return act
    slots = tuple(name for name in act.slots if name not in names)
    more = tuple(name for name in act.more if name not in names)
    return msgspec.structs.replace(act, slots=slots, more=more)
