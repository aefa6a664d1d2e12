"""Calls out of what models write, each bracket looked at anew, to the end of the text if need be.

The independent version that `callwright.models.tool_calls` is compared with. It gives up after `MOST_OPEN_STARTS`
beginnings that no JSON follows, where the fast one goes on to look for calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from callwright.errors import BadDocument
from callwright.models.tool_calls import MAX_CALLS, MAX_TEXT, Arguments, FoundCall
from callwright.records.dialogue import Call
from callwright.records.jsontext import EMPTY_OBJECT, Json, encode, parse

MOST_OPEN_STARTS: Final = 32

_MAX_LAYERS = 3
_NAME_KEYS = ("name", "tool_name", "tool", "function")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
_LIST_KEYS = ("tool_calls", "calls", "function_calls")

_OPEN_TAG = re.compile(r"<(?:tool_call|function_call)>", re.IGNORECASE)
_START = re.compile(
    r"(?P<tag><(?:tool_call|function_call)>\s*(?:```\w*\s*)?)(?=[{\[])|```\w*\s*(?=[{\[])|^[ \t]*(?=[{\[])",
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(r"\s*(?:```)?\s*(?:</(?:tool_call|function_call)>)?", re.IGNORECASE)
_NEXT = re.compile(r"\s*[,;]?\s*(?=[{\[])")
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|["\[\]{}]', re.DOTALL)


def read_arguments(value: Json) -> Arguments:
    """Return arguments given as an object, as JSON text, or as JSON text inside JSON text.

    >>> read_arguments('"{\\\\"a\\\\": 1}"')
    Arguments(text='{"a":1}', errors=('arguments: encoded twice',))
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return Arguments(EMPTY_OBJECT, ("arguments: none given",))
    errors: tuple[str, ...] = ()
    for layer in range(_MAX_LAYERS):
        if not isinstance(value, str):
            break
        inner, trouble = _read_text(value)
        if inner is None:
            break
        value = inner
        errors += trouble
        if layer == 1:
            errors += ("arguments: encoded twice",)
    if not isinstance(value, dict):
        errors += ("arguments: not an object",)
    return Arguments(encode(value), errors)


def read_calls(value: Json) -> FoundCall:
    """Return the calls of a `tool_calls` field; what is no call there becomes an error."""
    if value is None:
        return FoundCall("")
    if not isinstance(value, list):
        return FoundCall("", errors=("tool_calls: not a list",))
    read = [_read_call(item) for item in value[:MAX_CALLS]]
    errors = [error for one in read for error in (one[1] if one else ("a call without a name",))]
    if len(value) > MAX_CALLS:
        errors.append(_too_many(len(value)))
    return FoundCall("", tuple(one[0] for one in read if one), tuple(errors))


def find_calls(text: str) -> FoundCall:
    """Return the calls in a text, in their order, and the text around them.

    JSON that is no call stays in the content. A tag without a call that can be read is an error, and stays as well.
    """
    if len(text) > MAX_TEXT:
        return FoundCall(text, errors=(f"{len(text):,} characters are too many to look for calls in",))
    if "{" not in text and "[" not in text and "<" not in text:
        return FoundCall(text.strip())
    calls: list[Call] = []
    errors: list[str] = []
    around: list[str] = []
    at = 0
    for start, end, found in _passages(text):
        around.append(text[at:start])
        at = end
        calls += found.calls
        errors += found.errors
    around.append(text[at:])
    content = "\n".join(filter(None, map(str.strip, around)))
    if _OPEN_TAG.search(content):
        errors.append("a tagged call that cannot be read")
    if len(calls) > MAX_CALLS:
        errors.append(_too_many(len(calls)))
    return FoundCall(content, tuple(calls[:MAX_CALLS]), tuple(errors))


