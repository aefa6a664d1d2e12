"""A conversation with a live user that a model plays, before its next message: its state, and what rules find in words.

The rules are those of the whole transcript (`user_faults`), of identifiers in any spelling and of one message in its
place (`user_guard`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from callwright.author.briefs import Style
from callwright.papers.diaforge.goal_drift import drifting
from callwright.papers.diaforge.listening import Heard
from callwright.papers.diaforge.said_identifiers import said_identifiers
from callwright.papers.diaforge.said_in_groups import as_written
from callwright.papers.diaforge.taken_rivals import own_words, repeats_right_option
from callwright.papers.diaforge.user_agent import UserView, user_view
from callwright.papers.diaforge.user_faults import user_faults
from callwright.papers.diaforge.user_guard import guard_faults
from callwright.papers.diaforge.user_policy import UserState, heard_by
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.tool import Tool
from callwright.records.transcript import UserFault


class UserScene(NamedTuple):
    """The constants of one conversation."""

    dialogue: Dialogue
    tools: tuple[Tool, ...]
    """Those the dialogue shows, in its order."""
    gold: Tool
    speaker: str
    style: Style


class LiveTalk(NamedTuple):
    """The user's state and the turns so far."""

    user: UserState
    turns: Sequence[Turn]
    scene: UserScene

    @property
    def heard(self) -> str:
        """What the assistant said last; empty before the first message."""
        return self.turns[-1].text if self.turns else ""

    def view(self, refused: Sequence[str] = ()) -> UserView:
        """Return what the user's model is told; `refused` says why its last wording does not do."""
        scene = self.scene
        so_far = msgspec.structs.replace(scene.dialogue, turns=tuple(self.turns))
        pool = [tool for tool in scene.tools if tool.name != scene.gold.name]
        settled = self.user.picked
        view = user_view(so_far, scene.gold, [*pool, scene.gold], settled=settled, style=scene.style)
        return view._replace(refused=tuple(refused))

    def asks(self) -> Heard | None:
        """Return the questions that rules hear in the assistant's words; None before the first."""
        return heard_by(self.user, self.heard) if self.turns else None

    def faults_in(self, text: str) -> tuple[UserFault, ...]:
        """Return what rules find in a message that comes next."""
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
