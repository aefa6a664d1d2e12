"""Regular expressions of schemas: parses a subset, draws matching texts, and matches in linear time.

    alternatives   `a|b`, groups; back references and look-around are refused, and flags but for `(?s)` at the beginning
    atoms          letters, escapes (`\\d`, `\\w`, `\\s`), classes `[A-Z0-9_]`, `.`
    repeats        `?`, `*`, `+`, `{3}`, `{2,5}`

Patterns are untrusted, so Python's backtracking matcher is not used.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache
from random import Random
from typing import TypeAlias

import msgspec

from callwright.errors import BadDocument

MAX_REPEAT = 200
"""Largest repeat count accepted."""

MAX_PATTERN = 300
"""Longest pattern accepted, in characters."""

MAX_NESTED = 2
"""Most nested repeats."""


class Chars(msgspec.Struct, frozen=True):
    """One character out of a set; `negated` sets match any other character."""

    letters: str
    negated: bool = False


class Repeat(msgspec.Struct, frozen=True):
    """A node between `least` and `most` times; `most` is None when unbounded."""

    node: Node
    least: int
    most: int | None


class Alternation(msgspec.Struct, frozen=True):
    """One of several sequences."""

    options: tuple[tuple[Node, ...], ...]


Node: TypeAlias = "Chars | Repeat | Alternation"

_CLASSES = {
    "d": string.digits,
    "w": string.ascii_letters + string.digits + "_",
    "s": " ",
}
_FLAGS = re.compile(r"^\^?\(\?[sm]{1,2}\)")
"""Flags that change only what `.` and the ends of lines are: values have one line."""
_ANY = Chars("\n", negated=True)
_DRAWN = string.ascii_lowercase + string.digits
_LEFT_OUT = 0.8
"""Share of the groups that may be absent and are: most people write the plain form."""


@lru_cache(maxsize=2048)
def parse_pattern(pattern: str) -> Alternation | None:
    """Return the parsed pattern, or None if it uses a refused feature."""
    if len(pattern) > MAX_PATTERN:
        return None
    pattern = _FLAGS.sub("", pattern)
    try:
        node, end = _choice(pattern, 0, 0)
    except (BadDocument, IndexError):
        return None
    return node if end == len(pattern) and _repeats(node) <= MAX_NESTED else None


def _repeats(node: Node) -> int:
    """Return the depth of nested repeats; each level multiplies the time of a match."""
    if isinstance(node, Chars):
        return 0
    if isinstance(node, Alternation):
        return max((_repeats(part) for option in node.options for part in option), default=0)
    return _repeats(node.node) + (node.most != 1)


def _choice(text: str, at: int, depth: int) -> tuple[Alternation, int]:
    if depth > 10:
        raise BadDocument("pattern nested too deeply")
    options: list[tuple[Node, ...]] = []
    nodes: list[Node] = []
    while at < len(text) and text[at] != ")":
        if text[at] == "|":
            options.append(tuple(nodes))
            nodes, at = [], at + 1
            continue
        if text[at] in "^$":
            at += 1
            continue
        node, at = _atom(text, at, depth)
        node, at = _repeat(text, at, node)
        nodes.append(node)
    return Alternation((*options, tuple(nodes))), at


def _atom(text: str, at: int, depth: int) -> tuple[Node, int]:
    letter = text[at]
    if letter == "(":
        start = at + 3 if text.startswith("(?:", at) else at + 1
        if text[start] == "?":
            raise BadDocument("look-around and flags are refused")
        node, end = _choice(text, start, depth + 1)
        if text[end] != ")":
            raise BadDocument("group is not closed")
        return node, end + 1
    if letter == "[":
        return _class(text, at + 1)
    if letter == ".":
        return _ANY, at + 1
    if letter == "\\":
        return _escape(text[at + 1]), at + 2
    if letter in "*+?{":
        raise BadDocument("nothing to repeat")
    return Chars(letter), at + 1


def _escape(letter: str) -> Chars:
    if letter in _CLASSES:
        return Chars(_CLASSES[letter])
    if letter.lower() in _CLASSES and letter.isupper():
        return Chars(_CLASSES[letter.lower()], negated=True)
    if letter.isalnum():
        raise BadDocument(f"escape \\{letter} is refused")
    return Chars(letter)


def _class(text: str, at: int) -> tuple[Chars, int]:
    negated = text[at] == "^"
    at += negated
    letters: list[str] = []
    outside: list[str] = []
    """Of each `\\S`, `\\D` and `\\W`: characters that it leaves out."""
    first = at
    while text[at] != "]" or at == first:
        if text[at] == "\\":
            escaped = _escape(text[at + 1])
            (outside if escaped.negated else letters).append(escaped.letters)
            at += 2
        elif text[at + 1] == "-" and text[at + 2] != "]":
            low, high = ord(text[at]), ord(text[at + 2])
            if not 0 <= high - low <= 256:
                raise BadDocument("range too wide")
            letters.append("".join(map(chr, range(low, high + 1))))
            at += 3
        else:
            letters.append(text[at])
            at += 1
    if not outside:
        return Chars("".join(letters), negated), at + 1
    left_out = set.intersection(*map(set, outside)).difference(*letters)
    return Chars("".join(sorted(left_out)), not negated), at + 1


def _repeat(text: str, at: int, node: Node) -> tuple[Node, int]:
    if at >= len(text) or text[at] not in "?*+{":
        return node, at
    least, most = {"?": (0, 1), "*": (0, None), "+": (1, None), "{": (0, 0)}[text[at]]
    if text[at] == "{":
        close = text.index("}", at) if "}" in text[at:] else at
        low, comma, high = text[at + 1 : close].partition(",")
        if not low.isdigit() or (high and not high.isdigit()):
            raise BadDocument("repeat is not a number")
        least, most, at = int(low), int(high) if high else (None if comma else int(low)), close
    if least > MAX_REPEAT or (most or 0) > MAX_REPEAT:
        raise BadDocument("repeat too large")
    at += 1
    at += at < len(text) and text[at] == "?"
    return Repeat(node, least, most), at


def draw_from(pattern: Alternation, rng: Random) -> str:
    """Return a text that the whole pattern matches; unbounded repeats stay short."""
    return "".join(_draw(node, rng) for node in rng.choice(pattern.options))


def _draw(node: Node, rng: Random) -> str:
    if isinstance(node, Chars):
        letters = [c for c in _DRAWN if c not in node.letters] if node.negated else _plain(node.letters)
        return rng.choice(letters) if letters else ""
    if isinstance(node, Alternation):
        return draw_from(node, rng)
    if node.most is None and node.least == 1 and isinstance(node.node, Alternation):
        return _draw(node.node, rng)
    if node.most is None and node.least == 1:
        return "".join(_draw(node.node, rng) for _ in range(rng.randint(8, 9)))  # as long as identifiers are
    if not node.least and isinstance(node.node, Alternation) and rng.random() < _LEFT_OUT:
        return ""
    most = node.most if node.most is not None else max(node.least, 6)
    count = rng.randint(node.least, min(most, node.least + 8))
    return "".join(_draw(node.node, rng) for _ in range(count))


@lru_cache(maxsize=4096)
def _plain(letters: str) -> str:
    """Letters and digits where there are any, without the capitals whose small letters are there too.

    >>> _plain("abABC.+")
    'abC'
    """
    plain = "".join(letter for letter in letters if letter.isalnum()) or letters
    return "".join(letter for letter in plain if not (letter.isupper() and letter.lower() in plain))


def is_match(pattern: Alternation, text: str) -> bool:
    """True when the pattern matches the whole text, in time linear in its length for a given pattern."""
    return len(text) in _after(pattern, text, frozenset((0,)))


def _after(node: Node, text: str, starts: frozenset[int]) -> frozenset[int]:
    """Return the possible end positions of a node that starts at `starts`."""
    if isinstance(node, Chars):
        return frozenset(n + 1 for n in starts if n < len(text) and (text[n] in node.letters) != node.negated)
    if isinstance(node, Alternation):
        return frozenset(end for option in node.options for end in _after_all(option, text, starts))
    reached, found = starts, starts if node.least == 0 else frozenset()
    count = 0
    while reached and (node.most is None or count < node.most) and count <= len(text) + node.least:
        reached, count = _after(node.node, text, reached), count + 1
        if count >= node.least:
            if reached <= found:
                break
            found |= reached
    return found


def _after_all(nodes: tuple[Node, ...], text: str, starts: frozenset[int]) -> frozenset[int]:
    for node in nodes:
        starts = _after(node, text, starts)
    return starts
