"""The command line: a table of commands, each loaded when it runs, and one way to report errors.

Exit codes: 0 done, 1 some rollouts failed, 2 bad input or storage, 130 interrupted, 141 the reader of the output left.
An error is one line on standard error; `CALLWRIGHT_DEBUG=1` shows where it came from.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from importlib import import_module
from typing import Any

import click

from callwright import __version__
from callwright.errors import BudgetSpent, CallwrightError, Interrupted, ModelUnavailable, RolloutFailed

COMMANDS: dict[str, tuple[str, str]] = {
    "import": ("callwright.cli.import_", "Read tools from OpenAPI, a list of functions or another public format."),
    "read": ("callwright.cli.read", "Read a public benchmark as a dataset."),
    "export": ("callwright.cli.export", "Write a catalogue for OpenAI, Anthropic or MCP, or as OpenAPI."),
    "lint": ("callwright.cli.lint", "Find near-duplicate tools, and weak descriptions and parameters."),
    "synth": ("callwright.cli.synth", "Make checked dialogues over the tools of a catalogue."),
    "show": ("callwright.cli.show", "Show a dialogue in the terminal."),
    "split": ("callwright.cli.split", "Split a dataset into parts with disjoint tools."),
    "eval": ("callwright.cli.eval_", "Put a model through the dialogues of a dataset."),
    "serve": ("callwright.cli.serve", "Serve a builtin model over HTTP, with faults on demand."),
    "models": ("callwright.cli.models", "Check what a model behind a server can do."),
    "judge": ("callwright.cli.judge", "Let models judge the dialogues of a dataset or the transcripts of a run."),
    "measure": ("callwright.cli.measure", "Print shape, diversity, repetition and ConvRel of a dataset."),
    "report": ("callwright.cli.report", "Print the scores of runs, with intervals."),
    "explain": ("callwright.cli.explain", "Show what became of one task: calls, order, first error."),
    "score": ("callwright.cli.score", "Judge recorded outputs of a benchmark."),
}
"""Name of a command to the module that has it as `command`, and its line of help."""

_DISK_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads only the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, loading none."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors raised on purpose, and the system's, become one line and an exit code."""
        _write_anything()
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except (CallwrightError, OSError, KeyboardInterrupt) as error:
            if os.environ.get("CALLWRIGHT_DEBUG") == "1":
                raise
            _stop_output()
            if not isinstance(error, BrokenPipeError):
                click.echo(f"callwright: {printable(_message(error))}", err=True)
            ctx.exit(exit_code(error))
        return result


def exit_code(error: BaseException) -> int:
    """Return the exit code that an error stands for."""
    if isinstance(error, BudgetSpent | ModelUnavailable):
        return 1
    if isinstance(error, Interrupted | KeyboardInterrupt):
        return 130
    if isinstance(error, BrokenPipeError):
        return 141
    return 1 if isinstance(error, RolloutFailed) else 2


def printable(text: str) -> str:
    """Return `text` in one line without control characters, which could steer a terminal."""
    return "".join(char if char.isprintable() else "\ufffd" for char in " ".join(text.split()))


def _message(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted."
    if isinstance(error, CallwrightError) or not isinstance(error, OSError):
        return str(error) or type(error).__name__
    place = f"{error.filename}: " if error.filename else ""
    remedy = " Free some space and give the same command again." if error.errno in _DISK_FULL else ""
    return f"{place}{error.strerror or error}.{remedy}"


def _stop_output() -> None:
    """Write out what was printed; where that fails, drop it, or the interpreter would fail again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_anything() -> None:
    """Let characters that the terminal's encoding lacks be written as escapes, not as an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(errors="backslashreplace")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="callwright")
def main() -> None:
    """Make, check, measure and evaluate multi-turn tool-calling dialogues over your own tools."""
