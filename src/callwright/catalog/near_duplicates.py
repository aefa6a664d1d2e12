"""All near-duplicates of a catalogue at once: the pairs that `pair_similarity` defines, for tens of thousands of tools.

Rows of the pair matrix are taken in blocks. For each pair the sum of description and parameter parts is bounded first;
the name, which is expensive, is compared only if the threshold is in reach. Results within rounding of the threshold
are computed again in float64. So the pairs are exact, time grows with the square of the number of tools, and memory
does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from callwright.catalog.lexical import sparse_rows
from callwright.catalog.parameter_types import required_types
from callwright.catalog.similarity import ROUNDING, THRESHOLD, WEIGHTS, Pair, Parts, Weights, description_encoder
from callwright.catalog.vectors import Encoder
from callwright.records.tool import Tool

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from callwright.catalog.vectors import Floats, Positions

_BLOCK_CELLS = 4_000_000
"""Cells of one block of the pair matrix: 16 MB for each of the five or so arrays that are alive at once."""

_SINGLE_ROUNDING = 1e-6
"""Largest float32 error of the sum of the parts."""


class Near(NamedTuple):
    """Some near-duplicates: arrays of one length, in the order of `a`, then `b`; `a` < `b`."""

    a: Positions
    b: Positions
    name: Floats
    parameters: Floats
    score: Floats
    """Within `AllPairs.slack` of the composite similarity."""

    def where(self, kept: NDArray[np.bool_] | Positions) -> Near:
        """Return the pairs that a mask or positions choose."""
        return Near(self.a[kept], self.b[kept], self.name[kept], self.parameters[kept], self.score[kept])


class AllPairs:
    """The pairs of `pair_similarity` of a catalogue, each part within 1e-12; `block_cells` bounds the memory."""

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        encoder: Encoder | None = None,
        threshold: float = THRESHOLD,
        weights: Weights = WEIGHTS,
        block_cells: int = _BLOCK_CELLS,
    ) -> None:
        import numpy as np

        self._weights = weights
        self._least = threshold - ROUNDING
        self._block_cells = block_cells
        self._names = np.array([tool.name.lower() for tool in tools] + [None], dtype=object)[:-1]
        self._lengths = np.array([len(name) for name in self._names], dtype=np.float32)
        self._parameters = _ParameterTable(tools)
        self._vectors = (encoder or description_encoder(tools)).vectors([tool.description for tool in tools])
        self.slack = weights.description / 2 * self._vectors.slack + _SINGLE_ROUNDING

    def blocks(self) -> Iterator[Near]:
        """Yield all near-duplicates, in the order of the pairs."""
        for start, stop in row_blocks(len(self._names), self._block_cells):
            yield self._near(start, stop)

    def pairs(self, near: Near) -> list[Pair]:
        """Return the pairs with their exact parts, in the order given."""
        description, score = self._exact(near)
        columns = (near.a, near.b, near.name, description, near.parameters, score)
        return [Pair(a, b, Parts(*parts)) for a, b, *parts in zip(*(c.tolist() for c in columns), strict=True)]

    def _exact(self, near: Near) -> tuple[Floats, Floats]:
        """Description part and composite similarity in float64."""
        import numpy as np

        description = (1.0 + np.clip(self._vectors.products(near.a, near.b), -1.0, 1.0)) / 2.0
        weights = self._weights
        score: Floats = (
            weights.name * near.name + weights.description * description + weights.parameters * near.parameters
        )
        return description, score

    def _near(self, start: int, stop: int) -> Near:
        import numpy as np

        bound = self._vectors.block(start, stop, first=start)
        np.minimum(bound, 1.0, out=bound)
        bound *= self._weights.description / 2
        table, rows = self._parameters.table(start, stop)
        but_name = (self._weights.parameters * table + self._weights.description / 2).astype(np.float32)
        bound += but_name[rows][:, self._parameters.kinds[start:]]
        least = self._least - self.slack
        row, column = np.divmod(np.flatnonzero(bound >= least - self._weights.name), bound.shape[1])
        upper = column > row
        row, column = row[upper], column[upper]
        rest = bound[row, column].astype(np.float64)
        possible = rest + self._weights.name * self._best_names(row + start, column + start) >= least
        row, column, rest = row[possible], column[possible], rest[possible]
        name = self._compare_names(row + start, column + start, (least - rest) / (self._weights.name or 1.0))
        score = rest + self._weights.name * name
        parameters = table[rows[row], self._parameters.kinds[column + start]]
        found = Near(row + start, column + start, name, parameters, score).where(score >= least)
        doubtful = np.flatnonzero(found.score < self._least + self.slack)
        exact = self._exact(found.where(doubtful))[1]
        kept = np.ones(len(found.a), dtype=bool)
        kept[doubtful[exact < self._least]] = False
        return found.where(kept)

    def _best_names(self, a: Positions, b: Positions) -> Floats:
        """Return the highest possible name similarity for these lengths."""
        import numpy as np

        one, other = self._lengths[a], self._lengths[b]
        best: Floats = 2.0 * np.minimum(one, other) / np.maximum(one + other, 1.0) + (one + other == 0)
        return best + _SINGLE_ROUNDING

    def _compare_names(self, a: Positions, b: Positions, needed: Floats) -> Floats:
        """Name parts of pairs in the order of `a`; 0 where they fall short of what is needed."""
        import numpy as np
        from rapidfuzz.distance import Indel
        from rapidfuzz.process import cdist

        found = np.empty(len(a))
        ends = np.flatnonzero(np.diff(a, append=-1)) + 1
        start = 0
        for end in ends.tolist():
            found[start:end] = cdist(
                [self._names[a[start]]],
                self._names[b[start:end]],
                scorer=Indel.normalized_similarity,
                score_cutoff=max(0.0, needed[start:end].min() - _SINGLE_ROUNDING),
                dtype=np.float64,
            )[0]
            start = end
        return found


class ComparedPairs(Protocol):
    """A catalogue prepared for comparing all its tools, by either formula."""

    slack: float
    """The greatest rounding error of `Near.score`."""

    def blocks(self) -> Iterator[Near]:
        """Yield all pairs above a threshold, in the order of the pairs."""
        ...

    def pairs(self, near: Near) -> list[Pair]:
        """Return pairs with their exact parts."""
        ...


def row_blocks(count: int, block_cells: int) -> Iterator[tuple[int, int]]:
    """Split the rows of the upper triangle into ranges of about `block_cells` cells."""
    start = 0
    while start < count:
        stop = min(count, start + max(1, block_cells // (count - start)))
        yield start, stop
        start = stop


class _ParameterTable:
    """Parameter similarities between the distinct sets of required parameters."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        import numpy as np

        sets = [tuple(sorted(required_types(tool).items())) for tool in tools]
        known = {found: kind for kind, found in enumerate(dict.fromkeys(sets))}
        self.kinds: Positions = np.array([known[found] for found in sets], dtype=np.int64)
        self._sizes = np.array([len(found) for found in known], dtype=np.float64)
        self._keys = indicators([[key for key, _ in found] for found in known])
        self._typed = indicators(list(known))

    def table(self, start: int, stop: int) -> tuple[Floats, Positions]:
        """Return the similarities of the sets of tools `start` to `stop` with all sets, and the row of each tool."""
        import numpy as np

        kinds, rows = np.unique(self.kinds[start:stop], return_inverse=True)
        common = (self._keys[kinds] @ self._keys.T).toarray()
        agreeing = (self._typed[kinds] @ self._typed.T).toarray()
        union = self._sizes[kinds, None] + self._sizes[None, :] - common
        jaccard = np.divide(common, union, out=np.ones_like(common), where=union > 0)
        agreement = np.divide(agreeing, common, out=np.zeros_like(common), where=common > 0)
        return 0.5 * jaccard + 0.5 * agreement, rows


