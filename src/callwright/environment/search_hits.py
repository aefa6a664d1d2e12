"""What a search finds: the words that were searched for stand in the names of what is listed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle

from callwright.author.value_codes import THING_NAMES
from callwright.environment.echoes import (
    Edit,
    Words,
)
from callwright.environment.result_drawing import PEOPLE
from callwright.environment.returns import action_of
from callwright.environment.tool_target import (
    ToldPlace,
)
from callwright.lang.kinds import kind_of
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem, stem_set
from callwright.lang.verbs_of_acts import SEARCHES
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

QUERIES = frozenset(("query", "keyword", "keywords", "q", "term", "search", "phrase"))
_HITS = ("{}", "{} overview", "{} notes", "{} archive")


def hits(tool: Tool, asked: Mapping[Words, Json], items: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield names for found things that hold the words searched for."""
    query, is_name = _query(tool, asked)
    brands = cycle((*THING_NAMES[len(query) :], *THING_NAMES))
    for at, (pattern, place) in enumerate(zip(_HITS, items if query else (), strict=False)):
        noun = name_words(place.holder)[-1:]
        if _WRITINGS.isdisjoint(map(stem, noun)):
            pattern = f"{next(brands)} {{}}" if at else "{}"
        called = ("name", "title", *(name for name in place.fields if name_words(name) == (*noun, "name")))
        name = next((name for name in called if isinstance(place.fields.get(name), str)), "")
        if not name:
            continue
        if kind_of(" ".join(noun), {"type": "string"}) == "person" or not PEOPLE.isdisjoint(map(singular, noun)):
            family = str(place.fields[name]).split()[-1]
            yield Edit(place.fields, name, f"{query} {family}" if " " not in query else query)
        elif names_one(tool, asked, items):
            yield Edit(place.fields, name, query)
        elif is_name or _OWN_NAMES.isdisjoint(map(stem, noun)):
            yield Edit(place.fields, name, pattern.format(query))


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
    return (found[0], bool(named)) if found and (named or _searches(tool)) else ("", False)


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
