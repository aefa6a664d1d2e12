"""What a description says of a default is taken out of it in linear time."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.schemas import example_values, without_default

_SLOW = re.compile(r"[^.;]*\bdefault[^.;]*'[^']*'|\bprefix '[^']*'", re.IGNORECASE)

_PIECES = st.sampled_from(["default", "Default", "prefix '", "prefix ", "'", "' ", "a", " ", ".", ";", "x'"])


@given(st.lists(_PIECES, max_size=24).map("".join))
def test_the_default_is_taken_out_as_one_expression_would(described: str) -> None:
    """The text left over is the one that the slow expression leaves."""
    assert without_default(described) == _SLOW.sub("", described)


def test_the_next_word_of_a_sentence_is_no_example() -> None:
    """Examples in a row end with `and`, `or`, or where the sentence does."""
    for text, found in {
        "A name (FQDN), such as www.example.com, that you own": [],
        "A code such as EUR, USD, or GBP that you use": ["EUR", "USD", "GBP"],
        "A currency (e.g. EUR, USD).": ["EUR", "USD"],
        "A colour, for example, red, green, etc.": ["red", "green"],
        "A letter like a, b and c for short": ["a", "b", "c"],
    }.items():
        assert example_values({"type": "string", "description": text}) == found
