"""Seeded faults: draws the fault of each request, and applies it to the reply.

A fault is drawn for each request from a stream keyed by (seed, digest of the body, how often this body was asked
before): the same job gets the same faults in any order of its requests.

    refusals    rate-limit retry-after error-500 error-503, and bad-key wrong-model too-long
    connection  no-reply cut-before cut-during stall stall-during slow
    body        empty-body bad-json bad-shape huge
    reply       empty-reply bad-arguments double-arguments

`bad-arguments` and `double-arguments` need a call: a reply without one is unchanged, and no fault is
counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from callwright.engine.randomness import stream
from callwright.errors import BadInput, unknown_name
from callwright.records.jsontext import Json
from callwright.web.reply_document import Completion

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
        return msgspec.structs.replace(reply, content="", calls=())
    if drawn.fault == "bad-arguments":
        return _with_arguments(reply, [_cut(call.arguments, drawn.rng) for call in reply.calls])
    if drawn.fault == "double-arguments":
        return _with_arguments(reply, [msgspec.json.encode(call.arguments).decode() for call in reply.calls])
    return reply


def _with_arguments(reply: Completion, arguments: Sequence[str]) -> Completion:
    calls = (msgspec.structs.replace(call, arguments=text) for call, text in zip(reply.calls, arguments, strict=True))
    return msgspec.structs.replace(reply, calls=tuple(calls))


def _cut(text: str, rng: Random) -> str:
    """Return a proper prefix of an object's JSON text, with its opening but without its closing brace."""
    return text[: rng.randint(1, len(text) - 1)]


def wrong_json(body: bytes, rng: Random) -> bytes:
    """Return text that is not JSON: a part of the body, or a web page."""
    if rng.random() < 0.5:
        return b"<html><body><h1>200 OK</h1></body></html>"
    return body[: rng.randint(1, len(body) - 1)]


def wrong_shape(rng: Random) -> Json:
    """Return JSON that is not a reply."""
    return rng.choice(_WRONG_SHAPES)
