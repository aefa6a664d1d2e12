"""Agreement within one result: days in their order, counts with their lists, one currency, mail with its name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from functools import lru_cache
from mimetypes import guess_type

from callwright.author.opposite_values import are_opposites
from callwright.environment.echoes import Edit, plain_words
from callwright.environment.plain_values import written
from callwright.environment.result_drawing import PEOPLE
from callwright.environment.returns import path_of
from callwright.environment.told_fields import BEGINS, CHANGED, COUNTS, act_of_moment, is_moment_of
from callwright.environment.tool_target import ToldPlace, ToolTarget, own_field
from callwright.lang.dates import parse_moment
from callwright.lang.english import past_participle
from callwright.lang.gazetteer import Country, cities, countries, country_by_any, currencies, languages
from callwright.lang.kinds import ID_WORDS, kind_of
from callwright.lang.schemas import name_words, options_of, plain_schema, singular, type_of, type_of_value
from callwright.lang.tokens import identifier_words, stem_set
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_PAGES = frozenset("page pages total count number current last no num of index".split())
"""Words of which those fields consist that tell which page it is, and of how many."""
_THIS_PAGE = (("page",), ("page", "number"), ("current", "page"))
_SIZES = (("page", "size"), ("per", "page"), ("limit",))
_PAGE_SIZE = 20
_LENGTHS = frozenset(
    (("size",), ("length",), ("sum",), *(("total", word) for word in "results hits items records entries".split()))
)
"""Words of fields that tell how many things a list has."""
_MORE = frozenset("next more cursor marker previous prev token".split())
_OF_PAGE = frozenset(("count", "size", "length"))
"""First words of counts of what this page holds."""
_FROM_ZERO = frozenset(("offset", "start", "skip"))


_STAMP = re.compile(r"1\d{9}\.\d{3,6}")


def moment_of(value: Json) -> datetime | None:
    """Return the moment that a value tells, without its zone; None where it tells none."""
    if isinstance(value, str) and _STAMP.fullmatch(value):
        value = int(value.partition(".")[0])
    is_one = isinstance(value, (str, int)) and not isinstance(value, bool) and value != 0
    found = parse_moment(value) if is_one and isinstance(value, (str, int)) else None
    if found is None:
        return None
    return found.replace(tzinfo=None) if isinstance(found, datetime) else datetime.combine(found, time())


def stamped(
    target: ToolTarget, places: Sequence[ToldPlace], now: datetime, given: Mapping[str, Json]
) -> Iterator[Edit]:
    """Yield the days that a call sets: its new things begin now, its changes were made now and hold from now on."""
    if target.act not in ("create", "change"):
        return
    said = {str(one) for one in given.values() if not isinstance(one, (dict, list))}
    if not any(own_field(place.fields, place.holder) for place in places if place.role == "thing"):
        about = [place for place in places if str(place.fields.get(own_field(place.fields, place.holder))) in said]
        yield from begun_now([place._replace(role="thing") for place in about], now, CHANGED)
    yield from begun_now(places, now, (BEGINS | CHANGED) if target.act == "create" else CHANGED)
    for place in places:
        for name, one in place.fields.items() if place.role == "thing" else ():
            words, moment = name_words(name), moment_of(one)
            is_sent = words[-1:] == ("ts",) and target.act == "create"
            is_held = words in _HOLDS_FROM and moment is not None and moment < now
            if moment is not None and (is_sent or is_held) and str(one) not in said:
                schema = plain_schema(place.properties.get(name))
                made = written(now, schema, is_day=kind_of(name, schema) == "date")
                yield from (Edit(place.fields, name, made) for made in (made,) if made is not None)


_HOLDS_FROM = (("valid", "from"), ("effective", "from"), ("effective", "date"), ("valid", "since"))


def begun_now(places: Sequence[ToldPlace], now: datetime, done: frozenset[str] = BEGINS | CHANGED) -> Iterator[Edit]:
    """Yield the days of what was done to a thing just now."""
    for place in places:
        for name in place.fields if place.role == "thing" else ():
            schema = plain_schema(place.properties.get(name))
            if is_moment_of(name_words(name), done) and place.fields[name] is not None:
                made = written(now, schema, is_day=kind_of(name, schema) == "date")
                yield from (Edit(place.fields, name, made) for made in (made,) if made is not None)


def ordered(place: ToldPlace, now: datetime) -> Iterator[Edit]:
    """Yield what puts the moments of a thing in their order: it is made, then it is begun or given, then it ends."""
    stages: dict[int, list[tuple[str, datetime]]] = {}
    for name, one in place.fields.items():
        stage, moment = stage_of(name_words(name)), moment_of(one)
        if stage is not None and moment is not None:
            stages.setdefault(stage, []).append((name, moment))
    reached: datetime | None = None
    for _, told in sorted(stages.items()):
        for at, (name, moment) in enumerate(told):
            if reached is not None and moment < reached:
                schema = plain_schema(place.properties.get(name))
                is_day = kind_of(name, schema) == "date" or len(str(place.fields[name])) == _DAY
                later = max(reached, min(reached + (at + 1) * _SOON, now))
                made = written(later, schema or {"type": type_of_value(place.fields[name])}, is_day=is_day)
                yield from (Edit(place.fields, name, one) for one in (made,) if one is not None)
                told[at] = name, later
        reached = max((moment for _, moment in told), default=reached)


def stage_of(words: tuple[str, ...]) -> int | None:
    """When in the life of a thing a moment lies; None for what may lie anywhere."""
    acts = act_of_moment(words) - _LAST
    is_moment = len(words) > 1 or (bool(words) and words[0].endswith("ed"))
    if len(acts) != 1 or not is_moment:
        return None
    return next((at for at, stage in enumerate(_STAGES) if acts <= stage), None)


_LAST = stem_set("last most recent latest recently")
_STAGES = (
    stem_set("created creation"),
    BEGINS - stem_set("created creation") | stem_set("assigned started accepted activated"),
    CHANGED
    | stem_set(
        "completed finished ended closed resolved delivered paid approved rejected sent read seen viewed accessed "
        "touched used deleted archived cancelled processed executed reviewed acknowledged deactivated refreshed synced "
        "verified confirmed merged published deployed login active activity contacted"
    ),
)
"""Stems of what is done to a thing first, then, and last."""
_SOON = timedelta(hours=2)
_DAY = len("2026-05-04")


def unfinished(place: ToldPlace) -> Iterator[Edit]:
    """What is still to be done was not completed at any time."""
    states = {
        str(one).lower() for name, one in place.fields.items() if name_words(name)[-1:] in (("status",), ("state",))
    }
    if not stem_set(" ".join(states).replace("_", " ")).isdisjoint(_UNFINISHED):
        for name in place.fields:
            if act_of_moment(name_words(name)) & _FINISHED and name_words(name)[-1] in ("at", "on", "date", "time"):
                yield Edit(place.fields, name, None, is_gone=True)


def over(target: ToolTarget, place: ToldPlace) -> Iterator[Edit]:
    """What a call deleted is in the state that says so; where a service knows none, it tells of no state."""
    for name, one in place.fields.items() if place.role == "thing" and target.act == "delete" else ():
        if name_words(name)[-1:] not in (("status",), ("state",)) or not isinstance(one, str):
            continue
        if stem_set(" ".join(identifier_words(one))).isdisjoint(_OVER):
            options = [str(one) for one in options_of(plain_schema(place.properties.get(name)))]
            ends = [one for one in options if not stem_set(" ".join(identifier_words(one))).isdisjoint(_OVER)]
            idle = [one for one in options if not stem_set(" ".join(identifier_words(one))).isdisjoint(_IDLE)]
            yield from (Edit(place.fields, name, end) for end in (ends or idle)[:1])
            yield from (Edit(place.fields, name, None, is_gone=True) for _ in range(not ends))  # laid where it may lack


_OVER = stem_set(
    "deleted removed archived cancelled closed ended voided inactive destroyed terminated erased detached disabled "
    "deactivated revoked expired retired unsubscribed trashed"
)
_IDLE = stem_set("paused suspended stopped off offline unavailable blocked frozen halted dormant")
"""States of what does nothing any more, where a service knows none of what is gone and has to tell one."""


def told_twice(places: Sequence[ToldPlace]) -> Iterator[Edit]:
    """What an answer says beside the one thing in it, under the name of what that tells of itself, is the same."""
    things = [place for place in places if place.role == "thing"]
    for place in places if len(things) == 1 else ():
        for name, one in place.fields.items() if place.role == "reply" else ():
            words, its = name_words(name), things[0].fields.get(name)
            is_its_own = words[-1:] == ("ts",) or (len(words) > 1 and words[-1] in ID_WORDS)
            if is_its_own and its is not None and type(its) is type(one) is str and its != one:
                yield Edit(place.fields, name, its)


def flagged(target: ToolTarget, place: ToldPlace) -> Iterator[Edit]:
    """What an act sets and another unsets is so after it: `archived`, and not so after `unarchive`."""
    base = target.verb.removeprefix("un")
    is_done = base == target.verb
    for name, one in place.fields.items() if place.role == "thing" and target.act == "change" else ():
        words = name_words(name)
        is_flag = isinstance(one, bool) and words in ((past_participle(base),), ("is", past_participle(base)))
        if is_flag and one != is_done:
            yield Edit(place.fields, name, value=is_done)


def each_once(target: ToolTarget, place: ToldPlace) -> Iterator[Edit]:
    """No list in a thing holds one thing twice, nor two things under the identifier of one."""
    for name, one in place.fields.items() if place.role != "reply" else ():
        if not isinstance(one, list) or not all(isinstance(item, dict) for item in one):
            continue
        kept = [item for at, item in enumerate(one) if item not in one[:at]]
        named = [
            (item, own_field(item, singular(name)) or _asked_by(target, item))
            for item in kept
            if isinstance(item, dict)
        ]
        keys = [item[own] if own else None for item, own in named]
        several = [item for at, item in enumerate(kept) if keys[at] is None or keys[at] not in keys[:at]]
        if len(several) < len(one):
            yield Edit(place.fields, name, several)


def _asked_by(target: ToolTarget, fields: Mapping[str, Json]) -> str:
    """The one identifier of a named part that is also what the call was asked by: two tracks are no one video."""
    ids = [name for name in fields if name_words(name)[-1:] and name_words(name)[-1] in ID_WORDS]
    is_titled = any(name_words(name) in (("name",), ("title",)) for name in fields)
    return ids[0] if len(ids) == 1 and is_titled and name_words(ids[0]) == name_words(target.own) else ""


def went_well(place: ToldPlace) -> Iterator[Edit]:
    """The status beside a status code is that of the reply, and not of the thing that it tells of."""
    codes = {name_words(name): one for name, one in place.fields.items()}
    for name, told in place.fields.items() if place.role == "reply" and ("status", "code") in codes else ():
        if name_words(name) == ("status",) and isinstance(told, str):
            yield Edit(place.fields, name, "OK")


_UNFINISHED = stem_set("pending processing queued scheduled running draft started waiting")
_FINISHED = stem_set("completed finished ended closed resolved delivered paid")


def apart(place: ToldPlace, given: Sequence[Edit]) -> Iterator[Edit]:
    """Yield what makes the two ends of one thing differ: nothing is moved from an account to itself.

    What the call gave stays; the other end has another last digit, or is left untold.
    """
    fixed = {edit.name for edit in given if edit.place is place.fields}
    texts = [name for name, one in place.fields.items() if isinstance(one, str) and one and _tells_which(name, place)]
    for at, name in enumerate(texts):
        told = place.fields[name]
        other = next((one for one in texts[:at] if place.fields[one] == told and are_opposites(one, name)), "")
        changed = other if name in fixed else name
        if other and changed not in fixed and isinstance(told, str):
            is_open = told[-1].isdecimal() and "enum" not in plain_schema(place.properties.get(changed))
            made = f"{told[:-1]}{(int(told[-1]) + 3) % 10}" if is_open else None
            yield Edit(place.fields, changed, made, is_gone=made is None)


def ends_apart(place: ToldPlace, given: Sequence[Edit]) -> Iterator[Edit]:
    """Yield what makes identifiers differ: those of two objects that are two ends, and of what is another than the
    thing itself. What the call gave stays."""
    fixed = {(id(edit.place), edit.name) for edit in given}
    held = [(name, one, own_field(one, name)) for name, one in place.fields.items() if isinstance(one, dict)]
    for at, (name, fields, own) in enumerate(held):
        for other, its_fields, its_own in held[:at] if own else ():
            if its_own and are_opposites(other, name) and fields[own] == its_fields[its_own]:
                ends = [(its_fields, its_own)] if (id(fields), own) in fixed else [(fields, own)]
                yield from (_otherwise(*end) for end in ends if (id(end[0]), end[1]) not in fixed)
    own = own_field(place.fields, place.holder) if place.role in ("thing", "item") else ""
    for name, one in place.fields.items() if own else ():
        words = name_words(name)
        is_ref = len(words) > 1 and words[-1] in ID_WORDS and not _OF_ANOTHER.isdisjoint(words[:-1])
        if is_ref and name != own and one == place.fields[own] and (id(place.fields), name) not in fixed:
            yield _otherwise(place.fields, name)


_OF_ANOTHER = frozenset("parent previous next source target original origin destination related duplicate".split())
"""Words of references to another thing of a kind than the one that tells them."""


def _otherwise(fields: dict[str, Json], name: str) -> Edit:
    """An identifier with another last digit; none where it has no digit."""
    told = fields[name]
    if type(told) is int:
        return Edit(fields, name, told + 3)
    found = _LAST_DIGIT.fullmatch(told) if isinstance(told, str) else None
    made = f"{found[1]}{(int(found[2]) + 3) % 10}{found[3]}" if found else None
    return Edit(fields, name, made, is_gone=made is None)


_LAST_DIGIT = re.compile(r"(.*)([0-9])([^0-9]*)", re.DOTALL)


def _tells_which(name: str, place: ToldPlace) -> bool:
    words = name_words(name)
    return kind_of(name, plain_schema(place.properties.get(name))) in _TELL and not _OF_BOTH.intersection(words[-1:])


_TELL = frozenset(("code", "person", "email", "phone", "title", "other"))
_OF_BOTH = frozenset("currency country bank status locale language timezone".split())
"""Last words of what two ends may well have in common."""


def in_order(place: ToldPlace) -> Iterator[Edit]:
    """Yield what puts the smaller of two numbers first that differ in one word: `start` and `stop`, `min` and `max`."""
    numbers = {name_words(name): name for name, one in place.fields.items() if type(one) in (int, float)}
    for words, low in numbers.items():
        for at, word in enumerate(words):
            ends = (numbers.get((*words[:at], end, *words[at + 1 :])) for end in _ENDS.get(word, ()))
            for high in (end for end in ends if end):
                one, other = place.fields[low], place.fields[high]
                if isinstance(one, (int, float)) and isinstance(other, (int, float)) and one > other:
                    yield from (Edit(place.fields, low, other), Edit(place.fields, high, one))


def numbered(places: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Each listed thing has its own place in the order."""
    for words in _ORDINALS:
        held = [(one, name) for one in places for name in one.fields if name_words(name) == words]
        numbers = [one.fields[name] for one, name in held]
        if len(held) > 1 and all(type(one) is int for one in numbers):
            first = min(one for one in numbers if isinstance(one, int))
            yield from (Edit(one.fields, name, first + at) for at, (one, name) in enumerate(held))


