"""The safe subset of regular expressions."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.patterns import draw_from, is_match, parse_pattern

PATTERNS = [
    r"^PO-[0-9]{5}$",
    r"^[A-Z]{2}\d{6,10}$",
    r"^(?:LR|TR)-\d+$",
    r"(?s)[a-z].+",
    r"[a-z_]+\.(pdf|docx?)",
    r"^\+?\d{7,15}$",
    r"^[^\s@]+@[a-z]+\.com$",
    r"^[A-Z]{1}[a-z]*?$",
    r"^[\w-]{3,8}$",
    r"^arn:[\S]+:[\D0]{2}$",
    r"^[^\S]?[\S ]{1,4}[^\W\d]$",
    r"[\W\D]+[\s\S]",
]


@pytest.mark.parametrize("pattern", PATTERNS)
@given(seed=st.integers(0, 10_000))
def test_what_is_drawn_matches(pattern: str, seed: int) -> None:
    """Drawn texts match for Python's matcher and for ours."""
    parsed = parse_pattern(pattern)
    assert parsed is not None
    drawn = draw_from(parsed, Random(seed))

    assert re.fullmatch(pattern, drawn)
    assert is_match(parsed, drawn)


@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=st.text("PO-LRTAZaz019_.+@comdfx ", max_size=14))
def test_matching_agrees_with_python(pattern: str, text: str) -> None:
    """The linear matcher says what the backtracking one says."""
    parsed = parse_pattern(pattern)
    assert parsed is not None

    assert bool(re.fullmatch(pattern, text)) == is_match(parsed, text)


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "((a*)*)*b", "[a-", "(a", "a{999}", "*a", "x" * 400, r"\p{L}"])
def test_dangerous_and_broken_patterns_are_refused(pattern: str) -> None:
    """Look-around, references, deep repeats and broken syntax give None, not an error."""
    assert parse_pattern(pattern) is None


def test_texts_of_patterns_are_plain() -> None:
    """Of a class with letters only these are drawn, and most optional groups are left out."""
    pattern = parse_pattern(r"arn:[\w+=/,.@-]+(-[\w]+)*:[0-9]{12}")
    assert pattern is not None
    texts = [draw_from(pattern, Random(seed)) for seed in range(50)]
    assert all(text.replace(":", "").replace("-", "").isalnum() for text in texts)
    assert 25 < sum("-" not in text for text in texts) < 50
