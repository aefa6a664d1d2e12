"""Python literals from outside, such as `{'retriever_call': 'true'}`: read within bounds and never run."""

from __future__ import annotations

import ast
import re
from math import isfinite
from typing import Final

from callwright.errors import BadDocument
from callwright.records.jsontext import Json

MOST_CHARACTERS: Final = 1_000_000
MOST_LEVELS: Final = 50

_TOKEN: Final = re.compile(
    r"""\s++
    | '(?:[^'\\\n]|\\.)*+' | "(?:[^"\\\n]|\\.)*+"
    | True\b | False\b | None\b
    | [-+]?+(?:\d[\d_]*+(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?+\d++)?+(?!\w)
    | (?P<bracket>[\[\]{}()]) | [,:]""",
    re.VERBOSE,
)
"""The tokens of a literal: no names, no operators and no prefixed strings."""


def read_literal(text: str, *, where: str) -> Json:
    """Return the JSON value of a Python literal: strings, numbers, True, False, None, lists, tuples, dicts.

    A tuple becomes a list. Raises BadDocument, naming `where`, for everything else, and beyond the bounds.
    """
    if len(text) > MOST_CHARACTERS:
        raise BadDocument(f"{where}: a literal of {len(text):,} characters; the limit is {MOST_CHARACTERS:,}.")
    _check_tokens(text, where)
    try:
        return _as_json(ast.literal_eval(text.strip()), where)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        if isinstance(error, BadDocument):
            raise
        raise BadDocument(f"{where}: not a Python literal: {error}. Restore the line.") from error


def _check_tokens(text: str, where: str) -> None:
    """Raise BadDocument where a text holds more than the tokens of literals, or is nested too deeply."""
    at = level = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise BadDocument(f"{where}: not a Python literal at {text[at : at + 40]!r}. Restore the line.")
        if bracket := token["bracket"]:
            level += 1 if bracket in "[{(" else -1
            if level > MOST_LEVELS:
                raise BadDocument(f"{where}: a literal nested over {MOST_LEVELS} levels deep. Flatten it.")
        at = token.end()


def _as_json(value: object, where: str) -> Json:
    if isinstance(value, list | tuple):
        return [_as_json(one, where) for one in value]
    if isinstance(value, dict):
        if strange := next((name for name in value if not isinstance(name, str)), None):
            raise BadDocument(f"{where}: the key {strange!r:.40} is no text. Quote it.")
        return {name: _as_json(one, where) for name, one in value.items()}
    if value is None or isinstance(value, str | int) or (isinstance(value, float) and isfinite(value)):
        return value
    raise BadDocument(f"{where}: {value!r:.40} is no JSON value. Write a list, or a number in range.")
