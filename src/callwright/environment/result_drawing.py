"""Drawing what a tool returns: a value that keeps to its result schema and tells no more than a reader needs.

A schema is drawn in several ways, tried in turn: by the first alternative with all fields that are told
(`told_fields`), by the first with required fields only, then by the next. Whether a value fits is the validator's word;
after the last way the schema counts as one that nothing can be drawn for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from itertools import takewhile
from random import Random
from typing import Final, NamedTuple

from callwright.author.personas import bank
from callwright.author.value_bank import answers_to, general, names_of
from callwright.author.value_codes import THING_NAMES
from callwright.author.value_makers import is_of_unknown_meaning, maker_of
from callwright.author.value_scene import Scene
from callwright.author.value_subject import subject_of
from callwright.catalog.slots import slots
from callwright.environment.plain_values import (
    SORTS,
    flag_of,
    is_amount_pattern,
    measure_text,
    moment_plan,
    money_text,
    state_maker,
    stateful,
)
from callwright.environment.returns import identity_of
from callwright.environment.told_fields import (
    STATES,
    Spot,
    is_address,
    is_name,
    is_noise,
    is_reference,
    required_of,
    spot_of,
    told_fields,
)
from callwright.environment.told_outputs import outputs
from callwright.environment.tool_target import WRAPPERS, own_field, shape_of_schema, target_of
from callwright.lang.english import past_participle
from callwright.lang.gazetteer import countries
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.lexicon import word_set
from callwright.lang.name_forms import form_in
from callwright.lang.patterns import draw_from, is_match, parse_pattern
from callwright.lang.schemas import (
    example_values,
    name_words,
    options_of,
    plain_schema,
    singular,
    type_of,
    type_of_value,
)
from callwright.lang.tokens import stem, stem_set
from callwright.match.schema import fits_returns
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Tool

Draw = Callable[[Scene], Json]

_ENTRIES = 2
"""Entries of a map that is the answer, where nothing says which."""

MAX_DEPTH = 12
"""Depth from which on nothing is drawn."""

MAX_ITEMS = 60
"""Most items drawn for a list that demands many."""

ITEMS_DRAWN = 6
"""Items drawn for the list that a result is about: those shown, and spare ones for what was created."""

ALTERNATIVES = 4
"""Alternatives of a schema that are tried."""

Forms = tuple[tuple[str, JsonText], ...]
"""Names of result fields, each with the schema of a parameter that takes such a value."""


class Way(NamedTuple):
    """One way to draw by a schema."""

    alternative: int
    """Which of `anyOf` and `oneOf`, from the front and round again."""
    is_full: bool
    """Whether fields that are not required are drawn too."""


WAYS = tuple(Way(alternative, is_full) for alternative in range(ALTERNATIVES) for is_full in (True, False))


def ways_of(tool: Tool) -> tuple[Way, ...]:
    """Return the ways to try; one is enough where a result schema was inferred, which has no alternatives."""
    return WAYS[:1] if tool.returns_inferred else WAYS


@lru_cache(maxsize=16384)
def is_drawable(tool: Tool) -> bool:
    """Whether some way gives a result that fits what the tool says it returns, for three drawings out of three."""
    drawn = (_first_fitting(tool, Scene(Random(seed), bank()[0], date(2026, 5, 4))) for seed in range(3))
    return len(list(takewhile(bool, drawn))) == 3


def _first_fitting(tool: Tool, scene: Scene) -> bool:
    return any(fits_returns(drawing(tool, (), way)(scene), tool) for way in ways_of(tool))


@lru_cache(maxsize=65536)
def forms_of(tool: Tool, others: tuple[Tool, ...]) -> Forms:
    """Return what other tools say of the form of the identifiers that a tool returns."""
    required = ((one, name) for one in reversed(others) for name in one.required if not name.lower().endswith("ids"))
    singles = ((one, name) for one, name in required if slots(one)[name].kind == "code")
    asked = {identity_of(one, name): (name, one.properties[name]) for one, name in singles}
    told = sorted(outputs(tool), key=lambda output: -len(output.path))
    fields = {output.name: output.identity for output in told if output.kind == "code"}
    found = ((field, *asked[identity]) for field, identity in fields.items() if identity in asked)
    return tuple((field, encode(form)) for field, name, form in found if _is_named(field) == _is_named(name))


def _is_named(field: str) -> bool:
    return name_words(field)[-1:] == ("name",)


@lru_cache(maxsize=16384)
def drawing(tool: Tool, forms: Forms, way: Way = WAYS[0]) -> Draw:
    """Return how a tool's results are drawn; makers are built once for each tool."""
    schema = decode(tool.returns) if tool.returns is not None else {"type": "object", "properties": {}}
    about = f"{' '.join(name_words(tool.name))} {tool.description[:300]}".lower()
    target = target_of(tool)
    said, is_on_map = stem_set(" ".join(name_words(tool.name))), _COORDINATE.search(tool.returns or "") is not None
    trade = f"{about} {' '.join(name_words(tool.service))}"
    drawer = _Drawer(about, trade, {name: decode(form) for name, form in forms}, way, said, is_on_map=is_on_map)
    if target.act not in ("read", "list") and _is_free(schema) and kind_of("", plain_schema(schema)) in _SPOKEN:
        done = past_participle(target.verb) if stateful(target.verb) else _DONE[target.act]
        return lambda scene: done
    if target.act in ("create", "change", "delete") and type_of(plain_schema(schema)) == "boolean":
        return lambda scene: True
    is_list = isinstance(schema, dict) and shape_of_schema(schema) == "objects"
    is_content = target.act == "read" and type_of(plain_schema(schema)) == "string" and target.noun in _TEXTS
    plain_name = "_".join(target.named) if type_of(plain_schema(schema)) == "string" else target.noun
    return drawer.draw(
        ("stdout" if target.noun == "log" else "content") if is_content else plain_name,
        schema,
        Spot("item" if is_list else "thing", target.noun, target),
        0,
    )


