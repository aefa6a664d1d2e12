"""Names for machines in a user's words, however they are joined."""

from __future__ import annotations

import pytest

from callwright.papers.diaforge.said_identifiers import said_identifiers
from made_dialogues import enterprise

TOOL = enterprise().by_name["approve_purchase_order"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use approvePurchaseOrder.", ["approvePurchaseOrder"]),
        ("The purchaseOrderId is PO-1.", ["purchaseOrderId"]),
        ("approve-purchase-order, please.", ["approve-purchase-order"]),
        ("The order_no is PO-1.", ["order_no"]),
        ("Call POST /orders.", ["POST /"]),
        ("The purchase order ID is PO-1.", []),
        ("It's in my iPad, at example.com/my_orders.", []),
        ("The one called spring_sale, as you say: net_total.", []),
    ],
)
def test_a_name_is_one_in_any_spelling(text: str, found: list[str]) -> None:
    """Other names joined by `_` too, but no value and nothing that the assistant said."""
    assert list(said_identifiers(text, "Is it the net_total?", (TOOL,), '"spring_sale"')) == found
