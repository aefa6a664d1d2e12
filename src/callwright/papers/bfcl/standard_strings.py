"""Strings as BFCL compares them: no case, no spaces, no `,./-_*^`, and `'` as `"`."""

from __future__ import annotations

_DROPPED = dict.fromkeys(map(ord, " ,./-_*^"), "")


def standardised(text: str) -> str:
    """Return `text` in the form in which two spellings of one value are equal.

    >>> standardised("St. John's, N.Y."), standardised("A_b-c*2^d/e")
    ('stjohn"sny', 'abc2de')
    """
    return text.translate(_DROPPED).lower().replace("'", '"')
