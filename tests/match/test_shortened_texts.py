"""Texts of a call in the user's own words, longer or shorter than the gold ones."""

from __future__ import annotations

import pytest

from callwright.match.shortened_texts import is_in_own_words
from strong_author import catalogue

SAID = "There's a fallen willow in the water. Just below Hatch Bridge."


@pytest.mark.parametrize(
    ("value", "gold", "parameter", "is_own"),
    [
        ("a fallen willow in the water", "a fallen willow", "obstruction", True),
        ("the fallen willow in the water", "fallen willow", "obstruction", True),
        ("a fallen willow under the bridge", "a fallen willow", "obstruction", False),
        ("a fallen willow", "a fallen oak", "obstruction", False),
        ("a fallen willow in the water", "OB-92", "obstruction", False),
    ],
)
def test_a_phrase_may_be_longer_by_what_was_said_with_it(value: str, gold: str, parameter: str, is_own: bool) -> None:
    """In one run of the user's words that has the gold ones."""
    tool = catalogue("canal_locks").by_name["report_obstruction"]
    assert is_in_own_words(value, gold, parameter, tool, SAID) is is_own
