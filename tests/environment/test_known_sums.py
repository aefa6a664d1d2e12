"""What is paid back of a thing is no more than what it cost."""

from __future__ import annotations

import msgspec
import pytest
from test_agreeing_sessions import TEXT, Session, several, thing, tool

from callwright.records.jsontext import Json

SUM: Json = {"type": "number"}
ORDERS = tool("", "find_orders", thing(orders=several(thing(order_id=TEXT, total=SUM))), customer_id=TEXT)
REFUND = tool("", "refund_order", thing(order_id=TEXT, refund_amount=SUM), order_id=TEXT)
REFUND = msgspec.structs.replace(REFUND, description="Refund the whole amount of an order.")
PART = tool("", "refund_item", thing(order_id=TEXT, refund_amount=SUM), order_id=TEXT, item=TEXT)


@pytest.mark.parametrize("seed", range(8))
def test_a_refund_of_the_whole_is_the_total_and_one_of_a_part_is_no_more(seed: int) -> None:
    session = Session(ORDERS, REFUND, PART, seed=seed)
    one, other, *_ = session.do("find_orders", customer_id="K-1")["orders"]
    assert session.do("refund_item", order_id=other["order_id"], item="kettle")["refund_amount"] <= other["total"]
    assert session.do("refund_order", order_id=one["order_id"])["refund_amount"] == one["total"]


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_worked_out_where_no_total_is_known(seed: int) -> None:
    assert Session(REFUND, seed=seed).do("refund_order", order_id="7")["refund_amount"] > 0
