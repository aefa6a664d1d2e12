"""Mode `strict`: where it differs from `official`, and what turns a right answer wrong in both."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bfcl_predictions import ANSWERED, UNANSWERABLE, gold_calls, read_category
from callwright.lang.calls import WrittenCall
from callwright.papers.bfcl.call_errors import BfclError, Wanted, wanted_call
from callwright.papers.bfcl.official_verdict import official_error
from callwright.papers.bfcl.question_layout import PublishedQuestion
from callwright.papers.bfcl.result_scoring import BfclMode, verdict
from callwright.papers.bfcl.strict_verdict import strict_error

MODES: tuple[BfclMode, ...] = ("official", "strict")
AGAINST_THEIR_DOCUMENTS = {"simple_python_307", "parallel_152", "parallel_multiple_21", "parallel_multiple_94"}
"""Questions whose answers have values of types that are not documented."""

STRING, INTEGER, FLOAT = ({"type": name} for name in ("string", "integer", "float"))


def errors_of(value: Any, schema: dict[str, Any], accepted: list[Any]) -> tuple[BfclError | None, BfclError | None]:
    """Return the errors of a call of one parameter in `official` and in `strict`."""
    call, gold = WrittenCall("f", {"x": value}), Wanted("f", {"x": schema}, ("x",), {"x": accepted})
    return official_error(call, gold), strict_error(call, gold)


def array(items: dict[str, Any], outer: str = "array") -> dict[str, Any]:
    """Return the schema of an array."""
    return {"type": outer, "items": items}


def record(**properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a dictionary."""
    return {"type": "dict", "properties": properties}


@pytest.mark.parametrize(
    ("value", "schema", "accepted", "official", "strict"),
    [
        ([1, 2], array(FLOAT), [[1.0, 2.0]], "type:nested", None),
        ((1, 2), array(INTEGER), [[1, 2]], "type:simple", None),
        ([(1, 2)], array(array(INTEGER)), [[[1, 2]]], "type:nested", None),
        (3.0, INTEGER, [3], "type:simple", None),
        ([1], {"type": "any"}, [[1]], None, None),
        (1, {"type": "any"}, [1.0], "type:simple", None),
        ("n", INTEGER, ["n"], None, "type:simple"),
        (["a"], array(INTEGER), [["a"]], None, "type:nested"),
        ([[1, "a"]], array(array(INTEGER)), [[[1, "a"]]], None, "type:nested"),
        ({"a": "1"}, record(a=INTEGER), [{"a": ["1"]}], None, "type:nested"),
        ([{"a": "1"}], array(record(a=INTEGER)), [[{"a": ["1"]}]], None, "type:nested"),
        ([["New York"]], array(array(STRING)), [[["newyork"]]], "value:list", None),
        ({"a": ["New York"]}, record(a=array(STRING)), [{"a": [["newyork"]]}], "value:dict_value", None),
        ({"a": {"b": "X"}}, record(a=record(b=STRING)), [{"a": [{"b": ["x", "y"]}]}], "value:dict_value", None),
        ({"a": {}}, record(a=record(b=STRING)), [{"a": [{"b": ["x", ""]}]}], "value:dict_value", None),
        ([[True]], array(array({})), [[[1]]], None, "value:list"),
        ({"a": True}, record(a={}), [{"a": [1]}], None, "value:dict_value"),
        ([], array(STRING), [["a"], ""], None, "value:list"),
        (None, STRING | {"default": None}, ["", None], None, None),
        (None, STRING, ["", None], None, "type:simple"),
        (True, INTEGER, [1], "type:simple", "type:simple"),
        ([True], array(FLOAT), [[1.0]], "type:nested", "type:nested"),
        (2.5, INTEGER, [2.5], None, "type:simple"),
        ("b", STRING, ["a"], "value:string", "value:string"),
        ([2, 1], array(INTEGER), [[1, 2]], "value:list", "value:list"),
        ({"b": 1}, record(a=INTEGER), [{"a": [1]}], "value:dict_key", "value:dict_key"),
        ({"a": 2}, record(a=INTEGER), [{"a": [1]}], "value:dict_value", "value:dict_value"),
        ([{"a": 1}], array(record()), [[{"a": [1]}] * 2], "value:list_of_dict_count", "value:list_of_dict_count"),
        ([{"a": 2}], array(record()), [[{"a": [1]}]], "value:dict_value", "value:dict_value"),
        ([{"b": 1}], array(record()), [[{"a": [1]}]], "value:dict_key", "value:dict_key"),
        (4, INTEGER, [3], "value:others", "value:others"),
        (4, {"type": ["integer", "null"]}, [4], None, None),
    ],
)
def test_modes_differ_where_it_is_said(
    value: Any, schema: dict[str, Any], accepted: list[Any], official: str | None, strict: str | None
) -> None:
    """Depth, numbers, tuples, variables and defaults: the verdicts of both modes side by side."""
    assert errors_of(value, schema, accepted) == (official, strict)


