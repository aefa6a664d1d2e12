"""Which tools people ask for one after the other: edges of the tool graph, less those that make no sense."""

from __future__ import annotations

import pytest

from callwright.papers.wild.session_plan import prepare
from callwright.papers.wild.tool_pool import are_rivals, chain_edges
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, Tool


def tool(name: str, operation: str, description: str, returns: Json, *required: str, **more: Json) -> Tool:
    """Return a tool of an operation, whose required parameters are texts."""
    properties = {one: {"type": "string"} for one in required} | more
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(
        name=name, description=description, source=operation, parameters=encode(schema), returns=encode(returns)
    )


def thing(**fields: str) -> Json:
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}


ORDER = thing(id="string", status="string", customer_id="string")
LIST = tool("listOrders", "GET /orders", "List orders.", {"type": "array", "items": ORDER})
GET = tool("getOrder", "GET /orders/{order_id}", "Get an order.", ORDER, "order_id")
FIND = tool("findOrder", "GET /orders/by-code/{code}", "Find an order by its code.", ORDER, "code")
MAKE = tool("createOrder", "POST /orders", "Create an order.", ORDER, "title")
EDIT = tool("updateOrder", "PATCH /orders/{order_id}", "Update an order.", ORDER, "order_id", "note")
SHIP = tool("shipOrder", "POST /orders/{order_id}/ship", "Ship an order.", thing(status="string"), "order_id")
CANCEL = tool("cancelOrder", "DELETE /orders/{order_id}", "Cancel an order.", thing(status="string"), "order_id")
CUSTOMER = tool(
    "getCustomer", "GET /customers/{customer_id}", "Get a customer.", thing(id="string", name="string"), "customer_id"
)


@pytest.mark.parametrize(
    ("first", "then", "is_asked"),
    [
        (LIST, GET, True),  # list the orders, then show me the first one
        (LIST, EDIT, True),
        (LIST, CANCEL, False),  # nobody has seen which one is the first
        (FIND, CANCEL, True),  # find the order of this code, then cancel it
        (FIND, GET, False),  # the same thing twice
        (MAKE, GET, False),  # what is just made is known
        (MAKE, EDIT, False),
        (MAKE, SHIP, True),  # make it, then use it
        (EDIT, SHIP, False),  # who changes a thing knows which
        (GET, CUSTOMER, True),  # look up the order, then its customer
        (LIST, CUSTOMER, False),  # the customer of the first order has no short name
        (GET, SHIP, False),  # the user has said which order it is
    ],
)
def test_people_ask_for_two_calls_in_one_breath(first: Tool, then: Tool, is_asked: bool) -> None:
    """A later call takes what the earlier one tells, where a person would put it so."""
    chains, _ = chain_edges(Catalog(tools=(first, then)))
    assert bool(chains.get(first.key)) is is_asked


def test_nobody_asks_for_a_photo_and_then_for_its_photo() -> None:
    """Though the photo of an address has a code by which another tool finds it."""
    by_url, by_code = (
        Tool(
            name=f"Photo_by_{name}",
            description=f"Get a photo by {name}",
            parameters=encode({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}),
        )
        for name in ("url", "code")
    )
    chains, refused = chain_edges(prepare(Catalog(tools=(by_url, by_code))))

    assert not chains
    assert refused["same_again"]


def test_by_what_a_thing_is_found_tells_no_request_apart() -> None:
    """A later request for `that photo` would fit both."""
    by_name = tool("photoByName", "GET /p/by-name/{name}", "Get a photo of an album by name.", thing(), "name", "day")
    assert are_rivals(
        by_name, tool("photo", "GET /p/{photo_id}", "Get a photo of an album by id.", thing(), "photo_id")
    )


def test_a_list_is_no_rival_of_the_look_up_of_one() -> None:
    """Whoever asks for the orders does not mean order 12; two look-ups of one thing by an identifier are rivals."""
    other = tool("fetchOrder", "GET /shop/orders/{order_id}", "Fetch an order.", ORDER, "order_id")
    assert not are_rivals(LIST, GET)
    assert are_rivals(GET, other)


def test_a_bare_identifier_comes_before_one_that_somebody_gave() -> None:
    """`id` of a company, and not the `company_id` beside it, whichever stands first."""
    fields = thing(company_id="string", id="string")
    make = tool("createCompany", "POST /companies", "Create a company.", fields, "name")
    look = tool("listContacts", "GET /companies/{id}/contacts", "List contacts.", thing(total="integer"), "id")
    chains, _ = chain_edges(Catalog(tools=(make, look)))
    assert [flow.output.name for flow in chains[make.key]] == ["id"]


def test_nobody_asks_for_what_lies_beside_the_thing_made() -> None:
    """Nobody has heard of the batch of a payment that was just made."""
    returned = thing(batch_payment_id="string", payment_id="string")
    make = tool("createPayment", "POST /payments", "Create a payment.", returned, "sum")
    looks = [
        tool(
            f"list{one}History", f"GET /{one}/{{{one}_id}}/history", f"List the history of a {one}.", ORDER, f"{one}_id"
        )
        for one in ("payment", "batch_payment")
    ]
    chains, _ = chain_edges(Catalog(tools=(make, *looks)))
    assert [flow.parameter for flow in chains[make.key]] == ["payment_id"]
