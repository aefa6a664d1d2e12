"""Whole jobs for nothing: `builtin/author` behind HTTP in the roles that write, vote and judge."""

from __future__ import annotations

from pathlib import Path

import callwright
from callwright.app.evaluation import evaluate_model
from serving import serving


def test_a_served_author_writes_a_dataset(tmp_path: Path) -> None:
    """Most of its dialogues pass the cascade; the author is named in each."""
    with serving("builtin/author") as (url, tally):
        made = callwright.synthesize(
            "diaforge", "builtin/enterprise", n=20, seed=7, out=tmp_path / "ds", author="openai/author", base_url=url
        )
        assert tally.summary().requests == made.calls

    assert made.failed == {}
    assert made.kept >= 16
    assert made.author == f"openai/author@{url}"


def test_a_served_author_is_the_live_user(tmp_path: Path) -> None:
    """And the voter: the retriever understands what it says."""
    data = tmp_path / "ds"
    callwright.synthesize("diaforge", "builtin/enterprise", n=6, seed=7, out=data)
    with serving("builtin/author") as (url, _):
        result = evaluate_model(
            data,
            "dynamic",
            model="builtin/retriever",
            out=tmp_path / "run",
            user="openai/author",
            voter="openai/author",
            base_url=url,
        )

    assert (result.done, result.failed) == (result.planned, {})
    assert result.tokens["user"].calls > 0
