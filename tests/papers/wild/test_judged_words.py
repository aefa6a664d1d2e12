"""What judges make of the words of clarify and chat tasks, as an option of scoring a wild run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.judging import judge_dataset
from callwright.app.rescoring import score_again
from callwright.cli import main
from callwright.errors import BadInput
from callwright.papers.wild.wild_scoring import CRITERIA
from callwright.records.transcript import Row
from judge_samples import Prompt, material_of
from served_voice import serving


@pytest.fixture(scope="module")
def unjudged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the oracle, which says what the gold says."""
    folder = tmp_path_factory.mktemp("wild")
    callwright.synthesize("wild", "builtin/enterprise", n=8, seed=3, out=folder / "ds")
    callwright.evaluate_model(folder / "ds", "wild", model="builtin/oracle", out=folder / "run")
    return folder / "run"


def judge(run: Path, answer: Callable[[Prompt], str]) -> None:
    with serving(answer) as server:
        judge_dataset(run, judges="openai/a", criteria=list(CRITERIA.values()), base_url=server.url)


def is_question(prompt: Prompt) -> bool:
    return any("missing" in line for line in material_of(prompt))


def value(rows: list[Row], metric: str, **slice_: str) -> float | None:
    (row,) = [row for row in rows if row.metric == metric and row.slice == slice_]
    return row.value


def grade(answer: str) -> str:
    return json.dumps({"analysis": "", "grade": answer})


@pytest.fixture(scope="module")
def run(unjudged: Path) -> Path:
    """The same run, whose questions were found to ask for nothing and whose answers to be right."""
    with pytest.raises(BadInput, match="callwright judge"):
        score_again(unjudged, judged=True)
    judge(unjudged, lambda prompt: grade("no" if is_question(prompt) else "yes"))
    return unjudged


def test_words_that_judges_refuse_are_wrong(run: Path) -> None:
    """Questions that ask for nothing fail their tasks, with a class of their own; answers and calls stay right."""
    rows = score_again(run, judged=True)

    assert value(rows, "task_acc", kind="clarify") == 0
    assert value(rows, "task_acc", kind="chat") == value(rows, "task_acc", kind="single") == 1
    assert value(rows, "error_share", error="wrong_words") == 1


def test_without_the_option_all_words_are_right(run: Path) -> None:
    """The rows of the paper stand, whatever was judged, and know no such class."""
    rows = score_again(run)

    assert value(rows, "task_acc") == 1
    assert not any(row.slice == {"error": "wrong_words"} for row in rows)
    assert not any("|words:" in row.signature for row in rows)


def test_the_signature_names_rubrics_and_judges(run: Path) -> None:
    """Numbers with and without judges are never taken for each other."""
    (row,) = [row for row in score_again(run, judged=True) if row.metric == "task_acc" and not row.slice]

    for part in ("|words:clarify-asks.v1|", "|words:chat-answers.v1|", "|judge:openai/a@"):
        assert part in row.signature


def test_the_command_prints_the_class(run: Path) -> None:
    """Beside the errors of the paper."""
    printed = CliRunner().invoke(main, ["score", "wild", str(run), "--judged"])

    assert "wrong words" in printed.stdout


def test_words_without_a_judgement_are_skipped(tmp_path: Path) -> None:
    """They are neither right nor wrong: what could not be judged leaves its session out, and is counted."""
    callwright.synthesize("wild", "builtin/enterprise", n=4, seed=3, out=tmp_path / "ds")
    callwright.evaluate_model(tmp_path / "ds", "wild", model="builtin/oracle", out=tmp_path / "run")
    judge(tmp_path / "run", lambda prompt: "no object" if is_question(prompt) else grade("yes"))

    (row,) = [row for row in score_again(tmp_path / "run", judged=True) if row.metric == "task_acc" and not row.slice]

    assert row.n_skipped > 0
    assert row.n + row.n_skipped == 4
    assert row.value in (1, None)
    assert "could not be judged" in row.why


def test_words_without_a_judgement_are_skipped_whatever_came_of_their_task(tmp_path: Path) -> None:
    """Else the sessions that remain would be those in which the model failed."""
    callwright.synthesize("wild", "builtin/enterprise", n=8, seed=3, out=tmp_path / "ds")
    callwright.evaluate_model(tmp_path / "ds", "wild", model="builtin/abstain", out=tmp_path / "run")
    judge(tmp_path / "run", lambda prompt: "no object" if is_question(prompt) else grade("yes"))

    (row,) = [row for row in score_again(tmp_path / "run", judged=True) if row.metric == "task_acc" and not row.slice]

    dialogues = callwright.open_dataset(tmp_path / "ds").dialogues
    with_questions = sum(any(task.kind == "clarify" for task in dialogue.tasks) for dialogue in dialogues)
    assert row.n_skipped == with_questions
    assert row.n == len(dialogues) - with_questions > 0
