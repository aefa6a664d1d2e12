"""The nearest other tools of each tool: the distractors of a scenario (DiaFORGE, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from callwright.catalog.lexical import fit, tool_text
from callwright.catalog.vectors import Encoder
from callwright.records.tool import Tool

if TYPE_CHECKING:
    from callwright.catalog.vectors import Vectors

_BLOCK_CELLS = 4_000_000


class Neighbour(msgspec.Struct, frozen=True):
    """One tool near another, by position in the tools."""

    index: int
    score: float
    """Cosine of the encoded texts, in [-1, 1]; the lexical encoder's are not negative."""


def nearest(
    tools: Sequence[Tool], k: int, *, encoder: Encoder | None = None, block_cells: int = _BLOCK_CELLS
) -> tuple[tuple[Neighbour, ...], ...]:
    """Return for each tool its `k` nearest others, nearest first, ties by position; none at a cosine of 0 or less.

    Nearness is the cosine of encoded name, description and parameters (section 3.1); `encoder` is lexical unless given.
    """
    texts = [tool_text(tool) for tool in tools]
    vectors = (encoder or fit(texts)).vectors(texts)
    k = min(k, len(tools) - 1)
    step = max(1, block_cells // max(1, len(tools)))
    if k <= 0:
        return ((),) * len(tools)
    return tuple(
        found
        for start in range(0, len(tools), step)
        for found in _best(vectors, start, min(start + step, len(tools)), k)
    )


def _best(vectors: Vectors, start: int, stop: int, k: int) -> list[tuple[Neighbour, ...]]:
    """The `k` best others of tools `start` to `stop`, by exact products of those that a bound leaves."""
    import numpy as np

    block = vectors.block(start, stop, first=0)
    rows = np.arange(stop - start)
    block[rows, rows + start] = -2.0
    place = block.shape[1] - k
    least = np.partition(block, place, axis=1)[:, place, None]
    row, column = np.nonzero(block >= least - 2 * vectors.slack)
    scores = vectors.products(row + start, column)
    order = np.lexsort((column, -scores, row))
    starts = np.searchsorted(row, rows)
    return [
        tuple(Neighbour(int(column[at]), float(scores[at])) for at in order[first : first + k] if scores[at] > 0)
        for first in starts.tolist()
    ]
