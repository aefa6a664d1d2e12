"""One builtin model behind HTTP: `POST /v1/chat/completions`, `GET /v1/models`, `/healthz`, `/stats`.

The same request always gets the same reply; only faults depend on how often it was sent. Only its digest is kept.
"""

from __future__ import annotations

import asyncio
import logging
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import blake2b
from ipaddress import ip_address
from types import FrameType
from typing import Final

import msgspec
from aiohttp import web
from yarl import URL

from callwright import __version__
from callwright.baselines import BASELINES, ORACLES, model_factory
from callwright.engine.randomness import stream
from callwright.errors import BadDocument, BadInput, RolloutFailed, unknown_name
from callwright.models.chat import ChatModel
from callwright.models.endpoint import is_served
from callwright.records.dialogue import Dialogue, Provenance
from callwright.web.builtin_author import Writer, WriterBeside
from callwright.web.call_tally import CallTally, Summary
from callwright.web.delivery import OF_CALLS, Drawn, Rate, Timing, deliver, draw, error, refusal, spoiled
from callwright.web.openai_wire import MAX_BYTES, Refused, WireRequest, read
from callwright.web.reply_document import Completion, completion, in_words

_BODY_TIMEOUT_S: Final = 60.0
_HEADERS_TIMEOUT_S: Final = 60.0
_OF_PAGES: Final = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")
"""Types of bodies that any page in a browser can send without asking."""
_AUTHORITY = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::[0-9]{1,5})?")
_GRACE_S: Final = 1.0
"""Time beyond the latency that open replies get after a stop, in seconds."""
_WHOLE: Final = frozenset({"", "stall", "stall-during", "slow"})
"""Faults after which the client still has the complete reply."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """The served model, its delays and its faults."""

    model: str
    """A `builtin/` model, not an oracle; or `builtin/author`."""
    seed: int = 0
    timing: Timing = Timing()
    faults: tuple[Rate, ...] = ()


def digest_of(body: bytes) -> str:
    """Return the digest of a request, 16 hexadecimal digits; replies carry it as `x-request-id`."""
    return blake2b(body, digest_size=8).hexdigest()


def run(serving: Serving, *, host: str, port: int, on_ready: Callable[[str], None]) -> Summary:
    """Serve until SIGINT or SIGTERM, from the main thread; finish open replies and return the counts.

    `on_ready` gets the base URL; port 0 takes a free one. Raises BadInput for a model that cannot be served, OSError.
    """
    return asyncio.run(_run(serving, host, port, on_ready))


async def _run(serving: Serving, host: str, port: int, on_ready: Callable[[str], None]) -> Summary:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop.set)

    tally = CallTally()
    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        async with started(serving, tally, host=host, port=port) as url:
            on_ready(url)
            await stop.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return tally.summary()


@asynccontextmanager
async def started(serving: Serving, tally: CallTally, *, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[str]:
    """Serve in the running loop inside a block; yields the base URL. Raises as `run` does."""
    grace_s = serving.timing.latency_s + _GRACE_S
    runner = web.AppRunner(
        _application(serving, tally, is_open=not is_loopback(host)),
        access_log=None,
        logger=_silent(),
        handler_cancellation=True,
        shutdown_timeout=grace_s,
    )
    await runner.setup()
    sweeping = asyncio.create_task(_close_mute(runner))
    try:
        await web.TCPSite(runner, host, port, backlog=1024).start()
        name = f"[{host}]" if ":" in host else host
        yield f"http://{name}:{runner.addresses[0][1]}/v1"
    finally:
        sweeping.cancel()
        await runner.cleanup()


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach a host of this name."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:  # another name
        return False


def _silent() -> logging.Logger:
    """Return a logger that drops what it is told: aiohttp tells a traceback of each malformed request."""
    logger = logging.Logger("callwright.serve")
    logger.addHandler(logging.NullHandler())
    return logger


async def _close_mute(runner: web.AppRunner) -> None:
    """Close connections on which no whole request has come for `_HEADERS_TIMEOUT_S`, half-sent headers among them."""
    since: dict[web.RequestHandler, float] = {}
    loop = asyncio.get_running_loop()
    while runner.server is not None:
        await asyncio.sleep(_HEADERS_TIMEOUT_S / 10)
        mute = [one for one in runner.server.connections if one._current_request is None and not one._messages]
        since = {one: since.get(one, loop.time()) for one in mute}
        for one, began in since.items():
            if loop.time() - began > _HEADERS_TIMEOUT_S:
                one.force_close()


def _application(serving: Serving, tally: CallTally, *, is_open: bool) -> web.Application:
    server = _Server(serving, tally)
    checks = [_errors_as_json] if is_open else [_errors_as_json, _of_this_machine]
    application = web.Application(client_max_size=MAX_BYTES, middlewares=checks)
    application.router.add_post("/v1/chat/completions", server.chat)
    application.router.add_get("/v1/models", server.models)
    application.router.add_get("/healthz", server.health)
    application.router.add_get("/stats", server.stats)
    application.router.add_get("/stats/requests", server.stats_by_request)
    return application


@web.middleware
async def _errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Return every error in the protocol's shape."""
    try:
        return await handler(request)
    except Refused as refused:
        said = str(refused)[:2_000]
        kind = "invalid_request_error"
        return error(said, status=refused.status, kind=kind, code=refused.code, param=refused.param)
    except web.HTTPException as answer:
        allowed = {name: answer.headers[name] for name in ("Allow",) if name in answer.headers}
        said = f"{answer.reason}: {request.method} {request.path[:200]}"
        return error(said, status=answer.status, kind="invalid_request_error", headers=allowed)


