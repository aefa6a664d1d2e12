"""The protocol of encoders: the lexical encoder, or a sentence encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from callwright.catalog.vectors import Vectors


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
