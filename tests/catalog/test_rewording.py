from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from callwright.catalog.rewording import proposals
from callwright.lang.tokens import stem_set
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def tool(
    name: str, description: str = "", *required: str, domain: str = "", returns: Json = None, **more: Json
) -> Tool:
    properties: dict[str, Json] = {**{key: {"type": "string"} for key in required}, **more}
    schema = encode({"type": "object", "properties": properties, "required": [*required]})
    result = None if returns is None else encode(returns)
    return Tool(name=name, description=description, parameters=schema, domain=domain, returns=result)


def names(one: Tool, rival: Tool) -> list[str]:
    return [proposal.text for proposal in proposals(one, rival) if proposal.field == "name"]


def descriptions(one: Tool, rival: Tool) -> list[str]:
    return [proposal.text for proposal in proposals(one, rival) if proposal.field == "description"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("list_orders", "list_paid_orders"),
        ("list-orders", "list-paid-orders"),
        ("List_Orders", "List_Paid_Orders"),
        ("listOrders", "listPaidOrders"),
        ("orders", "paid_orders"),
    ],
)
def test_a_qualifier_of_the_description_goes_into_the_name(name: str, expected: str) -> None:
    """A word that the description has before a word of the name is put there, in the name's own spelling."""
    assert names(tool(name, "Lists paid orders."), tool("list_orders_2", "Lists open orders.")) == [expected]


def test_a_word_that_the_rival_has_too_is_not_proposed() -> None:
    """What both descriptions say tells nothing apart."""
    assert names(tool("list_orders", "Lists paid orders."), tool("list_orders_2", "Lists orders already paid.")) == []


@pytest.mark.parametrize(
    ("description", "expected"), [("Gets one user.", "get_user_by_email"), ("Invites one user.", "get_user_with_email")]
)
def test_what_only_one_requires_goes_into_its_name(description: str, expected: str) -> None:
    """A parameter that only this tool requires is named: `by` where something is looked for, else `with`."""
    assert names(tool("get_user", description, "email"), tool("get_users", description)) == [expected]


def test_the_line_of_business_goes_into_the_name() -> None:
    """Where the tools belong to different lines of business, the name may say so."""
    one, rival = tool("get_user", domain="Travel booking"), tool("get_users", domain="Payroll")
    assert names(one, rival) == ["get_user_for_travel_booking"]


def test_a_description_says_what_only_this_tool_has() -> None:
    """What only this tool's name, parameters and result say is added to its description."""
    result: Json = {"properties": {"sum": {}}}
    one = tool("get_paid_order", "Gets an order.", "email", returns=result, note={"type": "string"})
    assert descriptions(one, tool("get_order", "Gets an order.")) == [
        "Gets an order (paid). Needs email. Takes note. Returns sum."
    ]


def test_shared_sentences_may_be_left_out_but_never_the_first() -> None:
    """A sentence after the first that both have word for word may go; the first stays, shared or not."""
    one = tool("a", "Gets an order. Needs a key. For clerks.", "email")
    rival = tool("b", "Gets an order. For managers. NEEDS a key!")
    assert descriptions(one, rival) == [
        "Gets an order. Needs a key. For clerks. Needs email.",
        "Gets an order. For clerks. Needs email.",
    ]


def test_a_shared_sentence_about_a_parameter_stays() -> None:
    """It documents the tool, whoever else says the same."""
    said = "Gets an order. Needs a key. The email is that of the buyer."
    one, rival = tool("a", said, "email"), tool("b", said, "email")
    assert descriptions(one, rival) == ["Gets an order. The email is that of the buyer."]


def test_equal_documents_give_nothing_to_say() -> None:
    """Where nothing differs, nothing is made up."""
    assert proposals(tool("get_order", "Gets it."), tool("get_orders", "Gets it.")) == ()


WORDS = st.lists(st.sampled_from("get list paid open order of file id the 7 é api".split()), max_size=6)
TOOLS = st.builds(
    lambda name, said, required, domain: tool("_".join(name), " ".join(said), *required, domain=domain),
    WORDS,
    WORDS,
    st.lists(st.sampled_from(["email", "user_id", "a.b[]", "x"]), max_size=2, unique=True),
    st.sampled_from(["", "Travel", "other"]),
)


@given(TOOLS, TOOLS)
@example(tool("get_paid_order", "Gets an order.", "email"), tool("get_order", "Gets an order."))
@settings(max_examples=150, deadline=None)
def test_every_word_comes_from_the_tool_itself(one: Tool, rival: Tool) -> None:
    """A proposal differs from what stands there, gives a reason, and says nothing that the document does not."""
    own = stem_set(f"{one.name.replace('_', ' ')} {one.description} {one.parameters.replace('_', ' ')} {one.domain}")
    for proposal in proposals(one, rival):
        assert proposal.text != getattr(one, proposal.field)
        assert proposal.why
        added = stem_set(proposal.text.replace("_", " ")) - own
        assert added <= stem_set("by with for needs takes returns")