PAIR = Wanted("f", {"x": INTEGER, "y": INTEGER}, ("x",), {"x": [1], "y": ["", 2]})


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (WrittenCall("f", {}, (1,)), None),
        (WrittenCall("f", {}, (1, 2)), None),
        (WrittenCall("f", {"y": 2}, (1,)), None),
        (WrittenCall("f", {}, (2, 1)), "value:others"),
        (WrittenCall("f", {}, (1, 2, 3)), "unexpected_parameter"),
        (WrittenCall("f", {"x": 1}, (1,)), "unexpected_parameter"),
        (WrittenCall("g", {}, (1, 2, 3)), "wrong_function_name"),
    ],
)
def test_arguments_without_a_name_are_bound_in_order(call: WrittenCall, error: str | None) -> None:
    """Only `strict` sees them; `official` misses the required ones."""
    assert strict_error(call, PAIR) == error
    if call.tool == "f" and "x" not in call.arguments:
        assert official_error(call, PAIR) == "missing_required"


def test_strict_pairs_what_greed_cannot() -> None:
    """The first gold call accepts both calls, the second only the one that greed gives away."""
    golds = [Wanted("f", {"x": INTEGER}, ("x",), {"x": accepted}) for accepted in ([1, 2], [1])]
    made = [WrittenCall("f", {"x": 1}), WrittenCall("f", {"x": 2})]

    assert verdict(made, golds, mode="official", is_parallel=True) == "cannot_find_match"
    assert verdict(made, golds, mode="strict", is_parallel=True) is None
    assert verdict(made[:1] * 2, golds, mode="strict", is_parallel=True) is None
    assert verdict(made[1:] * 2, golds, mode="strict", is_parallel=True) == "cannot_find_match"


class Right:
    """A question of the foreign data with calls that are right, to be changed."""

    def __init__(self, question: PublishedQuestion, category: str) -> None:
        self.golds = [wanted_call(gold, question.document(gold.tool) or {}) for gold in question.gold]
        self.calls = gold_calls(question)
        self.id = question.id
        self.is_parallel = "parallel" in category

    def error(self, calls: list[tuple[str, dict[str, Any]]], mode: BfclMode) -> BfclError | None:
        """Return the verdict on calls."""
        made = [WrittenCall(tool, values) for tool, values in calls]
        return verdict(made, self.golds, mode=mode, is_parallel=self.is_parallel)

    def changed(self, at: int, values: dict[str, Any], tool: str = "") -> list[tuple[str, dict[str, Any]]]:
        """Return the right calls with other arguments (or another tool) in one of them."""
        return [(tool or name, values) if n == at else (name, old) for n, (name, old) in enumerate(self.calls)]


@pytest.fixture(scope="module")
def rights(shared_data: Path) -> list[Right]:
    """Every question that has a right answer in both modes."""
    found = [Right(question, name) for name in ANSWERED for question in read_category(shared_data, name)]
    answerable = [one for one in found if one.id not in UNANSWERABLE | AGAINST_THEIR_DOCUMENTS]
    assert answerable
    return answerable


