"""A live user that a model plays: it reads what the assistant says and answers from its hidden state.

The state is that of `user_policy`: the wish, the known values, and those said by now, as rules find them in the words.
The model is told all of it with the whole history; rules guard what it says (`live_talk`). With a judge, a finding that
is not certain is a remark to it, and its verdict counts (`message_judge`). A message with a fault is written again with
the reason; where each has one, the last is said and its faults exclude the transcript. With an election, messages are
written side by side; voters who know goal, history and values choose one.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from callwright.author.step import step
from callwright.engine.context import Context
from callwright.papers.diaforge.certain_faults import is_certain
from callwright.papers.diaforge.listening import is_refusal
from callwright.papers.diaforge.live_talk import LiveTalk
from callwright.papers.diaforge.message_judge import fault_of, judge_message, judged_message
from callwright.papers.diaforge.user_agent import UserView
from callwright.papers.diaforge.user_phase import after_words
from callwright.papers.diaforge.user_policy import UserState
from callwright.papers.diaforge.wording_election import elect, gather
from callwright.protocol.live_user import LivePlay
from callwright.records.transcript import UserFault

ASKS = 3
"""Messages asked for until one has no fault."""


@step("diaforge/user.j2", home=__package__, stream="diaforge/live_user.j2")
def live_turn(rng: Random, view: UserView) -> str:
    """Write the user's next message. Offline it stands for one in estimates: the wish, then all that is unsaid."""
    unsaid = ", ".join(f"{value.noun}: {value.text}" for value in view.values if not value.is_said)
    return unsaid if view.turns and unsaid else view.goal


class SaidTurn(NamedTuple):
    """One message of the user, and its state afterwards."""

    text: str
    user: UserState
    told: tuple[str, ...]
    """Names of the values that it says for the first time."""
    faults: tuple[UserFault, ...] = ()
    leaves: bool = False
    """Whether the conversation ends: the assistant has said twice that it cannot be done."""


async def answer(talk: LiveTalk, ctx: Context, place: str, play: LivePlay) -> SaidTurn:
    """Return the user's next message. Sample 2, rewrite 1 is asked for at `sample/2`, attempt 1, of `place`.

    Raises RolloutFailed where a reply is no message at all, or a judge's no verdict.
    """
    if play.election is None:
        said = await _write(talk, ctx, place, is_judged=play.is_judged)
    else:
        places = [f"{place}/sample/{number}" for number in range(1, play.election.samples + 1)]
        samples = await gather([_write(talk, ctx, one, is_judged=play.is_judged) for one in places])
        sound = [one for one in samples if not one.faults] or samples
        texts = [one.text for one in sound]
        said = sound[await elect(talk.view(), texts, ctx.at(place), voters=play.election.voters)]
    return _after(talk, said)


class _Message(NamedTuple):
    text: str
    faults: tuple[UserFault, ...]


async def _write(talk: LiveTalk, ctx: Context, place: str, *, is_judged: bool) -> _Message:
    """Return the first message without a fault; the last where each has one."""
    said = _Message("", ())
    for attempt in range(ASKS):
        here = ctx.at(place, attempt=attempt)
        text = await here.write(live_turn, talk.view([fault.detail for fault in said.faults]))
        faults = talk.faults_in(text)
        said = _Message(text, await _judged(talk, text, faults, here) if is_judged else faults)
        if not said.faults:
            break
    return said


async def _judged(talk: LiveTalk, text: str, found: tuple[UserFault, ...], ctx: Context) -> tuple[UserFault, ...]:
    """Return the findings of the rules that are certain; where there are none, what a judge finds."""
    certain = tuple(fault for fault in found if is_certain(fault, text, talk.user.known))
    if certain:
        return certain
    verdict = await ctx.write(judge_message, judged_message(talk, text, found))
    return fault_of(verdict, len(talk.turns))


def _after(talk: LiveTalk, said: _Message) -> SaidTurn:
    """Return the message with the state that follows from its words."""
    user, told = after_words(talk.user, talk.asks(), said.text)
    refused = is_refusal(talk.heard)
    return SaidTurn(said.text, user, told, said.faults, leaves=refused and _refusals(talk) > 1)


def _refusals(talk: LiveTalk) -> int:
    return sum(is_refusal(turn.text) for turn in talk.turns if turn.speaker != talk.scene.speaker)
