"""People who answer in a model's place: from a file and typed, scored as models are."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.answering import MODEL, PersonAnswer, Study, drawn
from callwright.cli.study import command
from callwright.errors import BadInput
from callwright.records.jsontext import encode


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six group chats of two rounds."""
    out = tmp_path_factory.mktemp("study") / "ds"
    callwright.synthesize("dice", "builtin/enterprise", n=6, seed=3, out=out, rounds="2", parties="3")
    return out


def gold(folder: Path) -> list[PersonAnswer]:
    """The right answers."""
    return [
        PersonAnswer(one.id, at, task.gold[0].tool, dict(task.gold[0].values))
        for one in callwright.open_dataset(folder).dialogues
        for at, task in enumerate(one.tasks, 1)
    ]


def values(study: Study) -> dict[str, tuple[float | None, int]]:
    """Value and count of each metric over all dialogues."""
    return {row.metric: (row.value, row.n) for row in study.rows() if not row.slice and row.model == MODEL}


def test_right_answers_of_a_file_score_1(folder: Path, tmp_path: Path) -> None:
    """A missing reply leaves its dialogue out, a wrong one counts as a model's would."""
    right = gold(folder)
    lines = [one.line for one in right]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))
    study = Study(folder)
    study.read(tmp_path / "all.jsonl")
    assert values(study)["em_strict"] == (1.0, len(right) // 2)

    wrong = encode({"dialogue": right[0].dialogue, "reply": 1, "function": "none_such"})
    (tmp_path / "some.jsonl").write_text("\n".join([wrong, *lines[1:-1]]))
    study = Study(folder)
    study.read(tmp_path / "some.jsonl")
    calls = len(right) - 2
    assert values(study)["em_strict"] == (pytest.approx((calls - 1) / calls), calls // 2)


def test_typed_answers_are_kept_and_scored(folder: Path, tmp_path: Path) -> None:
    """The terminal asks on where the file ends; what is no answer is asked again; `q` stops."""
    right = [f"{one.function} {encode(one.arguments)}" for one in gold(folder)]
    first = CliRunner().invoke(command, ["answer", str(folder), "-o", str(tmp_path / "a"), "--json"], input="x [1\nq\n")
    assert "no dialogue has all its answers" in str(first.exception)
    typed = "\n".join(["? none", *right[:2], "q"])
    done = CliRunner().invoke(command, ["answer", str(folder), "-o", str(tmp_path / "a")], input=typed)
    assert done.exit_code == 0, done.output
    assert len((tmp_path / "a").read_text().splitlines()) == 2
    scored = CliRunner().invoke(command, ["answer", str(folder), "-o", str(tmp_path / "a"), "--score"])
    assert "people" in scored.output
    assert "5 of 6 chosen dialogues are not answered to their end, and left out." in scored.output


def test_a_dataset_without_dialogues_is_named(folder: Path, tmp_path: Path) -> None:
    """Nobody is asked for a protocol where there is nothing to answer."""
    shutil.copytree(folder, tmp_path / "ds")
    (tmp_path / "ds/dialogues.jsonl").write_text("")
    with pytest.raises(BadInput, match="the dataset has no dialogues"):
        Study(tmp_path / "ds")


def test_an_unknown_function_is_asked_again(folder: Path, tmp_path: Path) -> None:
    """A slip of the keys is no answer: the terminal names near functions, also to `? NAME`, and keeps nothing."""
    name = gold(folder)[0].function
    typed = f"{name}x {{}}\n? {name}y\n? {name}\nq\n"
    done = CliRunner().invoke(command, ["answer", str(folder), "-o", str(tmp_path / "a")], input=typed)
    assert f"there is no function '{name}x'. Nearest: {name}" in done.output
    assert f"there is no function '{name}y'. Nearest: {name}" in done.output
    assert f'"name":"{name}"' in done.output
    assert (tmp_path / "a").read_text() == ""


def test_functions_are_shown_with_their_parameters(folder: Path, tmp_path: Path) -> None:
    """Who answers sees what each function takes, and the file of answers lies beside the dataset unless named."""
    data = callwright.open_dataset(folder)
    done = CliRunner().invoke(command, ["answer", str(folder)], input="q\n")
    shown = {one.name: data.catalog.by_key[one.key] for one in data.dialogues[0].tools}
    for name, tool in shown.items():
        assert re.search(rf"^  {name}\({', '.join(f'{one}[?]?' for one in tool.properties)}\): \w", done.output, re.M)
    answers = folder.with_name("ds-answers.jsonl")
    assert str(answers) in done.output
    answers.unlink()


def test_the_terminal_says_who_speaks(folder: Path, tmp_path: Path) -> None:
    """Each line of people begins with a name."""
    done = CliRunner().invoke(command, ["answer", str(folder), "-o", str(tmp_path / "a")], input="q\n")
    chat = callwright.open_dataset(folder).dialogues[0]
    names = {who.id: who.name for who in chat.participants}
    assert f"{names[chat.turns[0].speaker]}: {chat.turns[0].text}\n" in done.output


@pytest.mark.parametrize("line", ["{", '{"dialogue": "no", "reply": 1}', '{"reply": 1}', "[]"])
def test_a_line_that_is_no_answer_is_named(line: str, folder: Path, tmp_path: Path) -> None:
    """File and line stand in the error."""
    (tmp_path / "a.jsonl").write_text(line)
    with pytest.raises(BadInput, match=r"a\.jsonl:1"):
        Study(folder).read(tmp_path / "a.jsonl")


def test_a_draw_is_even(folder: Path) -> None:
    """As many as asked for, each once; at least one."""
    dialogues = callwright.open_dataset(folder).dialogues
    found = drawn(dialogues, 3, 1)
    assert len({one.id for one in found}) == 3
    with pytest.raises(BadInput):
        drawn(dialogues, 0, 1)
