"""A wish as a phrase: verb and object of the tool's gloss, with the values in their places (section 3.4).

    the weather forecast | of a city      city = Lyon          the weather forecast | for Lyon
    the boards | of Pinterest users       user_id = USR-1      the boards | of Pinterest user USR-1
    whether | a date | is a holiday       date = 5 May         whether | 5 May | is a holiday

Values without a place follow the object: get the weather forecast for Lyon on 5 May.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import NamedTuple

import msgspec

from callwright.catalog.gloss import Chunk, Gloss
from callwright.lang.english import article, is_countable, is_plural, plural, ways_to_say
from callwright.lang.kinds import Kind
from callwright.lang.schemas import singular
from callwright.lang.tokens import content_stems, identifier_words, stem, stem_set
from callwright.lang.verbs_of_acts import CREATES, LOOKUPS
from callwright.papers.wild.task_briefs import REFERRING, Mention, Wish, entity_of
from callwright.papers.wild.value_phrases import (
    ValueNote,
    adjunct,
    adjuncts,
    inline,
    meant,
    owner_stems,
    ranges,
    short_noun,
    spoken,
)


class Phrase(NamedTuple):
    """A wish in words."""

    do: str
    """In base form: `get the weather forecast for Lyon`."""
    thing: str
    """What is looked up, with its article; empty for a wish that changes something."""
    notes: tuple[ValueNote, ...] = ()
    """Values that the phrase does not have."""

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
    """Return the wish in words; the phrase or its notes have all values that the text says or refers to."""
    day = date.fromisoformat(today) if today else None
    pairs = [mention for pair in ranges(wish.mentions) for mention in pair]
    goals = {id(one): words for one in wish.mentions if (words := _goal(rng, one, wish, day))}
    others = tuple(one for one in wish.mentions if id(one) not in goals)
    chunks, rest = _placed(rng, msgspec.structs.replace(wish, mentions=others), day, apart=pairs)
    tail, notes = adjuncts(rng, rest, day)
    tail = " ".join((*goals.values(), tail)).strip()
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


_MOVES = frozenset(
    "change update move set postpone reschedule adjust raise lower increase decrease reduce rename switch".split()
)


def _goal(rng: Random, mention: Mention, wish: Wish, today: date | None) -> str:
    """What the object of a change becomes: `move the due date to 5 May`, `lower the price by 5%`."""
    slot, gloss, verb = mention.known.slot, wish.gloss, wish.gloss.verb.split(" ")[0]
    if mention.way != "said" or verb not in _MOVES or slot.kind not in _SETTABLE:
        return ""
    value = mention.words or spoken(rng, mention.known, today).removeprefix("on ")
    if slot.kind == "percent":
        return f"by {value}"
    if slot.kind in _NEW_VALUES or (slot.kind == "code" and identifier_words(slot.name)[-1:] != ["id"]):
        return f"with {short_noun(slot)} {value}" if not owner_stems(mention) & gloss.object_stems else ""
    head = content_stems(slot.noun.text.split(" of ")[0])[-1:]
    if verb != "update" and set(head) & gloss.chunks[0].stems:
        return f"to {value}" if not value.startswith("in ") else ""
    is_new_name = head == [stem("name")] and any(one.known.slot.kind == "code" for one in wish.mentions)
    return f"with {short_noun(slot)} {value}" if is_new_name else ""


_NEW_VALUES: frozenset[Kind] = frozenset(("phone", "email", "url", "city", "country"))
_SETTABLE: frozenset[Kind] = _NEW_VALUES | {
    "title", "text", "other",
    "percent", "date", "datetime", "time", "count", "number", "money", "enum", "code"
}  # fmt: skip


def told_object(rng: Random, gloss: Gloss, mentions: Sequence[Mention], today: str) -> str:
    """Return the object of a wish that was fulfilled, with the values that tell which it was."""
    day = date.fromisoformat(today) if today else None
    own = tuple(
        chunk for at, chunk in enumerate(gloss.chunks) if not (at and chunk.preposition == "by" and _is_bare(chunk))
    )
    chunks, rest = _placed(rng, Wish(Gloss(gloss.verb, own), tuple(mentions)), day, apart=())
    text = " ".join(chunk.said for chunk in chunks)
    if not text.startswith("whether "):
        text = _INDEFINITE.sub("the ", text, count=1 if gloss.verb.split(" ")[0] in CREATES else 0)
    is_told = any(mention.way == "said" and mention not in rest for mention in mentions)
    tail = "" if is_told else next((words for one in rest if (words := adjunct(rng, one, day))), "")
    return re.sub(r"\bmy\b", "your", f"{text} {tail}".strip())


def _is_bare(chunk: Chunk) -> bool:
    """Whether a chunk says only what kind of value comes: `by company name`."""
    return chunk.text.islower() and not _DETERMINER.match(chunk.text)


_INDEFINITE = re.compile(r"\b(?:an?|any|another|one) (?=\w)")


def another(rng: Random, mention: Mention) -> str:
    """Return the words for a missing value that differs from an earlier one: `another city`."""
    entity = entity_of(mention.known.slot)
    if not is_countable(entity):
        return f"other {entity}"
    return f"{rng.choice(('another', 'a different'))} {entity}"


def bare_phrase(gloss: Gloss) -> str:
    """Return the object of the wish without values: `the weather forecast`."""
    first = gloss.chunks[0] if gloss.chunks else Chunk("", "that")
    says_little = first.stems <= _SAYS_LITTLE
    open_ = [chunk for chunk in gloss.chunks[1:] if chunk.preposition and chunk.text.split()[0].lower() in _ARTICLES]
    kept = [first, *(chunk for chunk in gloss.chunks[1:] if says_little or chunk not in open_)]
    text = " ".join(chunk.said for chunk in kept[:3])
    return re.sub(r"^(?:for|to|of|in|on|through|about) ", "", text)


_ARTICLES = ("a", "an", "the")
_SAYS_LITTLE = stem_set("data detail details information info status name list time times rate quotes result results")


_TITLED: frozenset[Kind] = frozenset(("code", "title", "other", "text"))
"""Kinds whose values stand behind their noun: `order ORD-1`, `the song "Yesterday"`."""
_SECRETS = frozenset(map(stem, ("password", "passphrase", "pin", "secret", "token")))
_PLACES = frozenset(("city", "location", "place", "area"))
_LISTS = frozenset("list search find filter locate discover".split())
_TURNS = frozenset("convert change turn rename".split())
"""Verbs whose object comes first; `to` introduces what it becomes."""
_DETERMINER = re.compile(r"^(?:an?|the|one|any|each|every|this|all) ")


def _placed(
    rng: Random, wish: Wish, today: date | None, *, apart: Sequence[Mention]
) -> tuple[list[Chunk], list[Mention]]:
    """Return the object's chunks with the values that replace some of them, and the other mentions.

    The mentions in `apart`, the ends of ranges, replace none.
    """
    own = wish.gloss.chunks
    chunks: list[Chunk | None] = list(own)
    rest: list[Mention] = []
    taken: set[int] = set()
    for mention in wish.mentions:
        if mention.way == "unsaid":
            continue
        place = None if mention in apart else _place_for(mention, wish, taken)
        if place is None:
            rest.append(mention)
            continue
        taken.add(place)
        chunks[place] = _filled(rng, own[place], mention, today, another=wish.another)
        if place + 1 < len(own) and place + 1 not in taken:
            after = own[place + 1]
            refers = mention.way in ("hidden", "fed", "again") and not place
            if after.text.startswith("any ") or (refers and f"{after.said} ".startswith(("of a ", "of an "))):
                chunks[place + 1] = None  # the value says which one
    return [chunk for chunk in chunks if chunk is not None], rest


def _place_for(mention: Mention, wish: Wish, taken: set[int]) -> int | None:
    slot = mention.known.slot
    owners = owner_stems(mention)
    if slot.kind == "enum" and mention.way == "said" and isinstance(mention.known.value, str):
        owners = frozenset(content_stems(slot.noun.text)[-1:])  # in the old town office
    if not owners or not owners.isdisjoint(_SECRETS):  # a password does not name its user
        return None
    chunks = wish.gloss.chunks
    order = range(len(chunks))
    for place in order if wish.gloss.verb in _TURNS else reversed(order):
        chunk = chunks[place]
        if place in taken or (place and not chunk.preposition):
            continue
        parts = re.split(r" (?:and|or) ", chunk.text)
        heads = {head for part in parts for head in content_stems(part)[-1:]}
        if slot.kind == "city" and place and heads & _PLACES:
            return place
        if owners & heads and _may_stand(slot.kind, chunk, place, wish):
            return place
    return None


def _may_stand(kind: Kind, chunk: Chunk, place: int, wish: Wish) -> bool:
    many = is_plural(chunk.text) or " and " in chunk.text
    if kind == "list":
        return many and " and " not in chunk.text
    if kind == "enum":
        return bool(chunk.preposition) and not many
    if kind == "url" and not place and wish.gloss.verb in CREATES:
        return False  # the given URL is another one
    if place or chunk.preposition:
        return True
    if many:
        return kind in ("code", "title", "person") and wish.gloss.verb.split(" ")[0] not in _LISTS
    return kind in _TITLED or kind in ("url", "email", "phone", "person")


def _filled(rng: Random, chunk: Chunk, mention: Mention, today: date | None, *, another: str) -> Chunk | None:
    noun = _noun(chunk, mention)
    if mention.known.slot.kind == "person" and mention.way == "said" and not chunk.preposition:
        said = plural(noun) if mention.words else noun
        return Chunk("", f"the {said} {mention.words or spoken(rng, mention.known, today)}")
    if mention.way == "missing":
        has_plural = any(is_plural(word) for word in noun.split())
        return Chunk(
            chunk.preposition, f"another {noun}" if another else noun if has_plural else f"{article(noun)} {noun}"
        )
    if mention.way in REFERRING:
        if mention.reference.hiding == "partial":
            return Chunk(chunk.preposition, f"the {noun}") if chunk.preposition in ("", "whether") else None
        return Chunk(chunk.preposition, meant(rng, mention))
    value = mention.words or spoken(rng, mention.known, today)
    kind = mention.known.slot.kind
    if kind == "list":
        return Chunk(chunk.preposition, f"the {_DETERMINER.sub('', chunk.text)} {value}")
    if kind == "enum":
        return Chunk(chunk.preposition, f"the {value} {noun}")
    if kind in _TITLED or (kind in ("url", "email", "phone") and not chunk.preposition):
        said = plural(noun) if mention.words else noun
        the = "the " if value.startswith('"') or (not chunk.preposition and kind != "code") else ""
        return Chunk(chunk.preposition, f"{the}{said} {value}")
    return Chunk("in" if chunk.preposition == "at" and kind == "city" else chunk.preposition, value)


def _noun(chunk: Chunk, mention: Mention) -> str:
    """The noun of the chunk in the singular, without article: `Pinterest user` for `Pinterest users`."""
    text = _DETERMINER.sub("", chunk.text)
    if " and " in text or " or " in text:
        return entity_of(mention.known.slot)
    return text if not is_plural(text) else " ".join([*text.split(" ")[:-1], singular(text.split(" ")[-1])])