@pytest.mark.parametrize("mode", MODES)
def test_right_answers_are_right_in_both_modes(rights: list[Right], mode: BfclMode) -> None:
    """Gold answers are right in `strict` too, but for those that break their own documents."""
    assert [one.id for one in rights if one.error(one.calls, mode)] == []
    assert len(rights) == 1298 - len(UNANSWERABLE | AGAINST_THEIR_DOCUMENTS)


def spoilt(right: Right, chance: random.Random) -> Iterator[tuple[str, list[tuple[str, dict[str, Any]]]]]:
    """Yield changes that make right calls wrong, each with its kind."""
    at = chance.randrange(len(right.calls))
    tool, values = right.calls[at]
    gold = right.golds[at]
    yield "surplus call", [*right.calls, right.calls[at]]
    yield "missing call", right.calls[:at] + right.calls[at + 1 :]
    yield "wrong tool", right.changed(at, values, tool + "_")
    yield "surplus argument", right.changed(at, values | {"no_such": 1})
    for name, value in values.items():
        accepted = gold.accepted[name]
        if "" not in accepted:
            yield "missing argument", right.changed(at, {key: one for key, one in values.items() if key != name})
        yield "wrong type", right.changed(at, values | {name: {"no": ["such"]}})
        yield "wrong value", right.changed(at, values | {name: other_than(value)})
        if isinstance(value, list) and value != value[::-1] and value[::-1] not in accepted:
            yield "wrong order", right.changed(at, values | {name: value[::-1]})


def other_than(value: Any) -> Any:
    """Return a value of the same type that is no spelling of it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value * 3 + 10_007
    if isinstance(value, str):
        return value + "qq7"
    return [*value, value[0] if value else 1] if isinstance(value, list) else {"no_such": 1}


@pytest.mark.parametrize("mode", MODES)
def test_spoilt_answers_are_wrong(rights: list[Right], mode: BfclMode) -> None:
    """Missing, surplus, mistyped, wrong, reordered: each change of each question flips the verdict, and is counted."""
    chance = random.Random(3)
    kinds: dict[str, int] = {}
    for right in rights:
        for kind, calls in spoilt(right, chance):
            if kind == "wrong value" and right.error(calls, mode) is None:
                assert accepts_both_booleans(right), (right.id, calls)
                continue
            assert right.error(calls, mode), (right.id, kind, calls)
            kinds[kind] = kinds.get(kind, 0) + 1

    assert min(kinds.values()) > 50
    assert len(kinds) == 8


def accepts_both_booleans(right: Right) -> bool:
    """Return whether an answer leaves a yes-or-no open."""
    return any({True, False} <= {v for v in a if isinstance(v, bool)} for g in right.golds for a in g.accepted.values())


def test_the_order_of_calls_and_arguments_is_free(rights: list[Right]) -> None:
    """Reversed calls and arguments stay right; in `official` only where no call is right for two gold calls."""
    for right in rights:
        calls = [(tool, dict(reversed(values.items()))) for tool, values in right.calls[::-1]]
        assert right.error(calls, "strict") is None
        assert right.error(calls, "official") is None or _interchangeable(right)


@pytest.mark.parametrize("mode", MODES)
def test_a_call_in_place_of_another_is_wrong(rights: list[Right], mode: BfclMode) -> None:
    """One right call twice does not stand for two different ones."""
    doubled = [one for one in rights if len(one.calls) > 1 and not _interchangeable(one)]
    for right in doubled:
        assert right.error([right.calls[0], *right.calls[:-1]], mode) in ("cannot_find_match", "wrong_count")

    assert len(doubled) > 300


def _interchangeable(right: Right) -> bool:
    """Return whether some call is right for two gold calls."""
    made = [WrittenCall(tool, values) for tool, values in right.calls]
    return any(sum(official_error(call, gold) is None for gold in right.golds) > 1 for call in made)
