"""Examples of calls for the prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from state_corpora import THREE, corpus

from callwright.app.corpora import write_corpus
from callwright.errors import BadInput
from callwright.papers.fnctod.incontext_examples import CallExample, covering, examples_text, read_examples


def example(said: str, *names: str) -> CallExample:
    return CallExample("f", (said,), {name: name.upper() for name in names})


def test_examples_cover_parameters_with_few_words() -> None:
    given = [example("a two", "a"), example("a", "a"), example("b c z", "b", "c"), example("b v", "b")]
    assert [one.said[0] for one in covering(given, 3)] == ["b c z", "a", "a two"]
    assert covering(given, 9)[0] == given[2]
    assert covering([], 2) == []


def test_examples_say_what_their_calls_hold() -> None:
    """A late turn with a long call that its last words do not say teaches a model to invent values."""
    late, early, partly = example("bye", "a", "c"), example("a please", "a"), example("b or c", "a", "b", "c")
    assert covering([late, early, partly], 3) == [early, partly, late]


def test_a_dataset_gives_its_calls_but_not_those_of_the_dialogue_itself(tmp_path: Path) -> None:
    write_corpus(tmp_path / "ds", "multiwoz", corpus(tmp_path, THREE))
    folder = str(tmp_path / "ds")
    assert [one.function for one in read_examples(folder)].count("find_book_hotel") == 3
    text = examples_text(folder, ["find_book_hotel"], 1, without="another")
    assert text.splitlines() == [
        "Examples:",
        "User: user says 0",
        'Call: find_book_hotel({"area":"east"})',
    ]
    assert examples_text(folder, ["find_book_hotel"], 1, without="D0") == ""
    assert examples_text(folder, ["find_book_hotel"], 0, without="") == ""


def test_a_file_gives_examples_in_its_order(tmp_path: Path) -> None:
    path = tmp_path / "hand.jsonl"
    lines = [{"function": "f", "said": [f"say {at}"], "arguments": {"a": at}} for at in range(3)]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert examples_text(str(path), ["f", "g"], 2, without="").splitlines() == [
        *("Examples:", "User: say 0", 'Call: f({"a":0})', "User: say 1", 'Call: f({"a":1})')
    ]


def test_a_bad_file_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text('[{"function": 3}]')
    with pytest.raises(BadInput, match=r"bad\.json"):
        read_examples(str(path))
