"""Corpora of state tracking as datasets."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from state_corpora import THREE, corpus, turn

from callwright.app.corpora import read_corpus, write_corpus
from callwright.app.evaluation import evaluate_model
from callwright.app.rescoring import score_runs
from callwright.errors import BadInput
from callwright.papers.fnctod.belief_states import beliefs, changed_domains, cleared_slots
from callwright.papers.fnctod.multiwoz_reader import MultiwozReadOptions, read
from callwright.papers.fnctod.restaurant_readers import read_camrest, read_woz
from callwright.papers.fnctod.sgd_reader import SgdReadOptions
from callwright.papers.fnctod.sgd_reader import read as read_sgd
from callwright.papers.paper import Corpus, NoOptions


def test_a_state_is_a_call_of_its_domain(tmp_path: Path) -> None:
    (dialogue,) = corpus(tmp_path, THREE).dialogues
    golds = [[(call.tool, call.values) for call in task.gold] for task in dialogue.tasks]
    assert golds == [
        [("find_book_hotel", {"area": "east"})],
        [
            ("find_book_hotel", {"area": "east", "parking": "yes", "bookday": "monday"}),
            ("find_book_train", {"leave_at_or_after": "after 9:15"}),
        ],
        [
            ("find_book_hotel", {"area": "dontcare", "parking": "", "bookday": ""}),
            ("find_book_train", {"leave_at_or_after": "09:15"}),
        ],
    ]
    assert [task.kind for task in dialogue.tasks] == ["single", "multi", "multi"]
    assert [len(turn.calls) for turn in dialogue.turns] == [0, 1, 0, 2, 0, 2]


def test_what_is_not_mentioned_is_no_value(tmp_path: Path) -> None:
    (dialogue,) = corpus(tmp_path, THREE).dialogues
    assert beliefs(dialogue)[0] == {"hotel": {"area": ("east",)}}


V22 = {
    "dialogue_id": "A.json",
    "turns": [
        {
            "speaker": "USER",
            "utterance": "hi",
            "frames": [{"service": "hotel", "state": {"slot_values": {"hotel-area": ["east", "the east"]}}}],
        },
        {"speaker": "SYSTEM", "utterance": "ok", "frames": []},
    ],
}


def test_version_22_has_frames(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text(json.dumps([V22]))
    (dialogue,) = read(tmp_path / "d.json", MultiwozReadOptions()).dialogues
    assert beliefs(dialogue) == {0: {"hotel": {"area": ("east", "the east")}}}
    assert dialogue.recipe == "multiwoz-2.2.v1"


def test_a_folder_is_all_its_files(tmp_path: Path) -> None:
    """In the order of their names; other files of the folder are left alone, and a folder without any is refused."""
    with pytest.raises(BadInput, match=r"no file in this folder is called dialogues_\*.json"):
        read(tmp_path, MultiwozReadOptions())
    (tmp_path / "schema.json").write_text("{}")
    for name in ("C", "A", "B"):
        (tmp_path / f"dialogues_{name}.json").write_text(json.dumps([{**V22, "dialogue_id": f"{name}.json"}]))
    assert [one.id for one in read(tmp_path, MultiwozReadOptions()).dialogues] == ["A.json", "B.json", "C.json"]
    (tmp_path / "dialogues_B.json").write_text("[]")
    with pytest.raises(BadInput, match=r"dialogues_B\.json: no dialogues"):
        read(tmp_path, MultiwozReadOptions())


@pytest.mark.parametrize(
    ("found", "place"),
    [
        ({"A": {"goal": {}, "log": [turn("a"), {**turn("b"), "text": 3}]}}, "A, turn 1: expected a text"),
        ({"A": {"goal": {}, "log": [turn("a"), {"text": "b"}]}}, "A, turn 1: no `metadata`"),
        ({"A": {"goal": {}, "log": [turn("a")]}}, "A: 1 turns"),
        ({"A": {"goal": {}, "log": [{"text": "a"}, turn("b")]}}, "A, turn 0: no 'dialog_act'"),
        ({"A": {"log": []}}, "A: no `goal`"),
        ([{"dialogue_id": "A"}], "dialogue 1: .*turns"),
        ([{**V22, "turns": [V22["turns"][1]]}], "A.json, turn 0: SYSTEM speaks"),  # type: ignore[index]
        ([{**V22, "turns": [{"speaker": "USER"}]}], "A.json, turn 0"),
        ([], "no dialogues"),
        (3, "no dialogues"),
    ],
)
def test_a_broken_file_names_dialogue_and_turn(tmp_path: Path, found: Any, place: str) -> None:
    (tmp_path / "bad.json").write_text(json.dumps(found))
    with pytest.raises(BadInput, match=place):
        read(tmp_path / "bad.json", MultiwozReadOptions())


@pytest.mark.parametrize(
    ("reader", "text", "place"),
    [
        (read_woz, '[{"dialogue_idx": 3, "dialogue": [{"transcript": 1}]}]', r"dialogue 1 \(3\), turn 0"),
        (read_woz, "{}", "expected a list"),
        (read_camrest, '# c\n[{"dialogue_id": 3, "dial": [{"usr": {}}]}]', r"dialogue 1 \(3\), turn 0"),
        (read_camrest, '# c\n[{"dialogue_id": 3}]', "dialogue 1: no `dialogue_id`"),
    ],
)
def test_a_broken_restaurant_corpus_names_its_place(tmp_path: Path, reader: Any, text: str, place: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(BadInput, match=place):
        reader(tmp_path / "bad.json", NoOptions())


@pytest.fixture(scope="module")
def test_part(shared_data: Path) -> Corpus:
    """The test part of MultiWOZ 2.1."""
    return read(shared_data / "multiwoz" / "test_2.1.json.zip", MultiwozReadOptions())


def test_facts_of_multiwoz(test_part: Corpus) -> None:
    """Dialogues, turns, `dontcare`, values outside choices, changed domains and deletions of version 2.1."""
    found: Counter[str] = Counter()
    for dialogue in test_part.dialogues:
        before: Any = {}
        for belief in beliefs(dialogue).values():
            values = [value for slots in belief.values() for (value,) in slots.values()]
            found["turns"] += 1
            found["empty"] += not belief
            found["dontcare"] += "dontcare" in values
            found["values dontcare"] += values.count("dontcare")
            found[f"{min(len(changed_domains(before, belief)), 2)} changed"] += 1
            found["clears"] += bool(cleared_slots(before, belief))
            before = belief
    assert len(test_part.dialogues) == 1000
    assert found == {
        "turns": 7372,
        "empty": 107,
        "dontcare": 976,
        "values dontcare": 1169,
        "clears": 96,
        "0 changed": 2498,
        "1 changed": 4799,
        "2 changed": 75,
    }


def test_facts_of_the_restaurant_corpora(shared_data: Path) -> None:
    for name, dialogues, turns in (("train", 600, 2536), ("validate", 200, 830), ("test", 400, 1646)):
        found = read_woz(shared_data / "woz" / f"woz_{name}_en.json", NoOptions()).dialogues
        assert (len(found), sum(len(one.tasks) for one in found)) == (dialogues, turns)
    found = read_camrest(shared_data / "camrest" / "CamRest676.json", NoOptions()).dialogues
    assert (len(found), sum(len(one.tasks) for one in found)) == (676, 2744)


def test_calls_of_sgd_are_calls_of_its_tools(shared_data: Path) -> None:
    """Every real call is of a tool shown, with all that it requires and nothing else."""
    read_ = read_sgd(shared_data / "sgd" / "dev" / "dialogues_001.json", SgdReadOptions())
    tools = {tool.name: tool for tool in read_.catalog.tools}
    calls = [call for dialogue in read_.dialogues for turn_ in dialogue.turns for call in turn_.calls]
    assert len(calls) == 209
    for call in calls:
        assert set(tools[call.tool].required) <= set(call.values) <= set(tools[call.tool].properties)
    assert sum(len(beliefs(dialogue)) for dialogue in read_.dialogues) == 825


@pytest.mark.parametrize(("part", "name", "n"), [("train", "dialogues_002", 236), ("test", "dialogues_003", 155)])
def test_calls_of_sgd_validate(shared_data: Path, part: str, name: str, n: int) -> None:
    """Every service call is valid against the schema of its tool: 921 of 921 in the four files, here of two."""
    import jsonschema_rs

    found = read_sgd(shared_data / "sgd" / part / f"{name}.json", SgdReadOptions())
    tools = {tool.name: jsonschema_rs.validator_for(tool.schema) for tool in found.catalog.tools}
    calls = [call for dialogue in found.dialogues for turn_ in dialogue.turns for call in turn_.calls]
    assert len(calls) == n
    assert all(tools[call.tool].is_valid(call.values) for call in calls)


def test_the_oracle_tracks_a_corpus_of_service_calls(shared_data: Path, tmp_path: Path) -> None:
    """The protocol asks for the states of SGD, whose own gold calls are those of its services."""
    source = shared_data / "sgd" / "dev" / "dialogues_001.json"
    assert read_corpus("sgd", source, out=tmp_path / "ds").gold_calls > 0
    evaluate_model(tmp_path / "ds", "fnctod", model="builtin/oracle", out=tmp_path / "run", limit=8)

    (row,) = [row for row in score_runs(tmp_path / "run") if row.metric == "jga" and not row.slice]
    assert row.value == 1


def test_another_corpus_is_not_read_as_multiwoz(shared_data: Path) -> None:
    """SGD has the layout of version 2.2, and none of its domains."""
    with pytest.raises(BadInput, match="no state of a domain of MultiWOZ"):
        read(shared_data / "sgd" / "dev" / "dialogues_001.json", MultiwozReadOptions())


def test_two_dialogues_of_one_id_are_refused(tmp_path: Path) -> None:
    """An evaluation could not tell them apart."""
    one = corpus(tmp_path, THREE)
    twice = one._replace(dialogues=one.dialogues * 2)
    with pytest.raises(BadInput, match="2 dialogues have the id"):
        write_corpus(tmp_path / "ds", "multiwoz", twice)


def test_a_folder_of_sgd_is_all_its_files(shared_data: Path) -> None:
    """The two training files; services of both."""
    found = read_sgd(shared_data / "sgd" / "train", SgdReadOptions())
    assert len(found.dialogues) == 256
    assert [one.id.split("_")[0] for one in found.dialogues] == ["1"] * 128 + ["2"] * 128


def test_sgd_has_64_entries_of_45_services(shared_data: Path) -> None:
    names = [
        service["service_name"]
        for part in ("train", "dev", "test")
        for service in json.loads((shared_data / "sgd" / part / "schema.json").read_text())
    ]
    assert (len(names), len(set(names))) == (64, 45)
