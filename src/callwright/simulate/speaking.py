"""One turn of the live user: what to do is decided, put into words, and checked for the values it must carry."""

from __future__ import annotations

import msgspec

from callwright.author.acts import UserAct
from callwright.author.carrying import carrying_faults, is_said
from callwright.author.user_turn import user_turn
from callwright.engine.context import Context
from callwright.simulate.user import UserState, advance, brief_of, next_act

REWRITES = 6
"""Wordings tried until one carries exactly its values."""


class Spoken(msgspec.Struct, frozen=True):
    """What the user did and said."""

    act: UserAct
    text: str
    user: UserState
    """The user afterwards; a value that the words lack is still to be told."""
    faults: tuple[str, ...] = ()
    """What is wrong with the last wording, where none carries exactly the values of the act."""


async def speak(user: UserState, heard: str, ctx: Context, place: str) -> Spoken:
    """Return the user's turn after hearing `heard`; each wording is an attempt at `place` in `ctx`.

    Raises RolloutFailed where there is no wording.
    """
    act = next_act(user, heard)
    brief = brief_of(user, act, heard)
    later = [known for known in user.untold if known.slot.name not in act.told]
    text, faults = "", list[str]()
    for attempt in range(REWRITES):
        text = await ctx.at(place, attempt=attempt).write(user_turn, brief)
        faults = carrying_faults(text, brief.slots, later, user.today)
        if not faults:
            break
    lacking = {known.slot.name for known in brief.slots if not is_said(text, known, user.today)}
    return Spoken(act, text, advance(user, _without(act, lacking), text), tuple(faults))


def _without(act: UserAct, names: set[str]) -> UserAct:
    if not names:
        return act
    slots = tuple(name for name in act.slots if name not in names)
    more = tuple(name for name in act.more if name not in names)
    return msgspec.structs.replace(act, slots=slots, more=more)
