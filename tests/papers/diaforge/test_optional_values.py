"""Gold values that a call may leave out: which they are, and that no call is judged on what was not said."""

from __future__ import annotations

from callwright.match.arguments import arguments_fit
from callwright.match.leniency import COERCED
from callwright.papers.diaforge.optional_values import judged, optional_of
from callwright.records.dialogue import GoldArgument, GoldCall
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

ADDRESS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "floor": {"type": "integer"}},
    "required": ["city"],
}
TOOL = Tool(
    name="move",
    description="Move a desk.",
    parameters=encode(
        {
            "type": "object",
            "properties": {"desk": {"type": "string"}, "note": {"type": "string"}, "to": ADDRESS},
            "required": ["desk", "to"],
        }
    ),
)
VALUES = {"desk": "D1", "note": "soon", "to": {"city": "Rome", "floor": 3}}
GOLD = GoldCall("move", tuple(GoldArgument(name, (encode(value),)) for name, value in VALUES.items()))


def fits(unsaid: set[str], **arguments: object) -> bool:
    return arguments_fit(encode(arguments), judged(GOLD, TOOL, unsaid), TOOL, leniency=COERCED)


def test_what_no_call_needs_is_optional() -> None:
    """A parameter, and a leaf of a required one."""
    assert optional_of(TOOL, ["desk", "note", "to.city", "to.floor"]) == {"note", "to.floor"}


def test_unsaid_optional_values_may_be_left_out() -> None:
    """One, the other, or both; what was said is due."""
    assert fits({"note"}, desk="D1", to={"city": "Rome", "floor": 3})
    assert fits({"note", "to.floor"}, desk="D1", to={"city": "Rome"})
    assert not fits({"note"}, desk="D1", to={"city": "Rome"})
    assert not fits(set(), desk="D1", to={"city": "Rome", "floor": 3})


def test_unsaid_values_are_not_free() -> None:
    """A guess has to be right, and a required value is due though nobody said it."""
    assert fits({"note", "to.floor"}, **VALUES)
    assert not fits({"note"}, desk="D1", note="later", to={"city": "Rome", "floor": 3})
    assert not fits({"desk", "note"}, to={"city": "Rome", "floor": 3})