_ORDINALS = (("index",), ("position",), ("rank",), ("order",), ("sequence",), ("number",))
_ENDS = {"start": ("stop", "end"), "begin": ("end",), "from": ("to",), "min": ("max",), "minimum": ("maximum",)}


def mailed_name(asked: Mapping[tuple[str, ...], Json], place: ToldPlace) -> Iterator[Edit]:
    """Who is asked for by the address `ann.lee@x.y` is called Ann Lee; a mere `name` is hers beside that address."""
    mails = {one.lower() for words, one in asked.items() if words in _MAILS and isinstance(one, str)}
    owner = _OWNER.match(next(iter(mails))) if len(mails) == 1 and place.role == "thing" else None
    if owner is None:
        return
    first, last = owner[1].capitalize(), owner[2].capitalize()
    has_mail = any(name_words(key) in _MAILS for key in place.fields)
    names: dict[tuple[str, ...], str] = {("first", "name"): first, ("last", "name"): last}
    for words in _WHOLE_NAMES if has_mail else (("full", "name"),):
        names[words] = f"{first} {last}"
    for key, one in place.fields.items():
        if name_words(key) in names and isinstance(one, str):
            yield Edit(place.fields, key, names[name_words(key)])


def own_name(tool: Tool, person: str, place: ToldPlace) -> Iterator[Edit]:
    """Who looks up `/me` is told of herself: a drawn name of a person, of two words, becomes that of the caller."""
    if not path_of(tool).endswith("/me") or place.role != "thing":
        return
    first, _, last = person.rpartition(" ")
    names = {**dict.fromkeys(_WHOLE_NAMES, person), ("first", "name"): first, ("last", "name"): last}
    for key, one in place.fields.items():
        words = name_words(key)
        if words in names and isinstance(one, str) and (words not in _WHOLE_NAMES or " " in one):
            yield Edit(place.fields, key, names[words])


