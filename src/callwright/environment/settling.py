"""What agrees within one result: days in their order, counts with their lists, one currency, mail with its name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, timedelta

from callwright.environment.echoes import Edit
from callwright.environment.tool_target import WRAPPERS
from callwright.lang.schemas import name_words
from callwright.records.jsontext import Json

_BEGINS = frozenset(
    "created create creation added joined registered opened entered submitted uploaded started inserted issued".split()
)
_FOLLOWS = frozenset(
    "updated update modified changed edited last completed closed finished resolved paid deleted trashed sent".split()
)
_AHEAD = frozenset(
    "due deadline expires expire expiry expiration expected estimated delivery arrival ends renewal next scheduled "
    "purged".split()
)
_COUNTS = frozenset("total count size length".split())
_PAGES = (("page",), ("page", "number"), ("page", "count"), ("pages",), ("total", "pages"))
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:T.{2,20})?")
_MAX_DEPTH = 8


def settled(value: Json, today: date, depth: int = 0) -> Iterator[Edit]:
    """Yield what makes a drawn result agree with itself, and with the day on which it is read."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from settled(item, today, depth + 1)
    elif isinstance(value, dict):
        yield from _in_order(value, today)
        yield from _named_mail(value)
        if not depth:
            yield from _one_currency(value)
        for field in value.values():
            yield from settled(field, today, depth + 1)


def _in_order(fields: dict[str, Json], today: date) -> Iterator[Edit]:
    """Days of what has happened lie before today, what was created before what was changed; what is due lies ahead."""
    days = {name: text for name, text in fields.items() if isinstance(text, str) and _DAY.fullmatch(text)}
    past: dict[str, str] = {}
    begun: set[str] = set()
    for name, text in days.items():
        words = frozenset(name_words(name))
        is_ahead = not words.isdisjoint(_AHEAD)
        if not is_ahead and words.isdisjoint(_BEGINS | _FOLLOWS):
            continue
        moved = _mirrored(text, today, ahead=is_ahead)
        if is_ahead:
            yield Edit(fields, name, moved)
        else:
            past[name] = moved
            if not words.isdisjoint(_BEGINS) and words.isdisjoint(_FOLLOWS):
                begun.add(name)
    names = sorted(past, key=lambda name: name not in begun)
    if len({len(text) for text in past.values()}) == 1:
        yield from (Edit(fields, name, text) for name, text in zip(names, sorted(past.values()), strict=True))
    else:
        yield from (Edit(fields, name, text) for name, text in past.items())


def _mirrored(text: str, today: date, *, ahead: bool) -> str:
    """The same moment on the other side of today where it lies on the wrong one."""
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return text
    away = abs(day - today) or timedelta(days=1 if len(text) > 10 or ahead else 0)
    return (today + away if ahead else today - away).isoformat() + text[10:]


def _named_mail(fields: dict[str, Json]) -> Iterator[Edit]:
    """The address beside a person's name is that person's."""
    name = fields.get("name", fields.get("display_name"))
    if not isinstance(name, str) or not 1 < len(name.split()) < 4:
        return
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    local = ".".join(re.findall(r"[a-z]+", plain))
    for key in ("email", "login", "mail"):
        text = fields.get(key)
        if local and isinstance(text, str) and text.count("@") == 1:
            yield Edit(fields, key, f"{local}@{text.partition('@')[2]}")


def _one_currency(value: Json) -> Iterator[Edit]:
    """All amounts of one result are in the currency of the first."""
    places = [(fields, name) for fields, name in _fields(value, 0) if name_words(name)[:1] == ("currency",)]
    codes = [(fields, name) for fields, name in places if isinstance(fields[name], str) and len(str(fields[name])) == 3]
    for fields, name in codes[1:]:
        yield Edit(fields, name, codes[0][0][codes[0][1]])


def _fields(value: Json, depth: int) -> Iterator[tuple[dict[str, Json], str]]:
    for one in (
        value if isinstance(value, list) else (value,) if isinstance(value, dict) and depth <= _MAX_DEPTH else ()
    ):
        if not isinstance(one, dict):
            continue
        yield from ((one, name) for name in one)
        for field in one.values():
            yield from _fields(field, depth + 1)


def counted(value: Json) -> Iterator[Edit]:
    """Yield the counts of a result that holds one list of things: its length, on one page."""
    if not isinstance(value, dict):
        return
    inner = [field for field in value.values() if isinstance(field, dict)]
    for held in (value, *inner):
        named = {
            name: one for name, one in held.items() if isinstance(one, list) and (not one or isinstance(one[0], dict))
        }
        lists = [one for name, one in named.items() if name.lower() in WRAPPERS] or list(named.values())
        if len(lists) != 1:
            continue
        for fields in (value, *inner):
            yield from _counts(fields, len(lists[0]))
        return


def _counts(fields: dict[str, Json], length: int) -> Iterator[Edit]:
    for name, one in fields.items():
        words = name_words(name)
        if not isinstance(one, int) or isinstance(one, bool) or not words:
            continue
        if words in _PAGES:
            yield Edit(fields, name, 1)
        elif (words[-1] in _COUNTS and "page" not in words) or words in (("total",), ("total", "results")):
            yield Edit(fields, name, length)
