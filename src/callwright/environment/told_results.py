"""Results in words: the names of listed items, the fields asked for first, and each as a clause."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from random import Random

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.contrast import HEAD_END
from callwright.catalog.slots import Slot
from callwright.environment.told_outputs import Output, outputs
from callwright.environment.tool_target import ToldPlace, target_of
from callwright.lang.dates import parse_clock, parse_moment
from callwright.lang.english import is_countable, is_plural, plural
from callwright.lang.kinds import Kind, kind_of_value
from callwright.lang.nouns import slot_noun
from callwright.lang.schemas import name_words, plain_schema, singular, type_of
from callwright.lang.surface import say
from callwright.lang.tokens import identifier_words
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

MOST_FIELDS = 3
LONGEST = 60
"""Characters of a value that people are told."""
_QUOTED: frozenset[Kind] = frozenset(("title", "other", "text"))


_SECRET = frozenset(
    "password passphrase passcode otp secret token credential credentials apikey cvc cvv pairing".split()
)


def is_secret(name: str) -> bool:
    """Whether the parameter is a secret: people neither repeat it nor name several in a row."""
    words = identifier_words(name)
    return not _SECRET.isdisjoint(words) or words[-2:] == ["api", "key"] or words[-1:] == ["pin"]


_LABELS = ("name", "title", "display name", "full name", "subject", "label", "summary", "text", "description", "email")


_LETTERED = re.compile(r"\w+ [A-H]")
"""Names that say nothing: `Score A`."""


def listed_names(value: Json, items: Sequence[ToldPlace]) -> tuple[tuple[str, ...], str, int]:
    """Return the list in a result: names or words, if each item has its own; the noun for one; the number."""
    if not items:
        plain = {name: one for name, one in value.items() if isinstance(one, list)} if isinstance(value, dict) else {}
        name, words = next(iter(plain.items()), ("", []))
        is_told = all(isinstance(one, str) and kind_of_value(one) != "code" for one in words)
        return tuple(map(str, words)) if is_told else (), " ".join(name_words(singular(name))), len(words)
    by_words = {" ".join(name_words(name)): name for name in items[0].fields}
    named = [by_words[label] for label in _LABELS if label in by_words]
    named += [name for words, name in by_words.items() if words.endswith(" name") and name not in named]
    found = [place.fields.get(name) for name in named[:1] for place in items]
    told = tuple(dict.fromkeys(one for one in found if isinstance(one, str) and 0 < len(one) <= LONGEST))
    is_told = len(told) == len(items) and not all(_LETTERED.fullmatch(one) for one in told)
    return (told if is_told else ()), " ".join(name_words(items[0].holder)), len(items)


def so_many(count: int, noun: str) -> str:
    """Return a count of things: `3 projects`, `1 news entry`."""
    *before, last = noun.split() or ["result"]
    one = singular(last)
    if not is_countable(one):
        return f"{count} {noun} {'entry' if count == 1 else 'entries'}"
    return " ".join((str(count), *before, one if count == 1 else plural(one)))


_FIRST = ("name", "title", "subject", "label")
_STATES = frozenset("status state stage phase".split())
_RANKS: tuple[tuple[frozenset[str], int], ...] = (
    (frozenset(("money",)), 2),
    (frozenset(("date", "time")), 3),
    (frozenset(("percent", "number", "count", "person", "city", "country", "enum", "year")), 4),
    (frozenset(("title", "text", "email", "language", "phone", "currency", "url")), 5),
    (frozenset(("datetime",)), 6),
)
_MOST_NOUN_WORDS = 4


def telling_fields(tool: Tool, arguments: Collection[str], value: Json) -> Iterator[Known]:
    """Yield the fields of a result that people ask for first, without those that the call gave."""
    given = {name_words(name) for name in arguments}
    own = [output for output in outputs(tool) if not output.is_listed and _is_own(output, tool)]
    nouns: set[str] = set()
    for _, known in sorted(_ranked(own, value, given), key=lambda pair: pair[0]):
        if len(nouns) < MOST_FIELDS and known.slot.noun.text not in nouns:
            nouns.add(known.slot.noun.text)
            yield known


def _is_own(output: Output, tool: Tool) -> bool:
    return all(target_of(tool).is_about(key) for key in output.path[:-1])


def _ranked(told: Sequence[Output], value: Json, given: set[tuple[str, ...]]) -> list[tuple[int, Known]]:
    ranked = []
    for output in told:
        rank = _rank(output)
        found = resolve(value, output.pointer()) if rank is not None else None
        is_said = name_words(output.name) in given
        if rank is not None and not is_said and _is_telling(output.name, found):
            ranked.append((rank, Known(_told_slot(output), encode(found))))
    return ranked


def _is_telling(name: str, found: Json) -> bool:
    """Whether people can make something of a value: no code, no stamp, no placeholder."""
    if isinstance(found, int) and not _STATES.isdisjoint(name_words(name)[-1:]):
        return False  # the status of the reply
    is_stamp = isinstance(found, int) and found > 1_000_000_000
    text = str(found)
    is_plain = "_" not in text and not _LETTERED.fullmatch(text)
    return found not in (None, "") and not is_stamp and len(text) <= LONGEST and is_plain


def _rank(output: Output) -> int | None:
    """The place of a field among those to tell, from 0; None for what nobody asks for."""
    words = name_words(output.name)
    if is_secret(output.name) or not words or words[-1] in _UNTOLD or output.kind == "boolean":
        return None
    if words[-1] in _FIRST and len(words) <= 2:
        return 0
    if words[-1] in _STATES:
        return (
            1 if type_of(plain_schema(decode(output.schema))) not in ("integer", "number") else None
        )  # a number is the status of the reply
    kind = "datetime" if _past_act(output.name) else output.kind
    return next((rank for kinds, rank in _RANKS if kind in kinds), None)


_UNTOLD = frozenset("type object total cursor page limit offset token next previous code".split())
"""Last words of fields that are about the reply or its pages."""
_MOMENT = frozenset("at on date time utc".split())


def _past_act(name: str) -> str:
    """The participle of a field that says when something was done: `created` of `content_created_at`."""
    words = [word for word in name_words(name) if word not in _MOMENT]
    return words[-1] if words and (words[-1].endswith("ed") or words[-1] in ("sent", "paid")) else ""


_UNIT = re.compile(r" in ([a-z°/]{1,12})$")


def _told_slot(output: Output) -> Slot:
    """A field of a result as a slot: its noun with the unit that its description ends with."""
    described = decode(output.schema).get("description")
    text = described if isinstance(described, str) else ""
    noun = slot_noun(output.name, text)
    if unit := _UNIT.search(text):
        noun = msgspec.structs.replace(noun, text=f"{noun.text} in {unit[1]}")
    return Slot(output.name, noun, output.kind, output.schema, "")


_CALLED = frozenset(("name", "title", "display name", "friendly name", "full name"))
_CHANGED = frozenset(("updated", "modified", "changed"))
_AHEAD = frozenset(("expected", "scheduled", "estimated"))


def field_clause(rng: Random, known: Known, today: date | None) -> str:
    """Return what a field tells as a clause: `the name is "Contract.pdf"`, `the humidity is 72%`."""
    slot, words = known.slot, " ".join(name_words(known.slot.name))
    act = _past_act(slot.name)
    if words in _CALLED:
        return f"the {slot.noun.text} is {spoken(rng, known, today)}"
    if act and (named := _day_of(known)):
        day = f"on {named}"
        return (
            f"the last change was {day}" if act in _CHANGED else f"{'it is' if act in _AHEAD else 'it was'} {act} {day}"
        )
    noun, said = slot.noun.text, spoken(rng, known, today)
    if words in _STATES:
        return f"its {words} is {known.value}"
    if named := _day_of(known):
        said = named
    return f"the {noun} {'are' if is_plural(HEAD_END.split(noun)[0]) else 'is'} {said}"


_FIRST_STAMP = 10**8
"""Seconds since 1970 from which on a number may be a moment: 1973."""


def _day_of(known: Known) -> str:
    """The day that a value names, in ISO or as seconds since 1970; empty for other values."""
    value = known.value
    is_stamp = type(value) is int and value >= _FIRST_STAMP and bool(_past_act(known.slot.name))
    if not is_stamp and not (isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value)):
        return ""
    moment = parse_moment(value if is_stamp else value[:10])
    return f"{moment:%B %-d, %Y}" if moment else ""


def spoken(rng: Random, known: Known, today: date | None) -> str:
    """Return a value as people say it; names of things, and words, stand in quotes."""
    kind, value = known.slot.kind, known.value
    text = say(value, kind, rng=rng, today=today)
    if isinstance(value, (int, float)) and kind in ("count", "number"):
        whole = int(value) if float(value).is_integer() else value
        return f"{whole:,}" if abs(whole) >= 10_000 else str(whole)  # "one" would read as a pronoun
    if kind == "time" and (clock := parse_clock(str(value))) is not None:
        return f"{clock:%H:%M}"  # `4:15` could be in the morning
    if kind == "enum" and isinstance(value, str) and " " in value and not value.islower():
        return value if value.istitle() else f'"{value}"'  # a name or a sentence, not a choice
    return f'"{text}"' if isinstance(value, str) and kind in _QUOTED else text
