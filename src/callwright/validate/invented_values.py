"""Values in a text that stand in none of the texts it may draw on: codes, and numbers of some size."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_CODE: Final = re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])\w+(?:-\w+)*(?![\w-])")
"""A word of letters and digits, such as `PRJ-928`."""
_NUMBER: Final = re.compile(r"(?<![\w.,-])\d{1,3}(?:,\d{3})++(?:\.\d++)?|(?<![\w.,-])\d++(?:\.\d++)?")
_SPOKEN: Final = re.compile(
    r"\d+(?:st|nd|rd|th|am|pm|s|k|m|h|x|GB|MB|KB|TB)?|\d+(?:-[a-z]+)+", re.IGNORECASE | re.ASCII
)
"""Ordinals, hours and amounts with their unit are numbers, not codes; so is the one in `a 3-day trip`."""
_SMALL: Final = 31
"""Days, hours and small counts are said without being looked up."""


def invented_values(text: str, known: Iterable[str]) -> list[str]:
    """Return the codes and large numbers of a text that are in none of the texts.

    A number also counts as known as a hundredfold, as shares are said in percent.

    >>> invented_values("Project PRJ-929 costs 1,250 now", ["PRJ-928 costs 1250"])
    ['PRJ-929']
    """
    heard = "\n".join(known)
    small = heard.casefold()
    written = (heard, heard.replace(",", ""))  # a comma parts numbers, or thousands
    numbers = {float(one) for plain in written for one in re.findall(r"\d++(?:\.\d++)?", plain)}
    numbers |= {round(100 * one, 6) for one in numbers}
    codes = (one for one in _CODE.findall(text) if not _SPOKEN.fullmatch(one))
    found = [one for one in codes if one.casefold() not in small]
    said = ((one, float(one.replace(",", ""))) for one in _NUMBER.findall(text))
    return found + [one for one, number in said if number > _SMALL and number not in numbers]
