"""Chats of a wild session: casual talk, without any call."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from callwright.author.grammar import compile_frame
from callwright.papers.wild.chat_tasks import REMARKS, PlannedChat, chat_bank
from callwright.papers.wild.chat_words import wild_chat, wild_reply
from callwright.papers.wild.session_plan import SessionPlan
from callwright.papers.wild.task_briefs import Mention, WildChat
from wild_workshop import notes_of, plan, sessions

WAYS = ("said", "partial", "coreference", "long_range")
VALUE = re.compile(r"\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday")


def test_the_bank_has_words_for_every_sort_of_value() -> None:
    """A remark for each sort and each way, but that nobody mentions a day in passing; every theme has talk."""
    bank = chat_bank()
    assert set(bank.remarks) == set(REMARKS.values())
    for sort, remarks in bank.remarks.items():
        assert [way for way in WAYS if not remarks[way]] == (["said"] if sort == "day" else [])
    assert len(bank.themes) >= 25
    assert all(len(theme.talk) >= 5 for theme in bank.themes)


def test_lines_of_the_bank_hold_no_value() -> None:
    """A number or a weekday in a frame could be taken for the value of a call; all frames can be compiled."""
    bank = chat_bank()
    lines = [line for theme in bank.themes for pair in theme.talk for line in pair]
    lines += [line for remarks in bank.remarks.values() for frames in remarks.values() for line in frames]
    assert len(lines) > 300
    assert not [line for line in lines if VALUE.search(line.lower())]
    assert all(compile_frame(line).nodes for line in lines)


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


def test_a_later_chat_refers_to_an_earlier_value_and_a_first_one_says_one() -> None:
    """What a later one is about is recorded, and is not in its words."""
    found: Counter[bool] = Counter()
    for index in range(48):
        found_plan = plan(index)
        assert isinstance(found_plan, SessionPlan) or found_plan.issue.code == "no_plan"
        for position, task in enumerate(found_plan.tasks if isinstance(found_plan, SessionPlan) else ()):
            if isinstance(task, PlannedChat):
                assert [one.task for one in task.hidden] == [position] * bool(position)
                found[bool(position)] += 1
    assert found[True]
    assert found[False]


def test_no_line_is_repeated_often() -> None:
    """Of a thousand questions with their remarks no line is said over five times, no reply more than fifteen."""
    bank, chance = chat_bank(), Random(3)
    fact = next(
        task.fact
        for index in range(48)
        for task in getattr(plan(index), "tasks", ())
        if isinstance(task, PlannedChat) and not task.hidden
    )
    asked, replied = Counter[str](), Counter[str]()
    for _ in range(1_000):
        theme = chance.choice(bank.themes)
        question, reply = chance.choice(theme.talk)
        brief = WildChat(theme.topic, question, reply, Mention(fact.known, "said"), "verbose", "plain", "2026-05-04")
        asked[wild_chat.offline(chance, brief)] += 1
        replied[wild_reply.offline(chance, brief)] += 1
    assert max(asked.values()) <= 5
    assert max(replied.values()) <= 15


def test_every_session_has_a_call() -> None:
    """A model that only talks is right in no session."""
    assert sessions()
    for made in sessions():
        if made.dialogue.tasks:
            assert any(task.gold for task in made.dialogue.tasks)
            assert notes_of(made.dialogue).transitions >= 1
