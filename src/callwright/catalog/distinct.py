"""Glosses that tell the tools of one pool apart.

Documents often describe two tools in the same words: one for a service and one for the whole account, one for
administrators. What tells them apart is in their names and paths, or in a parameter that only one of them requires.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from callwright.catalog.chunks import Chunk, Gloss
from callwright.catalog.contrast import heard_as
from callwright.catalog.gloss import gloss
from callwright.lang.english import (
    any_verb,
    base_verb,
    is_adjective,
    is_noun,
    is_plural,
    past_of,
    plural,
    singular,
    ways_to_say,
    with_article,
)
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import with_capitals, words_of_name
from callwright.lang.tokens import identifier_words, stem
from callwright.lang.verbs_of_acts import LOOKS, SEARCHES
from callwright.records.tool import Tool


@lru_cache(maxsize=8192)
def distinct_glosses(tools: tuple[Tool, ...]) -> tuple[Gloss, ...]:
    """Return the gloss of each tool of a pool; tools in the same words get the words of their names that differ.

    >>> pool = (
    ...     Tool(name="invite", description="Invites a user."),
    ...     Tool(name="admin_invite", description="Invites a user."),
    ... )
    >>> [found.phrase for found in distinct_glosses(pool)]
    ['invite a user', 'invite a user as an admin']
    """
    found = [gloss(tool) for tool in tools]
    for names in (_numbered, _named, _required):
        for group in _alike(found):
            own = names([tools[place] for place in group], [found[place] for place in group])
            for place, telling in zip(group, own, strict=True):
                found[place] = telling
    return tuple(found)


def are_twins(tool: Tool, other: Tool) -> bool:
    """Whether nothing in the documents of two tools tells them apart in words.

    >>> are_twins(Tool(name="note_get", description="Gets a note."), Tool(name="getNote", description="Gets a note."))
    True
    """
    own, its = gloss(tool), gloss(other)
    if _key(own) == _key(its):
        return bool(_alike(distinct_glosses((tool, other))))
    (verb, thing), (its_verb, its_thing) = _key(own), _key(its)
    if verb != its_verb or not (own.chunks and its.chunks) or _is_many(own) != _is_many(its):
        return False
    return _plainly(thing) == _plainly(its_thing) != ""


def _plainly(thing: str) -> str:
    """Return a thing without words that tell nobody which one is meant: `the data of a scan` is a scan."""
    return " ".join(word for word in thing.split() if word not in _SAYS_NOTHING)


_SAYS_NOTHING = frozenset(
    stem(word)
    for word in "data information info details detail record object resource entity specific single given particular "
    "existing certain specified requested one of for from".split()
)


def _alike(glosses: Sequence[Gloss]) -> list[list[int]]:
    """Return the positions of glosses that say the same, two or more at a time."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(glosses):
        groups.setdefault(_key(one), []).append(place)
    return [group for group in groups.values() if len(group) > 1]


@lru_cache(maxsize=8192)
def _key(one: Gloss) -> tuple[str, str]:
    verb = ways_to_say(one.verb)[0] if one.verb else "look up"
    return "delete" if verb == "remove" else verb, heard_as(one.object)


def _numbered(tools: Sequence[Tool], glosses: Sequence[Gloss]) -> list[Gloss]:
    """Look up one, list several: by the head noun, or by a `list` in the name."""
    if any(one.verb in ("", "list") or not one.chunks for one in glosses):
        return list(glosses)
    many = ["list" in words or _is_many(one) for words, one in zip(map(_spelled, tools), glosses, strict=True)]
    if all(many) or glosses[0].verb_stems.isdisjoint(_LOOKING):
        return list(glosses)
    return [_listed(one) if several else one for one, several in zip(glosses, many, strict=True)]


_LOOKING = frozenset(stem(word) for word in ("get", "retrieve", "look", "fetch", "read", "show", "view"))


def _is_many(one: Gloss) -> bool:
    return is_plural(one.chunks[0].text)


def _listed(one: Gloss) -> Gloss:
    first = one.chunks[0]
    article, _, rest = first.text.partition(" ")
    noun = rest if article in ("a", "an") else first.text
    return Gloss("list", (Chunk(first.preposition, plural(noun)), *one.chunks[1:]))


