"""Sends replies to clients: bodies, event streams and connections, with their faults."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from aiohttp import web

from callwright.web.faults import HUGE_BYTES, Drawn, wrong_json, wrong_shape
from callwright.web.reply_document import DONE, Completion, error_body, to_body, to_event, to_events

_PIECES: Final = 40
"""Number of pieces of a slow body."""
_FILLER: Final = "word " * 13_107
_MARK: Final = "[filler]"
_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """Delays, in seconds."""

    latency_s: float = 0.0
    """Before each reply."""
    stall_s: float = 30.0
    slow_s: float = 10.0
    """Total time of a slow body."""
    retry_after_s: int = 1
    """Value of Retry-After in a 429."""


# -- refusals --------------------------------------------------------------------------------------------------------

_LIMITED: Final = "Rate limit reached for requests. Please try again later."
_PAGE: Final = "<html><head><title>503</title></head><body><h1>503 Service Temporarily Unavailable</h1></body></html>"


def refusal(fault: str, timing: Timing, *, key: str) -> web.Response | None:
    """Return the refusal of a fault; None if the fault is not a refusal. `key` is the Authorization header."""
    if fault in ("rate-limit", "retry-after"):
        headers = {"Retry-After": str(timing.retry_after_s)} if fault == "retry-after" else {}
        return error(_LIMITED, status=429, kind="requests", code="rate_limit_exceeded", headers=headers)
    if fault == "error-500":
        return error("The server had an error while processing your request.", status=500, kind="server_error")
    if fault == "error-503":
        return web.Response(text=_PAGE, status=503, content_type="text/html")
    if fault == "bad-key":
        said = f"Incorrect API key provided: {key.removeprefix('Bearer ')[:200]}."
        return error(said, status=401, kind="invalid_request_error", code="invalid_api_key")
    if fault == "wrong-model":
        said = "The model does not exist or you do not have access to it."
        return error(said, status=404, kind="invalid_request_error", code="model_not_found")
    if fault == "too-long":
        said = "This model's maximum context length is 8 tokens. Please reduce the length of the messages."
        return error(said, status=400, kind="invalid_request_error", code="context_length_exceeded", param="messages")
    return None


def error(
    message: str,
    *,
    status: int,
    kind: str,
    code: str | None = None,
    param: str | None = None,
    headers: dict[str, str] | None = None,
) -> web.Response:
    """Return a response with an error in the protocol's shape."""
    body = error_body(message, kind=kind, code=code, param=param)
    return web.Response(body=body, status=status, content_type=_JSON, headers=headers)


# -- replies ---------------------------------------------------------------------------------------------------------


async def deliver(
    request: web.Request,
    reply: Completion,
    drawn: Drawn,
    timing: Timing,
    *,
    is_stream: bool,
    include_usage: bool,
    headers: dict[str, str],
) -> web.StreamResponse:
    """Send a reply, with the fault applied to its body or connection; the response may already be sent."""
    content_type = _EVENTS if is_stream else _JSON
    if drawn.fault == "huge":
        return await _pour(request, _huge(reply, is_stream=is_stream), content_type, headers)
    body = _spoiled_body(reply, drawn, is_stream=is_stream, include_usage=include_usage)
    if drawn.fault in ("no-reply", "cut-before", "cut-during"):
        return await _cut(request, body, drawn, content_type)
    if drawn.fault == "stall":
        await asyncio.sleep(timing.stall_s)
    if drawn.fault == "stall-during":
        at = drawn.rng.randint(1, len(body) - 1)
        return await _pour(request, (body[:at], body[at:]), content_type, headers, pause_s=timing.stall_s)
    if drawn.fault == "slow":
        size = -(-len(body) // _PIECES)
        pieces = [body[at : at + size] for at in range(0, len(body), size)]
        return await _pour(request, pieces, content_type, headers, pause_s=timing.slow_s / len(pieces))
    if is_stream:
        return await _pour(request, (body,), content_type, headers)
    return web.Response(body=body, content_type=content_type, headers=headers)


def _spoiled_body(reply: Completion, drawn: Drawn, *, is_stream: bool, include_usage: bool) -> bytes:
    if drawn.fault == "empty-body":
        return b""
    if not is_stream:
        if drawn.fault == "bad-shape":
            return msgspec.json.encode(wrong_shape(drawn.rng))
        body = to_body(reply)
        return wrong_json(body, drawn.rng) if drawn.fault == "bad-json" else body
    if drawn.fault == "bad-shape":
        return to_event(wrong_shape(drawn.rng)) + DONE
    events = to_events(reply, include_usage=include_usage)
    if drawn.fault == "bad-json":
        at = drawn.rng.randrange(len(events) - 1)
        events[at] = _wrong_event(events[at], drawn)
    return b"".join(events)


def _wrong_event(event: bytes, drawn: Drawn) -> bytes:
    data = event.removeprefix(b"data: ").removesuffix(b"\n\n")
    return b"data: " + wrong_json(data, drawn.rng) + b"\n\n"


def _huge(reply: Completion, *, is_stream: bool) -> Iterator[bytes]:
    """Yield a reply of `HUGE_BYTES` and a little more, piece by piece."""
    marked = msgspec.structs.replace(reply, content=_MARK)
    if is_stream:
        first, text, *rest = to_events(marked, include_usage=False)
        filler = text.replace(_MARK.encode(), _FILLER.encode())
        yield first
    else:
        before, _, after = to_body(marked).partition(_MARK.encode())
        filler, rest = _FILLER.encode(), [after]
        yield before
    for _ in range(HUGE_BYTES // len(_FILLER) + 1):
        yield filler
    yield from rest


async def _pour(
    request: web.Request,
    pieces: Sequence[bytes] | Iterator[bytes],
    content_type: str,
    headers: dict[str, str],
    *,
    pause_s: float = 0.0,
) -> web.StreamResponse:
    """Send pieces as they come, with a pause between them."""
    response = web.StreamResponse(headers={"Content-Type": content_type, "Cache-Control": "no-cache", **headers})
    await response.prepare(request)
    is_first = True
    for piece in pieces:
        if pause_s and not is_first:
            await asyncio.sleep(pause_s)
        await response.write(piece)
        is_first = False
    await response.write_eof()
    return response


def _head(length: int, content_type: str) -> bytes:
    """Return headers that announce a body of this length; an event stream announces it as one chunk."""
    size = "Transfer-Encoding: chunked" if content_type == _EVENTS else f"Content-Length: {length}"
    chunk = f"{length:x}\r\n" if content_type == _EVENTS else ""
    return f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n{size}\r\n\r\n{chunk}".encode()


async def _cut(request: web.Request, body: bytes, drawn: Drawn, content_type: str) -> web.StreamResponse:
    """Send nothing, the headers, or a part of the body, and close the connection."""
    if request.transport is not None:
        if drawn.fault != "no-reply":
            request.transport.write(_head(len(body), content_type))
        if drawn.fault == "cut-during":
            request.transport.write(body[: drawn.rng.randint(1, len(body) - 1)])
        request.transport.close()
    return web.Response()  # is not sent: the connection is closed
