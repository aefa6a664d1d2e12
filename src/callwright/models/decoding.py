"""How a server is asked to draw its words; what is not said is left to the server."""

from __future__ import annotations

import math
from typing import Final

import msgspec

from callwright.errors import BadOption
from callwright.models.endpoint import Endpoint
from callwright.records.jsontext import Json


class Decoding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Settings of one model in one role. They change what it says, so another setting is another run."""

    temperature: float | None = None
    """From 0, where the likeliest word is always taken."""
    top_p: float | None = None
    """Share of probability that words are drawn from."""
    max_tokens: int | None = None
    """Longest reply; a longer one is cut, which is said in its format errors."""

    def __post_init__(self) -> None:
        """Raise BadOption for what no server can take."""
        if self.temperature is not None and not 0 <= self.temperature < math.inf:
            raise BadOption(f"temperature is {self.temperature}; give 0 or more.")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise BadOption(f"top_p is {self.top_p}; give more than 0, at most 1.")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise BadOption(f"max_tokens is {self.max_tokens}; give at least 1.")

    @property
    def config(self) -> dict[str, Json]:
        """What was set, for the identity of a run and the signature of its scores; empty where nothing was."""
        said: dict[str, Json] = msgspec.to_builtins(self)
        return said

    def fields(self, endpoint: Endpoint) -> dict[str, Json]:
        """Return the fields of a request to this server."""
        said = self.config
        if self.max_tokens is not None and endpoint.is_openai:  # its newer models refuse the old name
            said["max_completion_tokens"] = said.pop("max_tokens")
        return said


AS_SERVED: Final = Decoding()
"""All is left to the server."""
