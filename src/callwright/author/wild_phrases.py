"""A wish as a phrase: verb and object of the tool's gloss, with the values, or references to them, in their places.

    get the weather forecast | of a city      city = Lyon, date = 5 May
    get the weather forecast for Lyon on 5 May
"""

from __future__ import annotations

import re
from datetime import date
from random import Random
from typing import NamedTuple

from callwright.author.acts import Known
from callwright.author.wild_acts import Mention, Reference, Wish
from callwright.catalog.gloss import Chunk, Gloss
from callwright.lang.english import article, is_plural, join_with, plural, ways_to_say
from callwright.lang.kinds import Kind
from callwright.lang.surface import say
from callwright.lang.tokens import content_stems, stem


class Phrase(NamedTuple):
    """A wish in words."""

    do: str
    """In base form: `get the weather forecast for Lyon`."""
    thing: str
    """What is looked up, with its article; empty for a wish that changes something."""


LOOKUPS = frozenset(
    "get retrieve obtain access fetch show find view read query list provide look see pull check".split()
)
"""Verbs of wishes to know something; all others change something or work something out."""
_SECRETS = frozenset(map(stem, ("password", "passphrase", "pin", "secret", "token")))
_PLACED: frozenset[Kind] = frozenset(
    ("city", "country", "code", "title", "other", "person", "email", "url", "phone", "date", "year", "currency",
     "language", "text", "datetime", "time")
)  # fmt: skip
_QUOTED: frozenset[Kind] = frozenset(("title", "other", "text"))
_GENERIC = frozenset(stem(word) for word in "name id ids code value number type data information keyword title".split())
_GET = ("get", "get", "look up", "find", "pull up", "check")


def phrase(rng: Random, wish: Wish, today: str) -> Phrase:
    """Return the wish in words, all of its values said or referred to."""
    day = date.fromisoformat(today) if today else None
    chunks, rest = _placed(rng, wish, day)
    tail = _adjuncts(rng, rest, day)
    if wish.another and any(mention.way == "missing" for mention in rest):
        tail = f"{tail} for {rng.choice(('another', 'a different'))} {wish.another}".strip()
    object_ = " ".join(chunk.said for chunk in chunks)
    body = " ".join(part for part in (object_, tail) if part)
    verb = wish.gloss.verb or "get"
    looks = verb.split(" ")[0] in LOOKUPS
    starts_bare = bool(chunks) and not chunks[0].preposition
    if looks and starts_bare:
        return Phrase(f"{rng.choice(_GET)} {body}", body)
    said = rng.choice((verb, ways_to_say(verb)[0])) if starts_bare else verb
    return Phrase(f"{said} {body}".strip(), "")


def bare_phrase(gloss: Gloss) -> str:
    """Return what the wish is about without any value: `the weather forecast`."""
    first = gloss.chunks[0] if gloss.chunks else Chunk("", "that")
    kept = [first] + [chunk for chunk in gloss.chunks[1:] if not _is_open(chunk)]
    text = " ".join(chunk.said for chunk in kept[:3])
    return re.sub(r"^(?:for|to|of|in|on|through) ", "", text)


def _is_open(chunk: Chunk) -> bool:
    """Whether a chunk stands for any such thing: `of a city`."""
    return chunk.text.split()[0].lower() in ("a", "an", "the") and bool(chunk.preposition)


# -- values in the object --------------------------------------------------------------------------------------------


def _placed(rng: Random, wish: Wish, today: date | None) -> tuple[list[Chunk], list[Mention]]:
    """Return the object's chunks with values in place of what stands for them, and the mentions left over."""
    chunks: list[Chunk | None] = list(wish.gloss.chunks)
    rest: list[Mention] = []
    taken: set[int] = set()
    for mention in wish.mentions:
        if mention.way == "unsaid":
            continue
        place = _place_for(mention, wish.gloss.chunks, taken)
        if place is None:
            rest.append(mention)
            continue
        taken.add(place)
        chunks[place] = _filled(rng, wish.gloss.chunks[place], mention, today, another=wish.another)
    return [chunk for chunk in chunks if chunk is not None], rest


