"""Rubric files: all bundled ones are sound, and nothing that makes no sense is taken."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from callwright.errors import BadDocument, BadInput, UnknownName
from callwright.judge.rubric import bundled_rubric, criteria, find_rubrics, read_rubric
from callwright.records.tool import digest

OWN = """
name = "polite"
version = 2
scope = "dialogue"
measure = "nominal"
question = "Is the assistant polite?"
[[grades]]
answer = "no"
value = 0
means = "it is not"
[[grades]]
answer = "yes"
value = 1
means = "it is"
"""


@pytest.mark.parametrize("name", criteria())
def test_bundled_criteria_are_named_like_their_files(name: str) -> None:
    """Each is read strictly, has reasons for every answer, and a version."""
    rubric = bundled_rubric(name)
    assert rubric.name == name
    assert rubric.label == f"{name}.v{rubric.version}"
    assert all(grade.means for grade in rubric.grades)


def test_conv_rel_counts_as_published() -> None:
    """Grades 1, 2, 3 of an assistant turn count 0, .5 and 1 (DiaFORGE, appendix C.1)."""
    rubric = bundled_rubric("conv-rel")
    assert (rubric.scope, rubric.measure) == ("turn", "ordinal")
    assert {grade.answer: grade.value for grade in rubric.grades} == {"1": 0, "2": 0.5, "3": 1}


def test_the_criteria_of_the_papers_are_there() -> None:
    """DiaFORGE's validators, the six of DICE-BENCH on 1 to 5, those of ToolDial on 1 to 3 and 0/1."""
    dice = ("coherence", "consistency", "fluency", "human-likeness", "persona-consistency", "relevance")
    for name in dice:
        assert [grade.value for grade in bundled_rubric(name).grades] == [1, 2, 3, 4, 5]
    for name in ("naturalness", "efficiency"):
        assert [grade.value for grade in bundled_rubric(name).grades] == [1, 2, 3]
    assert [grade.value for grade in bundled_rubric("faithfulness").grades] == [0, 1]
    assert all(bundled_rubric(name).keep_from == 0.5 for name in ("relevancy", "critique"))


def test_the_fifteen_criteria_of_group_chats_are_there() -> None:
    """Seven of the talk, five of its calls, three of reality (DICE-BENCH, appendix P), each yes or no."""
    last = [rubric for name in criteria() if "stage 3" in (rubric := bundled_rubric(name)).about]
    dimensions = [rubric.about.split(": ")[1].split(",")[0] for rubric in last]
    assert [dimensions.count(one) for one in ("conversation", "function", "reality")] == [7, 5, 3]
    assert all({grade.answer: grade.value for grade in rubric.grades} == {"yes": 1, "no": 0} for rubric in last)


def test_a_file_of_ones_own_is_a_criterion(tmp_path: Path) -> None:
    """Beside bundled ones, by its path."""
    (tmp_path / "mine.toml").write_text(OWN)
    own, bundled = find_rubrics((str(tmp_path / "mine.toml"), "fluency"))
    assert (own.label, bundled.label) == ("polite.v2", "fluency.v1")


def test_another_wording_version_or_value_is_another_rubric() -> None:
    """The digest is over all that decides question and value, and not over notes for readers."""
    first = read_rubric(OWN, where="x").digest
    for old, new in (("polite?", "kind?"), ("version = 2", "version = 3"), ("value = 1", "value = 2")):
        assert read_rubric(OWN.replace(old, new), where="x").digest != first
    assert read_rubric(f'about = "A note."\n{OWN}', where="x").digest == first


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "polite"', 'name = "Polite!"', "name"),
        ("version = 2", "version = 0", "version"),
        ('scope = "dialogue"', 'scope = "word"', "scope"),
        ('measure = "nominal"', 'measure = "ratio"', "measure"),
        ('question = "Is the assistant polite?"', 'question = " "', "question"),
        ('question = "Is the assistant polite?"', "", "question"),
        ('answer = "yes"', 'answer = "NO"', "two answers are the same"),
        ("value = 1", "value = inf", "out of range"),
        ("value = 1", 'value = "much"', "value"),
        ('means = "it is"', 'means = "it is"\nmisspelt = 1', "misspelt"),
        ("version = 2", "version = 2\nscore = 1", "score"),
        ("version = 2", 'version = 2\nneeds = ["gods"]', "gods"),
        ("version = 2", 'version = 2\nprompt = "no line between"', "---"),
        ("version = 2", 'version = 2\nprompt = """{{ a\n---\n b"""', "prompt, line"),
        ("version = 2", "version = 2\nalone = true", "alone: needs a prompt"),
        ('scope = "dialogue"', 'scope = "turn"\nkeep_from = 1.0', "keep_from"),
        ('scope = "dialogue"', 'scope = "turn"\nneeds = ["results"]', "results"),
        ("version = 2", "version = ", "Fix the rubric"),
    ],
)
def test_what_makes_no_sense_is_refused(old: str, new: str, message: str) -> None:
    """With one error that names the file and the field."""
    with pytest.raises(BadDocument, match=message) as error:
        read_rubric(OWN.replace(old, new), where="mine.toml")
    assert str(error.value).startswith("mine.toml")


def test_one_grade_is_none() -> None:
    """A scale has at least two answers."""
    with pytest.raises(BadDocument, match="there are 1"):
        read_rubric(OWN[: OWN.rindex("[[grades]]")], where="x")


def test_unknown_names_and_files_are_said(tmp_path: Path) -> None:
    """Names with those that are known; files with what is the matter."""
    with pytest.raises(UnknownName, match="conv-rel"):
        find_rubrics(("conv_rel",))
    with pytest.raises(BadInput, match="cannot be read"):
        find_rubrics((str(tmp_path / "none.toml"),))
    (tmp_path / "latin.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadDocument, match="UTF-8"):
        find_rubrics((str(tmp_path / "latin.toml"),))
    (tmp_path / "large.toml").write_text("#" * 200_000)
    with pytest.raises(BadDocument, match="larger"):
        find_rubrics((str(tmp_path / "large.toml"),))
    with pytest.raises(BadInput, match="two criteria"):
        find_rubrics(("fluency", "fluency"))
    with pytest.raises(BadInput, match="no criterion"):
        find_rubrics(())


def test_what_answers_a_task_is_a_turn() -> None:
    """A whole dialogue answers no task."""
    with pytest.raises(BadDocument, match="task: what answers"):
        read_rubric(OWN.replace("measure", 'task = "chat"\nmeasure'), where="own")


def test_a_criterion_of_all_turns_is_asked_as_before_there_were_tasks() -> None:
    """What was judged then is not judged anew: the field counts only where it is set."""
    rubric = bundled_rubric("conv-rel")
    asked = msgspec.to_builtins(msgspec.structs.replace(rubric, about="", prompt=rubric.template))
    del asked["task"], asked["alone"], asked["notes"]
    assert rubric.digest == digest(msgspec.json.encode(asked).decode())
    assert rubric.digest != msgspec.structs.replace(rubric, task="chat").digest
