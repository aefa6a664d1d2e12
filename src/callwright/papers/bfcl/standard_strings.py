"""String comparison of BFCL: ignores case, spaces and `,./-_*^`, and reads `'` as `"`."""

from __future__ import annotations

_DROPPED = dict.fromkeys(map(ord, " ,./-_*^"), "")


def standardised(text: str) -> str:
    """Return `text` in a normal form: equal spellings of one value give the same text.

    >>> standardised("St. John's, N.Y."), standardised("A_b-c*2^d/e")
    ('stjohn"sny', 'abc2de')
    """
    return text.translate(_DROPPED).lower().replace("'", '"')
