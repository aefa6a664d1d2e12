"""`transformers serve` beside a test, from an environment of its own (`make foreign` sets it up)."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
BIN = HERE.parents[1] / ".venv-foreign" / "bin"
_URL = re.compile(r"running on (http://127\.0\.0\.1:\d+)")
_OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "OMP_NUM_THREADS": "1"}


@contextlib.contextmanager
def serving_foreign(folder: Path) -> Iterator[str]:
    """The base URL of a server that knows each model by its path, and keeps what it notes in `folder`."""
    env = os.environ | _OFFLINE | {"HF_HOME": str(folder / "home")}
    command = [BIN / "transformers", "serve", "--host", "127.0.0.1", "--port", "0", "--device", "cpu"]
    log = folder / "server.log"
    with log.open("wb") as output, subprocess.Popen(command, env=env, stdout=output, stderr=output) as process:
        try:
            yield f"{_address(process, log)}/v1"
        finally:
            process.terminate()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where the server says it listens."""
    while (found := _URL.search(log.read_text())) is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"the server ended with {process.wait(0.1)}: {log.read_text()[-2_000:]}")
    return found[1]
