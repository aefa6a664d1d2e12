"""The protocol `tod`, end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from state_corpora import corpus, turn

import callwright
from callwright.app.corpora import write_corpus
from callwright.errors import BadInput
from callwright.papers.fnctod.multiwoz_reader import MultiwozReadOptions, read
from callwright.papers.fnctod.tod_protocol import answer
from callwright.papers.fnctod.tod_scoring import database_at, end_to_end
from callwright.papers.fnctod.tracking_turns import tracking_tools
from callwright.records.transcript import Transcript

ROWS = {
    "hotel": [
        {"id": "h1", "name": "old mill", "area": "east", "phone": "0123456"},
        {"id": "h2", "name": "new inn", "area": "west", "phone": "0999999"},
    ],
    "restaurant": [{"id": "r", "name": "x"}],
    "attraction": [{"id": "a", "name": "x"}],
    "train": [{"trainID": "TR1", "day": "monday"}],
}
STATE = {"hotel": {"semi": {"area": "east"}, "book": {"booked": []}}}
SAID = {**turn("Old Mill , call 0123456 .", STATE), "dialog_act": {"Hotel-Inform": [["Phone", "0123456"]]}}
ONE = {
    "goal": {"hotel": {"info": {"area": "east"}, "reqt": ["phone"]}},
    "log": [turn("a hotel in the east"), SAID, turn("thanks"), turn("Have a nice day .", STATE)],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A database and a dataset of one dialogue."""
    for domain, rows in ROWS.items():
        (tmp_path / f"{domain}_db.json").write_text(json.dumps(rows))
    write_corpus(tmp_path / "ds", "multiwoz", corpus(tmp_path, ONE))
    return tmp_path


def rates(folder: Path, model: str) -> dict[str, Any]:
    out = folder / model
    callwright.evaluate_model(folder / "ds", "tod", model=f"builtin/{model}", out=out, db=str(folder))
    return {row.metric: row.value for row in callwright.score_runs([out]) if not row.slice}


def test_gold_calls_and_words_succeed(folder: Path) -> None:
    assert rates(folder, "oracle") == {
        "inform": 1,
        "success": 1,
        "bleu": pytest.approx(1),
        "combined": pytest.approx(2),
        "placeholder_recall": 1,
    }


def test_a_model_that_calls_nothing_fails(folder: Path) -> None:
    found = rates(folder, "abstain")
    assert (found["inform"], found["success"]) == (0, 0)


def test_the_database_answers_with_what_matches(folder: Path) -> None:
    database = database_at(str(folder))
    assert answer("hotel", {"hotel": {"area": "east"}}, database)["first"]["name"] == "old mill"
    assert answer("hotel", {"hotel": {"area": "north"}}, database) == {"matches": 0, "first": {}}
    assert answer("hotel", {"hotel": {"area": "dontcare"}}, database)["matches"] == 2
    assert answer("taxi", {}, database) == {"recorded": True}


def test_a_database_and_a_goal_are_needed(folder: Path) -> None:
    with pytest.raises(BadInput, match="--db is missing"):
        callwright.evaluate_model(folder / "ds", "tod", model="builtin/oracle", out=folder / "x")


def test_gold_responses_of_the_corpus_reach_what_is_published(shared_data: Path) -> None:
    """On every tenth test dialogue: nearly all identifying values get placeholders, most dialogues succeed."""
    data = shared_data / "multiwoz"
    database = database_at(str(data / "db"))
    found = read(data / "test_2.1.json.zip", MultiwozReadOptions())
    tools = tracking_tools(found.catalog.tools)
    done = []
    for one in found.dialogues[::10]:
        gold = Transcript(dialogue=one.id, protocol="tod.v2", model="gold", turns=one.turns, ended="script")
        done.append(end_to_end(one, gold, tools, database))
    assert sum(one.recall.found for one in done) / sum(one.recall.values for one in done) > 0.99
    assert len(done) == 100
    assert sum(one.outcome.informed for one in done) >= 90
    assert sum(one.outcome.succeeded for one in done) >= 87
