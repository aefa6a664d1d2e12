"""Whether a user's words do anything of what their act is for: name the wish, pick a thing, answer, ask about a word.

A rule over words. It takes all that a person might call the wish or a value by, since people paraphrase. What has none
of it is no turn of this user, such as a greeting, a refusal or the words of an assistant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from callwright.author.briefs import Known, UserBrief
from callwright.author.grammar import bank_file
from callwright.author.value_checks import is_said, is_sayable
from callwright.lang.english import ways_to_say
from callwright.lang.surface import forms
from callwright.lang.tokens import content_stems, identifier_words, spaced_words, stem, stem_set, words
from callwright.records.tool import Tool


@cache
def small_talk() -> frozenset[str]:
    """Return the stems of what users say around their wishes and values."""
    frames = (frame.source for bank in bank_file("user").values() for frame in bank)
    return frozenset(found for frame in frames for found in content_stems(re.sub(r"\{\w+\}", " ", frame)))


@lru_cache(maxsize=4096)
def names_of(tool: Tool, goal: str) -> frozenset[str]:
    """Return the stems of all that a wish for the tool may be called by: its document, and the goal in words.

    Without what is said in any conversation, and any conversation with an assistant.
    """
    identifiers = " ".join(word for name in (tool.name, *tool.properties) for word in identifier_words(name))
    return stem_set(f"{tool.description} {goal} {identifiers}") - small_talk() - _OF_ASSISTANTS


_OF_ASSISTANTS = stem_set(
    "assistant model language function tool call api parameter argument user request provide detail information help "
    "assist question answer response not no"
)


def relevance_faults(text: str, brief: UserBrief, names: frozenset[str]) -> list[str]:
    """Return why the words of a turn do nothing of what it is for; `names` may name the wish besides the brief's words.

    >>> from callwright.author.briefs import Request, UserAct
    >>> wish = Request("refund", "an item")
    >>> brief = UserBrief(UserAct("open"), "terse", "", "", wish, "a refund", False, "refund an item of an order", ())
    >>> relevance_faults("My kettle is broken, I want the item refunded", brief, frozenset())
    []
    >>> relevance_faults("Sure! How can I help you today?", brief, frozenset())
    ['the wish is not named: refund an item']
    """
    act, wish = brief.act, f"{brief.request.verb} {brief.request.thing}".strip()
    if act.kind in ("open", "again") and not _speaks_of(text, (brief.request.verb, wish, brief.full), names):
        return [f"the wish is not named: {wish}"]
    if act.kind == "full" and not _speaks_of(text, (brief.full,), names):
        return [f"the wish is not named: {brief.full}"]
    if act.kind == "ask_back" and brief.about and "?" not in text and stem_set(text).isdisjoint(brief.about.stems):
        return [f"it does not ask what is meant by: {brief.about.noun.text}"]
    if act.kind != "answer" or _tells_some(text, brief):
        return []
    if act.picks:
        is_pick = _speaks_of(text, (brief.pick, brief.full), names) or _points(text, brief)
        return [] if is_pick else [f"it does not say what is meant: {brief.pick}"]
    told = [known.slot.noun.text for known in brief.slots]
    return [f"it answers nothing of what was asked: {', '.join(told)}"]


def _tells_some(text: str, brief: UserBrief) -> bool:
    """Whether a text has a value that it should tell, or a word of one; yes and no are said in too many ways."""
    heard = stem_set(text) | frozenset(_DIGITS.findall(text))  # `the 28th`
    telling = [known for known in brief.slots if known.slot.kind != "boolean"]
    if len(telling) < len(brief.slots) and not brief.act.picks:
        return True
    return any(
        (is_sayable(known) and is_said(text, known, brief.today)) or not heard.isdisjoint(_words_of(known))
        for known in telling
    )


_DIGITS = re.compile(r"\d+")


def _words_of(known: Known) -> frozenset[str]:
    return stem_set(" ".join([known.text, *forms(known.value, known.slot.kind)]))


def _speaks_of(text: str, phrases: Sequence[str], names: frozenset[str]) -> bool:
    """Whether a text has a name, a word of a phrase, or another way to say the verb that a phrase begins with."""
    heard = stem_set(text)
    if not all(heard.isdisjoint(known) for known in (names, *map(stem_set, phrases))):
        return True
    every = frozenset(map(stem, words(text)))
    verbs = {phrase.split(" ")[0] for phrase in phrases}
    return any(every.issuperset(map(stem, words(way))) for verb in verbs if verb for way in ways_to_say(verb))


def _points(text: str, brief: UserBrief) -> bool:
    """Whether the words point at what was offered, `the first one` or `yes`, or repeat a pick of function words."""
    if not stem_set(brief.pick) and spaced_words(brief.pick) in spaced_words(text):
        return True
    return bool(brief.act.offered) and _CHOICE.search(text) is not None


_CHOICE = re.compile(
    r"\b(?:first|second|former|latter|last|1st|2nd|yes|yeah|yep|right|exactly|correct|that one|neither|none)\b",
    re.IGNORECASE,
)
