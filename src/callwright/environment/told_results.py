"""Results in words: the names of listed items, the fields asked for first, and each as a clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from random import Random
from typing import Final

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.contrast import HEAD_END
from callwright.catalog.slots import Slot
from callwright.environment.told_fields import BEGINS, CHANGED, is_moment_of, is_reference
from callwright.environment.tool_target import (
    WRAPPERS,
    ToldPlace,
    ToolTarget,
    is_aside,
    looked_up,
    own_field,
    says_more,
    target_of,
    told_places,
)
from callwright.lang.dates import parse_clock, parse_moment
from callwright.lang.english import is_countable, is_plural, join_with, plural
from callwright.lang.kinds import ID_WORDS, Kind, kind_of, kind_of_value
from callwright.lang.nouns import slot_noun
from callwright.lang.phrases import is_participle
from callwright.lang.schemas import name_words, plain_schema, singular, type_of, type_of_value
from callwright.lang.surface import say
from callwright.lang.tokens import identifier_words, stem, stem_set
from callwright.records.jsontext import Json, decode, encode
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


_NAMES = ("name", "title", "display name", "full name")
_LABELS = ("subject", "label", "summary", "text", "description", "email", "path", "handle", "username")


def listed_names(value: Json, items: Sequence[ToldPlace]) -> tuple[tuple[str, ...], str, int]:
    """Return the list in a result: names or words, if each item has its own; the noun for one; the number."""
    items = _whole_items(items)
    if not items:
        plain = {name: one for name, one in value.items() if isinstance(one, list)} if isinstance(value, dict) else {}
        name, words = next(iter(plain.items()), ("", []))
        is_told = all(isinstance(one, str) and kind_of_value(one) != "code" for one in words)
        return tuple(map(str, words)) if is_told else (), " ".join(name_words(singular(name))), len(words)
    by_words = {" ".join(name_words(name)): name for name in items[0].fields}
    holder = name_words(items[0].holder)
    own = [words for words in by_words if _names_it(words, holder)]
    named = [by_words[label] for label in (*_NAMES, *own, *_LABELS) if label in by_words]
    found = [place.fields.get(name) for name in named[:1] for place in items]
    told = tuple(dict.fromkeys(one for one in found if isinstance(one, str) and 0 < len(one) <= LONGEST))
    noun = holder[:-1] if len(holder) > 1 and holder[-1] == "list" else holder
    return (told if len(told) == len(items) else ()), " ".join(noun), len(items)


def _names_it(field: str, holder: tuple[str, ...]) -> bool:
    """Whether a field is a name of what holds it: `user name` of a user, not `account name` of a transaction."""
    *before, last = field.split()
    if last not in _FIRST or not before:
        return last in _FIRST
    return (len(before) == 1 and before[0] in _PLAIN_NAMES) or stem_set(" ".join(before)) <= stem_set(" ".join(holder))


_PLAIN_NAMES = frozenset("file user first nick full display friendly".split())


def _whole_items(items: Sequence[ToldPlace]) -> list[ToldPlace]:
    """Return the items of a list, each with the fields that it holds under a general name: `attributes`."""
    whole: list[ToldPlace] = []
    for place in items:
        if whole and any(one is place.fields for one in whole[-1].fields.values()):
            whole[-1] = whole[-1]._replace(fields={**whole[-1].fields, **place.fields})
        else:
            whole.append(place)
    return whole


def listed_field(items: Sequence[ToldPlace]) -> tuple[Known, ...]:
    """Return the field that people ask for first, once for each item of a list; empty where not all items have one."""
    items = _whole_items(items)
    for _, known in sorted(_ranked(items[0], frozenset(), set()), key=lambda pair: pair[0]) if items else ():
        if known.slot.kind == "url":  # nobody reads addresses out
            continue
        last = "".join(name_words(known.slot.name)[-1:])
        if _is_adjective((last,)):  # nobody says `the actives`
            continue
        name, found = known.slot.name, [place.fields.get(known.slot.name) for place in items]
        is_one = len(found) > 1 and len({encode(one) for one in found}) == 1  # nothing tells them apart
        if is_one and _STATES.isdisjoint(name_words(name)[-1:]):
            continue
        if not any(isinstance(one, (dict, list)) or not _is_telling(name, one) for one in found):
            return tuple(Known(known.slot, encode(one)) for one in found)
    return ()


def listed_clause(rng: Random, found: Sequence[Known], today: date | None) -> str:
    """Return what a field is of each item as a clause: `the prices are 35 and 42`."""
    noun, act = _spoken_noun(found[0].slot), _past_act(found[0].slot.name)
    form = rng.random()  # one way to write numbers for all
    days = [day for one in found if (day := _day_of(one))]
    noun = _as_day(noun) if days else noun
    told = join_with(
        _shortened(days) if len(days) == len(found) else [spoken(Random(form), one, today) for one in found]
    )
    if act and days:
        return f"{'it was' if len(found) == 1 else 'they were'} {act} on {told}"
    if (
        len(found) > 1
        and _STATES.issuperset(name_words(found[0].slot.name)[-1:])
        and len({one.value for one in found}) == 1
    ):
        return f"{'both' if len(found) == _BOTH else 'all'} have the {noun} {_state(found[0].value)}"
    if _STATES.issuperset(name_words(found[0].slot.name)[-1:]):
        told = join_with([_state(one.value) for one in found])
    nouns = noun if len(found) == 1 else plural(noun)
    return f"the {nouns} {'are' if is_plural(nouns) else 'is'} {told}"


def _spoken_noun(slot: Slot) -> str:
    """The noun of a field; of a code that is said as a name, that of the name: `country` for `country code`."""
    return slot.noun.text.removesuffix(" code") if slot.kind in ("country", "currency", "language") else slot.noun.text


def _shortened(days: Sequence[str]) -> list[str]:
    """Days of one year with the year after the last alone: `March 3` and `April 5, 2027`."""
    years = {day.rpartition(", ")[2] for day in days}
    return [*(day.rpartition(", ")[0] for day in days[:-1]), *days[-1:]] if len(years) == 1 else list(days)


def _as_day(noun: str) -> str:
    """The noun of a moment of which only the day is told: `publish date`."""
    return _TIME.sub("date", noun)


_TIME = re.compile(r"(?<=\w )(?:date time|time|timestamp)$")


def is_empty(value: Json) -> bool:
    """Whether a result holds nothing: empty lists or null, and beside them at most notes on the reply and its pages."""
    if not isinstance(value, dict) or not value:
        return value in (None, "", [], {})
    held = {name: one for name, one in value.items() if isinstance(one, (dict, list)) and not is_aside(name)}
    plain = (name for name, one in value.items() if not isinstance(one, (dict, list)) and one not in (None, ""))
    is_null = any(one is None and name.lower() in WRAPPERS for name, one in value.items())
    return (bool(held) or is_null) and all(map(is_empty, held.values())) and not any(map(says_more, plain))


def listed_noun(target: ToolTarget, held: str) -> str:
    """Return the noun for what is listed: that of the field which holds the list, else of what the tool is about."""
    is_other = held and stem(held.split()[-1]) != stem(target.noun)
    return held if target.act != "list" or is_other else " ".join(target.named)


def so_many(count: int, noun: str) -> str:
    """Return a count of things: `3 projects`, `1 news entry`."""
    *before, last = noun.split() or ["result"]
    if not last.isalpha():  # a key that stands in the place of a name
        before, last = [], "result"
    one = singular(last)
    if not is_countable(one):
        return f"{count} {noun} {'entry' if count == 1 else 'entries'}"
    return " ".join((str(count), *before, one if count == 1 else plural(one)))


_BOTH = 2
_FIRST = ("name", "title", "subject", "label")
_STATES = frozenset("status state stage phase".split())
_RANKS: tuple[tuple[frozenset[str], int], ...] = (
    (frozenset(("money",)), 2),
    (frozenset(("date", "time")), 3),
    (frozenset(("percent", "number", "count", "person", "city", "country", "enum", "year")), 4),
    (frozenset(("title", "text", "email", "language", "phone", "currency", "url")), 5),
    (frozenset(("datetime",)), 6),
)
_OF_OTHERS = 5
"""Rank of the names of what a thing belongs to."""
_COUNTED = frozenset(("count", "number", "money"))
_CUT = frozenset(("left", "required", "using", "remaining"))
"""Last words of names that are no nouns."""


def telling_fields(tool: Tool, arguments: Mapping[str, Json], value: Json) -> Iterator[Known]:
    """Yield the fields of a result that answer the call: what its name asks for, the thing's name and state, then what
    people ask for first, without what the call gave. Of a list nothing, unless it holds the one thing looked up."""
    given = {name_words(name) for name in arguments}
    said = {str(one) for one in arguments.values() if isinstance(one, str)}
    target = target_of(tool)
    if not isinstance(value, (dict, list)) and _is_telling(target.noun, value):
        yield Known(_told_slot("_".join(target.named), {"type": type_of_value(value)}), encode(value))
        return
    asked = stem_set(" ".join(name_words(tool.name))) - stem_set(" ".join(target.named))
    asked |= {stem(target.noun)} & stem_set(" ".join(SINGLE_FACTS))
    places = list(told_places(target, value, decode(tool.returns) if tool.returns is not None else None))
    things = [place for place in places if place.role == "thing"]
    items = [place for place in places if place.role == "item"]
    is_one = len(items) == 1 and (bool(looked_up(tool, target, arguments)[0]) or _is_given(items[0], arguments))
    parts = [place for place in places if place.role == "part"]
    is_act = target.act in ("create", "change", "delete")
    for answering in (things, items if is_one else [], parts if things or is_one else []):
        told = (pair for place in answering for pair in _ranked(place, asked, given, is_act=is_act))
        ranked = [pair for pair in told if _is_news(pair[1], said)]
        spoken_of = [pair for pair in ranked if pair[1].slot.kind != "url"]  # addresses only where nothing else is told
        is_link = not _LINKS.isdisjoint(map(singular, (*target.named, *target.said)))  # or where they are asked for
        ranked = (
            [(0, one) if one.slot.kind == "url" else (rank, one) for rank, one in ranked]
            if is_link
            else (spoken_of or ranked)
        )
        if ranked:
            yield from _first_of_each_noun(known for _, known in sorted(ranked, key=lambda pair: pair[0]))
            return
    if not items and not is_act:
        yield from [known for place in places if place.role != "part" for known in _flags(place)][:1]


def reference_given(tool: Tool, arguments: Mapping[str, Json], value: Json) -> tuple[str, str] | None:
    """Return the noun and the value by which people refer to what an act brought about: its new number or identifier.

    Of several that of the thing itself; None where there is none, or where several are of other things.
    """
    fields = value if isinstance(value, dict) else {}
    given = list(arguments.values())
    found = [name for name, one in fields.items() if type(one) in (str, int) and one not in given and _is_number(name)]
    noun = target_of(tool).noun
    name = own_field(found, noun) or (found[0] if len(found) == 1 else "")
    return (slot_noun(name, "", thing=noun).text, str(fields[name])) if name else None


def _is_number(name: str) -> bool:
    *before, last = name_words(name) or ("",)
    is_numbered = last in _NUMBERS and _COUNTED_THROUGH.isdisjoint(before) and kind_of(name, {}) == "code"
    return is_reference(name) or is_numbered


_NUMBERS: Final = frozenset(("number", "no", "reference", "ref"))
_COUNTED_THROUGH: Final = frozenset("page line row version revision sequence index position week".split())
"""What has numbers by which nobody asks for it."""


SINGLE_FACTS: Final = {
    "status": frozenset(("status", "state", "phase", "stage")),
    "state": frozenset(("status", "state", "phase", "stage")),
    "balance": frozenset(("balance", "amount", "total")),
    "price": frozenset(("price", "amount", "cost", "total", "fee")),
    "progress": frozenset(("progress", "percent", "percentage", "status", "state", "done", "completed")),
}
"""Facts of which people ask for one, each with the words of fields that hold it."""


def lacks_fact(noun: str, value: Json) -> bool:
    """Whether a result has no field, at any depth, for the one fact that was asked for."""
    words = SINGLE_FACTS.get(noun)
    return words is not None and words.isdisjoint(word for name in _names(value) for word in name_words(name))


def _names(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _names(one)


_LINKS = frozenset(
    "url uri link image picture photo logo icon avatar portrait thumbnail video screenshot wallpaper gif poster".split()
)
"""Things that people are shown by their addresses."""


def _flags(place: ToldPlace) -> Iterator[Known]:
    """Yield what an object says with yes or no of what was asked about: `valid`, `nameAvailable`."""
    for name, found in place.fields.items():
        if isinstance(found, bool) and _is_adjective(name_words(name)[-1:]):
            yield Known(_told_slot(name, {"type": "boolean"}), encode(found))


def _is_adjective(last: tuple[str, ...]) -> bool:
    return bool(last) and (last[0] in _ADJECTIVES or last[0].endswith(("able", "ible")) or is_participle(last[0]))


_ADJECTIVES = frozenset("valid active open public private visible empty online healthy correct unique free".split())


def _is_given(item: ToldPlace, arguments: Mapping[str, Json]) -> bool:
    """Whether an item has an argument of the call as its identifier."""
    own = own_field(item.fields, item.holder)
    return bool(own) and str(item.fields[own]) in {str(one) for one in arguments.values()}


def _first_of_each_noun(found: Iterable[Known]) -> Iterator[Known]:
    nouns: set[str] = set()
    for known in found:
        if len(nouns) < MOST_FIELDS and known.slot.noun.text not in nouns:
            nouns.add(known.slot.noun.text)
            yield known


def _is_news(known: Known, said: set[str]) -> bool:
    return str(known.value) not in said


def _ranked(
    place: ToldPlace, asked: frozenset[str], given: set[tuple[str, ...]], *, is_act: bool = False
) -> Iterator[tuple[int, Known]]:
    """Yield the fields that people can be told, with their rank; after an act nobody asks when it was done."""
    for name, found in place.fields.items():
        if isinstance(found, (dict, list)) or name_words(name) in given or not _is_telling(name, found):
            continue
        if is_act and is_moment_of(name_words(name), BEGINS | CHANGED):
            continue
        schema = plain_schema(place.properties.get(name)) or {"type": type_of_value(found)}
        is_asked = not asked.isdisjoint(map(stem, name_words(name)))
        rank, slot = _rank(name, schema, is_asked=is_asked), _told_slot(name, schema)
        is_plain = not slot.noun.text.endswith(" value") or name_words(name)[-1:] == ("value",)
        *before, last = slot.noun.text.split() or ("",)
        is_plain &= not (last.endswith("ing") and bool(before) and is_plural(before[-1]))  # `the files using`
        is_plain &= not (slot.kind in _COUNTED and (last in _CUT or is_participle(last)))  # `the tickets left`
        is_itself = stem_set(" ".join(name_words(name)[-1:])) <= stem_set(" ".join(name_words(place.holder)[-1:]))
        is_itself |= "".join(name_words(name)) == "".join(name_words(place.holder))  # the `zipCode` of a zipcode
        is_hidden = is_secret(name) or not ID_WORDS.isdisjoint(name_words(name)[-1:])
        if is_itself and isinstance(found, str) and not is_hidden and (rank is None or slot.kind == "url"):
            rank = 1  # a quote, a portrait
        if rank == 0 and not _names_it(" ".join(name_words(name)), name_words(place.holder)):
            rank = _OF_OTHERS
        if rank is not None and is_plain:  # nobody can read out `the idfk value`
            yield -1 if is_asked else rank, Known(slot, encode(found))


def _is_telling(name: str, found: Json) -> bool:
    """Whether people can make something of a value: no code, no stamp, no placeholder."""
    if isinstance(found, int) and not _STATES.isdisjoint(name_words(name)[-1:]):
        return False  # the status of the reply
    is_stamp = isinstance(found, int) and found > 1_000_000_000
    text = str(found)
    if _OPAQUE.fullmatch(text):
        return False
    is_state = not _STATES.isdisjoint(name_words(name)[-1:])
    is_called = name_words(name)[-1:] in (("name",), ("title",), ("file",), ("filename",))
    is_joined = "_" in text and not (is_state and text.isupper()) and not is_called
    return (
        found not in (None, "")
        and not is_stamp
        and len(text) <= LONGEST
        and not (is_joined or (is_state and text.lower() in _WELL))
    )


def _rank(name: str, schema: dict[str, Json], *, is_asked: bool) -> int | None:
    """The place of a field among those to tell, from 0; None for what nobody asks for."""
    words, kind = name_words(name), kind_of(name, schema)
    is_aside = not is_asked and words[-1:] and words[-1] in _UNTOLD
    if is_secret(name) or not words or is_aside or kind == "boolean" or not ID_WORDS.isdisjoint(words[-1:]):
        return None
    if words[-1] in _FIRST and len(words) <= 2:
        return 0
    if words[-1] in _STATES:  # a number is the status of the reply
        return 1 if type_of(schema) not in ("integer", "number") else None
    kind = "datetime" if _past_act(name) else kind
    return next((rank for kinds, rank in _RANKS if kind in kinds), None)


_OPAQUE = re.compile(r"(?=[^ ]*\d)[A-Z]{0,3}[0-9a-f-]{16,}")
"""An identifier whatever its field is called."""
_WELL = frozenset("success successful succeeded ok".split())
"""States that say that the call went well."""
_UNTOLD = frozenset(
    "index position sequence type object success total cursor page limit offset token next previous code method api "
    "get post put patch".split()
)
"""Last words of fields that are about the reply or its pages."""
_MOMENT = frozenset("at on date time utc".split())


def _past_act(name: str) -> str:
    """The participle of a field that says when something was done: `created` of `content_created_at`, `last seen`."""
    words = [word for word in name_words(name) if word not in _MOMENT]
    if not words or words[-1] in _BY_ITSELF or not (words[-1].endswith("ed") or words[-1] in _PARTICIPLES):
        return ""
    return " ".join(words[-2:]) if words[-2:-1] == ["last"] and words[-1] not in _CHANGED else words[-1]


_BY_ITSELF = frozenset("joined started ended expired launched arrived".split())
"""Participles of what things do by themselves: nothing was joined."""
_PARTICIPLES = frozenset("sent paid seen made sold built taken run done".split())


_UNIT = re.compile(r" in ([a-z°/]{1,12})$")


def _told_slot(name: str, schema: dict[str, Json]) -> Slot:
    """A field of a result as a slot: its noun with the unit that its description ends with."""
    described = schema.get("description")
    text = described if isinstance(described, str) else ""
    noun = slot_noun(name, text)
    if (unit := _UNIT.search(text)) and not noun.text.endswith(f" in {unit[1]}"):
        noun = msgspec.structs.replace(noun, text=f"{noun.text} in {unit[1]}")
    return Slot(name, noun, kind_of(name, schema), encode(schema), "")


_CALLED = frozenset(("name", "title", "display name", "friendly name", "full name"))
_CHANGED = frozenset(("updated", "modified", "changed"))
_AHEAD = frozenset(("expected", "scheduled", "estimated"))


def field_clause(rng: Random, known: Known, today: date | None) -> str:
    """Return what a field tells as a clause: `the name is "Contract.pdf"`, `the humidity is 72%`."""
    slot, words = known.slot, " ".join(name_words(known.slot.name))
    act = _past_act(slot.name)
    if isinstance(known.value, bool):
        is_said = _is_adjective(name_words(slot.name)[-1:])
        return (
            _flag_clause(name_words(slot.name), is_so=known.value)
            if is_said
            else f"the answer is {'yes' if known.value else 'no'}"
        )
    if words in _CALLED:
        return f"the {slot.noun.text} is {spoken(rng, known, today)}"
    if act and (named := _day_of(known)):
        day = f"on {named}"
        return (
            f"the last change was {day}" if act in _CHANGED else f"{'it is' if act in _AHEAD else 'it was'} {act} {day}"
        )
    noun, said = _spoken_noun(slot), spoken(rng, known, today)
    noun = f"{noun.removesuffix(' date')} time" if noun.endswith(" date") and parse_clock(str(known.value)) else noun
    noun = noun.removesuffix(" in percent") if slot.kind == "percent" else noun
    if words in _STATES:
        return f"its {words} is {_state(known.value)}"
    if named := _day_of(known):
        noun, said = _as_day(noun), named
    head = HEAD_END.split(noun)[0]
    if slot.kind in ("count", "number") and is_plural(head) and head == noun:
        return f"the number of {noun} is {said}"
    return f"the {noun} {'are' if is_plural(head) else 'is'} {said}"


def _state(value: Json) -> str:
    """A state in words where it is written with signs: `needs repair` for `NEEDS_REPAIR`, `paused` for `PAUSED`."""
    if str(value).lower() == "inprogress":
        return "in progress"
    is_signs = "_" in str(value) or (str(value).isupper() and len(str(value)) > _ABBREVIATED)
    return str(value).replace("_", " ").lower() if is_signs else str(value)


_ABBREVIATED = 3
"""Letters of a state in capitals that may be an abbreviation."""


def _flag_clause(words: Sequence[str], *, is_so: bool) -> str:
    """What a yes or no tells as a clause: `the name is available`, `it isn't valid`."""
    subject = " ".join(word for word in words[:-1] if word not in ("is", "are", "was", "has", "been"))
    return f"{f'the {subject}' if subject else 'it'} {'is' if is_so else 'is not'} {words[-1]}"


_STAMP = re.compile(r"\d{9,10}")
_FIRST_STAMP = 10**8
"""Seconds since 1970 from which on a number may be a moment: 1973."""


def _day_of(known: Known) -> str:
    """The day that a value names, in ISO or as seconds since 1970; empty for other values."""
    held = known.value
    value = int(held) if isinstance(held, str) and _STAMP.fullmatch(held) else held
    is_stamp = type(value) is int and value >= _FIRST_STAMP and bool(_past_act(known.slot.name))
    if not is_stamp and not (isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value)):
        return ""
    moment = parse_moment(value if is_stamp else str(value)[:10])
    return f"{moment:%B %-d, %Y}" if moment else ""


def spoken(rng: Random, known: Known, today: date | None) -> str:
    """Return a value as people say it; names of things, and words, stand in quotes."""
    kind, value = known.slot.kind, known.value
    if isinstance(value, str) and kind in _COUNTED and re.fullmatch(r"\d{1,12}", value):
        return f"{int(value):,}"
    text = say(value, kind, rng=rng, today=today)
    if isinstance(value, (int, float)) and kind in ("count", "number"):
        whole = int(value) if float(value).is_integer() else value
        return f"{whole:,}" if abs(whole) >= 10_000 else str(whole)  # "one" would read as a pronoun
    if kind == "time" and (clock := parse_clock(str(value))) is not None:
        return f"{clock:%H:%M}"  # `4:15` could be in the morning
    if kind == "enum" and isinstance(value, str) and " " in value and not value.islower():
        return value if value.istitle() else f'"{value}"'  # a name or a sentence, not a choice
    return f'"{text}"' if isinstance(value, str) and kind in _QUOTED else text
