"""The lexicon: one table of words (`data/lexicon.json`) that serves hearing and speaking."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def lexicon() -> dict[str, Any]:
    """Return the whole table. Do not change it."""
    text = files("callwright.lang").joinpath("data/lexicon.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def word_set(name: str) -> frozenset[str]:
    """Return the words of one entry, such as `prepositions`.

    >>> "behind" in word_set("prepositions"), "SKU" in word_set("acronyms")
    (True, True)
    """
    return frozenset(lexicon()[name].split())
