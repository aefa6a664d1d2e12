"""A wish as a phrase: verb and object of the tool's gloss, with the things that it is about, and notes (section 3.4).

update | a site | in an account        site_id = 57582        update site 57582
list | the deploys | of a site         site_id: hidden        list the deploys of that site
the other values                       title = "Harbour"      The title is "Harbour".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import NamedTuple

from callwright.author.briefs import Style
from callwright.catalog.chunks import Chunk, Gloss
from callwright.catalog.slots import said_noun
from callwright.environment.told_results import spoken
from callwright.lang.english import article, is_plural, plural, sentence_case, singular
from callwright.lang.kinds import ID_WORDS, Kind
from callwright.lang.schemas import name_words
from callwright.lang.tokens import content_stems, identifier_words
from callwright.lang.verbs_of_acts import CHANGES, CHECKS, CREATES, LOOKUPS
from callwright.papers.wild.task_briefs import REFERRING, Mention, Reference, Wish, entity_of

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_QUOTED: frozenset[Kind] = frozenset(("title", "other", "text"))
_PLACES: frozenset[Kind] = frozenset(("city", "country"))
_STANDING: frozenset[Kind] = frozenset(("code", "title", "other", "person", "city", "country"))
"""Kinds whose values may stand for the thing that a gloss speaks of."""
_MOST_WORDS = 4


class ValueNote(NamedTuple):
    """A value that the phrase does not have, with its noun."""

    noun: str
    value: str
    is_plural: bool = False
    act: str = ""
    """Set for a yes or no: what it means, `notify the customer`."""


class Phrase(NamedTuple):
    """A wish in words."""

    do: str
    """In base form: `get the weather forecast for Lyon`."""
    thing: str = ""
    """The thing looked up, with its article; empty for a wish that changes something."""
    notes: tuple[ValueNote, ...] = ()


def phrase(rng: Random, wish: Wish, today: str) -> Phrase:
    """Return the wish in words; the phrase or its notes have all values that the text says or refers to."""
    day = date.fromisoformat(today) if today else None
    chunks, rest = _placed(rng, wish, day)
    tail: list[str] = []
    notes: list[ValueNote] = []
    for mention in rest:
        words = _adjunct(rng, mention, wish, day)
        if words and not (tail and mention.way == "said"):
            tail.append(words if not tail else words.replace("for ", "and ", 1))
        elif mention.way == "said":
            notes.append(_note(rng, mention, day))
    body = " ".join([*(chunk.said for chunk in chunks), *tail])
    verb = wish.gloss.verb or "get"
    if (wish.gloss.act or "get") in LOOKUPS - CHECKS and chunks and not chunks[0].preposition:
        looks = ("list", "show me", "get") if is_plural(wish.gloss.chunks[0].text) else ("get", "show me", "look up")
        return Phrase(f"{rng.choice(looks)} {body}", body, tuple(notes))
    return Phrase(f"{verb} {body}".strip(), "", tuple(notes))


def told_object(rng: Random, gloss: Gloss, mentions: Sequence[Mention], today: str) -> str:
    """Return the object of a wish that was fulfilled, with the values that tell which it was."""
    day = date.fromisoformat(today) if today else None
    chunks, rest = _placed(rng, Wish(gloss, tuple(one for one in mentions if one.way == "said")), day)
    if len(rest) == len([one for one in mentions if one.way == "said"]) and chunks:
        chunks = [Chunk("", f"the {_bare(chunks[0].text)}"), *(one for one in chunks[1:] if not _is_open(one))]
    return _MY.sub("your", " ".join(chunk.said for chunk in chunks))


_MY = re.compile(r"\bmy\b")


# -- things ----------------------------------------------------------------------------------------------------------


def _placed(rng: Random, wish: Wish, today: date | None) -> tuple[list[Chunk], list[Mention]]:
    """Return the object's chunks with the things that replace some of them, and the other mentions."""
    own = wish.gloss.chunks
    filled: dict[int, Chunk | None] = {}
    rest: list[Mention] = []
    for mention in wish.mentions:
        place = None if mention.way == "unsaid" else _place_for(mention, wish, filled)
        if place is not None:
            filled[place] = _filled(rng, own[place], mention, today, wish.another)
        elif mention.way != "unsaid":
            rest.append(mention)
    kept = [(at, filled.get(at, chunk)) for at, chunk in enumerate(own)]
    is_open = [
        bool(at and (filled or own[at].preposition == "by") and at not in filled and _is_open(own[at]))
        for at, _ in kept
    ]
    return [chunk for (_, chunk), drop in zip(kept, is_open, strict=True) if chunk is not None and not drop], rest


