"""The judge counter against a server: counts from whole numbers, failures apart, nothing asked twice."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import callwright
from callwright.app.counting import Counted, count_by_judge
from callwright.app.requests import JudgingRequest, read_request
from callwright.errors import BadInput
from callwright.models.retries import Patience
from callwright.papers.dice.dice_formula import dice_score
from callwright.papers.dice.dice_measures import DiceDocument
from judge_samples import Prompt
from served_voice import serving

ONCE = Patience(connect_s=5, idle_s=5, total_s=20, tries=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three chats of one round."""
    out = tmp_path_factory.mktemp("counted") / "ds"
    callwright.synthesize("dice", "builtin/enterprise", n=3, seed=4, out=out, rounds="1", parties="2")
    return out


def count(folder: Path, url: str) -> tuple[Counted, DiceDocument]:
    found = count_by_judge(
        read_request(JudgingRequest, data=folder, judges="openai/judge", base_url=url, patience=ONCE), only="dice-score"
    )
    assert isinstance(found.document, DiceDocument)
    return found, found.document


def by_digits(prompt: Prompt) -> str:
    """One item for a text with a digit, else none."""
    utterance = json.loads(re.findall(r"^\{.*\}$", prompt[1][1], re.MULTILINE)[-1])
    return str(int(any(map(str.isdigit, str(utterance)))))


def test_whole_numbers_are_the_counts(folder: Path) -> None:
    """The score is the formula of the replies; the same command asks for nothing more."""
    with serving(by_digits) as server:
        _, document = count(folder, server.url)
        asked = len(server.asked)
        assert count(folder, server.url)[1] == document
        assert len(server.asked) == asked > 0
    assert len(document.items) == 3
    assert document.n_failed == 0
    assert "counter:judge.v2" in document.signature
    assert all(one.score == dice_score(one.counts, one.total) for one in document.items)
    assert any(any(one.counts) for one in document.items)


def test_prose_is_a_failure_and_no_count(folder: Path, tmp_path: Path) -> None:
    """A judge that answers in words gives no score at all; its dialogues are counted apart."""
    callwright.synthesize("dice", "builtin/enterprise", n=3, seed=5, out=tmp_path / "ds", rounds="1", parties="2")
    with serving(lambda prompt: "About three, I should say.") as server:
        found, document = count(tmp_path / "ds", server.url)
    assert document.mean is None
    assert document.n_failed == 3
    assert set(found.failed) == {"bad_reply"}
    assert [row.n_failed for row in found.rows if not row.slice] == [3]


def test_only_one_group_is_counted(folder: Path) -> None:
    """All metrics at once, or those without a judge's way, are refused."""
    with pytest.raises(BadInput, match="one group"):
        count_by_judge(read_request(JudgingRequest, data=folder, judges="openai/judge"), only="ttr")
