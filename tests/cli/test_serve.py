"""`callwright serve` as a process: it says when it is ready, serves, and goes when told."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from callwright.cli import main
from callwright.web.delivery import BY_NAME_ONLY, FAULTS

ASKED = json.dumps({"model": "any", "messages": [{"role": "user", "content": "Hello"}]}).encode()


@contextmanager
def server(*arguments: str, model: str = "builtin/abstain") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process and its base URL, once it is ready; killed at the end if it still runs."""
    command = [sys.executable, "-m", "callwright", "serve", model, "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith(f"Serving {model} at http://"), process.communicate()
            yield process, line.split()[-1]
        finally:
            process.kill()


def ask(url: str) -> dict[str, object]:
    """The reply to a small request."""
    asked = urllib.request.Request(f"{url}/chat/completions", ASKED, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=30) as response:
        value: dict[str, object] = json.load(response)
        return value


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command that ends by itself."""
    done = CliRunner().invoke(main, ["serve", *arguments])
    return done.exit_code, done.output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_told_to_stop(number: signal.Signals) -> None:
    """One line when ready; at the end a count, and exit code 0."""
    with server() as (process, url):
        assert ask(url)["object"] == "chat.completion"
        process.send_signal(number)
        output, error = process.communicate(timeout=30)

    assert (process.returncode, output) == (0, "")
    assert error == "Stopped: 1 requests, 1 replies, 0 faults.\n"


def test_replies_under_way_are_finished() -> None:
    """A request that is being answered when the signal comes gets its reply."""
    with server("--latency-ms", "700") as (process, url):
        port = int(url.split(":")[-1].removesuffix("/v1"))
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(ASKED)}\r\n\r\n"
            client.sendall(head.encode() + ASKED)
            while json.load(urllib.request.urlopen(url.replace("/v1", "/stats"), timeout=30))["requests"] == 0:
                pass
            process.send_signal(signal.SIGTERM)
            got = client.recv(65_536)
        process.communicate(timeout=30)

    assert got.startswith(b"HTTP/1.1 200 OK")
    assert process.returncode == 0


def test_stalls_do_not_hold_up_the_end() -> None:
    """A reply that would take an hour is given up."""
    with server("--faults", "stall=1", "--stall-s", "3600") as (process, url):
        port = int(url.split(":")[-1].removesuffix("/v1"))
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(ASKED)}\r\n\r\n"
            client.sendall(head.encode() + ASKED)
            while json.load(urllib.request.urlopen(url.replace("/v1", "/stats"), timeout=30))["requests"] == 0:
                pass
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)

    assert process.returncode == 0


def test_a_port_in_use_is_one_line() -> None:
    """Exit code 2, and the address is named."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, output = run("builtin/abstain", "--port", str(taken.getsockname()[1]))

    assert code == 2
    assert output.count("\n") == 1
    assert "address already in use" in output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["builtin/oracle"], "ground truth"),
        (["builtin/oracle-sequential"], "ground truth"),
        (["sk-x"], "Known: builtin/abstain, builtin/author, "),
        (["openai/gpt-4o"], "already has a server"),
        (["builtin/abstain", "--faults", "stall"], "the share of 'stall' is missing"),
        (["builtin/abstain", "--faults", "fire=1"], "double-arguments"),
        (["sk-x", "--host", "0.0.0.0"], "Known: builtin/abstain, builtin/author, "),
    ],
)
def test_what_cannot_be_served_is_one_line(arguments: list[str], said: str) -> None:
    """Exit code 2, before a port is opened."""
    code, output = run(*arguments, "--port", "0")

    assert code == 2
    assert said in output
    assert output.count("\n") == 1


def test_another_host_is_warned_of() -> None:
    """An address that others reach is served, with a warning on standard error."""
    with server("--host", "0.0.0.0") as (process, url):
        ask(url.replace("0.0.0.0", "127.0.0.1"))
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=30)

    assert "whoever reaches 0.0.0.0 can use this server" in error


def test_the_help_names_every_fault() -> None:
    """What may stand in `--faults` can be read there."""
    code, output = run("--help")

    assert code == 0
    assert not [name for name in FAULTS + BY_NAME_ONLY if name not in output]