_COUNTED = frozenset("two three several multiple".split())


def _is_open(chunk: Chunk) -> bool:
    """Whether a chunk says only that there is such a thing: `of a site`, `by ID`."""
    return chunk.preposition == "by" or (
        bool(chunk.preposition) and chunk.text.split(" ")[0] in ("a", "an", "any", "one")
    )


def _place_for(mention: Mention, wish: Wish, filled: dict[int, Chunk | None]) -> int | None:
    """The chunk whose thing a value stands for; the name of something new is not the thing."""
    slot, gloss = mention.known.slot, wish.gloss
    acts = gloss.act in CREATES | CHANGES
    if slot.kind not in _STANDING or (acts and slot.kind in ("title", "other", "person")):
        return None
    entity = content_stems(entity_of(slot))
    head = entity[-1:]
    for place in reversed(range(len(gloss.chunks))):
        chunk = gloss.chunks[place]
        is_its_own = place == 0 and gloss.act in LOOKUPS and ID_WORDS.issuperset(name_words(slot.name))
        is_one = (
            is_its_own
            or (bool(chunk.preposition) and chunk.text.split(" ")[0] not in _COUNTED)
            or not is_plural(chunk.text)
        )
        said = content_stems(chunk.text)
        is_another = set(entity) - set(said) and set(said) - set(entity)  # a resource group is no placement group
        if place not in filled and is_one and head and said[-1:] == head and not is_another:
            return place
    return None


def _filled(rng: Random, chunk: Chunk, mention: Mention, today: date | None, another: str) -> Chunk | None:
    before, joined, last = chunk.text.rpartition(" and ")
    if joined and mention.way == "said" and _bare(last) != last:  # `a league and a season 2024`
        told = _filled(rng, Chunk("", last), mention, today, another)
        return Chunk(chunk.preposition, f"{before} and {told.text}") if told else None
    bare = _bare(chunk.text)
    noun = singular(bare) if is_plural(bare) else bare
    if mention.way == "missing":
        return Chunk(chunk.preposition, another_of(noun) if another else f"{article(noun)} {noun}")
    if mention.way in REFERRING:
        if mention.reference.hiding == "partial":
            return Chunk("", f"the {noun}") if not chunk.preposition else None
        return Chunk(chunk.preposition, mention.words or referred(rng, mention.reference, noun))
    value = mention.words or spoken(rng, mention.known, today)
    if mention.known.slot.kind in _PLACES and chunk.preposition:
        return Chunk("in" if chunk.preposition == "at" else chunk.preposition, value)
    if noun.endswith(_QUALITIES):
        return Chunk(chunk.preposition, f"the {noun} of {value}")
    noun = plural(noun) if mention.words else noun
    return Chunk(chunk.preposition, f"{'the ' if value.startswith(chr(34)) else ''}{noun} {value}")


_QUALITIES = ("availability", "validity", "existence", "status", "usage", "progress")
"""Last words of what is no thing, but something of one: the `name availability` of "atlas"."""


