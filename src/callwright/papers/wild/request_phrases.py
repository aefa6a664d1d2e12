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

from callwright.author.briefs import Known, Style
from callwright.catalog.chunks import Chunk, Gloss
from callwright.catalog.slots import said_noun
from callwright.environment.told_results import spoken
from callwright.lang.english import article, is_countable, is_noun, is_plural, plural, sentence_case, singular
from callwright.lang.kinds import ID_WORDS, Kind
from callwright.lang.lexicon import word_set
from callwright.lang.schemas import name_words
from callwright.lang.tokens import content_stems, identifier_words
from callwright.lang.verbs_of_acts import CHANGES, CHECKS, CREATES, LOOKUPS
from callwright.papers.wild.task_briefs import REFERRING, Mention, Reference, Wish, entity_of
from callwright.papers.wild.woven_values import (
    SaidValue,
    chosen_act_of,
    is_altering,
    named_thing,
    with_typed_things,
    woven,
)
from callwright.records.jsontext import decode

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_QUOTED: frozenset[Kind] = frozenset(("title", "other", "text"))
_PLACES: frozenset[Kind] = frozenset(("city", "country"))
_STANDING: frozenset[Kind] = frozenset(("code", "title", "other", "person", "city", "country", "email", "phone", "url"))
"""Kinds whose values may stand for the thing that a gloss speaks of."""
_NAMING: frozenset[Kind] = frozenset(("title", "other", "person", "email", "phone", "url"))
"""Kinds of values that say what something new is called or has, and not which thing it is."""
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
    wish = with_typed_things(wish)
    chunks, rest = _placed(rng, wish, day)
    tail: list[str] = []
    owners: list[str] = []
    notes: list[ValueNote] = []
    values: list[SaidValue] = []
    for mention in rest:
        words = _adjunct(rng, mention, wish, day)
        begun = {part.partition(" ")[0] for part in tail}
        is_beside = words.partition(" ")[0] in _OF_WAYS and words.partition(" ")[0] not in begun
        if words and (is_beside or not (tail and mention.way == "said")):
            tail.append(words if not tail else words.replace("for ", "and ", 1))
            owners += [entity_of(mention.known.slot)] if words.startswith("for ") else []
        elif mention.way == "said":
            note = _note(rng, mention, day, wish)
            if note.act or mention.known.slot.kind == "boolean":
                notes.append(note)
            else:
                values.append(SaidValue(mention.known.slot, note.noun, note.value, note.is_plural))
    chunks = _of_owners(_definite(_without_open(chunks, wish, tail), wish), owners, wish)
    act = wish.gloss.act or "get"
    put = woven(act, wish.gloss.verb or "get", wish.gloss, [*(chunk.said for chunk in chunks), *tail], values)
    notes += [ValueNote(one.noun, one.words, one.is_plural) for one in put.left]
    if act in LOOKUPS - CHECKS and chunks and not chunks[0].preposition:
        looks = ("list", "show me", "get") if is_plural(wish.gloss.chunks[0].text) else ("get", "show me", "look up")
        return Phrase(f"{rng.choice(looks)} {put.body}", put.body, tuple(notes))
    return Phrase(f"{put.verb} {put.body}".strip(), "", tuple(notes))


def _without_open(chunks: list[Chunk], wish: Wish, tail: Sequence[str]) -> list[Chunk]:
    """Leave out what is open where a thing follows in such a phrase: `media for a league for tournament 3`."""
    begun = {part.partition(" ")[0] for part in tail}
    kept: list[Chunk] = []
    for place, chunk in enumerate(chunks):
        _, joined, last = chunk.text.partition(" and ")
        is_bare = bool(place) and chunk.preposition in begun and _is_open(chunk)
        if is_bare and joined and _bare(last) == last:
            kept.append(Chunk(chunk.preposition, last))
        elif not is_bare or joined or wish.by_way("missing"):
            kept.append(chunk)
    return kept


