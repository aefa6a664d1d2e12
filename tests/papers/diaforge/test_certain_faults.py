"""Which findings of rules are certain: all others are for a judge, where there is one."""

from __future__ import annotations

import pytest

from callwright.author.briefs import known_values
from callwright.papers.diaforge.certain_faults import is_certain
from callwright.records.transcript import UserFault
from made_dialogues import enterprise


@pytest.mark.parametrize(
    ("kind", "detail", "text", "expected"),
    [
        ("tool_leak", "refund_item is said aloud", "Run refund_item.", True),
        ("value_not_gold", "'PO-25341' is not a value of the scenario", "It's PO-25341.", True),
        ("value_not_gold", "'po-99999' is not a value of the scenario", "po-99999", True),
        ("value_not_gold", "'PO-25341' is not a value of the scenario", "PO-25341, no, PO-25340.", False),
        ("value_not_gold", "'Q3' is not a value of the scenario", "It's for Q3.", False),
        ("value_not_gold", "'INV-25341' is not a value of the scenario", "See INV-25341.", False),
        ("value_not_gold", "'3 May' is not a value of the scenario", "Since 3 May.", False),
        ("denial", "the user knows the order number", "I have none.", False),
        ("goal_drift", "the words mean cancel an order", "Cancel it.", False),
    ],
)
def test_identifiers_and_another_code_of_the_same_form_are_certain(
    kind: str, detail: str, text: str, expected: bool
) -> None:
    """A code of another form may be of something else, and one that is put right is a slip."""
    known = known_values(enterprise().by_name["approve_purchase_order"], {"purchase_order_id": "PO-25340"})
    assert [one.slot.kind for one in known] == ["code"]
    assert is_certain(UserFault(2, kind, detail), text, known) == expected
