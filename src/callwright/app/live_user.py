"""Who words and who elects the turns of the live user in an evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from callwright.author.online_voice import OnlineVoice
from callwright.author.prompts import Prompts
from callwright.errors import BadInput
from callwright.models.endpoint import is_served, read_endpoint
from callwright.papers.registry import read_prompts
from callwright.protocol import EvaluationProtocol
from callwright.protocol.live_user import Election, LiveSteps
from callwright.records.jsontext import Json

MOST: Final = 16
"""Most samples or voters of one turn."""


class LiveUser(msgspec.Struct, frozen=True):
    """The models behind the live user, and the prompts they are asked with."""

    user: str
    """Full name of the model that words its turns; empty: offline."""
    voter: str
    """Full name of the model that elects one of several wordings; empty: there is one, and no election."""
    election: Election | None
    prompts: Prompts
    steps: LiveSteps

    @property
    def voice(self) -> OnlineVoice:
        """The voice of the rollouts."""
        return OnlineVoice("user", prompts=self.prompts, roles={self.steps.vote: "voter"})

    @property
    def config(self) -> dict[str, Json]:
        """What makes a run with this user another run."""
        prompts = self.prompts.digest(*self.steps.prompts)
        config: dict[str, Json] = {"user": self.user or "offline", "prompts": prompts}
        if self.election:
            config |= {"voter": self.voter, "samples": self.election.samples, "voters": self.election.voters}
        return config


def read_live_user(
    protocol: EvaluationProtocol,
    *,
    user: str | None,
    voter: str | None,
    samples: int | None,
    voters: int | None,
    prompts: str | Path | None,
    base_url: str | None,
) -> LiveUser | None:
    """Return the models behind the live user, None where all of it is offline.

    Raises BadInput for models that no server has, numbers out of range, and for what would change nothing.
    """
    names = {"user": _served(user, "user", base_url), "voter": _served(voter, "voter", base_url)}
    if not voter and (samples is not None or voters is not None):
        raise BadInput("samples and voters need a model that votes. Name one: voter openai/NAME.")
    if not any(names.values()):
        if prompts is not None:
            raise BadInput("prompts need a model. Name one as user or voter: openai/NAME.")
        return None
    if protocol.live is None:
        raise BadInput(
            f"a user or voter has no effect in {protocol.version}: its user turns are recorded. Leave them out."
        )
    election = Election() if voter else None
    if election:
        election = Election(
            election.samples if samples is None else samples, election.voters if voters is None else voters
        )
        for name, number, least in (("samples", election.samples, 2), ("voters", election.voters, 1)):
            if not least <= number <= MOST:
                raise BadInput(f"{name} is {number}; give {least} to {MOST}.")
    return LiveUser(names["user"], names["voter"], election, read_prompts(prompts), protocol.live)


def _served(name: str | None, role: str, base_url: str | None) -> str:
    if name is None:
        return ""
    if not is_served(name):
        raise BadInput(f"{role} {name!r}: unknown model. Give openai/NAME, or leave it out to use the offline {role}.")
    return read_endpoint(name, base_url=base_url).name
