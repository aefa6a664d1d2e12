"""What act sequences ask of tools, and how tools go through them."""

from __future__ import annotations

import pytest

from callwright.environment.asked_parameters import parameters
from callwright.environment.told_outputs import outputs
from callwright.graph.tool_pairs import ToolPair, shared
from callwright.papers.tooldial.act_grammar import sequences
from callwright.papers.tooldial.scenario_states import act_turns
from callwright.papers.tooldial.sequence_shapes import TellingOrder, courses, shape_of
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def tool(name: str, *required: str, returns: object = None) -> Tool:
    """Return a tool with text parameters."""
    properties = {one: {"type": "string"} for one in required}
    return Tool(
        name=name,
        description=f"{name.replace('_', ' ').capitalize()}.",
        parameters=encode({"type": "object", "properties": properties, "required": list(required)}),
        returns=None if returns is None else encode({"type": "object", "properties": returns}),
    )


CODE = {"type": "string"}
ONE = {"order_id": CODE, "status": CODE}
MANY = {"orders": {"type": "array", "items": {"type": "object", "properties": ONE}}}
CANCEL = tool("cancel_order", "order_id")
REFUND = tool("refund_order", "order_id", "reason")
FIND = tool("find_order", "email", returns=ONE)
LIST = tool("list_orders", returns=MANY)


def pair(target: Tool, source: Tool) -> ToolPair:
    """Return the pair in which the source supplies the order."""
    return ToolPair(target, source, next(one for one in outputs(source) if one.name == "order_id"), "order_id")


def two(opening: str, pair_: ToolPair) -> set[tuple[bool, str, TellingOrder]]:
    """Return what a pair goes through with an opening: does the source ask, what follows its call, the course."""
    shapes = [shape for shape in map(shape_of, sequences(2)) if shape.kind == "two" and shape.opening == opening]
    return {(shape.asks, shape.then, course) for shape in shapes for course in courses(shape, pair_)}


def test_shapes_tell_all_sequences_apart() -> None:
    """No two of the 23 sequences have the same shape apart from their acts."""
    shapes = [shape_of(acts) for acts in sequences(2)]

    assert len({shape[1:] for shape in shapes}) == len(shapes) == 23


def test_a_source_with_inputs_and_one_value() -> None:
    """It is asked for its input; what the user did not tell of the target is asked for later."""
    assert two("clear", pair(CANCEL, FIND)) == {(True, "call", TellingOrder((), (), ("email",), ()))}
    assert two("clear", pair(REFUND, FIND)) == {
        (True, "call", TellingOrder((), ("reason",), ("email",), ())),
        (True, "request", TellingOrder((), (), ("email",), ("reason",))),
    }


def test_a_source_without_inputs_that_lists() -> None:
    """It is called at once, and the user chooses; what else the target needs must have been told."""
    assert two("suggest", pair(CANCEL, LIST)) == {(False, "request_multi", TellingOrder())}
    assert two("suggest", pair(REFUND, LIST)) == {(False, "request_multi", TellingOrder((), ("reason",), (), ()))}


def test_what_both_tools_take_is_told_once() -> None:
    """A value that the user told for the target is not asked for again for the source."""
    find = tool("find_order", "account_id", "email", returns=ONE)
    change = tool("update_order", "account_id", "order_id")
    both = pair(change, find)

    assert shared(both) == {"account_id": "account_id"}
    assert (True, "call", TellingOrder((), ("account_id",), ("email",), ())) in two("clear", both)
    assert (True, "call", TellingOrder((), (), ("account_id", "email"), ())) in two("clear", both)


@pytest.mark.parametrize("needed", [(), ("order_id",), ("order_id", "email"), ("order_id", "email", "city")])
def test_one_tool_goes_through_what_its_inputs_allow(needed: tuple[str, ...]) -> None:
    """A tool without inputs fits none; with one the wish may tell it; with more a part of them is asked for."""
    alone = ToolPair(tool("track_order", *needed))
    fitting = {
        (shape.kind, shape.asks)
        for shape in map(shape_of, sequences(1))
        if shape.kind != "failure" and list(courses(shape, alone))
    }

    assert len(parameters(alone.target)) == len(needed)
    assert fitting == {
        key
        for key, fits in {
            ("one", True): bool(needed),
            ("add", False): 0 < len(needed) <= 2,
            ("add", True): len(needed) > 1,
        }.items()
        if fits
    }


def test_turns_alternate_and_requests_have_phases() -> None:
    """Users and assistant take turns; what a user answers is what was asked."""
    for acts in sequences(2):
        turns = act_turns(acts)
        assert [turn.speaker for turn in turns] == ["user", "assistant"] * (len(turns) // 2)
        assert [act for turn in turns for act in turn.acts] == list(acts)
        assert all(after.phase == turn.phase for turn, after in zip(turns[1::2], turns[2::2], strict=False))
    longest = act_turns(list(sequences(2))[5])
    assert [turn.phase for turn in longest[1::2]][:4] != ["first"] * 4
