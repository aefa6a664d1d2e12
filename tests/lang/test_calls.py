"""Calls in Python syntax and native JSON: what is read, what is refused, and within which bounds."""

from __future__ import annotations

import ast
import math
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.errors import BadDocument
from callwright.lang.calls import MAX_LENGTH, MAX_NESTING, WrittenCall, check_bounds, native_calls, read_calls

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "long"))

from fuzz_calls import hostile_json, hostile_text, outcome  # found through the line above


def one(reply: str) -> WrittenCall:
    """Return the only call of a reply."""
    (call,) = read_calls(reply)
    return call


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("-2", -2),
        ("+2", 2),
        ("-2.5", -2.5),
        ("1e3", 1000.0),
        ("0x1F", 31),
        ("True", True),
        ("None", None),
        ("'a, b'", "a, b"),
        ('"it\'s \\"so\\""', 'it\'s "so"'),
        ("'a' 'b'", "ab"),
        ("'''a\nb'''", "a\nb"),
        (r"r'\d'", r"\d"),
        (r"'\d'", r"\d"),
        ("[1, [-2, 'x']]", [1, [-2, "x"]]),
        ("(1, 2)", (1, 2)),
        ("{'a': {'b': [1]}, 'c': -1}", {"a": {"b": [1]}, "c": -1}),
        ("{1: 2, None: 3}", {1: 2, None: 3}),
        ("[]", []),
    ],
)
def test_literals_are_their_values(written: str, value: object) -> None:
    """A literal becomes its value, type and all."""
    found = one(f"f(x={written})").arguments["x"]

    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("today", "today"),
        ("-n", "-n"),
        ("rows[0]", "rows[0]"),
        ("data['sales']", "data['sales']"),
        ("2*n + 1", "2 * n + 1"),
        ("5*60", "5 * 60"),
        ("g(1, k=[2])", "g(1, k=[2])"),
        ("datetime.now()", "datetime.now()"),
        ("...", "..."),
        ("b'x'", "b'x'"),
        ("[a, -b]", ["a", "-b"]),
        ("{'k': v}", {"k": "v"}),
    ],
)
def test_what_is_no_literal_is_its_source_text(written: str, text: object) -> None:
    """Names, elements, arithmetic and calls are never evaluated: they stand as text."""
    assert one(f"f(x={written})").arguments["x"] == text


@pytest.mark.parametrize(
    "reply",
    [
        "[f(a=1), g.h(b='x')]",
        "f(a=1), g.h(b='x')",
        "  [f(a=1), g.h(b='x')]\n",
        "```\n[f(a=1), g.h(b='x')]\n```",
        "```python\n[f(a=1), g.h(b='x')]\n```",
        "```python\r\nf(a=1), g.h(b='x')\r\n```",
        "`[f(a=1), g.h(b='x')]`",
        "[\n  f(a=1),\n  g.h(\n    b='x',\n  ),\n]",
        "[f(a=1), g.h(b='x')",
        "f(a=1), g.h(b='x')]",
        "[f(a=1),  # the first\n g.h(b='x')]",
    ],
)
def test_what_surrounds_the_list_is_forgiven(reply: str) -> None:
    """Fences, blanks, line breaks and a missing outer bracket change nothing."""
    assert read_calls(reply) == (WrittenCall("f", {"a": 1}), WrittenCall("g.h", {"b": "x"}))


@pytest.mark.parametrize("reply", ["", "  \n", "[]", "```\n[]\n```"])
def test_an_empty_reply_makes_no_calls(reply: str) -> None:
    """Nothing and an empty list are no format errors: they make no call."""
    assert read_calls(reply) == ()


def test_arguments_without_a_name_are_kept_apart() -> None:
    """Positional arguments stand beside those with names."""
    assert one("f(1, 'a', b=2)") == WrittenCall("f", {"b": 2}, (1, "a"))


def test_the_last_of_two_equal_names_wins() -> None:
    """A name that is given twice has its last value, as in the leaderboard's decoding."""
    assert one("f(a=1, a=2)").arguments == {"a": 2}


