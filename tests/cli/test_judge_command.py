"""`callwright judge`: rows, tables, files and exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from callwright.cli import main
from callwright.records.judgement import Judgement
from fake_server import FakeServer, refuses
from judge_samples import by_length, by_rule
from served_voice import serving

KEYS = {"item", "criterion", "judge", "value", "samples", "failed"}


@pytest.fixture
def ds(made: Path, tmp_path: Path) -> Path:
    """A copy of the dataset, to keep judgements in."""
    return Path(shutil.copytree(made, tmp_path / "ds"))


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["judge", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_json_prints_the_judgements(ds: Path) -> None:
    """One list of rows with exactly the documented keys; `turn` where turns are judged."""
    with serving(by_rule(by_length)) as server:
        judge = f"openai/a@{server.url}"
        code, out, _ = run(str(ds), "--judge", judge, "--criteria", "relevancy,conv-rel", "--limit", "3", "--json")
    rows = json.loads(out)
    assert code == 0
    assert {frozenset(row) for row in rows if row["criterion"] == "relevancy"} == {frozenset(KEYS)}
    assert {frozenset(row) for row in rows if row["criterion"] == "conv-rel"} == {frozenset(KEYS | {"turn"})}
    assert all(row["judge"] == judge and row["failed"] is None for row in rows)
    assert all(row["value"] == sum(row["samples"]) for row in rows)


def test_a_panel_is_printed_with_its_agreement(ds: Path) -> None:
    """Means with intervals, counts, agreement, usage; the same command prints the same and asks nothing."""
    with serving(by_rule(by_length)) as server:
        arguments = [str(ds), "--judge", "openai/a", "--judge", "openai/b", "--base-url", server.url]
        first = run(*arguments)
        asked = len(server.asked)
        assert run(*arguments) == first
        assert len(server.asked) == asked
    code, out, _ = first
    assert code == 0
    assert "relevancy" in out
    assert "100.0%" in out
    assert "nominal" in out
    assert f"judge: {asked:,} requests" in out


def test_judgements_are_written_with_their_reasons(ds: Path, tmp_path: Path) -> None:
    """`-o` makes a file of records, one a line."""
    with serving(by_rule(by_length)) as server:
        code, _, _ = run(str(ds), "--judge", f"openai/a@{server.url}", "-o", str(tmp_path / "out.jsonl"))
    records = [msgspec.json.decode(line, type=Judgement) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert code == 0
    assert all(one.samples[0].why.startswith("By rule") for one in records)
    assert {one.criterion for one in records} == {"relevancy", "critique"}


def test_failed_judgements_exit_with_1(ds: Path) -> None:
    """They are rows with a reason and no value, and said in words."""
    with FakeServer(refuses(401)).in_thread() as server:
        arguments = [str(ds), "--judge", "openai/a", "--base-url", server.url, "--limit", "2", "--criteria", "fluency"]
        code, out, _ = run(*arguments, "--json")
        assert code == 1
        rows = [(row["value"], row["samples"], row["failed"]) for row in json.loads(out)]
        assert rows == [(None, [], "auth")] * 2
        code, out, _ = run(*arguments)
        assert code == 1
        assert "failed: auth" in out
        assert "tries those that failed again" in out


def test_a_dry_run_writes_nothing(ds: Path) -> None:
    """It counts questions and estimates tokens, in words and as JSON; what is skipped says why."""
    arguments = [str(ds), "--judge", "openai/gpt-4o-mini@http://127.0.0.1:1/v1", "--dry-run"]
    code, out, _ = run(*arguments, "--criteria", "fluency,faithfulness")
    assert code == 0
    assert "Would ask for" in out
    assert "skipped by faithfulness: no tool results" in out
    assert json.loads(run(*arguments, "--json")[1])["done"] == 0
    assert not (ds / ".judge").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--judge"),
        (("--judge", "builtin/retriever"), "not a model that can judge"),
        (("--judge", "openai/a", "--criteria", "fluent"), "fluency"),
        (("--judge", "openai/a", "--criteria", "./none.toml"), "cannot be read"),
        (("--judge", "openai/a", "--budget-tokens", "0"), "budget"),
        (("--judge", "openai/a", "--temperature", "-1"), "temperature"),
    ],
)
def test_bad_input_exits_with_2(ds: Path, arguments: tuple[str, ...], message: str) -> None:
    """One error, nothing asked, nothing written."""
    code, out, error = run(str(ds), *arguments, "--base-url", "http://127.0.0.1:1/v1")
    assert (code, out) == (2, "")
    assert message in error
    assert not (ds / ".judge").exists()


def test_a_folder_that_is_nothing_is_said(tmp_path: Path) -> None:
    """Neither a dataset nor a run."""
    code, _, error = run(str(tmp_path), "--judge", "openai/a@http://127.0.0.1:1/v1")
    assert code == 2
    assert "not a dataset" in error
