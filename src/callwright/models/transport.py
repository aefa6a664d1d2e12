"""Sends one JSON POST and reads its answer, bounded in time and size. The only module that uses aiohttp.

aiohttp manages the connections and parses answers; this module writes the request itself, because aiohttp's sessions
(cookies, redirects, forms) take most of the time of a call to a fast server.

The connections belong to an event loop: the first request opens them, and `close_connections` closes them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary

from callwright.models.attempts import FailureKind
from callwright.models.deadlines import Deadline, Deadlines, TimedOut
from callwright.models.retries import Patience

if TYPE_CHECKING:
    from aiohttp import ClientRequest, ClientTimeout, StreamReader, TCPConnector
    from aiohttp.connector import Connection

MAX_REPLY_BYTES: Final = 16 * 1024 * 1024
_BUFFER: Final = 64 * 1024
_MOST_INTERIM = 16
_HEADERS: Final = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}


class Answer(NamedTuple):
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


async def post_json(url: str, body: bytes, *, headers: Mapping[str, str], patience: Patience) -> Answer:
    """Send `body` and return the answer with its whole body. Raises TransportFailed.

    Redirects are not followed, so the key is sent only to the named server.
    """
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
    """The connection key for aiohttp."""
    head: bytes
    """Request line and headers without the length."""


class _Wire:
    """The connections of one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        from aiohttp import TCPConnector

        self.connector: TCPConnector = TCPConnector(limit=0, ttl_dns_cache=300)  # the engine limits calls, not the pool
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


async def _exchange(wire: _Wire, envelope: _Envelope, body: bytes, deadline: Deadline, patience: Patience) -> Answer:
    try:
        connection = await wire.connector.connect(
            envelope.request, traces=[], timeout=_connecting_within(patience.connect_s)
        )
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


@cache
def _connecting_within(seconds: float) -> ClientTimeout:
    from aiohttp import ClientTimeout

    return ClientTimeout(sock_connect=seconds)


async def _answer(connection: Connection, envelope: _Envelope, body: bytes, deadline: Deadline) -> Answer:
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
    return Answer(message.code, message.headers, await _read(message.headers, content, deadline))


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
    """Return the system's reason for a failed connection."""
    cause = getattr(error, "os_error", error)
    number = getattr(cause, "errno", None)
    if isinstance(number, int) and number > 0:
        return os.strerror(number)
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