@web.middleware
async def _of_this_machine(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse requests under a foreign name or of a foreign page: a browser here would let it read the answers."""
    if not is_loopback(_name_in(request.host)):
        raise Refused("this server answers to localhost only; --host opens it.", status=403, code="foreign_host")
    origin = request.headers.get("Origin")
    if origin is not None and not is_loopback(_name_in(origin.partition("://")[2])):
        raise Refused("this server answers no foreign pages; --host opens it.", status=403, code="foreign_origin")
    return await handler(request)


def _name_in(authority: str) -> str:
    """The host of `host:port`; empty where it is none."""
    return URL.build(scheme="http", authority=authority).host or "" if _AUTHORITY.fullmatch(authority) else ""


class _Server:
    def __init__(self, serving: Serving, tally: CallTally) -> None:
        self._serving = serving
        self._tally = tally
        self._model = _model(serving.model)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        try:
            return await self._chat(request)
        except Refused:
            self._tally.counts.refused += 1
            raise
        except (asyncio.CancelledError, ConnectionError):
            self._tally.counts.gone += 1
            raise

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        if request.content_type in _OF_PAGES:
            raise Refused("the body is no JSON by its Content-Type. Send application/json.", status=415)
        body = await _body(request)
        digest = digest_of(body)
        asked_before = self._tally.ask(digest)
        question = read(body, by_schema=isinstance(self._model, Writer))
        self._check_name(question.model)
        serving = self._serving
        drawn = draw(serving.faults, seed=serving.seed, digest=digest, asked_before=asked_before)
        refused = refusal(drawn.fault, serving.timing, key=request.headers.get("Authorization", ""))
        if refused is not None:
            self._tally.faults[drawn.fault] += 1
            return refused
        if serving.timing.latency_s:
            await asyncio.sleep(serving.timing.latency_s)
        reply = await self._reply(question, digest)
        if drawn.fault in OF_CALLS and not reply.calls:
            drawn = Drawn("", drawn.rng)
        if drawn.fault:
            self._tally.faults[drawn.fault] += 1
        reply = spoiled(reply, drawn)
        response = await deliver(
            request,
            in_words(reply) if question.is_prompted else reply,
            drawn,
            serving.timing,
            is_stream=question.is_stream,
            include_usage=question.include_usage,
            headers={"x-request-id": digest},
        )
        if drawn.fault in _WHOLE:
            self._tally.replied(digest)
        return response

    async def _reply(self, question: WireRequest, digest: str) -> Completion:
        rng = stream(self._serving.seed, digest, "reply")
        try:
            reply = await self._model.reply(question.request, rng)
        except (BadDocument, RolloutFailed) as none:
            raise Refused(f"no reply: {none}", code="unsupported_value") from none
        return completion(reply, digest=digest, model=self._serving.model, tokens_in=question.tokens)

    def _check_name(self, name: str) -> None:
        """Accept any name except that of another builtin model, which would be misleading."""
        if name.startswith("builtin/") and name != self._serving.model:
            said = f"model {name[:80]!r} is not served here, but {self._serving.model!r}."
            raise Refused(said, status=404, code="model_not_found", param="model")

    async def models(self, request: web.Request) -> web.Response:
        model = {"id": self._serving.model, "object": "model", "created": 0, "owned_by": "callwright"}
        return _json({"object": "list", "data": [model]})

    async def health(self, request: web.Request) -> web.Response:
        return _json({"status": "ok", "model": self._serving.model, "version": __version__})

    async def stats(self, request: web.Request) -> web.Response:
        return _json(self._tally.summary())

    async def stats_by_request(self, request: web.Request) -> web.Response:
        return _json(self._tally.by_request())


def _json(value: object) -> web.Response:
    return web.Response(body=msgspec.json.encode(value), content_type="application/json")


async def _body(request: web.Request) -> bytes:
    try:
        async with asyncio.timeout(_BODY_TIMEOUT_S):
            return await request.read()
    except TimeoutError:
        raise Refused(f"the body took over {_BODY_TIMEOUT_S:.0f} s.", status=408) from None


_NO_DIALOGUE: Final = Dialogue(
    id="served", recipe="", participants=(), turns=(), provenance=Provenance(author="", callwright=__version__)
)


def _model(name: str) -> ChatModel:
    """Return the model, which sees only requests. Raises BadInput."""
    if name in ORACLES:
        raise BadInput(f"{name} needs the ground truth, which requests do not contain. Serve another builtin model.")
    if is_served(name):
        raise BadInput(f"{name} already has a server. Serve a builtin model, such as builtin/retriever.")
    if name == Writer.name:
        return Writer()
    if name not in BASELINES:
        raise unknown_name("model", name, [*BASELINES, Writer.name])
    return WriterBeside(model_factory(name)(_NO_DIALOGUE, {}))
