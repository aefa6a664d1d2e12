"""Days, hours and months as descriptions say that they are written: `DD.MM.YYYY`, `MM-DD`, `YYYYMMDDHH`, `MM/YYYY`."""

from __future__ import annotations

import re

_LETTERS = re.compile(
    r"(?<![\w/.-])(?:yyyy([/.-])(?:mm?\1dd?|dd?\1mm?)|(?:mm?[/.-]dd?|dd?[/.-]mm?)[/.-]yy(?:yy)?|"
    r"mm[/.-]dd|dd[/.-]mm)\.?(?![\w/-]|\.\w)"
)
"""Single letters, `d/m/yyyy`, only with a year: an `M.D.` is a doctor."""
_RUN = re.compile(r"(?<![\w/.-])(?:yyyymmdd|ddmmyyyy)(?:[t_ -]?hh(?::?mm(?::?ss)?)?)?z?(?![\w/-]|\.\w)")
_MONTH = re.compile(r"(?<![\w/.-])(?:mm[/.-]yyyy|yyyy[/.]?mm)(?![\w/-]|\.\w)")
_SHORT_MONTH = re.compile(r"(?<![\w/.-])mm/?yy(?![\w/-]|\.\w)")
_PARTS = {"y": "%Y", "m": "%m", "d": "%d", "h": "%H", "s": "%S"}
_MONTH_DAY = re.compile(r"(\d\d)([/.-])(\d\d)")


def day_layout(described: str) -> str | None:
    """Return the pattern of `strftime` of the first day that a description in lower case writes in letters.

    >>> day_layout("day in mm-dd format (e.g. '03-10')"), day_layout("dd.mm.yyyy")
    ('%m-%d', '%d.%m.%Y')
    """
    found = _LETTERS.search(described)
    if found is None:
        return None
    return _with_parts(found[0].rstrip("."))


def run_layout(described: str) -> str | None:
    """Return the pattern of `strftime` of a day with its hour whose letters stand in a row; None without one.

    >>> run_layout("slot in the form yyyymmddhh"), run_layout("ddmmyyyy"), run_layout("yyyymmdd_hhmm")
    ('%Y%m%d%H', '%d%m%Y', '%Y%m%d_%H%M')
    """
    found = _RUN.search(described)
    return _with_parts(found[0].replace("hhmm", "hh%M").replace("hh:mm", "hh:%M")) if found else None


def month_layout(described: str) -> str | None:
    """Return the pattern of `strftime` of a month with its year, as a description writes it: `%m/%Y` of `mm/yyyy`."""
    found = _MONTH.search(described)
    return _with_parts(found[0]) if found else None


def short_month_layout(described: str) -> str | None:
    """Return the pattern of `strftime` of a month with two digits of its year, as cards have it: `%m/%y` of `mm/yy`."""
    found = _SHORT_MONTH.search(described)
    return found[0].replace("mm", "%m").replace("yy", "%y") if found else None


def run_form(text: str) -> str:
    """Return the letters of a day in a row, as a text writes them: `YYYYMMDDHH`; empty without any."""
    found = _RUN.search(text.lower())
    return text[found.start() : found.end()] if found else ""


def _with_parts(letters: str) -> str:
    return re.sub(r"%M|y{2,4}|m{1,2}|d{1,2}|hh|ss|t|z", lambda run: _PARTS.get(run[0][0], run[0].upper()), letters)


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
