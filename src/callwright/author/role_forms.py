"""What prompts of roles show, and the forms of their replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Final, TypeVar

import msgspec

from callwright.author.step import LONGEST_TEXT
from callwright.errors import BadDocument, BadRecord
from callwright.models.chat import ChatReply
from callwright.models.prompted import function_of
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.jsontext import Json, JsonText, parse
from callwright.records.tool import Tool

T = TypeVar("T")


def tool_lines(tools: Iterable[Tool], *, returns: bool = False) -> tuple[str, ...]:
    """Return the documents of tools, one line each, with the schemas of their results where they are of use."""
    return tuple(_document(tool, returns=returns) for tool in tools)


def _document(tool: Tool, *, returns: bool) -> str:
    shown: dict[str, Json] = {**function_of(tool)}
    if returns and tool.returns is not None:
        shown["returns"] = msgspec.Raw(tool.returns.encode())
    return msgspec.json.encode(shown).decode()


def long_day(day: str) -> str:
    """Return a day with its weekday."""
    return f"{date.fromisoformat(day):%A}, {day}" if day else ""


def conversation(dialogue: Dialogue) -> list[str]:
    """Return the conversation line by line, with its calls and results; thoughts are nobody else's."""
    return [line for turn in dialogue.turns for line in _lines(dialogue.role(turn), turn)]


def _lines(role: str, turn: Turn) -> Iterator[str]:
    for step in turn.steps:
        if step.text:
            yield f"Assistant: {one_line(step.text)}"
        yield from (f"Assistant calls {call.tool} {call.arguments}" for call in step.calls)
        for call, result in zip(step.calls, step.results, strict=False):
            yield f"{call.tool} returned {result.value}"
    if turn.text:
        yield f"{'Person' if role == 'user' else 'Assistant'}: {one_line(turn.text)}"


def one_line(text: str) -> str:
    """Return a text without line breaks, so that none can pass for a labelled line."""
    return " ".join(text.split())


# -- replies ---------------------------------------------------------------------------------------------------------


def keys(**properties: Json) -> dict[str, Json]:
    """Return the JSON Schema of an object that has exactly these keys."""
    required: list[Json] = [*properties]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def form(**properties: Json) -> JsonText:
    """Return the JSON Schema of a reply as text; its keys keep their order, as models write them as they come."""
    return JsonText(msgspec.json.encode(keys(**properties)).decode())


def read_form(reply: ChatReply, of: type[T]) -> T:
    """Return the object of this form in a reply. Raises BadRecord."""
    try:
        return msgspec.convert(parse(reply.content, where="the reply"), of)
    except (BadDocument, msgspec.ValidationError) as error:
        raise BadRecord(f"the reply is not an object of the form asked for: {error}") from error


def read_words(reply: ChatReply, speaker: str) -> str:
    """Return what a role says; its name before the words is dropped. Raises BadRecord."""
    text = reply.content.strip().removeprefix(f"{speaker}:").strip()
    if reply.format_errors or not is_short(text):
        raise BadRecord("; ".join(reply.format_errors) or f"a message has 1 to {LONGEST_TEXT:,} characters")
    return text


def is_short(text: str) -> bool:
    """Whether a text says something, and not too much."""
    return bool(text.strip()) and len(text) <= LONGEST_TEXT


# -- turns with thoughts -----------------------------------------------------------------------------------------------

_LONGEST: Final = 800


class ThoughtfulTurn(msgspec.Struct, frozen=True):
    """A turn of several acts, each with a thought of its own."""

    thoughts: list[str]
    say: str


def thoughtful_form(acts: int) -> JsonText:
    """Return the schema of a turn with so many acts."""
    text: Json = {"type": "string", "maxLength": _LONGEST}
    return form(thoughts={"type": "array", "items": text, "minItems": acts, "maxItems": acts}, say=text)


def read_thoughtful(reply: ChatReply, acts: int) -> ThoughtfulTurn:
    """Return a turn with a thought for each act. Raises BadRecord."""
    found = read_form(reply, ThoughtfulTurn)
    texts = [one_line(text) for text in (found.say, *found.thoughts)]
    if len(found.thoughts) != acts or not all(map(is_short, texts)):
        raise BadRecord(f"`thoughts` needs {acts} of them, one for each act, and `say` some words")
    return ThoughtfulTurn(texts[1:], texts[0])


# -- results of calls ------------------------------------------------------------------------------------------------


class _Returned(msgspec.Struct, frozen=True):
    result: Any


RESULT_FORM: Final = form(result={})


def read_result(reply: ChatReply) -> Json:
    """Return what a call returned. Raises BadRecord."""
    return read_form(reply, _Returned).result
