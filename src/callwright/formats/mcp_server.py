"""Reads the tools of a running MCP server with the official SDK, over stdio or streamable HTTP.

A command is started without a shell; afterwards, also on failure, it and its child processes are ended. Its standard
error is quoted if the server fails. Command and URL are never saved, because both may contain keys.
"""

from __future__ import annotations

import asyncio
import logging
import re
import shlex
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from callwright.errors import BadDocument, BadInput
from callwright.formats.described import collect
from callwright.formats.functions import described
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog

if TYPE_CHECKING:
    from mcp.client.session import ClientSession
    from mcp_types import InitializeResult

MOST_PAGES = 1_000
_LONGEST_QUOTE = 600
_PARSER_S_ACCOUNT = re.compile(r": \d+ validation errors?\b.*", re.DOTALL)


Listing = tuple[str, list[Json]]
"""A server's own name with its version, and its tools."""


async def read(target: str, *, timeout_s: float) -> Catalog:
    """Return the tools of the server behind `target`: a command line, or the URL of a streamable HTTP endpoint.

    Tools are kept as sent (`raw`); the server's name is their domain. `timeout_s` is for starting and listing together.
    Raises BadInput if the SDK is missing or `target` is neither, BadDocument if the server does not list its tools in
    time.
    """
    _require_sdk()
    is_url = target.lower().startswith(("http://", "https://"))
    server, tools = await (_over_http if is_url else _over_stdio)(target, timeout_s)
    name = server.rsplit(" ", 1)[0]
    entries = (described(tool, f"tool {number}", domain=name) for number, tool in enumerate(tools, 1))
    return collect(entries, source=f"mcp:{server}")


def _require_sdk() -> None:
    try:
        import mcp  # noqa: F401 - checks only that it is installed
    except ImportError as error:
        raise BadInput(
            "tools of MCP servers are read with the MCP SDK, which is not installed: pip install 'callwright[mcp]'"
        ) from error
    logging.getLogger("mcp").addHandler(logging.NullHandler())  # otherwise it prints its log


async def _over_stdio(target: str, timeout_s: float) -> Listing:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command, *arguments = _command(target)
    what = f"MCP server `{command[:80]}`"
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        try:
            server = StdioServerParameters(command=command, args=arguments, encoding_error_handler="replace")
            async with asyncio.timeout(timeout_s), stdio_client(server, errlog=errors) as streams:
                return await _asked(*streams)
        except Exception as error:
            raise _failure(error, what, timeout_s, _last_words(errors)) from error


def _command(target: str) -> list[str]:
    try:
        parts = shlex.split(target)
    except ValueError as error:
        raise BadInput(f"mcp: the command cannot be split into words: {error}. Quote it as for a shell.") from error
    if not parts:
        raise BadInput("mcp: no server. Give a command (`mcp:npx -y some-server`) or a URL (`mcp:http://...`).")
    return parts


async def _over_http(url: str, timeout_s: float) -> Listing:
    from mcp.client.streamable_http import streamable_http_client

    from callwright.formats.mcp_http import bounded_client

    what = f"MCP server at {_address(url)}"
    try:
        async with (
            asyncio.timeout(timeout_s),
            bounded_client(timeout_s) as client,
            streamable_http_client(url, http_client=client) as streams,
        ):
            return await _asked(*streams)
    except Exception as error:
        raise _failure(error, what, timeout_s, "") from error


def _address(url: str) -> str:
    """Return host and port only, because other parts may be a key."""
    try:
        parts = urlsplit(url)
        return f"{parts.hostname or '?'}:{parts.port}" if parts.port else str(parts.hostname)
    except ValueError as error:
        raise BadInput(f"mcp: no URL: {error}. Give one such as `mcp:http://127.0.0.1:3001/mcp`.") from error


async def _asked(incoming: Any, outgoing: Any) -> Listing:
    """Return the server's listing, over the two streams of a transport."""
    from mcp.client.session import ClientSession

    async with (
        _noting_garbage() as on_message,
        ClientSession(incoming, outgoing, message_handler=on_message) as session,
    ):
        greeting = await session.initialize()
        tools = [tool async for tool in _tools(session, greeting)]
        info = greeting.server_info
        return f"{info.name} {info.version}".strip() or "server", tools


@asynccontextmanager
async def _noting_garbage() -> AsyncIterator[Any]:
    """Yield a handler of messages. If the block times out, raise BadDocument where some were no messages at all."""
    garbage = 0

    async def on_message(message: object) -> None:
        nonlocal garbage
        garbage += isinstance(message, Exception)

    try:
        yield on_message
    except (TimeoutError, asyncio.CancelledError):
        if garbage:
            raise BadDocument("it prints text that is not an MCP message on its standard output") from None
        raise


async def _tools(session: ClientSession, greeting: InitializeResult) -> AsyncIterator[Json]:
    from mcp_types import ListToolsRequest, PaginatedRequestParams
    from pydantic import TypeAdapter

    if greeting.capabilities.tools is None:
        raise BadDocument("it offers no tools")
    cursor: str | None = None
    seen: set[str | None] = set()
    as_sent: Any = TypeAdapter(dict[str, Any])
    while cursor not in seen:
        if len(seen) >= MOST_PAGES:
            raise BadDocument(f"its list of tools has over {MOST_PAGES:,} pages")
        seen.add(cursor)
        params = None if cursor is None else PaginatedRequestParams(cursor=cursor)
        page = await session.send_request(ListToolsRequest(params=params), as_sent)
        for tool in page["tools"]:
            yield tool
        cursor = page.get("nextCursor")
        if cursor is None:
            return
    raise BadDocument("its list of tools never ends: it gives the same page again")


def _failure(error: BaseException, what: str, timeout_s: float, said: str) -> BadInput:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        reason = f"it did not list its tools within {timeout_s:g} s"
    else:
        reason = " ".join(_reason(error).split()) or type(error).__name__
    quoted = f" Its last words: {said}" if said else ""
    return BadDocument(f"{what}: {reason[:_LONGEST_QUOTE].rstrip('.')}.{quoted}")


def _reason(error: BaseException) -> str:
    import httpx2
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"its list breaks the protocol: `{'.'.join(map(str, first['loc']))}`: {first['msg']}"
    is_cut = isinstance(error, httpx2.ReadError | httpx2.WriteError | httpx2.RemoteProtocolError)
    if str(error) == "Connection closed" or (is_cut and (not str(error) or "disconnected" in str(error))):
        return "it closed the connection before it had listed its tools"
    if isinstance(error, OSError):
        return f"it cannot be started or reached: {error.strerror or error}"
    return _PARSER_S_ACCOUNT.sub("", str(error))


def _last_words(errors: IO[str]) -> str:
    """Return the end of what the server wrote on standard error, as one line."""
    errors.seek(0, 2)
    errors.seek(max(0, errors.tell() - 4 * _LONGEST_QUOTE))
    said = " ".join(errors.read().split())
    return said if len(said) <= _LONGEST_QUOTE else f"… {said[-_LONGEST_QUOTE:]}"
