"""Changes of documents: each place removed, null, of another type, empty or hostile."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HOSTILE = (
    "\x1b]8;;http://evil.example\x07[/red][link=http://evil.example]x[/link]\x1b[2J\u202e{{7*7}}../../etc/passwd\r"
)
LONG = "a b" * 3_000
REMOVED = object()
WRONG: tuple[Any, ...] = ("soon", 5, True, 1.5, [None], {"a": None}, [[]])
TEXTS = ("", "soon", "{", "0", "2026-02-31", '{"a":1}', "[]", "null", HOSTILE, LONG, "\ud800")
NUMBERS = (0, -1, 10**6, 10**30, 1.5, True)


class Check(NamedTuple):
    """One command; `files` are written first."""

    area: str
    argv: tuple[str, ...]
    files: dict[str, bytes]
    what: str
    act: Callable[[], tuple[int, str, str]] | None = None
    """What is done in place of the command."""


Area = Callable[[Path, random.Random], Iterator[Check]]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every key and position inside a JSON value, also inside texts that hold JSON."""
    for key, inner in _items(value):
        yield (*path, key)
        yield from places(inner, (*path, key))


def _items(value: Any) -> Sequence[tuple[Any, Any]]:
    if isinstance(value, str) and value[:1] in ("{", "["):
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    return list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())


def changed(value: Any, path: Sequence[Any], new: Any) -> Any:
    """Return a copy of a JSON value with one place removed or set to something else."""
    if isinstance(value, str):
        return json.dumps(changed(json.loads(value), path, new))
    copy = dict(value) if isinstance(value, dict) else list(value)
    key, *rest = path
    if rest:
        copy[key] = changed(copy[key], rest, new)
    elif new is REMOVED:
        del copy[key]
    else:
        copy[key] = new
    return copy


class Mutations:
    """Changes of one place of a document: every key in every way at one of its places, then all other places.

    A key is a path without positions in lists: all elements of a list count as one key.
    """

    def __init__(self, document: Any, rng: random.Random) -> None:
        self._document = document
        self._rng = rng
        self._left: list[tuple[tuple[Any, ...], Any]] = []
        self.keys = 0
        """Changes that touch each key in each way once."""
        self.made = 0

    def next(self) -> tuple[str, Any]:
        """Return what is changed, and the changed document."""
        if not self._left:
            self._left = self._all()
        path, new = self._left.pop()
        self.made += 1
        said = "removed" if new is REMOVED else ascii(new)[:40]
        return f"{'/'.join(map(str, path))} := {said}", changed(self._document, path, new)

    def _all(self) -> list[tuple[tuple[Any, ...], Any]]:
        """Return all changes in the order in which they are taken from the end."""
        found = list(places(self._document))
        self._rng.shuffle(found)
        of_key = {tuple("" if isinstance(part, int) else part for part in path): path for path in found}
        first = [(path, new) for path in of_key.values() for new in self._ways(path)]
        chosen = set(of_key.values())
        rest = [(path, new) for path in found if path not in chosen for new in self._ways(path)]
        self._rng.shuffle(first)
        self._rng.shuffle(rest)
        self.keys = self.keys or len(first)
        return rest + first

    def _ways(self, path: Sequence[Any]) -> list[Any]:
        """Return what a place is set to: nothing, null, another type, empty, and hostile values of its own type."""
        old = self._document
        for key in path:
            old = dict(_items(old))[key]
        wrong = self._rng.choice([one for one in WRONG if type(one) is not type(old)])
        return [REMOVED, None, wrong, *_of_its_type(old)]


def _of_its_type(old: Any) -> Sequence[Any]:
    if isinstance(old, str):
        return TEXTS
    if isinstance(old, int | float):
        return NUMBERS
    if isinstance(old, list):
        return [[], old + old, old[::-1], old[:1]]
    return [{}, {**old, HOSTILE: 1}, {**old, "": old}] if isinstance(old, dict) else []


def line(value: Any) -> bytes:
    """Return a value as a line of JSON; half a surrogate pair is its escape."""
    return json.dumps(value).encode() + b"\n"
