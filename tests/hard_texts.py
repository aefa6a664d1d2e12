"""Texts on which a regular expression that is not linear takes long, made from the expression itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

Node = tuple[Any, Any]

_TELLING = " a\n0_,.A-'\"([{<:;|/\\`*=#~!]}>)\t\u201c\u2026"
"""One character of each kind that the package's expressions tell apart."""
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT)
_MOST_PREFIXES, _MOST_BODIES = 3, 6
_ENDS = ("", "\0")


def is_bounded(pattern: re.Pattern[str]) -> bool:
    """True when the expression repeats nothing without a bound, so that its time cannot grow faster than its text."""
    return not any(True for _ in _repeats(_parsed(pattern), [""], pattern.flags))


class HardText(NamedTuple):
    """A text of any length: what begins it, what is repeated in it, what ends it."""

    start: str
    piece: str
    end: str

    def of(self, length: int) -> str:
        """Return the text of about `length` characters."""
        return self.start + self.piece * (length // len(self.piece)) + self.end


def hard_texts(pattern: re.Pattern[str]) -> Iterator[HardText]:
    """Yield distinct texts: for each unbounded repeat of the expression, what must stand before it once and its body
    many times, or both many times, up to a mismatch."""
    seen: set[tuple[str, str]] = set()
    for prefixes, bodies in _repeats(_parsed(pattern), [""], pattern.flags):
        for prefix, body in product(prefixes, bodies):
            for start, piece in (("", body), (prefix, body), ("", prefix + body), ("", prefix)):
                if piece and (start, piece) not in seen:
                    seen.add((start, piece))
                    yield from (HardText(start, piece, end) for end in _ENDS)


def _parsed(pattern: re.Pattern[str]) -> list[Node]:
    return list(_parser.parse(pattern.pattern, pattern.flags))


def _repeats(nodes: list[Node], before: list[str], flags: int) -> Iterator[tuple[list[str], list[str]]]:
    """Yield, for each unbounded repeat, texts that may stand before it and texts that its body matches."""
    for kind, value in nodes:
        if kind in (*_REPEATS, sre.POSSESSIVE_REPEAT):
            if value[1] is sre.MAXREPEAT and kind in _REPEATS:
                yield before, [body for body in _witnesses(list(value[2]), flags, _MOST_BODIES) if body]
            yield from _repeats(list(value[2]), before, flags)
        for part in _parts(kind, value):
            yield from _repeats(part, before, flags)
        after = _witnesses([(kind, value)], flags, _MOST_PREFIXES)
        before = list(islice((first + second for first, second in product(before, after)), _MOST_PREFIXES))


def _parts(kind: Any, value: Any) -> list[list[Node]]:
    if kind is sre.SUBPATTERN:
        return [list(value[3])]
    if kind is sre.ATOMIC_GROUP:
        return [list(value)]
    if kind is sre.BRANCH:
        return [list(option) for option in value[1]]
    if kind in (sre.ASSERT, sre.ASSERT_NOT):
        return [list(value[1])]
    return []


def _witnesses(nodes: list[Node], flags: int, most: int) -> list[str]:
    """Return at most `most` short texts that the nodes match, as far as assertions do not forbid them."""
    found = [""]
    for node in nodes:
        options = list(islice(_of_node(*node, flags, most), most))
        found = list(islice((first + second for second, first in product(options, found)), most))
    return found


def _of_node(kind: Any, value: Any, flags: int, most: int) -> Iterator[str]:
    if kind is sre.LITERAL:
        yield chr(value)
    elif kind in (sre.IN, sre.NOT_LITERAL, sre.ANY):
        yield from _characters(kind, value, flags)
    elif kind in (*_REPEATS, sre.POSSESSIVE_REPEAT):
        least, _, body = value
        yield from (text * least for text in _witnesses(list(body), flags, most))
        if not least:
            yield from _witnesses(list(body), flags, 1)
    elif kind is sre.BRANCH:
        options = [_witnesses(list(option), flags, most) for option in value[1]]
        yield from (option[0] for option in options if option)
    elif kind is sre.SUBPATTERN:
        yield from _witnesses(list(value[3]), flags, most)
    elif kind is sre.ATOMIC_GROUP:
        yield from _witnesses(list(value), flags, most)
    else:
        yield ""


def _characters(kind: Any, value: Any, flags: int) -> Iterator[str]:
    """Yield a character of each telling kind that a class has, its own literals last."""
    own = [chr(at) for op, at in value if op is sre.LITERAL] if kind is sre.IN else []
    own += [chr(at[0]) for op, at in value if op is sre.RANGE] if kind is sre.IN else []
    yield from (char for char in (*_TELLING, *own) if _has(kind, value, char, flags))


def _has(kind: Any, value: Any, char: str, flags: int) -> bool:
    if kind is sre.ANY:
        return bool(flags & re.DOTALL) or char != "\n"
    if kind is sre.NOT_LITERAL:
        return ord(char) != value
    negated = bool(value) and value[0][0] is sre.NEGATE
    return any(_in_item(op, at, char) for op, at in value[negated:]) != negated


_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _in_item(op: Any, at: Any, char: str) -> bool:
    if op is sre.LITERAL:
        return ord(char) == at
    if op is sre.RANGE:
        return bool(at[0] <= ord(char) <= at[1])
    return re.match(_CATEGORIES[at], char) is not None
