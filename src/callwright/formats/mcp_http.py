"""An HTTP client for MCP servers with a size limit for answers."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from callwright.errors import BadDocument
from callwright.records.jsontext import MAX_BYTES


def bounded_client(timeout_s: float) -> httpx2.AsyncClient:
    """Return a client whose answers are at most 64 MiB, uncompressed, so that none can exhaust the memory."""
    return httpx2.AsyncClient(
        transport=_Bounded(), timeout=httpx2.Timeout(timeout_s), headers={"Accept-Encoding": "identity"}
    )


class _Bounded(httpx2.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            await response.aclose()
            raise BadDocument("it sent a compressed answer, which was not requested")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Counted(response.stream)
        return response


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_BYTES:
                raise BadDocument(f"an answer is larger than {MAX_BYTES // 1024 // 1024} MiB")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
