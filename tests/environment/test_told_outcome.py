"""What a speaker is told of a call."""

from __future__ import annotations

from callwright.environment.told_outcome import outcome_of
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def told(given: str, result: Json, **fields: Json) -> list[Json]:
    """The values that are told of a barrier that is made with one value."""
    text = {"type": "string"}
    tool = Tool(
        name="create_barrier",
        description="Create a barrier.",
        parameters=encode({"type": "object", "properties": {given: text}, "required": [given]}),
        returns=encode({"type": "object", "properties": fields, "required": list(fields)}),
    )
    return [one.value for one in outcome_of(tool, {given: "B-1"}, Result(value=encode(result))).fields]


def test_the_identifier_of_a_part_is_not_told() -> None:
    """An enterprise that a barrier belongs to has an `id` of its own; a new identifier of the barrier is told."""
    text: Json = {"type": "string"}
    part: Json = {"type": "object", "properties": {"id": text}, "required": ["id"]}
    assert told("id", {"id": "B-1", "enterprise": {"id": "E-7788"}}, id=text, enterprise=part) == []
    assert told("title", {"barrier": {"id": "B-7788"}}, barrier=part) == ["B-7788"]


def test_what_is_generated_and_returned_is_told() -> None:
    """`generate an address` that gives one is no mere act; an act that returns its state is one."""
    returns = {"type": "object", "properties": {"city": {"type": "string"}}}
    tool = Tool(
        name="generateAddress", source="GET /address", description="Generate an address.", returns=encode(returns)
    )
    found = outcome_of(tool, {}, Result(value=encode({"city": "Porto"})))
    assert not found.is_done
    assert [known.value for known in found.fields] == ["Porto"]


def test_a_tool_without_a_verb_is_asked_what_it_tells() -> None:
    """`Concert info` is looked up, and not only done."""
    returns = encode({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
    outcome = outcome_of(
        Tool(name="concert", description="Concert info", returns=returns), {}, Result(value='{"name":"Mill"}')
    )

    assert [one.value for one in outcome.fields] == ["Mill"]
    assert not outcome.is_done


def test_an_act_is_done_though_its_result_tells_the_figures_of_it() -> None:
    """A refund says how much was refunded; what the call gave and the new state are no answer either."""
    number, text = {"type": "number"}, {"type": "string"}
    refund = Tool(
        name="refund_delivery_fee",
        description="Refund the delivery fee of an order.",
        returns=encode({"type": "object", "properties": {"order_id": text, "refund_amount": number}}),
    )
    unlock = Tool(
        name="unlock_account",
        description="Unlock a user account.",
        returns=encode({"type": "object", "properties": {"user_name": text, "status": text}}),
    )

    paid = outcome_of(refund, {"order_id": "84158"}, Result(value='{"order_id":"84158","refund_amount":20.0}'))
    opened = outcome_of(unlock, {"user_name": "preis"}, Result(value='{"user_name":"preis","status":"unlocked"}'))

    assert paid.is_done
    assert [one.slot.name for one in paid.fields] == ["refund_amount"]
    assert opened.is_done


def test_what_stands_in_the_state_of_an_act_was_acted_on() -> None:
    """An approved request tells its fee as news, and was not looked up; neither was an invoice with a new number."""
    fields: dict[str, Json] = {"status": {"type": "string"}, "fee": {"type": "number"}}
    approve = Tool(
        name="approve_training",
        description="Approve a request for training.",
        returns=encode({"type": "object", "properties": fields}),
    )

    told = outcome_of(approve, {}, Result(value='{"fee":162.5,"status":"approved"}'))

    invoice = Tool(
        name="issue_invoice",
        description="Issue an invoice to a customer.",
        returns=encode(
            {"type": "object", "properties": {"invoice_id": {"type": "string"}, "due_date": {"type": "string"}}}
        ),
    )
    issued = outcome_of(invoice, {}, Result(value='{"due_date":"2027-03-04","invoice_id":"INV-58099"}'))

    assert told.is_done
    assert [one.slot.name for one in told.fields] == ["fee"]
    assert issued.is_done
    assert [one.slot.name for one in issued.fields] == ["invoice_id", "due_date"]
