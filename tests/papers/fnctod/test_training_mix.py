"""Training dialogues from several corpora."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from state_corpora import THREE, corpus

from callwright.app.corpora import read_corpus, write_corpus
from callwright.app.datasets import open_dataset
from callwright.app.training import read_export
from callwright.cli import main
from callwright.errors import BadInput
from callwright.papers.fnctod.training_mix import PAPER_DOMAINS, MixOptions, mix
from callwright.train.chat_template import read_template
from callwright.train.export_checks import RenderedRow


def woz(folder: Path, n: int) -> None:
    """Write a dataset of WOZ with `n` dialogues."""
    belief = [{"act": "inform", "slots": [["area", "east"]]}]
    turn = {"transcript": "in the east", "system_transcript": "", "belief_state": belief}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "woz.json").write_text(json.dumps([{"dialogue_idx": at, "dialogue": [turn]} for at in range(n)]))
    read_corpus("woz", folder / "woz.json", out=folder / "sets" / "woz")


def test_up_to_some_dialogues_of_each_domain_are_taken(tmp_path: Path) -> None:
    woz(tmp_path, 5)
    sets = tmp_path / "sets" / "woz"
    found = mix([sets], MixOptions(per_domain=3), 7)
    assert len({one.id for one in found.dialogues}) == 3
    assert found.category == "1 domains (woz-2.0 restaurant 3; 1 of the paper's 36)"
    assert [tool.name for tool in found.catalog.tools] == ["find_restaurant"]
    assert found.dialogues[0].tasks[0].gold[0].values == {"area": "east"}
    assert found == mix([sets], MixOptions(per_domain=3), 7)
    assert len({mix([sets], MixOptions(per_domain=3), seed).dialogues for seed in range(9)}) > 1
    assert "restaurant 5;" in mix([sets], MixOptions(per_domain=9), 0).category


def test_synth_writes_a_dataset_and_says_what_is_reached(tmp_path: Path) -> None:
    woz(tmp_path, 5)
    words = ["synth", "fnctod", str(tmp_path / "sets" / "woz"), "--per-domain", "2", "-o", str(tmp_path / "sft")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("2 dialogues of 1 domains (woz-2.0 restaurant 2; ")
    assert len(open_dataset(tmp_path / "sft").dialogues) == 2


def test_the_documented_commands_train_the_calls_alone(tmp_path: Path) -> None:
    """Of each row that the page's `synth` and `export` give, the call and the end of the reply are trained (3.4)."""
    page = (Path(__file__).parents[3] / "docs" / "multiwoz.md").read_text(encoding="utf-8")
    (documented,) = re.findall("^callwright (export path/to/mix .*)$", page, re.MULTILINE)
    woz(tmp_path, 3)
    made = CliRunner().invoke(main, ["synth", "fnctod", str(tmp_path / "sets" / "woz"), "-o", str(tmp_path / "mix")])
    done = CliRunner().invoke(main, documented.replace("path/to", str(tmp_path)).split())
    assert (made.exit_code, done.exit_code) == (0, 0), done.output

    _, rows, _ = read_export(tmp_path / "sft")
    template = read_template("qwen2_5")
    trained = ["".join(RenderedRow(at, row, template).trained or ()) for at, row in enumerate(rows, 1)]

    call = '<function_call> {"function":"find_restaurant","arguments":{"area":"east"}} </function_call>'
    assert trained == [f"{call}<|im_end|>\n"] * 3
    assert all(row["prompt"][-1]["content"] == "in the east" for row in rows)


def test_the_papers_domains_are_36() -> None:
    assert sum(map(len, PAPER_DOMAINS.values())) == 36


def test_an_evaluated_corpus_is_refused_by_name(tmp_path: Path) -> None:
    woz(tmp_path, 1)
    write_corpus(tmp_path / "sets" / "mwz", "multiwoz", corpus(tmp_path, THREE))
    with pytest.raises(BadInput, match=r"multiwoz-2\.1 is evaluated"):
        mix([tmp_path / "sets" / "woz", tmp_path / "sets" / "mwz"], MixOptions(), 0)


def test_a_folder_without_a_dataset_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="catalog"):
        mix([tmp_path], MixOptions(), 0)


def test_services_of_sgd_become_functions(shared_data: Path, tmp_path: Path) -> None:
    read_corpus("sgd", shared_data / "sgd" / "dev" / "dialogues_001.json", out=tmp_path / "sets" / "sgd")
    found = mix([tmp_path / "sets" / "sgd"], MixOptions(per_domain=10), 0)
    assert all(len(task.gold) <= 2 for one in found.dialogues for task in one.tasks)
    shown = {tool.key: tool.domain for tool in found.catalog.tools}
    assert shown
    for one in found.dialogues:
        occurring = {state.domain for turn in one.annotation.turns for state in turn.states}  # type: ignore[union-attr]
        assert {shown[tool.key] for tool in one.tools} == occurring
