"""The lexical encoder: texts to TF-IDF vectors over stems, without a model or a download.

For a text in which stem s occurs tf times, over a fitted collection of n texts of which df hold s:

    weight(s) = (1 + ln tf) · (1 + ln((1 + n) / (1 + df)))        then divided by the vector's L2 norm

Stop words do not count; stems that the collection lacks are ignored. A text without any known stem is the zero vector.
So a similarity depends on the collection: fit on the whole catalogue, and keep the encoder for all its comparisons.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import msgspec

from callwright.lang.tokens import STEMMER, TOKENISER, content_stems, identifier_words
from callwright.records.tool import Tool

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from callwright.catalog.vectors import SparseVectors

ENCODER = "tfidf-stems.v1"


class LexicalEncoder(msgspec.Struct, frozen=True):
    """A fitted encoder; made by `fit`."""

    columns: dict[str, int]
    """Stem to column, in alphabetical order."""
    idf: tuple[float, ...]
    """Inverse document frequency of each column."""

    def weights(self, text: str) -> dict[int, float]:
        """Return the unit vector of `text` as column to weight, in column order; empty for the zero vector."""
        return self.weigh(content_stems(text))

    def weigh(self, stems: Sequence[str]) -> dict[int, float]:
        """Return the unit vector of a text given as its content stems (see `weights`)."""
        columns, idf = self.columns, self.idf
        counts = Counter(stems)
        found = sorted((columns[stem], tf) for stem, tf in counts.items() if stem in columns)
        raw = [(column, idf[column] if tf == 1 else (1.0 + log(tf)) * idf[column]) for column, tf in found]
        norm = sqrt(sum(weight * weight for _, weight in raw))
        return {column: weight / norm for column, weight in raw}

    @property
    def signature(self) -> str:
        """Name and version of the encoder, its tokeniser and its stemmer."""
        return f"{ENCODER}|{TOKENISER}|{STEMMER}"

    def cosine(self, a: str, b: str) -> float:
        """Return the cosine of two texts, in [0, 1]; 0 where either is the zero vector."""
        return cosine(self.weights(a), self.weights(b))

    def vectors(self, texts: Sequence[str]) -> SparseVectors:
        """Return the vectors of `texts` for products between all of them."""
        from callwright.catalog.vectors import SparseVectors

        return SparseVectors(self.encode(texts))

    def encode(self, texts: Iterable[str]) -> csr_matrix[Any]:
        """Return the unit (or zero) vectors of `texts` as rows: float64 CSR of shape (texts, columns), sorted."""
        return sparse_rows(map(self.weights, texts), width=len(self.columns))


def fit(texts: Iterable[str]) -> LexicalEncoder:
    """Fit an encoder on a collection of texts; their order does not matter."""
    return fit_stems(map(content_stems, texts))


def fit_stems(documents: Iterable[Sequence[str]]) -> LexicalEncoder:
    """Fit an encoder on texts given as their content stems."""
    frequency: Counter[str] = Counter()
    count = 0
    for stems in documents:
        frequency.update(set(stems))
        count += 1
    return fit_frequencies(frequency, count)


def fit_frequencies(frequency: Mapping[str, int], count: int) -> LexicalEncoder:
    """Fit an encoder on `count` texts of which `frequency` hold each stem."""
    known = sorted(frequency)
    idf = tuple(1.0 + log((1 + count) / (1 + frequency[stem])) for stem in known)
    return LexicalEncoder({stem: column for column, stem in enumerate(known)}, idf)


def sparse_rows(rows: Iterable[Mapping[int, float]], *, width: int) -> csr_matrix[Any]:
    """Return vectors given as column to weight as the rows of a float64 CSR matrix with `width` columns."""
    import numpy as np
    from scipy.sparse import csr_matrix

    ends, indices, data = array("q", [0]), array("q"), array("d")
    for row in rows:
        indices.extend(row)
        data.extend(row.values())
        ends.append(len(indices))
    parts = (np.array(data), np.array(indices, dtype=np.int64), np.array(ends, dtype=np.int64))
    return csr_matrix(parts, shape=(len(ends) - 1, width))


def cosine(one: dict[int, float], other: dict[int, float]) -> float:
    """Return the dot product of two vectors made by one encoder, in [0, 1]: 0 where either is the zero vector."""
    if len(other) < len(one):
        one, other = other, one
    return sum(weight * other[column] for column, weight in one.items() if column in other)


def tool_text(tool: Tool) -> str:
    """Return what there is to read about a tool: name, description, and parameters with their enum values."""
    parts = [*identifier_words(tool.name), tool.description]
    for name, schema in tool.properties.items():
        parts += identifier_words(name)
        description = schema.get("description")
        if isinstance(description, str):
            parts.append(description)
        values = schema.get("enum")
        if isinstance(values, list):
            parts += (value for value in values if isinstance(value, str))
    return "\n".join(parts)