@pytest.mark.parametrize(
    "reply",
    [
        "Sure! [f(a=1)]",
        "[f(a=1)] is what you need.",
        "I can't do that",
        "The answer is 4.",
        "None",
        "[1]",
        "['f(a=1)']",
        "[[f(a=1)]]",
        "[f(a=1)][0]",
        "f(a=1) g(b=2)",
        "f(a=1)\ng(b=2)",
        "f(a=)",
        "x = f(a=1)",
        "import os",
        '[{"f": {"a": 1}}]',
        "<f>1</f>",
    ],
)
def test_other_text_is_a_format_error(reply: str) -> None:
    """Prose, prose around the list, and other syntax are refused."""
    with pytest.raises(BadDocument):
        read_calls(reply)


HOSTILE = {
    "import": "__import__('os').system('x')",
    "import called": "__import__('os')",
    "import as value": "f(x=__import__('os'))",
    "dunder in text": "f(x=g(__builtins__))",
    "attribute chain": "f(x=().__class__.__bases__[0].__subclasses__())",
    "attribute": "f(x=a.b)",
    "attribute in an expression": "f(x=1 + a.b)",
    "called call": "f()(x=1)",
    "list comprehension": "f(x=[i for i in range(9)])",
    "generator": "f(x=g(i for i in range(9)))",
    "lambda": "f(x=lambda a: a)",
    "lambdas with commas": "f(x=" + "lambda a, b: " * 5_000 + "1)",
    "f-string": "f(x=f'{1}')",
    "nested f-string": "f(x=Rf'{((((1))))}')",
    "power": "f(x=9**9**9)",
    "power inside": "f(x=[1 + 9**9])",
    "condition": "f(x=1 if a else 2)",
    "comparison": "f(x=a < b)",
    "assignment": "f(x=(a := 1))",
    "starred": "f(*[1])",
    "keywords": "f(**{'a': 1})",
    "keywords in text": "f(x=g(**a))",
    "keywords in a dictionary": "f(x={**a})",
    "set": "f(x={1, 2})",
    "key": "f(x={[1]: 2})",
    "await": "f(x=await g())",
    "1 MB of brackets": "[" * 1_000_000,
    "brackets": "(" * 10_000,
    "braces": "f(x=" + "{" * 90_000,
    "nested calls": "f(x=" * 3_000,
    "minus signs": "f(x=" + "-" * 50_000 + "1)",
    "nots": "f(x=" + "not " * 20_000 + "1)",
    "calls of calls": "f" + "()" * 40_000,
    "attributes": "f(x=a" + ".a" * 40_000 + ")",
    "elements": "f(x=a" + "[0]" * 30_000 + ")",
    "sum": "f(x=1" + "+1" * 40_000 + ")",
    "digits": "f(x=" + "9" * 90_000 + ")",
    "hexadecimal digits": "f(x=0x" + "9" * 90_000 + ")",
    "hexadecimal digits in text": "f(x=a + 0x" + "9" * 90_000 + ")",
    "infinity": "f(x=1e999)",
    "surrogate": "f(x='\ud800')",
    "direction of reading": "f(x='\u202e')",
    "mark of direction": "f(x='\u200f')",
    "null": "f(x='\0')",
    "null name": "f\0(x=1)",
    "open string": "f(x='a)",
    "open long string": 'f(x="""a)',
    "open long strings": "f(x=" + '"""\\' * 20_000 + ")",
    "line after backslash": "f(x=\\",
    "hidden by a comment": "f(x=1, # '\n" + "(" * 60 + "# '\n)",
}


