"""How alike two tools are, and which tools of a catalogue are near-duplicates (DiaFORGE, Appendix A.4).

    S = .40 name + .35 description + .25 parameters            near-duplicates where S >= .70
    name         2·LCS / (|a| + |b|) of the lower-cased names, LCS the longest common subsequence of characters
    description  (1 + cosine) / 2 of the encoded descriptions; the zero vector has cosine 0 with every other
    parameters   half the Jaccard index of the required keys (1 where neither tool has one)
                 + half the share of common required keys with one base type (0 where there is none)

All parts are symmetric and lie in [0, 1]. The encoder is the lexical one, which has no negative cosines, so that
descriptions without a common word score .5. `pair_similarity` is the definition; `near_duplicates` computes the same
for all pairs at once, in blocks of rows: time grows with the square of the number of tools, memory does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from callwright.catalog.lexical import LexicalEncoder, cosine, fit, sparse_rows, tool_text
from callwright.catalog.parameter_types import required_types
from callwright.errors import BadInput
from callwright.records.tool import Tool

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    Floats: TypeAlias = NDArray[np.float64]

THRESHOLD = 0.70
MEASURE = "composite.v1"

_BLOCK_CELLS = 500_000
"""Cells of one block of the pair matrix: 4 MB for each of the ten or so arrays that are alive at once."""

_DOUBTFUL = 1e-6
"""Scores this close to the threshold are decided by the definition, not by the order of a matrix product."""

_ROUNDING = 1e-9
"""What a score may fall short of the threshold: .4 + .175 + .125 must reach .7 in binary fractions too."""


class Weights(NamedTuple):
    """Shares of the three parts; together 1."""

    name: float = 0.40
    description: float = 0.35
    parameters: float = 0.25


WEIGHTS = Weights()


class Parts(NamedTuple):
    """A composite similarity and the parts it was made from, each in [0, 1]."""

    name: float
    description: float
    parameters: float
    score: float


class Pair(NamedTuple):
    """Two near-duplicates, by position in the tools; `a` < `b`."""

    a: int
    b: int
    parts: Parts


def checked_weights(name: float, description: float, parameters: float) -> Weights:
    """Return weights that were given from outside. Raises BadInput unless they are shares of 1."""
    weights = Weights(name, description, parameters)
    if not (all(0 <= weight <= 1 for weight in weights) and abs(sum(weights) - 1) < 1e-9):
        raise BadInput(
            f"weights {name:g}, {description:g}, {parameters:g} (name, description, parameters): each must lie "
            "between 0 and 1 and together they must be 1, as in 0.4,0.35,0.25."
        )
    return weights


def description_encoder(tools: Sequence[Tool]) -> LexicalEncoder:
    """Return the encoder fitted on the descriptions of a whole catalogue."""
    return fit(tool.description for tool in tools)


def pair_similarity(a: Tool, b: Tool, encoder: LexicalEncoder, *, weights: Weights = WEIGHTS) -> Parts:
    """Return the composite similarity of two tools, `encoder` being fitted on their catalogue's descriptions."""
    return _parts(
        name_similarity(a.name, b.name),
        (1.0 + min(1.0, cosine(encoder.weights(a.description), encoder.weights(b.description)))) / 2.0,
        parameter_similarity(a, b),
        weights,
    )


def is_near(score: float, threshold: float = THRESHOLD) -> bool:
    """Return whether a composite similarity makes near-duplicates: at least `threshold`, rounding apart."""
    return score >= threshold - _ROUNDING


def name_similarity(a: str, b: str) -> float:
    """Return 2·LCS/(|a|+|b|) of two names, their case apart; 1 for two empty names."""
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(a.lower(), b.lower()))


def parameter_similarity(a: Tool, b: Tool) -> float:
    """Return half the Jaccard index of the required keys plus half the type agreement over the common ones."""
    one, other = required_types(a), required_types(b)
    common = one.keys() & other.keys()
    jaccard = len(common) / len(one.keys() | other.keys()) if one or other else 1.0
    agreement = sum(one[key] == other[key] for key in common) / len(common) if common else 0.0
    return 0.5 * jaccard + 0.5 * agreement


def to_pool(tool: Tool, pool: Sequence[Tool], encoder: LexicalEncoder) -> tuple[float, ...]:
    """Return the composite similarity of `tool` to each tool of `pool` (`encoder` as in `pair_similarity`)."""
    return tuple(pair_similarity(tool, other, encoder).score for other in pool)


def near_duplicates(
    tools: Sequence[Tool], *, threshold: float = THRESHOLD, weights: Weights = WEIGHTS, block_cells: int = _BLOCK_CELLS
) -> list[Pair]:
    """Return all pairs with a composite similarity of at least `threshold`, ordered by position.

    Exact: equal to `pair_similarity` over all pairs within 1e-12, whatever `block_cells` (which bounds the memory).
    """
    import numpy as np

    encoder = description_encoder(tools)
    pairs: list[Pair] = []
    for first, parts in _part_blocks(tools, encoder, weights, block_cells):
        rows, columns = np.nonzero(np.triu(parts[-1] >= threshold - _DOUBTFUL, k=1))
        values = zip(*(part[rows, columns].tolist() for part in parts), strict=True)
        for row, column, value in zip(rows.tolist(), columns.tolist(), values, strict=True):
            a, b, found = first + row, first + column, Parts(*value)
            if abs(found.score - threshold) < _DOUBTFUL:
                found = pair_similarity(tools[a], tools[b], encoder, weights=weights)
            if is_near(found.score, threshold):
                pairs.append(Pair(a, b, found))
    return pairs


