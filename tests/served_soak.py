"""`callwright serve` and `callwright eval` as processes of their own: a server that comes and goes under a run."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple

from callwright.models.retries import Patience
from callwright.store.run import Run

MEANS: Final[Mapping[str, str]] = {
    "rate-limit": "rate_limited",
    "retry-after": "rate_limited",
    "error-500": "server_error",
    "error-503": "server_error",
    "no-reply": "unreachable",
    "cut-before": "bad_reply",
    "cut-during": "bad_reply",
    "stall": "timeout",
    "stall-during": "timeout",
    "slow": "",
    "empty-body": "bad_reply",
    "bad-json": "bad_reply",
    "bad-shape": "bad_reply",
    "huge": "bad_reply",
    "empty-reply": "",
    "bad-arguments": "",
    "double-arguments": "",
    "bad-key": "auth",
    "wrong-model": "no_such_model",
    "too-long": "context_too_long",
}
"""What becomes of a call that meets a fault: a kind of failure, or a reply that is scored as it is."""

ROLE: Final = "model"


def once(fault: str) -> Patience:
    """One attempt at each call; no longer silence than a stall, where that is what shall be seen."""
    return Patience(connect_s=5, idle_s=0.1 if MEANS[fault] == "timeout" else 30, total_s=60, tries=1)


class Server:
    """A served model on one port, which can be killed and begun again with other faults."""

    def __init__(self) -> None:
        self.url = ""
        self._port = "0"
        self._process: subprocess.Popen[str] | None = None

    def begin(self, *options: str) -> None:
        """Serve with these options of `callwright serve`, on the same port each time."""
        command = [sys.executable, "-m", "callwright", "serve", "builtin/retriever", "--port", self._port, *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        self.url = said.split()[-1]
        self._port = self.url.rpartition(":")[2].partition("/")[0]

    def kill(self) -> None:
        """End it with SIGKILL, amid its replies."""
        assert self._process is not None
        self._process.kill()
        self._process.communicate()

    def replies(self) -> int:
        """How many whole replies went out since it was begun; 0 while it cannot be asked."""
        try:
            with urllib.request.urlopen(self.url.replace("/v1", "/stats"), timeout=10) as answer:
                return int(json.load(answer)["replies"])
        except (urllib.error.URLError, OSError):
            return 0

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process is not None:
            self.kill()


class Client:
    """`callwright eval` at work."""

    def __init__(self, made: Path, url: str, out: Path, *options: str) -> None:
        command = [sys.executable, "-m", "callwright", "eval", str(made), "--protocol", "static", "-o", str(out)]
        command += ["--model", "openai/any", "--base-url", url, "--json", *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.out = out

    def is_at_work(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def result(self) -> dict[str, object]:
        """What it printed at its end."""
        said = self._process.communicate()[0]
        found: dict[str, object] = json.loads(said)
        return found

    def peak_mb(self) -> float:
        """Most memory it took so far; 0 where the system does not tell."""
        status = Path(f"/proc/{self._process.pid}/status")
        if not status.exists():
            return 0.0
        lines = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(lines[0].split()[1]) / 1024 if lines else 0.0


class Ends(NamedTuple):
    """How the rollouts of a run ended."""

    ok: int
    failed: dict[tuple[str, str], int]
    """By kind and role."""


def ends(out: Path) -> Ends:
    """Read it from the run."""
    ok, failed = 0, dict[tuple[str, str], int]()
    with Run.read(out) as run:
        for one in run.outcomes():
            if one.ok:
                ok += 1
            else:
                failed[one.kind, one.role] = failed.get((one.kind, one.role), 0) + 1
    return Ends(ok, failed)


def wait_for_replies(server: Server, client: Client, replies: int) -> None:
    """Return once the server has given so many more replies, or the client has ended."""
    until = server.replies() + replies
    while client.is_at_work() and server.replies() < until:
        time.sleep(0.05)


def rate(server: Server, seconds: float) -> float:
    """Whole replies a second, over so many seconds."""
    before, began = server.replies(), time.monotonic()
    time.sleep(seconds)
    return (server.replies() - before) / (time.monotonic() - began)