def indicators(rows: Sequence[Sequence[object]]) -> csr_matrix[Any]:
    """One row for each set, one column for each distinct member."""
    columns = {member: column for column, member in enumerate(dict.fromkeys(member for row in rows for member in row))}
    return sparse_rows(({columns[member]: 1.0 for member in row} for row in rows), width=len(columns))


class SimilarityTally:
    """Counts pairs as they are found, and keeps the `most` most similar; its size does not grow with the pairs."""

    def __init__(self, compared: ComparedPairs, tools: int, *, most: int) -> None:
        import numpy as np

        self._compared = compared
        self._most = most
        self.pairs: list[Pair] = []
        """The most alike pairs, most alike first, ties by position."""
        self._alike = np.zeros(tools, dtype=bool)
        self.total = 0

    def add(self, near: Near) -> None:
        """Count some pairs, which come in order of position."""
        self.total += len(near.a)
        self._alike[near.a] = self._alike[near.b] = True
        self._keep(near)

    @property
    def alike(self) -> int:
        """How many tools have a near-duplicate."""
        return int(self._alike.sum())

    def _keep(self, near: Near) -> None:
        import numpy as np

        if not self._most:
            return
        least, slack = -1.0, self._compared.slack
        if len(near.a) > self._most:
            least = float(np.partition(near.score, len(near.a) - self._most)[len(near.a) - self._most])
        if len(self.pairs) == self._most:
            least = max(least, self.pairs[-1].parts.score + slack)
        near = near.where(near.score >= least - 2 * slack)
        if not slack and len(near.a) > self._most:  # many pairs with one score: the first by position stay
            near = near.where(np.sort(np.argsort(-near.score, kind="stable")[: self._most]))
        found = self._compared.pairs(near)
        self.pairs = sorted([*self.pairs, *found], key=lambda one: (-one.parts.score, one.a, one.b))[: self._most]
