"""Chats of a wild session: near the tools' theme, answered without them."""

from __future__ import annotations

from itertools import pairwise, product
from typing import get_args

from callwright.author.grammar import bank_file
from callwright.papers.wild.chat_tasks import PlannedChat, choice_of, given_nouns
from callwright.papers.wild.task_briefs import ChatKind
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from wild_workshop import sessions, workshop


def test_every_chat_has_words_for_question_and_answer() -> None:
    """In both styles, and for whatever hides what it is about."""
    user, assistant = (bank_file(name, home="callwright.papers.wild") for name in ("user_words", "assistant_words"))
    kinds = set(get_args(ChatKind)) - {"recall"}
    assert "needs" in kinds
    for kind, style in product(kinds, ("verbose", "terse")):
        assert user[f"chat.{kind}.{style}"]
    later = kinds - {"able"}
    for kind, hiding, style in product(later, ("partial", "coreference", "long_range"), ("verbose", "terse")):
        assert user[f"more.{kind}.{hiding}.{style}"]
    assert all(assistant[f"chat.{kind}"] for kind in kinds)


def test_choices_are_those_of_the_document() -> None:
    """As people say them; a tool without any has none."""
    schema = {"type": "object", "properties": {"seat": {"enum": ["first_class", "second_class"]}}}
    assert choice_of(Tool(name="book", parameters=encode(schema)))[1] == ("first class", "second class")
    assert choice_of(Tool(name="book")) == ("", ())


def test_what_a_tool_gives_is_read_off_its_result() -> None:
    """With units left out; a tool that only changes something gives nothing."""
    fields = {"properties": {"humidity": {"type": "integer", "description": "humidity in percent"}}}
    look = Tool(name="getWeather", description="Get the weather.", returns=encode(fields))
    assert given_nouns(look) == ("the humidity",)
    assert given_nouns(Tool(name="setWeather", description="Set the weather.", returns=encode(fields))) == ()


def test_a_chat_after_a_chat_asks_something_else() -> None:
    """Never twice what is needed, or what comes of it."""
    asked = 0
    for index in range(len(sessions())):
        plan = workshop().plan("item", index)
        tasks = getattr(plan, "tasks", ())
        for one, other in pairwise(tasks):
            if isinstance(one, PlannedChat) and isinstance(other, PlannedChat) and other.kind != "recall":
                assert one.kind != other.kind
                asked += 1
    assert asked
