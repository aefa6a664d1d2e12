"""Who words the turns of a live user where models do, and how one wording is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

KEPT_PROMPTS: Final = "prompts"
"""Name of the blob in a run with the texts of its prompts, by name."""


class Election(NamedTuple):
    """How a turn is chosen (DiaFORGE, appendix C.3): wordings written side by side, and voters who choose one."""

    samples: int = 3
    voters: int = 3


class LivePlay(NamedTuple):
    """What models do of a live user."""

    hears: bool = False
    """Whether a model plays it: it hears what the model under test says."""
    is_judged: bool = False
    """Whether a judge reads each of its messages; only where a model plays it."""
    election: Election | None = None


class LiveSteps(NamedTuple):
    """The writing steps of a protocol with a live user."""

    prompts: tuple[str, ...]
    """Groups of prompts that its words come from: other texts in them make another run."""
    vote: str
    """Name of the step that chooses a wording."""
    judge: str
    """Name of the step that reads a message for faults."""
    most_replies: Callable[[Any, LivePlay], int]
    """Most replies of all models of the user in one dialogue, from the protocol's options."""

    @property
    def roles(self) -> dict[str, str]:
        """The roles that write these steps; `user` writes all others."""
        return {self.vote: "voter", self.judge: "judge"}

    def prompts_asked(self, *, is_judged: bool) -> tuple[str, ...]:
        """Return the groups and names of the prompts that are sent."""
        return (*self.prompts, self.judge) if is_judged else self.prompts
