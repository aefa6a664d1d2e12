"""The command line: a table of commands, each loaded when it runs, and one way to report errors.

Exit codes: 0 done, 1 some rollouts failed, 2 bad input or storage, 130 interrupted, 141 the reader of the output left.
`CALLWRIGHT_DEBUG=1` shows where an error came from.
"""

from __future__ import annotations

import contextlib
import errno
import io
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import IO, Any

import click

from callwright import __version__
from callwright.cli.safe_text import safe_output
from callwright.errors import (
    BadOption,
    BudgetSpent,
    CallwrightError,
    Interrupted,
    ModelUnavailable,
    RolloutFailed,
    RunConflict,
)

COMMANDS: dict[str, tuple[str, str]] = {
    "import": ("callwright.cli.import_", "Read tools from OpenAPI, a list of functions or another public format."),
    "read": ("callwright.cli.read", "Read a public benchmark as a dataset."),
    "export": ("callwright.cli.export", "Write a catalogue or dialogues in the layout of others."),
    "verify-export": ("callwright.cli.verify_export", "Check training data against the chat template of a model."),
    "train": ("callwright.cli.train", "Fine-tune a model on training data."),
    "export-env": ("callwright.cli.export_env", "Write a dataset as an environment of another program."),
    "lint": ("callwright.cli.lint_command", "Find near-duplicate tools, and weak descriptions and parameters."),
    "graph": ("callwright.cli.graph_command", "Look at a tool graph: which tools can follow which."),
    "returns": ("callwright.cli.returns_command", "Write down what tools return where no document says so."),
    "synth": ("callwright.cli.synth", "Make checked dialogues over the tools of a catalogue."),
    "show": ("callwright.cli.show", "Show a dialogue in the terminal."),
    "split": ("callwright.cli.split", "Split a dataset into parts with disjoint tools."),
    "eval": ("callwright.cli.eval_", "Put a model through the dialogues of a dataset."),
    "optimise": ("callwright.cli.optimise", "Search a better system prompt, and descriptions of confused tools."),
    "serve": ("callwright.cli.serve_command", "Serve a builtin model over HTTP, with faults on demand."),
    "models": ("callwright.cli.models_command", "Check what a model behind a server can do."),
    "judge": ("callwright.cli.judge", "Let models judge the dialogues of a dataset or the transcripts of a run."),
    "win-rate": ("callwright.cli.win_rate", "Let a judge compare the answers of two models in general chat."),
    "measure": ("callwright.cli.measure", "Print shape, diversity, repetition and ConvRel of a dataset."),
    "study": ("callwright.cli.study", "Plan studies with people, and correlate figures."),
    "review": ("callwright.cli.review", "Let people mark the dialogues of a dataset right or wrong, in rounds."),
    "report": ("callwright.cli.report", "Print the scores of runs, with intervals."),
    "confusions": ("callwright.cli.confusions_command", "List tools that a model confuses, and how they differ."),
    "explain": ("callwright.cli.explain", "Show what became of one task: calls, order, first error."),
    "score": ("callwright.cli.score", "Score runs again, or recorded outputs of a benchmark."),
}
"""Name of a command to the module that has it as `command`, and its line of help."""

_DISK_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads only the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *_listings()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return _listing(cmd_name) if cmd_name in _listings() else None
        command: click.Command = import_module(COMMANDS[cmd_name][0]).command
        for parameter in command.params:
            if isinstance(parameter.type, click.types.FloatParamType) and parameter.callback is None:
                parameter.callback = _finite
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, loading none, and those of papers."""
        lines = [(name, line) for name, (_, line) in COMMANDS.items()]
        with formatter.section("Commands"):
            formatter.write_dl(lines + [(name, _listing(name).get_short_help_str(80)) for name in _listings()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors raised on purpose, and the system's, become one line and an exit code."""
        _write_anything()
        try:
            with _in_one_line(), safe_output():
                result = super().invoke(ctx)
            sys.stdout.flush()
        except (CallwrightError, OSError, KeyboardInterrupt) as error:
            if os.environ.get("CALLWRIGHT_DEBUG") == "1":
                raise
            ctx.exit(_told(error, self.get_command(ctx, ctx.invoked_subcommand or "")))
        return result

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run as a program; a standard stream that was closed takes what is written and holds nothing."""
        _open_closed_streams()
        return super().main(*args, **extra)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments before the command's name; `--help` and `--version` print here."""
        try:
            with _in_one_line():
                return super().make_context(info_name, args, parent, **extra)
        except (OSError, KeyboardInterrupt) as error:
            sys.exit(_told(error, None))


