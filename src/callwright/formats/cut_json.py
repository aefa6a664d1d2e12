"""Completes JSON text that was cut off, after its last whole value."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r'\s*+(?:(?P<text>"[^"\\]*(?:\\.[^"\\]*)*")|(?P<mark>[\[\]{},:])|(?P<word>[^\s"\[\]{},:]+))', re.DOTALL
)
_CLOSING = {"{": "}", "[": "]"}


def closed(text: str) -> str:
    """Return the longest beginning of `text` that ends after a whole value, with its open brackets closed.

    Empty if no value begins. Complete JSON is unchanged; other text does not become JSON.

    >>> closed('{"a": [1, {"b": "x", "c": "y')
    '{"a": [1, {"b": "x"}]}'
    """
    brackets: list[str] = []
    end = 0
    awaits_value = True
    for token in _tokens(text):
        mark, position = token["mark"], token.end()
        if mark in _CLOSING:
            brackets.append(_CLOSING[mark])
        elif mark in ("}", "]"):
            if not brackets:
                break
            brackets.pop()
        is_key = token["text"] is not None and brackets[-1:] == ["}"] and not awaits_value
        may_go_on = token["word"] is not None and position == len(text)
        if mark not in (",", ":") and not is_key and not may_go_on:
            end = position
        awaits_value = mark == ":" or (mark in ("[", ",") and brackets[-1:] == ["]"])
    return text[:end] + _closers(text[:end])


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the tokens that `text` begins with, each at the end of the one before."""
    token = _TOKEN.match(text)
    while token:
        yield token
        token = _TOKEN.match(text, token.end())


def _closers(text: str) -> str:
    """Return what closes the brackets that are open at the end of `text`, which ends after a token."""
    brackets: list[str] = []
    for token in _tokens(text):
        if token["mark"] in _CLOSING:
            brackets.append(_CLOSING[token["mark"]])
        elif token["mark"] in ("}", "]"):
            brackets.pop()
    return "".join(reversed(brackets))