_OWNER = re.compile(r"([a-z]{2,})\.([a-z]{2,})@")


def named_mail(place: ToldPlace) -> Iterator[Edit]:
    """Address and user name beside a person's name are that person's, and so is a name under which it is listed."""
    texts = {name_words(key): (key, one) for key, one in place.fields.items() if isinstance(one, str)}
    own = (singular(place.holder).lower(),)
    parts = [texts[part, "name"][1] for part in ("first", "last") if (part, "name") in texts]
    whole = " ".join(parts) if len(parts) == _BOTH_NAMES else ""
    if whole and (*own, "name") in texts:
        yield Edit(place.fields, texts[*own, "name"][0], whole)
    yield from _named_pairs(texts, place)
    name = next((texts[words][1] for words in _WHOLE_NAMES if words in texts), whole)
    if not 1 < len(name.split()) < 4:
        return
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    said = re.findall(r"[a-z]+", plain)
    for words, (key, one) in texts.items() if said else ():
        if one.count("@") == 1 and (words in _MAILS or words == (*own, "email")):
            yield Edit(place.fields, key, f"{'.'.join(said)}@{one.partition('@')[2]}")
        elif words in _USER_NAMES and (drawn := _USER_NAME.fullmatch(one)):
            yield Edit(place.fields, key, f"{said[0]}{drawn[1]}" if drawn[1] else f"{said[0][0]}{said[-1]}")


