"""Compares strings: equal in a normal form, or nearly equal.

Folded: NFKC, without letter case and blanks. Normal form: also without punctuation, but numbers stay distinct: dropped
characters between two digits leave one space (`1.5` is not `15`), and a minus before a number stays.
Symbols are not punctuation (`C++`, `50%`).

Near: with l the length of the gold string in characters,

    l < 10    2·LCS / (|a| + |b|) over characters  ≥ .8    (edit ratio: insertions and deletions)
    l ≥ 10    2·LCS / (|a| + |b|) over words       ≥ .7    (ROUGE-L, F1)

both on lower-case text; words are those of `lang.tokens`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from callwright.lang.tokens import words

SHORT: Final = 10
"""Gold strings below this length, in characters, are compared by characters."""
EDIT_RATIO: Final = 0.8
ROUGE_L: Final = 0.7

MAX_NEAR: Final = 10_000
"""Longest string, in characters, that may be near another."""

_DROPPED: Final = r"\s.,;:!?'\"’‘“”«»¿¡…()\[\]{}<>/\\|_*^~`‐‑‒–—−-"
_MINUS = re.compile(r"(?<!\d)[−-](?=\d)")
_BETWEEN_DIGITS = re.compile(rf"(?<=\d)[{_DROPPED}]+(?=\d)")
_ELSEWHERE = re.compile(rf"(?<!\d)[{_DROPPED}]+|[{_DROPPED}]+(?!\d)")
_KEPT_MINUS: Final = "\ue000"


def folded(text: str) -> str:
    """Return `text` without letter case and blanks.

    >>> folded("New  York,\\tNY")
    'newyork,ny'
    """
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def normalised(text: str) -> str:
    """Return the normal form of `text`; the text itself if the form is empty.

    >>> normalised("New-York, N.Y."), normalised("1.50 m"), normalised("...")
    ('newyorkny', '1 50m', '...')
    """
    signed = _MINUS.sub(_KEPT_MINUS, unicodedata.normalize("NFKC", text).casefold())
    return _ELSEWHERE.sub("", _BETWEEN_DIGITS.sub(" ", signed)) or text


def near(text: str, gold: str) -> bool:
    """Return whether `text` is nearly equal to `gold`; False for strings longer than `MAX_NEAR`."""
    from rapidfuzz.distance import Indel

    if max(len(text), len(gold)) > MAX_NEAR:
        return False
    if len(gold) < SHORT:
        return Indel.normalized_similarity(text.lower(), gold.lower()) >= EDIT_RATIO
    said, wanted = words(text), words(gold)
    return bool(said) and Indel.normalized_similarity(said, wanted) >= ROUGE_L
