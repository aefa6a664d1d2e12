"""Values reduced to what is compared of them.

Normaliser `unicode` keeps letters, marks and digits of every script, and compares numbers by value. `paper` is one that
was published: everything outside `[a-z0-9]` is removed, so that any two texts without Latin letters are equal, and so
are 1.0 and 10.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import Final, Literal

from callwright.records.jsontext import Json, encode

Normaliser = Literal["unicode", "paper"]

_PAPER: Final = re.compile(r"[^a-z0-9]")
_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?", re.ASCII)


def plain(value: Json, normaliser: Normaliser) -> Json:
    """Return a value as it is compared: text, also of numbers and lists; objects with plain names; None as it is.

    >>> plain("São Paulo!", "unicode"), plain("São Paulo!", "paper"), plain([1, "a"], "unicode")
    ('sãopaulo', 'sopaulo', '1a')
    >>> plain("5.0", "unicode"), plain(5.0, "paper")
    ('5', '50')
    """
    if isinstance(value, dict):
        return {str(plain(name, normaliser)): plain(one, normaliser) for name, one in value.items()}
    if value is None:
        return None
    if normaliser == "paper":
        return _PAPER.sub("", str(value).lower())
    text = encode(value) if isinstance(value, list) else repr(value) if isinstance(value, float) else str(value)
    if _NUMBER.fullmatch(text.strip()):
        return f"{Decimal(text.strip()).normalize():f}"
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in folded if unicodedata.category(letter)[0] in "LMN")
