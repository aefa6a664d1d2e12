"""Phrase banks and the little grammar they are written in.

A bank file holds `[name]` headings and one frame a line; `#` starts a comment. In a frame `(a|b|)` chooses one of its
alternatives, nested as deep as one likes, and `{field}` is filled in:

    [greet]
    (Hi|Hello)( there|), could you {do}?

Frames are compiled once. Rendering tidies what choices leave behind: doubled spaces, spaces before commas, doubled
stops and small words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from random import Random
from typing import NamedTuple, TypeAlias

from callwright.errors import BadDocument, unknown_name

Node: TypeAlias = "str | Field | Alternatives"


class Field(NamedTuple):
    """A place to fill in."""

    name: str


class Alternatives(NamedTuple):
    """Sequences of nodes of which one is chosen."""

    sequences: tuple[tuple[Node, ...], ...]


class Frame(NamedTuple):
    """A compiled frame, with the fields it may need."""

    source: str
    nodes: tuple[Node, ...]
    fields: frozenset[str]

    def render(self, rng: Random, fields: Mapping[str, str]) -> str:
        """Return one wording. Raises KeyError for a field that is not given."""
        parts: list[str] = []
        _render(self.nodes, rng, fields, parts)
        return tidy("".join(parts))


_FIELD = re.compile(r"\{(\w+)\}")
_TOKEN = re.compile(r"\{\w+\}|[()|]|[^(){}|]+")


def compile_frame(source: str) -> Frame:
    """Compile one frame. Raises BadDocument for unbalanced brackets.

    >>> from random import Random
    >>> compile_frame("(Yes|Yes), {what}(.|.)").render(Random(1), {"what": "the blue one"})
    'Yes, the blue one.'
    """
    stack: list[list[list[Node]]] = [[[]]]
    for token in _TOKEN.findall(source):
        if token == "(":
            stack.append([[]])
        elif token == "|" and len(stack) > 1:
            stack[-1].append([])
        elif token == ")" and len(stack) > 1:
            alternatives = stack.pop()
            stack[-1][-1].append(Alternatives(tuple(map(tuple, alternatives))))
        elif token in "()|":
            raise BadDocument(f"frame {source!r}: a bracket or bar stands alone")
        else:
            stack[-1][-1].append(Field(token[1:-1]) if token[0] == "{" else token)
    if len(stack) != 1:
        raise BadDocument(f"frame {source!r}: a bracket is not closed")
    return Frame(source, tuple(stack[0][0]), frozenset(_FIELD.findall(source)))


def _render(nodes: Sequence[Node], rng: Random, fields: Mapping[str, str], parts: list[str]) -> None:
    for node in nodes:
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, Field):
            parts.append(fields[node.name])
        else:
            _render(node.sequences[int(rng.random() * len(node.sequences))], rng, fields, parts)


_SPACES = re.compile(r"\s{2,}")
_SPACE_BEFORE = re.compile(r"\s([,.?!;:])(?=\s|$)")
_DOUBLED = re.compile(r"([,?!.])(?:(?<!\.)\s*,|(?<!,)(?<!\.[?!.])\.(?!\.))")  # begins with a set: found much faster
_SMALL = ("now", "then", "please", "too", "here", "again")
_REPEATED = re.compile(rf"\b({'|'.join(_SMALL)}) \1\b")


def tidy(text: str) -> str:
    """Return text without the traces of composition.

    >>> tidy("sure ,  no problem.. then then")
    'sure, no problem. then'
    """
    count = 1
    while count:
        text = _SPACE_BEFORE.sub(r"\1", _SPACES.sub(" ", text.strip()))
        text, count = _DOUBLED.subn(r"\1", text)
        if any(f"{word} {word}" in text for word in _SMALL):
            text, repeated = _REPEATED.subn(r"\1", text)
            count += repeated
    return text


@cache
def bank_file(name: str, *, home: str = "callwright.author") -> dict[str, tuple[Frame, ...]]:
    """Return the banks of the bank file `name` that the package `home` holds. Raises UnknownName or BadDocument."""
    folder = files(home).joinpath("data/phrases")
    resource = folder.joinpath(f"{name}.txt")
    if not resource.is_file():
        raise unknown_name("phrase bank file", name, sorted(one.name.removesuffix(".txt") for one in folder.iterdir()))
    return parse_banks(resource.read_text(encoding="utf-8"), where=name)


def parse_banks(text: str, *, where: str) -> dict[str, tuple[Frame, ...]]:
    """Parse a bank file. Raises BadDocument naming file and line."""
    banks: dict[str, list[Frame]] = {}
    current: list[Frame] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            current = banks.setdefault(line[1:-1], [])
        elif current is None:
            raise BadDocument(f"{where}:{number}: a frame stands before the first [bank]")
        else:
            try:
                current.append(compile_frame(line))
            except BadDocument as error:
                raise BadDocument(f"{where}:{number}: {error}") from error
    return {name: tuple(frames) for name, frames in banks.items()}


@lru_cache(maxsize=8192)
def opener(text: str) -> str:
    """Return what two texts share when they are built alike: their first two words, or an article alone.

    >>> opener("Sure, the date is fixed."), opener("Ok."), opener("The date is fixed.")
    ('sure the', 'ok', 'the')
    """
    first = [found.group() for found in islice(_WORD.finditer(text.lower()), 2)]
    return "the" if first[:1] == ["the"] else " ".join(first)


_WORD = re.compile(r"[\w']+")


def write(
    rng: Random, frames: Sequence[Frame], fields: Mapping[str, str], *, recent: Sequence[str] = (), tries: int = 6
) -> str:
    """Return a wording whose opening differs from those of the speaker's `recent` texts, where one can be found."""
    used = {opener(text) for text in recent}
    text = ""
    for _ in range(tries):
        frame = frames[int(rng.random() * len(frames))]
        text = frame.render(rng, fields)
        if opener(text) not in used:
            break
    return text
