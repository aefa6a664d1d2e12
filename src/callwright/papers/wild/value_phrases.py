"""Values of a wish in words, said or referred to."""

from __future__ import annotations

import re
from datetime import date
from random import Random

from callwright.author.briefs import Known
from callwright.lang.dates import parse_clock
from callwright.lang.english import is_plural, join_with
from callwright.lang.kinds import Kind
from callwright.lang.surface import say
from callwright.lang.tokens import stem_set
from callwright.papers.wild.task_briefs import Mention, Reference

_QUOTED: frozenset[Kind] = frozenset(("title", "other", "text"))
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def spoken(rng: Random, known: Known, today: date | None) -> str:
    """Return a value as it is said; names of things and words stand in quotes."""
    kind = known.slot.kind
    value = known.value
    text = say(value, kind, rng=rng, today=today)
    if isinstance(value, (int, float)) and kind in ("count", "number"):
        whole = int(value) if float(value).is_integer() else value
        return f"{whole:,}" if abs(whole) >= 10_000 else str(whole)  # "one" is a pronoun more often than a number
    if kind == "time" and (clock := parse_clock(str(value))) is not None:
        return f"{clock:%H:%M}"  # `4:15` may be in the morning
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
    """Return the noun of a value and its words, with the unit that the noun gives: `distance`, `262 km`."""
    noun, said = quantity(known.slot.noun.text), spoken(rng, known, today)
    unit = known.slot.noun.text.removeprefix(noun).removeprefix(" in ").lower()
    return noun, said if not unit or said.endswith(("%", "percent")) else f"{said}{_UNITS[unit]}"


def quantity(noun: str) -> str:
    """Return what is measured, without its unit: `distance` for `distance in km`."""
    head, _, unit = noun.partition(" in ")
    return head if unit.lower() in _UNITS else noun


def value_list(rng: Random, knowns: list[Known], today: str) -> str:
    """Return values of one parameter as a list in running text: `Lyon, Paris and Nice`."""
    day = date.fromisoformat(today) if today else None
    return join_with([spoken(rng, known, day) for known in knowns])


_IDENTIFIES = re.compile(
    r"^(?:(?!of )\w+ )?(?:name|title|ID|code|identifier|number|keyword|URL|link|symbol|abbreviation|username|path) "
    r"of (?:the |an? )?",
)
_NAME = re.compile(r"(?<=\w) (?:name|title|symbol|code|coordinates)$")


def entity_of(known: Known) -> str:
    """Return what the value identifies, or what it is: `song` for a song ID, `city` for the name of a city."""
    slot = known.slot
    if slot.kind in ("city", "country"):
        return slot.kind
    text = re.split(r"(?<!of)(?<!for)(?<!in) (?:the|an?) ", _IDENTIFIES.sub("", slot.noun.text))[0]
    if slot.kind == "person":
        text = text.split(" of ")[0]  # the author of the quote is an author
    return (slot.noun.entity or _NAME.sub("", text) or slot.noun.text).split(" or ")[0]


def referred(rng: Random, reference: Reference, known: Known, noun: str) -> str:
    """Return words that mean the value without saying it."""
    entity = reference.entity or entity_of(known) or noun
    entity = entity.split(" of ")[0] if known.slot.kind == "person" else entity
    if reference.chosen_by is not None:
        best = reference.chosen_by.words
        return rng.choice((f"whichever {entity} has {best}", f"the {entity} with {best}"))
    if reference.ordinal:
        which = f"{part_of(known, entity)}the {ORDINALS[reference.ordinal]} {entity}"
        if reference.hiding == "long_range":
            return f"{which} from {request(rng, reference)}"
        if reference.hiding:
            return rng.choice((f"{which} on that list", f"{which} of those", f"{which} you found"))
        return rng.choice((f"{which} it finds", f"{which} that comes up", f"{which} on the list", which))
    is_many = is_plural(entity) and not entity.startswith("number of ")
    if reference.hiding == "long_range":
        return f"the {entity} from {request(rng, reference)}"
    if reference.hiding:
        return rng.choice((f"{'those' if is_many else 'that'} {entity}", f"the same {entity}"))
    if reference.obtained:
        return rng.choice((f"the {entity} you get", f"the {entity} that comes back", f"the resulting {entity}"))
    return f"the same {entity}"


_GENERIC = stem_set("id name title code value key text url link number item result")


def part_of(known: Known, entity: str) -> str:
    """What is meant where it is not the thing of the list itself: `the company of` the first job."""
    own = entity_of(known)
    stems = stem_set(own) - _GENERIC
    return "" if not stems or stems & stem_set(entity) or " of " in own else f"the {own} of "


def request(rng: Random, reference: Reference) -> str:
    """Return which of the user's requests holds what is referred to: `my second request`."""
    return f"my {ORDINALS[reference.request]} {rng.choice(('request', 'question'))}"


def meant(rng: Random, mention: Mention) -> str:
    """Return the words for a value that is not said: those of its group, or a reference."""
    return mention.words or referred(rng, mention.reference, mention.known, mention.known.slot.noun.text)
