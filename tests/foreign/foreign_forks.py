"""Programs of `.venv-foreign`, run without loading PyTorch anew for each."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from foreign_server import BIN, HERE

PATHS = (HERE.parents[1] / "src", HERE.parent)
ENV = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(map(str, PATHS))}
"""Of every program that a test runs there."""


class Forks:
    """An interpreter that forks for each program."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        """`folder` is for what is printed."""
        self._process = process
        self._out, self._err = folder / "out", folder / "err"

    def run(self, *argv: str | Path, check: bool = True, until: str = "") -> subprocess.CompletedProcess[str]:
        """Run what stands after `python` to its end. Raises CalledProcessError where it fails and `check` is true.

        `until` is a pattern: it is killed once such a file is there.
        """
        asked = {"argv": [str(one) for one in argv], "out": str(self._out), "err": str(self._err), "until": until}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps(asked)}\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        out, err = (path.read_text(encoding="utf-8") for path in (self._out, self._err))
        if check and status:
            raise subprocess.CalledProcessError(status, asked["argv"], out, err)
        return subprocess.CompletedProcess(asked["argv"], status, out, err)


@contextlib.contextmanager
def forking(folder: Path) -> Iterator[Forks]:
    """Begin the interpreter, and end it."""
    pipe, command = subprocess.PIPE, [BIN / "python", HERE / "forks.py"]
    with subprocess.Popen(command, env=ENV, stdin=pipe, stdout=pipe, text=True) as process:
        yield Forks(process, folder)
