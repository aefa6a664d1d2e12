"""The published dialogues of DICE-BENCH: facts, round trip, bad input."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import callwright
from callwright.errors import BadInput
from callwright.papers.dice.published_rounds import read, to_record
from callwright.papers.paper import NoOptions
from callwright.records.annotations.dice_notes import DiceNotes


def small(folder: Path, change: Callable[[dict[str, Any]], None] | None = None) -> Path:
    """A folder with one dialogue of two rounds."""
    tool = {"function": "book_room", "desc": "Books a room.", "parameters": [{"name": "n", "type": "int", "desc": "x"}]}
    gold = {"function": "book_room", "parameters": {"n": 3}, "domain": "d", "return_value": {}, "returned_nl": "Ok."}
    said = [{"speaker": "agent_a", "message": "AI, please."}, {"speaker": "AI Assistant", "message": "Ok."}]
    meta = {"diag_id": 0, "user_personas": {"agent_a": "p"}, "params_ret_val": [gold, dict(gold)], "category": "c"}
    record = {"metadata": meta, "messages": [{"Round 1": said}, {"Round 2": [dict(one) for one in said]}]}
    if change is not None:
        change(record)
    folder.mkdir(exist_ok=True)
    (folder / "tool_docs.json").write_text(json.dumps({"functions": [tool]}))
    (folder / "round_2.json").write_text(json.dumps([record]))
    return folder


def test_the_published_dialogues(shared_data: Path) -> None:
    """12 dialogues of 1 to 4 rounds, 30 gold calls with documented parameters, two people and one type in all."""
    corpus = read(shared_data / "dice", NoOptions())
    by_name = {tool.name: tool for tool in corpus.catalog.tools}
    golds = [gold for one in corpus.dialogues for task in one.tasks for gold in task.gold]
    assert (len(corpus.catalog.tools), len(corpus.dialogues), len(golds)) == (124, 12, 30)
    assert sorted(len(one.tasks) for one in corpus.dialogues) == [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3
    assert all(gold.values.keys() <= by_name[gold.tool].properties.keys() for gold in golds)
    assert {sum(who.role == "user" for who in one.participants) for one in corpus.dialogues} == {2}
    types = {one.annotation.dialogue_type for one in corpus.dialogues if isinstance(one.annotation, DiceNotes)}
    assert types == {"persuasion_deliberation_negotiation"}


@pytest.mark.parametrize(
    ("category", "type_"),
    [
        ("Persuassion_Deliberation_and_Negotiation", "persuasion_deliberation_negotiation"),
        ("Inquiry_and_Information_Seeking", "inquiry_information_seeking"),
        ("Eristic", "eristic"),
        ("c", "c"),
    ],
)
def test_published_types_are_those_of_made_dialogues(tmp_path: Path, category: str, type_: str) -> None:
    """A report has one slice a type, whoever made the dialogues; what is written has the published spelling again."""
    folder = small(tmp_path / "in", lambda record: record["metadata"].update(category=category))
    corpus = read(folder, NoOptions())
    (one,) = corpus.dialogues
    assert isinstance(one.annotation, DiceNotes)
    assert one.annotation.dialogue_type == type_
    metadata = to_record(one, corpus.catalog.by_key)["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["category"] == category


def test_consecutive_tools_are_edges(shared_data: Path) -> None:
    """All 18 pairs of tools that follow one another are edges of the published graph."""
    corpus = read(shared_data / "dice", NoOptions())
    graph = json.loads((shared_data / "dice" / "tool_graph.json").read_text())
    edges = {(link["source"], link["target"]) for link in graph["links"]}
    chains = [[task.gold[0].tool for task in one.tasks] for one in corpus.dialogues]
    pairs = [pair for chain in chains for pair in itertools.pairwise(chain)]
    assert len(pairs) == 18
    assert set(pairs) <= edges


def test_dialogues_come_back(shared_data: Path) -> None:
    """Writing gives the published documents."""
    corpus = read(shared_data / "dice", NoOptions())
    published = [one for n in range(1, 5) for one in json.loads((shared_data / "dice" / f"round_{n}.json").read_text())]
    assert [to_record(one, corpus.catalog.by_key) for one in corpus.dialogues] == published


def _no_call(record: dict[str, Any]) -> None:
    record["metadata"]["params_ret_val"].pop()


def _stranger(record: dict[str, Any]) -> None:
    record["messages"][0]["Round 1"][0]["speaker"] = "agent_z"


def _no_assistant(record: dict[str, Any]) -> None:
    record["messages"][1]["Round 2"].pop()


def _unknown_tool(record: dict[str, Any]) -> None:
    record["metadata"]["params_ret_val"][0]["function"] = "fly"


def _no_metadata(record: dict[str, Any]) -> None:
    del record["metadata"]


def _empty_round(record: dict[str, Any]) -> None:
    record["messages"][0]["Round 1"] = []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_no_call, "dialogue 1: 2 rounds and 1 gold calls"),
        (_stranger, "round 1: 'agent_z' speaks"),
        (_no_assistant, "round 2: it must end with the only words of 'AI Assistant'"),
        (_unknown_tool, "round 1: no tool is called 'fly'"),
        (_no_metadata, "dialogue 1: Object missing required field"),
        (_empty_round, "round 1: it must end"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str) -> None:
    """One error with file, dialogue and round."""
    with pytest.raises(BadInput, match=message):
        read(small(tmp_path / "in", change), NoOptions())


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    """The message says which files a folder needs."""
    with pytest.raises(BadInput, match=r"tool_docs\.json and round_1\.json"):
        read(tmp_path, NoOptions())


def test_a_corpus_is_a_dataset(tmp_path: Path) -> None:
    """What was read opens as a dataset and can be written again."""
    callwright.read_corpus("dice", small(tmp_path / "in"), out=tmp_path / "ds")
    (one,) = callwright.open_dataset(tmp_path / "ds").dialogues
    assert [task.turn for task in one.tasks] == [0, 2]
