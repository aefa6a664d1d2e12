"""Calls in replies that are no JSON: whatever the form, the arguments are the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.loose_calls import loose_calls
from callwright.records.jsontext import Json, decode

KEYS = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
LEAVES = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text("abc XÄ\"'\\,:={}()[]", max_size=12)
ARGUMENTS = st.dictionaries(KEYS, LEAVES | st.lists(LEAVES, max_size=3), max_size=4)
FORMS = {
    "python": lambda values: f"Sure: { ({'name': 'f.g', 'arguments': values})!r}!",
    "keyed": lambda values: json.dumps({"f.g": values}),
    "not closed": lambda values: json.dumps({"name": "f.g", "arguments": values}).rstrip("}"),
    "trailing comma": lambda values: json.dumps({"name": "f.g", "arguments": values})[:-1] + ",}",
    "text in text": lambda values: repr({"tool": "f.g", "parameters": json.dumps(values)}),
    "keywords": lambda values: f"f.g({', '.join(f'{key}={value!r}' for key, value in values.items())})",
}


@pytest.mark.parametrize("form", FORMS)
@given(values=ARGUMENTS)
def test_each_form_gives_the_same_call(form: str, values: dict[str, Json]) -> None:
    """One call of the name, with the values as they were."""
    (call,) = loose_calls(FORMS[form](values), {"f.g", "other"})
    assert call.tool == "f.g"
    assert decode(call.arguments) == values


@given(st.text("fg(){}[]:='\",\\ u0d8", max_size=200))
def test_any_text_is_read_to_an_end(text: str) -> None:
    """No error, and no call of another name."""
    found = loose_calls(text, {"f", "g"})
    assert all(call.tool in ("f", "g") and isinstance(decode(call.arguments), dict) for call in found)
    assert len(loose_calls(f"f() {text}", {"f", "g"})) >= 1


@pytest.mark.parametrize(
    "text", ["I would call f now.", "f(the city)", '{"name": "h", "arguments": {}}', "h(a=1)", "{" * 50]
)
def test_prose_and_other_names_are_no_calls(text: str) -> None:
    """A function that is only spoken of is not called."""
    assert loose_calls(text, {"f"}) == ()
