"""JSON text that was cut off."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from callwright.formats.toolbench import closed

_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@given(_values)
@example({"a": ["b"]})
def test_whole_text_stays(value: Any) -> None:
    """What was not cut is not changed, but for a bare word, which may have gone on."""
    text = json.dumps(value)
    if text[0] in '"[{':
        assert closed(text) == text


def is_beginning(cut: Any, whole: Any) -> bool:
    """Whether a value holds nothing but what the whole one begins with."""
    if isinstance(cut, dict) and isinstance(whole, dict):
        return all(name in whole and is_beginning(value, whole[name]) for name, value in cut.items())
    if isinstance(cut, list) and isinstance(whole, list):
        return len(cut) <= len(whole) and all(map(is_beginning, cut, whole))
    return bool(cut == whole)


@given(st.data(), _values)
def test_any_cut_gives_a_beginning(data: Any, value: Any) -> None:
    """Wherever an object or array is cut, the result is JSON, and holds nothing that the whole does not."""
    text = json.dumps([value])
    cut = text[: data.draw(st.integers(1, len(text)))]
    assert is_beginning(json.loads(closed(cut)), [value])


@pytest.mark.parametrize("text", ["", "  ", '"a', ",", "]", "}{", "[" * 100_000, '"' * 100_000, "{" + '"a":{' * 50_000])
def test_other_texts(text: str) -> None:
    """What is no beginning of JSON comes out in bounded time too."""
    assert isinstance(closed(text), str)
