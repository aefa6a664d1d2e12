"""A user of the bundled catalogue whose answers the guard reads, and the kinds of faults that it finds."""

from __future__ import annotations

from callwright.author.briefs import Request, known_values
from callwright.catalog.distinct import distinct_glosses
from callwright.catalog.slots import slots, tool_leaves
from callwright.lang.tokens import stem_set
from callwright.papers.diaforge.user_guard import guard_faults
from callwright.papers.diaforge.user_policy import UserState, heard_by
from made_dialogues import enterprise


def user(tool: str, others: tuple[str, ...], values: dict[str, object], *, picked: bool = True) -> UserState:
    """A user who wants what the tool does, knows `values` and has told nothing yet."""
    gold, *rivals = (enterprise().by_name[name] for name in (tool, *others))
    own, *glosses = distinct_glosses((gold, *rivals))
    return UserState(
        gold=own,
        others=tuple(glosses),
        known=tuple(known_values(gold, values)),
        request=Request("", own.object),
        lacking=tuple(slots(gold)[path] for path in tool_leaves(gold) if path not in values),
        names=stem_set(own.phrase),
        today="2027-03-01",
        picked=picked,
    )


def kinds(state: UserState, heard: str, text: str) -> set[str]:
    """The kinds of faults in an answer to what was heard."""
    return {fault.kind for fault in guard_faults(state, heard_by(state, heard), heard, text, 2)}


def order(*, picked: bool = True) -> UserState:
    """Wants a purchase order approved, not cancelled."""
    return user(
        "approve_purchase_order",
        ("cancel_purchase_order", "create_purchase_order"),
        {"purchase_order_id": "PO-25340"},
        picked=picked,
    )


def refund(*, picked: bool = True) -> UserState:
    """Wants the money for one item back."""
    values = {"order_id": "88213", "item": "work boots", "reason": "damaged"}
    return user("refund_item", ("refund_order", "replace_item"), values, picked=picked)


def transfer() -> UserState:
    """Wants stock brought to another warehouse."""
    values = {"from_warehouse": "north", "to_warehouse": "harbour", "product_code": "A-3047", "quantity": 12}
    return user("transfer_stock", ("reserve_stock", "write_off_stock"), values)
