"""What a search finds: the words that were searched for stand in the names of what is listed."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import cycle, pairwise

from callwright.author.sought_names import found_names, is_beginning, known_names
from callwright.author.value_codes import THING_NAMES
from callwright.environment.echoes import FINDS, Edit, Words
from callwright.environment.result_drawing import PEOPLE
from callwright.environment.returns import action_of
from callwright.environment.tool_target import ToldPlace, ToolTarget, target_of
from callwright.lang.gazetteer import cities, country_by_any, regions
from callwright.lang.kinds import ID_WORDS, kind_of
from callwright.lang.schemas import name_words, plain_schema, singular
from callwright.lang.tokens import stem, stem_set
from callwright.lang.verbs_of_acts import SEARCHES
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

QUERIES = frozenset(("query", "keyword", "keywords", "q", "term", "search", "phrase"))
_HITS = ("{}", "{} overview", "{} notes", "{} archive")


def hits(tool: Tool, asked: Mapping[Words, Json], items: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield names for found things that hold the words searched for."""
    query, is_name = _query(tool, asked)
    if (known := known_hits(tool, asked, items)) is not None:
        yield from (edit for name, place in zip(known, items, strict=False) for edit in _is_called(name, place))
        return
    start = _beginning(asked) if target_of(tool).act == "list" else ""
    query = start or query
    brands = cycle((*THING_NAMES[len(query) :], *THING_NAMES))
    inner = {id(one) for place in items for one in place.fields.values()}
    whole = [place for place in items if id(place.fields) not in inner]  # a recipe in a hit is no hit beside it
    for at, (pattern, place) in enumerate(zip(_HITS, whole if query else (), strict=False)):
        noun = name_words(place.holder)[-1:]
        if _WRITINGS.isdisjoint(map(stem, noun)):
            pattern = f"{next(brands)} {{}}" if at else "{}"
        place = _telling(place)
        called = (
            "name",
            "title",
            "label",
            *(name for name in place.fields if name_words(name)[:-1] == noun and name_words(name)[-1] in _CALLED),
        )
        name = next((name for name in called if isinstance(place.fields.get(name), str)), "")
        if not name:
            yield from _spoken_of(query, place)
            continue
        if kind_of(" ".join(noun), {"type": "string"}) == "person" or not PEOPLE.isdisjoint(map(singular, noun)):
            family = str(place.fields[name]).split()[-1]
            yield Edit(place.fields, name, f"{query} {family}" if " " not in query else query)
        elif start:
            yield Edit(place.fields, name, f"{start} {next(brands)}")
        elif names_one(tool, asked, items):
            yield Edit(place.fields, name, query)
        elif is_name or _OWN_NAMES.isdisjoint(map(stem, noun)):
            yield Edit(place.fields, name, pattern.format(query))
        elif not _BRANDED.isdisjoint(map(stem, noun)) and query.casefold() not in str(place.fields[name]).casefold():
            yield Edit(place.fields, name, f"{next(brands)} {query.title()}")


_CALLED = ("name", "title")


def known_hits(tool: Tool, asked: Mapping[Words, Json], items: Sequence[ToldPlace]) -> tuple[str, ...] | None:
    """Return the names that a search finds among things of known names, such as cities; None for other searches.

    For words that no known name holds it is None where they may be the name of such a thing, and empty otherwise.
    """
    query, _ = _query(tool, asked)
    start, noun = _beginning(asked), target_of(tool).noun
    query = start or query
    if not query or not known_names(noun):
        return None
    found = found_names(noun, query, is_start=bool(start))
    is_whole = found[:1] and found[0].casefold() == query.casefold()
    return (found[:1] if is_whole else found) or (None if query.istitle() and not start else ())


def _beginning(asked: Mapping[Words, Json]) -> str:
    """The beginning of names that a call asks for; empty where it asks for none."""
    return next((one for words, one in asked.items() if is_beginning(words) and isinstance(one, str)), "")


def _is_called(name: str, place: ToldPlace) -> Iterator[Edit]:
    """Yield a name for a city or a country, and what goes with it."""
    town, noun = cities().get(name), name_words(place.holder)[-1:]
    land = town or country_by_any().get(name.lower())
    own = {("name",), ("title",), ("label",), (*noun, "name"), noun, ("city",) if town else ("country",)}
    of_land = {("country",), ("country", "name")} if town else set[Words]()
    for field, told in place.fields.items():
        words = name_words(field)
        if not isinstance(told, str) or not words:
            continue
        if words in own or (words[0] == "city" and town is not None and words[-1] == "name"):
            yield Edit(place.fields, field, name)
        elif land is not None and words in of_land:
            yield Edit(place.fields, field, land.name)
        elif land is not None and (words[:1] == ("country",) or town is None) and words[-1] in _LAND_CODES:
            yield Edit(place.fields, field, land.alpha3 if len(told) == len(land.alpha3) else land.alpha2)
        elif town is not None and words[-1] in ("region", "state", "province"):
            yield Edit(place.fields, field, regions()[name])


_LAND_CODES = frozenset("code iso iso2 iso3 alpha2 alpha3".split())


def _telling(place: ToldPlace) -> ToldPlace:
    """What tells of a found thing: the only object in a hit that tells nothing else."""
    inner = [(name, one) for name, one in place.fields.items() if isinstance(one, dict)]
    if len(inner) != 1 or any(isinstance(one, str) for one in place.fields.values()):
        return place
    name, fields = inner[0]
    found = plain_schema(place.properties.get(name)).get("properties")
    assert isinstance(fields, dict)
    return ToldPlace("part", singular(name), fields, found if isinstance(found, dict) else {})


