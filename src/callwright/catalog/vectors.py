"""Encoders, and the texts of a whole catalogue as they encode them, for all products between these.

`block` makes tens of thousands of tools affordable, in float32 and right within `slack`; `products` is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    Floats: TypeAlias = NDArray[np.float64]
    Singles: TypeAlias = NDArray[np.float32]
    Positions: TypeAlias = NDArray[np.int64]

_FREQUENT = 1 / 32
"""Share of the texts from which on a stem's column is cheaper dense than sparse."""

_MOST_DENSE = 512
"""Dense columns at most: 47,000 texts then take 96 MB."""

_HALF_ULP = 2.0**-24
"""Unit round-off of float32."""

_PAIRS_AT_ONCE = 200_000


class SparseVectors:
    """Rows of a float64 CSR matrix with norms of at most 1."""

    def __init__(self, rows: csr_matrix[Any]) -> None:
        import numpy as np

        self._rows = rows
        frequency = np.bincount(rows.indices, minlength=rows.shape[1])
        by_frequency = np.argsort(-frequency, kind="stable")[:_MOST_DENSE]
        frequent = np.zeros(rows.shape[1], dtype=bool)
        frequent[by_frequency] = frequency[by_frequency] > rows.shape[0] * _FREQUENT
        self._dense: Singles = rows[:, frequent].toarray().astype(np.float32)
        self._rare = rows[:, ~frequent].astype(np.float32)
        self._rare_columns = self._rare.T.tocsr()
        self.slack = _slack(int(np.diff(rows.indptr).max(initial=0)))

    def block(self, start: int, stop: int, *, first: int) -> Singles:
        """Return the products of rows `start` to `stop` with all rows from `first` on, each within `slack`."""
        import numpy as np

        with np.errstate(invalid="ignore"):  # some BLAS raise the flag for finite numbers too
            products: Singles = self._dense[start:stop] @ self._dense[first:].T
        rare = self._rare[start:stop] @ self._rare_columns
        kept = rare.indices >= first
        rows = np.repeat(np.arange(stop - start), np.diff(rare.indptr))[kept]
        products[rows, rare.indices[kept] - first] += rare.data[kept]
        return products

    def products(self, a: Positions, b: Positions) -> Floats:
        """Return the exact products of rows `a` with rows `b`, pair by pair, each summed in column order."""
        import numpy as np

        ones = np.ones(self._rows.shape[1])  # sums in column order, which `sum` does not
        starts = range(0, len(a), _PAIRS_AT_ONCE)
        chunks = ((a[at : at + _PAIRS_AT_ONCE], b[at : at + _PAIRS_AT_ONCE]) for at in starts)
        parts = [self._rows[one].multiply(self._rows[other]) @ ones for one, other in chunks]
        return np.concatenate([np.zeros(0), *parts])


class DenseVectors:
    """Rows of a float32 matrix with norms of at most 1, or zero."""

    def __init__(self, rows: Singles) -> None:
        self._rows = rows
        self.slack = _slack(rows.shape[1])

    def block(self, start: int, stop: int, *, first: int) -> Singles:
        """Return the products of rows `start` to `stop` with all rows from `first` on, each within `slack`."""
        products: Singles = self._rows[start:stop] @ self._rows[first:].T
        return products

    def products(self, a: Positions, b: Positions) -> Floats:
        """Return the products of rows `a` with rows `b`, pair by pair, in float64."""
        import numpy as np

        step = max(1, _PAIRS_AT_ONCE // 16)
        parts = [
            np.einsum("ij,ij->i", self._rows[a[at : at + step]], self._rows[b[at : at + step]], dtype=np.float64)
            for at in range(0, len(a), step)
        ]
        return np.concatenate([np.zeros(0), *parts])


Vectors: TypeAlias = SparseVectors | DenseVectors


def _slack(terms: int) -> float:
    """The greatest rounding error of a float32 product of that many terms, in any order of the sum.

    Round-off of the sum is at most `terms` units of the sum of magnitudes, which for unit vectors is at most 1 by
    Cauchy-Schwarz; two more units are the rounding of the factors, and the rest is for norms just above 1.
    """
    return (terms + 4) * _HALF_ULP


class Encoder(Protocol):
    """Texts to vectors of norm 1; the zero vector for a text that says nothing."""

    @property
    def signature(self) -> str:
        """Name and version of everything that decides the vectors."""
        ...

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of `texts`, one a row."""
        ...

    def cosine(self, a: str, b: str) -> float:
        """Return the cosine of two texts; 0 where either is the zero vector."""
        ...
