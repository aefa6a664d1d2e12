"""One call against one gold call: every fault has its code, and each leniency forgives what it names and no more."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callwright.match.arguments import arguments_fit, call_issues, fits, fits_value
from callwright.match.leniency import COERCED, COERCED_NEAR, LENIENT, NEAR, PRESETS, STRICT, UNTYPED, Leniency
from callwright.match.values import equal
from callwright.records.dialogue import Call, GoldArgument, GoldCall
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool

TOOL = Tool(
    name="book",
    parameters=encode({"properties": {"n": {"type": "integer"}, "at": {"type": "string"}, "x": {"type": "object"}}}),
)
GOLD = GoldCall(
    "book",
    (
        GoldArgument("n", (encode(5), encode(6))),
        GoldArgument("at", (encode("noon"),)),
        GoldArgument("x", (encode({}),), optional=True),
    ),
)


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ('{"n":5,"at":"noon"}', []),
        ('{"n":"6","at":"noon","x":{}}', []),
        ('{"at":"noon"}', ["missing"]),
        ('{"n":5,"at":"Noon"}', ["wrong_value"]),
        ('{"n":true,"at":"noon"}', ["wrong_value"]),
        ('{"n":5,"at":"noon","x":{"a":1}}', ["wrong_value"]),
        ('{"n":5,"at":"noon","z":1}', ["unexpected"]),
        ('{"z":1}', ["unexpected", "missing", "missing"]),
        ("[5]", ["not_an_object"]),
        ('{"n":', ["not_an_object"]),
        ('{"n":NaN,"at":"noon"}', ["not_an_object"]),
    ],
)
def test_calls_differ_for_named_reasons(arguments: str, codes: list[str]) -> None:
    """Every way to miss the gold arguments has its code, and a call without one is equal."""
    call = Call("book", JsonText(arguments))

    assert codes == [issue.code for issue in call_issues(call, GOLD, TOOL, known={"book"}, leniency=COERCED)]
    assert arguments_fit(call.arguments, GOLD, TOOL, leniency=COERCED) == (not codes)


@pytest.mark.parametrize(("name", "code"), [("cancel", "wrong_tool"), ("bok", "unknown_tool")])
def test_other_tools_are_told_apart_from_unknown_ones(name: str, code: str) -> None:
    """A call of another tool shown is wrong; one of a tool that is not there is unknown."""
    call = Call(name, JsonText('{"n":5,"at":"noon"}'))

    issues = call_issues(call, GOLD, TOOL, known={"book", "cancel"}, leniency=COERCED)

    assert [code] == [issue.code for issue in issues]
    assert not fits(call, GOLD, TOOL, leniency=LENIENT)


SEARCH = Tool(
    name="search",
    parameters=encode(
        {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "size": {"type": "integer"},
                "rate": {"type": "number"},
                "note": {"type": "string", "description": "Free text for the staff."},
                "code": {"type": "string"},
                "stars": {"type": "array", "items": {"type": "integer", "enum": [1, 2, 3]}},
                "stops": {"type": "array", "items": {"type": "string"}},
                "mode": {"type": "string", "enum": ["car", "train"]},
                "box": {"type": "object", "properties": {"w": {"type": "integer"}}, "required": ["w"]},
            },
            "required": ["city"],
        }
    ),
)


def codes_of(arguments: dict[str, Any], gold: dict[str, Any], leniency: Leniency, tool: Tool = SEARCH) -> list[str]:
    """Return the codes and places of what is wrong with a call of `tool`."""
    wanted = GoldCall(tool.name, tuple(GoldArgument(name, (encode(value),)) for name, value in gold.items()))
    call = Call(tool.name, encode(arguments))
    issues = call_issues(call, wanted, tool, known={tool.name}, leniency=leniency)
    assert fits(call, wanted, tool, leniency=leniency) == (not issues)
    return [f"{issue.code} {issue.path}" for issue in issues]


OSLO = {"city": "Oslo"}


@pytest.mark.parametrize(
    ("arguments", "gold", "codes"),
    [
        (OSLO, OSLO, []),
        ({"city": "oslo"}, OSLO, ["wrong_value city"]),
        ({"city": "Oslo", "rate": 2}, {"city": "Oslo", "rate": 2.0}, []),
        ({"city": "Oslo", "size": 2.0}, {"city": "Oslo", "size": 2}, []),
        ({"city": "Oslo", "size": "2"}, {"city": "Oslo", "size": 2}, ["type size"]),
        ({"city": "Oslo", "size": True}, {"city": "Oslo", "size": 1}, ["type size"]),
        ({}, OSLO, ["missing city"]),
        (OSLO, {"city": "Oslo", "size": 2}, ["missing size"]),
        ({"city": "Oslo", "zoom": 1}, OSLO, ["unexpected zoom"]),
        ({"city": "Oslo", "size": 2}, OSLO, ["unexpected size"]),
        ({"city": "Oslo", "mode": "boat"}, {"city": "Oslo", "mode": "car"}, ["enum mode"]),
        ({"city": "Oslo", "mode": "train"}, {"city": "Oslo", "mode": "car"}, ["wrong_value mode"]),
        ({"city": "Oslo", "box": {}}, {"city": "Oslo", "box": {"w": 1}}, ["missing box.w"]),
        ({"city": "Oslo", "box": {"w": "1"}}, {"city": "Oslo", "box": {"w": 1}}, ["type box.w"]),
        ({"city": "Oslo", "stars": [1, 9]}, {"city": "Oslo", "stars": [1, 2]}, ["enum stars[1]"]),
        ({"city": "Oslo", "stars": [2, 1]}, {"city": "Oslo", "stars": [1, 2]}, ["wrong_value stars"]),
        ({"city": "Rome", "size": "2"}, {"city": "Oslo", "size": 2}, ["type size", "wrong_value city"]),
    ],
)
def test_strict_checks_the_schema_first(arguments: dict[str, Any], gold: dict[str, Any], codes: list[str]) -> None:
    """Breaches of the schema come before values, and a parameter that has one has no further fault."""
    assert codes_of(arguments, gold, STRICT) == codes


@pytest.mark.parametrize(
    ("leniency", "arguments", "gold"),
    [
        (Leniency(literals="declared"), {"city": "Oslo", "size": "2"}, {"city": "Oslo", "size": 2}),
        (Leniency(literals="declared"), {"city": "Oslo", "code": 7}, {"city": "Oslo", "code": "7"}),
        (Leniency(literals="any", schema=False), {"city": "2"}, {"city": 2}),
        (Leniency(literals="any", schema=False), {"city": "True"}, {"city": True}),
        (Leniency(strings="folded"), {"city": "NEWYORK"}, {"city": "New York"}),
        (Leniency(strings="normalised"), {"city": "new york, N.Y."}, {"city": "New-York, NY"}),
        (Leniency(strings="near"), {"city": "Oslo", "note": "qiuet"}, {"city": "Oslo", "note": "quiet"}),
        (
            Leniency(strings="near"),
            {"city": "Oslo", "note": "a very quiet room, please"},
            {"city": "Oslo", "note": "A quiet room please"},
        ),
        (NEAR, {"city": "Oslo", "note": "a very quiet room, please"}, {"city": "Oslo", "note": "A quiet room please"}),
        (Leniency(sets=True), {"city": "Oslo", "stars": [2, 1]}, {"city": "Oslo", "stars": [1, 2]}),
        (Leniency(missing_optional=True), {"city": "Oslo"}, {"city": "Oslo", "size": 2}),
        (Leniency(schema=False), {"city": "boat"}, {"city": "boat"}),
    ],
)
def test_each_leniency_forgives_one_thing(leniency: Leniency, arguments: dict[str, Any], gold: dict[str, Any]) -> None:
    """What a leniency is named for is right with it, and wrong without."""
    assert codes_of(arguments, gold, leniency) == []
    if leniency != Leniency(schema=False):
        assert codes_of(arguments, gold, STRICT) != []


@pytest.mark.parametrize(
    ("arguments", "gold"),
    [
        ({"city": "Olso"}, OSLO),
        ({"city": "Oslo", "code": "AB-12345"}, {"city": "Oslo", "code": "AB-12346"}),
        ({"city": "Oslo", "stops": ["a", "b"]}, {"city": "Oslo", "stops": ["b", "a"]}),
        ({"city": "Oslo", "stars": [1, 1, 2]}, {"city": "Oslo", "stars": [1, 2, 2]}),
        ({"city": "Oslo", "size": "two"}, {"city": "Oslo", "size": 2}),
        ({"city": "Oslo", "size": 3}, {"city": "Oslo", "size": 2}),
        ({"city": "Oslo", "note": "a loud room by the lift"}, {"city": "Oslo", "note": "a quiet room with a view"}),
        ({}, OSLO),
        ({"city": "Oslo", "size": 2}, OSLO),
        ({"city": "Oslo", "box": {"w": 1, "h": 2}}, {"city": "Oslo", "box": {"w": 1}}),
    ],
)
def test_lenient_has_limits(arguments: dict[str, Any], gold: dict[str, Any]) -> None:
    """Names, codes and numbers are never near, order counts where items may repeat, and nothing may be added."""
    assert codes_of(arguments, gold, LENIENT) != []


@pytest.mark.parametrize("preset", [NEAR, COERCED_NEAR])
@pytest.mark.parametrize(
    ("arguments", "gold"),
    [
        ({"city": "oslo"}, OSLO),
        ({"city": "Oslo", "code": "AB12345"}, {"city": "Oslo", "code": "AB-12345"}),
        ({"city": "Oslo", "note": "bring 30 chairs to room 4"}, {"city": "Oslo", "note": "bring 20 chairs to room 4"}),
        ({"city": "Oslo", "note": "a loud room by the lift"}, {"city": "Oslo", "note": "a quiet room with a view"}),
        ({"city": "Oslo"}, {"city": "Oslo", "note": "a quiet room with a view"}),
    ],
)
def test_only_free_text_is_near(preset: Leniency, arguments: dict[str, Any], gold: dict[str, Any]) -> None:
    """Names and codes are exact, and a text with another number is another text."""
    assert codes_of(arguments, gold, preset) != []


def test_a_gold_call_against_its_own_document_is_right() -> None:
    """What the gold call itself breaks is not held against an equal call, and what it keeps to is."""
    tool = Tool(
        name="f",
        parameters=encode({"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["b", "c"]}),
    )

    assert codes_of({"a": "x", "b": "y"}, {"a": "x", "b": "y"}, STRICT, tool) == []
    assert codes_of({"a": "z", "b": "y"}, {"a": "x", "b": "y"}, STRICT, tool) == ["wrong_value a"]
    assert codes_of({"a": "x", "b": 1}, {"a": "x", "b": "y"}, STRICT, tool) == ["type b"]


def test_an_unusable_schema_hides_no_value() -> None:
    """Where the document's schema cannot be used, values are compared all the same."""
    tool = Tool(name="f", parameters=encode({"properties": {"a": {"type": "no such type"}}}))

    assert codes_of({"a": 1}, {"a": 1}, STRICT, tool) == []
    assert codes_of({"a": 2}, {"a": 1}, STRICT, tool) == ["wrong_value a"]