def _spoken_of(query: str, place: ToldPlace) -> Iterator[Edit]:
    """A found text that has no name is about the words searched for."""
    for name, one in place.fields.items():
        if name_words(name)[-1:] in _TEXTS and isinstance(one, str) and one and query.lower() not in one.lower():
            yield Edit(place.fields, name, f"{query[0].upper()}{query[1:]}: {one[0].lower()}{one[1:]}")
            return


_TEXTS = tuple((word,) for word in "text quote content body message caption snippet description sentence".split())


def named_as_asked(
    tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
) -> Iterator[Edit]:
    """Yield the name by which a tool that reads by a name was asked, where the result tells it under another."""
    words = name_words(tool.name)
    given = [one for name, one in arguments.items() if name_words(name)[-1:] == ("name",) and isinstance(one, str)]
    is_by_name = ("by", "name") in pairwise(words) and target.act == "read"
    if not is_by_name or len(given) != 1 or any(given[0] in place.fields.values() for place in places):
        return
    named = [(place, name) for place in places for name, one in place.fields.items() if isinstance(one, str)]
    named = [(place, name) for place, name in named if name_words(name)[-1:] == ("name",)]
    if len(named) == 1:
        yield Edit(named[0][0].fields, named[0][1], given[0])


def works_of_one(
    target: ToolTarget, asked: Mapping[Words, Json], items: Sequence[ToldPlace], taken: Container[tuple[str, str]]
) -> Iterator[Edit]:
    """Yield names of one's works: no two people have one album, and nobody has those of somebody famous.

    Nor do things of two places have a name in common that was made up.

    `taken` are the names that the session has told, each with the stem of its noun.
    """
    is_of = ID_WORDS | _MAKERS | _PLACES
    above = [str(one) for words, one in asked.items() if not is_of.isdisjoint(words)]
    start = sum(map(ord, "".join(above)))
    for place in items if above and target.act == "list" and target.verb not in FINDS else ():
        noun = stem(place.holder)
        name = next((one for one in ("name", "title") if isinstance(place.fields.get(one), str)), "")
        is_by_chance = place.fields.get(name) in THING_NAMES and (noun, place.fields[name]) in taken
        if not name or not (noun in _WORKS or is_by_chance):
            continue
        names = (*THING_NAMES[start % len(THING_NAMES) :], *THING_NAMES)
        found = next((one for one in names if (noun, one) not in taken), "")
        if found:
            start = THING_NAMES.index(found) + 1
            yield Edit(place.fields, name, found)


_WORKS = stem_set("album song track movie film book playlist single")
_PLACES = frozenset("country city region state".split())
_MAKERS = frozenset("artist author director singer band musician composer writer".split())


def read_by_words(target: ToolTarget, asked: Mapping[Words, Json], places: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield the words for which the one thing of a result was found, as its name: `two eggs`, of their nutrition."""
    queries = {one for words, one in asked.items() if not QUERIES.isdisjoint(words) and isinstance(one, str)}
    called = (("name",), ("title",), (target.noun, "name"), (target.noun, "title"))
    named = [(place, name) for place in places for name in place.fields if place.role == "thing"]
    named = [(place, name) for place, name in named if name_words(name) in called]
    named = [(place, name) for place, name in named if place.fields.get(name) in THING_NAMES]
    if target.act == "read" and len(queries) == 1 and len(named) == 1:
        yield Edit(named[0][0].fields, named[0][1], next(iter(queries)))


def names_one(tool: Tool, asked: Mapping[Words, Json], items: Sequence[ToldPlace]) -> bool:
    """Whether a search is for the one thing of a name of its own: a company or `my-shelf`, not a word in titles."""
    query, is_name = _query(tool, asked)
    if is_name and _WRITTEN.fullmatch(query):
        return True
    nouns = {stem(word) for place in items[:1] for word in name_words(place.holder)[-1:]}
    return not _OWN_NAMES.isdisjoint(nouns) and (query.istitle() or is_name)


def _query(tool: Tool, asked: Mapping[Words, Json]) -> tuple[str, bool]:
    """The words searched for, and whether they are given as a name; empty where a call searches for none."""
    is_above = "{name}" in tool.source  # the name of what holds them
    named = [asked[words] for words in (("name",), ("title",)) if words in asked and not is_above]
    searched = [one for words, one in asked.items() if not QUERIES.isdisjoint(words)]
    found = [one for one in (*named, *searched) if isinstance(one, str) and 2 < len(one) <= 40]
    is_list = target_of(tool).act == "list" and any(words[-1:] in _SOUGHT for words in asked)
    return (found[0], bool(named)) if found and (named or is_list or _searches(tool)) else ("", False)


_SOUGHT = tuple((word,) for word in sorted(QUERIES))


def _searches(tool: Tool) -> bool:
    return action_of(tool)[0] in SEARCHES or not {"lookup", "autocomplete", "suggest"}.isdisjoint(name_words(tool.name))


_WRITTEN = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+")
"""A name as machines have it, which is not searched for by its words."""
_WRITINGS = stem_set("document file article page note report post guide presentation spreadsheet board folder wiki")
_OWN_NAMES = stem_set(
    "author company city country hotel restaurant location address artist band singer musician song track album movie "
    "film game book anime manga team club league coin stock airport airline station brand venue"
)
"""Things whose names are their own whatever was searched for."""
_BRANDED = stem_set(
    "hotel restaurant band song track album movie film game book anime manga team club league brand venue"
)
"""Those of them that may have any words in their names."""
