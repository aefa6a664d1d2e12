"""Identifiers that a user says: names that are made for machines, however they are joined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from callwright.lang.tokens import identifier_words
from callwright.records.tool import Tool
from callwright.validate.unsayable import is_identifier

_NAME: Final = re.compile(r"(?<![\w@./-])[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*(?![\w@/-]|\.\w)")
_ROUTE: Final = re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE) /|(?<!\w)/[a-z][\w-]*/\{")
_LONG: Final = 3
"""Words of a name from which on joining them by hyphens is no English."""


def said_identifiers(text: str, heard: str, tools: Sequence[Tool], own: str) -> Iterator[str]:
    """Yield names of tools and parameters that a text says in any spelling, and other names joined by `_`.

    `own` are the user's values, which may be names too; what the assistant said may be repeated.
    """
    names = _names(tuple(tools))
    for match in _NAME.finditer(text):
        name = match.group()
        if name.lower() in own.lower() or name.lower() in heard.lower():
            continue
        said = tuple(identifier_words(name))
        is_joined = is_identifier(name) or ("-" in name and len(said) >= _LONG)
        if is_joined and (said in names or "_" in name):
            yield name
    if found := _ROUTE.search(text):
        yield found.group()


@lru_cache(maxsize=64)
def _names(tools: tuple[Tool, ...]) -> frozenset[tuple[str, ...]]:
    """The words of all names of tools and parameters that have several."""
    every = (name for tool in tools for name in (tool.name, *tool.properties))
    return frozenset(said for name in every if len(said := tuple(identifier_words(name))) > 1)
