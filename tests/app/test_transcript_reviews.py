"""People mark the transcripts of a run, and its scores leave out what they marked wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.transcript_reviews import open_reviewable
from callwright.cli import main
from callwright.errors import BadInput
from callwright.protocol.run_access import open_run


def evaluated(folder: Path, **options: int) -> Path:
    """A run of a few dialogues."""
    callwright.synthesize("diaforge", "builtin/enterprise", n=4, seed=7, out=folder / "ds")
    callwright.evaluate_model(folder / "ds", "dynamic", model="builtin/eager", out=folder / "run", **options)
    return folder / "run"


def cli(*words: str) -> str:
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done.output


def test_a_transcript_is_shown_with_what_the_model_said(tmp_path: Path) -> None:
    """In the place of its dialogue's turns; with trials, each under its number."""
    run = evaluated(tmp_path, trials=2)
    shown = {one.id: one.turns for one in open_reviewable(run).dialogues}
    view = open_run(run)
    assert shown == {f"{one.dialogue}/{one.trial}": one.turns for one in view.transcripts}
    assert len(shown) == 8


def test_scores_leave_out_what_is_marked_wrong(tmp_path: Path) -> None:
    """By two people, whose agreement is told; the signature says that something is left out."""
    run = evaluated(tmp_path)
    first, *others = (one.id for one in open_run(run).dialogues)
    with pytest.raises(BadInput, match="nobody has marked"):
        callwright.score_runs([run], reviewed=True)
    for by in ("ana", "ben"):
        cli("review", str(run), "--share", "1", "--by", by, "--mark", first, "wrong", "--note", "the user is odd")
        for other in others:
            cli("review", str(run), "--share", "1", "--by", by, "--mark", other, "right")
    told = json.loads(cli("review", str(run), "--json"))
    assert ([one["id"] for one in told["wrong"]], told["reviewers"]) == ([first], {"ana": 4, "ben": 4})
    assert told["agreed"] == 1
    before, after = (
        next(row for row in callwright.score_runs([run], reviewed=reviewed) if row.metric == "acc" and not row.slice)
        for reviewed in (False, True)
    )
    assert (before.n, after.n) == (4, 3)
    assert "reviewed:1 left out" in after.signature
    assert "reviewed" not in before.signature
    assert "marked wrong by people: 1 left out" in cli("report", str(run), "--reviewed")
    rows = json.loads(cli("report", str(run), "--reviewed", "--json"))
    assert {row["n"] for row in rows if row["metric"] == "acc" and not row["slice"]} == {3}
    callwright.evaluate_model(tmp_path / "ds", "static", model="builtin/eager", out=tmp_path / "static")
    cli("review", str(tmp_path / "static"), "--share", "1", "--mark", first, "wrong")
    for words, n in (((), 4), (("--reviewed",), 3)):
        scored = json.loads(cli("score", str(tmp_path / "static"), "--json", *words))
        assert {row["n"] for row in scored if row["metric"] == "acc" and not row["slice"]} == {n}


def test_transcripts_are_not_edited(tmp_path: Path) -> None:
    """A run is what happened."""
    run = evaluated(tmp_path)
    done = CliRunner().invoke(main, ["review", str(run), "--edit", "x", "0", "Hi", "--by", "ana"])
    assert done.exit_code == 2
    assert "marked, not edited" in done.output