def _named_pairs(texts: Mapping[tuple[str, ...], tuple[str, str]], place: ToldPlace) -> Iterator[Edit]:
    """The name of who has an address is the one in it: `actor_name` beside `actor_email`."""
    for words, (key, _) in texts.items():
        mail = texts.get((*words[:-1], "email"), ("", ""))[1] if len(words) > 1 and words[-1] == "name" else ""
        if found := _OWNER.match(mail):
            yield Edit(place.fields, key, f"{found[1].capitalize()} {found[2].capitalize()}")


def parts_of_name(place: ToldPlace, known: Mapping[tuple[str, ...], Json], given: Sequence[Edit]) -> Iterator[Edit]:
    """Given name, family name and whole name beside each other are one person's.

    A whole name that the call gave or that is `known` decides; else the parts do.
    """
    fixed = {edit.name for edit in given if edit.place is place.fields}
    texts = {name_words(key): key for key, one in place.fields.items() if isinstance(one, str) and one}
    first, last = (next((texts[words] for words in part if words in texts), "") for part in _PARTS_OF_NAME)
    wholes = [texts[words] for words in _WHOLE_NAMES if words in texts] if first and last else []
    wholes = [name for name in wholes if _is_of_person(name, place)]
    for whole in wholes:
        parts = {first, last}
        is_known = name_words(whole) in known and not all(name_words(one) in known for one in parts)
        before, _, after = str(place.fields[whole]).rpartition(" ")
        if (whole in fixed or is_known) and before and fixed.isdisjoint(parts):
            yield from (Edit(place.fields, first, before), Edit(place.fields, last, after))
            return
        if whole not in fixed and not is_known:
            yield Edit(place.fields, whole, f"{place.fields[first]} {place.fields[last]}")


