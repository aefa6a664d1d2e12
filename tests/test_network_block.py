"""The suite itself: nothing leaves this machine."""

from __future__ import annotations

import socket

import pytest


def test_other_hosts_are_refused() -> None:
    """A connection to another machine fails at once, and says why."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock,
        pytest.raises(AssertionError, match="only use loopback"),
    ):
        sock.connect(("192.0.2.1", 80))


def test_names_are_not_looked_up() -> None:
    """No name but localhost is resolved."""
    with pytest.raises(AssertionError, match="only use loopback"):
        socket.getaddrinfo("example.org", 80)


def test_loopback_works() -> None:
    """A server on this machine can be reached."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
            assert client.getpeername() == ("127.0.0.1", port)
