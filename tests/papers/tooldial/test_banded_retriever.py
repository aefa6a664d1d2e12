"""The retriever's thresholds: scores on the paper's scale, bands, and the fit to a catalogue."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.graph.tool_pairs import ToolPair
from callwright.papers.tooldial.banded_retriever import BandedRetriever, FittedThresholds, band_of, candidates
from callwright.records.tool import Tool
from tooldial_workshop import workshop

FITTED = st.sampled_from([FittedThresholds(0.3, 0.7), FittedThresholds(0.63, 0.79), FittedThresholds(0.1, 0.11)])
COSINES = st.floats(min_value=-1, max_value=1)


@given(
    COSINES,
    COSINES,
    FITTED,
)
def test_scores_keep_order_and_bands(one: float, other: float, thresholds: FittedThresholds) -> None:
    """A higher cosine never has a lower score, and the bands of cosines are those of the paper's scores."""
    first, second = sorted((one, other))

    assert 0 <= thresholds.score(first) <= thresholds.score(second) <= 1
    assert (thresholds.score(one) >= 0.6) == (one >= thresholds.confirmed)
    assert (thresholds.score(one) >= 0.5) == (one >= thresholds.suggested)


@pytest.mark.parametrize(("score", "band"), [(0.6, "clear"), (0.599, "suggest"), (0.5, "suggest"), (0.49, "clarify")])
def test_bands_begin_at_the_papers_scores(score: float, band: str) -> None:
    """.6 confirms, .5 suggests, less clarifies."""
    assert band_of(score) == band


def test_most_tools_have_queries_in_every_band() -> None:
    """The fit leaves most tools of the bundled catalogue clear, less clear and vague queries."""
    shop = workshop()
    shares = {
        band: sum(bool(shop.retriever.queries(band, pair)) for pair in shop.alone) / len(shop.alone)
        for band in ("clear", "suggest", "clarify")
    }

    assert min(shares.values()) > 0.6


def test_no_other_step_of_the_fit_is_better() -> None:
    """The thresholds have the largest sum of shares among some others, counted from the searches themselves."""
    shop = workshop()
    pairs = (*shop.alone, *shop.pairs[:: max(1, len(shop.pairs) // 300)])
    best = {band: [_found(shop.retriever, band, pair) for pair in pairs] for band in ("clear", "suggest")}
    vague = [
        [shop.retriever.best(query.text)[0][1] for query in candidates("clarify", pair) if query.thing != "something"]
        for pair in shop.alone
    ]

    def total(low: float, high: float) -> float:
        clear = sum(any(cosine >= high for cosine in group) for group in best["clear"]) / len(pairs)
        suggest = sum(any(low <= cosine < high for cosine in group) for group in best["suggest"]) / len(pairs)
        return clear + suggest + sum(any(cosine < low for cosine in group) for group in vague) / len(vague)

    own = shop.retriever.thresholds
    others = [(low / 20, high / 20) for low in range(1, 20) for high in range(low + 1, 20)]
    assert total(*own) > max(total(*one) for one in others) - 0.05
    assert total(*own) > total(0.5, 0.6)


def _found(retriever: BandedRetriever, band: str, pair: ToolPair) -> list[float]:
    found = [retriever.best(query.text)[0] for query in candidates(band, pair)]  # type: ignore[arg-type]
    return [cosine for name, cosine in found if name == pair.target.name]


def test_five_tools_are_returned_best_first() -> None:
    """A search names at most five tools, with falling scores; a catalogue of one has one."""
    found = workshop().retriever.search("order a laptop for an employee")
    tool = Tool(name="get_menu", description="Get the menu.")

    assert len(found) == 5
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert found[0].name == "order_laptop"
    assert [one.name for one in BandedRetriever([tool], [ToolPair(tool)], None).search("menu")] == ["get_menu"]