def _is_of_person(name: str, place: ToldPlace) -> bool:
    """Whether a whole name is that of a person, and not of her company."""
    holder = (name_words(singular(place.holder)) or ("",))[-1]
    return name_words(name) != ("name",) or holder in PEOPLE or kind_of(holder, {"type": "string"}) == "person"


_PARTS_OF_NAME = (
    (("first", "name"), ("given", "name"), ("firstname",), ("forename",), ("first",), ("given",)),
    (("last", "name"), ("family", "name"), ("lastname",), ("surname",), ("last",), ("family",)),
)
_USER_NAME = re.compile(r"[a-z]+([0-9]{0,2})")
_BOTH_NAMES = 2
_WHOLE_NAMES = (("name",), ("display", "name"), ("full", "name"))
_MAILS = (("email",), ("mail",), ("login",), ("email", "address"))
_USER_NAMES = (("user", "name"), ("username",), ("login",))


def one_file(place: ToldPlace) -> Iterator[Edit]:
    """The media type of a file is that of its name."""
    texts = {name_words(key): (key, one) for key, one in place.fields.items() if isinstance(one, str)}
    kind = media_type({words: one for words, (_, one) in texts.items()})
    for words in MEDIA_TYPES:
        if kind and words in texts and "/" in texts[words][1]:
            yield Edit(place.fields, texts[words][0], kind)


def media_type(fields: Mapping[tuple[str, ...], Json]) -> str:
    """Return the media type of a file by its name among its fields; empty where there is none."""
    named = next((fields[words] for words in (("file", "name"), ("filename",), ("name",)) if words in fields), "")
    return _type_of_file(named) if isinstance(named, str) else ""


@lru_cache(maxsize=8192)
def _type_of_file(name: str) -> str:
    return guess_type(name, strict=True)[0] or ""


MEDIA_TYPES = (("mime", "type"), ("mimetype",), ("content", "type"), ("media", "type"))


def one_country(places: Sequence[ToldPlace], given: Sequence[Edit]) -> Iterator[Edit]:
    """A city lies in the country beside it: the one that the call gave stays, else the city does."""
    fixed = {(id(edit.place), edit.name) for edit in given}
    for place in places:
        named = {name: one for name, one in place.fields.items() if isinstance(one, str)}
        city = next((name for name, one in named.items() if name_words(name)[-1:] == ("city",) and one in cities()), "")
        land = next((name for name in named if "country" in name_words(name)[-2:]), "")
        known = country_by_any().get(named.get(land, "").lower())
        home = cities()[named[city]] if city else None
        if home is None or known is None or known == home:
            continue
        if (id(place.fields), land) in fixed and (id(place.fields), city) not in fixed:
            yield Edit(place.fields, city, known.cities[0])
        elif (id(place.fields), land) not in fixed:
            forms = {known.alpha2: home.alpha2, known.alpha3: home.alpha3, known.name: home.name}
            if named[land] in forms:
                yield Edit(place.fields, land, forms[named[land]])


def one_spot(value: Json, given: Sequence[Edit]) -> Iterator[Edit]:
    """Coordinates and currency are those of the country told beside them; both axes are of one place, its first city.

    Beside is what the same thing tells, also in objects of its own: `address.city` and `location.latitude`.
    """
    fixed = {(id(edit.place), edit.name) for edit in given}
    for thing in _things_in(value):
        told = [(fields, name) for fields in thing for name, one in fields.items() if _is_city(name, one)]
        land = next((cities()[str(fields[name])] for fields, name in told), _land_of(thing))
        moved = [edit for fields in thing for edit in _on_spot(fields, land) if (id(fields), edit.name) not in fixed]
        moved += [Edit(fields, name, land.cities[0]) for fields, name in told if moved and land]
        moved += [edit for fields in thing for edit in _own_money(fields, land)]
        yield from (edit for edit in moved if (id(edit.place), edit.name) not in fixed)


def _land_of(thing: Sequence[Mapping[str, Json]]) -> Country | None:
    lands = (str(one).lower() for fields in thing for name, one in fields.items() if _is_called(name, "country"))
    return next((country_by_any()[land] for land in lands if land in country_by_any()), None)


def _own_money(fields: dict[str, Json], land: Country | None) -> Iterator[Edit]:
    for name, one in fields.items() if land else ():
        if land and name_words(name)[:1] == ("currency",) and isinstance(one, str) and one in currencies():
            yield Edit(fields, name, land.currency)


