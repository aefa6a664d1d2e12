"""A live user that a model plays: it reads what the assistant says and answers from its hidden state.

The state is that of `user_policy`: the wish, the known values, and those said by now, as rules find them in the words.
The model is told all of it with the whole history; rules guard what it says (`user_guard`, `user_faults`). A message
with a fault is written again with the reason; where each has one, the last is said and its faults exclude the
transcript. With an election, messages are written side by side; voters who know goal, history and values choose one.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import msgspec

from callwright.author.briefs import Style
from callwright.author.step import step
from callwright.engine.context import Context
from callwright.papers.diaforge.goal_drift import drifting
from callwright.papers.diaforge.listening import Heard, is_refusal
from callwright.papers.diaforge.said_identifiers import said_identifiers
from callwright.papers.diaforge.said_in_groups import as_written
from callwright.papers.diaforge.taken_rivals import own_words, repeats_right_option
from callwright.papers.diaforge.user_agent import UserView, user_view
from callwright.papers.diaforge.user_faults import user_faults
from callwright.papers.diaforge.user_guard import guard_faults
from callwright.papers.diaforge.user_phase import after_words
from callwright.papers.diaforge.user_policy import UserState, heard_by
from callwright.papers.diaforge.wording_election import elect, gather
from callwright.protocol.live_user import Election
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.tool import Tool
from callwright.records.transcript import UserFault

ASKS = 3
"""Messages asked for until one has no fault."""


@step("diaforge/user.j2", home=__package__, stream="diaforge/live_user.j2")
def live_turn(rng: Random, view: UserView) -> str:
    """Write the user's next message. Offline it stands for one in estimates: the wish, then all that is unsaid."""
    unsaid = ", ".join(f"{value.noun}: {value.text}" for value in view.values if not value.is_said)
    return unsaid if view.turns and unsaid else view.goal


class UserScene(NamedTuple):
    """The constants of one conversation."""

    dialogue: Dialogue
    tools: tuple[Tool, ...]
    """Those the dialogue shows, in its order."""
    gold: Tool
    speaker: str
    style: Style


class SaidTurn(NamedTuple):
    """One message of the user, and its state afterwards."""

    text: str
    user: UserState
    told: tuple[str, ...]
    """Names of the values that it says for the first time."""
    faults: tuple[UserFault, ...] = ()
    leaves: bool = False
    """Whether the conversation ends: the assistant has said twice that it cannot be done."""


async def answer(
    user: UserState, turns: Sequence[Turn], scene: UserScene, ctx: Context, place: str, *, election: Election | None
) -> SaidTurn:
    """Return the user's message after `turns`. Sample 2, rewrite 1 is asked for at `sample/2`, attempt 1, of `place`.

    Raises RolloutFailed where a reply is no message at all.
    """
    talk = _Talk(user, turns, scene)
    if election is None:
        said = await talk.write(ctx, place)
    else:
        places = [f"{place}/sample/{number}" for number in range(1, election.samples + 1)]
        samples = await gather([talk.write(ctx, one) for one in places])
        sound = [one for one in samples if not one.faults] or samples
        texts = [one.text for one in sound]
        said = sound[await elect(talk.view(), texts, ctx.at(place), voters=election.voters)]
    return talk.after(said)


class _Message(NamedTuple):
    text: str
    faults: tuple[UserFault, ...]


class _Talk(NamedTuple):
    user: UserState
    turns: Sequence[Turn]
    scene: UserScene

    @property
    def heard(self) -> str:
        return self.turns[-1].text if self.turns else ""

    def view(self, refused: Sequence[str] = ()) -> UserView:
        scene = self.scene
        so_far = msgspec.structs.replace(scene.dialogue, turns=tuple(self.turns))
        pool = [tool for tool in scene.tools if tool.name != scene.gold.name]
        settled = self.user.picked
        view = user_view(so_far, scene.gold, [*pool, scene.gold], settled=settled, style=scene.style)
        return view._replace(refused=tuple(refused))

    async def write(self, ctx: Context, place: str) -> _Message:
        """Return the first message without a fault; the last where each has one."""
        said = _Message("", ())
        for attempt in range(ASKS):
            refused = [fault.detail for fault in said.faults]
            text = await ctx.at(place, attempt=attempt).write(live_turn, self.view(refused))
            said = _Message(text, self.faults_in(text))
            if not said.faults:
                break
        return said

    def asks(self) -> Heard | None:
        """The questions that rules hear in the assistant's words; None before the first."""
        return heard_by(self.user, self.heard) if self.turns else None

    def faults_in(self, text: str) -> tuple[UserFault, ...]:
        at, scene = len(self.turns), self.scene
        text = as_written(text, self.user.known)
        said = (*self.turns, Turn(scene.speaker, text))
        found = [fault for fault in user_faults(scene.dialogue, said, scene.tools) if fault.turn == at]
        if self.turns and not self._stays_adrift(text):
            found = [fault for fault in found if fault.kind != "goal_drift"]
        if not any(fault.kind == "tool_leak" for fault in found):
            own = " ".join(known.text for known in self.user.known)
            names = said_identifiers(text, self.heard, scene.tools, own)
            found += [UserFault(at, "tool_leak", f"{name} is said aloud") for name in names]
        return (*found, *guard_faults(self.user, self.asks(), self.heard, text, at))

    def _stays_adrift(self, text: str) -> bool:
        """Whether the words mean another tool also without what they turn down and repeat of a question for a value."""
        if repeats_right_option(text, self.heard, self.user.gold):
            return False
        scene, known = self.scene, self.user.known
        others = [tool for tool in scene.tools if tool.name != scene.gold.name]
        return any(drifting({0: own_words(text, self.heard)}, scene.gold, others, known))

    def after(self, said: _Message) -> SaidTurn:
        """Return the message with the state that follows from its words."""
        user, told = after_words(self.user, self.asks(), said.text)
        refused = is_refusal(self.heard)
        return SaidTurn(said.text, user, told, said.faults, leaves=refused and _refusals(self) > 1)


def _refusals(talk: _Talk) -> int:
    return sum(is_refusal(turn.text) for turn in talk.turns if turn.speaker != talk.scene.speaker)
