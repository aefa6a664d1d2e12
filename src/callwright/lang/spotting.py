"""Finds given words in a text, at token boundaries and not as parts of other words.

`well-known` does not contain `known`, `report.pdf` does not contain `report`, and `all` in `is that all there is` is
not a choice of `all`: short and common words count only if a choice is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import NamedTuple

from callwright.lang.kinds import Kind
from callwright.records.jsontext import Json


class Found(NamedTuple):
    """A value read from a text, and its half-open span."""

    value: Json
    start: int
    end: int


Reader = Callable[[str, dict[str, Json], date | None], Iterable[Found]]
"""Reads from a text, by a schema without alternatives, on a day or None."""


_FUNCTION_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        "a all am an and any as at be both but by can cad default do few first for from get go he hi high i if in is "
        "it its last low may me mid more most my new no none not now of off ok old on one only open or other our out "
        "own same self set she so some that the then there this to too top try up us was we what who will with yes you",
    )
)
_CUE = re.compile(
    r"(?:^|[.,:;!?(\"'=–—-]\s*|\b(?:is|it's|be|as|to|it|choose|pick|use|say|says|set|option|type|make|mark|marked|want|need|"
    r"with|plan|level|class|size|grade|status|priority|format|mode|version|called|just|take|prefer|in|for|a|an|the|and|or|plus)\s+)$",
    re.IGNORECASE,
)
_RELEASE = re.compile(
    r"(?:$|\s*[.,:;!?)\"'–—]|\s+(?:please|pls|thanks|for now|priority|status|level|plan|mode|one|option|and|or"
    r"|then|is fine)\b)",
    re.IGNORECASE,
)
_JOINERS = "-.@_/"


def is_spotted(text: str, lowered: str, form: str, kind: Kind) -> bool:
    """Return whether `form` is in the text as a separate word; `lowered` is the text in lower case."""
    return next(spots(text, lowered, form, kind), None) is not None


def spots(text: str, lowered: str, form: str, kind: Kind) -> Iterator[int]:
    """Yield the positions of `form` in the text, ignoring case unless case makes it another word."""
    small = form.lower()
    start = lowered.find(small) if small.strip() else -1
    if start < 0:
        return
    is_word = small in _FUNCTION_WORDS or len(form) == 1
    is_short_code = kind in ("code", "country", "language", "currency") and len(form) <= 2
    case_counts = is_short_code or (is_word and form.isupper())
    is_free = not is_word or (form.isupper() and small not in ("a", "i") and not text.isupper())
    while start >= 0:
        end = start + len(form)
        is_itself = _stands_alone(lowered, start, end) and (not case_counts or text[start:end] == form)
        if is_itself and (is_free or _is_choice(text, start, end)):
            yield start
        start = lowered.find(small, start + 1)


def _is_choice(text: str, start: int, end: int) -> bool:
    return bool(_CUE.search(text, max(0, start - 12), start)) and bool(_RELEASE.match(text, end))


def _stands_alone(text: str, start: int, end: int) -> bool:
    if start:
        before = text[start - 1]
        if text[start].isalnum() and (before.isalnum() or before == "_"):
            return False
        if before in _JOINERS and start > 1 and text[start - 2].isalnum():
            return False
    if end < len(text):
        after = text[end]
        if text[end - 1].isalnum() and (after.isalnum() or after == "_"):
            return False
        if after in _JOINERS and end + 1 < len(text) and text[end + 1].isalnum():
            return False
    return True


def has_word(text: str, word: str) -> bool:
    """Whether the text has `word` where a word begins and ends, as the pattern `\\bword\\b` finds it, case included.

    >>> has_word("order 12 of 5", "12"), has_word("order 120", "12")
    (True, False)
    """
    start = text.find(word)
    while start >= 0:
        if _is_border(text, start) and _is_border(text, start + len(word)):
            return True
        start = text.find(word, start + 1)
    return False


def _is_border(text: str, at: int) -> bool:
    before, after = text[at - 1 : at] if at else "", text[at : at + 1]
    return (before.isalnum() or before == "_") != (after.isalnum() or after == "_")


def without_inner(found: list[Found]) -> list[Found]:
    """Return finds without those inside a longer one: `semi annual` contains `annual`."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: (f.start - f.end, f.start)):
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return kept