@pytest.mark.parametrize("reply", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_a_format_error(reply: str) -> None:
    """What could run, hide or exhaust something is refused before or just after parsing."""
    with pytest.raises(BadDocument) as caught:
        read_calls(reply)

    assert len(str(caught.value)) < 300


def test_an_escaped_surrogate_is_text() -> None:
    """A lone surrogate written as an escape is a value like any other."""
    assert one(r"f(x='\ud800')").arguments["x"] == "\ud800"


def test_bounds_leave_room_for_real_calls() -> None:
    """Forty levels of lists and a thousand flat items are read."""
    deep = "[" * 40 + "]" * 40
    assert one(f"f(x={deep}, y={list(range(1000))})").arguments["y"] == list(range(1000))


def test_nesting_has_a_limit() -> None:
    """One level more than the limit is refused."""
    check_bounds("(" * MAX_NESTING)
    with pytest.raises(BadDocument, match="too deep"):
        check_bounds("(" * (MAX_NESTING + 1))


def test_length_has_a_limit() -> None:
    """With its brackets, a reply may be as long as the limit, and not a character longer."""
    longest = "a" * (MAX_LENGTH - len("[f(x='')]"))

    assert one(f"f(x='{longest}')").arguments["x"] == longest
    with pytest.raises(BadDocument, match="the limit"):
        read_calls(f"f(x='{longest}a')")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}(\.[A-Za-z][A-Za-z0-9_]{0,5}){0,2}", fullmatch=True).filter(
    lambda name: all(part.isidentifier() and not _is_reserved(part) for part in name.split("."))
)
FORBIDDEN = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _is_reserved(name: str) -> bool:
    try:
        return not isinstance(ast.parse(name, mode="eval").body, ast.Name)
    except SyntaxError:
        return True


@given(
    st.lists(
        st.tuples(NAMES, st.dictionaries(NAMES.filter(lambda name: "." not in name), VALUES, max_size=4)), max_size=4
    )
)
def test_what_python_writes_is_read_back(calls: list[tuple[str, dict[str, Any]]]) -> None:
    """Calls written with `repr` come back equal, whatever their values."""
    written = [f"{tool}({', '.join(f'{name}={value!r}' for name, value in values.items())})" for tool, values in calls]
    text = f"[{', '.join(written)}]"
    if FORBIDDEN & set(text):
        return

    found = read_calls(text)

    assert [(call.tool, call.arguments) for call in found] == calls
    assert repr([call.arguments for call in found]) == repr([values for _, values in calls])


@given(st.text(alphabet=st.sampled_from("fgx=()[]{},.:'\"\\-+*#\n 19ab"), max_size=60))
def test_no_text_does_anything_but_read_or_fail(text: str) -> None:
    """Any text gives calls or a format error."""
    assert outcome(text) in ("read", "refused")


def test_fuzzed_texts_and_json_never_crash() -> None:
    """A short form of `tests/long/fuzz_calls.py`: thousands of mutated texts and JSON values, one outcome each."""
    chance = random.Random(5)
    outcomes = {outcome(hostile_text(chance)) for _ in range(3_000)}
    outcomes |= {outcome(hostile_json(chance)) for _ in range(2_000)}

    assert outcomes == {"read", "refused"}


@pytest.mark.parametrize(
    "calls",
    [
        [{"a_b": '{"x": [1, 2.5], "y": {"z": null}}'}],
        [{"a_b": {"x": [1, 2.5], "y": {"z": None}}}],
    ],
)
def test_native_calls_have_arguments_as_text_or_object(calls: list[Any]) -> None:
    """Both ways of recording arguments are read."""
    assert native_calls(calls) == (WrittenCall("a_b", {"x": [1, 2.5], "y": {"z": None}}),)


@pytest.mark.parametrize(
    "calls",
    [
        None,
        {"f": "{}"},
        7,
        ["f"],
        [{}],
        [{"f": "{}", "g": "{}"}],
        [{"f": ""}],
        [{"f": "[1]"}],
        [{"f": "{'a': 1}"}],
        [{"f": '{"a": NaN}'}],
        [{"f": None}],
        [{"f": "[" * 100_000}],
        [{"f": '{"a": ' + "9" * 5_000 + "}"}],
    ],
)
def test_other_native_layouts_are_format_errors(calls: Any) -> None:
    """Anything but a list of objects with one tool and its argument object is refused."""
    with pytest.raises(BadDocument):
        native_calls(calls)


def test_numbers_beyond_floats_are_refused_in_json() -> None:
    """An infinite number in native arguments is a format error, not infinity."""
    assert outcome([{"f": '{"a": 1e999}'}]) == "refused"
    assert math.isinf(float("1e999"))
