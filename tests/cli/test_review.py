"""`callwright review`: rounds of a dataset, on a terminal and without one."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from callwright.app.judging import judge_dataset
from callwright.cli import main
from served_voice import serving


@pytest.fixture
def ds(made: Path, tmp_path: Path) -> Path:
    """A copy of the dataset that a test may change."""
    return Path(shutil.copytree(made, tmp_path / "ds"))


def review(ds: Path, *arguments: str, said: str = "") -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["review", str(ds), *arguments], input=said)
    return result.exit_code, result.stdout, result.stderr


def listed(ds: Path) -> list[str]:
    code, out, _ = review(ds, "--list")
    assert code == 0
    return out.splitlines()


def stands(ds: Path) -> Any:
    code, out, _ = review(ds, "--json")
    assert code == 0
    return json.loads(out)


def test_a_list_is_a_fifth_of_the_dialogues_and_writes_nothing(ds: Path) -> None:
    """The same each time it is asked for."""
    assert len(listed(ds)) == 8
    assert listed(ds) == listed(ds)
    assert not (ds / ".review").exists()


def test_a_mark_is_kept_as_one_line(ds: Path) -> None:
    """The beginning of an id is enough; what is left is listed."""
    ids = listed(ds)
    code, out, _ = review(ds, "--mark", ids[0][:12], "wrong", "--note", "no such day")
    (line,) = (ds / ".review" / "marks.jsonl").read_text(encoding="utf-8").splitlines()
    kept = json.loads(line)
    assert (code, f"wrong: {ids[0]}: no such day" in out) == (0, True)
    assert [kept[name] for name in ("round", "id", "verdict", "note")] == [1, ids[0], "wrong", "no such day"]
    assert listed(ds) == ids[1:]


def test_json_says_where_the_review_stands(ds: Path) -> None:
    """Before, within and after: here one round has all dialogues."""
    n = len((ds / "dialogues.jsonl").read_text(encoding="utf-8").splitlines())
    alone = {"agreement": {"value": None, "n": 0, "why": "no unit has two grades"}, "agreed": None}
    begun = {"dialogues": n, "seen": 0, "rounds": [], "wrong": [], "finished": False, "reviewers": {}}
    assert stands(ds) == begun | alone
    review(ds, "--share", "1", said="r\n" * (n - 1))
    going_on = {"round": 1, "size": n, "marked": n - 1, "wrong": 0, "error_rate": 0.0}
    assert stands(ds) == begun | alone | {"seen": n - 1, "rounds": [going_on], "reviewers": {"": n - 1}}
    (last,) = listed(ds)
    code, out, _ = review(ds, "--mark", last, "right", "--json")
    assert (code, json.loads(out)["finished"]) == (0, True)
    assert listed(ds) == []
    assert "Finished" in review(ds)[1]
    code, _, error = review(ds, "--mark", last, "right")
    assert (code, "the review is finished" in error) == (2, True)


def test_two_people_mark_the_same_round(ds: Path) -> None:
    """Each has the whole round to mark; their agreement is shown, and marks say who made them, and when."""
    ids = listed(ds)
    for id_ in ids:
        review(ds, "--by", "ada", "--mark", id_, "right")
    for place, id_ in enumerate(ids):
        verdict = "right" if place else "wrong"
        code, out, _ = review(ds, "--by", "bo", "--mark", id_, verdict, "--note", "too short")
        assert code == 0
    marks = [json.loads(line) for line in (ds / ".review" / "marks.jsonl").read_text().splitlines()]
    assert [mark["by"] for mark in marks] == ["ada"] * 8 + ["bo"] * 8
    assert all(datetime.fromisoformat(mark["at"]).tzinfo for mark in marks)
    assert "marked by: ada 8, bo 8; 87.5% of 8 marked alike, alpha 0.00" in out
    found = stands(ds)
    assert (found["reviewers"], found["agreed"], found["agreement"]["n"]) == ({"ada": 8, "bo": 8}, 0.875, 8)
    assert [one["id"] for one in found["wrong"]] == ids[:1]


def test_what_is_marked_wrong_is_left_out_on_request(ds: Path, tmp_path: Path) -> None:
    """Of an evaluation and of an export; where nobody marked anything the option is an error."""
    asked = ["eval", str(ds), "--protocol", "static", "--model", "builtin/oracle", "--reviewed", "--json"]
    early = CliRunner().invoke(main, [*asked, "-o", str(tmp_path / "early")])
    assert (early.exit_code, "nobody has marked" in early.stderr) == (2, True)
    n = len((ds / "dialogues.jsonl").read_text(encoding="utf-8").splitlines())
    wrong, right = listed(ds)[:2]
    review(ds, "--mark", wrong, "wrong")
    review(ds, "--mark", right, "right")

    done = CliRunner().invoke(main, [*asked, "-o", str(tmp_path / "run")])
    assert json.loads(done.stdout)["planned"] == n - 1
    written = CliRunner().invoke(main, ["export", str(ds), "--format", "diaforge", "--reviewed"])
    ids = [json.loads(line)["id"] for line in written.stdout.splitlines()]
    assert (len(ids), wrong in ids, right in ids) == (n - 1, False, True)


def test_a_dialogue_is_shown_and_asked_about(ds: Path) -> None:
    """Right, wrong with a note, skipped, and stopped: the command goes on with what is unmarked."""
    ids = listed(ds)
    code, out, _ = review(ds, said="r\nw\nodd [bold]\ns\nq\n")
    assert code == 0
    assert all(id_ in out for id_ in ids[:4])
    assert ids[4] not in out
    assert "right, wrong, skip or stop? [r/w/s/q]" in out
    assert f"wrong: {ids[1]}: odd [bold]" in out
    assert "round 1: 2 of 8 marked, 1 wrong (50.0%)" in out
    assert listed(ds) == ids[2:]


def test_the_next_round_begins_when_the_last_is_marked(ds: Path) -> None:
    """With dialogues nobody has seen."""
    first = listed(ds)
    assert "Not finished" in review(ds, said="r\n" * 8)[1]
    assert not set(first) & set(listed(ds))
    assert len(listed(ds)) == 8


def test_a_dialogue_made_anew_is_seen_anew(ds: Path) -> None:
    """Its wrong mark is void."""
    (wrong, *_) = listed(ds)
    review(ds, "--mark", wrong, "wrong")
    path = ds / "dialogues.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    lines = [line.replace('"text":"', '"text":"Well, ', 1) if f'"{wrong}"' in line else line for line in lines]
    path.write_text("".join(lines), encoding="utf-8")
    assert (stands(ds)["seen"], stands(ds)["wrong"]) == (0, [])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--mark", "zzz", "right"), "no id of the dataset begins with 'zzz'"),
        (("--mark", "zzz", "maybe"), "maybe"),
        (("--note", "x"), "--note needs --mark"),
        (("--list", "--json"), "--list cannot be combined"),
        (("--share", "0", "--list"), "--share is 0.0"),
    ],
)
def test_what_cannot_be_done_is_refused(made: Path, arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    """In one line, and nothing is marked."""
    ds = Path(shutil.copytree(made, tmp_path / "ds"))
    code, _, error = review(ds, *arguments)
    assert (code, says in error) == (2, True)
    assert not (ds / ".review" / "marks.jsonl").exists()


def test_a_folder_that_is_no_dataset_is_refused(tmp_path: Path) -> None:
    """And left as it was."""
    code, _, error = review(tmp_path)
    assert (code, "not a dataset" in error) == (2, True)
    assert not list(tmp_path.iterdir())


def test_a_link_out_of_the_dataset_is_refused(ds: Path, tmp_path: Path) -> None:
    """Nothing is written where it leads."""
    (tmp_path / "elsewhere").mkdir()
    (ds / ".review").symlink_to(tmp_path / "elsewhere")
    code, _, error = review(ds, said="r\n")
    assert (code, "Remove the link" in error) == (2, True)
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_damaged_mark_is_an_error_with_its_line(ds: Path) -> None:
    """Nobody's work is dropped in silence."""
    review(ds, said="r\n")
    with open(ds / ".review" / "marks.jsonl", "a", encoding="utf-8") as file:
        file.write('{"round":1,')
    code, _, error = review(ds, "--list")
    assert (code, "marks.jsonl:2" in error) == (2, True)


