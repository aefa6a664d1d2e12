"""Python literals from outside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.errors import BadDocument
from callwright.lang.literal_reading import MOST_CHARACTERS, read_literal
from callwright.records.jsontext import encode

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10)


@given(value=VALUES)
def test_what_python_writes_is_read(value: object) -> None:
    """The repr of a JSON value is that value again."""
    assert encode(read_literal(repr(value), where="x")) == encode(value)


@pytest.mark.parametrize(("text", "value"), [("(1, 'a')", [1, "a"]), (" [ ] ", []), ("{\"a\": 'b'}", {"a": "b"})])
def test_forms(text: str, value: object) -> None:
    """Tuples are lists, and both kinds of quotes are read."""
    assert read_literal(text, where="x") == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "{'a': open('x')}",
        "[" * 60 + "]" * 60,
        "[" * 100_000,
        "-" * 100_000 + "1",
        "1" + "+1" * 100_000,
        "[1 for x in y]",
        "{1: 2}",
        "{1, 2}",
        "b'x'",
        "f'{x}'",
        "nan",
        "1e999",
        "9" * 5_000,
        "'a",
        "",
        "1j",
        "lambda: 1",
        "a" * (MOST_CHARACTERS + 1),
    ],
)
def test_hostile_text_is_an_error(text: str) -> None:
    """What is no literal, or is too large or too deep, is an error that names its place."""
    with pytest.raises(BadDocument, match=r"^here: "):
        encode(read_literal(text, where="here"))
