"""The retriever: finds the tools of a catalogue that fit a sentence, by its cosine with each `tool_text`.

`Retriever` is lexical and in plain Python: a short query touches only tools that share a word with it.
`EncodedRetriever` takes any encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest

import msgspec

from callwright.catalog.lexical import fit_stems, tool_text
from callwright.catalog.vectors import Encoder
from callwright.lang.tokens import content_stems
from callwright.records.jsontext import EMPTY_OBJECT
from callwright.records.tool import Tool


def headline(tool: Tool) -> Tool:
    """Return name and first sentence: what a search is made on. Parameter lists would drown them."""
    sentence = tool.description.split(". ", 1)[0]
    return msgspec.structs.replace(tool, description=sentence, parameters=EMPTY_OBJECT)


class Retriever:
    """A lexical index of some tools; built in a few milliseconds, so each process builds its own."""

    __slots__ = ("_encoder", "_postings", "_size")

    def __init__(self, tools: Sequence[Tool]) -> None:
        documents = [content_stems(tool_text(tool)) for tool in tools]
        self._size = len(tools)
        self._encoder = fit_stems(documents)
        self._postings: list[list[tuple[int, float]]] = [[] for _ in self._encoder.columns]
        for index, stems in enumerate(documents):
            for column, weight in self._encoder.weigh(stems).items():
                self._postings[column].append((index, weight))

    def search(self, query: str, k: int) -> tuple[tuple[int, float], ...]:
        """Return the `k` best (position, cosine in [0, 1]), best first, ties by position; without a common word 0."""
        scores = [0.0] * self._size
        for column, share in self._encoder.weights(query).items():
            for index, weight in self._postings[column]:
                scores[index] += share * weight
        best = nlargest(k, zip(scores, range(0, -self._size, -1), strict=True))
        return tuple((-negative, score) for score, negative in best)


class EncodedRetriever:
    """The same by an encoder, such as a sentence encoder, which remembers the texts it has encoded."""

    __slots__ = ("_encoder", "_texts")

    def __init__(self, tools: Sequence[Tool], encoder: Encoder) -> None:
        self._encoder = encoder
        self._texts = tuple(tool_text(tool) for tool in tools)

    def search(self, query: str, k: int) -> tuple[tuple[int, float], ...]:
        """Return the `k` best (position in the tools, cosine in [-1, 1]), best first, ties by position."""
        import numpy as np

        count = len(self._texts)
        scores = self._encoder.vectors((*self._texts, query)).products(np.full(count, count), np.arange(count))
        best = np.argsort(-scores, kind="stable")[:k]
        return tuple((int(at), float(scores[at])) for at in best)
