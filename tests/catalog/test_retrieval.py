from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.lexical import cosine, fit, tool_text
from callwright.catalog.retrieval import Retriever
from callwright.records.tool import Tool

WORDS = ("list", "open", "orders", "order", "refund", "invoice", "customer", "the", "status", "cancel")
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


@given(st.lists(SENTENCES, max_size=12), SENTENCES, st.integers(0, 15))
def test_search_equals_brute_force(descriptions: list[str], query: str, k: int) -> None:
    """A search returns what comparing the query with every tool returns, best first, ties by position."""
    tools = [Tool(name=f"t{index}", description=text) for index, text in enumerate(descriptions)]
    encoder = fit(map(tool_text, tools))
    wanted = encoder.weights(query)
    brute = [cosine(encoder.weights(tool_text(tool)), wanted) for tool in tools]
    found = Retriever(tools).search(query, k)
    assert [score for _, score in found] == pytest.approx(sorted(brute, reverse=True)[:k], abs=1e-12)
    assert all(score == pytest.approx(brute[index], abs=1e-12) for index, score in found)
    assert len({index for index, _ in found}) == min(k, len(tools))
    assert all(a[1] > b[1] or (a[1] == b[1] and a[0] < b[0]) for a, b in pairwise(found))


def test_equal_tools_stand_in_their_order() -> None:
    """Tools with the same words, in any order, tie exactly and stand in catalogue order."""
    texts = ("cancel an order of a customer", "of a customer cancel an order", "order customer cancel")
    tools = [Tool(name="order_tool", description=text) for text in texts]
    found = Retriever(tools).search("please cancel my order", 3)
    assert [index for index, _ in found] == [0, 1, 2]
    assert len({score for _, score in found}) == 1


def test_a_query_without_known_words_scores_nothing() -> None:
    """Where no word is known all scores are 0 and the first tools are returned."""
    tools = [Tool(name="refund_order"), Tool(name="cancel_order")]
    assert Retriever(tools).search("weather?", 1) == ((0, 0.0),)
    assert Retriever([]).search("weather?", 1) == ()
