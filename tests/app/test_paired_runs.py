"""Two runs compared on the same dialogues."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.rescoring import compare_runs, judge_runs
from callwright.cli import main
from callwright.errors import BadInput
from callwright.stats.paired import p_text, paired_test


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of three models over one dataset; one of them has only its first dialogues."""
    folder = tmp_path_factory.mktemp("paired")
    callwright.synthesize("diaforge", callwright.read_catalog("builtin/enterprise"), n=12, seed=2, out=folder / "ds")
    for model in ("retriever", "eager"):
        callwright.evaluate_model(folder / "ds", "dynamic", model=f"builtin/{model}", out=folder / model)
    callwright.evaluate_model(folder / "ds", "dynamic", model="builtin/abstain", out=folder / "few", limit=5)
    callwright.evaluate_model(folder / "ds", "static", model="builtin/eager", out=folder / "static")
    return folder


def test_the_difference_is_that_of_the_same_dialogues(runs: Path) -> None:
    """Value, count and test are those that the verdicts of both runs give by hand; turned over, the sign turns."""
    right = [
        {item.dialogue: float(item.right is True) for item in judge_runs(runs / name)}
        for name in ("retriever", "eager")
    ]
    by_hand = [right[0][one] - right[1][one] for one in right[0]]
    rows = {row.metric: row for row in compare_runs(runs / "retriever", runs / "eager")}
    other = {row.metric: row for row in compare_runs(runs / "eager", runs / "retriever")}
    assert rows["right"].n == len(by_hand) > 8
    assert rows["right"].difference.value == pytest.approx(sum(by_hand) / len(by_hand))
    assert rows["right"].difference.value > 0
    assert other["right"].difference.value == pytest.approx(-rows["right"].difference.value)
    expected = paired_test(by_hand)
    assert rows["right"].test == expected == other["right"].test
    assert expected.name == "sign test, exact"
    assert f"|{expected.name}|" in rows["right"].signature
    shown = CliRunner().invoke(main, ["report", str(runs / "retriever"), "--against", str(runs / "eager")]).stdout
    assert f"{p_text(expected.p)}   {len(by_hand)} dialogues" in shown
    same = compare_runs(runs / "eager", runs / "eager")
    assert same
    assert {row.test.p for row in same} == {1.0}
    assert all(row.difference.low == row.difference.high == 0 for row in same if row.n > 1)


def test_dialogues_of_one_run_alone_are_counted(runs: Path) -> None:
    """What only one run has scored is left out and counted; the command prints it."""
    (row, *_) = compare_runs(runs / "few", runs / "eager")
    assert row.n + row.left_out >= 10 > 5 >= row.n
    done = CliRunner().invoke(main, ["report", str(runs / "few"), "--against", str(runs / "eager")])
    assert f"{row.left_out} dialogues are scored in one of them only" in done.stdout


def test_runs_of_different_protocols_are_refused(runs: Path) -> None:
    """Their verdicts say different things."""
    with pytest.raises(BadInput, match="one protocol"):
        compare_runs(runs / "static", runs / "eager")
