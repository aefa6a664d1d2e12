"""The three likenesses of an output and an input: of their names, of their descriptions, and of these with keywords.

Names are compared by their longest common subsequence over their mean length, on lower-cased letters and digits.
Every score is computed in float64 in a fixed order, each different pair of texts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from callwright.catalog.vectors import Encoder
from callwright.graph.field_texts import FieldTexts

if TYPE_CHECKING:
    from callwright.catalog.vectors import Floats


class Likeness(NamedTuple):
    """How alike the texts of two fields are; each at most 1."""

    name: float
    description: float
    keywords: float


def likenesses(texts: FieldTexts, pairs: Sequence[tuple[int, int]], encoder: Encoder) -> list[Likeness]:
    """Return the likenesses of pairs of an output and an input, given by their positions."""
    ones = [texts.outputs[output] for output, _ in pairs]
    others = [texts.inputs[input_] for _, input_ in pairs]
    names = [name_likeness(one.name, other.name) for one, other in zip(ones, others, strict=True)]
    descriptions = cosines(
        [(one.description, other.description) for one, other in zip(ones, others, strict=True)], encoder
    )
    keywords = cosines([(one.keywords, other.keywords) for one, other in zip(ones, others, strict=True)], encoder)
    return [Likeness(*each) for each in zip(names, descriptions, keywords, strict=True)]


def name_likeness(one: str, other: str) -> float:
    """Return the longest common subsequence of two phrases over their mean length, on letters and digits only.

    >>> name_likeness("File ID", "file_id"), name_likeness("", "")
    (1.0, 0.0)
    """
    from rapidfuzz.distance import Indel

    first, second = compared(one), compared(other)
    total = len(first) + len(second)
    return (total - Indel.distance(first, second)) / total if total else 0.0


def compared(phrase: str) -> str:
    """Return the letters and digits of a phrase, lower-cased."""
    return "".join(char for char in phrase.lower() if char.isalnum())


def cosines(pairs: Sequence[tuple[str, str]], encoder: Encoder) -> list[float]:
    """Return the cosines of pairs of texts in float64, each different pair encoded and multiplied once."""
    import numpy as np

    different = dict.fromkeys(pairs)
    places = {text: place for place, text in enumerate(dict.fromkeys(text for pair in different for text in pair))}
    if not places:
        return []
    rows = np.array([[places[one], places[other]] for one, other in different], dtype=np.int64)
    found: Floats = encoder.vectors(list(places)).products(rows[:, 0], rows[:, 1])
    told = dict(zip(different, found.tolist(), strict=True))
    return [told[pair] for pair in pairs]
