"""Writing steps: one typed function, two voices."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.step import AuthoredStep, prompt_source, step
from callwright.errors import BadDocument, BadRecord
from callwright.papers.diaforge.gold_writing import goal, gold_values
from callwright.papers.registry import prompt_homes
from callwright.records.jsontext import encode


class Pair(msgspec.Struct, frozen=True):
    a: int
    b: str = ""


def text_body(rng: Random, word: str) -> str:
    """Say a word."""
    return f"{word}{rng.randrange(10)}"


def pair_body(rng: Random, word: str) -> Pair:
    return Pair(len(word), word)


TEXT: AuthoredStep[[str], str] = step("diaforge/goal.j2")(text_body)
PAIR: AuthoredStep[[str], Pair] = step("diaforge/values.j2")(pair_body)


def test_without_a_model_the_body_speaks() -> None:
    """By its random stream alone; the step keeps its name."""
    assert TEXT.offline(Random(3), "a") == text_body(Random(3), "a")
    assert TEXT.name == "diaforge/goal.j2"


@given(st.text(max_size=30))
def test_text_replies_come_back_without_the_space_around_them(reply: str) -> None:
    """An empty one is refused."""
    if reply.strip():
        assert TEXT.parse(reply) == reply.strip()
    else:
        with pytest.raises(BadRecord, match="empty"):
            TEXT.parse(reply)


@given(st.integers(-9, 9), st.text(max_size=9))
def test_typed_replies_are_parsed_into_their_type(a: int, b: str) -> None:
    """From the one field `reply` of an object."""
    assert PAIR.parse(encode({"reply": {"a": a, "b": b}})) == Pair(a, b)


@pytest.mark.parametrize(
    "reply",
    ["", "no JSON", "[]", "{}", "null", '"reply"', '{"reply": {}}', '{"reply": {"a": "1"}}', '{"reply": [1]}',
     '{"reply": {"a": 1, "b": 2}}', '{"answer": {"a": 1}}', '{"reply": {"a": 1}'],
)  # fmt: skip
def test_malformed_replies_are_refused(reply: str) -> None:
    """With the step's name and what does not fit."""
    with pytest.raises(BadRecord, match="diaforge/values"):
        PAIR.parse(reply)


@given(st.text(max_size=60))
def test_any_reply_is_parsed_or_refused(reply: str) -> None:
    """Never another error."""
    with suppress(BadRecord):
        assert isinstance(PAIR.parse(reply), Pair)


def test_the_reply_schema_says_what_is_parsed() -> None:
    """Text needs none; a type is wrapped in an object with the one field `reply`."""
    assert TEXT.reply_schema() is None
    schema = PAIR.reply_schema()
    assert schema is not None
    assert schema["required"] == ["reply"]
    assert "reply" in schema["properties"]
    assert goal.reply_schema() is None
    assert gold_values.parse('{"reply": {"n": 1}}') == {"n": 1}


def test_a_record_stands_in_place_in_the_reply_schema() -> None:
    """Servers and strict modes know no reference beside it."""
    schema = PAIR.reply_schema()
    assert schema is not None
    assert "$ref" not in encode(schema)
    assert "a" in encode(schema["properties"])


def test_missing_prompts_are_named() -> None:
    """With the folder they belong in."""
    with pytest.raises(BadDocument, match=r"nothing\.j2"):
        prompt_source("nothing.j2", prompt_homes())