def _is_city(name: str, value: Json) -> bool:
    return name_words(name)[-1:] == ("city",) and isinstance(value, str) and value in cities()


def _things_in(value: Json) -> Iterator[list[dict[str, Json]]]:
    """Yield the objects of each thing: what a list holds are things of their own."""
    thing: list[dict[str, Json]] = []
    lists: list[Json] = [value]
    while lists:
        one = lists.pop()
        if isinstance(one, dict):
            thing.append(one)
            lists += [inner for inner in one.values() if isinstance(inner, dict)]
            for inner in one.values():
                if isinstance(inner, list):
                    yield from _things_in(inner)
        elif isinstance(one, list):
            for item in one:
                yield from _things_in(item)
    if thing:
        yield thing


def _on_spot(fields: dict[str, Json], land: Country | None) -> Iterator[Edit]:
    axes = {
        axis: next((name for name in fields if name_words(name)[-1:] in words), "") for axis, words in _AXES.items()
    }
    told = {axis: one for axis, name in axes.items() if isinstance(one := fields.get(name), (int, float))}
    if land is None and len(told) == len(_AXES):
        near = (one for one in countries() if abs(one.spot[0] - told["latitude"]) < _NEARBY)
        land = next(near, None)
    for at, (axis, one) in enumerate(told.items()) if land else ():
        spot = land.spot[list(_AXES).index(axis)] if land else one
        if abs(spot - one) > _NEARBY:
            yield Edit(fields, axes[axis], round(spot + (at + 1) / 100, 2))


_AXES = {"latitude": (("latitude",), ("lat",)), "longitude": (("longitude",), ("lon",), ("lng",), ("long",))}
_NEARBY = 0.3
"""Degrees within a city."""


def one_name(place: ToldPlace) -> Iterator[Edit]:
    """A thing is displayed by its name; the name of what it belongs to is that of the slug beside it."""
    name = place.fields.get("name", place.fields.get("title"))
    for other, told in place.fields.items():
        if name_words(other) in _OTHER_NAMES and isinstance(told, str) and name:
            yield Edit(place.fields, other, name)
        elif name_words(other) == ("slug",) and isinstance(told, str) and isinstance(name, str):
            yield Edit(place.fields, other, "-".join(re.findall(r"[a-z0-9]+", name.lower())) or told)
    slugs = {name_words(key)[:-1]: one for key, one in place.fields.items() if name_words(key)[-1:] == ("slug",)}
    for other, told in place.fields.items():
        slug = slugs.get(name_words(other)[:-1]) if name_words(other)[-1:] == ("name",) else None
        if isinstance(told, str) and isinstance(slug, str) and len(name_words(other)) > 1:
            yield Edit(place.fields, other, slug.replace("-", " ").title())


_OTHER_NAMES = (("display", "name"), ("friendly", "name"), ("label",))


def one_link(place: ToldPlace, own: str) -> Iterator[Edit]:
    """A link to a thing ends in its identifier (`own` is the field of that), as does its name in other systems."""
    key = place.fields.get(own)
    for name, told in place.fields.items() if isinstance(key, (str, int)) else ():
        if not isinstance(told, str) or name == own or not _LINKS.intersection(name_words(name)[-1:]):
            continue
        before, mark, last = told.rpartition("/" if "/" in told else ":")
        is_numbered = re.search(r"\d", last) is not None
        is_bare = name_words(name) in _TO_ITSELF and not is_numbered
        if before.endswith("/"):
            continue  # a host or a bucket, and no thing in it
        if is_numbered and re.fullmatch(r"[\w-]+", last):
            yield Edit(place.fields, name, f"{before}{mark}{key}")
        elif is_bare and "/" in told:
            noun = place.holder.lower().replace(" ", "-")
            yield Edit(place.fields, name, f"{before}/{noun}/{key}")


_LINKS = frozenset(("href", "url", "uri", "link", "self"))
_TO_ITSELF = (("href",), ("self",), ("uri",))


def below_parent(given: Mapping[str, Json], place: ToldPlace) -> Iterator[Edit]:
    """A name that is a path lies below the path that the call gave, and ends in the identifier that it gave."""
    above = [one.split("/") for one in given.values() if isinstance(one, str) and "/" in one and "://" not in one]
    ids = {"".join(plain_words(name)): str(one) for name, one in given.items() if isinstance(one, (str, int))}
    for name, told in place.fields.items():
        steps = told.split("/") if isinstance(told, str) and "://" not in told else []
        for parent in above:
            if len(parent) < len(steps) and len(parent) % 2 == 0 and parent[::2] == steps[: len(parent) : 2]:
                steps[: len(parent)] = parent
        own = ids.get("".join((*name_words(singular(steps[-2])), "id"))) if len(steps) % 2 == 0 and steps else None
        if steps and "/".join(made := [*steps[:-1], own or steps[-1]]) != told:
            yield Edit(place.fields, name, "/".join(made))


