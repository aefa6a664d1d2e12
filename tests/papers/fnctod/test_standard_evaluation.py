"""The whole standard evaluation against the slow one, on perturbed outputs in the shapes of published ones."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from perturbed_outputs import Data, multiwoz, outputs_of
from slow_multiwoz import slow_score

from callwright.papers.fnctod.multiwoz_layout import read_goals
from callwright.papers.fnctod.multiwoz_score import ScoringData, score_outputs_on
from callwright.papers.fnctod.recorded_outputs import read_outputs
from callwright.papers.fnctod.venue_database import read_database

FILES = int(os.environ.get("PERTURBED_FILES", "2"))
DIALOGUES = int(os.environ.get("PERTURBED_DIALOGUES", "4"))
SOURCES: tuple[Any, ...] = ("given", "slots", "estimated")


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> tuple[Data, Data, Any]:
    data, rows = multiwoz(shared_data)
    return data, rows, read_database(shared_data / "multiwoz" / "db")


def scored(found: Any) -> Data:
    rates = {name: (one.inform, one.success, one.dialogues) for name, one in found.by_domain.items()}
    return {
        "inform": found.inform,
        "success": found.success,
        "by_domain": rates,
        "turns": found.turns,
        "missing": {one.dialogue: one.turns for one in found.missing},
        "extra": {one.dialogue: one.turns for one in found.extra},
        "unknown": found.unknown_placeholders,
    }


@pytest.mark.parametrize("seed", range(FILES))
def test_every_number_equals_the_slow_one(corpus: tuple[Data, Data, Any], seed: int, tmp_path: Path) -> None:
    data, rows, database = corpus
    rng = Random(seed)
    some = {name: data[name] for name in rng.sample(sorted(data), DIALOGUES)}
    outputs = outputs_of(some, rng)
    (tmp_path / "data.json").write_text(json.dumps(some))
    (tmp_path / "out.json").write_text(json.dumps(outputs))
    read, goals = read_outputs(tmp_path / "out.json"), read_goals(tmp_path / "data.json")
    for source in SOURCES:
        found, _ = score_outputs_on(read, ScoringData(goals, database), source)
        slow = slow_score(outputs, some, rows, source)
        richness = slow.pop("richness")
        assert scored(found) == slow, source
        for name, value in richness.items():
            assert getattr(found.richness, name) == pytest.approx(value, abs=1e-9), name