def _place_for(mention: Mention, chunks: tuple[Chunk, ...], taken: set[int]) -> int | None:
    slot = mention.known.slot
    if slot.kind not in _PLACED:
        return None
    about = {stem(word) for word in slot.noun.text.lower().split()} | set(content_stems(_spaced(slot.name)))
    if not about.isdisjoint(_SECRETS):  # a user is not called by their password
        return None
    for place in reversed(range(len(chunks))):
        chunk = chunks[place]
        head = content_stems(chunk.text)[-1:]
        if place in taken or " and " in chunk.text or not head or is_plural(chunk.text):
            continue
        owners = about - _GENERIC or about
        if head[0] in owners and (place or slot.kind in ("code", "title", "other", "text")):
            return place
        if slot.kind == "city" and head[0] in ("city", "location", "place") and place:
            return place
    return None


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower()


def _filled(rng: Random, chunk: Chunk, mention: Mention, today: date | None, *, another: str) -> Chunk | None:
    noun = re.sub(r"^(?:an?|the|one|any|each|every|this) ", "", chunk.text)
    if mention.way == "missing":
        return Chunk(chunk.preposition, _another(noun) if another else _with_article(noun))
    if mention.way in ("hidden", "fed", "again"):
        if mention.reference.hiding == "partial":
            return Chunk("", f"the {noun}") if not chunk.preposition else None
        means = mention.words or referred(rng, mention.reference, mention.known, noun)
        return Chunk(chunk.preposition, means)
    value = mention.words or spoken(rng, mention.known, today)
    noun = plural(noun) if mention.words else noun
    if mention.known.slot.kind in ("code", "title", "other", "text"):
        the = "the " if value.startswith('"') else ""
        return Chunk(chunk.preposition, f"{the}{noun} {value}")
    return Chunk("in" if chunk.preposition == "at" and mention.known.slot.kind == "city" else chunk.preposition, value)


def _with_article(noun: str) -> str:
    return noun if any(is_plural(word) for word in noun.split()) else f"{article(noun)} {noun}"


def _another(noun: str) -> str:
    return f"another {noun}"


def spoken(rng: Random, known: Known, today: date | None) -> str:
    """Return a value as it is said; names of things and words stand in quotes."""
    kind = known.slot.kind
    text = say(known.value, kind, rng=rng, today=today)
    if isinstance(known.value, (int, float)) and kind in ("count", "number"):
        return str(known.value)  # "one" is a pronoun more often than a number
    if kind == "enum" and isinstance(known.value, str) and " " in known.value and not known.value.islower():
        text = known.value  # a name or a sentence, not a choice
        return text if text.istitle() else f'"{text}"'
    if kind == "enum" and isinstance(known.value, str) and known.value.istitle() and not known.slot.description:
        return known.value
    is_short = kind == "enum" and len(text) <= 4 and text.islower()
    return f'"{text}"' if isinstance(known.value, str) and (kind in _QUOTED or is_short) else text


# -- references ------------------------------------------------------------------------------------------------------

_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def referred(rng: Random, reference: Reference, known: Known, noun: str) -> str:
    """Return words that mean the value without saying it."""
    entity = reference.entity or entity_of(known) or noun
    if reference.ordinal:
        which = f"the {_ORDINALS[reference.ordinal]} {entity}"
        if reference.hiding == "long_range":
            return f"{which} from {_request(rng, reference)}"
        if reference.hiding:
            return rng.choice((f"{which} on that list", f"{which} of those", f"{which} you found"))
        return rng.choice((f"{which} it finds", f"{which} that comes up", f"{which} on the list", which))
    plural = is_plural(entity) and not entity.startswith("number of ")
    if reference.hiding == "long_range":
        return f"the {entity} from {_request(rng, reference)}"
    if reference.hiding:
        return rng.choice((f"{'those' if plural else 'that'} {entity}", f"the same {entity}"))
    if reference.obtained:
        return rng.choice((f"the {entity} you get", f"the {entity} that comes back", f"the resulting {entity}"))
    return f"the same {entity}"


