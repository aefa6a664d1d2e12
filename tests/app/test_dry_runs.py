"""Whole jobs for nothing: `builtin/author` behind HTTP in the roles that write, vote and judge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import callwright
from callwright.app.evaluation import evaluate_model, preview_evaluation
from callwright.app.requests import EvaluationRequest, SynthesisRequest, read_request
from callwright.app.rescoring import score_runs
from callwright.app.synthesis import preview_synthesis
from serving import serving


def test_a_served_author_writes_a_dataset(tmp_path: Path) -> None:
    """Most of its dialogues pass the cascade, for about what was estimated; the author is named in each."""
    with serving("builtin/author") as (url, tally):
        asked: dict[str, Any] = {"n": 20, "seed": 7, "out": tmp_path / "ds", "author": "openai/author", "base_url": url}
        request = read_request(SynthesisRequest, recipe="diaforge", catalog="builtin/enterprise", **asked)
        preview = preview_synthesis(request)
        told = preview.estimate
        assert tally.summary().requests == 0
        made = callwright.synthesize("diaforge", "builtin/enterprise", **asked)
        assert tally.summary().requests == made.calls

    assert told is not None
    assert told.calls == pytest.approx(made.calls, rel=0.5)
    assert preview.most_calls == 20 * (3 * 3 + 3 * (5 + 9 + 11))  # author's texts, openings, turns of both
    assert made.calls < preview.most_calls

    assert made.failed == {}
    assert made.kept >= 16
    assert made.author == f"openai/author@{url}"


def test_a_served_author_is_the_live_user(tmp_path: Path) -> None:
    """And the voter: the retriever understands what it says, for about what was estimated."""
    data = tmp_path / "ds"
    callwright.synthesize("diaforge", "builtin/enterprise", n=6, seed=7, out=data)
    with serving("builtin/author") as (url, _):
        asked: dict[str, Any] = {"model": "builtin/retriever", "out": tmp_path / "run", "base_url": url}
        asked |= {"user": "openai/author", "voter": "openai/author"}
        told = preview_evaluation(read_request(EvaluationRequest, dataset=data, protocol="dynamic", **asked))
        result = evaluate_model(data, "dynamic", **asked)

    assert (result.done, result.failed) == (result.planned, {})
    assert set(told.roles) == {"user", "voter"}
    assert told.roles["user"].calls == pytest.approx(result.tokens["user"].calls, rel=0.5)
    assert told.usd is None


def test_one_served_builtin_plays_every_role_of_an_evaluation(tmp_path: Path) -> None:
    """What the bundled prompts ask for in words is left to the author, all else is the model's."""
    data = tmp_path / "ds"
    callwright.synthesize("diaforge", "builtin/enterprise", n=6, seed=7, out=data)
    with serving("builtin/retriever") as (url, _):
        asked: dict[str, Any] = {"model": "openai/any", "user": "openai/x", "voter": "openai/y", "base_url": url}
        result = evaluate_model(data, "dynamic", out=tmp_path / "run", **asked)
    assert (result.done, result.failed) == (result.planned, {})
    (acc,) = [row for row in score_runs(tmp_path / "run") if row.metric == "acc" and not row.slice]
    assert acc.value is not None
    assert acc.value > 0.5
