"""Requests that no client of the API sends: from pages of other names, malformed, or never finished."""

from __future__ import annotations

import socket
import time
from urllib.parse import urlsplit

import pytest
from web_requests import encoded

from callwright.web import serve
from serving import serving


def raw(url: str, head: str, body: bytes = b"") -> bytes:
    """Return what the server says to these bytes until it closes."""
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port), timeout=5) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode() + body)
        said = b""
        try:
            while part := connection.recv(65536):
                said += part
        except TimeoutError:
            pass
        return said


def posted(url: str, *, host: str, kind: str = "application/json", origin: str = "") -> bytes:
    body = encoded()
    head = f"POST /v1/chat/completions HTTP/1.1\nHost: {host}\nContent-Type: {kind}\nContent-Length: {len(body)}\n"
    head += f"Origin: {origin}\n" if origin else ""
    return raw(url, f"{head}Connection: close\n\n", body)


def test_foreign_names_and_types_of_pages_are_refused(capfd: pytest.CaptureFixture[str]) -> None:
    """A page in a browser here can neither read nor ask; this machine's names can. Nothing malformed is logged."""
    with serving() as (url, _):
        port = urlsplit(url).port
        assert b" 200 OK" in posted(url, host=f"localhost:{port}")
        assert b" 200 OK" in posted(url, host=f"[::1]:{port}", kind="application/json; charset=utf-8")
        for host in ("evil.example", f"127.0.0.1.evil.example:{port}", "a b", "[", ""):
            assert b" 200 OK" not in posted(url, host=host)
        assert b" 403 " in posted(url, host="evil.example")
        for origin in ("https://evil.example", "null", f"http://127.0.0.1.evil.example:{port}", "file://"):
            assert b" 403 " in posted(url, host=f"localhost:{port}", origin=origin)
        assert b" 200 OK" in posted(url, host=f"localhost:{port}", origin="http://localhost:3000")
        assert b" 415 " in posted(url, host=f"127.0.0.1:{port}", kind="text/plain")
        assert b" 400 " in raw(url, "GET / HTTP/9\n\n")
        assert b" 400 " in raw(url, "\x00\x01\n\n")
    assert capfd.readouterr() == ("", "")


def test_half_sent_headers_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection on which no request comes is closed after a time."""
    monkeypatch.setattr(serve, "_HEADERS_TIMEOUT_S", 0.2)
    with serving() as (url, _):
        place = urlsplit(url)
        with socket.create_connection((place.hostname, place.port), timeout=5) as connection:
            began = time.monotonic()
            connection.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
            assert connection.recv(10) == b""
            assert 0.1 < time.monotonic() - began < 3
