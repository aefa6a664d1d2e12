"""What a whole document shows of the values of a name."""

from __future__ import annotations

from random import Random

from callwright.author.kindred_values import with_kindred
from callwright.author.shown_values import others_shown, shown_by_name
from callwright.catalog.slots import slots
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def tool(called: str, returns: Json = None, **examples: str) -> Tool:
    properties = {key: {"type": "string", "example": value} for key, value in examples.items()}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool(name=called, parameters=encode(schema), returns=encode(returns) if returns else None)


_LISTED: Json = {
    "type": "array",
    "items": {"type": "object", "properties": {"part": {"type": "string", "example": "key slip"}}},
}
TOOLS = (
    tool("take_in", part="hammer shank", name="Row one"),
    tool("order_spare", part="damper felt set", name="Tin two"),
    tool("list_stock", _LISTED),
)


def test_values_of_a_name_are_found_in_parameters_and_results() -> None:
    """Each once, in the order of the document."""
    assert shown_by_name(TOOLS)[("part",)] == ("hammer shank", "damper felt set", "key slip")


def test_names_of_all_sorts_of_things_tell_nothing() -> None:
    """A row's `name` is none for a tin."""
    assert ("name",) not in shown_by_name(TOOLS)
    assert others_shown(slots(TOOLS[0])["name"], shown_by_name(TOOLS)) == ()


def test_a_call_takes_what_other_tools_show() -> None:
    """The one example of its own tool is one of them."""
    found = {
        with_kindred(Random(seed), TOOLS[0], {"part": "hammer shank", "name": "Row one"}, TOOLS)["part"]
        for seed in range(40)
    }
    assert found == {"hammer shank", "damper felt set", "key slip"}
    assert with_kindred(Random(1), TOOLS[0], {"part": "hammer shank"})["part"] == "hammer shank"
