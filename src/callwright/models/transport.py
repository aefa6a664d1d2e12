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
from callwright.models.deadlines import Deadline, Deadlines, TimedOut
from callwright.models.retries import Patience

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

MAX_REPLY_BYTES: Final = 16 * 1024 * 1024
_SMALL_BODY = 1024 * 1024

_sessions: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[ClientSession, Deadlines]] = WeakKeyDictionary()


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

    data = body if len(body) < _SMALL_BODY else io.BytesIO(body)
    sent = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity", **headers}
    session, deadlines = _session()
    timeout = aiohttp.ClientTimeout(sock_connect=patience.connect_s)
    try:
        with deadlines.within(idle_s=patience.idle_s, total_s=patience.total_s) as deadline:
            async with session.post(url, data=data, headers=sent, timeout=timeout, allow_redirects=False) as response:
                deadline.heard()
                return Answer(response.status, response.headers, await _read(response, deadline))
    except TimedOut as error:
        raise TransportFailed("timeout", str(error)) from error
    except aiohttp.ConnectionTimeoutError as error:
        raise TransportFailed(
            "unreachable", f"no connection within {patience.connect_s:g} s", connected=False
        ) from error
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
    opened = _sessions.pop(asyncio.get_running_loop(), None)
    if opened is not None:
        await opened[0].close()


def _session() -> tuple[ClientSession, Deadlines]:
    import aiohttp

    loop = asyncio.get_running_loop()
    opened = _sessions.get(loop)
    if opened is None:
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),  # the engine limits, not the pool
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # nothing packed was asked for, and a small packed body can unpack to gigabytes
        )
        opened = _sessions[loop] = session, Deadlines(loop)
    return opened


async def _read(response: ClientResponse, deadline: Deadline) -> bytes:
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise TransportFailed("bad_reply", "the reply is compressed, which was not asked for")
    if (response.content_length or 0) > MAX_REPLY_BYTES:
        raise _too_large()
    chunks: list[bytes] = []
    size = 0
    while chunk := await response.content.readany():
        deadline.heard()
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_REPLY_BYTES:
            raise _too_large()
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def _too_large() -> TransportFailed:
    return TransportFailed("bad_reply", f"the reply is larger than {MAX_REPLY_BYTES // 1024**2} MiB")


def _reason(error: Exception) -> str:
    """Why a connection failed, in the system's words."""
    cause = getattr(error, "os_error", error)
    number = getattr(cause, "errno", None)
    if isinstance(number, int) and number > 0:
        return os.strerror(number)
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
