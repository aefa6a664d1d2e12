"""Decoding settings of a request; the server chooses those that are not set."""

from __future__ import annotations

import math
from typing import Final

import msgspec

from callwright.errors import BadOption
from callwright.models.endpoint import Endpoint
from callwright.models.local_models import LONGEST_REPLY
from callwright.records.jsontext import Json


class Decoding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Settings of one model in one role. They change its replies, so they are part of a run's identity."""

    temperature: float | None = None
    """At least 0; 0 always takes the most likely token."""
    top_p: float | None = None
    """Probability mass from which tokens are drawn (nucleus sampling)."""
    max_tokens: int | None = None
    """Longest reply, in tokens; a longer one is cut, which its format errors say."""

    def __post_init__(self) -> None:
        if self.temperature is not None and not 0 <= self.temperature < math.inf:
            raise BadOption(f"temperature is {self.temperature}; give 0 or more.")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise BadOption(f"top_p is {self.top_p}; give more than 0, at most 1.")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise BadOption(f"max_tokens is {self.max_tokens}; give at least 1.")

    def over(self, others: Decoding) -> Decoding:
        """Return the settings, with those of `others` where none is set."""
        return Decoding(**{**msgspec.to_builtins(others), **msgspec.to_builtins(self)})

    @property
    def config(self) -> dict[str, Json]:
        """The settings, for the identity of a run and the signature of its scores; empty if none are set."""
        said: dict[str, Json] = msgspec.to_builtins(self)
        return said

    def fields(self, endpoint: Endpoint) -> dict[str, Json]:
        said = self.config
        if endpoint.local and self.max_tokens is None:
            said["max_tokens"] = LONGEST_REPLY
        if self.max_tokens is not None and endpoint.is_openai:  # its newer models refuse the old name
            said["max_completion_tokens"] = said.pop("max_tokens")
        return said


AS_SERVED: Final = Decoding()
