"""One POST of JSON and its answer, bounded in time and size. The only module that knows aiohttp.

A session belongs to an event loop: it is opened when something is first sent there, and `close_session` ends it.
"""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary

from callwright.models.attempts import FailureKind
from callwright.models.retries import Patience

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

MAX_REPLY_BYTES: Final = 16 * 1024 * 1024
_SMALL_BODY = 1024 * 1024
_CHUNK = 64 * 1024

_sessions: WeakKeyDictionary[asyncio.AbstractEventLoop, ClientSession] = WeakKeyDictionary()


class Answer(NamedTuple):
    """What a server answered, whatever it means."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class TransportFailed(Exception):
    """No answer came. Caught in this part; the message may hold what the server wrote."""

    def __init__(self, kind: FailureKind, message: str, *, connected: bool = True) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.connected = connected
        """Whether there was a server at all."""


async def post_json(url: str, body: bytes, *, headers: Mapping[str, str], patience: Patience) -> Answer:
    """Send `body` and return the answer with its whole body. Raises TransportFailed.

    Redirects are not followed: a key goes to the server that was named and to no other.
    """
    import aiohttp

    timeout = aiohttp.ClientTimeout(
        total=patience.total_s,
        connect=patience.connect_s,
        sock_read=patience.idle_s,
    )
    data = body if len(body) < _SMALL_BODY else io.BytesIO(body)
    sent = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity", **headers}
    try:
        async with _session().post(url, data=data, headers=sent, timeout=timeout, allow_redirects=False) as response:
            return Answer(response.status, response.headers, await _read(response))
    except aiohttp.ConnectionTimeoutError as error:
        raise TransportFailed(
            "unreachable", f"no connection within {patience.connect_s:g} s", connected=False
        ) from error
    except aiohttp.SocketTimeoutError as error:
        raise TransportFailed("timeout", f"silent for {patience.idle_s:g} s") from error
    except TimeoutError as error:
        raise TransportFailed("timeout", f"no whole reply within {patience.total_s:g} s") from error
    except aiohttp.ClientPayloadError as error:
        raise TransportFailed("bad_reply", "the reply was cut off") from error
    except aiohttp.ServerDisconnectedError as error:
        raise TransportFailed("unreachable", "the server cut the connection") from error
    except aiohttp.ClientConnectorError as error:
        raise TransportFailed("unreachable", _reason(error), connected=False) from error
    except aiohttp.ClientConnectionError as error:
        raise TransportFailed("unreachable", _reason(error)) from error
    except (aiohttp.ClientError, OSError, ValueError) as error:  # ValueError: headers that break the rules
        raise TransportFailed("bad_reply", f"no proper HTTP: {type(error).__name__}: {error}") from error


async def close_session() -> None:
    """End the session of the running loop, if it has one."""
    session = _sessions.pop(asyncio.get_running_loop(), None)
    if session is not None:
        await session.close()


def _session() -> ClientSession:
    import aiohttp

    loop = asyncio.get_running_loop()
    session = _sessions.get(loop)
    if session is None:
        session = _sessions[loop] = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),  # the engine limits, not the pool
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # nothing packed was asked for, and a small packed body can unpack to gigabytes
        )
    return session


async def _read(response: ClientResponse) -> bytes:
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise TransportFailed("bad_reply", "the reply is compressed, which was not asked for")
    if (response.content_length or 0) > MAX_REPLY_BYTES:
        raise _too_large()
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_chunked(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_REPLY_BYTES:
            raise _too_large()
    return b"".join(chunks)


def _too_large() -> TransportFailed:
    return TransportFailed("bad_reply", f"the reply is larger than {MAX_REPLY_BYTES // 1024**2} MiB")


def _reason(error: Exception) -> str:
    """Why a connection failed, in the system's words."""
    cause = getattr(error, "os_error", error)
    number = getattr(cause, "errno", None)
    if isinstance(number, int) and number > 0:
        return os.strerror(number)
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
