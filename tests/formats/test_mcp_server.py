"""Tools of running MCP servers."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.cli import main
from callwright.errors import BadDocument, BadInput
from callwright.records.tool import Catalog

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

ROOT = Path(__file__).parents[2]
FAKE = Path(__file__).with_name("mcp_stdio.py")
SERVERS = ROOT / ".node" / "node_modules" / "@modelcontextprotocol"


def fake(mode: str, *arguments: object) -> str:
    """The source that starts our own small server."""
    return "mcp:" + shlex.join([sys.executable, str(FAKE), mode, *map(str, arguments)])


def test_all_pages_are_read() -> None:
    """Tools of all pages arrive in order, with the server as domain; equal names are kept apart."""
    catalog = callwright.read_catalog(fake("pages"))
    assert [tool.name for tool in catalog.tools] == ["find_place", "b", "b_2", "c"]
    assert {tool.domain for tool in catalog.tools} == {"fake"}
    assert catalog.source == "mcp:fake 1.2"
    assert catalog.tools[0].source == "tool 1"


def test_what_stands_between_messages_is_passed_over() -> None:
    """A line that is no message is skipped, as long as the answers come."""
    assert len(callwright.read_catalog(fake("chatty")).tools) == 1


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("dies", r"closed the connection before it had listed its tools\. Its last words: no configuration found"),
        ("dies-later", r"closed the connection .* Its last words: nobody home, no token"),
        ("refuses", "not today"),
        ("no-tools", "offers no tools"),
        ("endless", "never ends"),
        ("bad-tool", r"breaks the protocol: `tools\.1\.name`"),
        ("empty", "no usable tools"),
        ("remote", "never fetched"),
    ],
)
def test_servers_that_fail(mode: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each failure is one error that quotes the server; of our environment it is given no keys."""
    monkeypatch.setenv("SECRET_TOKEN", "tell-nobody")
    with pytest.raises(BadDocument, match=reason) as caught:
        callwright.read_catalog(fake(mode), timeout_s=30)
    assert "tell-nobody" not in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_tool_that_cannot_be_used_is_left_out_by_name() -> None:
    """The other tools of the list are read."""
    catalog = callwright.read_catalog(fake("array"))
    assert len(catalog.tools) + len(catalog.left_out) == 2


def test_garbage_runs_out_of_time() -> None:
    """A server that prints no messages is given up, and that is what the error says."""
    with pytest.raises(BadDocument, match="not an MCP message on its standard output"):
        callwright.read_catalog(fake("garbage"), timeout_s=4)


def is_running(pid: int) -> bool:
    """Whether a process is there, and is more than the entry of an ended one."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


def wait_for(what: Callable[[], object]) -> None:
    """Wait until something holds."""
    for _ in range(600):
        if what():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to that")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_no_process_is_left(tmp_path: Path) -> None:
    """A server that says nothing, and ignores the end of its input and SIGTERM, is ended with the child it started."""
    pids = tmp_path / "pids"
    with pytest.raises(BadDocument, match="did not list its tools within 5 s"):
        callwright.read_catalog(fake("stubborn", pids), timeout_s=5)
    server, child = map(int, pids.read_text().split())
    wait_for(lambda: not is_running(server) and not is_running(child))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_interrupted(tmp_path: Path) -> None:
    """Ctrl-C ends the server too; nothing is written."""
    pids, out = tmp_path / "pids", tmp_path / "out.json"
    command = [sys.executable, "-m", "callwright", "import", fake("stubborn", pids), "-o", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        wait_for(lambda: pids.exists() and pids.read_text().count(" "))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == "callwright: interrupted.\n"
    assert not out.exists()
    wait_for(lambda: not any(map(is_running, map(int, pids.read_text().split()))))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("mcp:", "no server"),
        ("mcp:'unclosed", "cannot be split"),
        ("mcp:callwright-no-such-program", "cannot be started or reached: No such file"),
        ("mcp:http://127.0.0.1:1/mcp", "127.0.0.1:1: All connection attempts failed"),
        ("mcp:http://user:tell-nobody@127.0.0.1:1/mcp?key=tell-nobody", "127.0.0.1:1"),
        ("mcp:http://[::1", "no URL"),
    ],
)
def test_sources_that_lead_nowhere(source: str, reason: str) -> None:
    """What is neither a command nor an address that answers is one error; keys in it are not repeated."""
    with pytest.raises(BadInput, match=reason) as caught:
        callwright.read_catalog(source, timeout_s=30)
    assert "tell-nobody" not in str(caught.value)


@contextlib.contextmanager
def raw_server(send: Callable[[socket.socket], None]) -> Iterator[str]:
    """The source of an HTTP server that answers every connection with what `send` writes."""

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with contextlib.suppress(OSError), connection:
                    connection.recv(65_536)
                    send(connection)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"mcp:http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        listener.shutdown(socket.SHUT_RDWR)


def endless(connection: socket.socket) -> None:
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"')
    while True:
        connection.sendall(b"a" * 1_000_000)


def answers(head: str, body: str = "") -> Callable[[socket.socket], None]:
    text = f"HTTP/1.1 {head}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    return lambda connection: connection.sendall(text.encode())


@pytest.mark.parametrize(
    ("send", "reason"),
    [
        (endless, "larger than 64 MiB"),
        (answers("200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip"), "compressed"),
        (answers("200 OK\r\nContent-Type: application/json", "{}"), "Failed to parse JSON response"),
        (answers("200 OK\r\nContent-Type: text/html", "hello"), "text/html"),
        (answers("404 Not Found"), "Not Found"),
        (answers("500 Broken"), "error response"),
        (answers("302 Found\r\nLocation: http://example.org/"), "not followed"),
        (lambda connection: connection.sendall(b"nonsense\r\n\r\n"), "illegal status line"),
        (lambda connection: None, "closed the connection before"),
    ],
)
def test_http_servers_that_fail(send: Callable[[socket.socket], None], reason: str) -> None:
    """Whatever an address answers that is no MCP server's word is one error, and bounded."""
    with raw_server(send) as source, pytest.raises(BadDocument, match=reason) as caught:
        callwright.read_catalog(source, timeout_s=30)
    assert len(str(caught.value).splitlines()) == 1


