"""JSON replies: what is asked for, and what is taken."""

from __future__ import annotations

import pytest

from callwright.models.chat import ChatReply
from callwright.models.structured import (
    FENCED,
    instruction,
    is_strict,
    keeps_to,
    next_level,
    read_object,
    response_format,
)
from callwright.records.jsontext import Json, encode

CLOSED: Json = {
    "type": "object",
    "properties": {"a": {"type": "array", "items": {"type": "string"}}},
    "required": ["a"],
    "additionalProperties": False,
}


def test_each_level_asks_less_of_the_server() -> None:
    """The schema goes to the server first, then to the prompt, then there is no field at all."""
    schema = encode(CLOSED)
    formats = [response_format(schema, level) for level in ("json_schema", "json_object", "prompt")]
    assert [made and made["type"] for made in formats] == ["json_schema", "json_object", None]
    assert formats[0] is not None
    assert formats[0]["json_schema"] == {"name": "reply", "schema": CLOSED, "strict": True}
    assert instruction(schema, "json_schema") == ""
    assert schema in instruction(schema, "json_object")


def test_a_refusal_goes_down_and_an_error_only_when_repeated() -> None:
    """400 goes down at once, 500 after the second, other answers never; below the prompt there is nothing."""
    assert next_level("json_schema", 400, tried=1) == "json_object"
    assert next_level("json_object", 422, tried=1) == "prompt"
    assert next_level("prompt", 400, tried=1) is None
    assert [next_level("json_schema", 500, tried=tried) for tried in (1, 2)] == [None, "json_object"]
    assert next_level("json_schema", 429, tried=5) is None


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        (ChatReply('{"a": ["x"]}'), True),
        (ChatReply('{"a": ["x"]}', format_errors=(FENCED,)), False),
        (ChatReply('{"a": [1]}'), False),
        (ChatReply('{"b": []}'), False),
        (ChatReply('{"a": ["\\ud800"]}'), True),
        (ChatReply("[]"), False),
        (ChatReply("no"), False),
    ],
)
def test_a_schema_is_kept_to_by_a_bare_object_that_fits(reply: ChatReply, kept: bool) -> None:
    """Whatever is malformed, around it or in it, keeps to none."""
    assert keeps_to(reply, encode(CLOSED)) is kept


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (CLOSED, True),
        ({**CLOSED, "required": []}, False),
        ({**CLOSED, "additionalProperties": True}, False),
        ({"type": "object"}, False),
        ({**CLOSED, "$defs": {"X": {"type": "object", "properties": {}, "required": []}}}, False),
        (True, True),
    ],
)
def test_strictness_is_asked_only_of_closed_schemas(schema: Json, strict: bool) -> None:
    """OpenAI refuses strict schemas with open objects, at any depth."""
    assert is_strict(schema) is strict


def test_words_around_an_object_are_an_error_of_form() -> None:
    """The object is taken and the words are told; a reply without one stays as it is."""
    assert read_object(' {"a": 1}\n') == ('{"a": 1}', ())
    assert read_object('```json\n{"a": 1}\n```') == ('{"a": 1}', (FENCED,))
    assert read_object('So: {"a": 1}') == ('{"a": 1}', ("text around the JSON object",))
    assert read_object('```\n{"a": 1}\n```\n{"a": 2}') == ('{"a": 1}', ("text around the JSON object",))
    assert read_object("no") == ("no", ("the reply is no JSON object",))
