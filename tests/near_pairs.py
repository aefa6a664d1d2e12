"""All near-duplicates of some tools in one list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from callwright.catalog.near_duplicates import AllPairs
from callwright.catalog.similarity import Pair
from callwright.records.tool import Tool


def near_duplicates(tools: Sequence[Tool], **settings: Any) -> list[Pair]:
    """Return all pairs, ordered by position; `settings` are those of `AllPairs`."""
    compared = AllPairs(tools, **settings)
    return [pair for near in compared.blocks() for pair in compared.pairs(near)]
