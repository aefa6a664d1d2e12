"""A wish as a phrase: verb and object of the tool's gloss, with the values, or references to them, in their places.

get the weather forecast | of a city      city = Lyon, date = 5 May
get the weather forecast for Lyon on 5 May
"""

from __future__ import annotations

import re
from datetime import date
from random import Random
from typing import NamedTuple

from callwright.catalog.gloss import Chunk, Gloss
from callwright.lang.english import is_countable, ways_to_say
from callwright.lang.tokens import stem_set
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.wild.adjuncts import ValueNote, adjuncts, inline, ranges
from callwright.papers.wild.object_phrases import placed
from callwright.papers.wild.task_briefs import Mention, Wish
from callwright.papers.wild.value_phrases import entity_of


class Phrase(NamedTuple):
    """A wish in words."""

    do: str
    """In base form: `get the weather forecast for Lyon`."""
    thing: str
    """What is looked up, with its article; empty for a wish that changes something."""
    notes: tuple[ValueNote, ...] = ()
    """Values that the phrase leaves to be noted."""

    @property
    def whole(self) -> str:
        """The phrase with its notes as an aside."""
        return f"{self.do} {inline(self.notes)}".strip()

    def with_aside(self) -> Phrase:
        """Return the phrase with its notes inside."""
        thing = f"{self.thing} {inline(self.notes)}".strip() if self.thing else ""
        return Phrase(self.whole, thing)


_GET = ("get", "get", "look up", "find", "pull up", "check")


def phrase(rng: Random, wish: Wish, today: str) -> Phrase:
    """Return the wish in words, all of its values said or referred to."""
    day = date.fromisoformat(today) if today else None
    pairs = [mention for pair in ranges(wish.mentions) for mention in pair]
    chunks, rest = placed(rng, wish, day, apart=pairs)
    tail, notes = adjuncts(rng, rest, day)
    if wish.another and (lacking := [mention for mention in rest if mention.way == "missing"]):
        preposition = "in" if lacking[0].known.slot.kind in ("city", "country") else "for"
        tail = f"{tail} {preposition} {another(rng, lacking[0])}".strip()
    object_ = " ".join(chunk.said for chunk in chunks)
    body = " ".join(part for part in (object_, tail) if part)
    verb = wish.gloss.verb or "get"
    looks = verb.split(" ")[0] in LOOKUPS
    starts_bare = bool(chunks) and not chunks[0].preposition
    if looks and starts_bare:
        return Phrase(f"{rng.choice(_GET)} {body}", body, notes)
    said = rng.choice((verb, ways_to_say(verb)[0])) if starts_bare else verb
    return Phrase(f"{said} {body}".strip(), "", notes)


def another(rng: Random, mention: Mention) -> str:
    """Return words for a value that is missing, and is not one known from earlier: `another city`."""
    entity = entity_of(mention.known)
    if not is_countable(entity):
        return f"other {entity}"
    return f"{rng.choice(('another', 'a different'))} {entity}"


def bare_phrase(gloss: Gloss) -> str:
    """Return what the wish is about without any value: `the weather forecast`."""
    first = gloss.chunks[0] if gloss.chunks else Chunk("", "that")
    says_little = first.stems <= _SAYS_LITTLE
    kept = [first] + [chunk for chunk in gloss.chunks[1:] if says_little or not _is_open(chunk)]
    text = " ".join(chunk.said for chunk in kept[:3])
    return re.sub(r"^(?:for|to|of|in|on|through|about) ", "", text)


_SAYS_LITTLE = stem_set("data detail details information info status name list time times rate quotes result results")


def _is_open(chunk: Chunk) -> bool:
    """Whether a chunk stands for any such thing: `of a city`."""
    return chunk.text.split()[0].lower() in ("a", "an", "the") and bool(chunk.preposition)
