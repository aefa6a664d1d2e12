"""Templates of users, rendered in a process of their own, which bounds what a loop or a product can take.

    python -m callwright.train.template_process     lines of JSON in, lines of JSON out; started by `BoundedProcess`

A sandbox keeps a template from reaching anything, not from growing without measure.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import weakref
from typing import Any, Final

from callwright.errors import BadInput
from callwright.records.jsontext import Json

SECONDS: Final = 20.0
"""Longest time for one answer: chat templates take milliseconds."""
MEMORY: Final = 1 << 30
"""Most bytes of memory."""
LONGEST: Final = 16_000_000
"""Most characters of a rendering."""


class BoundedProcess:
    """A process that compiles one template and renders it."""

    def __init__(self, name: str) -> None:
        """`name` is the template's, for errors."""
        self._name = name
        self._seconds = SECONDS
        command = [sys.executable, "-m", "callwright.train.template_process"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._end = weakref.finalize(self, _end, self._process)

    def ask(self, **fields: Json) -> dict[str, Json]:
        """Return the answer. Raises BadInput where it takes too much time or memory, or grows too long."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        timer = threading.Timer(self._seconds, self._process.kill)
        timer.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(json.dumps(fields).encode() + b"\n")
                self._process.stdin.flush()
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        if not line.endswith(b"\n"):
            self._end()
            raise BadInput(
                f"template {self._name}: it takes over {self._seconds:.0f} seconds or {MEMORY >> 20:,} MB, or is over "
                f"{LONGEST:,} characters long. Look for loops within loops and for products of text."
            )
        answer: dict[str, Json] = json.loads(line)
        return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def _serve() -> None:
    """Answer requests until the input ends: the first compiles, the others render."""
    from callwright.errors import BadDocument
    from callwright.train.chat_template import ChatTemplate, TemplateFailed

    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # absent on Windows, where time alone is bounded

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    template: Any = None
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        answer: dict[str, Json]
        try:
            if template is None:
                template = ChatTemplate(asked["name"], asked["source"])
                answer = {"compiled": True}
            else:
                template.tokens = asked["tokens"]
                answer = {"text": template.marked(asked["messages"], asked["tools"], asked["prompt"])}
        except (BadDocument, TemplateFailed) as error:
            answer = {"error": str(error)}
        if len(answer.get("text", "")) > LONGEST:
            return
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    _serve()
