"""Who words the turns of a live user where models do, and how one wording is chosen."""

from __future__ import annotations

from typing import Final, NamedTuple

KEPT_PROMPTS: Final = "prompts"
"""Name of the blob in a run with the texts of its prompts, by name."""


class Election(NamedTuple):
    """How a turn is chosen (DiaFORGE, appendix C.3): wordings written side by side, and voters who choose one."""

    samples: int = 3
    voters: int = 3


class LiveSteps(NamedTuple):
    """The writing steps of a protocol with a live user."""

    prompts: tuple[str, ...]
    """Groups of prompts that its words come from: other texts in them make another run."""
    vote: str
    """Name of the step that chooses a wording; the role `voter` writes it, `user` all others."""
