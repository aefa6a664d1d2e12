"""The sweep of ablations: a run a setting, one table."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from state_corpora import THREE, corpus

from callwright.app.corpora import write_corpus
from callwright.cli import main
from callwright.papers.fnctod.fnctod_protocol import ABLATIONS


def swept(folder: Path, *more: str) -> tuple[int, str]:
    words = ["eval", str(folder / "ds"), "--protocol", "fnctod", "--model", "builtin/stated", "--ablations", *more]
    result = CliRunner().invoke(main, [*words, "--examples", str(folder / "ds"), "-o", str(folder / "runs")])
    return result.exit_code, result.output


def test_one_command_runs_all_settings_and_prints_one_table(tmp_path: Path) -> None:
    write_corpus(tmp_path / "ds", "multiwoz", corpus(tmp_path, THREE))
    code, printed = swept(tmp_path)
    assert code == 0, printed
    settings = ["shots-0", "shots-5", "one-step", "no-calls", "json", "text", "json-no-calls", "text-no-calls"]
    assert set(settings) <= set(ABLATIONS.options)
    table = printed.partition("Ablations")[2]
    lines = [line.split() for line in table.splitlines()]
    assert [line[0] for line in lines if line and line[0] in ABLATIONS.options] == [*ABLATIONS.options]
    assert "…" not in table
    assert sorted(one.name for one in (tmp_path / "runs").iterdir()) == sorted(ABLATIONS.options)
    assert swept(tmp_path)[1].partition("Ablations")[2] == table


def test_a_protocol_without_ablations_says_so(tmp_path: Path) -> None:
    write_corpus(tmp_path / "ds", "multiwoz", corpus(tmp_path, THREE))
    words = ["eval", str(tmp_path / "ds"), "--protocol", "static", "--model", "builtin/eager", "--ablations"]
    result = CliRunner().invoke(main, [*words, "-o", str(tmp_path / "runs")])
    assert "has no ablations" in result.output
    assert not (tmp_path / "runs").exists()
