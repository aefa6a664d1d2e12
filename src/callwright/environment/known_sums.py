"""Sums of a thing that a session knows: a refund of the whole amount is the total, and one of a part is less."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from callwright.environment.echoes import Edit, Words
from callwright.environment.tool_target import ToldPlace, ToolTarget
from callwright.lang.kinds import kind_of
from callwright.lang.schemas import name_words, plain_schema
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_WHOLE = re.compile(r"\b(?:whole|full|entire) (?:amount|sum|price|balance|total)\b|\bin full\b", re.IGNORECASE)
_TOTALS: tuple[Words, ...] = (("total",), ("total", "amount"), ("amount",), ("amount", "due"), ("open", "amount"))
"""Fields that tell the sum of a thing, the ones that tell most of it first."""
_PARTS = frozenset("refund refunded discount credit credited deposit open due paid".split())
"""Words of sums that are no more than the whole."""
_SHARE = 0.4


def within_sum(
    known: Mapping[str, Mapping[Words, Json]],
    tool: Tool,
    target: ToolTarget,
    arguments: Mapping[str, Json],
    places: Sequence[ToldPlace],
) -> Iterator[Edit]:
    """Yield the sum that a call on a thing of known total tells: all of it, or no more."""
    things = [known.get(str(one), {}) for one in arguments.values() if isinstance(one, (str, int))]
    sums = [facts[words] for facts in things for words in _TOTALS if type(facts.get(words)) in (int, float)]
    is_whole = target.verb not in LOOKUPS and _WHOLE.search(tool.description) is not None
    for place in places if target.act in ("read", "change", "delete") and sums else ():
        names = [name for name, one in place.fields.items() if place.role == "thing" and _is_part(name, place)]
        for name in names if len(names) == 1 else ():
            told, total = place.fields[name], sums[0]
            assert isinstance(told, (int, float))
            assert isinstance(total, (int, float))
            if is_whole and told != total:
                yield Edit(place.fields, name, total)
            elif told > total:
                yield Edit(place.fields, name, round(total * _SHARE, 2))


def _is_part(name: str, place: ToldPlace) -> bool:
    """Whether a field tells a sum of money that is a part of a whole."""
    is_money = kind_of(name, plain_schema(place.properties.get(name))) == "money"
    return is_money and type(place.fields[name]) in (int, float) and not _PARTS.isdisjoint(name_words(name))