def _request(rng: Random, reference: Reference) -> str:
    which = _ORDINALS[reference.request]
    return rng.choice((f"my {which} request", f"my {which} question"))


def entity_of(known: Known) -> str:
    """Return what the value identifies, or what it is: `song` for a song ID, `city` for the name of a city."""
    slot = known.slot
    if slot.kind in ("city", "country"):
        return slot.kind
    text = re.sub(r"^(?:\w+ )?(?:name|title|ID|code|identifier|number|keyword) of (?:the |a |an )?", "", slot.noun.text)
    return slot.noun.entity or re.sub(r" (?:name|title)$", "", text) or slot.noun.text


# -- values around the object ----------------------------------------------------------------------------------------


def _adjuncts(rng: Random, mentions: list[Mention], today: date | None) -> str:
    """Return the words for values that have no place in the object, pairs such as beginning and end together."""
    parts: list[str] = []
    late: list[str] = []
    left = [mention for mention in mentions if mention.way != "missing" and mention.reference.hiding != "partial"]
    for low, high in _pairs(left):
        parts.append(_range(rng, low, high, today))
        left = [mention for mention in left if mention not in (low, high)]
    for mention in left:
        words = adjunct(rng, mention, today)
        (late if mention.known.slot.kind in ("text", "object") else parts).append(words)
    return " ".join([*_joined(parts), *late])


def _joined(parts: list[str]) -> list[str]:
    """`with A and B` for two in a row that both begin with `with`."""
    out: list[str] = []
    for part in parts:
        if out and part.startswith("with ") and out[-1].startswith("with "):
            out[-1] += " and " + part.removeprefix("with ")
        else:
            out.append(part)
    return out


_ENDS = (("start", "end"), ("starting", "ending"), ("from", "to"), ("base", "target"), ("begin", "end"),
         ("origin", "destination"), ("source", "target"), ("original", "target"), ("since", "until"),
         ("departure", "arrival"), ("starting", "destination"), ("min", "max"))  # fmt: skip


def _pairs(mentions: list[Mention]) -> list[tuple[Mention, Mention]]:
    found: list[tuple[Mention, Mention]] = []
    used: set[int] = set()
    for one in mentions:
        for other in mentions:
            same = one.known.slot.kind == other.known.slot.kind and one.way == other.way == "said"
            if one is other or not same or {id(one), id(other)} & used:
                continue
            first, second = _spaced(one.known.slot.name).split(), _spaced(other.known.slot.name).split()
            if any(low in first and high in second for low, high in _ENDS):
                found.append((one, other))
                used |= {id(one), id(other)}
    return found


def _range(rng: Random, low: Mention, high: Mention, today: date | None) -> str:
    first, second = spoken(rng, low.known, today), spoken(rng, high.known, today)
    if low.known.slot.kind in ("money", "number", "count"):
        return f"between {first} and {second}"
    return f"from {first} to {second}"


