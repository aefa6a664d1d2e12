"""Training dialogues from several corpora."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from state_corpora import THREE, corpus

from callwright.app.corpora import read_corpus, write_corpus
from callwright.app.datasets import open_dataset
from callwright.errors import BadInput
from callwright.papers.fnctod.training_mix import MixOptions, read


def woz(folder: Path, n: int) -> None:
    """Write a dataset of WOZ with `n` dialogues."""
    belief = [{"act": "inform", "slots": [["area", "east"]]}]
    turn = {"transcript": "in the east", "system_transcript": "", "belief_state": belief}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "woz.json").write_text(json.dumps([{"dialogue_idx": at, "dialogue": [turn]} for at in range(n)]))
    read_corpus("woz", folder / "woz.json", out=folder / "sets" / "woz")


def test_some_dialogues_of_each_domain_are_taken(tmp_path: Path) -> None:
    woz(tmp_path, 5)
    found = read(tmp_path / "sets", MixOptions(per_domain=3))
    assert [one.id for one in found.dialogues] == ["woz-woz-0", "woz-woz-1", "woz-woz-2"]
    assert found.category.startswith("1 domains, 1 of them with 3 or more")
    assert [tool.name for tool in found.catalog.tools] == ["find_restaurant"]
    assert found.dialogues[0].tasks[0].gold[0].values == {"area": "east"}
    read_corpus("fnctod-mix", tmp_path / "sets", out=tmp_path / "sft", per_domain=2)
    assert len(open_dataset(tmp_path / "sft").dialogues) == 2


def test_an_evaluated_corpus_is_refused_by_name(tmp_path: Path) -> None:
    woz(tmp_path, 1)
    write_corpus(tmp_path / "sets" / "mwz", "multiwoz", corpus(tmp_path, THREE))
    with pytest.raises(BadInput, match=r"multiwoz-2\.1 is evaluated"):
        read(tmp_path / "sets", MixOptions())


def test_an_empty_folder_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no datasets"):
        read(tmp_path, MixOptions())


def test_services_of_sgd_become_functions(shared_data: Path, tmp_path: Path) -> None:
    read_corpus("sgd", shared_data / "sgd" / "dev" / "dialogues_001.json", out=tmp_path / "sets" / "sgd")
    found = read(tmp_path / "sets", MixOptions(per_domain=10))
    assert all(len(task.gold) <= 2 for one in found.dialogues for task in one.tasks)
    shown = {tool.key: tool.domain for tool in found.catalog.tools}
    assert shown
    for one in found.dialogues:
        occurring = {state.domain for turn in one.annotation.turns for state in turn.states}  # type: ignore[union-attr]
        assert {shown[tool.key] for tool in one.tools} == occurring
