"""The calls that a reply carries in a form that is no JSON, for those who score format apart from content.

    {'name': 'f', 'arguments': {'a': True,}}     as Python writes it
    {"f": {"a": 1}                               not closed
    f(a=1, b="x")                                with keywords

Only names of the tools shown make a call. Text is untrusted: length, depth and the places looked at are bounded, and
nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from callwright.records.dialogue import Call
from callwright.records.jsontext import Json, encode

_LONGEST: Final = 20_000
_MOST_PLACES: Final = 16
_DEEPEST: Final = 16
_NAMES: Final = ("name", "function", "tool", "tool_name")
_ARGUMENTS: Final = ("arguments", "parameters", "args", "input")
_WORDS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None, "none": None}
_NUMBER: Final = re.compile(r"-?\d{1,18}(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2})?")
_PLACE: Final = re.compile(r"\{|(?<![\w.-])(?P<name>[\w.-]{1,200})\(")
_BARE: Final = re.compile(r"[^\s,:=\[\]{}()\"']+")
_GAP: Final = re.compile(r"[\s,]*")
_SIGN: Final = re.compile(r"(?<!\s)\s*+[:=]")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}


def loose_calls(text: str, names: Collection[str]) -> tuple[Call, ...]:
    """Return the calls of tools of these names that a text carries in any such form, in their order.

    >>> [call.arguments for call in loose_calls("So: book(people=4, day='Friday').", {"book"})]
    ['{"day":"Friday","people":4}']
    """
    found, begin = [], 0
    for _ in range(_MOST_PLACES):
        place = _PLACE.search(text[:_LONGEST], begin)
        if place is None:
            break
        begin = place.end()
        if place["name"] is not None and place["name"] not in names:
            continue
        reader = _Reader(text[:_LONGEST], place.end() - 1)
        try:
            value = reader.value()
            call = _call(value, names) if place["name"] is None else (place["name"], value)
        except _Unread:
            continue
        if call is not None:
            found.append(Call(call[0], encode(call[1])))
            begin = reader.at
    return tuple(found)


def _call(value: Json, names: Collection[str]) -> tuple[str, Json] | None:
    """The name and the arguments that an object gives; None where it is no call."""
    if not isinstance(value, dict):
        return None
    name = next((one for key in _NAMES if isinstance(one := value.get(key), str) and one in names), None)
    if name is not None:
        arguments: Json = next((value[key] for key in _ARGUMENTS if key in value), {})
        if isinstance(arguments, str) and arguments.startswith("{"):
            arguments = _Reader(arguments, 0).value()
        return (name, arguments) if isinstance(arguments, dict) else None
    inner = next((key for key in value if key in names and isinstance(value[key], dict)), None)
    return None if inner is None else (inner, value[inner])


class _Unread(Exception):
    """Brackets that hold no values."""


class _Reader:
    """Reads a value from a place on; what is not closed ends with the text."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at

    def value(self, depth: int = 0) -> Json:
        """Return the value at the place. Raises _Unread."""
        if depth > _DEEPEST:
            raise _Unread
        self._skip(_GAP)
        sign = self.text[self.at : self.at + 1]
        if sign in ("{", "("):
            return self._pairs(depth)
        if sign == "[":
            return self._items(depth)
        return self._quoted() if sign in ("'", '"') else self._bare()

    def _pairs(self, depth: int) -> dict[str, Json]:
        found: dict[str, Json] = {}
        self.at += 1
        while not self._closed():
            key = self._quoted() if self.text[self.at] in "'\"" else str(self._token())
            self._skip(_SIGN, needed=True)
            found[key] = self.value(depth + 1)
        return found

    def _items(self, depth: int) -> list[Json]:
        found: list[Json] = []
        self.at += 1
        while not self._closed():
            found.append(self.value(depth + 1))
        return found

    def _closed(self) -> bool:
        self._skip(_GAP)
        if self.at < len(self.text) and self.text[self.at] not in "]})":
            return False
        self.at += 1
        return True

    def _skip(self, pattern: re.Pattern[str], *, needed: bool = False) -> None:
        match = pattern.match(self.text, self.at)
        if match is None and needed:
            raise _Unread
        self.at = match.end() if match else self.at

    def _token(self) -> str:
        match = _BARE.match(self.text, self.at)
        if match is None:
            raise _Unread
        self.at = match.end()
        return match[0]

    def _bare(self) -> Json:
        token = self._token()
        if _NUMBER.fullmatch(token):
            return float(token) if set(token) & set(".eE") else int(token)
        return _WORDS.get(token.lower(), token)

    def _quoted(self) -> str:
        mark, self.at, found = self.text[self.at], self.at + 1, []
        while self.at < len(self.text) and self.text[self.at] != mark:
            if self.text[self.at] == "\\" and self.at + 1 < len(self.text):
                self.at += 1
                found.append(self._escaped())
            else:
                found.append(self.text[self.at])
            self.at += 1
        self.at += 1
        return "".join(found)

    def _escaped(self) -> str:
        sign = self.text[self.at]
        if sign == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", code := self.text[self.at + 1 : self.at + 5]):
            self.at += 4
            return chr(int(code, 16)).encode("utf-8", "replace").decode()  # half a pair is no character
        return _ESCAPES.get(sign, sign)
