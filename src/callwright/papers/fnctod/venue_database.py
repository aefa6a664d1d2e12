"""MultiWOZ's database of venues and trains, queried as the standard evaluation queries it.

Per domain, column and value the rows that match are found once, as bits of a number; a query joins them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from callwright.errors import BadInput
from callwright.formats import document
from callwright.papers.fnctod.canonical_values import (
    UNCONSTRAINED,
    Scalar,
    canonical_slot,
    canonical_time,
    canonical_value,
    minutes_of,
    tables,
)
from callwright.records.jsontext import Json

VENUES: Final = ("restaurant", "hotel", "attraction", "train")
"""Domains with a table."""

ANYTHING: Final = "?"
"""A cell that matches every constraint."""

_FUZZY: Final = {
    "restaurant": ("name", "food"),
    "hotel": ("name",),
    "attraction": ("name",),
    "train": ("departure", "destination"),
}
_LEAST_RATIO: Final = 90
_LEAST_SHARE: Final = 0.8
"""Share of the shorter text's characters that two texts have in common, at least, where their ratio is 90 or more."""


class VenueTable(NamedTuple):
    """The rows of one domain."""

    ids: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    """Canonical values by column, one a row; all rows have all columns."""


class VenueDatabase:
    """All tables; answers are remembered."""

    def __init__(self, found: Mapping[str, VenueTable]) -> None:
        self.tables = found
        self._rows: dict[tuple[str, str, Scalar], int] = {}
        self._answers: dict[tuple[str, int], frozenset[str]] = {}

    def query(self, domain: str, constraints: Mapping[str, Scalar]) -> frozenset[str]:
        """Return the ids of the rows that meet all constraints whose key is a column; none for another domain."""
        table = self.tables.get(domain)
        if table is None:
            return frozenset()
        rows = (1 << len(table.ids)) - 1
        for key, value in constraints.items():
            if key in table.columns and value is not None and value not in UNCONSTRAINED:
                rows &= self._matching(domain, key, value)
        if (domain, rows) not in self._answers:
            ids = (id_ for id_, bit in zip(table.ids, reversed(f"{rows:b}"), strict=False) if bit == "1")
            self._answers[domain, rows] = frozenset(ids)
        return self._answers[domain, rows]

    def _matching(self, domain: str, key: str, value: Scalar) -> int:
        """Return the rows with this value, the first row as the lowest bit."""
        place = (domain, key, value)
        if place not in self._rows:
            column = self.tables[domain].columns[key]
            fits = {held: _fits(domain, key, held, value) for held in set(column)}
            self._rows[place] = int("".join("01"[fits[held]] for held in reversed(column)) or "0", 2)
        return self._rows[place]


def _fits(domain: str, key: str, held: str, wanted: Scalar) -> bool:
    if held == ANYTHING:
        return True
    if not isinstance(wanted, str):
        return False
    wanted = canonical_value(key, wanted)
    if key == "arrive":
        return minutes_of(held) <= minutes_of(wanted)
    if key == "leave":
        return minutes_of(held) >= minutes_of(wanted)
    if key in _FUZZY[domain]:
        return is_similar(held, wanted)
    return held == wanted


@lru_cache(maxsize=100_000)
def is_similar(one: str, other: str) -> bool:
    """Return whether the partial ratio of two texts is at least 90.

    Matching blocks are common characters, so few of these settle it: with m of them the ratio is at most 2m/(m + n) for
    a shorter text of n, and rounds to less than 90 when m/n is below .81.
    """
    least = min(len(one), len(other)) * _LEAST_SHARE
    if one != other and (Counter(one) & Counter(other)).total() < least:
        return False
    return partial_ratio(one, other) >= _LEAST_RATIO


def partial_ratio(one: str, other: str) -> int:
    """Return how similar the shorter text is to the most similar window of the longer one, in percent.

    The windows are those that a matching block of both texts places, the empty block at the end among them.
    """
    if one == other:
        return 100
    if not one or not other:
        return 0
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    best = 0.0
    for block in SequenceMatcher(None, shorter, longer).get_matching_blocks():
        start = max(block.b - block.a, 0)
        ratio = SequenceMatcher(None, shorter, longer[start : start + len(shorter)]).ratio()
        if ratio > 0.995:
            return 100
        best = max(best, ratio)
    return round(100 * best)


def read_database(folder: Path) -> VenueDatabase:
    """Return the tables of a folder: `restaurant_db.json` and its like. Raises BadInput."""
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder. Give the one with {VENUES[0]}_db.json and the other tables.")
    return VenueDatabase({domain: read_table(folder / f"{domain}_db.json", domain) for domain in VENUES})


def read_table(path: Path, domain: str) -> VenueTable:
    """Return the table of a domain. Raises BadInput, with file and row."""
    rows = document.load(path)
    if not isinstance(rows, list) or not rows:
        raise BadInput(f"{path}: expected a list of rows. Give a table of MultiWOZ's database.")
    named = [_row(row, domain, f"{path}: row {at}") for at, row in enumerate(rows, 1)]
    columns = {name: tuple(row.get(name, ANYTHING) for row in named) for name in named[0]}
    key = "trainid" if domain == "train" else "id"
    if key not in columns:
        raise BadInput(f"{path}: the rows have no {key}. Give a table of MultiWOZ's database.")
    return VenueTable(columns[key], columns)


def _row(row: Json, domain: str, where: str) -> dict[str, str]:
    if not isinstance(row, dict):
        raise BadInput(f"{where}: expected an object. Give a table of MultiWOZ's database.")
    ignored = tables().database_columns_ignored.get(domain, ())
    kept = {canonical_slot(name): value for name, value in row.items() if name not in ignored}
    bad = next((name for name, value in kept.items() if not isinstance(value, str)), None)
    if bad is not None:
        raise BadInput(f"{where}: {bad} is {kept[bad]!r:.40}, not a text. Quote the value.")
    return {name: _held(name, value) for name, value in kept.items()}


def _held(column: str, value: str) -> str:
    if value == ANYTHING:
        return value
    return canonical_time(value) if column in ("arrive", "leave") else canonical_value(column, value)
