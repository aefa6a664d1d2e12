"""What a server may send, byte by byte, and what becomes of it and of the connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from callwright.models.refusals import advice
from callwright.models.retries import Patience
from callwright.models.transport import HttpAnswer, TransportFailed, _failure, close_connections, post_json

QUICK = Patience(connect_s=5, idle_s=5, total_s=10)
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class Seen(NamedTuple):
    """What came of asking, and what the server saw."""

    results: list[HttpAnswer | str]
    """Answers, and the kinds of failure."""
    connections: int
    requests: list[bytes]


def exchange(*answers: bytes, headers: dict[str, str] | None = None, body: bytes = b"{}") -> Seen:
    """Ask one after another; a server answers so, and closes the connection where the answer is empty."""
    left, requests, connections = list(answers), list[bytes](), 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        while left:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                break
            length = int(head.lower().partition(b"content-length:")[2].split()[0])
            requests.append(head + await reader.readexactly(length))
            answer = left.pop(0)
            writer.write(answer)
            if not answer or b"close" in answer or b"HTTP/1.0" in answer:
                break
        writer.close()

    async def ask(url: str) -> HttpAnswer | str:
        try:
            return await post_json(url, body, headers=headers or {}, patience=QUICK)
        except TransportFailed as error:
            return error.kind

    async def work() -> Sequence[HttpAnswer | str]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            try:
                return [await ask(f"http://127.0.0.1:{port}/v1/chat%20x?q=1") for _ in answers]
            finally:
                await close_connections()

    return Seen(list(asyncio.run(work())), connections, requests)


def bodies(seen: Seen) -> list[bytes | str]:
    return [one.body if isinstance(one, HttpAnswer) else one for one in seen.results]


def test_the_request_is_whole() -> None:
    """Path and query as they are, the length of the body, and each header once."""
    request = exchange(PLAIN, headers={"Authorization": "Bearer k"}, body=b'{"a": 1}').requests[0]
    lines = request.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    named = [line.partition(":")[0].lower() for line in lines[1:]]
    assert lines[0] == "POST /v1/chat%20x?q=1 HTTP/1.1"
    assert {"Authorization: Bearer k", "Content-Length: 8", "Accept-Encoding: identity"} <= {*lines}
    assert "host" in named
    assert len(named) == len({*named})
    assert request.endswith(b'\r\n\r\n{"a": 1}')


def test_a_connection_is_used_again() -> None:
    """As long as the server keeps it."""
    assert (exchange(PLAIN, PLAIN, PLAIN).connections, exchange(PLAIN, PLAIN).connections) == (1, 1)


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", b"{}"),
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + PLAIN, b"{}"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", b""),
    ],
)
def test_answers_of_every_shape_leave_the_connection_usable(answer: bytes, body: bytes) -> None:
    """In chunks, after interim responses, without a body; redirects are not followed."""
    seen = exchange(answer, PLAIN)
    assert bodies(seen) == [body, b"{}"]
    assert seen.connections == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}",
        b"HTTP/1.0 200 OK\r\n\r\n{}",
    ],
)
def test_a_connection_that_the_server_closes_is_not_used_again(answer: bytes) -> None:
    """The body may end with it."""
    seen = exchange(answer, PLAIN)
    assert bodies(seen) == [b"{}", b"{}"]
    assert seen.connections == 2


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"nonsense\r\n\r\n", "bad_reply"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "bad_reply"),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 20\r\n\r\n{}", "bad_reply"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "bad_reply"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx", "bad_reply"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", "bad_reply"),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n" * 40, "bad_reply"),
        (b"", "unreachable"),
    ],
)
def test_what_is_no_answer_fails_and_costs_its_connection(answer: bytes, kind: str) -> None:
    """The next request gets a new one."""
    seen = exchange(answer, PLAIN)
    assert bodies(seen) == [kind, b"{}"]
    assert seen.connections == 2


def test_a_header_with_a_line_break_is_not_sent() -> None:
    """Nor is anything else of the request."""
    seen = exchange(PLAIN, headers={"X": "a\r\nY: b"})
    assert (seen.results, seen.requests) == (["bad_reply"], [])


def test_an_unasked_answer_is_not_taken_for_the_next() -> None:
    """Its connection is not used again."""
    other = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"
    seen = exchange(PLAIN + other, PLAIN)
    assert bodies(seen) == [b"{}", b"{}"]
    assert seen.connections == 2


def test_an_answer_that_comes_while_nobody_asks_is_not_taken() -> None:
    """The server speaks again between two requests, twenty times."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not reader.at_eof():
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                await reader.readuntil(b"\r\n\r\n{}")
                writer.write(PLAIN)
                await writer.drain()
                await asyncio.sleep(0)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL")
        writer.close()

    async def work() -> list[bytes]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        found = []
        try:
            for nth in range(20):
                found.append((await post_json(url, b"{}", headers={}, patience=QUICK)).body)
                await asyncio.sleep(0.002 * (nth % 3 + 1))
        finally:
            await close_connections()
            server.close()
        return found

    assert asyncio.run(work()) == [b"{}"] * 20


def test_endless_framing_ends_at_the_cap() -> None:
    """Extensions of chunks are no body, and count nevertheless."""
    answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"x" * 40_000_000

    assert bodies(exchange(answer)) == ["bad_reply"]


def test_a_server_without_tls_is_named() -> None:
    """An https address of a server that speaks plain HTTP: the failure says what to write."""

    async def work() -> TransportFailed:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            with pytest.raises(TransportFailed) as caught:
                await post_json(f"https://127.0.0.1:{port}/v1", b"{}", headers={}, patience=QUICK)
            await close_connections()
        return caught.value

    failed = asyncio.run(work())

    assert failed.kind == "unreachable"
    assert "write http://" in str(failed)


def test_a_refused_certificate_is_named() -> None:
    """The failure is of its own kind, and says what is wrong with the certificate."""
    import ssl

    from aiohttp import ClientConnectorCertificateError

    refused = ssl.SSLCertVerificationError(1, "self-signed certificate")
    failed = _failure(ClientConnectorCertificateError(None, refused))  # type: ignore[arg-type]

    assert failed is not None
    assert failed.kind == "bad_certificate"
    assert "certificate is not accepted" in str(failed)
    assert "self-signed" in str(failed)
    assert "certificate" in advice("bad_certificate", has_key=False)
