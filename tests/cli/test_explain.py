"""`callwright explain` and `callwright score wild`, on runs over sessions written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import callwright
from callwright.cli import main
from callwright.cli.results import print_json
from hand_sessions import CHAIN, CHAT, CLARIFY, MIXED, PARALLEL, SINGLE, session, write_sessions


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a dataset and runs of three models; do not change it."""
    made = tmp_path_factory.mktemp("wild")
    kinds, others = (SINGLE, MIXED, CLARIFY, CHAT), (CHAT, PARALLEL, CHAIN, SINGLE)
    write_sessions(made / "ds", [session(*kinds, id_="abc"), session(*others, id_="abd")])
    for model in ("oracle", "oracle-sequential", "eager"):
        callwright.evaluate_model(made / "ds", "wild", model=f"builtin/{model}", out=made / model)
    return made


def run(*arguments: str | Path) -> tuple[int, str, str]:
    """Return exit code, output and errors of a command."""
    result = CliRunner().invoke(main, list(map(str, arguments)))
    return result.exit_code, result.stdout, result.stderr


def explained(*arguments: str | Path) -> dict[str, Any]:
    """Return what `explain --json` prints."""
    code, out, _ = run("explain", *arguments, "--json")
    assert code == 0
    return dict(json.loads(out))


def as_pairs(calls: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return calls as `score_orchestration` takes them."""
    return [(tool, arguments) for tool, arguments in calls]


@pytest.mark.parametrize("task", ["abc/2", "abd/2", "abd/3"])
@pytest.mark.parametrize("model", ["oracle", "oracle-sequential", "eager"])
def test_the_document_says_what_the_scorer_says(folder: Path, model: str, task: str) -> None:
    """Fields are those promised, and calls, dependencies and steps give the same verdict again."""
    found = explained(folder / model, task)

    again = callwright.score_orchestration(
        as_pairs(found["calls"]), found["after"], [as_pairs(step) for step in found["steps"]]
    )
    assert list(found) == [
        "calls", "after", "steps", "progress", "accomplished", "optimal", "shortest", "left_at", "why",
    ]  # fmt: skip
    assert [found[name] for name in ("progress", "accomplished", "optimal", "shortest", "left_at")] == [
        again.progress, again.accomplished, again.optimal, again.shortest, again.left_at,
    ]  # fmt: skip


def test_the_sequential_oracle_takes_more_steps(folder: Path) -> None:
    """What is accomplished in more steps than needed is not optimal."""
    found = explained(folder / "oracle-sequential", "abc/2")

    assert (found["accomplished"], found["optimal"], found["shortest"], len(found["steps"])) == (True, False, 2, 3)


@pytest.mark.parametrize(
    ("task", "why"),
    [("abc/2", "concert_detail is not due yet"), ("abc/3", "ask for what is missing"), ("abc/4", "answer in words")],
)
def test_why_a_task_failed(folder: Path, task: str, why: str) -> None:
    """The first error is told, for people and in the document."""
    _, out, _ = run("explain", folder / "eager", task)

    assert why in " ".join(out.split())
    assert why in explained(folder / "eager", task)["why"]


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ("abc/5", "has no task 5; it has 4"),
        ("abc/0", "has no task 0"),
        ("ab/1", "2 ids begin with 'ab'"),
        ("x/1", "no id begins with 'x'"),
        ("abc", "is not a task"),
        ("abc/two", "is not a task"),
        ("/1", "is not a task"),
    ],
)
def test_tasks_that_are_not_there(folder: Path, task: str, message: str) -> None:
    """One sentence says what there is."""
    code, out, err = run("explain", folder / "eager", task)

    assert (code, out) == (2, "")
    assert message in err


def test_a_trial_that_is_not_there(folder: Path) -> None:
    """The trial is named."""
    code, _, err = run("explain", folder / "eager", "abc/1", "--trial", "3")

    assert code == 2
    assert "trial 3" in err


def test_other_runs_are_refused(made: Path, tmp_path: Path) -> None:
    """A run of another protocol has no tasks to explain or score."""
    callwright.evaluate_model(made, "static", model="builtin/abstain", out=tmp_path / "run", limit=1)

    for command in (("explain", tmp_path / "run", "x/1"), ("score", "wild", tmp_path / "run")):
        code, _, err = run(*command)
        assert code == 2
        assert "--protocol wild" in err


def test_score_wild_prints_the_rows_of_the_report(folder: Path) -> None:
    """Scored strictly, a run has the rows of its report; leniently, rows that say so."""
    _, strict, _ = run("score", "wild", folder / "eager", "--json")
    _, lenient, _ = run("score", "wild", folder / "eager", "--match", "lenient", "--json")
    _, report, _ = run("report", folder / "eager", "--json")

    assert json.loads(strict) == json.loads(report)
    assert all("match:lenient" in row["signature"] for row in json.loads(lenient))


def test_score_finds_the_protocol_of_a_run(folder: Path) -> None:
    """Without a name a run is scored by its own protocol, under the same options."""
    for options in ([], ["--match", "lenient"], ["--by", "hiding"]):
        named, found = run("score", "wild", folder / "eager", *options), run("score", folder / "eager", *options)
        assert named == found
        assert named[0] == 0


def test_a_protocol_without_scoring_options_has_the_rows_of_its_report(made: Path, tmp_path: Path) -> None:
    """Such a run is scored like `report`, and options of other protocols are refused."""
    callwright.evaluate_model(made, "static", model="builtin/abstain", out=tmp_path / "run", limit=1)

    code, rows, _ = run("score", tmp_path / "run", "--json")
    _, report, _ = run("report", tmp_path / "run", "--json")
    refused, _, error = run("score", tmp_path / "run", "--judged")

    assert (code, json.loads(rows)) == (0, json.loads(report))
    assert refused == 2
    assert "--judged is not an option of diaforge-static" in error


def test_options_of_another_protocol_are_refused(folder: Path) -> None:
    """An option that would change nothing is an error."""
    code, _, error = run("score", folder / "eager", "--mode", "strict")

    assert code == 2
    assert "--mode is not an option of wild" in error


def test_a_file_is_scored_by_name_alone(tmp_path: Path) -> None:
    """A file of outputs needs the name of a benchmark that reads such files."""
    file = tmp_path / "results.json"
    file.write_text("[]")

    assert "name the benchmark first, of: bfcl, multiwoz." in run("score", file)[2]
    assert "wild reads no files" in run("score", "wild", file)[2]
    assert "no protocol is called 'nobody'" in run("score", "nobody", file)[2]
    assert run("score", "bfcl", file, file)[0] == 2


def test_the_tables_fit_80_columns(folder: Path) -> None:
    """Nothing is wider, and every panel that has rows is there."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, ["score", "wild", str(folder / "eager"), "--by", "hiding"])

    assert max(map(len, result.stdout.splitlines())) <= 80
    for title in ("By kind", "By topology", "First errors", "by hiding"):
        assert title in result.stdout


def test_dry_run_counts_replies(folder: Path, tmp_path: Path) -> None:
    """The most replies are those of the gold calls and one for each stage."""
    code, out, _ = run(
        "eval", folder / "ds", "--protocol", "wild", "--model", "builtin/eager", "-o", tmp_path / "x", "--dry-run"
    )

    assert code == 0
    assert "at most 19 replies" in out


def test_half_of_a_surrogate_pair_is_printed_as_its_escape(capsys: pytest.CaptureFixture[str]) -> None:
    """A model may write one; it has no UTF-8 form."""
    print_json({"why": "\ud800"})
    assert json.loads(capsys.readouterr().out) == {"why": "\ud800"}
