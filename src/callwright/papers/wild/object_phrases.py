"""The object of a wish with its values in their places.

the weather forecast | of a city          city = Lyon          the weather forecast | for Lyon
the boards | of Pinterest users           user_id = USR-1      the boards | of Pinterest user USR-1
whether | a date | is a holiday           date = 5 May         whether | 5 May | is a holiday
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random

from callwright.catalog.gloss import Chunk
from callwright.lang.english import article, is_plural, plural
from callwright.lang.kinds import Kind
from callwright.lang.schemas import singular
from callwright.lang.tokens import content_stems, identifier_words, stem
from callwright.lang.verbs_of_acts import CREATES
from callwright.papers.wild.task_briefs import REFERRING, Mention, Wish
from callwright.papers.wild.value_phrases import entity_of, meant, spoken

_IDENTIFYING: frozenset[Kind] = frozenset(("code", "title", "other", "person", "city", "country", "currency", "list"))
"""Kinds whose values may stand for the thing they belong to."""
_OF_ITSELF: frozenset[Kind] = frozenset(
    ("email", "url", "phone", "date", "year", "language", "datetime", "time", "text")
)
"""Kinds whose values stand only where they are spoken of themselves."""
_TITLED: frozenset[Kind] = frozenset(("code", "title", "other", "text"))
"""Kinds whose values stand behind their noun: `order ORD-1`, `the song "Yesterday"`."""
_SECRETS = frozenset(map(stem, ("password", "passphrase", "pin", "secret", "token")))
_GENERIC = frozenset(map(stem, "name id ids code value number type data information title key input text".split()))
_PLACES = frozenset(("city", "location", "place", "area"))
_LISTS = frozenset("list search find filter locate discover".split())
_TURNS = frozenset("convert change turn rename".split())
"""Verbs whose object comes first: what stands behind `to` is what it becomes."""
_DETERMINER = re.compile(r"^(?:an?|the|one|any|each|every|this|all) ")


def placed(
    rng: Random, wish: Wish, today: date | None, *, apart: Sequence[Mention]
) -> tuple[list[Chunk], list[Mention]]:
    """Return the object's chunks with values in place of what stands for them, and the mentions left over.

    Those that stand `apart`, as the two ends of a range do, have no place in it.
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
        if place + 1 < len(own) and place + 1 not in taken and _is_any(own[place + 1], mention, place):
            chunks[place + 1] = None  # it is a certain one now
    return [chunk for chunk in chunks if chunk is not None], rest


def _is_any(chunk: Chunk, mention: Mention, place: int) -> bool:
    """Whether a chunk says of which such things a thing may be, that is referred to: `of a business trip`."""
    refers = mention.way in ("hidden", "fed", "again") and not place
    return chunk.text.startswith("any ") or (refers and f"{chunk.said} ".startswith(("of a ", "of an ")))


def _place_for(mention: Mention, wish: Wish, taken: set[int]) -> int | None:
    slot = mention.known.slot
    owners = owner_stems(mention)
    if not owners or not owners.isdisjoint(_SECRETS):  # a user is not called by their password
        return None
    chunks = wish.gloss.chunks
    order = range(len(chunks))
    for place in order if wish.gloss.verb in _TURNS else reversed(order):
        chunk = chunks[place]
        if place in taken or (chunk.preposition in ("", "whether") and place and not chunk.text[:1].isalpha()):
            continue
        if place and not chunk.preposition:
            continue
        heads = _heads(chunk)
        if slot.kind == "city" and place and heads & _PLACES:
            return place
        if owners & heads and _may_stand(slot.kind, chunk, place, wish):
            return place
    return None


def _may_stand(kind: Kind, chunk: Chunk, place: int, wish: Wish) -> bool:
    many = is_plural(chunk.text) or " and " in chunk.text
    if kind == "list":
        return many and " and " not in chunk.text
    if kind == "url" and not place and wish.gloss.verb in CREATES:
        return False  # the one that is given is another
    if place or chunk.preposition:
        return True
    if many:
        return kind in ("code", "title", "person") and wish.gloss.verb.split(" ")[0] not in _LISTS
    return kind in _TITLED or kind in ("url", "email", "phone", "person")


def owner_stems(mention: Mention) -> frozenset[str]:
    """Return the stems of the nouns for which a value may stand: `user` for a user ID."""
    slot = mention.known.slot
    named = [stem(word) for word in identifier_words(slot.name)]
    head = content_stems(slot.noun.text.split(" of ")[0])[-1:]
    if slot.kind in _OF_ITSELF:
        if slot.kind in ("email", "phone", "url"):  # `to the recipient` stands for the recipient's address
            head = [*head, *content_stems(slot.noun.text)[-1:]]
        return frozenset([*head, *named[-1:]])
    if slot.kind not in _IDENTIFYING:
        return frozenset()
    entity = content_stems(entity_of(mention.known).split(" of ")[0])[-1:]
    telling = [word for word in named if word not in _GENERIC][-1:]
    found = {*entity, *telling} - _GENERIC
    return frozenset(found) or frozenset({*entity, *head})


def _heads(chunk: Chunk) -> frozenset[str]:
    """Stems of the head noun, of every one where several are joined."""
    heads = [content_stems(part)[-1:] for part in re.split(r" (?:and|or) ", chunk.text)]
    return frozenset(head[0] for head in heads if head)


def _filled(rng: Random, chunk: Chunk, mention: Mention, today: date | None, *, another: str) -> Chunk | None:
    noun = _noun(chunk, mention)
    if mention.way == "missing":
        return Chunk(chunk.preposition, f"another {noun}" if another else _with_article(noun))
    if mention.way in REFERRING:
        if mention.reference.hiding == "partial":
            return Chunk(chunk.preposition, f"the {noun}") if chunk.preposition in ("", "whether") else None
        return Chunk(chunk.preposition, meant(rng, mention))
    value = mention.words or spoken(rng, mention.known, today)
    kind = mention.known.slot.kind
    if kind == "list":
        return Chunk(chunk.preposition, f"the {_DETERMINER.sub('', chunk.text)} {value}")
    if kind in _TITLED or (kind in ("url", "email", "phone") and not chunk.preposition):
        said = plural(noun) if mention.words else noun
        the = "the " if value.startswith('"') or (not chunk.preposition and kind != "code") else ""
        return Chunk(chunk.preposition, f"{the}{said} {value}")
    return Chunk("in" if chunk.preposition == "at" and kind == "city" else chunk.preposition, value)


def _noun(chunk: Chunk, mention: Mention) -> str:
    """One of what the chunk speaks of, without article: `Pinterest user` for `Pinterest users`."""
    text = _DETERMINER.sub("", chunk.text)
    if " and " in text or " or " in text:
        return entity_of(mention.known)
    return text if not is_plural(text) else " ".join([*text.split(" ")[:-1], singular(text.split(" ")[-1])])


def _with_article(noun: str) -> str:
    return noun if any(is_plural(word) for word in noun.split()) else f"{article(noun)} {noun}"
