"""How many things a thing says that it holds, which is how many their list has: `comment_count`, `reactions: []`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from callwright.environment.echoes import Edit, Words, plain_words
from callwright.environment.membership import Membership
from callwright.environment.told_owners import key_of
from callwright.environment.tool_target import ToldPlace, ToolTarget, noun_stem
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json

_MOST = 4
"""Most things of a list, and so the most that are counted where a tool lists them."""


def counted_noun(words: Words) -> str:
    """Return the stem of what a field counts: of `comment_count`, `number_of_comments`; empty for other fields.

    >>> counted_noun(("comments", "count")), counted_noun(("total", "count"))
    ('comment', '')
    """
    if len(words) > 1 and words[-1] == "count":
        noun = words[-2]
    elif words[:2] == ("number", "of") or words[:1] == ("num",):
        noun = words[-1] if len(words) > 1 else ""
    else:
        return ""
    return "" if noun in _ANYTHING else stem(singular(noun))


_ANYTHING = frozenset("total item result page entry record of".split())


def told_empty(
    target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
) -> Iterator[tuple[str, Words]]:
    """Yield the lists of things that are told to be empty, by the thing's identifier and the words of the field."""
    for place in places:
        key = key_of(place, target, arguments) if place.role in ("thing", "item") else None
        for name, one in place.fields.items() if isinstance(key, (str, int)) else ():
            if one == [] and isinstance(one, list):
                yield str(key), name_words(name)


def told_number(
    collection: str, things: Mapping[str, Mapping[Words, Json]], empty: frozenset[tuple[str, Words]]
) -> int:
    """Return how many things a collection has as its holder tells; -1 where it does not tell."""
    *_, holder, last = ("", *collection.split("/"))
    if not holder or (holder, name_words(last)) in empty:
        return 0 if holder else -1
    noun = noun_stem(last)
    facts = things.get(holder, {})
    told = (one for words, one in facts.items() if counted_noun(words) == noun and type(one) is int)
    return next((one for one in told if isinstance(one, int)), -1)


def counts_of_lists(
    known: Mapping[str, Mapping[Words, Json]],
    members: Membership,
    nested: frozenset[tuple[str, str]],
    target: ToolTarget,
    arguments: Mapping[str, Json],
    places: Sequence[ToldPlace],
) -> Iterator[Edit]:
    """Yield counts of things that a tool lists: the length of their list, else so few that a list has room for them.

    `nested` are the `nested_nouns` of the service.
    """
    for place in places:
        key = key_of(place, target, arguments) if place.role in ("thing", "item") else None
        holder = noun_stem(place.holder)
        for name, one in place.fields.items() if isinstance(key, (str, int)) else ():
            noun = counted_noun(name_words(name))
            if not noun or type(one) is not int or not isinstance(one, int):
                continue
            whole = [c for c in members.collections() if members.is_whole(c) and _holds(c, str(key), noun)]
            is_known = plain_words(name) in known.get(str(key), {})
            if whole:
                yield Edit(place.fields, name, len(members.of(whole[0])))
            elif not is_known and one > _MOST and ((holder, noun) in nested or (target.noun, noun) in nested):
                yield Edit(place.fields, name, 1 + one % _MOST)


def parts_of_totals(
    known: Mapping[str, Mapping[Words, Json]],
    target: ToolTarget,
    arguments: Mapping[str, Json],
    places: Sequence[ToldPlace],
) -> Iterator[Edit]:
    """Yield totals of a thing that are no lower than the numbers told of it, and numbers no higher than its total."""
    for place in places:
        key = key_of(place, target, arguments) if place.role == "thing" else None
        facts = known.get(str(key), {}) if key is not None else {}
        told = {words: one for words, one in facts.items() if isinstance(one, int) and not isinstance(one, bool)}
        parts = [one for words, one in told.items() if _NUMBERS.intersection(words) and "total" not in words]
        totals = [one for words, one in told.items() if _is_total(words)]
        for name, one in place.fields.items() if told else ():
            words = name_words(name)
            if type(one) is not int or not isinstance(one, int) or plain_words(name) in facts:
                continue
            if _is_total(words) and one < sum(parts):
                yield Edit(place.fields, name, sum(parts) + one)
            elif totals and _NUMBERS.intersection(words) and "total" not in words and one > min(totals) - sum(parts):
                yield Edit(place.fields, name, max(0, min(totals) - sum(parts)) // 2)


def within_limit(most: int, places: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield counts without a list beside them that are no higher than the most that a call asked for."""
    for place in places:
        for name, one in place.fields.items():
            if name_words(name) == ("count",) and type(one) is int and isinstance(one, int) and one > most:
                yield Edit(place.fields, name, most)


_NUMBERS = frozenset(("number", "count"))


def _is_total(words: Words) -> bool:
    return "total" in words and (bool(_NUMBERS.intersection(words)) or len(words) == 1)


def _holds(collection: str, key: str, noun: str) -> bool:
    *_, holder, last = ("", *collection.split("/"))
    return holder == key and noun_stem(last) == noun
