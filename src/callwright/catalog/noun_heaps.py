"""Titles that pile nouns up, in the order in which people say them: `company ratios latest data`."""

from __future__ import annotations

import re

from callwright.catalog.clause_nouns import ActReading, ClauseNoun
from callwright.catalog.gloss_wording import GIVEN_NOUNS
from callwright.lang.english import is_noun, is_plural
from callwright.lang.lexicon import word_set
from callwright.lang.tokens import identifier_words, stem
from callwright.lang.verbs_of_acts import CHANGES, CHECKS, CREATES, LOOKS, LOOKUPS
from callwright.records.tool import Tool


def in_speaking_order(reading: ActReading, tool: Tool) -> ActReading:
    """Return the act with its object as people say it.

    company ratios latest data                        the latest company ratios
    company latest data | for balance sheet           the latest company balance sheet
    access | to prices                                prices
    full data | from a block                          the data | of a block
    a payment | for invoices and credit notes         a payment
    a talk | with the list | of guests                a talk
    """
    nouns = _without_list(_without_kind(_without_access(reading), tool), reading.verb)
    if reading.verb in LOOKS and nouns and not nouns[0].preposition:
        nouns = _data_of_one(_latest_first(nouns, tool))
    return reading._replace(nouns=nouns)


def is_title(reading: ActReading, tool: Tool) -> bool:
    """Whether what reads as an act is a title of two nouns with capitals: `Calendar Events of a stock`."""
    title = _TITLE.match(tool.description.strip())
    is_act = reading.verb in CREATES | CHANGES | CHECKS | LOOKUPS | word_set("light_verbs")
    if title is None or is_act or title[1].lower() != reading.verb or not is_noun(reading.verb):
        return False
    return [*map(stem, identifier_words(tool.name))] == [stem(title[1].lower()), stem(title[2].lower())]


_TITLE = re.compile(r"([A-Z][a-z]+) ([A-Z][a-z]+) (?:of|for) (?=[a-z])")
_WHEN = frozenset("latest current recent newest live historical daily".split())
"""Words that stand before what they tell of."""
_WHOLE = frozenset("full complete entire whole".split())


def _without_access(reading: ActReading) -> tuple[ClauseNoun, ...]:
    first, *others = reading.nouns or (ClauseNoun("", "", []),)
    is_access = reading.verb in LOOKS and [word.lower() for word in first.words] == ["access"]
    if not is_access or not others or others[0].preposition != "to":
        return reading.nouns
    return (others[0]._replace(preposition=""), *others[1:])


def _without_kind(nouns: tuple[ClauseNoun, ...], tool: Tool) -> tuple[ClauseNoun, ...]:
    """Leave out for what a thing is that a parameter identifies: several things that no parameter names."""
    first, *others = nouns or (ClauseNoun("", "", []),)
    if not others or not first.words or first.determiner not in ("a", "an", "the") or is_plural(first.words[-1]):
        return nouns
    names = [{stem(word) for word in identifier_words(name)} for name in tool.required]
    is_identified = {stem(first.words[-1].lower()), "id"} in names
    after = others[0]
    is_kind = after.preposition == "for" and not after.determiner and is_plural(" ".join(after.words))
    is_named = any({stem(word.lower()) for word in after.words} & one for one in names)
    return (first, *others[1:]) if is_identified and is_kind and not is_named else nouns


def _without_list(nouns: tuple[ClauseNoun, ...], verb: str) -> tuple[ClauseNoun, ...]:
    """Leave out the list that a thing is made with: who gives one says what is in it."""
    lists = (at for at, noun in enumerate(nouns) if at and noun.preposition == "with" and noun.words[-1:] == ["list"])
    at = next(lists, 0) if verb in CREATES else 0
    return nouns[:at] if at and nouns[at].determiner in ("a", "the") else nouns


def _latest_first(nouns: tuple[ClauseNoun, ...], tool: Tool) -> tuple[ClauseNoun, ...]:
    first, *others = nouns
    at = next((at for at, word in enumerate(first.words) if at and word.lower() in _WHEN), 0)
    if not at or [word.lower() for word in first.words[at + 1 :]] not in [[one] for one in GIVEN_NOUNS]:
        return nouns
    named = {stem(word) for name in tool.required for word in identifier_words(name)}
    heap = first.words[:at]
    after = others[0] if others else None
    if after and after.preposition == "for" and not after.determiner and stem(after.words[-1].lower()) not in named:
        heap, others = [*heap, *after.words], others[1:]
    if len(heap) < 2 and not is_plural(heap[-1]):
        return nouns
    return (ClauseNoun("", "the", [first.words[at].lower(), *heap]), *others)


def _data_of_one(nouns: tuple[ClauseNoun, ...]) -> tuple[ClauseNoun, ...]:
    first, *others = nouns
    said = [word.lower() for word in first.words]
    if len(said) != 2 or said[0] not in _WHOLE or said[1] not in GIVEN_NOUNS or first.determiner:
        return nouns
    if not others or not others[0].determiner or others[0].preposition not in ("of", "from"):
        return nouns
    others[0] = others[0]._replace(preposition="of")
    return (ClauseNoun("", "the", first.words[1:]), *others)
