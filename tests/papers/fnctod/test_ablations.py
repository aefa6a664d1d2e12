"""The sweep of ablations: a run a setting, one table."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from state_corpora import THREE, corpus

from callwright.app.corpora import write_corpus
from callwright.cli import main
from callwright.papers.fnctod.fnctod_protocol import ABLATIONS


def swept(folder: Path, *more: str) -> tuple[int, str]:
    words = ["eval", str(folder / "ds"), "--protocol", "fnctod", "--model", "builtin/stated", "--ablations", *more]
    result = CliRunner().invoke(main, [*words, "-o", str(folder / "runs")])
    return result.exit_code, result.output


def written(folder: Path) -> Path:
    """Write a dataset to evaluate and a file of examples, which is returned."""
    write_corpus(folder / "ds", "multiwoz", corpus(folder, THREE))
    example = {"function": "find_book_hotel", "said": ["In the east, please."], "arguments": {"area": "east"}}
    (folder / "hand.jsonl").write_text(json.dumps(example))
    return folder / "hand.jsonl"


def test_examples_are_asked_for_before_the_first_run(tmp_path: Path) -> None:
    """Some settings need examples; without them no setting is run, and paid."""
    written(tmp_path)

    code, printed = swept(tmp_path)

    assert (code, "--examples is missing" in printed) == (2, True)
    assert not (tmp_path / "runs").exists()


def test_examples_of_the_evaluated_dialogues_are_refused(tmp_path: Path) -> None:
    """The states that are asked for would stand in the prompts of the other dialogues."""
    written(tmp_path)

    code, printed = swept(tmp_path, "--examples", str(tmp_path / "ds"))

    assert (code, "holds dialogue d0, which is evaluated" in printed.lower()) == (2, True)


def test_one_command_runs_all_settings_and_prints_one_table(tmp_path: Path) -> None:
    hand = str(written(tmp_path))
    code, printed = swept(tmp_path, "--examples", hand)
    assert code == 0, printed
    settings = ["shots-0", "shots-5", "one-step", "no-calls", "json", "text", "json-no-calls", "text-no-calls"]
    assert set(settings) <= set(ABLATIONS.options)
    table = printed.partition("Ablations")[2]
    lines = [line.split() for line in table.splitlines()]
    assert [line[0] for line in lines if line and line[0] in ABLATIONS.options] == [*ABLATIONS.options]
    assert "…" not in table
    assert sorted(one.name for one in (tmp_path / "runs").iterdir()) == sorted(ABLATIONS.options)
    assert swept(tmp_path, "--examples", hand)[1].partition("Ablations")[2] == table


def test_a_protocol_without_ablations_says_so(tmp_path: Path) -> None:
    write_corpus(tmp_path / "ds", "multiwoz", corpus(tmp_path, THREE))
    words = ["eval", str(tmp_path / "ds"), "--protocol", "static", "--model", "builtin/eager", "--ablations"]
    result = CliRunner().invoke(main, [*words, "-o", str(tmp_path / "runs")])
    assert "has no ablations" in result.output
    assert not (tmp_path / "runs").exists()
