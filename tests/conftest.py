"""What every test shares: the order, no network but loopback, one hypothesis profile, the folder of foreign data."""

from __future__ import annotations

import ipaddress
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

collect_ignore_glob = ["conftest.py", "*/conftest.py"]  # their doctests: two modules of one name cannot be collected
# Run by the interpreter of an environment of its own: what they import is not here.
collect_ignore = [
    str(path) for path in (Path(__file__).parent / "foreign").glob("*.py") if not path.name.startswith("test_")
]

SLOW = (Path(__file__).parent / "slow.txt").read_text(encoding="utf-8").split()

SHARING = ("tests/papers/wild/", "tests/papers/diaforge/", "tests/papers/tooldial/")
FIRST = (
    *("tests/papers/wild/", "tests/foreign/", "tests/test_linear_patterns.py", "tests/app/", "tests/cli/"),
    *("tests/test_", "tests/papers/", "tests/models/", "tests/engine/", "tests/graph/", "tests/train/"),
)
"""What takes longest, in this order: with small files at the end no process waits for the other."""

ROOT = Path(__file__).parents[1]
SHARED_DATA = ROOT / ".." / "shared" / "data"

EXAMPLES = int(os.environ.get("EXAMPLES", "25"))
"""Of each property that names no number of its own; `make properties` takes more."""

# Slow machines must not fail a test, and a red run must be red again: in CI the examples are the same every time.
settings.register_profile("callwright", deadline=None, max_examples=EXAMPLES)
settings.register_profile("ci", deadline=None, max_examples=EXAMPLES, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "callwright")

_connect, _connect_ex, _getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as `slow` what `slow.txt` names: folders, files, and tests of files, each with its beginning.

    The tests of a file share what they make, and so do those of some papers: one process runs all of them.
    """
    items.sort(key=lambda item: next((at for at, name in enumerate(FIRST) if item.nodeid.startswith(name)), len(FIRST)))
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            path = item.nodeid.partition("::")[0]
            item.add_marker(pytest.mark.xdist_group(next((name for name in SHARING if path.startswith(name)), path)))
        if item.nodeid.startswith(tuple(f"tests/{name}" for name in SLOW)):
            item.add_marker(pytest.mark.slow)


class NetworkUsed(AssertionError):
    """A test reached for something beyond this machine."""


def _is_loopback(host: object) -> bool:
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _check(family: int, address: Any) -> None:
    if family in (socket.AF_INET, socket.AF_INET6) and not _is_loopback(address[0]):
        raise NetworkUsed(f"tests may only use loopback, not {address!r}")


def _guarded_connect(self: socket.socket, address: Any) -> None:
    _check(self.family, address)
    _connect(self, address)


def _guarded_connect_ex(self: socket.socket, address: Any) -> int:
    _check(self.family, address)
    return _connect_ex(self, address)


def _guarded_getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
    if not _is_loopback(host):
        raise NetworkUsed(f"tests may only use loopback, not {host!r}")
    return _getaddrinfo(host, *args, **kwargs)


@pytest.fixture(scope="session", autouse=True)
def loopback_only() -> Any:
    """Refuse every connection and look-up that leaves this machine."""
    socket.socket.connect = _guarded_connect  # type: ignore[method-assign,assignment]
    socket.socket.connect_ex = _guarded_connect_ex  # type: ignore[method-assign,assignment]
    socket.getaddrinfo = _guarded_getaddrinfo
    yield
    socket.socket.connect = _connect  # type: ignore[method-assign]
    socket.socket.connect_ex = _connect_ex  # type: ignore[method-assign]
    socket.getaddrinfo = _getaddrinfo


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of foreign data; the test is skipped where it is absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"no foreign data at {SHARED_DATA}")
    return SHARED_DATA.resolve()
