"""ToolDial's criteria for edges, its Equation 1, for all pairs of outputs and inputs at once and exactly.

    cosine of descriptions > .77  and  cosine of descriptions with keywords > .5  and  likeness of names > .83

Every comparison is strict. Only different texts are compared. Descriptions are multiplied in float32 in blocks, and
what lies near the threshold again in float64; keywords and names are compared for the pairs that are left, and only
these fields' keywords are encoded: most of a catalogue's need no vector. So the result depends neither on the size of a
block nor on the number of threads, and memory does not grow with the pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final, NamedTuple

from callwright.catalog.vectors import Encoder, Vectors
from callwright.graph.field_texts import FieldText
from callwright.graph.likenesses import compared

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from callwright.catalog.vectors import Floats, Positions

NAME: Final = "paper.v1"
"""Name and version of the criteria."""
BLOCK_CELLS: Final = 16_000_000
"""Cells of one block of the matrix of descriptions: 64 MB."""
_LEAST_SLACK: Final = 1e-5
"""How near a threshold a float32 product is multiplied again."""


class Thresholds(NamedTuple):
    """The threshold that each likeness must exceed."""

    name: float = 0.83
    keywords: float = 0.5
    description: float = 0.77


class Matches(NamedTuple):
    """The pairs that satisfy the equation: arrays of one length, in the order of outputs, then inputs."""

    output: Positions
    input: Positions
    description_fails: int
    """Pairs whose descriptions are not alike enough."""
    keywords_fail: int
    """Pairs that only fail from the keywords on."""
    name_fails: int


Timer = Callable[[str], AbstractContextManager[object]]
"""Measures the share of each stage (`bench/graph_build.py`)."""


def _untimed(_: str) -> AbstractContextManager[object]:
    return nullcontext()


def matches(
    outputs: Sequence[FieldText],
    inputs: Sequence[FieldText],
    encoder: Encoder,
    *,
    thresholds: Thresholds = Thresholds(),  # noqa: B008 - immutable
    block_cells: int = BLOCK_CELLS,
    stage: Timer = _untimed,
) -> Matches:
    """Return all pairs that satisfy Equation 1, `block_cells` bounding the memory."""
    import numpy as np

    ones, others = _Distinct(outputs), _Distinct(inputs)
    with stage("encode"):
        described = encoder.vectors([*ones.descriptions, *others.descriptions])
    found: list[tuple[Positions, Positions]] = []
    passed = [0, 0, 0]
    alike = _alike(described, ones, others, thresholds.description, block_cells, stage)
    for a, b, cosines in _with_keywords(_gathered(alike, block_cells), ones, others, encoder, stage):
        sizes = ones.sizes[a] * others.sizes[b]
        keyword = cosines > thresholds.keywords
        with stage("names"):
            named = _names_alike(ones.names[a[keyword]], others.names[b[keyword]], thresholds.name)
        for place, count in enumerate((sizes, sizes[keyword], sizes[keyword][named])):
            passed[place] += int(count.sum())
        found.append((a[keyword][named], b[keyword][named]))
    empty = np.zeros(0, dtype=np.int64)
    output, input_ = _spread(
        np.concatenate([empty, *(a for a, _ in found)]), np.concatenate([empty, *(b for _, b in found)]), ones, others
    )
    pairs = len(outputs) * len(inputs)
    return Matches(output, input_, pairs - passed[0], passed[0] - passed[1], passed[1] - passed[2])


class _Distinct:
    """The different texts of one side."""

    def __init__(self, texts: Sequence[FieldText]) -> None:
        import numpy as np

        rows = list(dict.fromkeys(texts))
        known = {row: place for place, row in enumerate(rows)}
        self.row: Positions = np.array([known[text] for text in texts], dtype=np.int64)
        """For each field its row."""
        self.sizes = np.bincount(self.row, minlength=len(rows))
        self.by_row = np.argsort(self.row, kind="stable")
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)])
        self.names = np.array([compared(row.name) for row in rows] + [None], dtype=object)[:-1]
        self.descriptions, self.description = _numbered([row.description for row in rows])
        self.keywords, self.keyword = _numbered([row.keywords for row in rows])
        self.rows_by_description = np.argsort(self.description, kind="stable")
        self.of_description = np.bincount(self.description, minlength=len(self.descriptions))
        self.first_row = np.concatenate([[0], np.cumsum(self.of_description)])


def _numbered(texts: Sequence[str]) -> tuple[list[str], Positions]:
    import numpy as np

    known = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return list(known), np.array([known[text] for text in texts], dtype=np.int64)


def _alike(
    vectors: Vectors, ones: _Distinct, others: _Distinct, least: float, block_cells: int, stage: Timer
) -> Iterator[tuple[Positions, Positions]]:
    """Yield the pairs of rows whose descriptions are more alike than `least`, block by block."""
    import numpy as np

    slack = max(vectors.slack, _LEAST_SLACK)
    first, columns = len(ones.descriptions), len(others.descriptions)
    step = max(1, block_cells // max(1, columns))
    for start in range(0, first if columns else 0, step):
        with stage("descriptions"):
            block = vectors.block(start, min(first, start + step), first=first)
        with stage("survivors"):
            row, column = np.divmod(np.flatnonzero(block > least - slack), columns)
            doubtful = np.flatnonzero(block[row, column] <= least + slack)
            kept = np.ones(len(row), dtype=bool)
        with stage("recheck"):
            exact = vectors.products(row[doubtful] + start, column[doubtful] + first)
            kept[doubtful[exact <= least]] = False
        with stage("survivors"):
            pairs = _rows(row[kept] + start, column[kept], ones, others)
        yield pairs


def _gathered(
    alike: Iterator[tuple[Positions, Positions]], block_cells: int
) -> Iterator[list[tuple[Positions, Positions]]]:
    """Yield blocks of pairs together, as long as they take no more memory than a block of descriptions."""
    held: list[tuple[Positions, Positions]] = []
    for pair in alike:
        held.append(pair)
        if 4 * sum(len(a) for a, _ in held) > block_cells:  # two int64 are four cells
            yield held
            held = []
    if held:
        yield held


def _with_keywords(
    gathered: Iterable[list[tuple[Positions, Positions]]],
    ones: _Distinct,
    others: _Distinct,
    encoder: Encoder,
    stage: Timer,
) -> Iterator[tuple[Positions, Positions, Floats]]:
    """Yield pairs of rows with the cosines of their keywords, of which only those of the pairs are encoded."""
    import numpy as np

    for blocks in gathered:
        left = np.unique(np.concatenate([ones.keyword[a] for a, _ in blocks]))
        right = np.unique(np.concatenate([others.keyword[b] for _, b in blocks]))
        with stage("encode"):
            needed = [ones.keywords[place] for place in left] + [others.keywords[place] for place in right]
            keyed = encoder.vectors(needed) if needed else None
        for a, b in blocks:
            with stage("keywords"):
                one, other = np.searchsorted(left, ones.keyword[a]), np.searchsorted(right, others.keyword[b])
                cosines = keyed.products(one, other + len(left)) if keyed else np.zeros(0)
            yield a, b, cosines


def _rows(a: Positions, b: Positions, ones: _Distinct, others: _Distinct) -> tuple[Positions, Positions]:
    """Return the pairs of rows of pairs of descriptions."""
    left, right = _crossed(a, b, ones.of_description, others.of_description, ones.first_row, others.first_row)
    return ones.rows_by_description[left], others.rows_by_description[right]


def _spread(a: Positions, b: Positions, ones: _Distinct, others: _Distinct) -> tuple[Positions, Positions]:
    """Return the pairs of fields of pairs of rows, in order."""
    import numpy as np

    left, right = _crossed(a, b, ones.sizes, others.sizes, ones.starts, others.starts)
    output, input_ = ones.by_row[left], others.by_row[right]
    order = np.lexsort((input_, output))
    return output[order], input_[order]


def _crossed(
    a: Positions,
    b: Positions,
    sizes_a: Positions,
    sizes_b: Positions,
    starts_a: Positions,
    starts_b: Positions,
) -> tuple[Positions, Positions]:
    """Return all pairs of members of pairs of groups, as positions in two lists sorted by group."""
    import numpy as np

    counts = sizes_a[a] * sizes_b[b]
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    width = np.repeat(sizes_b[b], counts)
    return np.repeat(starts_a[a], counts) + within // width, np.repeat(starts_b[b], counts) + within % width


def _names_alike(ones: NDArray[np.object_], others: NDArray[np.object_], least: float) -> NDArray[np.bool_]:
    """Return whether each pair of names is more alike than `least`."""
    import numpy as np
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cpdist

    if not len(ones):
        return np.zeros(0, dtype=bool)
    total = np.array([len(name) for name in ones]) + np.array([len(name) for name in others])
    apart = cpdist(ones.tolist(), others.tolist(), scorer=Indel.distance, dtype=np.int32)
    alike: NDArray[np.bool_] = (total - apart) / np.maximum(total, 1) > least
    return alike
