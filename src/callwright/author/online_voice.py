"""The online voice: writing steps worded by a model, checked like the offline voice's.

the prompt is rendered and asked      role of the step, or the voice's own
the reply is parsed and checked       `Step.parse`, `Step.faults`
what does not fit is repaired once    the model is shown its reply and what is wrong with it
and asked for anew                    bounded; then the rollout fails with `bad_reply` and the role, and these
                                      replies are forgotten: the rollout, tried again, asks for others

`MeasuringVoice` writes offline, and adds up the requests that a model would have been sent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import msgspec

from callwright.author.prompts import Prompts
from callwright.author.step import AuthoredStep
from callwright.engine.context import Context, WritingStep
from callwright.errors import BadDocument, BadInput, BadRecord, CallwrightError, RolloutFailed
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.models.conversation import encode_request
from callwright.models.structured import FENCED

T = TypeVar("T")

ASKS: Final = 3
"""Replies asked for at one place: the first, its repair, and one anew."""
REFUSED: Final = "That cannot be used:"
"""How the message begins that tells a model why its reply is refused."""
_LONGEST_QUOTE = 4_000
_LONGEST_WHY = 500


class OnlineVoice(msgspec.Struct, frozen=True):
    """Speaks through the models of a rollout; a step without a model or a prompt is written offline."""

    role: str
    """Writes all steps but those that `roles` names, each with its own role."""
    prompts: Prompts
    roles: Mapping[str, str] = {}

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        """Return what the step's model writes. Raises RolloutFailed: `bad_reply`, or what the model failed with."""
        role = self.roles.get(step.name, self.role)
        if role not in ctx.models or not step.name:
            return step.offline(ctx.rng(), *args)
        if not isinstance(step, AuthoredStep):
            raise CallwrightError(f"{step.name}: no prompt can be rendered for it. Make it with `author.step.step`.")
        own: AuthoredStep[..., T] = step
        try:
            request = own.render(self.prompts.source(step.name), *args)
        except BadDocument as error:
            raise RolloutFailed(str(error), kind="bad_prompt", role=role) from error
        return await _written(own, request, ctx, role, args)


async def _written(
    step: AuthoredStep[..., T], request: ChatRequest, ctx: Context, role: str, args: tuple[object, ...]
) -> T:
    return await fitting_reply(request, lambda reply: _read(step, reply, args), ctx, role)


async def fitting_reply(request: ChatRequest, read: Callable[[ChatReply], T], ctx: Context, role: str) -> T:
    """Return what `read` makes of a reply; where it raises BadInput, ask for a repair, then anew.

    Raises RolloutFailed with `bad_reply` where none fits, and forgets the replies.
    """
    asked, why = request, ""
    for place in _places(ctx):
        reply = await place.ask(role, asked)
        try:
            return read(reply)
        except BadInput as error:
            why = str(error)[:_LONGEST_WHY]
        asked = repair(request, reply, why) if asked is request else request
    _forget(ctx, role)
    name = ctx.models[role].name
    raise RolloutFailed(f"{name}: {ASKS} replies that do not fit; the last: {why}", kind="bad_reply", role=role)


def _places(ctx: Context) -> tuple[Context, ...]:
    return (ctx, *(ctx.at(f"again/{attempt}") for attempt in range(1, ASKS)))


def _forget(ctx: Context, role: str) -> None:
    for place in _places(ctx):
        place.forget(role)


def _read(step: AuthoredStep[..., T], reply: ChatReply, args: tuple[object, ...]) -> T:
    """Raises BadRecord where the reply does not fit; BadDocument where it holds what no JSON of ours may."""
    is_whole = step.alone or step.reply_schema() is None  # a cut text looks like a whole one
    if is_whole and (errors := [error for error in reply.format_errors if error != FENCED]):
        raise BadRecord(f"{step.name}: {'; '.join(errors)}")
    written = step.parse(reply.content)
    faults = step.faults(written, *args)
    if faults:
        raise BadRecord(f"{step.name}: {'; '.join(faults)}")
    return written


def repair(request: ChatRequest, reply: ChatReply, why: str) -> ChatRequest:
    """Return the request again, with the reply that cannot be used and what is wrong with it.

    A call is quoted in words: servers refuse one that no result answers.
    """
    said = Message("assistant", reply.content[:_LONGEST_QUOTE] or "(nothing)")
    calls = [f"{call.tool} {call.arguments}"[:_LONGEST_QUOTE] for call in reply.calls] if request.tools else []
    called = f" You called {'; '.join(calls)}." if calls else ""
    told = Message("user", f"{REFUSED} {why}.{called} Answer again, in the form asked for, and mend only that.")
    return msgspec.structs.replace(request, messages=(*request.messages, said, told))


class Sizes(msgspec.Struct):
    """Requests to one role, counted in a rehearsal."""

    calls: int = 0
    bytes_in: int = 0
    bytes_out: int = 0

    def add(self, request: ChatRequest, reply_bytes: int) -> None:
        """Count one request, and the length of its reply."""
        self.calls += 1
        self.bytes_in += len(encode_request("", request, calling="native", level="prompt"))
        self.bytes_out += reply_bytes


class MeasuringVoice(msgspec.Struct, frozen=True):
    """Speaks as the offline voice does; `sizes` by role, without repairs and retries. Fields as of `OnlineVoice`."""

    role: str
    prompts: Prompts
    roles: Mapping[str, str] = {}
    sizes: defaultdict[str, Sizes] = msgspec.field(default_factory=lambda: defaultdict(Sizes))

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        """Return what the step's offline voice says. Raises BadDocument where a prompt fails."""
        written = step.offline(ctx.rng(), *args)
        if isinstance(step, AuthoredStep) and step.name:
            own: AuthoredStep[..., T] = step
            request = own.render(self.prompts.source(step.name), *args)
            self.sizes[self.roles.get(step.name, self.role)].add(request, len(msgspec.json.encode(written)))
        return written
