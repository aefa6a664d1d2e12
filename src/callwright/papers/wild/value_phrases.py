"""Values of a wish in words: said, referred to, in a phrase with its preposition, or noted (section 3.4).

said            "Yesterday", 5 May, order ORD-1
referred to     the second song of those, whichever hotel has the lower price, the city from my first request
in a phrase     on 5 May, from Lyon to Nice, for user USR-1, about "garden furniture"
noted           the payment method: credit card
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import NamedTuple

from callwright.author.briefs import Known, Style
from callwright.author.grammar import bank_file, write
from callwright.catalog.gloss import Gloss
from callwright.catalog.slots import Slot
from callwright.lang.dates import parse_clock
from callwright.lang.english import is_plural, join_with, plural, sentence_case
from callwright.lang.kinds import Kind
from callwright.lang.surface import say
from callwright.lang.tokens import content_stems, identifier_words, stem
from callwright.papers.wild.task_briefs import REFERRING, Mention, Reference, entity_of, part_of

_QUOTED: frozenset[Kind] = frozenset(("title", "other", "text"))
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def spoken(rng: Random, known: Known, today: date | None) -> str:
    """Return a value as people say it; names of things, and words, stand in quotes."""
    kind = known.slot.kind
    value = known.value
    text = say(value, kind, rng=rng, today=today)
    if isinstance(value, (int, float)) and kind in ("count", "number"):
        whole = int(value) if float(value).is_integer() else value
        return f"{whole:,}" if abs(whole) >= 10_000 else str(whole)  # "one" would read as a pronoun
    if kind == "time" and (clock := parse_clock(str(value))) is not None:
        return f"{clock:%H:%M}"  # `4:15` could be in the morning
    if kind == "enum" and isinstance(value, str) and " " in value and not value.islower():
        return value if value.istitle() else f'"{value}"'  # a name or a sentence, not a choice
    if kind == "enum" and isinstance(value, str) and value.istitle() and not known.slot.description:
        return value
    return f'"{text}"' if isinstance(value, str) and kind in _QUOTED else text


_UNITS = {
    "degrees celsius": " °C", "percent": "%", "km": " km", "km/h": " km/h", "minutes": " minutes",
    "seconds": " seconds", "grams": " g", "kb": " kB",
}  # fmt: skip


def measured(rng: Random, known: Known, today: date | None) -> tuple[str, str]:
    """Return the noun of a value without its unit, and the value with it: `distance`, `262 km`."""
    noun, said = quantity(known.slot.noun.text), spoken(rng, known, today)
    unit = known.slot.noun.text.removeprefix(noun).removeprefix(" in ").lower()
    return noun, said if not unit or said.endswith(("%", "percent")) else f"{said}{_UNITS[unit]}"


def quantity(noun: str) -> str:
    """Return the noun of a value without its unit: `distance` for `distance in km`."""
    head, _, unit = noun.partition(" in ")
    return head if unit.lower() in _UNITS else noun


def referred(rng: Random, reference: Reference, slot: Slot) -> str:
    """Return words that refer to a value without saying it."""
    entity = reference.entity or entity_of(slot)
    entity = entity.split(" of ")[0] if slot.kind == "person" else entity
    if reference.chosen_by is not None:
        best = reference.chosen_by.words
        return rng.choice((f"whichever {entity} has {best}", f"the {entity} with {best}"))
    which = f"{part_of(slot, entity)}the {ORDINALS[reference.ordinal]} {entity}" if reference.ordinal else ""
    if reference.hiding == "long_range":
        return _from_afar(rng, reference, which, entity)
    if which and reference.hiding:
        return rng.choice((f"{which} on that list", f"{which} of those", f"{which} you found"))
    if which:
        return rng.choice((f"{which} it finds", f"{which} that comes up", f"{which} on the list", which))
    if reference.hiding:
        is_many = is_plural(entity) and not entity.startswith("number of ")
        return rng.choice((f"{'those' if is_many else 'that'} {entity}", f"the same {entity}"))
    if reference.obtained:
        return rng.choice((f"that {entity}", f"that {entity}", f"the {entity} you get"))
    return f"the same {entity}"


def _from_afar(rng: Random, reference: Reference, which: str, entity: str) -> str:
    """Words for a value from before the last exchange: by the number of its request, or by what it was about."""
    it = which or f"the {entity}"
    if reference.request:
        return f"{it} from my {ORDINALS[reference.request]} {rng.choice(('request', 'question'))}"
    if reference.about:
        gave = "that came up with" if reference.obtained else "I gave you for"
        return rng.choice((f"{it} {gave} {reference.about}", f"{it} from when I asked about {reference.about}"))
    if reference.obtained:
        return rng.choice((f"{it} you found earlier", f"{it} that came up earlier", f"{it} from before"))
    return rng.choice((f"{it} I mentioned earlier", f"{it} I asked about earlier", f"that {entity} from earlier"))


def meant(rng: Random, mention: Mention) -> str:
    """Return the words that refer to a value: those of its group, or a reference."""
    return mention.words or referred(rng, mention.reference, mention.known.slot)


_IDENTIFYING: frozenset[Kind] = frozenset(("code", "title", "other", "person", "city", "country", "currency", "list"))
"""Kinds whose values may stand for the thing they belong to."""
_OF_ITSELF: frozenset[Kind] = frozenset(
    ("email", "url", "phone", "date", "year", "language", "datetime", "time", "text")
)
"""Kinds whose values stand only for themselves."""
_GENERIC = frozenset(map(stem, "name id ids code value number type data information title key input text".split()))


def owner_stems(mention: Mention) -> frozenset[str]:
    """Return the stems of the nouns for which a value may stand: `user` for a user ID."""
    slot = mention.known.slot
    named = [stem(word) for word in identifier_words(slot.name)]
    head = content_stems(slot.noun.text.split(" of ")[0])[-1:]
    if slot.kind in _OF_ITSELF:
        if slot.kind in ("email", "phone", "url"):  # `to the recipient` stands for the recipient's address
            head = [*head, *content_stems(slot.description.split(".")[0])[-1:]]
        return frozenset([*head, *named[-1:]])
    if slot.kind not in _IDENTIFYING:
        return frozenset()
    entity = content_stems(entity_of(slot).split(" of ")[0])[-1:]
    telling = [word for word in named if word not in _GENERIC][-1:]
    found = {*entity, *telling} - _GENERIC
    return frozenset(found) or frozenset({*entity, *head})


class ValueNote(NamedTuple):
    """A value with its noun, for values that no preposition introduces."""

    noun: str
    """With article: `the payment method`."""
    value: str
    are: bool = False

    @property
    def brief(self) -> str:
        """In a list of notes: `payment method: credit card`."""
        return f"{re.sub(r'^(?:the|my) ', '', self.noun)}: {self.value}"


def adjuncts(rng: Random, mentions: Sequence[Mention], today: date | None) -> tuple[str, tuple[ValueNote, ...]]:
    """Return the words that follow the object, and the notes of the other values; ends of a range stand together."""
    parts: list[str] = []
    notes: list[ValueNote] = []
    left = [mention for mention in mentions if mention.way != "missing" and mention.reference.hiding != "partial"]
    for low, high in ranges(left):
        first, second = spoken(rng, low.known, today), spoken(rng, high.known, today)
        is_amount = low.known.slot.kind in ("money", "number", "count")
        parts.append(f"between {first} and {second}" if is_amount else f"from {first} to {second}")
        left = [mention for mention in left if mention not in (low, high)]
    left = _with_currencies(rng, left, notes)
    for mention in left:
        words = adjunct(rng, mention, today)
        if words:
            parts.append(words)
        else:
            notes.append(_note(rng, mention, today))
    return in_a_row(parts), tuple(notes)


_ORDER = {"about": 0, "by": 0, "for": 1, "and": 3, "but": 3}


def in_a_row(parts: Sequence[str]) -> str:
    """Return phrases as one: two that begin alike become `for A and B`; further acts come last."""
    out: list[str] = []
    for part in sorted(parts, key=lambda part: _ORDER.get(part.split(" ")[0], 2)):
        first = part.split(" ")[0]
        if out and first == "with" and out[-1].startswith("with "):
            out[-1] += f" and {part.removeprefix('with ')}"
        elif out and first == "for" and out[-1].startswith("for ") and " and " not in out[-1] + part:
            out[-1] += f" and {part.removeprefix('for ')}"
        else:
            out.append(part)
    return " ".join(out).replace(" on on ", " on, on ")


_ENDS = (("start", "end"), ("from", "to"), ("origin", "destination"), ("source", "target"), ("since", "until"),
         ("departure", "arrival"), ("min", "max"), ("in", "out"), ("pick", "return"), ("pickup", "return"),
         ("departure", "return"))  # fmt: skip


def ranges(mentions: Sequence[Mention]) -> list[tuple[Mention, Mention]]:
    """Return the pairs of said values that are the two ends of a range."""
    found: list[tuple[Mention, Mention]] = []
    used: set[int] = set()
    for one in mentions:
        for other in mentions:
            same = one.known.slot.kind == other.known.slot.kind and one.way == other.way == "said"
            if one is other or not same or one.words or other.words or {id(one), id(other)} & used:
                continue
            first, second = identifier_words(one.known.slot.name), identifier_words(other.known.slot.name)
            if any(low in first and high in second for low, high in _ENDS):
                found.append((one, other))
                used |= {id(one), id(other)}
    return found


def again(rng: Random, mention: Mention, gloss: Gloss, today: date | None) -> str:
    """Return the changed value of a repeated wish: `for Lyon`, `with cash as the payment method`."""
    if words := adjunct(rng, mention, today):
        return words
    value = mention.words or spoken(rng, mention.known, today)
    if mention.known.slot.kind in ("person", "url", "email", "phone") or owner_stems(mention) & gloss.object_stems:
        return f"for {value}"
    return f"with {value} as {_note(rng, mention, today).noun}"


def adjunct(rng: Random, mention: Mention, today: date | None) -> str:
    """Return the value with its preposition; empty if none introduces it."""
    if mention.way in REFERRING:
        return _referring(rng, mention)
    known = mention.known
    slot = known.slot
    words = set(identifier_words(slot.name))
    if slot.kind == "boolean":
        return _consequence(known)
    value = mention.words or spoken(rng, known, today)
    if slot.kind in ("date", "datetime") and words & _SETTLED:
        return ""
    if slot.kind in ("date", "datetime"):
        tries = (value, *(spoken(rng, known, today) for _ in range(6 if not mention.words else 0)))
        plain = next((one for one in tries if not one.startswith("in ")), value)  # not "until in two days"
        return _on(plain, words | set(slot.noun.text.lower().split()))
    simple = {"time": f"at {value}", "country": f"for {value}", "city": f"{_direction(words)} {value}"}
    if slot.kind in simple:
        return simple[slot.kind]
    if slot.kind == "year" and not words & {"start", "end", "starting", "ending"}:
        return f"for {value}"
    if slot.kind == "language" and not words & {"from", "to", "target", "source", "browser"}:
        return f"in {value}"
    if slot.kind == "count":
        return _for_so_many(known)
    if words & {"query", "keyword", "keywords", "topic"} and slot.kind in ("title", "other", "list", "text"):
        return f"about {value}"
    if slot.kind in ("code", "title", "other", "url") and words & (_STARTS | _GOALS):
        return f"{_direction(words)} {value}"
    if slot.kind == "code" and _stands_for_thing(known):
        entity = entity_of(known.slot)
        return f"for {plural(entity) if ' and ' in mention.words else entity} {value}"
    if slot.kind in ("email", "phone", "url", "person") and len(words - _SORTS) == 1:
        return f"for {value}"
    is_thing = slot.kind == "title" and len(slot.noun.text.split()) == 1 and slot.name not in _PLAIN_NAMES
    if mention.words or not (is_thing or _is_name(known)):
        return ""
    return f"for the {entity_of(known.slot)} {value}"


_PLAIN_NAMES = frozenset(("name", "title", "subject", "label", "summary"))


_SORTS = frozenset(("long", "short", "original", "target", "input", "user", "full"))
_PROPERTIES = frozenset("key secret token password passphrase format interval period type size length".split())


def _stands_for_thing(known: Known) -> bool:
    """Whether a code names a thing: `order ORD-1`; a key or a colour does not."""
    noun = known.slot.noun.text
    return (
        len(entity_of(known.slot).split()) <= 3 and " of " not in noun and _PROPERTIES.isdisjoint(noun.lower().split())
    )


_NAMES = re.compile(r"^(?:\w+ )?(?:name|title) of |\w (?:name|title)$")


def _is_name(known: Known) -> bool:
    is_named = known.slot.kind in ("title", "other", "person") and bool(_NAMES.search(known.slot.noun.text))
    return is_named and len(entity_of(known.slot).split()) <= 3


_SETTLED = frozenset("close closing expected effective valid".split())
"""Words of days on which something else happens than what is asked for."""


def _on(value: str, words: set[str]) -> str:
    if "by" in words:
        return f"by {value}"
    if words & {"due", "deadline"}:
        return f"due {at_time(value)}"
    if words & {"start", "since", "from", "after", "starting"}:
        return f"from {value} on" if words & {"start", "from", "starting"} else f"since {value}"
    if words & {"end", "until", "to", "before", "expiration", "expiry", "out", "return"}:
        return f"until {value}"
    if "new" in words:
        return f"to {value}"
    return at_time(value)


def at_time(day: str) -> str:
    """Return a day as the time of something: `on 5 May`, `yesterday`."""
    return day if day.startswith(_RELATIVE) or day.endswith(" ago") else f"on {day}"


_RELATIVE = ("today", "tomorrow", "yesterday", "on ", "in ", "next ", "this ", "last ", "a week ", "two ")


_STARTS = frozenset(("origin", "from", "departure", "start"))
_GOALS = frozenset(("destination", "to", "arrival", "end"))


def _direction(words: set[str]) -> str:
    return "to" if words & _GOALS else "from" if words & _STARTS else "in"


_SPANS = frozenset("day days night nights hour hours minute minutes week weeks month months person people".split())


def _for_so_many(known: Known) -> str:
    """`for 3 nights`; empty for other numbers."""
    noun = known.slot.noun
    counted = noun.counted.split(" for ")[0]
    if not noun.text.startswith("number of ") or counted.split(" ")[-1] not in _SPANS:
        return ""
    return f"for {known.value} {counted if known.value != 1 else re.sub(r's$', '', counted)}"


def _consequence(known: Known) -> str:
    noun = known.slot.noun
    act = noun.consequence or (f"make it {noun.text[3:]}" if noun.text.startswith("is ") else "")
    if not act:
        return ""
    return f"and {act}" if known.value else f"but do not {act}"


def _referring(rng: Random, mention: Mention) -> str:
    slot, reference = mention.known.slot, mention.reference
    words = set(identifier_words(slot.name))
    means = meant(rng, mention)
    if slot.kind in ("date", "datetime"):
        edge = (
            "from"
            if words & {"start", "from", "since", "in", "pick"}
            else "until"
            if words & {"end", "to", "until"}
            else "on"
        )
        return f"{edge} {means}"
    if slot.kind == "city":
        near = reference.hiding == "coreference" and not reference.ordinal and not words & {"origin", "destination"}
        if near and rng.random() < 0.6:
            return "there"
        return f"{_direction(words)} {means}"
    if words & {"query", "keyword", "keywords", "topic"}:
        return f"about {means}"
    if slot.kind in ("code", "title", "other", "url") and words & (_STARTS | _GOALS):
        return f"{_direction(words)} {means}"
    return f"for {means}" if slot.kind in _MEANT_FOR else f"with {means}"


_MEANT_FOR: frozenset[Kind] = frozenset(
    ("country", "code", "url", "email", "phone", "person", "title", "other", "list", "year")
)


def _note(rng: Random, mention: Mention, today: date | None) -> ValueNote:
    slot = mention.known.slot
    if slot.kind == "boolean":
        return ValueNote(f"the {slot.noun.text}", "yes" if mention.known.value else "no")
    value = mention.words or spoken(rng, mention.known, today)
    text = re.sub(r"\byour\b", "my", slot.noun.text)
    text = re.sub(r" code$", "", text) if slot.kind in ("currency", "country", "language") else text
    short = short_noun(slot)
    text = text if short == slot.noun.text else short
    return ValueNote(text if text.startswith("my ") else f"the {text}", value, are=is_plural(text))


def short_noun(slot: Slot) -> str:
    """Return the words of the name where those of the description define it: `namespace`, not `name of the space`."""
    named, noun = [word for word in identifier_words(slot.name) if not word.isdigit()], slot.noun.text
    is_plain = slot.kind not in ("percent", "money", "number") and 0 < len(named) < min(4, len(noun.split()))
    return " ".join(named) if is_plain else noun


def _with_currencies(rng: Random, mentions: list[Mention], notes: list[ValueNote]) -> list[Mention]:
    """Add a note of an amount with its currency, `100 euros`, and return the other mentions."""
    amounts = [m for m in mentions if m.known.slot.kind == "money" and m.way == "said"]
    kinds = [m for m in mentions if m.known.slot.kind == "currency" and m.way == "said" and not m.words]
    if len(amounts) != 1 or len(kinds) != 1:
        return mentions
    amount, currency = amounts[0], kinds[0]
    value = f"{spoken(rng, amount.known, None)} {spoken(rng, currency.known, None)}"
    notes.append(ValueNote(f"the {amount.known.slot.noun.text}", value, are=amount.known.slot.noun.plural))
    return [mention for mention in mentions if mention not in (amount, currency)]


def inline(notes: Sequence[ValueNote]) -> str:
    """Return notes as an aside in a sentence: `with payment method cash and amount 5`."""
    if any(len(note.value) > _LONGEST_INLINE or not note.noun for note in notes):
        return f"({'; '.join(note.brief for note in notes)})"
    return f"with {join_with([note.brief.replace(': ', ' ', 1) for note in notes])}" if notes else ""


_LONGEST_INLINE = 40


def noted(rng: Random, notes: Sequence[ValueNote], style: Style) -> str:
    """Return notes as the end of a request: a sentence, or in a terse text an aside."""
    if not notes:
        return ""
    listed = [note.brief for note in notes]
    if style == "terse":
        return f", {', '.join(listed)}" if rng.random() < 0.5 else f" {inline(notes)}"
    bank = bank_file("user_words", home=__package__)
    if len(notes) == 1:
        note = notes[0]
        brief = sentence_case(note.brief.removesuffix(f": {note.value}"))
        fields = {"noun": note.noun, "Noun": sentence_case(note.noun), "Brief": brief, "value": note.value}
        return " " + write(rng, bank["note"], fields | {"is": "are" if note.are else "is"})
    if len(notes) == 2 and rng.random() < 0.6:
        one, two = (f"{note.noun} {'are' if note.are else 'is'} {note.value}" for note in notes)
        return f" {sentence_case(one)}, and {two}."
    return " " + write(rng, bank["notes"], {"notes": "; ".join(listed)})
