"""Sends replies to clients: bodies, event streams and connections, with seeded faults.

A fault is drawn for each request from a stream keyed by (seed, digest of the body, how often this body was asked
before): the same job gets the same faults in any order of its requests.

    refusals    rate-limit retry-after error-500 error-503, and bad-key wrong-model too-long
    connection  no-reply cut-before cut-during stall stall-during slow
    body        empty-body bad-json bad-shape huge
    reply       empty-reply bad-arguments double-arguments; a reply without a call is unchanged by the last two
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import msgspec
from aiohttp import web

from callwright.engine.randomness import stream
from callwright.errors import BadInput, unknown_name
from callwright.records.jsontext import Json
from callwright.web.reply_document import DONE, Completion, error_body, to_body, to_event, to_events

FAULTS: Final = (
    *("rate-limit", "retry-after", "error-500", "error-503"),
    *("no-reply", "cut-before", "cut-during", "stall", "stall-during", "slow"),
    *("empty-body", "bad-json", "bad-shape", "huge"),
    *("empty-reply", "bad-arguments", "double-arguments"),
)
"""The faults that `--fault-rate` draws from, in equal shares. The help of `callwright serve` explains each."""

BY_NAME_ONLY: Final = ("bad-key", "wrong-model", "too-long")
"""Refusals that a retry cannot fix."""

OF_CALLS: Final = frozenset({"bad-arguments", "double-arguments"})
"""Faults that need a reply with a call."""

HUGE_BYTES: Final = 50 * 1024 * 1024

_WRONG_SHAPES: Final[tuple[Json, ...]] = (
    {"choices": []},
    {"choices": [{"index": 0, "message": None}]},
    {"choices": [{"index": 0, "message": {"role": "assistant", "content": {"text": 1}}, "finish_reason": "stop"}]},
    {"error": {"message": "upstream failed", "type": "server_error", "param": None, "code": None}},
    [],
    "ok",
    None,
)


class Rate(msgspec.Struct, frozen=True):
    """How often one fault happens: a share of requests in [0, 1]."""

    fault: str
    share: float


class Drawn(msgspec.Struct, frozen=True):
    """The fault of one request (empty: none), and the random stream for its details."""

    fault: str
    rng: Random


def read_rates(names: str | None, total: float | None) -> tuple[Rate, ...]:
    """Return the shares that `--faults` and `--fault-rate` define together. Raises BadInput.

    `names` is a list such as `stall,slow=0.1`; those without a share split `total` equally, as all do without names.

    >>> [(rate.fault, rate.share) for rate in read_rates("stall,slow=0.1", 0.3)]
    [('stall', 0.3), ('slow', 0.1)]
    """
    asked = dict(_pair(one) for one in names.split(",")) if names is not None else dict.fromkeys(FAULTS)
    if names is None and total is None:
        return ()
    sharing = [name for name, share in asked.items() if share is None]
    if sharing and total is None:
        raise BadInput(
            f"--faults: the share of {sharing[0]!r} is missing. Write {sharing[0]}=0.05 or give --fault-rate."
        )
    if total is not None and not sharing:
        raise BadInput("--fault-rate has no effect if every fault has its own share. Leave out one of them.")
    rates = tuple(Rate(name, (total or 0) / len(sharing) if share is None else share) for name, share in asked.items())
    if not all(0 <= rate.share <= 1 for rate in rates) or sum(rate.share for rate in rates) > 1 + 1e-9:
        raise BadInput("shares of faults, and their sum, must be between 0 and 1.")
    return rates


def _pair(text: str) -> tuple[str, float | None]:
    name, _, share = text.strip().partition("=")
    if name not in FAULTS and name not in BY_NAME_ONLY:
        raise unknown_name("fault", name, [*FAULTS, *BY_NAME_ONLY])
    try:
        return name, float(share) if share else None
    except ValueError:
        raise BadInput(f"--faults: {share!r} is not a share. Write {name}=0.05.") from None


def draw(rates: Sequence[Rate], *, seed: int, digest: str, asked_before: int) -> Drawn:
    """Return the fault of a request: a pure function of the arguments."""
    rng = stream(seed, digest, "fault", asked_before)
    left = rng.random()
    for rate in rates:
        left -= rate.share
        if left < 0:
            return Drawn(rate.fault, rng)
    return Drawn("", rng)


def spoiled(reply: Completion, drawn: Drawn) -> Completion:
    """Return the reply with the fault applied to its content; unchanged for other kinds of faults."""
    if drawn.fault == "empty-reply":
        return msgspec.structs.replace(reply, content="", thought="", calls=())
    if drawn.fault == "bad-arguments":
        texts = [call.arguments for call in reply.calls]  # each begins with a brace, and loses at least the closing one
        return _with_arguments(reply, [text[: drawn.rng.randint(1, len(text) - 1)] for text in texts])
    if drawn.fault == "double-arguments":
        return _with_arguments(reply, [msgspec.json.encode(call.arguments).decode() for call in reply.calls])
    return reply


def _with_arguments(reply: Completion, arguments: Sequence[str]) -> Completion:
    calls = (msgspec.structs.replace(call, arguments=text) for call, text in zip(reply.calls, arguments, strict=True))
    return msgspec.structs.replace(reply, calls=tuple(calls))


def wrong_json(body: bytes, rng: Random) -> bytes:
    """Return text that is not JSON: a part of the body, or a web page."""
    if rng.random() < 0.5:
        return b"<html><body><h1>200 OK</h1></body></html>"
    return body[: rng.randint(1, len(body) - 1)]


def wrong_shape(rng: Random) -> Json:
    return rng.choice(_WRONG_SHAPES)


# -- sending ---------------------------------------------------------------------------------------------------------

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


# -- refusals --------------------------------------------------------------------------------------------------------

_LIMITED: Final = (429, "requests", "rate_limit_exceeded", "Rate limit reached for requests. Please try again later.")
_INVALID: Final = "invalid_request_error"
_TOO_LONG: Final = "This model's maximum context length is 8 tokens. Please reduce the length of the messages."
_REFUSALS: Final[dict[str, tuple[int, str, str | None, str]]] = {
    "rate-limit": _LIMITED,
    "retry-after": _LIMITED,
    "error-500": (500, "server_error", None, "The server had an error while processing your request."),
    "bad-key": (401, _INVALID, "invalid_api_key", "Incorrect API key provided: "),
    "wrong-model": (404, _INVALID, "model_not_found", "The model does not exist or you do not have access to it."),
    "too-long": (400, _INVALID, "context_length_exceeded", _TOO_LONG),
}
"""Status, kind, code and message of a refusal."""
_PAGE: Final = "<html><head><title>503</title></head><body><h1>503 Service Temporarily Unavailable</h1></body></html>"


def refusal(fault: str, timing: Timing, *, key: str) -> web.Response | None:
    """Return the refusal of a fault; None if the fault is not a refusal. `key` is the Authorization header."""
    if fault == "error-503":
        return web.Response(text=_PAGE, status=503, content_type="text/html")
    if fault not in _REFUSALS:
        return None
    status, kind, code, said = _REFUSALS[fault]
    param = "messages" if fault == "too-long" else None
    headers = {"Retry-After": str(timing.retry_after_s)} if fault == "retry-after" else {}
    said += f"{key.removeprefix('Bearer ')[:200]}." if fault == "bad-key" else ""
    return error(said, status=status, kind=kind, code=code, param=param, headers=headers)


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
        data = events[at].removeprefix(b"data: ").removesuffix(b"\n\n")
        events[at] = b"data: " + wrong_json(data, drawn.rng) + b"\n\n"
    return b"".join(events)


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
