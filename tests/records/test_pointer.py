"""JSON pointers: the examples of RFC 6901, every place of a document, and what leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.records.pointer import follow, resolve

RFC_6901: dict[str, Any] = {
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, 'k"l': 6, " ": 7, "m~n": 8,
}  # fmt: skip

KEYS = st.text(st.sampled_from("ab/~01-"), max_size=4)
DOCUMENTS = st.recursive(
    st.integers(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC_6901), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3),
        ("/g|h", 4), ("/i\\j", 5), ('/k"l', 6), ("/ ", 7), ("/m~0n", 8),
    ],
)  # fmt: skip
def test_examples_of_the_rfc(pointer: str, value: Any) -> None:
    """The document of section 5 has at each pointer what the RFC says."""
    assert follow(RFC_6901, pointer) == resolve(RFC_6901, pointer) == value


def places(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every place of a document with its pointer, written by the RFC's rule of escapes."""
    yield pointer, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        escaped = "".join({"~": "~0", "/": "~1"}.get(char, char) for char in str(key))
        yield from places(inner, f"{pointer}/{escaped}")


@given(DOCUMENTS)
def test_every_place_is_found(document: Any) -> None:
    """Whatever the keys, the pointer to a place leads to the value that stands there."""
    found = list(places(document))
    assert found
    for pointer, value in found:
        assert follow(document, pointer) is value


@pytest.mark.parametrize(
    "pointer",
    [
        "/no", "/foo/2", "/foo/-", "/foo/-1", "/foo/01", "/foo/²", "/foo/٠", f"/foo/{'9' * 5000}", "/foo/0/0",
        "foo", "#/foo",
    ],
)  # fmt: skip
def test_what_leads_nowhere(pointer: str) -> None:
    """Unknown keys, places beyond a list, numbers written otherwise and pointers without a slash lead nowhere."""
    assert resolve(RFC_6901, pointer) is None
    with pytest.raises(LookupError):
        follow(RFC_6901, pointer)