def _listings() -> list[str]:
    """Names of the commands that papers bring; a command of the table does not load the registry."""
    from callwright.papers.registry import names_of

    return names_of("listings")


def _listing(name: str) -> click.Command:
    from callwright.cli.listing import listing_command

    return listing_command(name)


def _finite(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Return the value of an option; `nan` lies in every range, and so does infinity in an open one."""
    if isinstance(value, float) and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number to work with.")
    return value


class WrongUse(click.ClickException):
    """Arguments that no command takes, told in one line as every other error."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the line to standard error."""
        click.echo(_error_line(self.message), file=file, err=file is None)


@contextlib.contextmanager
def _in_one_line() -> Iterator[None]:
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "callwright"
        raise WrongUse(f"{error.format_message()} See `{path} --help`.") from error


def as_typed(error: BaseException, command: click.Command | None) -> str:
    """Return the message of an error about options, with the options as they are typed: `--t-max` for `t_max`.

    Quoted names and parts of paths stay; of another run's options, plain words stay too.
    """
    message = _message(error)
    for parameter in command.params if command and isinstance(error, BadOption | RunConflict) else ():
        if isinstance(parameter, click.Option) and (isinstance(error, BadOption) or "_" in str(parameter.name)):
            message = re.sub(rf"{_BEFORE}{parameter.name}{_AFTER}", parameter.opts[-1], message)
    return message


_BEFORE = r"(?<![\w'\"`.$/\\-])"
_AFTER = r"(?![\w'\"`/\\-]|[.]\w)"


def exit_code(error: BaseException) -> int:
    if isinstance(error, BudgetSpent | ModelUnavailable):
        return 1
    if isinstance(error, Interrupted | KeyboardInterrupt):
        return 130
    if isinstance(error, BrokenPipeError):
        return 141
    return 1 if isinstance(error, RolloutFailed) else 2


def printable(text: str) -> str:
    """Return `text` in one line without control characters, which could steer a terminal, and without the key."""
    line = "".join(char if char.isprintable() else "\ufffd" for char in " ".join(text.split()))
    key = os.environ.get("OPENAI_API_KEY")
    return _strike(key)(line) if key else line


def _error_line(message: str) -> str:
    """Return the line that tells an error, without what looks like a key, typed where a name belongs."""
    from callwright.models.endpoint import without_likely_keys

    return f"callwright: {without_likely_keys(printable(message))}"


@cache
def _strike(key: str) -> Callable[[str], str]:
    """Return what strikes the key; made once, because lines are printed by the hundred."""
    from callwright.models.keys import ApiKey

    try:
        return ApiKey(key).strike
    except CallwrightError:  # what fits in no header is no key
        return str


def _message(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted."
    if isinstance(error, CallwrightError) or not isinstance(error, OSError):
        return str(error) or type(error).__name__
    place = f"{error.filename}: " if error.filename else ""
    remedy = " Free some space and run the same command again." if error.errno in _DISK_FULL else ""
    return f"{place}{error.strerror or error}.{remedy}"


def _told(error: BaseException, command: click.Command | None) -> int:
    """Write the line that tells an error, and return the exit code."""
    _stop_output()
    if not isinstance(error, BrokenPipeError):
        with contextlib.suppress(OSError):  # standard error is as full as standard output
            click.echo(_error_line(as_typed(error, command)), err=True)
    return exit_code(error)


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that is closed: its number must not become a file's of ours."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for the whole process


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
