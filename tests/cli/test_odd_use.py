"""Odd values, places and files: one error that names what is wrong, and nothing is left behind."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from callwright.cli import main

DEEP = "a/" * 2_000 + "b"
JUDGED = "judge ds --judge openai/x --base-url http://127.0.0.1:9/v1 -o"
REFUSED = [
    ("lint builtin/enterprise --threshold nan", "'--threshold': nan"),
    ("serve builtin/eager --fault-rate inf", "--fault-rate"),
    ("eval ds --protocol static --model openai/x --prices /dev/zero --dry-run -o out", "/dev/zero: over"),
    ("eval ds --protocol static --model openai/x --base-url http://127.0.0.1:9/v1 --budget-usd 1 -o out", "is unknown"),
    ("synth diaforge builtin/enterprise -n 1 --author openai/x --budget-usd 1 --base-url http://127.0.0.1:9/v1 -o out",
     "is unknown"),
    ("show ds/catalog.json", "this is a file"),
    ("lint ds/dialogues.jsonl", "dialogues, not tools"),
    ("eval run --protocol static --model builtin/eager -o out", "this is a run"),
    ("synth diaforge builtin/enterprise -n 1 -o /", "the root of all folders"),
    ("eval ds --protocol static --model builtin/eager -o /", "the root of all folders"),
    ("lint builtin/enterprise --baseline /dev/zero", "larger than 64 MiB"),
    ("returns builtin/enterprise -o new/x.json --author openai/x --base-url http://127.0.0.1:9/v1 --budget-usd 1",
     "is unknown"),
    ("judge ds --judge openai/x --base-url http://127.0.0.1:9/v1 --budget-usd 1", "is unknown"),
    (f"synth diaforge builtin/enterprise -n 1 -o {DEEP}", "a path of 2,00"),
    (f"eval ds --protocol static --model builtin/eager -o {DEEP}", "a path of 2,001 parts"),
    (f"import builtin/enterprise -o {DEEP}", "a path of 2,001 parts"),
    (f"split ds -o {DEEP}", "a path of 2,00"),
    (f"{JUDGED} {DEEP}", "a path of 2,00"),
    (f"{JUDGED} ds", "this is a folder"),
    (f"{JUDGED} run/run.db/x", "in place of a folder"),
    ("split ds -o run/run.db/x", "in place of a folder"),
]  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset and a run."""
    folder = tmp_path_factory.mktemp("odd")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for argv in (
            "synth diaforge builtin/enterprise -n 2 -o ds",
            "eval ds --protocol static --model builtin/eager -o run",
        ):
            assert CliRunner().invoke(main, argv.split()).exit_code == 0
    return folder


@pytest.mark.parametrize(("command", "said"), REFUSED)
def test_one_error_names_it(home: Path, monkeypatch: pytest.MonkeyPatch, command: str, said: str) -> None:
    """Exit code 2, and no folder is made."""
    monkeypatch.chdir(home)

    result = CliRunner().invoke(main, command.split())

    assert result.exit_code == 2
    assert said in result.output
    assert {path.name for path in home.iterdir()} == {"ds", "run"}
    assert not (home / "ds" / ".judge").exists()


@pytest.mark.parametrize("command", ["report {run}", "report {run} --json", "report {run} --items out", "show {run}"])
def test_a_path_need_not_be_utf8(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Names of folders may hold any bytes."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(home / "run", tmp_path / "run\udcff")

    result = CliRunner().invoke(main, command.format(run="run\udcff").split())

    assert result.exit_code == 0, result.output


def test_a_catalogue_need_not_have_a_path_in_utf8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph names the catalogue that it was made of; bytes that are no text are replaced there."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, ["import", "builtin/enterprise", "-o", "cat\udcff.json"]).exit_code == 0

    result = CliRunner().invoke(main, ["graph", "build", "cat\udcff.json", "-o", "g.json"])

    assert result.exit_code == 0, result.output
    assert "cat\ufffd.json" in (tmp_path / "g.json").read_text()


def test_a_name_of_punctuation_is_a_parameter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parameter whose name has no word in it can be asked for, and its tool is used."""
    monkeypatch.chdir(tmp_path)
    names = {"il.xa/nk31 ld]il[gr": {"type": "string", "enum": ["a1", "b2"]}, "size": {"type": "number"}}
    function = {"name": "send_invoice", "description": "Send an invoice.", "parameters": {
        "type": "object", "properties": names, "required": list(names)}}  # fmt: skip
    (tmp_path / "tools.json").write_text(json.dumps([{"type": "function", "function": function}]))

    result = CliRunner().invoke(main, "synth diaforge tools.json -n 3 --no-distractors -o ds".split())

    assert "3 of 3 planned dialogues kept" in result.output


def test_a_terminal_without_columns_is_not_believed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are printed at the usual width."""
    monkeypatch.chdir(home)

    wide = CliRunner().invoke(main, ["report", "run"], env={"COLUMNS": "80"}).output
    none = CliRunner().invoke(main, ["report", "run"], env={"COLUMNS": "0"}).output

    assert none == wide
