"""The act that a name tells: `createShortCode`, `pins_remove`, `post_files_id_copy`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from callwright.catalog.asked_acts import ACTS_OF_SERVERS
from callwright.catalog.clause_nouns import VERSION, ActReading, split_nouns
from callwright.lang.english import any_verb, base_verb, is_adjective, is_noun, singular
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import is_opaque, with_capitals, words_of_name
from callwright.lang.tokens import identifier_words, stem
from callwright.lang.verbs_of_acts import CHANGES, CHECKS, CREATES, LOOKUPS
from callwright.records.tool import Tool

_LAST = LOOKUPS | CHANGES
"""Verbs that are nouns too, and yet are verbs at the end of a name: `pages_list`, not `pull_request`."""


def named_acts(tool: Tool) -> Iterator[ActReading]:
    """Read the name: `createShortCode`, `pins_remove`, `post_files_id_copy`."""
    method = tool.source.partition(" ")[0]
    parts = [
        [word for word in words_of_name(part) if not VERSION.fullmatch(word)] for part in re.split(r"[._/]", tool.name)
    ]
    parts = [part[:-1] if part[-1:] in (["api"], ["controller"]) else part for part in parts]
    parts = [part[1:] if part[0] in _WAYS and part[1:] and _is_verb(part[1], tool) else part for part in parts if part]
    is_action = len(parts) == _METHOD_AND_ACT and parts[0] == [method.lower()] and len(parts[1]) > 1
    parts = parts[1:] if is_action and base_verb(parts[1][0]) == parts[1][0] else parts  # `GET_CreateUserGroup`
    whole = [word for part in parts for word in part]
    if len(whole) < 2 or parts[0] == [method.lower()] or is_opaque(whole) or _spells_path(whole, tool.source):
        return
    places = [place for place, part in enumerate(parts) if _is_verb(part[0], tool) and not is_thing_here(part[0], tool)]
    places = [at for at in places if method or not at or not is_noun(parts[at][0]) or parts[at][0] in _LAST | CREATES]
    if places:
        is_last = places[-1] == len(parts) - 1 and (len(parts[-1]) > 1 or not is_noun(parts[-1][0]))
        place = places[-1] if is_last else places[0]
        verb, said = parts[place][0], [*parts[place][1:], *(word for part in parts[place + 1 :] for word in part)]
        said = said[2:] if said[:1] == ["or"] and base_verb("".join(said[1:2])) else said
        said, is_many = said or parts[place - 1], bool(said) and verb != "create" and not tool.source.endswith("}")
    elif base_verb(whole[-1]) == whole[-1] and (whole[-1] in _LAST or not is_noun(whole[-1])):
        verb, said, is_many = whole[-1], whole[:-1], False
    elif whole[-1] == "lookup":
        verb, said, is_many = "get", whole[:-1], False
    else:
        return
    verb = "update" if verb == "put" else verb
    said = said[: said.index("by", 1)] if "by" in said[1:] else said
    said = said[: said.index("get", 1)] if "get" in said[1:] else said  # a second act
    yield reading_of_words(verb, said if is_many or verb in ("list", "search") else singular(" ".join(said)).split())


_METHOD_AND_ACT = 2
_WAYS = frozenset("admin async batch bulk".split())
"""First words of names that say who does something or how: `AdminUpdateUserAttributes`."""


def _spells_path(whole: Sequence[str], source: str) -> bool:
    """Whether a name is the method and the path run together: `PostInvoicesInvoicePay`."""
    method, _, path = source.partition(" ")
    spelt = [
        word for part in path.split("/") for word in words_of_name(part.strip("{}")) if not VERSION.fullmatch(word)
    ]
    return whole[0] == method.lower() and [*map(stem, whole[1:])] == [*map(stem, spelt)]


def is_thing_here(word: str, tool: Tool) -> bool:
    """Whether a word that could be a verb is a noun in this operation.

    It is where the path has a parameter for it, as `light` in `/lights/{light-id}`. What is only read is not scheduled,
    opened or built, unless the name begins with that verb too: `schedule collection`, `open orders`.
    """
    method, _, path = tool.source.partition(" ")
    owners = (before for before, part in pairwise(path.split("/")) if "{" in part and "{" not in before)
    things = (found[-1] for owner in owners if (found := words_of_name(owner)))
    is_other = method == "GET" and is_noun(word) and word not in _READS | CREATES | CHANGES
    is_reading = word in LOOKUPS | CHECKS | ACTS_OF_SERVERS or (
        words_of_name(tool.name)[:1] == (word,) and not is_other
    )
    is_placed = stem(word) in map(stem, identifier_words(path)) or base_verb(word) != word
    is_doubtful = (is_noun(word) and is_placed) or is_adjective(word)
    is_held = stem(word) in map(stem, things) and word not in _PLAIN_ACTS
    named = words_of_name(tool.name)
    is_doubtful |= is_other or (LOOKUPS.issuperset(named[:1]) and word in named[1:] and word not in CREATES | CHANGES)
    is_held |= word in word_set("subjects") and len(named) > 1 and _TELLS_OF.issuperset(named[1:])
    return is_held or (method == "GET" and is_doubtful and not is_reading)


_READS = frozenset(
    "access compare count download estimate exchange export extract load ping preview query rank review sample scan "
    "test track watch".split()
)
"""Verbs that are nouns too, of what is done by reading."""
_TELLS_OF = frozenset("information details detail data status history".split())
"""Words of names that say that something is told of the thing before them: `Schedule_information`."""
_PLAIN_ACTS = frozenset("get delete update remove edit search".split())


def _is_verb(word: str, tool: Tool) -> bool:
    """Whether a word of a name is a verb: one of the lexicon, one that is no noun, or what a path does at its end."""
    if base_verb(word) == word:
        return True
    done = _DONE.search(tool.source)
    is_done = done is not None and words_of_name(done[1])[:1] == (word,)
    return any_verb(word) == word and (is_done or not (is_noun(word) or is_adjective(word)))


_DONE = re.compile(r"^(?:POST|PUT|PATCH) .*\}/([\w-]+)$")
"""What is done to a thing: `POST /pressings/{id}/finish`."""


def reading_of_words(verb: str, said: Sequence[str]) -> ActReading:
    said = ("current", "user") if said in (["me"], ["self"]) else said
    plain = [
        singular(word) if word in word_set("persons") and at + 1 < len(said) else word for at, word in enumerate(said)
    ]
    return ActReading(verb, tuple(split_nouns(with_capitals(" ".join(plain)).split())))
