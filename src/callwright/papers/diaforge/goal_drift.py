"""Goal drift: a user's words mean another tool than the one the user wants.

They do where they hold all the words that tell the other tool from the wanted one, and none that tell the wanted one
from it: `the weekly one` drifts from a one-off meeting, `not the weekly one` does not. What people say in any
conversation, and the wanted tool's own parameters and values, tell nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from callwright.author.briefs import Known
from callwright.catalog.chunks import Gloss
from callwright.catalog.contrast import telling
from callwright.catalog.distinct import distinct_glosses
from callwright.lang.english import gerund, past_participle, ways_to_say
from callwright.lang.surface import forms
from callwright.lang.tokens import content_stems, stem, stem_set, words
from callwright.papers.diaforge.relevance import small_talk
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.tool import Tool


def drifts_to(text: str, gold: Gloss, other: Gloss, known: Sequence[Known]) -> bool:
    """Whether `text` asks for `other` and not for `gold`, whose values are `known`."""
    heard = stem_set(text)
    if (gold.stems - other.stems) & heard or _denies(text):
        return False
    things = _own_things(other, gold) - small_talk()
    if things:
        things -= _own_words(tuple(known))
    if things:
        return things <= heard
    return _asks_to(text, other) and not other.verb_stems <= gold.stems


def drift_issues(dialogue: Dialogue, tool: Tool, others: Sequence[Tool], known: Sequence[Known]) -> Iterator[Issue]:
    """Yield user turns whose words mean one of `others` and not `tool`, the gold tool."""
    said = {position: turn.text for position, turn in enumerate(dialogue.turns) if not position % 2}
    for position, meant in drifting(said, tool, others, known):
        yield Issue("goal_drifts", f"turns[{position}].text", f"the words mean {meant}, not {tool.name}")


def drifting(
    said: Mapping[int, str], tool: Tool, others: Sequence[Tool], known: Sequence[Known]
) -> Iterator[tuple[int, str]]:
    """Yield the position of each text that means one of `others` and not `tool`, with the name of the first such tool.

    `said` are a user's texts by position; `known` are the gold values of `tool`.
    """
    gold, *glosses = distinct_glosses((tool, *others))
    rivals = [(other.name, found) for other, found in zip(others, glosses, strict=True)]
    for position, text in said.items():
        meant = next((name for name, rival in rivals if drifts_to(text, gold, rival, known)), "")
        if meant:
            yield position, meant


_NEGATION = re.compile(
    r"\b(?:not|no|nope|neither|none|instead|other than|rather than|don't|dont|never)\b", re.IGNORECASE
)


@lru_cache(maxsize=256)
def _denies(text: str) -> bool:
    return _NEGATION.search(text) is not None


@lru_cache(maxsize=8192)
def _own_things(gloss: Gloss, rival: Gloss) -> frozenset[str]:
    """Stems of the thing by which a tool differs from another."""
    return stem_set(telling(gloss, [rival])) & gloss.object_stems - rival.stems


def _asks_to(text: str, other: Gloss) -> bool:
    """Whether the other tool's verb stands right before its thing."""
    if not other.verb or not other.chunks:
        return False
    head = stem(re.split(r"\W+", other.chunks[0].text.lower())[-1])
    return bool(_request(other.verb, head).search(" ".join(words(text))))


@lru_cache(maxsize=4096)
def _request(verb: str, head: str) -> re.Pattern[str]:
    ways = (verb, *ways_to_say(verb))
    said = "|".join(re.escape(form) for way in ways for form in (way, gerund(way), past_participle(way)))
    return re.compile(rf"\b(?:{said}) (?!about )(?:\w+ ){{0,4}}{re.escape(head)}")


@lru_cache(maxsize=64)
def _own_words(known: tuple[Known, ...]) -> frozenset[str]:
    """Stems of the nouns and values of the gold tool."""
    own: set[str] = set()
    for one in known:
        own |= one.slot.stems | stem_set(one.slot.noun.text)
        for form in forms(one.value, one.slot.kind):
            own |= set(content_stems(form))
    return frozenset(own)
