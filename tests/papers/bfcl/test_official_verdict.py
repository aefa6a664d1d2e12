"""Mode `official`: every rule of the leaderboard, accepted and rejected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bfcl_predictions import ANSWERED, UNANSWERABLE, as_native, as_text, gold_calls, read_category
from callwright.lang.calls import WrittenCall
from callwright.papers.bfcl.call_errors import BfclError, Wanted, wanted_call
from callwright.papers.bfcl.official_verdict import official_error
from callwright.papers.bfcl.question_layout import decode_result
from callwright.papers.bfcl.result_scoring import verdict


def error_of(value: Any, schema: dict[str, Any], accepted: list[Any]) -> BfclError | None:
    """Return the error of a call of one parameter."""
    return official_error(WrittenCall("f", {"x": value}), Wanted("f", {"x": schema}, ("x",), {"x": accepted}))


STRING, INTEGER, FLOAT, BOOLEAN = ({"type": name} for name in ("string", "integer", "float", "boolean"))
ANY, DICT = {"type": "any"}, {"type": "dict"}


def array(items: str, outer: str = "array") -> dict[str, Any]:
    """Return the schema of an array in BFCL's types."""
    return {"type": outer, "items": {"type": items}}


@pytest.mark.parametrize(
    ("value", "schema", "accepted"),
    [
        (3, INTEGER, [3]),
        (3.5, FLOAT, [3.5]),
        (3, FLOAT, [3.0]),
        (3.0, FLOAT, [3]),
        (3, FLOAT, [3]),
        (True, BOOLEAN, [True]),
        ("a", STRING, ["b", "a"]),
        ("a", ANY, ["a"]),
        ("Saint JOHN'S, N.Y./x-y_z*^", STRING, ['saintjohn"snyxyz']),
        ("", STRING, ["x", ""]),
        ([1, 2], array("integer"), [[2, 1], [1, 2]]),
        ([1, 2], array("float"), [[1, 2]]),
        ([1.5, 2.5], array("float"), [[1.5, 2.5]]),
        (["New York"], array("string"), [["new-york"]]),
        ([], array("string"), [["a"], ""]),
        ([[1.5, "A"]], array("array"), [[[1.5, "A"]]]),
        (["a", 1], array("integer"), ["", ["a", 1]]),
        ((1, 2), array("integer", "tuple"), [[1, 2]]),
        ([1, 2], array("integer", "tuple"), [[1, 2]]),
        ({"a": "X y"}, DICT, [{"a": ["xy"], "b": ["", 1]}]),
        ({"a": 2}, DICT, ["", {"a": [1]}, {"a": [2]}]),
        ({"a": [1, 2]}, DICT, [{"a": [[1, 2]]}]),
        ([{"a": 1}, {"a": 2, "b": "X"}], array("dict"), [[{"a": [1]}, {"a": [2], "b": ["x", ""]}]]),
        ([], array("dict"), [[{"a": [1]}], ""]),
        ("n", INTEGER, ["n"]),
        ("n", INTEGER, ["", "n"]),
        (None, STRING, ["", None]),
        (["a", "b"], array("integer"), [["a", "b"]]),
        ([1], STRING, [[1]]),
        (5, INTEGER, ["n", 5]),
    ],
)
def test_right_values_are_accepted(value: Any, schema: dict[str, Any], accepted: list[Any]) -> None:
    """Types exactly, or as the answer has them; values as standardised."""
    assert error_of(value, schema, accepted) is None


