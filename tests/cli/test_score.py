"""`callwright score bfcl`: what it prints, and what it asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bfcl_predictions import ANSWERED, as_native, as_text, files, gold_calls, read_category
from callwright.cli import main

DOCUMENT = {"name": "f", "parameters": {"type": "dict", "properties": {"x": {"type": "integer"}}, "required": ["x"]}}


def score(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["score", "bfcl", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def write(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Three questions that want f(x=1), f(x=2) and two calls."""
    return write(
        tmp_path / "q.json", [{"id": id_, "question": [], "function": [DOCUMENT]} for id_ in ("one", "two", "both")]
    )


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """The answers of the three questions."""
    values = {"one": [1], "two": [2], "both": [1, 2]}
    truths = {id_: [{"f": {"x": [value]}} for value in one] for id_, one in values.items()}
    return write(tmp_path / "a.json", [{"id": id_, "ground_truth": truth} for id_, truth in truths.items()])


def test_json_has_the_documented_fields(questions: Path, answers: Path, tmp_path: Path) -> None:
    """Accuracy, count, verdicts in the order of the questions, and a signature; nothing else."""
    lines = [
        {"id": "both", "result": [{"f": '{"x": 2}'}, {"f": {"x": 1}}]},
        {"id": "two", "result": "[f(x='2')]"},
        {"id": "one", "result": " f(x=1)"},
    ]
    results = write(tmp_path / "r.json", lines)

    code, out, _ = score(results, "--questions", questions, "--answers", answers, "--json")

    printed = json.loads(out)
    assert code == 0
    assert list(printed) == ["accuracy", "n", "items", "signature"]
    assert printed["accuracy"] == pytest.approx(2 / 3)
    assert printed["n"] == 3
    assert printed["items"] == [
        {"id": "one", "valid": True, "error": None},
        {"id": "two", "valid": False, "error": "type:simple"},
        {"id": "both", "valid": True, "error": None},
    ]
    assert "mode:official" in printed["signature"]


def test_the_table_names_errors_and_what_was_not_answered(questions: Path, answers: Path, tmp_path: Path) -> None:
    """Each item has a line; counts of errors, accuracy and unanswered questions follow."""
    results = write(tmp_path / "r.json", [{"id": "one", "result": "Well, f(x=1)"}, {"id": "two", "result": "f(x=2)"}])

    code, out, _ = score(results, "--questions", questions, "--answers", answers)

    assert code == 0
    assert "wrong  one  undecodable" in out
    assert "right  two" in out
    assert "1 undecodable" in out
    assert "accuracy 50.00% of 2 outputs; 1 questions have none" in out


def test_mode_and_category_change_verdicts(questions: Path, answers: Path, tmp_path: Path) -> None:
    """`strict` takes 1.0 for an integer; a category of several calls names what has no counterpart."""
    results = write(tmp_path / "r.json", [{"id": "one", "result": "f(x=1.0)"}])
    given = [results, "--questions", questions, "--answers", answers, "--json"]

    assert json.loads(score(*given)[1])["items"][0]["error"] == "type:simple"
    assert json.loads(score(*given, "--mode", "strict")[1])["accuracy"] == 1
    parallel = json.loads(score(*given, "--category", "parallel")[1])
    assert parallel["items"][0]["error"] == "cannot_find_match"
    assert "category:parallel" in parallel["signature"]


@pytest.mark.parametrize("name", ["q.json", "BFCL_v4_irrelevance.json"])
def test_irrelevance_needs_no_answers(questions: Path, tmp_path: Path, name: str) -> None:
    """By its file's name or by `--category`: what cannot be decoded is no call, and any call is wrong."""
    named = questions.rename(tmp_path / name)
    lines = [{"id": "one", "result": "No."}, {"id": "two", "result": "[f(x=1)]"}, {"id": "both", "result": []}]
    results = write(tmp_path / "r.json", lines)

    category = ["--category", "irrelevance"] if name == "q.json" else []
    code, out, _ = score(results, "--questions", named, "--json", *category)

    assert code == 0
    assert [item["valid"] for item in json.loads(out)["items"]] == [True, False, True]


def test_nothing_recorded_is_no_zero(questions: Path, answers: Path, tmp_path: Path) -> None:
    """Without outputs there is no accuracy."""
    results = tmp_path / "r.json"
    results.write_text("[]")

    printed = json.loads(score(results, "--questions", questions, "--answers", answers, "--json")[1])

    assert (printed["accuracy"], printed["n"]) == (None, 0)


def test_verdicts_have_the_ids_of_the_outputs(tmp_path: Path) -> None:
    """What was recorded as `simple_0`, before its question was renamed, is found by that name in the verdicts."""
    asked = write(tmp_path / "q.json", [{"id": "simple_python_0", "question": [], "function": [DOCUMENT]}])
    answered = write(tmp_path / "a.json", [{"id": "simple_python_0", "ground_truth": [{"f": {"x": [1]}}]}])
    results = write(tmp_path / "r.json", [{"id": "simple_0", "result": "[f(x=1)]"}])

    _, out, _ = score(results, "--questions", asked, "--answers", answered, "--json")

    assert json.loads(out)["items"] == [{"id": "simple_0", "valid": True, "error": None}]


@pytest.mark.parametrize("category", ANSWERED)
@pytest.mark.parametrize("layout", [as_text, as_native])
def test_gold_answers_score_100(shared_data: Path, tmp_path: Path, category: str, layout: Any) -> None:
    """Gold answers as recorded outputs: all right in every category, 256 of 258 in `live_simple`."""
    lines = [{"id": one.id, "result": layout(gold_calls(one))} for one in read_category(shared_data, category)]
    results = write(tmp_path / f"BFCL_v4_{category}_result.json", lines)
    asked, answered = files(shared_data, category)

    code, out, _ = score(results, "--questions", asked, "--answers", answered, "--json")

    printed = json.loads(out)
    assert code == 0
    assert printed["n"] == len(lines)
    assert printed["accuracy"] == (256 / 258 if category == "live_simple" else 1)
    assert f"category:{category}|" in printed["signature"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--answers is missing"),
        (["--category", "java"], "no single-turn Python category"),
        (["--category", "multi_turn_base"], "no single-turn Python category"),
        (["--answers", "nowhere.json"], "no such file"),
        (["--mode", "lenient"], "official"),
    ],
)
def test_bad_input_exits_with_2(questions: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    """What is missing or unknown is one error, before anything is judged."""
    results = write(tmp_path / "r.json", [])

    code, _, error = score(results, "--questions", questions, *arguments)

    assert code == 2
    assert message in error


@pytest.mark.parametrize(
    "text", ["{", '{"id": "one"}', '{"id": "zzz", "result": ""}', '[{"id": "one"', "[" * 100_000, ""]
)
def test_broken_results_are_one_error(questions: Path, answers: Path, tmp_path: Path, text: str) -> None:
    """A file of results that is broken, foreign or hostile exits with 2 and one line."""
    results = tmp_path / "r.json"
    results.write_text(text)

    code, _, error = score(results, "--questions", questions, "--answers", answers)

    assert code == 2
    assert error.startswith("callwright: ")
    assert error.count("\n") == 1


def test_by_is_for_runs(questions: Path, answers: Path, tmp_path: Path) -> None:
    """Verdicts on single outputs have no slices to add a table for."""
    results = write(tmp_path / "r.json", [{"id": "one", "result": "f(x=1)"}])

    code, _, error = score(results, "--questions", questions, "--answers", answers, "--by", "category")

    assert code == 2
    assert "--by has no effect" in error