def one_path(place: ToldPlace) -> Iterator[Edit]:
    """A name with the collections of things has the identifiers that stand beside it: `.../applications/{id}`."""
    ids = {"".join(plain_words(name)): str(one) for name, one in place.fields.items() if isinstance(one, (str, int))}
    for name, told in place.fields.items():
        if not isinstance(told, str) or not told.startswith(("arn:", "urn:", "crn:")):
            continue
        steps = told.split("/")
        for at, step in enumerate(steps[:-1]):
            key = ids.get("".join((*name_words(singular(step)), "id")))
            steps[at + 1] = key or steps[at + 1]
        if "/".join(steps) != told:
            yield Edit(place.fields, name, "/".join(steps))


def one_year(place: ToldPlace) -> Iterator[Edit]:
    """The year beside days is that of the first."""
    days = sorted(
        one[:4] for one in place.fields.values() if isinstance(one, str) and re.match(r"\d{4}-\d\d-\d\d", one)
    )
    for name, told in place.fields.items() if days else ():
        if name_words(name) == ("year",) and type(told) is int:
            yield Edit(place.fields, name, int(days[0]))


def one_reference(place: ToldPlace) -> Iterator[Edit]:
    """What an object tells of a part twice is one identifier: `department.id` beside `departmentId`."""
    for name, told in place.fields.items():
        words = name_words(name)
        if len(words) < 2 or words[-1] not in ID_WORDS or not isinstance(told, (str, int)):
            continue
        part = next((one for key, one in place.fields.items() if name_words(key) == words[:-1]), None)
        own = own_field(part, " ".join(words[:-1])) if isinstance(part, dict) else ""
        if isinstance(part, dict) and own and type(part[own]) is type(told):
            yield Edit(part, own, told)


def one_language(place: ToldPlace, given: Sequence[Edit]) -> Iterator[Edit]:
    """The language beside a country is spoken there, unless the call gave it."""
    fixed = {(id(edit.place), edit.name) for edit in given}
    named = {name: one for name, one in place.fields.items() if isinstance(one, str)}
    land = next((country_by_any().get(one.lower()) for name, one in named.items() if _is_called(name, "country")), None)
    for name, one in named.items() if land else ():
        if land and _is_called(name, "language") and (id(place.fields), name) not in fixed:
            spoken = {len(land.language): land.language}.get(len(one), languages().get(land.language))
            schema = plain_schema(place.properties.get(name))
            if spoken and "enum" not in schema and (one in languages() or one in languages().values()):
                yield Edit(place.fields, name, spoken)


def _is_called(name: str, word: str) -> bool:
    return word in name_words(name)[-2:]


def within_total(place: ToldPlace) -> Iterator[Edit]:
    """The parts of an amount make up their total: what is before tax, and the tax."""
    amounts = {name: one for name, one in place.fields.items() if isinstance(one, float) and name_words(name)}
    total = next((one for name, one in amounts.items() if name_words(name) in _TOTALS), None)
    for name, one in amounts.items() if total else ():
        words = frozenset(name_words(name))
        share = _BEFORE_TAX if words & _NET else 1 - _BEFORE_TAX if words & _TAX else None
        if share is not None and total is not None and not words & _RATES and one != round(total * share, 2):
            yield Edit(place.fields, name, round(total * share, 2))
    yield from _summed(place)
    yield from _together(place)


def _together(place: ToldPlace) -> Iterator[Edit]:
    """An amount of two things is that of one told beside it and more: `cashAndInvestments`, with `cash`."""
    numbers = {name_words(name): (name, one) for name, one in place.fields.items() if type(one) in (int, float)}
    values = {words: float(one) for words, (_, one) in numbers.items() if isinstance(one, (int, float))}
    for words in sorted(values, key=len):
        at = words.index("and") if "and" in words[1:-1] and _RATES.isdisjoint(words) else 0
        halves = (words[:at], words[at + 1 :]) if at else ()
        told = [[values[one] for one in values if one != words and _is_half(half, one)] for half in halves]
        least = sum(max(each) for each in told if each)
        is_all = bool(told) and all(told)
        if any(told) and (values[words] < least or (is_all and values[words] != least)):
            values[words] = least if is_all else least + abs(values[words])
            made = round(values[words], 2)
            yield Edit(place.fields, numbers[words][0], int(made) if type(numbers[words][1]) is int else made)


