"""A voice that writes offline and adds up what models would have been asked for, and have said, in its place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from callwright.author.prompts import Prompts
from callwright.author.step import Step
from callwright.engine.context import Context, WritingStep
from callwright.models.conversation import encode_request

T = TypeVar("T")


class Sizes(msgspec.Struct):
    """What one role would have been asked for."""

    calls: int = 0
    bytes_in: int = 0
    bytes_out: int = 0


class MeasuringVoice:
    """Speaks as the offline voice does; `sizes` by role, without repairs and retries."""

    def __init__(self, role: str, *, prompts: Prompts, roles: Mapping[str, str] | None = None) -> None:
        """As those of `OnlineVoice`: `role` writes all steps but those that `roles` names."""
        self.sizes: defaultdict[str, Sizes] = defaultdict(Sizes)
        self._role = role
        self._roles = dict(roles or {})
        self._prompts = prompts

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        """Return what the step's offline voice says. Raises BadDocument where a prompt fails."""
        written = step.offline(ctx.rng(), *args)
        if isinstance(step, Step):
            own: Step[..., T] = step
            request = own.render(self._prompts.source(step.name), *args)
            sizes = self.sizes[self._roles.get(step.name, self._role)]
            sizes.calls += 1
            sizes.bytes_in += len(encode_request("", request, calling="native", level="prompt"))
            sizes.bytes_out += len(msgspec.json.encode(written))
        return written