def test_without_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the extra is missing, the error is the command that installs it."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(BadInput, match=r"pip install 'callwright\[mcp\]'"):
        callwright.read_catalog("mcp:anything")


def test_on_the_command_line(tmp_path: Path) -> None:
    """`callwright import mcp:...` writes the catalogue; a failure is one line and exit code 2."""
    out = tmp_path / "mcp.json"
    result = CliRunner().invoke(main, ["import", fake("pages"), "-o", str(out), "--brief"])
    assert result.stdout == f"4 tools read, 0 left out, 1 altered; written to {out}.\n"
    assert sys.executable not in out.read_text()
    failed = CliRunner().invoke(main, ["import", fake("dies"), "-o", str(tmp_path / "none.json")])
    assert (failed.exit_code, failed.stdout, len(failed.stderr.splitlines())) == (2, "", 1)


# The servers that others wrote.

from_npm = pytest.mark.skipif(
    shutil.which("node") is None or not SERVERS.is_dir(),
    reason="Node.js, or MCP servers in .node, are not here: `make servers` installs them",
)


def is_listening(port: int) -> bool:
    """Whether somebody takes connections there."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


@functools.cache
def listed(*command: str) -> list[dict[str, object]]:
    """What a server answers to `tools/list`, asked in a few lines that share no code with ours."""
    greeting = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdin
        assert server.stdout
        for request in requests:
            print(json.dumps(request), file=server.stdin, flush=True)
        for line in server.stdout:
            answer = json.loads(line)
            if answer.get("id") == 2:
                server.kill()
                tools: list[dict[str, object]] = answer["result"]["tools"]
                return tools
    raise AssertionError("no answer")


def real(name: str, *arguments: str) -> list[str]:
    """The command that starts a server from npm."""
    return ["node", str(SERVERS / name / "dist" / "index.js"), *arguments]


def check_whole(catalog: Catalog, tools: list[dict[str, object]]) -> None:
    assert [json.loads(tool.raw or "") for tool in catalog.tools] == tools
    assert [tool.name for tool in catalog.tools] == [tool["name"] for tool in tools]
    assert [tool.returns is not None for tool in catalog.tools] == ["outputSchema" in tool for tool in tools]
    assert catalog.left_out == ()


@from_npm
@pytest.mark.parametrize("name", ["server-everything", "server-filesystem"])
def test_real_servers_over_stdio(name: str, tmp_path: Path) -> None:
    """Every tool of a real server arrives whole: parameters, output schema, title and annotations."""
    command = real(name, "stdio" if name == "server-everything" else str(tmp_path))
    tools = listed(*command)
    assert len(tools) >= 10
    check_whole(callwright.read_catalog("mcp:" + shlex.join(command)), tools)


@from_npm
def test_the_command_of_a_package_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """`npx` finds the server that is installed, and is ended with it."""
    monkeypatch.chdir(ROOT / ".node")
    catalog = callwright.read_catalog("mcp:npx --offline mcp-server-everything")
    assert "get-sum" in catalog.by_name


@from_npm
def test_a_real_server_over_http() -> None:
    """The same tools arrive over streamable HTTP; what is exported for MCP names them as the server did."""
    tools = listed(*real("server-everything", "stdio"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        real("server-everything", "streamableHttp"),
        env=os.environ | {"PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: is_listening(port))
        catalog = callwright.read_catalog(f"mcp:http://127.0.0.1:{port}/mcp")
    finally:
        server.kill()
        server.wait()
    check_whole(catalog, tools)
    written = callwright.export_catalog(catalog, "mcp").document["tools"]
    assert [(one["name"], one.get("title"), one.get("annotations")) for one in written] == [
        (one["name"], one.get("title"), one.get("annotations")) for one in tools
    ]
