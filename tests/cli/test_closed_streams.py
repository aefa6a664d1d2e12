"""Standard streams that are closed or full end no command in a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CASES = [
    ("--help >&-", 0),
    ("lint builtin/enterprise --top 1 >&-", 0),
    ("lint nope >&-", 2),
    ("lint nope <&- >&- 2>&-", 2),
    ("--help >/dev/full", 2),
    ("lint --help >/dev/full", 2),
    ("lint builtin/enterprise --top 1 >/dev/full 2>/dev/full", 2),
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(("command", "code"), CASES)
def test_the_exit_code_is_that_of_the_work(command: str, code: int) -> None:
    """A closed output is no error; a full one is told in one line, where there is room for it."""
    done = subprocess.run(
        f"'{sys.executable}' -m callwright {command}", shell=True, capture_output=True, text=True, timeout=60
    )

    assert (done.returncode, "Traceback" in done.stderr) == (code, False)
    assert len(done.stderr.splitlines()) == ("2>" not in command and code == 2)


def test_an_interrupt_while_loading_is_no_traceback() -> None:
    """It ends as any other."""
    code = (
        "import builtins, sys; real = builtins.__import__\n"
        "def late(name, *rest):\n"
        "    if name == 'callwright.cli': raise KeyboardInterrupt\n"
        "    return real(name, *rest)\n"
        "from callwright.__main__ import main; builtins.__import__ = late; main()"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stderr) == (130, "callwright: interrupted.\n")