def _is_half(half: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a field tells one of two things of another: `cash`, also `cash and cash equivalents`, and no rate."""
    rest = [word for word in other[len(half) :] if word not in half]
    is_more = not rest or rest[0] == "of" or (rest[0] == "and" and {"equivalents", "other"}.issuperset(rest[1:]))
    return bool(half) and other[: len(half)] == half and is_more


def _summed(place: ToldPlace) -> Iterator[Edit]:
    """A total beside nothing but amounts is their sum: `balances` of principal, fee and total."""
    numbers = {name: one for name, one in place.fields.items() if type(one) in (int, float)}
    totals = [name for name in numbers if name_words(name) == ("total",)]
    rest = [one for name, one in numbers.items() if name not in totals and isinstance(one, (int, float))]
    is_of_amounts = all(kind_of(name, plain_schema(place.properties.get(name))) == "money" for name in numbers)
    is_plain = all(name in numbers or isinstance(one, str) for name, one in place.fields.items())
    if totals and len(rest) > 1 and is_of_amounts and is_plain:
        yield Edit(place.fields, totals[0], sum(rest))


_TOTALS = (("total",), ("total", "amount"), ("amount", "total"), ("grand", "total"))
_NET, _TAX = frozenset(("net", "subtotal", "untaxed")), frozenset(("tax", "vat", "gst", "taxes"))
_RATES = frozenset("rate percent percentage id code number".split())
_BEFORE_TAX = 0.8


def one_currency(places: Sequence[ToldPlace], used: str = "") -> Iterator[Edit]:
    """All amounts of one result are in the currency of the first, or in the one that is in use."""
    found = [(place.fields, name) for place in places for name in place.fields if name_words(name)[:1] == ("currency",)]
    codes = [(fields, name) for fields, name in found if isinstance(fields[name], str) and len(str(fields[name])) == 3]
    for fields, name in codes if used else codes[1:]:
        yield Edit(fields, name, used or codes[0][0][codes[0][1]])


def counted(places: Sequence[ToldPlace], length: int, asked: Mapping[tuple[str, ...], Json]) -> Iterator[Edit]:
    """Yield the counts of a reply that holds a list: its length, on the page asked for, with no more to come."""
    for place in places:
        if place.role in ("thing", "item"):
            continue
        for name, one in place.fields.items():
            words = name_words(name)
            if isinstance(one, bool):
                if not _MORE.isdisjoint(words):
                    yield Edit(place.fields, name, value=False)
            elif not _MORE.isdisjoint(words) and not isinstance(one, (dict, list)):
                yield Edit(place.fields, name, _nothing(place.properties.get(name), one))
            elif isinstance(one, int) and words:
                yield from _count(place.fields, name, words, length, asked)


def counted_within(place: ToldPlace) -> Iterator[Edit]:
    """Yield the count of a list that stands beside it in a part of a result: `total_count` of a path's entries."""
    lists = [one for one in place.fields.values() if isinstance(one, list)]
    for name, one in place.fields.items() if place.role == "part" and len(lists) == 1 else ():
        words = name_words(name)
        if type(one) is int and (words in _WHOLE_COUNTS or words in _LENGTHS):
            yield Edit(place.fields, name, len(lists[0]))


def of_distinct(place: ToldPlace) -> Iterator[Edit]:
    """Counts of different things in which something was done are no higher than the count of what was done.

    `files_using` and `teams_using` beside `usages`: which of them holds the other is unknown, so they are alike.
    """
    told = ((name, one) for name, one in place.fields.items() if type(one) is not bool)
    numbers = {name: one for name, one in told if isinstance(one, (int, float))}
    words = {name: name_words(name) for name in numbers}
    done = [one for name, one in numbers.items() if words[name] and words[name][-1] in _DONE]
    using = [
        name for name, one in words.items() if len(one) > 1 and one[-1] == "using" and one[-2] != singular(one[-2])
    ]
    unique = [name for name, one in words.items() if one[:1] in (("unique",), ("distinct",))]
    for names, most in ((using, [*done, *(numbers[name] for name in using)]), (unique, done)):
        for name in names if most else ():
            if numbers[name] > min(most):
                yield Edit(place.fields, name, type(numbers[name])(min(most)))


_DONE = frozenset("usages uses views clicks visits opens hits impressions plays downloads requests".split())
"""Last words of counts of what was done, each time anew."""


_WHOLE_COUNTS = frozenset((("count",), ("total",), ("total", "count"), ("count", "total")))


def _nothing(schema: Json, drawn: Json) -> Json:
    listed = schema.get("type") if isinstance(schema, dict) else None
    is_text = type_of(plain_schema(schema)) == "string"
    return None if isinstance(listed, list) and "null" in listed else "" if is_text else drawn


def _count(
    fields: dict[str, Json], name: str, words: tuple[str, ...], length: int, asked: Mapping[tuple[str, ...], Json]
) -> Iterator[Edit]:
    if _PAGES.issuperset(words) and not {"page", "pages"}.isdisjoint(words):
        page = next((one for key, one in asked.items() if key in _THIS_PAGE), 1) if words in _THIS_PAGE else 1
        yield Edit(fields, name, page if isinstance(page, int) and page > 0 else 1)
    elif words in _SIZES:
        most = next((one for key, one in asked.items() if key in _SIZES and isinstance(one, int)), fields[name])
        yield Edit(fields, name, most if isinstance(most, int) and most >= length else _PAGE_SIZE)
    elif words[-1] in _FROM_ZERO:
        yield Edit(fields, name, 0)
    elif (words[-1] in COUNTS and "page" not in words) or words in _LENGTHS:
        page = next((one for key, one in asked.items() if key in _THIS_PAGE and isinstance(one, int)), 1)
        size = next((one for key, one in asked.items() if key in _SIZES and isinstance(one, int)), _PAGE_SIZE)
        yield Edit(fields, name, length + max(0, page - 1) * size if words[0] not in _OF_PAGE else length)
