"""Runs programs in forks of one interpreter that has loaded what they use: PyTorch and TRL take some eight seconds.

`.venv-foreign`'s interpreter runs it. Each line of its input is one program as JSON: `argv` as after `python`, and the
files `out` and `err` for what it prints, and `until` where it is killed; each line of its output is the status that one
ended with.
"""

import json
import os
import runpy
import signal
import sys
import time
from glob import glob

import datasets  # noqa: F401  # loaded for the forks, and so are the next ones
import gguf  # noqa: F401
import peft  # noqa: F401
from transformers.models.llama import modeling_llama  # noqa: F401
from trl import SFTTrainer  # noqa: F401


def print_into(out: str, err: str) -> None:
    """Let the process print into these files, and read nothing."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, out), (2, err)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)


def run(argv: list[str]) -> None:
    """Run a module, a text or a file as the interpreter would."""
    match argv:
        case ["-m", name, *rest]:
            sys.argv = [name, *rest]
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        case ["-c", text, *rest]:
            sys.argv = ["-c", *rest]
            exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
        case _:
            sys.argv = argv
            runpy.run_path(argv[0], run_name="__main__")


def wait(child: int, until: str) -> int:
    """Return how a fork ended; it is killed once a file of the pattern `until` is there."""
    while until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        if glob(until):
            os.kill(child, signal.SIGKILL)
            until = ""
        time.sleep(0.01)
    return os.waitpid(child, 0)[1]


if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        if child := os.fork():
            print(os.waitstatus_to_exitcode(wait(child, asked["until"])), flush=True)
        else:
            print_into(asked["out"], asked["err"])
            run(asked["argv"])
            sys.exit()