_AS_WELL: Final = re.compile(r"\b(?:as well|also|too|even|includes?|including|regardless)\b")
"""Words of a sentence which says that things in a state are among others."""
_SPOKEN: frozenset[Kind] = frozenset(("title", "text", "other"))
_TEXTS = frozenset("file document page note template script log blob readme attachment article".split())
"""Things that are read as a text, of which a result that is a text has the content and not the name."""
_DONE = {"create": "created", "change": "updated", "delete": "deleted"}
"""What a tool says in one word that it did."""
_COORDINATE = re.compile(r'"(?:[a-z_]{0,30}_)?(?:lat|lng|latitude|longitude)":(?!\{"type":"null"\})', re.IGNORECASE)
_SHAPING = frozenset(("pattern", "enum", "format", "examples"))


def _keyed(entry: Json, noun: str, key: str) -> Json:
    """An entry of a map tells the identifier under which it stands."""
    own = own_field(entry, noun) if isinstance(entry, dict) else ""
    return {**entry, own: key} if isinstance(entry, dict) and isinstance(entry.get(own), str) else entry


class _Drawer:
    """Builds the drawings of one tool's schema."""

    def __init__(
        self, about: str, trade: str, forms: Mapping[str, Json], way: Way, said: frozenset[str], *, is_on_map: bool
    ) -> None:
        self.about = about
        self.trade = trade
        """Words of the tool and its service, which tell the sense of a noun such as `carrier`."""
        self.forms = forms
        self.way = way
        self.said = said
        self.is_on_map = is_on_map
        """Whether places have coordinates, which are known of the first city of a country only."""

    def draw(self, name: str, document: Json, spot: Spot, depth: int) -> Draw:
        """Return how to draw a value of a schema for a field of this name; `spot` is where the value stands."""
        if not isinstance(document, dict) or depth > MAX_DEPTH:
            return lambda scene: None
        schema = plain_schema(document, self.way.alternative)
        if "const" in schema:
            return lambda scene: schema["const"]
        if schema.get("type") in ("null", ["null"]):
            return lambda scene: None
        shape = "array" if "prefixItems" in schema and "type" not in schema else type_of(schema)
        if isinstance(schema.get("enum"), list) and shape != "string":
            return _choosing([one for one in schema["enum"] if shape in ("", type_of_value(one))] or schema["enum"])
        if shape == "object":
            return self._object(schema, spot, depth)
        if shape == "array":
            return self._array(name, schema, spot, depth)
        return self._scalar(name, schema, shape, spot)

    def _object(self, schema: dict[str, Json], spot: Spot, depth: int) -> Draw:
        """The fields that are told, or the required ones; a map of names stays empty unless it must not."""
        found = schema.get("properties")
        properties = found if isinstance(found, dict) else {}
        spot, held = spot_of(spot, properties)
        needed, rest = required_of(schema), schema.get("additionalProperties", {})
        names = list(told_fields(schema, spot, held)) if self.way.is_full else needed
        least = schema.get("minProperties")
        if isinstance(least, int) and len(names) < least:
            spare = (*properties, *(f"{word.lower()}" for word in general("titles")))
            names = list(dict.fromkeys((*names, *spare)))[: max(len(names), min(least, MAX_ITEMS))]
        wanted = set(told_fields({**schema, "required": []}, spot, held)) if self.way.is_full else set()
        shown = {name: properties.get(name, rest or {"type": "string"}) for name in names}
        entry = plain_schema(rest, self.way.alternative) if not properties else {}
        if self.way.is_full and not names and type_of(entry) and spot.target.act in ("read", "list"):
            return self._map(entry, spot, depth)
        is_place = is_address(properties)
        asked = self.said if spot.target.act in ("read", "list") else frozenset[str]()
        fields = {
            name: self._empty(name, one) if name not in wanted and _may_be_empty(name, one, asked) else
            self.draw(_field_word(name, is_place=is_place), one, spot.inside(name, held, one), depth + 1)
            for name, one in shown.items()
        }  # fmt: skip
        keys = [name for name in fields if name_words(name) == ("key",) and _is_free(shown[name], _SHOWN)]
        if keys and ("value",) in map(name_words, shown) and stem(singular(spot.holder.lower())[-3:]) == "tag":
            fields[keys[0]] = maker_of(subject_of("tag_key", {"type": "string"}, about=self.about))
        for name in fields:
            if spot.role != "reply" and name_words(name) in SORTS and _is_free(shown[name], _SHOWN | {"minLength"}):
                fields[name] = self._sort(spot, shown[name])
        named = [name for name in fields if is_name(name_words(name), spot.target.noun)]
        named = [name for name in named if kind_of(name, plain_schema(shown[name])) != "code"]  # no `username`
        naming = next((name for name in named if _is_free(shown[name], _SHOWN) and not _has_form(shown[name])), None)
        if naming is not None and spot.role != "reply":
            has_mail = any(kind_of(name, plain_schema(one)) == "email" for name, one in shown.items())
            fields[naming] = self._named(naming, spot, fields[naming], has_mail=has_mail)
        dated = moment_plan({name: one for name, one in shown.items() if isinstance(one, dict)})

        def make(scene: Scene) -> Json:
            people, town, scene.people = scene.people, scene.town, {}
            if spot.role != "reply" and not town:
                scene.town = scene.country.cities[0] if self.is_on_map else scene.city()
            drawn = {name: draw(scene) for name, draw in fields.items()}
            scene.people, scene.town = people, town
            return {**drawn, **{name: one for name, one in dated(scene).items() if drawn[name] is not None}}

        return make

    def _map(self, entry: dict[str, Json], spot: Spot, depth: int) -> Draw:
        """Return how to draw a map: an entry for each thing that was asked for, else for two if it is the answer."""
        noun = singular(spot.holder)
        draw = self.draw(noun, entry, spot._replace(role="part"), depth + 1)
        is_answer = spot.role != "part" and not spot.is_within
        called = names_of(noun, self.trade, ("titles",))
        keys = maker_of(subject_of(f"{noun}_id", {"type": "string"}, about=self.about))
        of_things = type_of(entry) == "object"

        def make(scene: Scene) -> Json:
            names = scene.asked
            if not names and is_answer and (of_things or called):
                names = tuple(str(keys(scene) if of_things else scene.rng.choice(called)) for _ in range(_ENTRIES))
            return {name: _keyed(draw(scene), noun, name) for name in names}

        return make

    def _empty(self, name: str, document: Json) -> Draw:
        """Empty values for required fields of which nothing is known: no value, no items."""
        schema = plain_schema(document, self.way.alternative)
        if (fixed := _always(schema, type_of(schema))) is not None:
            return lambda scene: fixed
        if type_of(schema) == "array":
            return lambda scene: []
        return lambda scene: None if _is_nullable(document) else ""

    def _sort(self, spot: Spot, schema: Json) -> Draw:
        """Return how to draw the sort of an object: its document's example, or the noun of the field that holds it."""
        shown = [one for one in example_values(plain_schema(schema)) if isinstance(one, str) and one]
        words = spot.target.named if spot.role in ("thing", "item") else name_words(spot.holder)
        fixed = _always(plain_schema(schema), "string")
        shown = [fixed] if isinstance(fixed, str) else shown
        noun = "_".join((*words[:-1], singular(words[-1]))) if words else "object"
        return lambda scene: shown[0] if shown else noun

    def _named(self, name: str, spot: Spot, otherwise: Draw, *, has_mail: bool) -> Draw:
        """Return how to draw the name of a thing: of persons and places by kind; who has mail is a person."""
        words = name_words(spot.holder)
        if not words or (stem(words[-1]) in _UNTELLING and spot.role != "item"):
            return otherwise
        thing = singular(words[-1])
        kind = kind_of(thing, {"type": "string"})  # a customer's additional field is no person
        if kind == "country":
            return lambda scene: scene.rng.choice(countries()).name
        if kind in ("person", "city") or thing in PEOPLE or (thing in _TRADED and _TRADE & stem_set(self.about)):
            of_kind = thing if kind == "city" else "person"
            return maker_of(subject_of(of_kind, {"type": "string"}, about=self.about))
        if thing in word_set("institutions"):  # one of drinks is called like no drink
            return _choosing([f"{name} {thing.capitalize()}" for name in THING_NAMES])
        if thing in _PLAYED and not _SPORTS.isdisjoint(about := stem_set(self.about)) and _SCREENS.isdisjoint(about):
            return _choosing(list(names_of(_PLAYED[thing], self.about, ("things",))))
        banks = ("titles", "things") if name_words(name)[-1:] == ("name",) else ("titles", "things", "texts")
        called = names_of(thing, self.trade, banks)
        if has_mail and not called:
            return maker_of(subject_of("person", {"type": "string"}, about=self.about))
        return _choosing(list(called or THING_NAMES))

    def _array(self, name: str, schema: dict[str, Json], spot: Spot, depth: int) -> Draw:
        prefix, items = schema.get("prefixItems"), schema.get("items", {})
        part = spot._replace(role="part")
        first = [self.draw(name, one, part, depth + 1) for one in prefix] if isinstance(prefix, list) else []
        least, most = _whole(schema.get("minItems")), _whole(schema.get("maxItems"))
        is_bare = items in ({}, True) and not least
        if items is False or (first and is_bare) or (depth >= MAX_DEPTH and not least):
            return lambda scene: [draw(scene) for draw in first[:most]]
        described = schema.get("description", "")
        of_one = {"type": "string", "description": described} | (items if isinstance(items, dict) else {})
        if isinstance(items, dict) and items and "type" not in items:
            of_one = {"description": described, **items}
        if spot.role == "item" and shape_of_schema(of_one) == "object" and not plain_schema(of_one).get("properties"):
            of_one = {**of_one, "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
        one_name = name if type_of(plain_schema(of_one)) in ("object", "array") else singular(name)
        draw, unique = self.draw(one_name, of_one, spot, depth + 1), schema.get("uniqueItems") is True
        usual = (ITEMS_DRAWN, ITEMS_DRAWN) if spot.role == "item" else (1, 2)
        high = max(least or 0, min(usual[1], usual[1] if most is None else most))
        low = min(high, usual[0] if least is None else max(least, usual[0]))
        return _listing(first, draw, (min(low, MAX_ITEMS), min(high, MAX_ITEMS)), least or 1, is_unique=unique)

    def _scalar(self, name: str, schema: dict[str, Json], shape: str, spot: Spot) -> Draw:
        words = name_words(name)
        if shape == "boolean":
            return flag_of(words, schema, spot.target)
        if (fixed := _always(schema, shape)) is not None:
            return lambda scene: fixed
        if shape == "integer" and _PIXELS.search(str(schema.get("description", ""))) and _SIDES & set(words):
            return _choosing([320, 480, 640, 800])
        if shape == "string" and _is_free(schema, frozenset(("format",))):
            if words[-1:] == ("html",):
                return _markup_of(maker_of(subject_of("embed_url", {"type": "string"}, about="")))
            if kind_of(name, schema) == "url" and (ending := self._ending(words)):
                return _file_at(ending, spot.holder, maker_of(subject_of("url", {"type": "string"}, about="")))
        options = options_of(schema) if shape == "string" else ()
        if words[-1:] and words[-1] in STATES:  # `list live items`
            named = tuple(one for one in options if stem(str(one).lower()) in self.said)
            alone = ". ".join(one for one in self.about.split(". ") if not _AS_WELL.search(one))
            told = tuple(one for one in options if re.search(rf"\b{re.escape(str(one).lower())}\b", alone))
            options = named or (told if len(told) == 1 else ()) or options
        is_place = kind_of(name, {"type": "string"}) in ("country", "currency")
        if (options and not is_place) or (
            shape == "string" and words[-1:] and words[-1] in STATES and _is_free(schema, _SHOWN)
        ):
            return state_maker(words, options, spot, [one for one in example_values(schema) if isinstance(one, str)])
        if name in _LINK_WORDS and _is_free(schema, _SHOWN):
            return lambda scene: _LINK_WORDS[name]
        is_named = "name" in words and _NAME_PARTS.isdisjoint(words) and kind_of(name, schema) != "code"
        if shape == "string" and _is_free(schema) and is_named and singular(spot.holder.lower()) in PEOPLE:
            return maker_of(subject_of("person", {"type": "string"}, about=self.about))
        if shape == "string" and _is_free(schema) and (answer := self._answer(words, schema, spot)):
            return answer
        if _BOUNDS.isdisjoint(schema) and (usual := self._magnitude(name, words, schema, shape)) is not None:
            return usual
        low, high = schema.get("minimum"), schema.get("maximum")
        is_open = schema.keys().isdisjoint(("enum", "multipleOf"))
        if is_open and isinstance(low, (int, float)) and isinstance(high, (int, float)):
            return _between(low, high, whole=shape == "integer")
        if shape == "integer" and is_noise(name) and not is_reference(name) and is_open and not low:
            return lambda scene: 0
        is_of_reply = words == ("status",) and spot.role in ("reply", "part")
        if shape in ("integer", "number") and (is_of_reply or words[-2:] == ("status", "code")) and is_open:
            return lambda scene: _WENT_WELL
        if shape == "number" and is_reference(name) and is_open and low is None:
            return lambda scene: scene.rng.randint(10_000, 99_999)
        form = self.forms.get(name)
        if isinstance(form, dict) and type_of(form) == shape and _SHAPING.isdisjoint(schema):
            schema = {**form, **schema}
        if shape == "string" and is_amount_pattern(schema):
            return money_text
        measured = measure_text(words) if shape == "string" and _is_free(schema) else None
        if measured is not None:
            return measured
        is_called = is_name(words, spot.target.noun)
        thing = " ".join(name_words(spot.holder)) if is_called and spot.role != "reply" else ""
        make = maker_of(subject_of(name, schema, about=self.about, thing=thing))
        if shape == "string" and not is_called and _is_free(schema, _SHOWN | {"format"}):
            make = _named_anyhow(make)
        return _shaped(make, schema, shape)

    def _magnitude(self, name: str, words: tuple[str, ...], schema: Json, shape: str) -> Draw | None:
        """Return how to draw a number whose size its name tells: a chance, a season, the price of a house."""
        last = words[-1] if words else ""
        if shape == "number" and last in _CHANCES:
            return lambda scene: scene.rng.randint(5, 95) / 100
        lived = _LIFE.intersection(words) if last == "year" else frozenset[str]()
        if lived and shape in ("integer", "number", "string"):  # who died did so after a life
            first = 1985 if _DEATH.intersection(lived) else 1920
            years = range(first, first + 35)
            return lambda scene: str(scene.rng.choice(years)) if shape == "string" else scene.rng.choice(years)
        if shape == "integer" and last == "season":
            return lambda scene: scene.today.year
        is_price = shape in ("integer", "number") and last in _PRICES and kind_of(name, plain_schema(schema)) == "money"
        if is_price and _HOMES & stem_set(self.about) and _LET.isdisjoint(words):
            return lambda scene: scene.rng.randint(30, 180) * 5000
        return None

    def _ending(self, words: tuple[str, ...]) -> str:
        """The ending of the file that an address leads to, as the field or the tool's name says; empty for a page."""
        named = words[:-1] if words[-1] in _ADDRESSES else words
        said = [one for one in _FILE_ENDINGS if one in named or (not named and one in self.said)]
        return said[0] if said else "zip" if named[-1:] in _DOWNLOADS else ""

    def _answer(self, words: tuple[str, ...], schema: dict[str, Json], spot: Spot) -> Draw | None:
        """Return how to draw a text by its noun alone: what the tool is asked for, a picture; None for other texts."""
        is_answer = spot.role == "thing" and spot.target.act == "read" and "_".join(words) in WRAPPERS - _TEXT_FIELDS
        words = spot.target.named if is_answer else words
        if words[-1:] == ("number",) or not words:
            return None
        if _is_picture(words):
            return maker_of(subject_of("image_url", {"type": "string"}, about=""))
        told = answers_to(words[-1]) or answers_to("".join(words[-2:]))
        is_itself = stem(words[-1]) == stem(spot.target.noun)
        if told and (is_itself or is_of_unknown_meaning(subject_of("_".join(words), schema, about=""))):
            return _choosing(list(told))
        return maker_of(subject_of("_".join(words), schema, about=self.about)) if is_answer else None


def _is_picture(words: tuple[str, ...]) -> bool:
    """Whether a text is where a picture is found: `image_102`, and no name or text of one."""
    heads = [word for word in words if not word.isdigit()]
    heads = heads[:-1] if len(heads) > 1 and heads[-1] in _ADDRESSES else heads
    return bool(heads) and singular(heads[-1]) in _PICTURES


def _always(schema: Mapping[str, Json], shape: str) -> Json:
    """The value that a description says a field always has; None where it says none."""
    told = _ALWAYS.search(str(schema.get("description", "")))
    if told is None or not _BINDING.isdisjoint(schema):
        return None
    if shape == "string":
        return told[1]
    return int(told[2]) if shape in ("integer", "number") and told[2] else None


_BOUNDS = frozenset(
    (
        "enum",
        "minimum",
        "maximum",
        "multipleOf",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "example",
        "examples",
        "default",
    )
)
_DEATH = frozenset(("death", "died", "deceased"))
_LIFE = _DEATH | {"birth", "born"}
_CHANCES = frozenset("probability likelihood confidence ratio".split())
_PRICES = frozenset(("price", "cost", "value"))
_HOMES = stem_set("house apartment condo realtor estate homes")
_LET = frozenset("rent rental night nightly month monthly fee tax hoa sqft foot meter square unit".split())
_ALWAYS = re.compile(r"\b[Aa]lways (?:[\"'`]([^\"'`]{1,60})[\"'`]|(\d{1,9})\b)")


def _markup_of(address: Draw) -> Draw:
    """Return how to draw what is put into a page."""
    return lambda scene: f'<iframe src="{address(scene)}"></iframe>'


def _file_at(ending: str, holder: str, page: Draw) -> Draw:
    """Return how to draw the address of a file of a thing."""
    noun = holder if holder.isalpha() and holder != ending else "document"
    return lambda scene: f"{str(page(scene)).rpartition('/')[0]}/files/{noun}-{scene.rng.randint(1000, 9999)}.{ending}"


_PIXELS = re.compile(r"\b(?:in )?pixels?\b")
_SIDES = frozenset(("width", "height"))


_ADDRESSES = frozenset("url uri link href src".split())
_FILE_ENDINGS = ("pdf", "csv", "xml", "xlsx", "docx", "zip", "svg")
_DOWNLOADS = (("download",), ("archive",), ("export",))
_TEXT_FIELDS = frozenset(("content", "body"))
_PICTURES = frozenset("image img icon logo avatar photo picture thumbnail portrait poster wallpaper screenshot".split())


def _named_anyhow(make: Draw) -> Draw:
    """Replace words that stand for anything: what nothing is known of has a proper name."""
    fillers = frozenset(general("titles"))

    def draw(scene: Scene) -> Json:
        value = make(scene)
        return scene.rng.choice(THING_NAMES) if value in fillers else value

    return draw


PEOPLE = frozenset(
    "user member participant owner follower attendee guest subscriber admin contributor membership player coach driver "
    "referee executive following jockey trainer actor actress director celebrity licensee leaderboard".split()
)
"""Things whose name is a person's."""
_NAME_PARTS = frozenset("first given middle last family".split())
"""Words of fields that hold a part of a person's name."""
_TRADED = frozenset(("agent", "representative", "consultant", "advisor"))
"""Who may be a program, save where people do the trade."""
_TRADE = stem_set("estate insurance travel sales property realtor broker lawyer support")
_PLAYED = {"game": "match", "team": "club"}
"""What things are called where they are of a sport, and no video game and no team at work."""
_SPORTS = stem_set(
    "sport football soccer rugby basketball baseball hockey cricket tennis volleyball handball nba wnba nfl nhl mlb"
)
_SCREENS = stem_set("video esport esports console steam")
_UNTELLING = stem_set("item entry result content data information info")
"""Things whose names the rest of the tool's text tells better."""


def _field_word(name: str, *, is_place: bool) -> str:
    """The name by which a field is drawn: the `state` of an address is a region."""
    return "region" if is_place and name.lower() == "state" else name


_SHOWN = frozenset(("example", "examples", "default"))
_BINDING = frozenset(("pattern", "enum", "format", "minLength", "contentEncoding")) | _SHOWN


def _is_free(schema: Json, beside: frozenset[str] = frozenset()) -> bool:
    plain = plain_schema(schema)
    return type_of(plain) == "string" and (_BINDING - beside).isdisjoint(plain)


def _is_nullable(document: Json) -> bool:
    listed = document.get("type") if isinstance(document, dict) else None
    return isinstance(listed, list) and "null" in listed


def _has_form(document: Json) -> bool:
    """Whether a description says of what parts a name is made: `shops/{shop}/shelves/{shelf}`."""
    described = plain_schema(document).get("description")
    return isinstance(described, str) and bool(form_in(described))


def _may_be_empty(name: str, document: Json, asked: frozenset[str]) -> bool:
    """Whether a field that must be there, and of which nothing is known, may stand empty.

    A list that the tool asks for does not, though facts on what holds it stand beside: the trainers of a jockey.
    """
    plain = plain_schema(document)
    if shape_of_schema(plain) == "objects" and not asked.isdisjoint(map(stem, name_words(name)[-1:])):
        return False
    if _is_nullable(document):
        return True
    if type_of(plain) == "array":
        return not plain.get("minItems") and "prefixItems" not in plain
    if not _is_free(document):
        return False
    *before, last = name_words(name) or ("",)
    is_named = last in ("name", "title", "label") and not (before and not names_of(before[-1], "", ("titles",)))
    is_known = (
        is_named
        or measure_text(name_words(name)) is not None
        or not _KNOWN_WORDS.isdisjoint(name_words(name))
        or kind_of(name, plain) not in _SPOKEN
    )
    return not is_known or not _FAULTS.isdisjoint(map(stem, name_words(name)))


_KNOWN_WORDS = frozenset(
    "subject body text content message comment type kind object method rel address line street region state "
    "province county district username login".split()
)
"""Words of texts whose names tell what they hold; any other could hold anything."""
_FAULTS = stem_set("error errors warning warnings failure reason")
_WENT_WELL = 200
"""Status code of a reply that was a success."""
_LINK_WORDS = {"rel": "self", "method": "GET"}


def _whole(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _choosing(options: list[Json]) -> Draw:
    return lambda scene: scene.rng.choice(options)


def _between(low: float, high: float, *, whole: bool) -> Draw:
    def draw(scene: Scene) -> Json:
        drawn = low + (high - low) * scene.rng.random()
        return round(drawn) if whole else min(max(round(drawn, 1), low), high)

    return draw


def _shaped(make: Draw, schema: Mapping[str, Json], shape: str) -> Draw:
    """Hold a value to the type and the pattern of its field: a number that is a code in people's eyes is a number."""
    pattern = parse_pattern(schema["pattern"]) if isinstance(schema.get("pattern"), str) else None
    by_chance = _between(1, 900, whole=shape == "integer")

    def draw(scene: Scene) -> Json:
        value = make(scene)
        if shape in ("integer", "number") and type_of_value(value) not in ("integer", "number"):
            return by_chance(scene)
        if shape == "string" and not isinstance(value, str):
            value = encode(value)
        if pattern is not None and isinstance(value, str) and not is_match(pattern, value):
            return draw_from(pattern, scene.rng)
        return value

    return draw


def _listing(first: list[Draw], draw: Draw, usual: tuple[int, int], least: int, *, is_unique: bool) -> Draw:
    """Return how to draw a list, no two of its items of one name or identifier unless there must be so many."""

    def items(scene: Scene) -> Json:
        found: list[Json] = [one(scene) for one in first]
        count = max(0, scene.rng.randint(*usual) - len(found))
        spare: list[Json] = []
        for item in _distinct(draw, scene, count, found, spare):
            found.append(item)
        lacking = max(0, min(least, usual[0]) - len(found))
        return [*found, *([one for one in spare if one not in found] if is_unique else spare)[:lacking]]

    return items


def _distinct(draw: Draw, scene: Scene, count: int, found: list[Json], spare: list[Json]) -> Iterator[Json]:
    """Yield `count` new items if so many can be drawn; those too like another go to `spare`."""
    given = 0
    for _ in range(count * 6):
        if given == count:
            return
        item = draw(scene)
        if any(_is_twin(item, other) for other in found):
            spare.append(item)
        else:
            given += 1
            yield item


_MEASURED = (("unit",), ("units",), ("currency",))
_TELLING_ENDS = ("name", "title", "label", "text", "id")


def _is_twin(one: Json, other: Json) -> bool:
    if one == other or not isinstance(one, dict) or not isinstance(other, dict):
        return bool(one == other)
    if len(one) == 1 and one.keys() == other.keys():  # each in a wrapper: `data` of one of listed schools
        return all(_is_twin(one[key], other[key]) for key in one)
    telling = [
        key
        for key, value in one.items()
        if key.lower().endswith(_TELLING_ENDS) or (isinstance(value, str) and " " in value)
    ]
    if not telling and sum(isinstance(value, str) for value in one.values()) == 1:  # totals by crop
        telling = [
            key for key, value in one.items() if isinstance(value, str) and name_words(key)[-1:] not in _MEASURED
        ]
    return any(key in other and one[key] == other[key] for key in telling)
