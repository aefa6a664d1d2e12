"""`callwright read bfcl`: datasets that the other commands take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bfcl_predictions import ANSWERED, files
from callwright.app.corpora import read_corpus
from callwright.app.datasets import open_dataset
from callwright.cli import main
from callwright.errors import BadOption, UnknownName
from callwright.papers.registry import names_of


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(map(str, arguments)))
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(
    ("category", "dialogues", "golds"),
    [("live_parallel", 16, 39), ("irrelevance", 240, 0), ("multi_turn_base", 200, 1142)],
)
def test_files_become_datasets(shared_data: Path, tmp_path: Path, category: str, dialogues: int, golds: int) -> None:
    """Questions of one and of several turns are datasets that open and show."""
    questions, answers = files(shared_data, category)
    given = ["--answers", answers] if answers.exists() else []

    code, out, _ = run("read", "bfcl", questions, *given, "-o", tmp_path / "ds", "--json")

    printed = json.loads(out)
    assert code == 0
    assert (printed["dialogues"], printed["gold_calls"], printed["category"]) == (dialogues, golds, category)
    assert len(open_dataset(tmp_path / "ds").dialogues) == dialogues
    assert category in run("show", tmp_path / "ds")[1]
    assert "synthetic" not in (tmp_path / "ds" / "README.md").read_text()


def test_all_single_turn_files_are_read(shared_data: Path, tmp_path: Path) -> None:
    """Every category that is there becomes a dataset of as many dialogues as its file has lines."""
    for category in ANSWERED:
        questions, answers = files(shared_data, category)

        code, out, _ = run("read", "bfcl", questions, "--answers", answers, "-o", tmp_path / category)

        assert code == 0
        assert out.startswith(f"{len(questions.read_text('utf-8').splitlines())} dialogues of {category} ")


def test_the_answers_lie_where_the_leaderboard_keeps_them(tmp_path: Path) -> None:
    """Without --answers a file of the questions' name in `possible_answer` beside them is read."""
    question = {"id": "simple_0", "question": [[{"role": "user", "content": "Add 2 and 3."}]]}
    function = {"name": "add", "description": "Adds.", "parameters": {"type": "dict", "properties": {}}}
    (tmp_path / "BFCL_v4_simple_python.json").write_text(json.dumps({**question, "function": [function]}))
    (tmp_path / "possible_answer").mkdir()
    answer = {"id": "simple_0", "ground_truth": [{"add": {}}]}
    (tmp_path / "possible_answer" / "BFCL_v4_simple_python.json").write_text(json.dumps(answer))

    code, out, said = run("read", "bfcl", tmp_path / "BFCL_v4_simple_python.json", "-o", tmp_path / "ds", "--json")

    assert (code, json.loads(out)["gold_calls"], said) == (0, 1, "")


def test_without_answers_nothing_is_known_to_be_right(shared_data: Path, tmp_path: Path) -> None:
    """No answers make no tasks: that is not the same as that no call is right, and the command says so."""
    alone = tmp_path / "BFCL_v4_multiple.json"
    alone.write_bytes(files(shared_data, "multiple")[0].read_bytes())

    code, _, said = run("read", "bfcl", alone, "-o", tmp_path / "ds")

    assert (code, said) == (0, "Of 200 no answer is known: name the file of answers with --answers.\n")
    dialogues = open_dataset(tmp_path / "ds").dialogues
    assert dialogues
    assert not any(dialogue.tasks for dialogue in dialogues)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--category", "java"], "not a known category"),
        (["--functions", "."], "their own functions"),
        (["--answers", "nowhere.json"], "no such file"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    """Bad input exits with 2 and one line that says what to do; nothing is written."""
    line = {"id": "a", "question": [[{"role": "user", "content": "?"}]], "function": [{"name": "f"}]}
    questions = tmp_path / "q.json"
    questions.write_text(json.dumps(line))

    code, _, error = run("read", "bfcl", questions, "-o", tmp_path / "ds", *arguments)

    assert code == 2
    assert message in error
    assert not (tmp_path / "ds").exists()


def test_categories_that_are_not_read_are_refused(tmp_path: Path) -> None:
    """Java's questions are named as what is not read, and not read as Python's."""
    questions = tmp_path / "BFCL_v4_simple_java.json"
    questions.write_text("[]")

    code, _, error = run("read", "bfcl", questions, "-o", tmp_path / "ds")

    assert code == 2
    assert "simple_python" in error


def test_a_folder_that_holds_something_else_is_left_alone(shared_data: Path, tmp_path: Path) -> None:
    """A folder with a catalogue of another kind is not overwritten."""
    (tmp_path / "catalog.json").write_text("{}")

    code, _, error = run("read", "bfcl", files(shared_data, "irrelevance")[0], "-o", tmp_path)

    assert code == 2
    assert "overwrite" in error


def test_readers_and_their_options_are_listed() -> None:
    """`read --help` names the corpora, and each one's help its options with their defaults."""
    listed = [line.split()[0] for line in run("read", "--help")[1].split("Commands:")[1].split("\n") if line]
    assert {"diaforge", "wild", "bfcl"} < set(listed) == set(names_of("readers"))
    assert "[default: english]" in " ".join(run("read", "wild", "--help")[1].split())
    assert "multi_turn_func_doc beside QUESTIONS" in " ".join(run("read", "bfcl", "--help")[1].split())


def test_unknown_corpora_and_options_are_refused(tmp_path: Path) -> None:
    """A name that no paper has, and an option that the reader has not, are errors that say what there is."""
    assert run("read", "nobody", tmp_path / "q.json", "-o", tmp_path / "ds")[0] == 2
    with pytest.raises(UnknownName, match="Known: bfcl, camrest, diaforge, dice"):
        read_corpus("nobody", tmp_path / "q.json", out=tmp_path / "ds")
    with pytest.raises(BadOption, match="language is not an option of bfcl"):
        read_corpus("bfcl", tmp_path / "q.json", out=tmp_path / "ds", language="english")
    with pytest.raises(BadOption, match="chinese, english"):
        read_corpus("wild", tmp_path / "q.json", out=tmp_path / "ds", language="german")


def test_a_required_that_is_no_list_requires_nothing(tmp_path: Path) -> None:
    """Of a document with `"required": 5`, answered or not, the question is read."""
    document = {"name": "f", "parameters": {"type": "dict", "properties": {"q": {"type": "string"}}, "required": 5}}
    question = {"id": "a", "question": [[{"role": "user", "content": "?"}]], "function": [document]}
    (tmp_path / "q.json").write_text(json.dumps(question))
    (tmp_path / "a.json").write_text(json.dumps({"id": "a", "ground_truth": [{"f": {"q": ["x"]}}]}))
    given = ("--answers", tmp_path / "a.json", "--category", "multiple", "-o", tmp_path / "ds")

    assert run("read", "bfcl", tmp_path / "q.json", *given)[0] == 0