def test_parameters_with_dots_have_their_own_faults() -> None:
    """A parameter named like a path is not taken for a part of another."""
    tool = Tool(name="f", parameters=encode({"properties": {"a.b": {"type": "integer"}, "a.bc": {"type": "integer"}}}))

    assert codes_of({"a.b": "1", "a.bc": 2}, {"a.b": 1, "a.bc": 1}, STRICT, tool) == ["type a.b", "wrong_value a.bc"]


leaves = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from([1.0, 0.5, "", "1", "a", "A b"]))
values = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("ab"), inner)),
    max_leaves=5,
)
ANYTHING = Tool(name="f", parameters=encode({"properties": {"x": {}}}))


@given(values, values, st.sampled_from(sorted(PRESETS)))
@settings(max_examples=150, deadline=None)
def test_leniency_only_adds(value: Any, accepted: Any, preset: str) -> None:
    """Equal values fit under every leniency, and fitting is symmetric."""
    leniency = PRESETS[preset]

    assert fits_value(value, value, "x", ANYTHING, leniency=leniency)
    assert fits_value(value, accepted, "x", ANYTHING, leniency=leniency) >= equal(value, accepted)
    assert fits_value(value, accepted, "x", ANYTHING, leniency=leniency) == fits_value(
        accepted, value, "x", ANYTHING, leniency=leniency
    )


def test_long_arrays_are_compared_in_order() -> None:
    """Ten thousand items of a set are compared in order, in no time."""
    tool = Tool(name="f", parameters=encode({"properties": {"x": {"type": "array", "uniqueItems": True}}}))
    many = list(range(10_000))

    assert fits_value(many, many, "x", tool, leniency=LENIENT)
    assert not fits_value(many, many[::-1], "x", tool, leniency=LENIENT)
    assert fits_value(many[:100], many[99::-1], "x", tool, leniency=LENIENT)


def test_untyped_values_are_those_they_spell() -> None:
    """Numbers and booleans in quotes, and spellings of a text, are equal; other numbers are not."""
    gold = {"year": "2020", "cylinders": 4, "used": False, "make": "Alfa Romeo"}
    tool = Tool(name="f")

    assert codes_of({"year": 2020, "cylinders": "4", "used": "false", "make": "alfa romeo "}, gold, UNTYPED, tool) == []
    assert codes_of({"year": 2021, "cylinders": 4, "used": 0, "make": "Alfa Romeo"}, gold, UNTYPED, tool) == [
        "wrong_value year",
        "wrong_value used",
    ]