def _definite(chunks: list[Chunk], wish: Wish) -> list[Chunk]:
    """Say `the` of the one thing that earlier turns or its owner tell: `the certificate for that site`."""
    own = wish.gloss.chunks
    is_made = not is_altering(wish.gloss.act) and (wish.gloss.act or "get") not in LOOKUPS
    if not chunks or chunks[0] != own[0] or is_made or not wish.mentions or wish.by_way("missing"):
        return chunks
    is_known = wish.gloss.act == "set" or (
        is_altering(wish.gloss.act) and not wish.by_way("hidden", "unsaid", "fed", "again")
    )
    first, _, noun = chunks[0].text.partition(" ")
    if is_known or first not in ("a", "an") or not noun:
        return chunks
    return [Chunk(chunks[0].preposition, f"the {noun}"), *chunks[1:]]


def _of_owners(chunks: list[Chunk], owners: Sequence[str], wish: Wish) -> list[Chunk]:
    """Leave out the name of an owner that is said after its thing: `forms for that site`, of `site forms`."""
    is_lookup = (wish.gloss.act or "get") in LOOKUPS
    if not chunks or chunks[0].text.endswith('"') or not owners or not is_lookup:
        return chunks
    determiner, _, noun = chunks[0].text.partition(" ")
    if determiner.lower() not in _POINTING:
        determiner, noun = "", chunks[0].text
    for owner in owners:
        rest = noun.removeprefix(f"{owner} ").removeprefix(f"{sentence_case(owner)} ")
        head = rest.rpartition(" ")[2].lower()
        is_told = is_plural(head) or " " in rest or head in word_set("aspects")
        if rest != noun and is_noun(head) and is_told:
            determiner = article(rest) if determiner in ("a", "an") else determiner
            return [Chunk(chunks[0].preposition, f"{determiner} {rest}".strip()), *chunks[1:]]
    return chunks


def told_object(rng: Random, gloss: Gloss, mentions: Sequence[Mention], today: str) -> str:
    """Return the object of a wish that was fulfilled, with the values that tell which it was."""
    day = date.fromisoformat(today) if today else None
    chunks, rest = _placed(rng, Wish(gloss, tuple(one for one in mentions if one.way == "said")), day)
    if len(rest) == len([one for one in mentions if one.way == "said"]) and chunks:
        chunks = [Chunk("", f"the {_bare(chunks[0].text)}"), *(one for one in chunks[1:] if not _is_open(one))]
    elif chunks and (gloss.act or "get") in LOOKUPS and chunks[0].text.startswith(("a ", "an ")):
        chunks = [Chunk(chunks[0].preposition, f"the {_bare(chunks[0].text)}"), *chunks[1:]]
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
            filled[place] = _filled(rng, own[place], mention, today, wish)
        elif _is_the_other(mention, wish) and 0 not in filled:
            filled[0] = Chunk("", another_of(_bare(own[0].text)))
        elif mention.way != "unsaid":
            rest.append(mention)
    if own[:1] and own[0].preposition == "by" and rest and 0 not in filled:
        filled[0] = Chunk("for", plural(own[0].text)) if is_noun(own[0].text) else None  # `search by region`
    kept = [(at, filled.get(at, chunk)) for at, chunk in enumerate(own)]
    is_list = bool(own) and is_plural(own[0].text) and wish.gloss.act in LOOKUPS and not wish.by_way("missing")
    has_time = any(mention.way == "said" and _is_of_time(mention.known) for mention in rest)
    is_open = [
        (
            bool(at and (filled or is_list or own[at].preposition == "by" or (has_time and _is_time(own[at]))))
            and at not in filled
            and _is_open(own[at])
        )
        or own[at].said == "with the data"
        for at, _ in kept
    ]
    return [chunk for (_, chunk), drop in zip(kept, is_open, strict=True) if chunk is not None and not drop], rest


def _is_the_other(mention: Mention, wish: Wish) -> bool:
    """Whether a missing value is of another such thing as the act is on: `another plugin`, known by its package."""
    first = wish.gloss.chunks[0] if wish.gloss.chunks else Chunk("of", "")
    return mention.way == "missing" and bool(wish.another) and first.said.startswith(("a ", "an "))


def _is_of_time(known: Known) -> bool:
    return known.slot.kind in ("date", "year") or name_words(known.slot.name)[-1:] in _TIMES


def _is_time(chunk: Chunk) -> bool:
    return (chunk.text.rpartition(" ")[2].lower(),) in _TIMES


_TIMES = tuple((word,) for word in "date day month year week season".split())
_COUNTED = frozenset("two three several multiple".split())


