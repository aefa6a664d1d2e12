"""Numbers that follow from what a call did: nothing is invoiced yet of what is new, and a discount lowers a total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from callwright.environment.echoes import Edit, Words, plain_words
from callwright.environment.tool_target import ToldPlace, ToolTarget
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem, stem_set
from callwright.records.jsontext import Json

_LATER = stem_set("invoiced paid billed refunded spent used consumed redeemed shipped delivered sold raised")
"""Stems of what happens to a thing only after it was made."""
_ATTENDED = stem_set("view like comment reply download play click share follower subscriber reaction vote review")
"""Stems of what others do with a thing only after it was made."""
_SETTLES = stem_set("payment charge transaction receipt refund transfer purchase sale shipment delivery expense")
"""Things that are made by such an act."""
_SHARES = frozenset(("percent", "percentage", "pct"))
_LOWERING = stem_set("discount rebate reduction")
_TOTALS = frozenset("total amount price cost".split())


def nothing_yet(target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield the numbers of a new thing that count what happens to it later: there is nothing yet."""
    is_new = target.act == "create" and stem(target.noun) not in _SETTLES
    given = {plain_words(name) for name in arguments}
    for place in places:
        for name, one in place.fields.items() if is_new and place.role == "thing" else ():
            words = name_words(name)
            is_later = len(words) > 1 and not _LATER.isdisjoint(map(stem, words))
            is_later |= words[-1:] == ("count",) and stem("".join(words[-2:-1])) in _ATTENDED
            if is_later and plain_words(name) not in given and type(one) in (int, float) and one:
                yield Edit(place.fields, name, type(one)(0))


def lowered(
    known: Mapping[str, Mapping[Words, Json]], arguments: Mapping[str, Json], places: Sequence[ToldPlace]
) -> Iterator[Edit]:
    """Yield the total of a thing after a discount of so many percent, where its total before is known."""
    shares = [one for name, one in arguments.items() if _is_discount(name_words(name))]
    for key, place, name in _discounted(arguments, places):
        before, share = known.get(key, {}).get(plain_words(name)), shares[0]
        if isinstance(before, (int, float)) and isinstance(share, (int, float)) and 0 < share <= _ALL:
            yield Edit(place.fields, name, round(before * (1 - share / _ALL), 2))


def totals_after(arguments: Mapping[str, Json], places: Sequence[ToldPlace]) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield each thing that a discount was given on, by its identifier, with the total that it has since."""
    for key, place, name in _discounted(arguments, places):
        yield key, {name: place.fields[name]}


def _discounted(arguments: Mapping[str, Json], places: Sequence[ToldPlace]) -> Iterator[tuple[str, ToldPlace, str]]:
    """Yield the totals in a result of a discount, each with the identifier of what the call gave it on."""
    is_one = sum(_is_discount(name_words(name)) for name in arguments) == 1
    ids = [
        one for name, one in arguments.items() if is_one and name_words(name)[-1:] and name_words(name)[-1] in ID_WORDS
    ]
    for place in places if len(ids) == 1 else ():
        for name, one in place.fields.items() if place.role == "thing" else ():
            if _TOTALS.intersection(name_words(name)[-1:]) and type(one) in (int, float):
                yield str(ids[0]), place, name


_ALL = 100


def _is_discount(words: Words) -> bool:
    return bool(_SHARES.intersection(words)) and not _LOWERING.isdisjoint(map(stem, words))