def _part_blocks(
    tools: Sequence[Tool], encoder: LexicalEncoder, weights: Weights, block_cells: int
) -> Iterator[tuple[int, tuple[Floats, ...]]]:
    """Yield the first row of each block, and its parts and scores against the tools from that row on."""
    import numpy as np
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    names = [tool.name.lower() for tool in tools]
    required = [required_types(tool) for tool in tools]
    descriptions = _Products(encoder.encode(tool.description for tool in tools))
    keys = _Products(_indicators([list(one) for one in required]))
    typed = _Products(_indicators([list(one.items()) for one in required]))
    sizes = np.array([len(one) for one in required], dtype=np.float64)
    for start, stop in _row_blocks(len(tools), block_cells):
        name = cdist(names[start:stop], names[start:], scorer=Indel.normalized_similarity, dtype=np.float64)
        description = (1.0 + np.minimum(descriptions.block(start, stop), 1.0)) / 2.0
        parameters = _parameter_block(keys.block(start, stop), typed.block(start, stop), sizes[start:])
        score = weights.name * name + weights.description * description + weights.parameters * parameters
        yield start, (name, description, parameters, score)


def _row_blocks(count: int, block_cells: int) -> Iterator[tuple[int, int]]:
    """Split the rows of the upper triangle into ranges of about `block_cells` cells."""
    start = 0
    while start < count:
        stop = min(count, start + max(1, block_cells // (count - start)))
        yield start, stop
        start = stop


class _Products:
    """Dot products between the rows of one sparse matrix."""

    def __init__(self, rows: csr_matrix[Any]) -> None:
        self.rows = rows
        self.columns = rows.T.tocsr()

    def block(self, start: int, stop: int) -> Floats:
        """Dot products of rows `start` to `stop` with all rows from `start` on.

        Each is summed in column order of the row, so neither the block nor the order of the pair changes it.
        """
        dense: Floats = (self.rows[start:stop] @ self.columns).toarray()[:, start:]
        return dense


def _parameter_block(common: Floats, agreeing: Floats, sizes: Floats) -> Floats:
    """Parameter similarity from the counts of common and agreeing keys and the number of keys of each column."""
    import numpy as np

    union = sizes[: len(common), None] + sizes[None, :] - common
    jaccard = np.divide(common, union, out=np.ones_like(common), where=union > 0)
    agreement = np.divide(agreeing, common, out=np.zeros_like(common), where=common > 0)
    block: Floats = 0.5 * jaccard + 0.5 * agreement
    return block


def _indicators(rows: Sequence[Sequence[object]]) -> csr_matrix[Any]:
    """One row for each set, one column for each distinct member."""
    columns = {member: column for column, member in enumerate(dict.fromkeys(member for row in rows for member in row))}
    return sparse_rows(({columns[member]: 1.0 for member in row} for row in rows), width=len(columns))


class Neighbour(msgspec.Struct, frozen=True):
    """One tool near another, by position in the tools."""

    index: int
    score: float
    """Dot product of the encoded texts, in [0, 1]."""


def nearest(tools: Sequence[Tool], k: int, *, block_cells: int = _BLOCK_CELLS) -> tuple[tuple[Neighbour, ...], ...]:
    """Return for each tool its `k` nearest others (fewer in a smaller catalogue), nearest first, ties by position.

    Nearness is the dot product of encoded name, description and parameters (section 3.1), not the composite
    similarity: these are the distractors of a scenario.
    """
    texts = [tool_text(tool) for tool in tools]
    vectors = fit(texts).encode(texts)
    columns = vectors.T.tocsr()
    found: list[tuple[Neighbour, ...]] = []
    step = max(1, block_cells // max(1, len(tools)))
    for start in range(0, len(tools), step):
        block: Floats = (vectors[start : start + step] @ columns).toarray()
        found += (_best(row, start + offset, k) for offset, row in enumerate(block))
    return tuple(found)


def _best(scores: Floats, itself: int, k: int) -> tuple[Neighbour, ...]:
    """The `k` largest scores but the tool's own, largest first, ties by position."""
    import numpy as np

    k = min(k, len(scores) - 1)
    if k <= 0:
        return ()
    scores[itself] = -1.0
    least = np.partition(scores, len(scores) - k)[len(scores) - k]
    candidates = np.nonzero(scores >= least)[0]
    order = candidates[np.argsort(-scores[candidates], kind="stable")[:k]]
    return tuple(Neighbour(int(index), float(scores[index])) for index in order)


def _parts(name: float, description: float, parameters: float, weights: Weights) -> Parts:
    score = weights.name * name + weights.description * description + weights.parameters * parameters
    return Parts(name, description, parameters, score)
