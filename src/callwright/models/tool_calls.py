"""Calls in the texts of models, in any common form; errors of form are told apart from the calls.

    <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>         tagged, closed or not
    ```json [{"name": "f", "arguments": "{\\"a\\": 1}"}] ```               fenced, several, arguments as text
    {"function": {"name": "f", "parameters": {"a": 1}}} So I did.        bare at the start of a line, text after it

Text is untrusted: lengths, depths, counts and the work for one reply are bounded, and nothing is evaluated. What is
beyond a bound stays as it was written, and an error says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from callwright.errors import BadDocument
from callwright.models.brackets import CHARACTERS_A_UNIT, Brackets, TooMuch, Work
from callwright.records.dialogue import Call
from callwright.records.jsontext import EMPTY_OBJECT, Json, JsonText, encode, parse

MAX_CALLS: Final = 64

MAX_TEXT: Final = 256 * 1024
"""Longest text, in characters, that is searched for calls; also the longest text of arguments."""

_MOST_BRACES = 32
"""Most braces at which an object is looked for: an object that is nested too deep is not read from its inside."""

_MAX_LAYERS = 3
_UNITS_A_READING = 64
_NAME_KEYS = ("name", "tool_name", "tool", "function")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
_LIST_KEYS = ("tool_calls", "calls", "function_calls")

_OPEN_TAG = re.compile(r"<(?:tool_call|function_call)>", re.IGNORECASE)
_RESULT_TAG = re.compile(r"<tool_(?:response|result)>", re.IGNORECASE)
_START = re.compile(
    r"(?P<tag><(?:tool_call|function_call)>\s*+(?:```\w*+\s*+)?+)(?=[{\[])|```\w*+\s*+(?=[{\[])|^[ \t]*+(?=[{\[])",
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(r"\s*+(?:```)?+\s*+(?:</(?:tool_call|function_call)>)?+", re.IGNORECASE)
_NEXT = re.compile(r"\s*+[,;]?+\s*+(?=[{\[])")  # possessive: else n blanks are split in n ways, each of them tried


class Arguments(NamedTuple):
    """The arguments of one call, and what was wrong with their form."""

    text: JsonText
    """Canonical text of an object; of whatever was written where that is none."""
    errors: tuple[str, ...] = ()


class FoundCall(NamedTuple):
    """The words of a text, and its calls."""

    content: str
    calls: tuple[Call, ...] = ()
    errors: tuple[str, ...] = ()


def read_arguments(value: Json, work: Work | None = None) -> Arguments:
    """Return arguments given as an object, as JSON text, or as JSON text inside JSON text.

    `work` is shared by all that is read of one reply; without it these arguments have the whole bound.

    >>> read_arguments('"{\\\\"a\\\\": 1}"')
    Arguments(text='{"a":1}', errors=('arguments: encoded twice',))
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return Arguments(EMPTY_OBJECT, ("arguments: none given",))
    work = work or Work()
    errors: tuple[str, ...] = ()
    for layer in range(_MAX_LAYERS):
        if not isinstance(value, str):
            break
        inner, trouble = _read_text(value, work)
        errors += trouble
        if inner is None:
            break
        value = inner
        if layer == 1:
            errors += ("arguments: encoded twice",)
    if not isinstance(value, dict):
        errors += ("arguments: not an object",)
    return Arguments(encode(value), errors)


def read_calls(value: Json, work: Work | None = None) -> FoundCall:
    """Return the calls of a `tool_calls` field; what is no call becomes an error. `work` as in `read_arguments`."""
    if value is None:
        return FoundCall("")
    if not isinstance(value, list):
        return FoundCall("", errors=("tool_calls: not a list",))
    work = work or Work()
    read = [_read_call(item, work) for item in value[:MAX_CALLS]]
    errors = [error for one in read for error in (one[1] if one else ("a call without a name",))]
    if len(value) > MAX_CALLS:
        errors.append(_too_many(len(value)))
    return FoundCall("", tuple(one[0] for one in read if one), tuple(errors))


def find_calls(text: str, work: Work | None = None) -> FoundCall:
    """Return the calls in a text, in their order, and the text around them. `work` as in `read_arguments`.

    JSON that is no call stays in the content; so do tags without a readable call, and text not searched, with an error.
    """
    if len(text) > MAX_TEXT:
        return FoundCall(text, errors=(f"{len(text):,} characters are too many to look for calls in",))
    if "{" not in text and "[" not in text and "<" not in text:
        return FoundCall(text.strip())
    calls: list[Call] = []
    errors: list[str] = []
    around: list[str] = []
    at = 0
    try:
        for start, end, found in _passages(text, work or Work()):
            around.append(text[at:start])
            at = end
            calls += found.calls
            errors += found.errors
    except TooMuch as error:
        errors.append(f"{error}; the rest was not searched for calls")
    around.append(text[at:])
    content = "\n".join(filter(None, map(str.strip, around)))
    if _OPEN_TAG.search(content):
        errors.append("a tagged call that cannot be read")
    if _RESULT_TAG.search(content):
        errors.append("an invented result of a tool")
    if len(calls) > MAX_CALLS:
        errors.append(_too_many(len(calls)))
    return FoundCall(content, tuple(calls[:MAX_CALLS]), tuple(errors))


