"""The wording of a gloss: which phrases of an object are said, with which article, and in which number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from callwright.catalog.chunks import Chunk, Gloss
from callwright.catalog.clause_nouns import ClauseNoun, leads_on
from callwright.lang.english import (
    any_verb,
    in_two_words,
    is_adjective,
    is_countable,
    is_noun,
    is_plural,
    plural,
    singular,
)
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import indefinite, is_noun_phrase, is_participle, with_capitals, words_of_name
from callwright.lang.tokens import content_stems, identifier_words, stem
from callwright.lang.verbs_of_acts import LOOKS
from callwright.records.tool import Tool

MOST_WORDS = 9
"""Most words of an object; the last phrases are left out."""


def is_clean_object(verb: str, nouns: Sequence[ClauseNoun], tool: Tool) -> bool:
    """Whether the object begins with a clean noun phrase, or the verb takes a preposition: `search for invoices`."""
    if not nouns or not _is_sound(nouns[0]):
        return False
    head = nouns[0].words[-1].lower() if nouns[0].words else ""
    if len(nouns[0].words) == 1 and head in _DESCRIBES:
        return False
    if head in SAYS_NOTHING and stem(head) not in map(stem, identifier_words(tool.source.partition(" ")[2])):
        return False
    return not nouns[0].preposition or verb in _TAKES_PREPOSITION


def _is_sound(noun: ClauseNoun) -> bool:
    """Whether a phrase is clean; after an article any word of the dictionary is a noun: `a like`."""
    is_one = len(noun.words) == 1 and noun.determiner in ("a", "an", "the", "this") and noun.words[0].isalpha()
    return is_noun_phrase(noun.words) or (is_one and any_verb(noun.words[0]) is not None)


SAYS_NOTHING = frozenset("endpoint endpoints webservice ability opportunity way".split())
"""What a document calls itself, and nouns that say nothing without the clause that follows."""
_DESCRIBES = frozenset(
    "current latest default next last same entire previous following today yesterday tomorrow".split()
)
"""Words before a noun, alone where the noun was not read: `remove the current and following days`."""
_TAKES_PREPOSITION = frozenset("search look wait subscribe listen reply vote".split())


def worded_gloss(verb: str, nouns: Sequence[ClauseNoun], tool: Tool) -> Gloss:
    verb = "look up" if verb == "lookup" else verb
    verb = "get" if verb == "give" and nouns[0].words[-1:] and nouns[0].words[-1].lower() in GIVEN_NOUNS else verb
    nouns = (_without_resource(nouns[0]), *nouns[1:])
    verb, nouns = _listing(verb, nouns[0], tool), (_of_one(nouns[0], tool), *nouns[1:])
    named = frozenset(stem(word) for name in tool.required if "of" not in name for word in identifier_words(name))
    is_heading = not any(noun.determiner for noun in nouns[:2])
    chunks: list[Chunk] = []
    is_cut = False
    for place, noun in enumerate(nouns):
        last = "".join(noun.words[-1:]).lower()
        ends_in_id = last in _IDS or (last in ("name", "names") and noun.preposition in ("for", "with", "at"))
        if verb not in LOOKS and noun.preposition == "with" and last in _VALUES and len(noun.words) <= FEW_WORDS:
            break  # `with new details`
        is_told = ends_in_id and chunks and chunks[0].stems.issuperset(content_stems(" ".join(noun.words[:-1])))
        if place and ends_in_id and (is_told or noun.preposition in ("by", "with") or len(noun.words) == 1):
            break
        if place and ends_in_id and noun.words[-2].islower() and not is_adjective(noun.words[-2]):
            noun = noun._replace(words=noun.words[:-1])  # `details of a judge` for `details for a judge ID`
        by_means = noun.determiner or is_plural(" ".join(noun.words)) or "".join(noun.words[-1:]).endswith("ing")
        if noun.preposition == "by" and by_means:
            break  # by whom, or by what means
        is_state = noun.preposition in ("to", "as") and len(noun.words) == 1 and leads_on(noun.words[0])
        is_state |= noun.preposition == "as" and len(noun.words) == 1 and noun.words[0] in _STATES_SET
        short = sum(len(chunk.said.split()) for chunk in chunks) + len(noun.words) < MOST_WORDS
        is_cut = not short or not (is_state or _is_sound(noun))
        if is_cut:
            break
        found = noun.words
        goes_on = len(found) > 1 and found[-1].endswith("ing") and is_plural(found[-2])  # `deals closing`
        if goes_on or (len(found) > 1 and is_participle(found[-1].lower())):
            chunks.append(_chunk(noun._replace(words=found[:-1]), "" if place else verb, is_fixed=False))
            break
        is_own = stem(noun.words[-1].lower()) in named
        is_own |= noun.preposition in _TOWARDS and stem(noun.words[-1].lower()) in _things_given(tool)
        is_fixed = place > 0 and not (noun.determiner or is_own) and (noun.preposition == "of" or not is_heading)
        is_fixed |= noun.preposition == "by" or (place > 0 and noun.words[0].istitle() and not noun.determiner)
        chunks.append(
            Chunk(noun.preposition, found[0]) if is_state else _chunk(noun, "" if place else verb, is_fixed=is_fixed)
        )
    if len(chunks) > 1 and ((is_cut and chunks[-1].text.endswith(_HOLDERS)) or _is_half(chunks[-1], chunks[0])):
        chunks.pop()
    is_span = len(chunks) > 1 and chunks[0].text in _SPANS and chunks[1].preposition == "of"
    if is_span and re.search(rf"(?:\d|\bup to \w{{1,12}}) {chunks[0].text}\b", tool.description):
        chunks[:2] = [Chunk("", chunks[1].text)]  # `up to 24 hours of data`, whose number was left out
    return Gloss(in_two_words(verb), tuple(chunks))


_SPANS = frozenset("minutes hours days weeks months years".split())


_TOWARDS = frozenset("for from to".split())


def _things_given(tool: Tool) -> frozenset[str]:
    """Stems of the things that parameters stand for: what is `for invoice` is for one, where a call can say which."""
    words = {name: words_of_name(name) for name in tool.properties}
    objects = (words[name][-1] for name, schema in tool.properties.items() if schema.get("type") == "object")
    named = (said[-2] for said in words.values() if len(said) > 1 and said[-1].lower() in _IDS)
    return frozenset(stem(word.lower()) for word in (*objects, *named))


GIVEN_NOUNS = frozenset("info information details data".split())
"""What a service gives who is asked for it."""
PARTICULARS = frozenset("details detail information settings demographics metadata content contents data".split())
"""Nouns of properties, which name no thing themselves."""
SET_OF_THING = frozenset("parameters properties attributes fields".split())
FEW_WORDS = 2
_IDS = frozenset("id ids sid uid key arn arns uuid guid username usernames url urls".split())
_VALUES = frozenset("value values settings details properties attributes parameters options data".split())
_STATES_SET = frozenset("read unread done complete spam".split())
"""States that things are marked as; as nouns they would take an article."""
_HOLDERS = (" list", " set", " number", " collection", " range")
"""What a phrase ends in of which the rest was left out."""


def _without_resource(noun: ClauseNoun) -> ClauseNoun:
    """Leave out what says only that it is a thing: `web service` of `web service resource`."""
    *named, last = noun.words or [""]
    is_said = singular(last.lower()) == "resource" and named and named[-1].islower() and named != ["web"]
    if not is_said or not is_noun_phrase(named) or not is_noun(named[-1]) or is_adjective(named[-1]):
        return noun
    return noun._replace(words=plural(" ".join(named)).split() if is_plural(last.lower()) else named)


def _is_half(chunk: Chunk, first: Chunk) -> bool:
    """Whether a last phrase lacks something: the other of two things (`between an activity`), the noun of an adjective
    (`to a private`), or any word beside those of the first (`change an invoice status to a status`, `user talks for
    the user`)."""
    article, _, word = chunk.text.partition(" ")
    if chunk.preposition == "between":
        return " and " not in chunk.text and not is_plural(chunk.text)
    is_bare = article in ("a", "an") and is_adjective(word) and word not in word_set("persons")
    return is_bare or (chunk.preposition in ("to", "for") and bool(chunk.stems) and chunk.stems <= first.stems)


def _of_one(noun: ClauseNoun, tool: Tool) -> ClauseNoun:
    """Return the object in the singular where the path ends in its identifier: `Get Consents` of `/consents/{id}`."""
    held = _OF_ITEM.search(tool.source)
    kind = words_of_name(held[1])[-1:] if held and not noun.determiner else ()
    is_same = kind and noun.words and stem(kind[0]) == stem(noun.words[-1].lower())
    return noun._replace(words=singular(" ".join(noun.words)).split()) if is_same else noun


_OF_ITEM = re.compile(r"(?<![\w-])([\w-]+)/\{\w*[iI][dD]\}$")


def _chunk(noun: ClauseNoun, verb: str, *, is_fixed: bool) -> Chunk:
    """Return the phrase with the article that its number wants; `verb` is that of the first phrase.

    In a fixed phrase such as `points of interest` a noun has none.
    """
    text = with_capitals(" ".join(noun.words))
    is_many = noun.determiner in ("several", "all", "these", "those") or verb == "list"
    is_many |= verb == "search" and not noun.determiner and is_countable(text)
    if is_many and not is_plural(text):
        text = plural(text)
    elif not is_many and noun.determiner in ("a", "an", "one") and not {"and", "details"} & {*noun.words}:
        text = singular(text)
    if noun.determiner == "new" and not is_many:
        return Chunk(noun.preposition, indefinite(["new", *text.split()]))
    is_this = noun.determiner == "this" and noun.words[-1].lower() in _ONE_OF_A_KIND
    if (noun.determiner in ("the", "each", "every", "another") or is_this) and verb != "list":
        return Chunk(noun.preposition, f"{noun.determiner} {text}")
    is_name = not noun.determiner and len(noun.words) > 1 and all(map(str.istitle, noun.words))
    if is_many or is_fixed or is_name:
        return Chunk(noun.preposition, text)
    return Chunk(noun.preposition, indefinite(text.split()))


_ONE_OF_A_KIND = frozenset("service server api application app account system platform".split())
"""What `this` may mean without anything that was said before; any other is one of many."""


def _listing(verb: str, noun: ClauseNoun, tool: Tool) -> str:
    """Tell `list` from `get`, which documents mix, by the number of the object and by the path."""
    if verb not in LOOKS or verb == "look":
        return verb
    is_one = tool.source.endswith("}") or not is_plural(noun.words[-1])
    if verb == "list":
        return "get" if is_one and noun.determiner not in ("several", "all") and tool.source.endswith("}") else verb
    last = words_of_name(tool.source.rstrip("/").rpartition("/")[2])[-1:]
    is_collection = tool.source.startswith("GET ") and last and stem(last[0]) == stem(noun.words[-1].lower())
    if noun.words[-1].lower() in word_set("always_plural"):
        return verb
    return "list" if noun.determiner in ("several", "all") or (is_collection and not is_one) else verb