@pytest.mark.parametrize(
    ("value", "schema", "accepted", "error"),
    [
        (3.0, INTEGER, [3], "type:simple"),
        ("3", INTEGER, [3], "type:simple"),
        (True, INTEGER, [1], "type:simple"),
        (1, BOOLEAN, [True], "type:simple"),
        (True, FLOAT, [1.0], "type:simple"),
        (3, STRING, ["3"], "type:simple"),
        ((1, 2), array("integer"), [[1, 2]], "type:simple"),
        ([1], DICT, [{"a": [1]}], "type:simple"),
        (None, STRING, ["a", None], "type:simple"),
        ("a", INTEGER, [""], "type:simple"),
        ([1, 2.5], array("integer"), [[1, 2.5]], "type:nested"),
        ([1, 2], array("float"), [[1.0, 2.0]], "type:nested"),
        (["1"], array("integer"), [[1]], "type:nested"),
        ([True], array("integer"), [[1]], "type:nested"),
        ([(1, 2)], array("array"), [[[1, 2]]], "type:nested"),
        ("b", STRING, ["a"], "value:string"),
        ("new\tyork", STRING, ["newyork"], "value:string"),
        ("", STRING, ["x"], "value:string"),
        ([2, 1], array("integer"), [[1, 2]], "value:list"),
        ([1], array("integer"), [[1, 2]], "value:list"),
        ([], array("integer"), [[1]], "value:list"),
        ([["a"]], array("array"), [[["A"]]], "value:list"),
        ({"a": 1, "c": 1}, DICT, [{"a": [1]}], "value:dict_key"),
        ({}, DICT, [{"a": [1]}], "value:dict_key"),
        ({"c": 2}, DICT, [{"a": [1], "c": [3]}], "value:dict_key"),
        ({"a": 2}, DICT, [{"a": [1]}], "value:dict_value"),
        ({"a": ["X"]}, DICT, [{"a": [["x"]]}], "value:dict_value"),
        ({"a": 2}, DICT, [""], "value:dict_value"),
        ([{"a": 1}], array("dict"), [[{"a": [1]}, {"a": [2]}]], "value:list_of_dict_count"),
        ([{"a": 2}, {"a": 1}], array("dict"), [[{"a": [1]}, {"a": [2]}]], "value:dict_value"),
        ([{"b": 2}], array("dict"), [[{"a": [1]}]], "value:dict_key"),
        ([1], array("dict"), ["", [{"a": [1]}]], "value:dict_value"),
        (4, INTEGER, [3], "value:others"),
        (False, BOOLEAN, [True], "value:others"),
        ("m", INTEGER, ["n"], "value:others"),
        ("N", INTEGER, ["n"], "value:others"),
        ("A", STRING, [None, "a"], "value:others"),
    ],
)
def test_wrong_values_have_their_class(value: Any, schema: dict[str, Any], accepted: list[Any], error: str) -> None:
    """Each rule rejects what it must, with its class."""
    assert error_of(value, schema, accepted) == error


WANTED = Wanted(
    "shop.buy_now",
    {"item": STRING, "count": INTEGER, "note": STRING, "gift": BOOLEAN},
    ("item", "count"),
    {"item": ["pen"], "count": [2], "note": ["", "fast"], "gift": [True]},
)
RIGHT: dict[str, Any] = {"item": "pen", "count": 2, "gift": True}


@pytest.mark.parametrize("tool", ["shop.buy_now", "shop_buy_now"])
@pytest.mark.parametrize("more", [{}, {"note": "Fast"}, {"note": ""}])
def test_a_right_call_is_accepted(tool: str, more: dict[str, Any]) -> None:
    """Dots may stand as underscores, and an argument with an empty accepted value may be left out."""
    assert official_error(WrittenCall(tool, RIGHT | more), WANTED) is None


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (WrittenCall("shop.buy.now", RIGHT), "wrong_function_name"),
        (WrittenCall("Shop.buy_now", RIGHT), "wrong_function_name"),
        (WrittenCall("buy_now", RIGHT), "wrong_function_name"),
        (WrittenCall("shop.buy_now", {"item": "pen", "gift": True}), "missing_required"),
        (WrittenCall("shop.buy_now", {"count": 2, "gift": True}, ("pen",)), "missing_required"),
        (WrittenCall("shop.buy_now", RIGHT | {"colour": "red"}), "unexpected_parameter"),
        (WrittenCall("shop.buy_now", {"item": "pen", "count": 2}), "missing_optional"),
        (WrittenCall("buy", {}), "wrong_function_name"),
        (WrittenCall("shop.buy_now", {"item": 1, "zip": 1}), "missing_required"),
        (WrittenCall("shop.buy_now", {"item": 1, "count": 3, "zip": 1}), "unexpected_parameter"),
        (WrittenCall("shop.buy_now", {"item": "ink", "count": "2"}), "type:simple"),
        (WrittenCall("shop.buy_now", {"item": "pen", "count": 3}), "value:others"),
        (WrittenCall("shop.buy_now", {"count": 3, "item": "ink"}), "value:string"),
    ],
)
def test_the_first_class_that_applies_is_named(call: WrittenCall, error: str) -> None:
    """Name, required, unexpected, types, values, left out: in this order, whatever the order of the arguments."""
    assert official_error(call, WANTED) == error