# -- grades ------------------------------------------------------------------------------------------------------------


def grades(ds: Path, *arguments: str) -> dict[tuple[str, str], tuple[float, int]]:
    """Mean and number of dialogues by criterion and judge."""
    code, out, _ = review(ds, "--criteria", "naturalness,efficiency", *arguments, "--json")
    assert code == 0
    scores = json.loads(out)["scores"]
    return {(one["criterion"], one["judge"]): (one["interval"]["value"], one["n"]) for one in scores}


def test_people_grade_beside_judges(ds: Path) -> None:
    """People answer the criteria of judges; their means stand beside those of models, with the agreement."""
    ids = listed(ds)
    code, out, _ = review(ds, "--criteria", "naturalness,efficiency", "--by", "Ann", said="3\n2\n1\n")
    assert code == 0
    assert "contrived: it could not have happened so" in out
    assert grades(ds) == {("naturalness", "person/Ann"): (2.0, 2), ("efficiency", "person/Ann"): (2.0, 1)}

    with serving(lambda _: '{"analysis": "", "grade": "3"}') as server:
        judge_dataset(ds, judges="openai/a", criteria="naturalness", base_url=server.url)
    code, out, _ = review(ds, "--criteria", "naturalness", "--by", "Ann", "--grade", ids[2][:12], "3")
    assert code == 0
    assert "person/Ann / a" in out
    assert "66.7%" in out
    assert grades(ds)["naturalness", "person/Ann"] == (pytest.approx(7 / 3), 3)


