"""BFCL's files: questions with answers, recorded outputs in both layouts, categories, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bfcl_predictions import ANSWERED, files, read_category
from callwright.errors import BadDocument
from callwright.formats import document
from callwright.lang.calls import read_calls
from callwright.papers.bfcl.question_layout import Recorded, category_of, decode_result, read, read_results
from callwright.records.dialogue import Turn
from callwright.records.jsontext import decode

COUNTS = dict(zip(ANSWERED, (400, 200, 200, 200, 258, 16, 24), strict=True))

QUESTION: dict[str, Any] = {
    "id": "a",
    "question": [[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]],
    "function": [{"name": "f.g", "parameters": {"type": "dict", "properties": {"x": {"type": "integer"}}}}],
}
ANSWER: dict[str, Any] = {"id": "a", "ground_truth": [{"f.g": {"x": [1, ""]}}]}


@pytest.mark.parametrize("category", ANSWERED)
def test_every_question_is_read_with_its_answer(shared_data: Path, category: str) -> None:
    """Messages, documents and accepted values come back as the files have them, counted apart."""
    lines = [json.loads(line) for line in files(shared_data, category)[0].read_text("utf-8").splitlines()]
    truths = {
        one["id"]: one["ground_truth"]
        for one in map(json.loads, files(shared_data, category)[1].read_text("utf-8").splitlines())
    }

    questions = read_category(shared_data, category)

    assert len(questions) == len(lines) == COUNTS[category]
    for question, line in zip(questions, lines, strict=True):
        messages = [Turn(one["role"], one["content"]) for turn in line["question"] for one in turn]
        assert (question.id, list(question.turns)) == (line["id"], messages)
        assert list(question.documents) == line["function"]
        golds = [
            {gold.tool: {one.name: [decode(value) for value in one.accepted] for one in gold.arguments}}
            for gold in question.gold
        ]
        assert json.dumps(golds, sort_keys=True) == json.dumps(truths[question.id], sort_keys=True)
        assert all(one.optional == accepts_nothing(one.accepted) for gold in question.gold for one in gold.arguments)


def accepts_nothing(accepted: tuple[Any, ...]) -> bool:
    """Return whether the empty text is among accepted values."""
    return "" in [decode(value) for value in accepted]


def test_irrelevance_has_no_answers(shared_data: Path) -> None:
    """240 questions, none with a call that is right."""
    path = shared_data / "bfcl" / "BFCL_v4_irrelevance.json"

    questions = read(document.load(path), source=str(path))

    assert len(questions) == 240
    assert not any(question.gold for question in questions)


@pytest.mark.parametrize("part", ["multi_turn_base", "multi_turn_miss_param"])
def test_multi_turn_call_strings_are_call_syntax(shared_data: Path, part: str) -> None:
    """Every published call of the multi-turn parts is read as one call."""
    path = shared_data / "bfcl" / "possible_answer" / f"BFCL_v4_{part}.json"
    written = [text for line in document.load(path) for turn in line["ground_truth"] for text in turn]

    assert all(len(read_calls(text)) == 1 for text in written)
    assert len(written) > 1_000


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("BFCL_v4_simple_python.json", "simple_python"),
        ("results/gpt/BFCL_v3_live_simple_result.json", "live_simple"),
        ("BFCL_v4_parallel_multiple_score.json", "parallel_multiple"),
        ("BFCL_v4_irrelevance.json", "irrelevance"),
        ("live_irrelevance.jsonl", "live_irrelevance"),
        ("multiple", "multiple"),
        ("BFCL_v4_multi_turn_base.json", ""),
        ("BFCL_v4_simple_java.json", ""),
        ("BFCL_v4_live_relevance.json", ""),
        ("results.json", ""),
        ("my_simple_results_2.json", ""),
        ("", ""),
    ],
)
def test_the_category_is_that_of_the_name(name: str, category: str) -> None:
    """File names give single-turn Python categories; other names give none."""
    assert category_of(name) == category


@pytest.mark.parametrize(
    ("question", "answer", "message"),
    [
        ({"question": None}, {}, "list of turns"),
        ({"question": [["Hi"]]}, {}, "list of turns"),
        ({"function": None}, {}, "Multi-turn"),
        ({"function": ["f"]}, {}, "tool documents"),
        ({"id": 3}, {}, "entry 1"),
        ({"id": "\ud800"}, {}, "entry 1"),
        ({"id": "b"}, {}, "'a'"),
        ({}, {"ground_truth": []}, "not a list of calls"),
        ({}, {"ground_truth": "f()"}, "not a list of calls"),
        ({}, {"ground_truth": [{"f.g": {"x": 1}}]}, "have the form"),
        ({}, {"ground_truth": [{"f.g": {}, "h": {}}]}, "have the form"),
        ({}, {"ground_truth": [{}]}, "have the form"),
        ({}, {"ground_truth": [{"h": {}}]}, "not documented"),
    ],
)
def test_other_layouts_are_refused(question: dict[str, Any], answer: dict[str, Any], message: str) -> None:
    """A line that is laid out otherwise is one error that says where."""
    with pytest.raises(BadDocument, match=message):
        read([QUESTION | question], [ANSWER | answer], source="q.json")


@pytest.mark.parametrize("wrong", [{"id": "a"}, 7, None, "a", [[]]])
def test_lines_that_are_no_questions_are_refused(wrong: Any) -> None:
    """What is no object with an id and a question is named by its place."""
    with pytest.raises(BadDocument, match="entry 2"):
        read([QUESTION, wrong], source="q.json")


def test_an_id_stands_once() -> None:
    """Two questions of one id cannot be told apart."""
    with pytest.raises(BadDocument, match="twice"):
        read([QUESTION, QUESTION], source="q.json")


def test_results_are_kept_as_they_are() -> None:
    """Both layouts, and anything else, come through unread; further fields stay aside."""
    known = read([QUESTION, QUESTION | {"id": "b"}, QUESTION | {"id": "c"}], source="q.json")
    lines = [
        {"id": "a", "result": "[f()]", "latency": 1},
        {"id": "b", "result": [{"f": "{}"}]},
        {"id": "c", "result": 1},
    ]

    found = read_results(lines, source="r.json", known=known)

    assert {id_: one.result for id_, one in found.items()} == {"a": "[f()]", "b": [{"f": "{}"}], "c": 1}


def test_a_single_line_is_a_list_of_one() -> None:
    """A file of one line is read like any other."""
    known = read(QUESTION, ANSWER, source="q.json")

    assert read_results({"id": "a", "result": ""}, source="r.json", known=known) == {"a": Recorded("a", "")}


def test_ids_of_the_version_before_are_found() -> None:
    """Results recorded with version 3 say `simple_7` for `simple_python_7`; a question of that very id comes first."""
    new, old = QUESTION | {"id": "simple_python_7"}, QUESTION | {"id": "simple_7"}
    lines = [{"id": "simple_7", "result": ""}]

    found = Recorded("simple_7", "")
    assert read_results(lines, source="r", known=read([new], source="q")) == {"simple_python_7": found}
    assert read_results(lines, source="r", known=read([new, old], source="q")) == {"simple_7": found}


@pytest.mark.parametrize(
    ("ids", "message"),
    [(["a", "z"], "'z'"), (["a", "a"], "twice"), (["simple_python_7", "simple_7"], "answered twice")],
)
def test_results_belong_to_questions(ids: list[str], message: str) -> None:
    """A result of no question, and a second one of a question, are errors."""
    known = read([QUESTION, QUESTION | {"id": "simple_python_7"}], source="q.json")
    with pytest.raises(BadDocument, match=message):
        read_results([{"id": one, "result": ""} for one in ids], source="r.json", known=known)


@pytest.mark.parametrize(
    ("result", "calls"),
    [("[f(a=1)]", 1), ([{"f": '{"a": 1}'}], 1), ("[]", 0), ([], 0), ("", 0)],
)
def test_both_layouts_are_decoded(result: Any, calls: int) -> None:
    """Text in call syntax and native lists give calls."""
    assert len(decode_result(result) or ()) == calls


@pytest.mark.parametrize("result", ["No.", "So: [f()]", None, 3, {"f": "{}"}, ["f()"], [{"f": "1"}], "f(x=9**9**9)"])
def test_what_cannot_be_decoded_is_none(result: Any) -> None:
    """A reply that is not a list of calls has no calls, which is not the same as none."""
    assert decode_result(result) is None
