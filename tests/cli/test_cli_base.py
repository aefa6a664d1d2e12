"""The command line: what it loads, and how errors end."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from callwright import __version__
from callwright.cli import COMMANDS, LazyGroup, exit_code, main, printable
from callwright.errors import (
    BadDocument,
    BadInput,
    BadOption,
    Interrupted,
    RolloutFailed,
    RunConflict,
    StorageFailed,
)
from callwright.papers.registry import names_of

_HEAVY = ("numpy", "scipy", "yaml", "rich", "aiohttp", "jsonschema_rs", "rapidfuzz", "networkx", "jinja2")


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


def test_import_loads_nothing_heavy() -> None:
    """`import callwright` loads none of the heavy libraries, and prints nothing."""
    assert run_python(f"import callwright, sys; print([m for m in {_HEAVY} if m in sys.modules])") == "[]\n"


def test_help_loads_nothing_heavy() -> None:
    """`callwright --help` loads none of the heavy libraries, and of the commands only those that papers bring."""
    code = (
        "import sys\nfrom callwright.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit as end: assert end.code == 0\n"
        f"print(sorted(m for m in sys.modules if m in {_HEAVY} or m.startswith('callwright.cli.')))"
    )
    out = run_python(code)
    listing = [f"callwright.cli.{name}" for name in ("listing", "results", "safe_text", "struct_options")]
    assert out.endswith(f"{listing}\n")
    assert all(name in out for name in COMMANDS)


def test_version() -> None:
    """`--version` prints the version."""
    assert __version__ in CliRunner().invoke(main, ["--version"]).output


def test_unknown_command_exits_2() -> None:
    """An unknown command is bad input."""
    result = CliRunner().invoke(main, ["imprt"])
    assert result.exit_code == 2
    assert "imprt" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["imprt"], "No such command 'imprt'. (Did you mean 'import'?) See `callwright --help`."),
        (["--nope"], "No such option '--nope'. See `callwright --help`."),
        (["eval", "ds"], "Missing option '--protocol'. See `callwright eval --help`."),
        (["synth", "diaforge", "x", "-n", "y", "-o", "z"], "'y' is not a valid integer range."),
        (["read", "bfcl"], "Missing argument 'QUESTIONS'. See `callwright read bfcl --help`."),
    ],
)
def test_wrong_use_is_one_line(arguments: list[str], told: str) -> None:
    """Like every other error, with the command that explains it."""
    result = CliRunner().invoke(main, arguments, prog_name="callwright")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("callwright: ")
    assert told.split(" (")[0] in result.stderr


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (BadOption("match: wrong. t_max: wrong."), "--match: wrong. --t-max: wrong."),
        (RunConflict("no match; t_max: 3, 't_max', a.t_max"), "no match; --t-max: 3, 't_max', a.t_max"),
        (RunConflict("runs/t_max: t_max: 3"), "runs/t_max: --t-max: 3"),
        (RunConflict("t_max/run.lock, t_max.d, t_max-2"), "t_max/run.lock, t_max.d, t_max-2"),
        (BadDocument("tools.json: t_max: 3"), "tools.json: t_max: 3"),
    ],
)
def test_options_are_told_as_they_are_typed(error: BaseException, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that are plain words only where the error is about options; quoted names, paths and documents stay."""

    @click.command("boom")
    @click.option("--t-max")
    @click.option("--match")
    def boom(**_: object) -> None:
        raise error

    monkeypatch.setattr(LazyGroup, "get_command", lambda self, ctx, name: boom)
    assert f"callwright: {told}\n" == CliRunner().invoke(main, ["boom"]).stderr


def test_commands_are_there() -> None:
    """Each command of the table has its module, or will be reported when it is called."""
    group = main
    assert isinstance(group, LazyGroup)
    assert group.list_commands(click.Context(group)) == [*COMMANDS, *names_of("listings")]
    command = group.get_command(click.Context(group), "import")
    assert command is not None
    assert command.name == "import"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadInput("x"), 2),
        (StorageFailed("x"), 2),
        (OSError(errno.ENOSPC, "No space left on device"), 2),
        (RolloutFailed("x", kind="k", role="model"), 1),
        (Interrupted("x"), 130),
        (KeyboardInterrupt(), 130),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 141),
    ],
)
def test_errors_become_exit_codes(error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of error ends with its exit code and at most one line, without a traceback."""
    assert exit_code(error) == code

    @click.command("boom")
    def boom() -> None:
        raise error

    monkeypatch.setattr(LazyGroup, "get_command", lambda self, ctx, name: boom)
    result = CliRunner().invoke(main, ["boom"])
    assert result.exit_code == code
    lines = result.stderr.splitlines()
    assert lines == [] if code == 141 else len(lines) == 1
    assert all(line.startswith("callwright: ") for line in lines)


def test_debug_shows_where_an_error_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """With CALLWRIGHT_DEBUG=1 the error itself comes through."""
    monkeypatch.setenv("CALLWRIGHT_DEBUG", "1")
    result = CliRunner().invoke(main, ["import", "/no/such/file", "-o", "x"])
    assert isinstance(result.exception, BadInput)


def test_printable_stops_escape_sequences() -> None:
    """Text of foreign documents cannot steer the terminal."""
    assert printable("a\x1b[31m\nb\ud800") == "a\ufffd[31m b\ufffd"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_full_output(tmp_path: Path) -> None:
    """Output that cannot be written is one error with exit code 2."""
    command = [sys.executable, "-c", "from callwright.cli import main; main()", "import", "builtin/enterprise"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*command, "--json", "-o", str(tmp_path / "a.json")],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            env={**os.environ, "CALLWRIGHT_DEBUG": ""},
        )
    assert done.returncode == 2
    assert done.stderr.startswith("callwright: ")
    assert len(done.stderr.splitlines()) == 1


def test_closed_output(tmp_path: Path) -> None:
    """A reader that leaves early ends the command quietly."""
    source = tmp_path / "many.json"
    source.write_text("[" + ",".join(f'{{"name": "a b {i}"}}' for i in range(5_000)) + "]")
    code = "from callwright.cli import main; main()"
    command = [sys.executable, "-c", code, "import", str(source), "-o", str(tmp_path / "a.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 141


@pytest.mark.parametrize("arguments", [["--version"], ["lint", "builtin/enterprise"]])
def test_a_reader_that_left_before_ends_every_command_alike(arguments: list[str]) -> None:
    """Whether plain lines are printed or tables."""
    reading, writing = os.pipe()
    os.close(reading)
    code = "from callwright.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *arguments], stdout=writing, stderr=subprocess.PIPE, timeout=60)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")
