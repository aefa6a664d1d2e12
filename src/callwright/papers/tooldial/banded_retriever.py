"""The retriever of a catalogue, with thresholds that are fitted to its encoder (ToolDial, A.4).

Its cosines are told on the paper's scale: the threshold above which a tool is suggested becomes .5, the one from which
a tool is confirmed .6, and between the fixed points 0, .5, .6 and 1 a score is linear in the cosine.

The thresholds are fitted to the catalogue itself. Each tool, and each pair of tools, has clear, less clear and vague
queries; chosen are the two cosines with which shares are largest (the sum of their roots): of tools and of pairs with a
clear query that finds the target at or above both, of those with a less clear one between them, of tools with a vague
topic below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal

from callwright.author.wish_words import SOMETHING
from callwright.catalog.retrieval import EncodedRetriever, Retriever, headline
from callwright.catalog.score_scale import CONFIRMED, SUGGESTED, FittedThresholds, fitted
from callwright.catalog.vectors import Encoder
from callwright.graph.tool_pairs import ToolPair
from callwright.papers.tooldial.intent_queries import clarify_queries, clear_queries, suggest_queries
from callwright.records.annotations.tooldial_notes import IntentQuery
from callwright.records.retrieved import Retrieved
from callwright.records.tool import Tool

Band = Literal["clear", "suggest", "clarify"]

RETURNED: Final = 5
"""Tools that a search returns."""
_MOST_PAIRS: Final = 300
"""Pairs of tools that thresholds are fitted to."""


def band_of(score: float) -> Band:
    """Return the band of a best score."""
    return "clear" if score >= CONFIRMED else "suggest" if score >= SUGGESTED else "clarify"


class BandedRetriever:
    """Finds tools by what a user says, with scores on the paper's scale."""

    def __init__(self, tools: Sequence[Tool], pairs: Sequence[ToolPair], encoder: Encoder | None) -> None:
        """`pairs`: tools alone, and pairs, that users ask for; None stands for the lexical encoder."""
        heads = [headline(tool) for tool in tools]
        self._tools = tools
        self._search = (Retriever(heads) if encoder is None else EncodedRetriever(heads, encoder)).search
        self.best = lru_cache(maxsize=65536)(self._best)
        self.thresholds = self._fitted(pairs)

    def _best(self, query: str) -> tuple[tuple[str, float], ...]:
        return tuple((self._tools[at].name, cosine) for at, cosine in self._search(query, RETURNED))

    def search(self, query: str) -> tuple[Retrieved, ...]:
        """Return the tools that fit a query best, with their scores."""
        return tuple(Retrieved(name, self.thresholds.score(cosine)) for name, cosine in self.best(query))

    def falls_in(self, band: Band, query: IntentQuery, target: Tool) -> bool:
        """Whether the best score lies in the band; that of a tool to confirm or suggest must be the target's."""
        found = self.search(query.text)
        return bool(found) and band_of(found[0].score) == band and (band == "clarify" or found[0].name == target.name)

    def queries(self, band: Band, pair: ToolPair) -> tuple[IntentQuery, ...]:
        """Return the queries for a tool or a pair that fall in the band."""
        return tuple(query for query in candidates(band, pair) if self.falls_in(band, query, pair.target))

    def _fitted(self, pairs: Sequence[ToolPair]) -> FittedThresholds:
        alone = [pair for pair in pairs if pair.source is None]
        linked = [pair for pair in pairs if pair.source is not None]
        linked = linked[:: max(1, len(linked) // _MOST_PAIRS)]
        groups = [part for part in (alone, linked) if part]
        clear = [[self._cosines("clear", pair) for pair in part] for part in groups]
        suggest = [[self._cosines("suggest", pair) for pair in part] for part in groups]
        clarify = [self._topics(pair.target) for pair in alone]
        return fitted(clear, suggest, clarify)

    def _cosines(self, band: Band, pair: ToolPair) -> tuple[float, ...]:
        """Best cosines of queries that find the target."""
        found = [self.best(query.text)[0] for query in candidates(band, pair)]
        return tuple(cosine for name, cosine in found if name == pair.target.name)

    def _topics(self, tool: Tool) -> tuple[float, ...]:
        """Best cosines of vague queries that say something."""
        return tuple(self.best(query.text)[0][1] for query in clarify_queries(tool) if query.thing != SOMETHING)


def candidates(band: Band, pair: ToolPair) -> Iterable[IntentQuery]:
    """Return the queries of a band for a tool or a pair, whatever their scores."""
    if band == "clear":
        return clear_queries(pair)
    return suggest_queries(pair) if band == "suggest" else clarify_queries(pair.target)
