"""A catalogue for testing changes: similarities of a changed tool to the unchanged others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from callwright.catalog.lexical import LexicalEncoder, fit_frequencies
from callwright.catalog.parameter_types import required_types
from callwright.catalog.similarity import Weights, is_near, pair_similarity, parameter_similarity
from callwright.catalog.vectors import Encoder
from callwright.lang.tokens import content_stems, identifier_words, stem
from callwright.records.tool import Tool


class Trial:
    """Tools of which some are changed, one after the other.

    Without an encoder the lexical one is used, fitted anew on the descriptions for each change that is tried, as a lint
    of the changed catalogue would.
    """

    def __init__(self, tools: Sequence[Tool], *, threshold: float, weights: Weights, encoder: Encoder | None) -> None:
        self.tools = list(tools)
        self.threshold = threshold
        self._weights = weights
        self._encoder = encoder
        self._frequency = Counter(word for tool in tools for word in set(content_stems(tool.description)))
        self._spellings = Counter(_spelling(tool.name) for tool in tools)
        self._kinds = [tuple(sorted(required_types(tool).items())) for tool in tools]
        self._lowered = [tool.name.lower() for tool in tools]

    def similarity(self, a: int, b: int) -> float:
        """Return the current composite similarity of two tools."""
        return self._similarity(self.tools[a], self.tools[b], self._encoder_with(a, self.tools[a]))

    def similarity_with(self, index: int, tool: Tool, rival: int) -> float:
        """Return the composite similarity of tool `index` with `rival` if it were `tool`."""
        return self._similarity(tool, self.tools[rival], self._encoder_with(index, tool))

    def new_near(self, index: int, tool: Tool) -> frozenset[int]:
        """Return the tools that tool `index` would be near to if it were `tool`, and is not near to now."""
        return self._near(index, tool) - self._near(index, self.tools[index])

    def is_taken(self, index: int, name: str) -> bool:
        """Return whether another tool than `index` has this name, case, punctuation and word forms apart."""
        wanted = _spelling(name)
        return self._spellings[wanted] > (_spelling(self.tools[index].name) == wanted)

    def change(self, index: int, tool: Tool) -> None:
        """Let tool `index` be `tool`; its parameters are the same."""
        old, self.tools[index] = self.tools[index], tool
        self._frequency = self._frequency_with(old, tool)
        self._spellings.subtract((_spelling(old.name),))
        self._spellings.update((_spelling(tool.name),))
        self._lowered[index] = tool.name.lower()

    def _near(self, index: int, tool: Tool) -> frozenset[int]:
        """The tools near to `tool` in place of tool `index`: by the definition, where a bound allows it."""
        import numpy as np
        from rapidfuzz.distance import Indel
        from rapidfuzz.process import cdist

        names = cdist([tool.name.lower()], self._lowered, scorer=Indel.normalized_similarity, dtype=np.float64)[0]
        known: dict[tuple[tuple[str, str], ...], float] = {}
        for other, kind in zip(self.tools, self._kinds, strict=True):
            if kind not in known:
                known[kind] = parameter_similarity(tool, other)
        parameters = np.array([known[kind] for kind in self._kinds])
        weights = self._weights
        bound = weights.name * names + weights.description + weights.parameters * parameters
        encoder = self._encoder_with(index, tool)
        return frozenset(
            other
            for other in np.flatnonzero(bound >= self.threshold - 1e-6).tolist()
            if other != index and is_near(self._similarity(tool, self.tools[other], encoder), self.threshold)
        )

    def _similarity(self, a: Tool, b: Tool, encoder: Encoder) -> float:
        return pair_similarity(a, b, encoder, weights=self._weights).score

    def _encoder_with(self, index: int, tool: Tool) -> Encoder:
        """The encoder of the catalogue in which tool `index` is `tool`."""
        if self._encoder is not None:
            return self._encoder
        return self._fitted(self._frequency_with(self.tools[index], tool))

    def _fitted(self, frequency: Counter[str]) -> LexicalEncoder:
        return fit_frequencies(frequency, len(self.tools))

    def _frequency_with(self, old: Tool, new: Tool) -> Counter[str]:
        """How many descriptions hold each stem once `new` is in the place of `old`."""
        if old.description == new.description:
            return self._frequency
        frequency = self._frequency.copy()
        frequency.subtract(set(content_stems(old.description)))
        frequency.update(set(content_stems(new.description)))
        return +frequency


def _spelling(name: str) -> str:
    """What names have in common that differ in case, punctuation and word forms only."""
    return " ".join(map(stem, identifier_words(name)))
