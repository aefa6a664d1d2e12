"""`tests/long/hearing.py`: what counts as denied, given and wrong; its questions are about tools that exist."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "long"))

# found through the line above
from eleven import BUNDLED
from hearing import ACCEPTED, BUILD, DENIED, GIVEN, PICKED, WRONG, ask, counts_of, is_within, read_tools, shares

from callwright.author.briefs import UserAct

OPEN = {"look_alikes": ["x"]}
QUESTIONS = [json.loads(line) for line in BUILD.read_text().splitlines()]


@pytest.mark.parametrize(
    ("expects", "offered", "expected"),
    [
        ("right", "named", {DENIED: False, PICKED: True}),
        ("right", "others", {DENIED: True, PICKED: False}),
        ("right", "", {DENIED: False, PICKED: False}),
        ("first", "second", {DENIED: True, PICKED: False}),
        ("none_of_these", "others", {ACCEPTED: False}),
        ("none_of_these", "first", {ACCEPTED: True}),
    ],
)
def test_options(expects: str, offered: Any, expected: dict[str, bool]) -> None:
    """To take the other of two is to deny the right one; not to understand is neither to deny nor to pick it."""
    assert dict(counts_of(OPEN | {"expects": expects}, UserAct("answer", offered=offered))) == expected


def test_values() -> None:
    """Leaves count for the parameter they are of; what is volunteered is not wrong, what is given for another is."""
    question = {"untold": ["parent", "name", "size"], "expects": ["parent", "name"]}
    act = UserAct("answer", slots=("parent.id", "size"), more=("color",))
    assert list(counts_of(question, act)) == [(GIVEN, True), (GIVEN, False), (WRONG, True)]
    assert list(counts_of(question | {"may": ["size"]}, act))[-1] == (WRONG, False)


def test_limits() -> None:
    """One denied in fifty is too many."""
    assert not is_within({DENIED: (1, 50)})
    assert is_within({DENIED: (1, 100), GIVEN: (97, 100), WRONG: (0, 100)})


def test_questions_are_of_the_bundled_tools() -> None:
    """Each question on the bundled catalogue is about its tools and their parameters, and can be asked."""
    tools = read_tools(BUNDLED, Path())
    asked = [question for question in QUESTIONS if question["catalogue"] == BUNDLED]
    assert len(asked) > 250
    assert all(set(question.get("untold", ())) <= set(tools[question["tool"]].properties) for question in asked)
    assert set(shares([ask(question, tools) for question in asked])) == {DENIED, ACCEPTED, PICKED, GIVEN, WRONG}
