"""Values around the object of a wish: in a phrase of their own where there is one, else as notes.

on 5 May, from Lyon to Nice, for user USR-1, about "garden furniture"
the payment method: credit card
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import NamedTuple

from callwright.author.briefs import Known, Style
from callwright.author.grammar import Frame, bank_file, write
from callwright.catalog.gloss import Gloss
from callwright.lang.english import plural, sentence_case
from callwright.lang.kinds import Kind
from callwright.lang.tokens import identifier_words
from callwright.papers.wild.object_phrases import owner_stems
from callwright.papers.wild.task_briefs import REFERRING, Mention
from callwright.papers.wild.value_phrases import entity_of, meant, spoken


class ValueNote(NamedTuple):
    """A value with the noun that says what it is, where no preposition would."""

    noun: str
    """With article: `the payment method`."""
    value: str
    are: bool = False

    @property
    def brief(self) -> str:
        """In a list of notes: `payment method: credit card`."""
        return f"{re.sub(r'^(?:the|my) ', '', self.noun)}: {self.value}"


class Adjuncts(NamedTuple):
    """What stands after the object, and what is left to be noted."""

    phrase: str
    notes: tuple[ValueNote, ...]


def adjuncts(rng: Random, mentions: Sequence[Mention], today: date | None) -> Adjuncts:
    """Return the words for values that have no place in the object, pairs such as beginning and end together."""
    parts: list[str] = []
    notes: list[ValueNote] = []
    left = [mention for mention in mentions if mention.way != "missing" and mention.reference.hiding != "partial"]
    for low, high in ranges(left):
        parts.append(_range(rng, low, high, today))
        left = [mention for mention in left if mention not in (low, high)]
    left = _with_currencies(rng, left, notes)
    for mention in left:
        words = _phrase(rng, mention, today)
        if words:
            parts.append(words)
        else:
            notes.append(_note(rng, mention, today))
    return Adjuncts(in_a_row(parts), tuple(notes))


def in_a_row(parts: Sequence[str]) -> str:
    """Return phrases as one: `for A and B` for two that begin alike, and what is to be done besides last."""
    out: list[str] = []
    ordered = sorted(parts, key=_order)
    for part in ordered:
        first = part.split(" ")[0]
        if out and first == "with" and out[-1].startswith("with "):
            out[-1] += f" and {part.removeprefix('with ')}"
        elif out and first == "for" and out[-1].startswith("for ") and " and " not in out[-1] + part:
            out[-1] += f" and {part.removeprefix('for ')}"
        else:
            out.append(part)
    return " ".join(out).replace(" on on ", " on, on ")


def _order(part: str) -> int:
    first = part.split(" ")[0]
    return {"about": 0, "by": 0, "for": 1, "and": 3, "but": 3}.get(first, 2)


# -- ranges ----------------------------------------------------------------------------------------------------------

_ENDS = (("start", "end"), ("from", "to"), ("origin", "destination"), ("source", "target"), ("since", "until"),
         ("departure", "arrival"), ("min", "max"))  # fmt: skip


def ranges(mentions: Sequence[Mention]) -> list[tuple[Mention, Mention]]:
    """Return the pairs of said values that are the two ends of something."""
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


def _range(rng: Random, low: Mention, high: Mention, today: date | None) -> str:
    first, second = spoken(rng, low.known, today), spoken(rng, high.known, today)
    if low.known.slot.kind in ("money", "number", "count"):
        return f"between {first} and {second}"
    return f"from {first} to {second}"


# -- phrases ---------------------------------------------------------------------------------------------------------


def again(rng: Random, mention: Mention, gloss: Gloss, today: date | None) -> str:
    """Return the words for the value that is another one than before: `for Lyon`, `with cash as the payment method`."""
    if words := _phrase(rng, mention, today):
        return words
    value = mention.words or spoken(rng, mention.known, today)
    if mention.known.slot.kind in ("person", "url", "email", "phone") or owner_stems(mention) & gloss.object_stems:
        return f"for {value}"
    return f"with {value} as {_note(rng, mention, today).noun}"


def _phrase(rng: Random, mention: Mention, today: date | None) -> str:
    """The value in a phrase of its own; empty where no preposition says what it is."""
    if mention.way in REFERRING:
        return _referring(rng, mention)
    known = mention.known
    slot = known.slot
    words = set(identifier_words(slot.name))
    if slot.kind == "boolean":
        return _consequence(known)
    value = mention.words or spoken(rng, known, today)
    if slot.kind in ("date", "datetime"):
        return _on(value, words | set(slot.noun.text.lower().split()))
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
        entity = entity_of(known)
        return f"for {plural(entity) if ' and ' in mention.words else entity} {value}"
    if slot.kind in ("email", "phone", "url", "person") and len(words - _SORTS) == 1:
        return f"for {value}"
    return f"for the {entity_of(known)} {value}" if _is_name(known) and not mention.words else ""


_SORTS = frozenset(("long", "short", "original", "target", "input", "user", "full"))
_PROPERTIES = frozenset("key secret token password passphrase format interval period type size length".split())


def _stands_for_thing(known: Known) -> bool:
    """Whether a code is that of a thing: `order ORD-1`; a key or a colour is not."""
    noun = known.slot.noun.text
    return len(entity_of(known).split()) <= 3 and " of " not in noun and _PROPERTIES.isdisjoint(noun.lower().split())


_NAMES = re.compile(r"^(?:\w+ )?(?:name|title) of |\w (?:name|title)$")


def _is_name(known: Known) -> bool:
    is_named = known.slot.kind in ("title", "other", "person") and bool(_NAMES.search(known.slot.noun.text))
    return is_named and len(entity_of(known).split()) <= 3


def _on(value: str, words: set[str]) -> str:
    if words & {"start", "since", "from", "after", "starting"}:
        return f"from {value} on" if words & {"start", "from", "starting"} else f"since {value}"
    if words & {"end", "until", "to", "before", "expiration", "expiry"}:
        return f"until {value}"
    return value if value.startswith(_RELATIVE) or value.endswith(" ago") else f"on {value}"


_RELATIVE = ("today", "tomorrow", "yesterday", "on ", "in ", "next ", "this ", "last ", "a week ", "two ")


_STARTS = frozenset(("origin", "from", "departure", "start"))
_GOALS = frozenset(("destination", "to", "arrival", "end"))


def _direction(words: set[str]) -> str:
    return "to" if words & _GOALS else "from" if words & _STARTS else "in"


_SPANS = frozenset("day days night nights hour hours minute minutes week weeks month months person people".split())


def _for_so_many(known: Known) -> str:
    """`for 3 nights`; other numbers are notes."""
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
        edge = "from" if words & {"start", "from", "since"} else "until" if words & {"end", "to", "until"} else "on"
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


# -- notes -----------------------------------------------------------------------------------------------------------


def _note(rng: Random, mention: Mention, today: date | None) -> ValueNote:
    slot = mention.known.slot
    if slot.kind == "boolean":
        return ValueNote(f"the {slot.noun.text}", "yes" if mention.known.value else "no")
    value = mention.words or spoken(rng, mention.known, today)
    text = re.sub(r"\byour\b", "my", slot.noun.text)
    text = re.sub(r" code$", "", text) if slot.kind in ("currency", "country", "language") else text
    return ValueNote(text if text.startswith("my ") else f"the {text}", value, are=slot.noun.plural)


def _with_currencies(rng: Random, mentions: list[Mention], notes: list[ValueNote]) -> list[Mention]:
    """ValueNote an amount with its currency, `100 euros`, and return the others."""
    amounts = [m for m in mentions if m.known.slot.kind == "money" and m.way == "said"]
    kinds = [m for m in mentions if m.known.slot.kind == "currency" and m.way == "said" and not m.words]
    if len(amounts) != 1 or len(kinds) != 1:
        return mentions
    amount, currency = amounts[0], kinds[0]
    value = f"{spoken(rng, amount.known, None)} {spoken(rng, currency.known, None)}"
    notes.append(ValueNote(f"the {amount.known.slot.noun.text}", value, are=amount.known.slot.noun.plural))
    return [mention for mention in mentions if mention not in (amount, currency)]


def inline(notes: Sequence[ValueNote]) -> str:
    """Return notes as an aside in a sentence: `(payment method: cash; amount: 5)`."""
    return f"({'; '.join(note.brief for note in notes)})" if notes else ""


def noted(rng: Random, notes: Sequence[ValueNote], style: Style) -> str:
    """Return notes as what follows a request: a sentence, or in terse texts an aside."""
    if not notes:
        return ""
    if style == "terse":
        return f", {', '.join(note.brief for note in notes)}" if rng.random() < 0.5 else f" {inline(notes)}"
    if len(notes) == 1:
        return " " + write(rng, _bank("note"), _fields(notes[0]))
    if len(notes) == 2 and rng.random() < 0.6:
        one, two = (f"{note.noun} {'are' if note.are else 'is'} {note.value}" for note in notes)
        return f" {sentence_case(one)}, and {two}."
    return " " + write(rng, _bank("notes"), {"notes": "; ".join(note.brief for note in notes)})


def _fields(note: ValueNote) -> dict[str, str]:
    brief = re.sub(r"^(?:the|my) ", "", note.noun)
    return {
        "noun": note.noun,
        "Noun": sentence_case(note.noun),
        "Brief": sentence_case(brief),
        "value": note.value,
        "is": "are" if note.are else "is",
    }


def _bank(name: str) -> tuple[Frame, ...]:
    return bank_file("user_words", home=__package__)[name]