def adjunct(rng: Random, mention: Mention, today: date | None) -> str:
    """Return one value with the words that say what it is: `on 5 May`, `with a limit of 20`."""
    slot = mention.known.slot
    noun = slot.noun.text
    if mention.way in ("hidden", "fed", "again"):
        return _referring(rng, mention)
    value = mention.words or spoken(rng, mention.known, today)
    words = set(_spaced(slot.name).split())
    if slot.kind == "boolean":
        return _yes_or_no(mention.known)
    if slot.kind == "list":
        return f"for {value}" if len(str(value)) < 60 else f"with {value} as the {noun}"
    if slot.kind in ("date", "datetime"):
        if words & {"start", "since", "from", "after"}:
            return f"from {value} on" if words & {"start", "from"} else f"since {value}"
        if words & {"end", "until", "to", "before", "expiration", "expiry"}:
            return f"until {value}"
        return value if value.startswith(_RELATIVE) else f"on {value}"
    if slot.kind == "time":
        return f"at {value}"
    if slot.kind == "year":
        return f"for {value}" if not words & {"start", "end"} else f"with {value} as the {noun}"
    if slot.kind == "city":
        return f"{_direction(words)} {value}"
    if slot.kind == "country":
        return f"for {value}"
    if slot.kind == "language":
        return f"in {value}" if not words & {"from", "to", "target", "source"} else f"with {value} as the {noun}"
    if slot.kind == "money":
        return f"with {_a(noun)} of {value}"
    if slot.kind in ("count", "number", "percent"):
        return _counted(value, known=mention.known)
    if slot.kind == "code" and len(entity_of(mention.known).split()) <= 3:
        entity = entity_of(mention.known)
        return f"for {plural(entity) if ' and ' in mention.words else entity} {value}"
    if slot.kind in ("email", "phone", "url") and len(words) == 1:
        return f"for {value}"
    if words & {"query", "keyword", "keywords", "topic"}:
        return f"about {value}"
    if slot.kind in ("title", "other") and _NAMES.search(noun) and len(entity_of(mention.known).split()) <= 3:
        return f"for the {entity_of(mention.known)} {value}"
    if slot.kind == "text":
        return f"with this {_short(noun)}: {value}"
    return f"with {value} as the {noun}"


_RELATIVE = ("today", "tomorrow", "yesterday", "on ", "in ", "next ", "this ", "last ", "a week ", "two ")


def _direction(words: set[str]) -> str:
    if words & {"destination", "to", "arrival"}:
        return "to"
    return "from" if words & {"origin", "from", "departure"} else "in"


_NAMES = re.compile(r"^(?:\w+ )?(?:name|title) of |\w (?:name|title)$")


def _short(noun: str) -> str:
    return noun if len(noun.split()) <= 3 else noun.split(" of ")[0]


def _a(noun: str) -> str:
    return f"{article(noun)} {noun}" if not is_plural(noun) else noun


def _counted(value: str, *, known: Known) -> str:
    noun = known.slot.noun
    if noun.text.startswith(("number of ", "maximum number of ", "total number of ")):
        thing = noun.counted if known.value != 1 else re.sub(r"s$", "", noun.counted)
        return f"with {value} {thing}" if not noun.text.startswith("max") else f"with at most {value} {thing}"
    return f"with {_a(noun.text)} of {value}"


def _yes_or_no(known: Known) -> str:
    noun = known.slot.noun
    if noun.consequence:
        return f"and {noun.consequence}" if known.value else f"but do not {noun.consequence}"
    return f'with "{noun.text}" {"on" if known.value else "off"}'


def _referring(rng: Random, mention: Mention) -> str:
    slot, reference = mention.known.slot, mention.reference
    words = set(_spaced(slot.name).split())
    means = mention.words or referred(rng, reference, mention.known, slot.noun.text)
    if slot.kind in ("date", "datetime"):
        edge = "from" if words & {"start", "from", "since"} else "until" if words & {"end", "to", "until"} else "on"
        return f"{edge} {means}"
    if slot.kind == "city":
        near = reference.hiding == "coreference" and not reference.ordinal and not words & {"origin", "destination"}
        if near and rng.random() < 0.6:
            return "there"
        return f"{_direction(words)} {means}"
    if slot.kind in ("country", "code", "url", "email", "phone", "person", "title", "other", "list"):
        return f"for {means}"
    return f"with {means}"


def value_list(rng: Random, knowns: list[Known], today: str) -> str:
    """Return values of one parameter as a list in running text: `Lyon, Paris and Nice`."""
    day = date.fromisoformat(today) if today else None
    return join_with([spoken(rng, known, day) for known in knowns])