def json_object(text: str, work: Work | None = None) -> str | None:
    """Return the first JSON object in a text, as it is written there; None where there is none.

    `work` as in `read_arguments`. Raises TooMuch where the text is longer than MAX_TEXT or takes too much work.

    >>> json_object('Here: ```json {"a": [1]} ``` Done.')
    '{"a": [1]}'
    """
    if len(text) > MAX_TEXT:
        raise TooMuch(f"{len(text):,} characters are too many to look for an object in")
    work = work or Work()
    brackets = Brackets(text, work)
    at = text.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            return None
        end = brackets.end(at)
        if end is not None and isinstance(_looked_into(text[at:end], work), dict):
            return text[at:end]
        at = text.find("{", at + 1)
    return None


def _passages(text: str, work: Work) -> Iterator[tuple[int, int, FoundCall]]:
    """Yield begin, end and calls of each passage that calls. Raises TooMuch."""
    brackets = Brackets(text, work)
    at = 0
    while start := _START.search(text, at):
        at = start.end()
        end = brackets.end(at)
        value = None if end is None else _looked_into(text[at:end], work)
        if end is None or value is None:  # no JSON: brackets of another kind, which may hold a call
            at += 1
            continue
        found = _calls_of(value, work, tagged=start["tag"] is not None)
        at = end
        if found is not None:
            at = _end_match(text, end)
            yield start.start(), at, found
            while (following := _NEXT.match(text, at)) and (end := brackets.end(following.end())):
                found = _calls_of(_looked_into(text[following.end() : end], work), work, tagged=False)
                if found is None:
                    break
                begin, at = at, _end_match(text, end)
                yield begin, at, found


def _end_match(text: str, end: int) -> int:
    closing = _END.match(text, end)
    return closing.end() if closing else end


def _calls_of(value: Json, work: Work, *, tagged: bool) -> FoundCall | None:
    """The calls that a JSON value stands for; None when it stands for none."""
    items: Json = value
    if isinstance(value, dict):
        lists = [value[key] for key in _LIST_KEYS if isinstance(value.get(key), list)]
        items = lists[0] if lists else [value]
    if not isinstance(items, list) or not items:
        return None
    if not tagged and not all(map(_is_call, items)):
        return None
    read = [_read_call(item, work) for item in items]
    if None in read:
        return None
    whole = [one for one in read if one is not None]
    return FoundCall("", tuple(one[0] for one in whole), tuple(error for one in whole for error in one[1]))


def _is_call(item: Json) -> bool:
    """Whether JSON in the open is a call: it must name arguments too, since much else has a name."""
    inner = item.get("function") if isinstance(item, dict) else None
    fields = inner if isinstance(inner, dict) else item
    return isinstance(fields, dict) and any(key in fields for key in _ARGUMENT_KEYS)


def _read_call(item: Json, work: Work) -> tuple[Call, tuple[str, ...]] | None:
    if not isinstance(item, dict):
        return None
    inner = item.get("function")
    fields = inner if isinstance(inner, dict) else item
    if _is_document(fields):
        return None
    name = next((fields[key] for key in _NAME_KEYS if isinstance(fields.get(key), str) and fields[key]), None)
    if name is None:
        return None
    arguments = read_arguments(next((fields[key] for key in _ARGUMENT_KEYS if key in fields), None), work)
    identity = item.get("id")
    return Call(name, arguments.text, identity if isinstance(identity, str) else ""), arguments.errors


def _is_document(fields: dict[str, Json]) -> bool:
    """Whether this repeats a tool's document, whose schema would be read as arguments."""
    schema = fields.get("parameters")
    is_schema = isinstance(schema, dict) and isinstance(schema.get("properties"), dict) and "type" in schema
    return is_schema and isinstance(fields.get("description"), str)


def _read_text(text: str, work: Work) -> tuple[Json, tuple[str, ...]]:
    """The JSON value of a text, if need be of an object in it, and errors; None where there is none."""
    if len(text) > MAX_TEXT:
        return None, (f"arguments: {len(text):,} characters are too many to read",)
    value = _parsed(text)
    if value is not None:
        return value, ()
    try:
        inner = json_object(text, work)
    except TooMuch as error:
        return None, (f"arguments: {error}",)
    return (None, ()) if inner is None else (_parsed(inner), ("arguments: text around the object",))


def _looked_into(text: str, work: Work) -> Json:
    """The value of what may be JSON; None for null and for what is none. Raises TooMuch."""
    work.take(_UNITS_A_READING + len(text) // CHARACTERS_A_UNIT)
    return _parsed(text)


def _parsed(text: str) -> Json:
    """The value of JSON text from outside; None for null and for what is no JSON."""
    try:
        return parse(text)
    except BadDocument:
        return None


def _too_many(count: int) -> str:
    return f"{count:,} calls; those after the first {MAX_CALLS} are dropped"
