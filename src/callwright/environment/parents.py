"""What a list tells of the thing that holds the listed things: its name beside them, its addresses in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from callwright.environment.echoes import Edit, Words, laid, plain_words
from callwright.environment.membership import collection_of, identifies, inverse
from callwright.environment.returns import path_of
from callwright.environment.tool_target import ToldPlace, ToolTarget, own_field
from callwright.lang.schemas import name_words
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_NAMES = (("name",), ("title",))
_ADDRESSES = frozenset(
    (("endpoint",), *((whose, "url") for whose in "callback webhook target destination delivery endpoint".split()))
)
"""Words of addresses that a thing has from what holds it; an `url` alone is its own."""


def parent_of(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> str:
    """Return the identifier of what holds the things that a call lists; empty where nothing does."""
    if target.act != "list":
        return ""
    if path_of(tool):
        return inverse(collection_of(tool, arguments))[2]
    above = [str(one) for name, one in arguments.items() if identifies(tool, name)]
    return above[0] if len(above) == 1 else ""


def told_of_parent(places: Sequence[ToldPlace]) -> dict[str, Json]:
    """Return what a list tells first of what holds the listed things, by the words of it."""
    told = [(name_words(name)[-1], one) for _, name, one in _names(places)]
    told += [("_".join(plain_words(name)), one) for _, name, one in _addresses(places)]
    return {name: one for name, one in reversed(told) if isinstance(one, str) and one}


def of_parent(places: Sequence[ToldPlace], known: Mapping[Words, Json]) -> Iterator[Edit]:
    """Yield what is known of what holds the listed things; of addresses that nothing is known of, the first."""
    for place, name, _ in _names(places):
        yield from laid(place, name, known.get(("name",), place.fields[name]))
    first: dict[Words, Json] = {}
    for place, name, one in _addresses(places):
        words = plain_words(name)
        yield from laid(place, name, known.get(words, first.setdefault(words, one)))


def _names(places: Sequence[ToldPlace]) -> Iterator[tuple[ToldPlace, str, Json]]:
    """Yield the names beside a list of things: of what has no identifier there, it is what holds them."""
    for place in places:
        is_beside = place.role == "reply" and not own_field(place.fields, place.holder)
        for name, one in place.fields.items() if is_beside else ():
            if name_words(name) in _NAMES and isinstance(one, str):
                yield place, name, one


def _addresses(places: Sequence[ToldPlace]) -> Iterator[tuple[ToldPlace, str, Json]]:
    for place in places:
        for name, one in place.fields.items() if place.role in ("item", "part") else ():
            if plain_words(name) in _ADDRESSES and isinstance(one, str):
                yield place, name, one
