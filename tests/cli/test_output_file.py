"""No command overwrites a file that it did not write, unless it is told to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from callwright.cli import main

COMMANDS = (
    "import builtin/enterprise -o {out}",
    "export builtin/enterprise --format openai -o {out}",
    "export ds --format diaforge -o {out}",
    "lint small.json --fix-plan -o {out}",
    "lint small.json --junit {out}",
    "report run --items {out}",
    "judge ds --judge openai/x --base-url http://127.0.0.1:9/v1 -o {out}",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small catalogue, a dataset over it and a run."""
    folder = tmp_path_factory.mktemp("files")
    tools = [
        {"name": f"{verb}_invoice", "description": f"{verb} an invoice.", "parameters": {"type": "object"}}
        for verb in ("send", "delete", "approve")
    ]
    (folder / "small.json").write_text(json.dumps(tools))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for argv in ("synth diaforge builtin/enterprise -n 1 -o ds", _EVAL):
            assert CliRunner().invoke(main, argv.split()).exit_code == 0
    return folder


_EVAL = "eval ds --protocol static --model builtin/eager -o run"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("out", ["notes.txt", "ds/dialogues.jsonl", "ds/catalog.json", "link.txt"])
def test_what_others_wrote_stays(home: Path, monkeypatch: pytest.MonkeyPatch, command: str, out: str) -> None:
    """The command ends with one error before it does anything, and the file is as it was."""
    monkeypatch.chdir(home)
    Path("notes.txt").write_text("mine\n")
    Path("link.txt").unlink(missing_ok=True)
    Path("link.txt").symlink_to("notes.txt")
    before = Path(out).read_bytes()

    result = CliRunner().invoke(main, command.format(out=out).split())

    assert result.exit_code == 2
    assert result.output.startswith(f"callwright: {out}: ")
    assert Path(out).read_bytes() == before


@pytest.mark.parametrize("command", COMMANDS[:-1])
def test_force_overwrites(home: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """With --force the file is written."""
    monkeypatch.chdir(home)
    Path("notes.txt").write_text("mine\n")

    result = CliRunner().invoke(main, [*command.format(out="notes.txt").split(), "--force"])

    assert result.exit_code == 0, result.output
    assert Path("notes.txt").read_bytes() != b"mine\n"


@pytest.mark.parametrize("command", [COMMANDS[0], *COMMANDS[3:6]])
def test_own_files_are_written_again(home: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """A second run of the same command replaces what the first wrote."""
    monkeypatch.chdir(home)
    Path("own").unlink(missing_ok=True)

    codes = [CliRunner().invoke(main, command.format(out="own").split()).exit_code for _ in range(2)]

    assert codes == [0, 0]


def test_the_source_is_never_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even with --force."""
    monkeypatch.chdir(home)

    result = CliRunner().invoke(main, "lint small.json --fix-plan -o small.json --force".split())

    assert result.exit_code == 2
    assert "this file is the source" in result.output
