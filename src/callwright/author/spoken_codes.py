"""Codes and addresses as people speak and type them: `lea dot brandt at northwind dot example`, `MO 2041`."""

from __future__ import annotations

import re
from typing import Final

from callwright.lang.kinds import Kind
from callwright.records.jsontext import Json

_SPOKEN: Final = (
    (re.compile(r"\s*(?:\(at\)|\[at\]|\bat\b)\s*", re.IGNORECASE), "@"),
    (re.compile(r"\s*(?:\(dot\)|\[dot\]|\bdot\b|\bpoint\b)\s*", re.IGNORECASE), "."),
    (re.compile(r"\s*\b(?:underscore)\b\s*", re.IGNORECASE), "_"),
    (re.compile(r"\s*\b(?:hyphen|dash|minus)\b\s*", re.IGNORECASE), "-"),
    (re.compile(r"\s*\b(?:slash)\b\s*", re.IGNORECASE), "/"),
    (re.compile(r"\s*\bplus\b\s*", re.IGNORECASE), "+"),
)
_PARTS: Final = re.compile(r"[a-z]+|\d+")
_FEWEST: Final = 4
"""Characters of a code that is found with blanks in it."""
_OF_A_PHONE: Final = 7
"""Last digits by which a phone number is known, without the code of its country."""


def as_written(text: str) -> str:
    """Return a text with what is spoken of addresses and codes as it is written.

    >>> as_written("lea dot brandt at northwind dot example")
    'lea.brandt@northwind.example'
    """
    for spoken, written in _SPOKEN:
        text = spoken.sub(written, text)
    return text


def is_spoken(text: str, value: Json, kind: Kind) -> bool:
    """Return whether a text says a code, address or phone number in another spelling than its own."""
    if not isinstance(value, str) or not value:
        return False
    if kind in ("email", "url"):
        bare = value.lower().removeprefix("https://").removeprefix("http://").rstrip("/")
        return bare in text.lower() or bare in as_written(text).lower()
    if kind == "phone":
        digits = re.sub(r"\D", "", value)
        said = re.sub(r"\D", "", as_written(text))
        return len(digits) >= _OF_A_PHONE and (digits in said or digits[-_OF_A_PHONE - 2 :] in said)
    return kind == "code" and _is_spaced_code(text, value)


def _is_spaced_code(text: str, value: str) -> bool:
    parts = _PARTS.findall(value.lower())
    if sum(map(len, parts)) < _FEWEST or not any(map(str.isdigit, value)):
        return False
    if len(parts) == 1:  # digits alone may be grouped
        parts = list(parts[0]) if len(parts[0]) > _FEWEST else parts
    spaced = r"[\s/.,–-]{0,3}".join(map(re.escape, parts))
    return any(re.search(rf"(?<!\w){spaced}(?!\w)", one) for one in (text.lower(), as_written(text).lower()))