def _is_open(chunk: Chunk) -> bool:
    """Whether a chunk says only that there is such a thing: `of a site`, `by ID`."""
    return (
        chunk.preposition == "by"
        or chunk.said == "with the data"
        or (bool(chunk.preposition) and chunk.text.split(" ")[0] in ("a", "an", "any", "one"))
    )


def _place_for(mention: Mention, wish: Wish, filled: dict[int, Chunk | None]) -> int | None:
    """The chunk whose thing a value stands for; the name of something new is not the thing."""
    slot, gloss = mention.known.slot, wish.gloss
    acts = gloss.act in CREATES | CHANGES
    if slot.kind not in _STANDING or (acts and slot.kind in _NAMING):
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
        is_same = said[-1:] == head and not is_another
        is_same |= _solid(entity_of(slot)) == _solid(_bare(chunk.text))  # `usergroup` of `a User Group`
        is_same |= bool(chunk.preposition) and slot.kind in _PLACES and _bare(chunk.text).lower() in _WHERES
        is_same |= place == 0 and gloss.act in _MOVES and _are_persons(entity_of(slot), chunk.text)
        if place not in filled and is_one and head and is_same and chunk.preposition != "by":
            return place
    return None


def _is_said_apart(thing: str, mention: Mention, wish: Wish) -> bool:
    """Whether a wish speaks of the first of two things of one chunk in a phrase of its own."""
    others = (one for one in wish.mentions if one is not mention and one.way != "missing")
    return any(content_stems(entity_of(one.known.slot))[-1:] == content_stems(thing)[-1:] for one in others)


def _are_persons(*nouns: str) -> bool:
    """Whether all nouns are of persons: an employee is the colleague who is invited, and no place to invite one to."""
    return all(noun.rpartition(" ")[2].lower() in word_set("persons") for noun in nouns)


def is_several(known: Known) -> bool:
    """Return whether a text has several identifiers: `C1,C2`."""
    return known.slot.kind == "code" and isinstance(known.value, str) and "," in known.value


def _solid(text: str) -> str:
    """The letters of a noun in the singular, to compare how it is spelled: `a User Group`, `usergroups`."""
    return singular(re.sub(r"[^a-z]", "", text.lower()))


def _filled(rng: Random, chunk: Chunk, mention: Mention, today: date | None, wish: Wish) -> Chunk | None:
    before, joined, last = chunk.text.rpartition(" and ")
    if joined and _bare(last) != last and _is_said_apart(before, mention, wish):  # `for a country and a prefix`
        return _filled(rng, Chunk(chunk.preposition, last), mention, today, wish)
    if joined and mention.way == "said" and _bare(last) != last:  # `a league and a season 2024`
        told = _filled(rng, Chunk("", last), mention, today, wish)
        return Chunk(chunk.preposition, f"{before} and {told.text}") if told else None
    bare = _ALL_OF.sub("", _bare(chunk.text))
    noun = singular(bare) if is_plural(bare) else bare
    if mention.way == "missing":
        return Chunk(chunk.preposition, another_of(noun) if wish.another else f"{article(noun)} {noun}")
    if mention.way in REFERRING:
        made = mention.reference.entity if mention.reference.is_new else ""
        noun = made if made and noun.lower().endswith(f" {made}") else noun  # of a payment nobody says `batch payment`
        if mention.reference.hiding == "partial":
            is_needed = chunk.preposition in _PLACED and (wish.gloss.act or "get") not in LOOKUPS
            is_needed |= is_altering(wish.gloss.act) and content_stems(wish.gloss.chunks[0].text)[-1:] in _VAGUE
            return Chunk(chunk.preposition, f"the {noun}") if is_needed or not chunk.preposition else None
        if mention.way == "again" and not chunk.preposition and (wish.gloss.act or "get") in LOOKUPS:
            return Chunk("", f"that {noun} itself")
        return Chunk(chunk.preposition, mention.words or referred(rng, mention.reference, noun))
    value = mention.words or spoken(rng, mention.known, today)
    if mention.known.slot.kind in _PLACES and chunk.preposition:
        return Chunk("in" if chunk.preposition == "at" else chunk.preposition, value)
    if noun.endswith(_QUALITIES):
        return Chunk(chunk.preposition, f"the {noun} of {value}")
    noun = plural(noun) if mention.words or is_several(mention.known) else noun
    return Chunk(chunk.preposition, f"{'the ' if value.startswith(chr(34)) else ''}{noun} {value}")


