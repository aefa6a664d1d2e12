"""Chats of a wild session: casual talk, without any call."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Literal

import pytest

from callwright.author.grammar import compile_frame
from callwright.lang.tokens import content_stems
from callwright.papers.wild.chat_tasks import PlannedChat, themes
from callwright.papers.wild.session_plan import SessionPlan
from callwright.papers.wild.task_briefs import Reference, WildChat
from callwright.papers.wild.user_words import wild_chat
from wild_workshop import notes_of, plan, sessions

VALUE = re.compile(r"\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday")


def test_the_bank_has_talk_for_every_theme() -> None:
    """Several questions with their replies."""
    assert len(themes()) >= 25
    assert all(len(theme.talk) >= 4 for theme in themes())


def test_lines_of_the_bank_hold_no_value() -> None:
    """A number or a weekday in a frame could be taken for the value of a call; all frames can be compiled."""
    lines = [line for theme in themes() for pair in theme.talk for line in pair]
    assert len(lines) > 200
    assert not [line for line in lines if VALUE.search(line.lower())]
    assert all(compile_frame(line).nodes for line in lines)


def test_a_recalled_chat_is_named_in_its_own_words() -> None:
    """Each rendition of a question has every word of the name: photos that came out crooked are not called blurred."""
    pairs = [pair for theme in themes() for pair in theme.talk]
    assert pairs
    for question, _, about in pairs:
        frame = compile_frame(question)
        said = [set(content_stems(frame.render(Random(seed), {}))) for seed in range(12)]
        assert all(set(content_stems(about)) <= one for one in said), about


def test_chats_are_no_talk_of_the_tools() -> None:
    """No call is made: there is a remark with a question, and a reply."""
    chats = 0
    for made in sessions():
        for task in made.dialogue.tasks:
            if task.kind == "chat":
                ask, reply = made.dialogue.turns[task.turn or 0 : (task.turn or 0) + 2]
                assert not reply.calls
                assert ask.text != reply.text
                chats += 1
    assert chats


def test_a_later_chat_speaks_of_an_earlier_task_and_a_first_one_announces_a_thing() -> None:
    """What a later one speaks of is recorded, no value of it is said; what no task takes up is not announced."""
    found: Counter[bool] = Counter()
    for index in range(24):
        found_plan = plan(index)
        assert isinstance(found_plan, SessionPlan) or found_plan.issue.code == "no_plan"
        for position, task in enumerate(found_plan.tasks if isinstance(found_plan, SessionPlan) else ()):
            if isinstance(task, PlannedChat):
                assert [one.task for one in task.hidden] == [position] * bool(position)
                assert position == 0 or task.fact is None
                found[bool(position)] += bool(position) or task.fact is not None
    assert found[True]
    assert found[False]


@pytest.mark.parametrize("hiding", ["partial", "coreference", "long_range"])
@pytest.mark.parametrize("entity", ["request", "chat"])
def test_a_remark_says_nothing_of_the_tools(
    hiding: Literal["partial", "coreference", "long_range"], entity: str
) -> None:
    """Only what an earlier task was about, where it lies further back."""
    reference = Reference(hiding=hiding, entity=entity, about="invoice" if hiding == "long_range" else "")
    brief = WildChat("tea", "Do you like tea?", "Yes.", None, reference, "verbose", "plain", "2026-05-04")
    texts = [wild_chat.offline(Random(seed), brief) for seed in range(20)]
    assert all(text.endswith("Do you like tea?") for text in texts)
    assert all(("invoice" in text) == (hiding == "long_range") for text in texts)


def test_every_session_has_a_call() -> None:
    """A model that only talks is right in no session."""
    assert sessions()
    for made in sessions():
        if made.dialogue.tasks:
            assert any(task.gold for task in made.dialogue.tasks)
            assert notes_of(made.dialogue).transitions >= 1
