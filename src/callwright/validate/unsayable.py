"""Words that no person would say: identifiers, doubled words, articles that clash."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=16384)
def is_identifier(name: str) -> bool:
    """Whether a name is one that no person would say: joined by signs, or in camel case."""
    return bool(_JOINED.search(name))


_JOINED = re.compile(r"[A-Za-z0-9][_.][A-Za-z0-9]|[a-z][A-Z]")

IDENTIFIERS = re.compile(r"[A-Za-z0-9]+(?:[_\-.][A-Za-z0-9]+)+|[A-Za-z0-9]+")
"""Finds words, and names joined by signs."""
DOUBLED = re.compile(
    r"(?i:\b(the|an?|of|for|to|is|in|on|and|with|it|my|your) \1\b)|"
    r"(?<![\w'\"-])(?!(?:that|had|no|very)\b)([a-z]{2,}) \2(?![\w'-])"
)
"""Names such as Bora Bora are no doubled words, nor is what people do say twice."""
ARTICLE = re.compile(r"(?<![\w.-])([Aa]n?) ([a-z]{3,})\b")
