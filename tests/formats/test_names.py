"""Valid and unique names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from callwright.formats.names import VALID_NAME, unique_names, valid_name


@given(st.text(max_size=200))
def test_every_name_becomes_valid(wish: str) -> None:
    """Any text becomes a valid name, and a valid one stays as it is."""
    name = valid_name(wish)
    assert VALID_NAME.fullmatch(name)
    assert valid_name(name) == name
    if VALID_NAME.fullmatch(wish):
        assert name == wish


@given(st.lists(st.sampled_from(["a", "a_2", "b" * 64, "b" * 63, "b" * 62 + "_2"]), max_size=30))
def test_unique_names_never_repeat(wishes: list[str]) -> None:
    """However often names repeat, each result is new and valid, and the first to wish for a name has it."""
    names = unique_names(wishes)
    assert len(set(names)) == len(wishes)
    assert all(VALID_NAME.fullmatch(name) for name in names)
    assert all(names[wishes.index(wish)] == wish for wish in wishes)


def test_many_equal_names() -> None:
    """A hundred thousand equal names are told apart without a search from the start each time."""
    assert unique_names(["x"] * 100_000)[-1] == "x_100000"
