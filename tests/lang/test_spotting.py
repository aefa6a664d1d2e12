"""Words in texts: where a word begins and ends, as regular expressions see it."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from callwright.lang.spotting import has_word

_LETTERS = st.text("aB1_ -é²٣\n.", max_size=12)


@given(_LETTERS, _LETTERS)
@example("", "")
@example("a a", "")
@example("aaab ab", "ab")
@example("a-b", "-")
def test_a_word_is_found_where_the_pattern_with_borders_finds_it(text: str, word: str) -> None:
    """`has_word` agrees with a search for the word between two `\\b`."""
    assert has_word(text, word) == (re.search(rf"\b{re.escape(word)}\b", text) is not None)