def _named(tools: Sequence[Tool], glosses: Sequence[Gloss]) -> list[Gloss]:
    """Add the words of name and path that not all have: `of a service`, `as an admin`, `in the newer version`."""
    spelled = [_spelled(tool) for tool in tools]
    common = frozenset(spelled[0]).intersection(*spelled)
    return [
        _with_words(one, tool, [word for key, word in words.items() if key not in common | one.stems])
        for tool, words, one in zip(tools, spelled, glosses, strict=True)
    ]


def _spelled(tool: Tool) -> dict[str, str]:
    """Return the words of a tool's name and path, each under its stem; identifiers in the path count as their nouns."""
    path = tool.source.partition(" ")[2]
    whole = [word for part in re.split(r"[._/-]", tool.name) for word in identifier_words(part)]
    places = [word for part in path.split("/") if "{" not in part for word in identifier_words(part)]
    return {stem(singular(word)): word for word in (*whole, *places) if word not in _METHODS and word[1:]}


_METHODS = frozenset("get post put patch delete id ids api rest by for of the and to in".split())


def _with_words(one: Gloss, tool: Tool, words: Sequence[str]) -> Gloss:
    chunks = list(one.chunks)
    for word in words[:2]:
        if not chunks:
            continue
        if version := re.fullmatch(r"v(\d+)", word):
            chunks.append(Chunk("in", f"the {'older' if version.group(1) == '1' else 'newer'} version"))
        elif word in word_set("persons") and not is_plural(word) and not _is_parent(word, tool):
            chunks.append(Chunk("as", with_article(word)))
        elif _is_parent(word, tool) and is_noun(word):
            chunks.append(Chunk("of", with_article(with_capitals(singular(word)))))
        elif is_adjective(word) or past_of(word):
            chunks[0] = Chunk(chunks[0].preposition, _qualified(word, chunks[0].text))
        elif base_verb(word) == word or (any_verb(word) == word and not is_noun(word)):
            continue
        elif tool.source.endswith(f"}}/{word}") and is_noun(word) and not is_plural(word):
            chunks.append(Chunk("in", f"the {word}"))
    return Gloss(one.verb, tuple(chunks))


def _qualified(word: str, noun: str) -> str:
    """Put an adjective before a noun, behind its article: `the domestic payment`, `an open session`."""
    article, _, rest = noun.partition(" ")
    if article in ("a", "an"):
        return with_article(f"{word} {rest}")
    return f"the {word} {rest}" if article == "the" else f"{word} {noun}"


def _is_parent(word: str, tool: Tool) -> bool:
    """Whether a part of the path named so holds the thing of the tool: `/services/{id}/conversations`."""
    parts = tool.source.partition(" ")[2].split("/")
    return any(
        "{" in after and identifier_words(part)[-1:] == [word] for part, after in pairwise(parts) if "{" not in part
    )


def _required(tools: Sequence[Tool], glosses: Sequence[Gloss]) -> list[Gloss]:
    """Add the parameter that one requires and not all of them do: `by phone number`."""
    needs = [frozenset(tool.required) for tool in tools]
    common = needs[0].intersection(*needs[1:])
    return [_with_parameter(one, sorted(own - common)) for one, own in zip(glosses, needs, strict=True)]


_CARRIERS = frozenset("body payload request".split())
"""Names of parameters that hold a whole request, which users do not mention."""


_SPOTS = frozenset("latitude longitude coordinates".split())
"""Words of names of values that say where something is."""
_READS = LOOKS | SEARCHES


def _with_parameter(one: Gloss, names: Sequence[str]) -> Gloss:
    for name in names:
        words = words_of_name(name)
        thing = [word for word in words if word not in ("id", "ids", "sid", "key")]
        is_new = all(is_noun(word) and stem(word) not in one.stems for word in thing)
        if thing and is_new and _CARRIERS.isdisjoint(thing):
            noun = with_capitals(" ".join(thing))
            if thing[-1] in _SPOTS and one.act in _READS:
                return Gloss(one.verb, (*one.chunks, Chunk("by", "location")))
            if len(thing) == len(words) and one.act in _READS:
                return Gloss(one.verb, (*one.chunks, Chunk("by", noun)))
            return Gloss(
                one.verb, (*one.chunks, Chunk("of" if len(thing) < len(words) else "with", with_article(noun)))
            )
    return one