_PLACED = ("in", "into", "to", "from")
"""Prepositions of what an act cannot do without: to enrol somebody is to enrol them in something."""
_VAGUE = [content_stems(word) for word in "information info details data".split()]
"""What a service has on anything: to change it is to change the thing, which is said."""
_QUALITIES = ("availability", "validity", "existence", "status", "usage", "progress")
"""Last words of what is no thing, but something of one: the `name availability` of "atlas"."""


def _bare(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if rest and first.lower() in _POINTING else text


_ALL_OF = re.compile(r"^(?:entire|whole) (?=\w)")
"""What says that all of a thing is meant: one that is named is no `entire profile 7`."""
_WHERES = frozenset("location place area region".split())
"""Nouns of documents for where something is: a city takes the place of `for a location`."""
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
    """Return `another` with the noun; `another one` where it cannot be counted: nobody says `another weather`."""
    if is_plural(noun):
        return f"other {noun}"
    return f"another {noun}" if is_countable(noun) else "another one"


# -- other values ----------------------------------------------------------------------------------------------------


def _adjunct(rng: Random, mention: Mention, wish: Wish, today: date | None) -> str:
    """Return a thing, place or day with its preposition; empty if the value is a note, or is not spoken of."""
    slot = mention.known.slot
    is_doer = _is_doer(mention, wish)
    if mention.way == "missing":
        return f"{'as' if is_doer else 'for'} {another(mention)}" if wish.another else ""
    thing = named_thing(mention, wish.gloss.act or "get") if mention.way == "said" else ""
    if thing:
        return _named(rng, mention, thing, wish, today)
    if mention.reference.hiding == "partial" or (
        mention.way == "said" and not _is_adjunct(mention, wish.gloss.act or "get")
    ):
        return ""
    if mention.way in REFERRING:
        words = mention.words or referred(rng, mention.reference, entity_of(slot))
    else:
        value = mention.words or spoken(rng, mention.known, today)
        are_many = bool(mention.words) or is_several(mention.known)
        entity = plural(entity_of(slot)) if are_many else entity_of(slot)
        words = f"{entity} {value}" if slot.kind == "code" or (slot.kind == "other" and slot.noun.entity) else value
    if slot.kind == "date":
        if wish.gloss.act in _MOVED and mention.way != "said":
            return f"to {words}"
        return at_time(words)
    if is_doer:
        return f"as {words}"
    named = set(identifier_words(slot.name))
    if slot.kind in _PLACES:
        return f"{'to' if named & _GOALS else 'from' if named & _STARTS else 'in'} {words}"
    if slot.kind == "code" and wish.gloss.act in _MOVES:
        return f"{_MOVES[wish.gloss.act]} {words}"
    if slot.kind in ("email", "phone", "url") and mention.way != "said" and wish.gloss.act not in LOOKUPS:
        return f"with {words}"
    return f"{'about' if named & _SOUGHT else 'for'} {words}"


def _is_doer(mention: Mention, wish: Wish) -> bool:
    """Whether an identifier says who does an act on something else: nobody adds a tag `to admin 341`."""
    slot, head = mention.known.slot, entity_of(mention.known.slot).rpartition(" ")[2].lower()
    heads = {chunk.text.rpartition(" ")[2].lower() for chunk in wish.gloss.chunks}
    if slot.kind != "code" or not heads or head in heads or (wish.gloss.act or "get") in LOOKUPS:
        return False
    described = str(decode(slot.schema).get("description", ""))
    return head in _DOERS or (head in _PERSONS and bool(_DOES.search(described)))


_DOERS = frozenset("admin administrator author actor moderator operator".split())
_PERSONS = frozenset("user person member agent employee teammate".split())
_DOES = re.compile(
    r"\b(?:user|person|member|agent|employee|teammate) (?:(?:who|that) )?(?:is )?(?:perform|mak|do)(?:ing|es|s)\b"
)


def _named(rng: Random, mention: Mention, entity: str, wish: Wish, today: date | None) -> str:
    """Return the name that a look-up is asked by: `artists called "Queen"`, `the news for the channel "lunch-crew"`."""
    value = mention.words or spoken(rng, mention.known, today)
    is_own = content_stems(wish.gloss.chunks[0].text)[-1:] == content_stems(entity)[-1:]
    return f"called {value}" if is_own else f"for the {plural(entity) if mention.words else entity} {value}"


_OF_WAYS = ("to", "from", "on", "in", "about", "as")
"""Words before a place, a day or who does it: a phrase has several of these."""
_MOVES = {"remove": "from", "kick": "from", "add": "to", "invite": "to", "assign": "to"}
"""Acts on what is in something, with the preposition that says where it is."""


_STARTS = frozenset(("origin", "from", "departure", "start"))
_GOALS = frozenset(("destination", "to", "arrival", "end"))
_SOUGHT = frozenset(("query", "keyword", "keywords", "topic"))


def _is_adjunct(mention: Mention, act: str) -> bool:
    slot = mention.known.slot
    if slot.kind == "code":
        is_of_thing = bool(slot.noun.entity) or slot.noun.text.endswith(" slug")
        return is_of_thing and len(entity_of(slot).split()) <= _MOST_WORDS
    if slot.kind in ("phone", "email") and act in LOOKUPS:
        return True
    if slot.kind == "other" and slot.noun.entity and act in LOOKUPS:
        return not ID_WORDS.isdisjoint(name_words(slot.label or slot.name))
    if slot.kind == "date" and act in _PLANNED and name_words(slot.name)[-1:] == ("date",):
        return len(name_words(slot.name)) == 1 or name_words(slot.name)[0] not in _LIMITS
    is_sought = slot.kind in _QUOTED and not _SOUGHT.isdisjoint(identifier_words(slot.name))
    return slot.kind in _PLACES or is_sought or (slot.kind == "date" and slot.noun.text in ("date", "day"))


_MOVED = frozenset("move extend postpone reschedule shift delay set change".split())
_PLANNED = frozenset("book schedule log reserve plan record".split())
"""Acts with a day on which something is: `book a flight on 5 May`."""
_LIMITS = frozenset("due end return expiry expiration closing last birth start from to until since by new".split())


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


def _note(rng: Random, mention: Mention, today: date | None, wish: Wish) -> ValueNote:
    noun = mention.known.slot.noun
    if act := chosen_act_of(mention.known, wish.gloss):
        return ValueNote(noun.text, str(mention.known.value), act=act)
    if mention.known.slot.kind == "boolean":
        act = noun.consequence if mention.known.value else f"do not {noun.consequence}"
        return ValueNote(noun.text, "yes" if mention.known.value else "no", act=act if noun.consequence else "")
    called = said_noun(mention.known.slot)
    if mention.words and not noun.plural:  # of several calls
        return ValueNote(plural(called), mention.words, is_plural=True)
    return ValueNote(called, mention.words or spoken(rng, mention.known, today), noun.plural and called == noun.text)


def _of_day(note: ValueNote) -> ValueNote:
    """A day that a noun tells as a clause, as a clause: `it was requested on 3 May` for the `date it was requested`."""
    _, is_clause, done = note.noun.partition("date it was ")
    return ValueNote(note.noun, note.value, act=f"it was {done} {at_time(note.value)}") if is_clause else note


def noted(notes: Sequence[ValueNote], style: Style) -> str:
    """Return notes as the end of a request: sentences, or in a terse text asides."""
    if not notes:
        return ""
    notes = [_of_day(note) for note in notes]
    plain = [note for note in notes if not note.act]
    if style == "terse":
        return ", " + ", ".join(
            [*(f"{note.noun} {note.value}" for note in plain), *(note.act for note in notes if note.act)]
        )
    parts = [
        f"the {note.noun} {'are' if note.is_plural else 'is'} {note.value}"
        for note in plain
        if note.value not in ("yes", "no") and not note.noun.endswith("reason")
    ]
    parts += [f"{note.noun}: {note.value}" for note in plain if note.noun.endswith("reason")]
    parts += [f"{note.noun}: {note.value}" for note in plain if note.value in ("yes", "no")]
    sentences = [", and ".join(parts[at : at + 2]) for at in range(0, len(parts), 2)]
    return "".join(f" {sentence_case(one)}." for one in [*sentences, *(note.act for note in notes if note.act)])