def _bare(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if rest and first.lower() in _POINTING else text


_POINTING = frozenset("a an the one any each every this all my several multiple".split())


def referred(rng: Random, reference: Reference, entity: str) -> str:
    """Return words that refer to a thing without saying its value."""
    which = f"the {ORDINALS[reference.ordinal]} {entity}" if reference.ordinal else f"the {entity}"
    if reference.hiding == "long_range":
        if reference.request:
            return f"{which} from my {ORDINALS[reference.request]} {rng.choice(('request', 'question'))}"
        if reference.is_new:
            return f"{which} you created earlier"
        if reference.ordinal:
            return f"{which} on the list from earlier"
        told = (
            ("that came up earlier", "from earlier") if reference.obtained else ("I mentioned earlier", "from earlier")
        )
        return f"{which} {rng.choice(told)}"
    if reference.ordinal:
        return f"{which} on that list" if reference.hiding else which
    if reference.hiding or reference.is_new:
        return f"{'those' if is_plural(entity) else 'that'} {entity}"
    if reference.obtained:
        return f"its {entity}"
    return f"the same {entity}"


def another(mention: Mention) -> str:
    """Return the words for a missing value that differs from an earlier one: `another city`."""
    return another_of(entity_of(mention.known.slot))


def another_of(noun: str) -> str:
    """Return `another` with the noun."""
    return f"other {noun}" if is_plural(noun) else f"another {noun}"


# -- other values ----------------------------------------------------------------------------------------------------


def _adjunct(rng: Random, mention: Mention, wish: Wish, today: date | None) -> str:
    """Return a thing, place or day with its preposition; empty if the value is a note, or is not spoken of."""
    slot = mention.known.slot
    if mention.way == "missing":
        return f"for {another(mention)}" if wish.another else ""
    if mention.reference.hiding == "partial" or (mention.way == "said" and not _is_adjunct(mention)):
        return ""
    if mention.way in REFERRING:
        words = mention.words or referred(rng, mention.reference, entity_of(slot))
    else:
        value = mention.words or spoken(rng, mention.known, today)
        entity = plural(entity_of(slot)) if mention.words else entity_of(slot)
        words = f"{entity} {value}" if slot.kind == "code" else value
    if slot.kind == "date":
        return at_time(words)
    named = set(identifier_words(slot.name))
    if slot.kind in _PLACES:
        return f"{'to' if named & _GOALS else 'from' if named & _STARTS else 'in'} {words}"
    if slot.kind == "code" and wish.gloss.act in _MOVES:
        return f"{_MOVES[wish.gloss.act]} {words}"
    return f"{'about' if named & _SOUGHT else 'for'} {words}"


_MOVES = {"remove": "from", "kick": "from", "add": "to", "invite": "to"}
"""Acts on what is in something, with the preposition that says where it is."""


_STARTS = frozenset(("origin", "from", "departure", "start"))
_GOALS = frozenset(("destination", "to", "arrival", "end"))
_SOUGHT = frozenset(("query", "keyword", "keywords", "topic"))


def _is_adjunct(mention: Mention) -> bool:
    slot = mention.known.slot
    if slot.kind == "code":
        return bool(slot.noun.entity) and len(entity_of(slot).split()) <= _MOST_WORDS
    is_sought = slot.kind in _QUOTED and not _SOUGHT.isdisjoint(identifier_words(slot.name))
    return slot.kind in _PLACES or is_sought or (slot.kind == "date" and slot.noun.text in ("date", "day"))


def at_time(day: str) -> str:
    """Return a day as the time of something: `on 5 May`, `yesterday`."""
    return day if day.startswith(_RELATIVE) or day.endswith(" ago") else f"on {day}"


_RELATIVE = ("today", "tomorrow", "yesterday", "on ", "in ", "next ", "this ", "last ", "a week ", "two ")


def again(rng: Random, mention: Mention, today: date | None) -> str:
    """Return the changed value of a repeated wish: `for site 57582`, `for Lyon`."""
    value, entity = mention.words or spoken(rng, mention.known, today), entity_of(mention.known.slot)
    if mention.known.slot.kind != "code":
        return f"for {value}"
    return f"for {plural(entity) if mention.words else entity} {value}"


# -- notes -----------------------------------------------------------------------------------------------------------


def _note(rng: Random, mention: Mention, today: date | None) -> ValueNote:
    noun = mention.known.slot.noun
    if mention.known.slot.kind == "boolean":
        act = noun.consequence if mention.known.value else f"do not {noun.consequence}"
        return ValueNote(noun.text, "yes" if mention.known.value else "no", act=act if noun.consequence else "")
    called = said_noun(mention.known.slot)
    if mention.words and not noun.plural:  # of several calls
        return ValueNote(plural(called), mention.words, is_plural=True)
    return ValueNote(called, mention.words or spoken(rng, mention.known, today), noun.plural and called == noun.text)


def noted(notes: Sequence[ValueNote], style: Style) -> str:
    """Return notes as the end of a request: sentences, or in a terse text asides."""
    if not notes:
        return ""
    plain = [note for note in notes if not note.act]
    if style == "terse":
        return ", " + ", ".join(
            [*(f"{note.noun} {note.value}" for note in plain), *(note.act for note in notes if note.act)]
        )
    parts = [
        f"the {note.noun} {'are' if note.is_plural else 'is'} {note.value}"
        for note in plain
        if note.value not in ("yes", "no")
    ]
    parts += [f"{note.noun}: {note.value}" for note in plain if note.value in ("yes", "no")]
    sentences = [", and ".join(parts[at : at + 2]) for at in range(0, len(parts), 2)]
    return "".join(f" {sentence_case(one)}." for one in [*sentences, *(note.act for note in notes if note.act)])
