"""Days as descriptions say that they are written: `YYYY/MM/DD`, `DD.MM.YYYY`, or `MM-DD` without a year."""

from __future__ import annotations

import re

_LETTERS = re.compile(
    r"(?<![\w/.-])(?:yyyy([/.-])(?:mm?\1dd?|dd?\1mm?)|(?:mm?[/.-]dd?|dd?[/.-]mm?)[/.-]yy(?:yy)?|"
    r"mm[/.-]dd|dd[/.-]mm)\.?(?![\w/-]|\.\w)"
)
"""Single letters, `d/m/yyyy`, only with a year: an `M.D.` is a doctor."""
_PARTS = {"y": "%Y", "m": "%m", "d": "%d"}
_MONTH_DAY = re.compile(r"(\d\d)([/.-])(\d\d)")


def day_layout(described: str) -> str | None:
    """Return the pattern of `strftime` of the first day that a description in lower case writes in letters.

    >>> day_layout("day in mm-dd format (e.g. '03-10')"), day_layout("dd.mm.yyyy")
    ('%m-%d', '%d.%m.%Y')
    """
    found = _LETTERS.search(described)
    if found is None:
        return None
    letters = found[0].rstrip(".")
    return re.sub(r"y{2,4}|m{1,2}|d{1,2}", lambda run: _PARTS[run[0][0]], letters)


def month_and_day(value: str) -> tuple[int, int] | None:
    """Return the month and the day of a day without a year: a dot comes after the day, else the month is first.

    >>> month_and_day("09-15"), month_and_day("15/09"), month_and_day("05.11")
    ((9, 15), (9, 15), (11, 5))
    """
    found = _MONTH_DAY.fullmatch(value)
    if found is None:
        return None
    first, second = int(found[1]), int(found[3])
    month, day = (second, first) if found[2] == "." or first > 12 else (first, second)
    return (month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None