def test_a_parameter_outside_the_answer_is_unexpected() -> None:
    """What is documented but not answered may not be given; what is answered but not documented neither."""
    extra = Wanted("f", {"a": STRING, "b": STRING}, (), {"a": ["x"], "c": ["", "y"]})

    assert official_error(WrittenCall("f", {"a": "x"}), extra) is None
    assert official_error(WrittenCall("f", {"a": "x", "b": "x"}), extra) == "unexpected_parameter"
    assert official_error(WrittenCall("f", {"a": "x", "c": "y"}), extra) == "unexpected_parameter"


def one_of(*values: int) -> Wanted:
    """Return a gold call that accepts any of the values."""
    return Wanted("f", {"x": INTEGER}, ("x",), {"x": list(values)})


def calls(*values: int) -> list[WrittenCall]:
    """Return a call for each value."""
    return [WrittenCall("f", {"x": value}) for value in values]


@pytest.mark.parametrize(
    ("made", "golds", "error"),
    [
        (calls(1, 2), [one_of(1), one_of(2)], None),
        (calls(2, 1), [one_of(1), one_of(2)], None),
        (calls(1, 1), [one_of(1), one_of(2)], "cannot_find_match"),
        (calls(1), [one_of(1), one_of(2)], "wrong_count"),
        (calls(1, 2, 2), [one_of(1), one_of(2)], "wrong_count"),
        ([], [one_of(1), one_of(2)], "wrong_count"),
        (None, [one_of(1), one_of(2)], "undecodable"),
        (calls(1, 2), [one_of(2, 1), one_of(1)], "cannot_find_match"),
        (calls(2, 1), [one_of(2, 1), one_of(1)], None),
        (calls(1, 1), [one_of(1), one_of(1)], None),
    ],
)
def test_several_calls_are_paired_greedily(
    made: list[WrittenCall] | None, golds: list[Wanted], error: str | None
) -> None:
    """Each gold call in order takes the first call that fits: greed can fail where a pairing exists."""
    assert verdict(made, golds, mode="official", is_parallel=True) == error


@pytest.mark.parametrize(
    ("made", "error"),
    [
        (calls(1), None),
        (calls(2), "value:others"),
        (calls(1, 1), "wrong_count"),
        ([], "wrong_count"),
        (None, "undecodable"),
    ],
)
def test_one_call_is_wanted_alone(made: list[WrittenCall] | None, error: str | None) -> None:
    """Where one call is wanted its own error is named."""
    assert verdict(made, [one_of(1)], mode="official", is_parallel=False) == error


@pytest.mark.parametrize(("made", "error"), [(None, None), ([], None), (calls(1), "wrong_count")])
def test_no_call_is_right_in_irrelevance(made: list[WrittenCall] | None, error: str | None) -> None:
    """Where no call is wanted, text that cannot be decoded makes none."""
    assert verdict(made, [], mode="official", is_parallel=False) == error


@pytest.mark.parametrize("category", ANSWERED)
@pytest.mark.parametrize("write", [as_text, as_native])
def test_gold_answers_are_right(shared_data: Path, category: str, write: Any) -> None:
    """Predictions made from the answers are right in every category, but for two questions without a right answer."""
    wrong = set()
    for question in read_category(shared_data, category):
        golds = [wanted_call(gold, question.document(gold.tool) or {}) for gold in question.gold]
        made = decode_result(write(gold_calls(question)))
        if verdict(made, golds, mode="official", is_parallel="parallel" in category):
            wrong.add(question.id)

    assert wrong == (UNANSWERABLE if category == "live_simple" else set())