def test_first_letters_are_answers(ds: Path) -> None:
    """`y` and `n` stand for yes and no; what no answer begins with is asked again."""
    code, out, _ = review(ds, "--criteria", "chat-coherent", "--by", "Ann", "--share", "1", said="y\nx\nn\n")
    assert code == 0
    assert "'x' is not one of 'yes', 'no'" in out
    code, out, _ = review(ds, "--criteria", "chat-coherent", "--json")
    (one,) = json.loads(out)["scores"]
    assert (one["judge"], one["interval"]["value"], one["n"]) == ("person/Ann", 0.5, 2)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--criteria", "naturalness", "--grade", "x", "3"], "--by NAME"),
        (["--criteria", "naturalness", "--by", "Ann", "--grade", "no-such", "3"], "no-such"),
        (["--criteria", "naturalness,efficiency", "--by", "Ann", "--grade", "", "3"], "one criterion"),
        (["--criteria", "beauty", "--by", "Ann"], "beauty"),
        (["--grade", "x", "3"], "go together"),
        (["--criteria", "naturalness", "--list"], "go together"),
    ],
)
def test_what_cannot_be_graded_is_told(ds: Path, arguments: list[str], told: str) -> None:
    """One line says what is missing, and nothing is kept."""
    code, _, error = review(ds, *arguments)

    assert (code, told in error) == (2, True)
    assert not (ds / ".judge").exists()


def test_an_answer_must_be_one_of_the_criterion(ds: Path) -> None:
    """An unknown answer is refused, and the question stays open."""
    id_ = listed(ds)[0]
    code, _, error = review(ds, "--criteria", "naturalness", "--by", "Ann", "--grade", id_, "9")

    assert (code, "answer of naturalness" in error) == (2, True)
    assert grades(ds) == {}


def test_an_edit_keeps_what_was_said_before(ds: Path) -> None:
    """Who, when and both wordings; the dialogue has the new one and counts as unseen."""
    id_ = listed(ds)[0]
    review(ds, "--mark", id_, "right", "--by", "ana")
    code, _, error = review(ds, "--edit", id_, "0", "Hello, I need something.", "--by", "ana")
    assert (code, error) == (0, "")
    assert review(ds, "--edit", id_, "0", "Hi there.", "--by", "bo")[0] == 0
    first, second = json.loads(review(ds, "--edits", "--json")[1])
    assert (first["by"], second["by"], first["after"]) == ("ana", "bo", second["before"])
    assert datetime.fromisoformat(first["at"]) <= datetime.fromisoformat(second["at"])
    lines = [json.loads(line) for line in (ds / "dialogues.jsonl").read_text().splitlines()]
    assert next(one for one in lines if one["id"] == id_)["turns"][0]["text"] == "Hi there."
    assert stands(ds)["seen"] == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("0", "Hi."), "--edit needs --by"),
        (("99", "Hi.", "--by", "ana"), "it has no turn 99"),
        (("0", " ", "--by", "ana"), "the new words are empty"),
    ],
)
def test_an_edit_that_cannot_be_made_changes_nothing(ds: Path, arguments: tuple[str, ...], says: str) -> None:
    """One clear error; the dialogues stay as they are."""
    before = (ds / "dialogues.jsonl").read_bytes()
    code, _, error = review(ds, "--edit", listed(ds)[0], *arguments)
    assert code == 2
    assert says in error
    assert (ds / "dialogues.jsonl").read_bytes() == before
