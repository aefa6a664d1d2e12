"""Sends one JSON POST and reads its answer, bounded in time and size. The only module that uses aiohttp's client.

This module writes the request itself, because aiohttp's sessions take most of the time of a call to a fast server. The
connections belong to an event loop until `close_connections`. All exchanges share one timer: a timer for each would
take a fifth of an exchange's time.
"""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import Mapping
from functools import cache, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from callwright.models.attempts import FailureKind
from callwright.models.retries import Patience

if TYPE_CHECKING:
    from aiohttp import ClientRequest, ClientTimeout, StreamReader, TCPConnector
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.connector import Connection

MAX_REPLY_BYTES: Final = 16 * 1024 * 1024
_MOST_RECEIVED: Final = 2 * MAX_REPLY_BYTES
"""Bytes of one answer with its headers and what frames its chunks: single characters in chunks stay below the cap."""
_MOST_STALE = 100
_BUFFER: Final = 64 * 1024
_MOST_INTERIM = 16
_HEADERS: Final = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}


class HttpAnswer(NamedTuple):
    """A server's answer of any status."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300


class TransportFailed(Exception):
    """No answer came. Caught in this part; the message may contain text of the server."""

    def __init__(self, kind: FailureKind, message: str, *, connected: bool = True) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.connected = connected
        """Whether a server was reached."""


async def post_json(url: str, body: bytes, *, headers: Mapping[str, str], patience: Patience) -> HttpAnswer:
    """Send `body` and return the whole answer; redirects are not followed. Raises TransportFailed."""
    wire = _wire()
    try:
        with wire.deadlines.within(idle_s=patience.idle_s, total_s=patience.total_s) as deadline:
            return await _exchange(wire, wire.envelope(url, headers), body, deadline, patience)
    except TransportFailed:
        raise
    except Exception as error:
        failed = _failure(error)
        if failed is None:
            raise
        raise failed from error


def _failure(error: Exception) -> TransportFailed | None:
    """Return the failure for an error of aiohttp or of the system; None for other errors."""
    import aiohttp
    from aiohttp.http import HttpProcessingError

    match error:
        case TimedOut():
            return TransportFailed("timeout", str(error))
        case aiohttp.ClientPayloadError():
            return TransportFailed("bad_reply", "the reply was cut off")
        case aiohttp.ServerDisconnectedError():
            return TransportFailed("unreachable", "the server cut the connection")
        case aiohttp.ClientConnectorCertificateError():
            return TransportFailed("bad_certificate", _of_certificate(error.certificate_error), connected=False)
        case aiohttp.ClientConnectorSSLError():
            said = "no TLS handshake: if the server speaks plain HTTP, write http:// in the base URL"
            return TransportFailed("unreachable", said, connected=False)
        case aiohttp.ClientConnectorError():
            return TransportFailed("unreachable", _reason(error), connected=False)
        case aiohttp.ClientConnectionError():
            return TransportFailed("unreachable", _reason(error))
        case aiohttp.ClientError() | HttpProcessingError() | OSError() | ValueError():  # ValueError: broken headers
            return TransportFailed("bad_reply", f"no proper HTTP: {type(error).__name__}: {error}")
        case _:
            return None


async def close_connections() -> None:
    """Close the connections of the running loop, if there are any."""
    wire = _wires.pop(asyncio.get_running_loop(), None)
    if wire is not None:
        await wire.connector.close()


class _Envelope(NamedTuple):
    """The constant part of all requests to one URL with the same headers."""

    request: ClientRequest
    head: bytes


class _Wire:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        from aiohttp import TCPConnector

        self.connector: TCPConnector = TCPConnector(limit=0, ttl_dns_cache=300)  # the engine limits calls, not the pool
        self.connector._factory = partial(_counting_handler(), loop=loop)
        self.deadlines = Deadlines(loop)
        self._loop = loop
        self._envelopes: dict[tuple[str, tuple[tuple[str, str], ...]], _Envelope] = {}

    def envelope(self, url: str, headers: Mapping[str, str]) -> _Envelope:
        """Return the cached envelope for a URL and headers. Raises ValueError for values not allowed in a header."""
        key = (url, tuple(headers.items()))
        if key not in self._envelopes:
            self._envelopes[key] = _envelope(url, {**_HEADERS, **headers}, self._loop)
        return self._envelopes[key]


_wires: WeakKeyDictionary[asyncio.AbstractEventLoop, _Wire] = WeakKeyDictionary()


def _wire() -> _Wire:
    loop = asyncio.get_running_loop()
    wire = _wires.get(loop)
    if wire is None:
        wire = _wires[loop] = _Wire(loop)
    return wire


def _envelope(url: str, headers: Mapping[str, str], loop: asyncio.AbstractEventLoop) -> _Envelope:
    from aiohttp import ClientRequest
    from yarl import URL

    request = ClientRequest("POST", URL(url), headers=headers, loop=loop)
    request.headers.pop("Content-Length", None)  # the length of an empty body
    lines = [f"POST {request.url.raw_path_qs} HTTP/1.1", *(f"{name}: {said}" for name, said in request.headers.items())]
    if not all(line.isprintable() for line in lines):
        raise ValueError("a header holds a line break")
    return _Envelope(request, "".join(f"{line}\r\n" for line in lines).encode())


async def _exchange(
    wire: _Wire, envelope: _Envelope, body: bytes, deadline: Deadline, patience: Patience
) -> HttpAnswer:
    try:
        connection = await _silent_connection(wire, envelope, patience)
    except TimeoutError as error:
        raise TransportFailed(
            "unreachable", f"no connection within {patience.connect_s:g} s", connected=False
        ) from error
    except UnicodeError as error:  # raised by the resolver, which encodes the name
        raise TransportFailed("unreachable", "the host name in the base URL is not valid", connected=False) from error
    try:
        answer = await _answer(connection, envelope, body, deadline)
    except BaseException:
        connection.close()
        raise
    connection.release()  # kept for the next request, unless the server closes it
    return answer


async def _silent_connection(wire: _Wire, envelope: _Envelope, patience: Patience) -> Connection:
    """Return a connection on which the server has said nothing yet: an unasked answer would pass for the next one."""
    for _ in range(_MOST_STALE):
        connection = await wire.connector.connect(
            envelope.request, traces=[], timeout=_connecting_within(patience.connect_s)
        )
        if not _has_spoken(connection):
            return connection
        connection.close()
    raise TransportFailed("bad_reply", "the server answers before it is asked")


def _has_spoken(connection: Connection) -> bool:
    """Whether bytes have come, or wait in the system, or the server has closed the connection."""
    handler, transport = connection.protocol, connection.transport
    if handler is None or transport is None or handler.should_close:
        return True
    socket = transport.get_extra_info("socket")
    if socket is None or not hasattr(select, "poll"):  # Windows: what the loop has not read yet is not seen
        return False
    waiting = select.poll()
    waiting.register(socket.fileno(), select.POLLIN)
    return bool(waiting.poll(0))


@cache
def _counting_handler() -> type[ResponseHandler]:
    """Return the protocol of connections, which ends one that sends too much, whatever of it is no body."""
    from aiohttp.client_proto import ResponseHandler

    class CountingHandler(ResponseHandler):
        received = 0

        def data_received(self, data: bytes) -> None:
            self.received += len(data)
            if self.received <= _MOST_RECEIVED:
                super().data_received(data)
            elif self.transport is not None:
                (self if self._payload is None else self._payload).set_exception(_too_large())
                self.transport.abort()

        def set_response_params(self, **given: Any) -> None:
            self.received = 0
            super().set_response_params(**given)

    return CountingHandler


@cache
def _connecting_within(seconds: float) -> ClientTimeout:
    from aiohttp import ClientTimeout

    return ClientTimeout(sock_connect=seconds)


async def _answer(connection: Connection, envelope: _Envelope, body: bytes, deadline: Deadline) -> HttpAnswer:
    handler, transport = connection.protocol, connection.transport
    if handler is None or transport is None:
        raise TransportFailed("unreachable", "the server cut the connection")
    # not unpacked: compression was not requested, and a small body can expand to gigabytes
    handler.set_response_params(read_until_eof=True, auto_decompress=False, read_bufsize=_BUFFER)
    transport.writelines((envelope.head, b"Content-Length: %d\r\n\r\n" % len(body), body))
    for _ in range(_MOST_INTERIM):
        message, content = await handler.read()
        deadline.heard()
        if not 100 <= message.code < 200:
            break
    else:
        raise TransportFailed("bad_reply", "no end of interim responses")
    return HttpAnswer(message.code, message.headers, await _read(message.headers, content, deadline))


async def _read(headers: Mapping[str, str], content: StreamReader, deadline: Deadline) -> bytes:
    if headers.get("Content-Encoding", "identity") != "identity":
        raise TransportFailed("bad_reply", "the reply is compressed, which was not asked for")
    length = headers.get("Content-Length", "")
    if length.isdecimal() and int(length[:20]) > MAX_REPLY_BYTES:
        raise _too_large()
    chunks: list[bytes] = []
    size = 0
    while chunk := await content.readany():
        deadline.heard()
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_REPLY_BYTES:
            raise _too_large()
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def _too_large() -> TransportFailed:
    return TransportFailed("bad_reply", f"the reply is larger than {MAX_REPLY_BYTES // 1024**2} MiB")


def _reason(error: Exception) -> str:
    cause = getattr(error, "os_error", error)
    number = getattr(cause, "errno", None)
    if isinstance(number, int) and number > 0:
        return os.strerror(number)
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__


def _of_certificate(error: Exception) -> str:
    said = getattr(error, "verify_message", "") or str(error)
    return f"the server's certificate is not accepted ({said.rstrip('.')})"


# -- deadlines -------------------------------------------------------------------------------------------------------

_LONGEST_TICK_S: Final = 0.5
_SHARE: Final = 0.1


class TimedOut(Exception):
    """An exchange was silent for too long, or took too long in total; the message says which. Caught in this part."""


class Deadlines:
    """The open exchanges of one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._open: set[Deadline] = set()
        self._tick_s = _LONGEST_TICK_S
        self._timer: asyncio.TimerHandle | None = None

    def within(self, *, idle_s: float, total_s: float) -> Deadline:
        """Return a block in which an exchange happens (see `Deadline`)."""
        self._tick_s = min(self._tick_s, idle_s * _SHARE, total_s * _SHARE)
        return Deadline(self, idle_s, total_s)

    def now(self) -> float:
        """Return the loop's time, in seconds."""
        return self._loop.time()

    def open(self, one: Deadline) -> None:
        """Start watching a block."""
        self._open.add(one)
        if self._timer is None:
            self._timer = self._loop.call_later(self._tick_s, self._look)

    def shut(self, one: Deadline) -> None:
        """Stop watching a block."""
        self._open.discard(one)

    def _look(self) -> None:
        now = self.now()
        for one in self._open:
            one.look(now)
        self._timer = self._loop.call_later(self._tick_s, self._look) if self._open else None


class Deadline:
    """A block that raises TimedOut `idle_s` after the last byte, or `total_s` after its start, at most .5 s late."""

    __slots__ = ("_began", "_deadlines", "_heard", "_idle_s", "_task", "_total_s", "_why")

    def __init__(self, deadlines: Deadlines, idle_s: float, total_s: float) -> None:
        self._deadlines = deadlines
        self._idle_s = idle_s
        self._total_s = total_s
        self._why = ""

    def __enter__(self) -> Deadline:
        self._task = asyncio.current_task()
        self._began = self._heard = self._deadlines.now()
        self._deadlines.open(self)
        return self

    def heard(self) -> None:
        """Note that bytes have arrived."""
        self._heard = self._deadlines.now()

    def look(self, now: float) -> None:
        """End the block if it is late."""
        if self._why or self._task is None:
            return
        if now - self._heard > self._idle_s:
            self._why = f"silent for {self._idle_s:g} s"
        elif now - self._began > self._total_s:
            self._why = f"no whole reply within {self._total_s:g} s"
        else:
            return
        self._task.cancel()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._deadlines.shut(self)
        if self._why and self._task is not None and self._task.uncancel() == 0 and kind is asyncio.CancelledError:
            raise TimedOut(self._why) from error