def json_object(text: str) -> str | None:
    """Return the first JSON object in a text, as it is written there; None where there is none.

    >>> json_object('Here: ```json {"a": [1]} ``` Done.')
    '{"a": [1]}'
    """
    if len(text) > MAX_TEXT:
        return None
    at = text.find("{")
    for _ in range(MOST_OPEN_STARTS):
        if at < 0:
            return None
        end = _end_of_value(text, at)
        if end is not None and isinstance(_parsed(text[at:end]), dict):
            return text[at:end]
        at = text.find("{", at + 1)
    return None


def _passages(text: str) -> Iterator[tuple[int, int, FoundCall]]:
    """Yield begin, end and calls of each passage that calls."""
    at = open_starts = 0
    while open_starts < MOST_OPEN_STARTS and (start := _START.search(text, at)):
        at = start.end()
        end = _end_of_value(text, at)
        value = None if end is None else _parsed(text[at:end])
        if end is None or value is None:  # no JSON: brackets of another kind, which may hold a call
            open_starts += 1
            at += 1
            continue
        found = _calls_of(value, tagged=start["tag"] is not None)
        at = end
        if found is not None:
            at = _end_match(text, end)
            yield start.start(), at, found
            while (following := _NEXT.match(text, at)) and (end := _end_of_value(text, following.end())):
                found = _calls_of(_parsed(text[following.end() : end]), tagged=False)
                if found is None:
                    break
                begin, at = at, _end_match(text, end)
                yield begin, at, found


def _end_match(text: str, end: int) -> int:
    closing = _END.match(text, end)
    return closing.end() if closing else end


def _calls_of(value: Json, *, tagged: bool) -> FoundCall | None:
    """The calls that a JSON value stands for; None when it stands for none."""
    items: Json = value
    if isinstance(value, dict):
        lists = [value[key] for key in _LIST_KEYS if isinstance(value.get(key), list)]
        items = lists[0] if lists else [value]
    if not isinstance(items, list) or not items:
        return None
    if not tagged and not all(map(_is_call, items)):
        return None
    read = [_read_call(item) for item in items]
    if None in read:
        return None
    whole = [one for one in read if one is not None]
    return FoundCall("", tuple(one[0] for one in whole), tuple(error for one in whole for error in one[1]))


def _is_call(item: Json) -> bool:
    """Whether JSON in the open is a call: it must name arguments too, since much else has a name."""
    inner = item.get("function") if isinstance(item, dict) else None
    fields = inner if isinstance(inner, dict) else item
    return isinstance(fields, dict) and any(key in fields for key in _ARGUMENT_KEYS)


def _read_call(item: Json) -> tuple[Call, tuple[str, ...]] | None:
    if not isinstance(item, dict):
        return None
    inner = item.get("function")
    fields = inner if isinstance(inner, dict) else item
    name = next((fields[key] for key in _NAME_KEYS if isinstance(fields.get(key), str) and fields[key]), None)
    if name is None:
        return None
    arguments = read_arguments(next((fields[key] for key in _ARGUMENT_KEYS if key in fields), None))
    identity = item.get("id")
    return Call(name, arguments.text, identity if isinstance(identity, str) else ""), arguments.errors


def _read_text(text: str) -> tuple[Json, tuple[str, ...]]:
    """The JSON value of a text, if need be of an object in it; None where there is none."""
    if len(text) > MAX_TEXT:
        return None, ()
    value = _parsed(text)
    if value is not None:
        return value, ()
    inner = json_object(text)
    return (None, ()) if inner is None else (_parsed(inner), ("arguments: text around the object",))


def _parsed(text: str) -> Json:
    """The value of JSON text from outside; None for null and for what is no JSON."""
    try:
        return parse(text)
    except BadDocument:
        return None


def _end_of_value(text: str, at: int) -> int | None:
    """Where the array or object that begins at `at` ends; None when it never does."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        first = token.group()
        if first in "[{":
            depth += 1
        elif first in "]}":
            depth -= 1
            if not depth:
                return token.end()
        elif first == '"':  # a string without an end
            return None
    return None


def _too_many(count: int) -> str:
    return f"{count:,} calls; those after the first {MAX_CALLS} are dropped"
