from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.lexical import cosine, fit, tool_text
from callwright.lang.tokens import content_stems
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

WORDS = ("the", "refund", "refunds", "order", "orders", "cancel", "status", "of", "customer", "customers", "invoice")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=12)


@given(TEXTS, TEXTS)
def test_encoder_equals_scikit_learn(texts: list[str], others: list[str]) -> None:
    """Vectors of seen and unseen texts equal those of TfidfVectorizer with the same analyzer."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    if not any(map(content_stems, texts)):
        texts = [*texts, "order"]  # the oracle refuses an empty vocabulary
    oracle = TfidfVectorizer(analyzer=content_stems, sublinear_tf=True, smooth_idf=True, norm="l2").fit(texts)
    ours = fit(texts)
    assert list(ours.columns) == list(oracle.get_feature_names_out())
    for some in (texts, others):
        np.testing.assert_allclose(ours.encode(some).toarray(), oracle.transform(some).toarray(), atol=1e-12)


@given(TEXTS)
def test_cosine_equals_the_matrix_product(texts: list[str]) -> None:
    """The plain cosine is symmetric and equals the product of the encoded rows."""
    encoder = fit(texts)
    matrix = encoder.encode(texts)
    product = (matrix @ matrix.T).toarray()
    vectors = [encoder.weights(text) for text in texts]
    assert vectors
    for row, one in enumerate(vectors):
        for column, other in enumerate(vectors):
            assert cosine(one, other) == pytest.approx(product[row, column], abs=1e-12)
            assert cosine(one, other) == pytest.approx(cosine(other, one), abs=1e-15)


def test_order_of_the_texts_does_not_matter() -> None:
    """Fitting the same texts in another order gives the same encoder."""
    texts = ["refund an order", "cancel an order", "status"]
    assert fit(texts) == fit(texts[::-1])


def test_texts_without_known_words_are_zero() -> None:
    """Empty texts, stop words alone and unknown words give the zero vector, and an empty collection no column."""
    assert fit(["refund"]).encode(["", "the", "invoice"]).nnz == 0
    assert fit([]).encode(["refund"]).shape == (1, 0)


def test_tool_text_reads_name_description_and_parameters() -> None:
    """Name words, description, parameter names and descriptions and enum values are all in the text."""
    schema = {
        "type": "object",
        "properties": {
            "orderId": {"type": "string", "description": "Number on the receipt"},
            "mode": {"enum": ["full"]},
        },
    }
    tool = Tool(name="refundOrder", description="Give money back.", parameters=encode(schema))
    assert content_stems(tool_text(tool)) == content_stems(
        "refund order give money back mode full order id number on the receipt"
    )
