"""Requests of a rollout as text: messages to each role, replies and cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from callwright.models.chat import Message
from callwright.protocol.sent_request import SentRequest
from callwright.report.dialogue_view import shown


def sent_view(sent: Sequence[SentRequest]) -> RenderableType:
    """Return the view of all requests in their order, and the sum of each role."""
    parts = [part for number, one in enumerate(sent, 1) for part in _request_lines(number, one)]
    return Group(*parts, *_sums(sent))


def _request_lines(number: int, one: SentRequest) -> Iterable[Text]:
    yield shown(f"\n{number}. {one.role} at {one.place}: {one.model}", "bold")
    if not one.is_as_sent:
        yield shown("   not as it was sent: prompts, rules or data have changed since", "bold red")
    for message in one.request.messages:
        yield shown(f"{message.role}:", "cyan")
        yield shown(_text(message))
    if one.request.tools:
        yield shown(f"tools: {', '.join(tool.name for tool in one.request.tools)}", "dim")
    if one.request.reply_schema is not None:
        yield shown(f"schema of the reply: {one.request.reply_schema}", "dim")
    reply = one.reply
    yield shown(f"reply ({_cost([one])}):", "green")
    if reply.thought:
        yield shown(f"({reply.thought})", "dim italic")
    yield shown(_text(Message("assistant", reply.content, reply.calls)))
    for error in reply.format_errors:
        yield shown(f"format: {error}", "red")


def _text(message: Message) -> str:
    calls = (f"call {call.tool} {call.arguments}" for call in message.calls)
    return "\n".join(filter(None, (message.content, *calls))) or "(nothing)"


def _sums(sent: Sequence[SentRequest]) -> Iterable[Text]:
    yield shown(f"\n{len(sent)} requests; not as sent: {sum(not one.is_as_sent for one in sent)}", "bold")
    for role in dict.fromkeys(one.role for one in sent):
        own = [one for one in sent if one.role == role]
        yield shown(f"{role}: {len(own)} requests, {_cost(own)}")


def _cost(sent: Sequence[SentRequest]) -> str:
    """Tokens and price; what the server did not count is told as unknown."""
    tokens_in, tokens_out = [one.reply.tokens_in for one in sent], [one.reply.tokens_out for one in sent]
    said = [f"{_sum(tokens_in)} tokens in", f"{_sum(tokens_out)} out"]
    usd = [one.usd for one in sent if one.usd is not None]
    if len(usd) == len(sent):
        said.append(f"{sum(usd):.4f} USD")
    return ", ".join(said)


def _sum(counts: Sequence[int | None]) -> str:
    known = [count for count in counts if count is not None]
    return f"{sum(known):,}" if len(known) == len(counts) else "unknown"
