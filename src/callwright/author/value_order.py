"""Values of one call, or of one object, that must keep an order: least before greatest, beginning before end."""

from __future__ import annotations

from collections.abc import Sequence

from callwright.author.value_subject import Subject
from callwright.records.jsontext import Json

_LESSER = {"min": "max", "minimum": "maximum", "lowest": "highest", "start": "end", "from": "to", "tax": "total",
           "subtotal": "total", "deposit": "total", "after": "before", "lower": "upper", "first": "last"}  # fmt: skip
_ORDERED = frozenset({"count", "number", "money", "percent", "time", "year", "date", "datetime"})


def put_in_order(values: dict[str, Json], pairs: Sequence[tuple[str, str]]) -> None:
    """Swap the values of each pair (smaller, larger) that stand the wrong way round."""
    for low, high in pairs:
        if low in values and high in values and values[low] > values[high]:
            values[low], values[high] = values[high], values[low]


def ordered_pairs(subjects: Sequence[Subject]) -> tuple[tuple[str, str], ...]:
    """Return (smaller, larger) names that differ in one word, as `min_fee` and `max_fee`, or are a part and a total."""
    found: list[tuple[str, str]] = []
    for low in subjects:
        for word in low.words:
            high_word = _LESSER.get(word)
            if high_word is None or low.kind not in _ORDERED:
                continue
            wanted = {high_word if part == word else part for part in low.words}
            found += [
                (low.name, high.name)
                for high in subjects
                if high.kind == low.kind
                and _is_comparable(low, high)
                and (wanted == set(high.words) or (high_word == "total" and "total" in high.words))
            ]
    return tuple(found)


def _is_comparable(low: Subject, high: Subject) -> bool:
    """Only values written alike can be compared and swapped."""
    return low.schema.get("type") == high.schema.get("type") and low.schema.get("format") == high.schema.get("format")
