"""The slots of a tool: the leaves of its arguments, as people talk about them, with noun, kind and schema.

    slots(tool)               each leaf by its path: `note`, `address.city`, `lines.0.quantity`; and whole parameters
    leaves(tool, arguments)   the values that a call's arguments hold, by path, without those that the schema fixes
    assemble(tool, values)    the arguments that hold these values, and what the schema fixes beside them
    needed(tool, given)       the paths of the values that a call needs beside those given

People give values one by one: nobody says "the body". A list of plain values is one leaf; a list of objects has as many
items as its schema asks for, at least one. Of alternatives one is taken, always the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import islice

import msgspec

from callwright.catalog.chunks import Chunk
from callwright.catalog.gloss import gloss
from callwright.catalog.text_acts import text_noun
from callwright.catalog.thing_nouns import thing_noun
from callwright.lang.day_layouts import run_form
from callwright.lang.english import is_countable, is_plural, plural
from callwright.lang.kinds import ID_WORDS, Kind, kind_of
from callwright.lang.name_forms import named_by_form
from callwright.lang.nouns import Noun, flag_noun, identified, names_a_thing, slot_noun
from callwright.lang.phrases import (
    as_spelled,
    has_plural_head,
    is_noun_phrase,
    parts_of_type,
    with_capitals,
    words_of_name,
    written_apart,
)
from callwright.lang.schemas import name_words, plain_schema, singular, told_choices, type_of
from callwright.lang.tokens import identifier_words, stem, stem_set
from callwright.records.jsontext import Json, JsonText, encode
from callwright.records.tool import Tool

DEEPEST = 5
"""Most steps of a path; what lies deeper is one value."""
MOST_LEAVES = 60
"""Most leaves of one parameter."""
_MOST_ITEMS = 3


class Slot(msgspec.Struct, frozen=True, dict=True, cache_hash=True):
    """One leaf of the arguments, as people talk about it."""

    name: str
    """Its path: property names and positions joined by dots; the parameter's name where it is one value."""
    noun: Noun
    kind: Kind
    schema: JsonText
    description: str
    label: str = ""
    """Its own name, with that of what it belongs to where it alone says little: `parent_id` for `parent.id`, and
    `task_id` for the `id` of `/tasks/{id}`."""
    about: str = ""
    """The description of the object that it lies in, if any."""

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words that a question about it would use."""
        return stem_set(self.noun.consequence or self.noun.text)


class Leaf(msgspec.Struct, frozen=True):
    """Where a value stands in the arguments."""

    steps: tuple[str | int, ...]
    schema: dict[str, Json]
    needed: tuple[bool, ...]
    """For each step whether what it leads from requires it."""
    is_fixed: bool = False
    """Whether the schema admits one value only."""
    about: str = ""
    """The description of the object that it lies in."""


@lru_cache(maxsize=65536)
def slots(tool: Tool) -> dict[str, Slot]:
    """Return leaves and whole parameters of a tool's arguments, by path. Do not change it."""
    whole = {name: Leaf((name,), schema, ()) for name, schema in tool.properties.items()}
    found = whole | tool_leaves(tool)
    names = [_last(leaf.steps) for leaf in found.values()]
    return _told_apart({path: _slot(path, leaf, names, tool) for path, leaf in found.items()})


def _told_apart(found: dict[str, Slot]) -> dict[str, Slot]:
    """Return the slots, those that share a noun called by their own names, with what they lie in."""
    nouns = [slot.noun.text for slot in found.values() if slot.kind not in ("boolean", "object")]
    for path, slot in found.items():
        if nouns.count(slot.noun.text) > 1 and slot.kind != "boolean":
            steps = [step for step in path.split(".") if not step.isdigit()][-2:]
            words = words_of_name("_".join(steps))
            is_phrase = is_noun_phrase(words) or words[-1:] == ("value",)
            text = with_capitals(" ".join(words)) if is_phrase else f"{' '.join(words)} value"
            found[path] = msgspec.structs.replace(slot, noun=Noun(text, has_plural_head(words)))
    return found


@lru_cache(maxsize=65536)
def tool_leaves(tool: Tool) -> dict[str, Leaf]:
    """Return the leaves of a tool's arguments by path, required parameters first, also those with a fixed value."""
    found = dict[str, Leaf]()
    for name in dict.fromkeys((*tool.required, *tool.properties)):
        schema = tool.properties[name]
        where = _WHERE.search(str(schema.get("description", "")))
        if where and str(_first_option(tool, where[2])) not in where[3].split(" or "):
            continue
        is_needed = name in tool.required or bool(where and where[1] == "Needed")
        within = _leaves((name,), schema, (is_needed,), is_choice=_is_choice(schema))
        for leaf in islice(within, MOST_LEAVES):
            found[path_of(leaf.steps)] = leaf
    return found


_WHERE = re.compile(r"\b(Only|Needed) where (\w+) is ([\w.-]+(?: or [\w.-]+)*)\.$")
"""The importer's note on a property that only some alternatives of a body have (`formats.operation_arguments`)."""


def _first_option(tool: Tool, field: str) -> Json:
    plain = plain_schema(tool.properties.get(field, {}))
    return _fixed_value(plain) if _is_fixed(plain) else ""


def _is_choice(schema: dict[str, Json]) -> bool:
    """Whether there are alternatives: the first is taken, and said."""
    return isinstance(schema.get("anyOf"), list) and len(schema["anyOf"]) > 1


def _leaves(
    steps: tuple[str | int, ...], schema: Json, needed: tuple[bool, ...], *, is_choice: bool = False, about: str = ""
) -> Iterator[Leaf]:
    plain = plain_schema(schema)
    own = str(schema.get("description") or plain.get("description") or about) if isinstance(schema, dict) else about
    properties = plain.get("properties") or _free_properties(plain)
    if type_of(plain) == "object" and isinstance(properties, dict) and properties and len(steps) < DEEPEST:
        listed = plain.get("required")
        required = listed if isinstance(listed, list) else []
        for name in sorted(properties, key=lambda name: name not in required):
            told_apart = _tells_apart(schema, name)
            of_it = (*needed, name in required)
            yield from _leaves((*steps, name), properties[name], of_it, is_choice=told_apart, about=own)
        return
    items = plain_schema(plain.get("items"))
    if type_of(plain) == "array" and items.get("properties") and len(steps) < DEEPEST - 1:
        least = plain.get("minItems")
        for place in range(max(1, min(least if isinstance(least, int) else 1, _MOST_ITEMS))):
            yield from _leaves((*steps, place), plain["items"], (*needed, True), about=own)
        return
    yield Leaf(steps, schema if isinstance(schema, dict) else {}, needed, _is_fixed(plain) and not is_choice, about)


def _free_properties(schema: dict[str, Json]) -> dict[str, Json]:
    """Return what to put into an object that may hold any text: the first entries of its example."""
    free, shown = schema.get("additionalProperties", True), schema.get("example")
    if type_of(schema) != "object" or free is False or type_of(plain_schema(free)) not in ("string", ""):
        return {}
    entries = list(shown.items()) if isinstance(shown, dict) else []
    texts = {name: {"type": "string", "example": value} for name, value in entries if isinstance(value, str)}
    return dict(list(texts.items())[:2])


def _is_fixed(schema: dict[str, Json]) -> bool:
    return "const" in schema or (isinstance(schema.get("enum"), list) and len(schema["enum"]) == 1)


def _tells_apart(schema: Json, name: str) -> bool:
    """Whether a property has another fixed value in another alternative: it is said which one is meant."""
    branches = (schema.get("anyOf") or schema.get("oneOf")) if isinstance(schema, dict) else None
    if not isinstance(branches, list):
        return False
    found = [plain_schema(branch).get("properties", {}).get(name) for branch in branches]
    return len({encode(one) for one in found}) > 1


def _last(steps: tuple[str | int, ...]) -> str:
    return next(step for step in reversed(steps) if isinstance(step, str))


_GENERIC = ID_WORDS | frozenset(
    "key name displayname display_name title type value code number date status text content url".split()
)


_SAID = frozenset("message comment note reply text answer question announcement".split())
"""Things that are no more than their words."""
_HOLDERS = frozenset(
    "properties attributes data body payload params parameters fields detail details info information general basics "
    "core input request spec".split()
)
"""Names of objects that hold what is known of a thing, and are none themselves."""


def _slot(path: str, leaf: Leaf, names: list[str], tool: Tool) -> Slot:
    described = leaf.schema.get("description")
    description = described if isinstance(described, str) else ""
    name = _last(leaf.steps)
    above = [step for step in leaf.steps[: leaf.steps.index(name)] if isinstance(step, str)]
    owner = next((step for step in reversed(above) if step.lower() not in _HOLDERS), "")
    segment = _segment(tool.source, name)
    if not owner and ID_WORDS.issuperset(name_words(name)):
        owner = identified(description) or segment or _container(tool)
    elif not owner and name.lower() in _GENERIC:
        owner = segment
    if owner and (name.lower() in _GENERIC or names.count(name) > 1):
        name = f"{singular(owner)}_{name}"
    kind = _kind(path, name, leaf, tool)
    schema = leaf.schema
    is_open = kind in ("code", "other", "title") and type_of(schema) == "string"
    if told := told_choices(name, tool.description) if is_open else ():
        kind, schema = "enum", {**schema, "enum": list(told)}
    if kind in ("date", "datetime") and type_of(schema) == "string" and (form := run_form(tool.description)):
        schema = {**schema, "description": f"{description} ({form})"} if not run_form(description) else schema
    if kind == "boolean":
        noun = flag_noun(_last(leaf.steps), description, of_search=tool.source.startswith("GET "))
    else:
        about = f"{description} (date)" if kind in ("date", "datetime") else description
        is_booked = path == "name" and gloss(tool).verb in _BOOKS  # nobody names what is booked
        noun = slot_noun(_unmerged(name, description, tool), about, "" if is_booked else _thing(tool))
    if held_text := text_noun(tool, path):
        noun, kind = Noun(held_text), "text"
    if path == "body":
        listed = _LISTED.match(description)
        held = listed[1].lower().split() if listed else thing_noun(tool).split()
        is_text = type_of(leaf.schema) == "string" and "format" not in leaf.schema and not _SAID.issuperset(held[-1:])
        text = "text" if is_text or not (held and is_noun_phrase(held)) else with_capitals(" ".join(held))
        noun = Noun(text if kind != "list" or listed else plural(text), plural=kind == "list")
    is_holder = path in ("parent", "name") and (path == "parent" or f"{{{path}}}/" in tool.source)
    if is_holder and (held := named_by_form(description)):
        noun = Noun(with_capitals(held))
    elif is_holder and path == "name":
        held = " ".join(name_words(singular(segment)))
        noun = Noun(with_capitals(f"{held} name") if held else "parent resource")
    elif path == "name" and "{name}:" in tool.source and (held := named_by_form(description)):
        is_same = stem(held.split()[-1]) in map(stem, noun.text.split())
        noun = noun if is_same else Noun(with_capitals(held))  # what is upgraded has the name, not the upgrade
    if kind == "code" and f"{{{path}}}" in tool.source and " of " in noun.text:
        noun = Noun(with_capitals(" ".join(words_of_name(name))))
    if kind == "code" and f"{{{path}}}" in tool.source and names_a_thing(noun.text):
        noun = msgspec.structs.replace(noun, text=f"{noun.text} ID")
    if noun.text.endswith(" value") and kind in _CALLED:
        before, called = noun.text.removesuffix(" value").split(" "), _CALLED[kind].split(" ")
        joined = (*before[: -1 if before[-1] == called[0] else None], *called)  # no `phone phone number`
        noun = msgspec.structs.replace(noun, text=" ".join(joined))
    known = frozenset(map(stem, identifier_words(f"{tool.name} {tool.source}")))
    apart = written_apart(noun.text, f"{tool.description} {description}")
    spelled = as_spelled(apart, tool.description).split(" ")
    noun = msgspec.structs.replace(noun, text=" ".join(" ".join(parts_of_type(one, known)) or one for one in spelled))
    placed = " ".join(name_words(singular(segment)))
    return Slot(path, noun, kind, encode(schema), description, name, leaf.about or placed)


def _container(tool: Tool) -> str:
    """Return the one thing that several others belong to: a bare `id` is of the team whose players or media are listed.

    Of a call to which participants are added it is the call's.
    """
    first, *others = gloss(tool).chunks or (Chunk("", ""),)
    held = [chunk for chunk in others if chunk.preposition.split(" ")[-1] in _BELONGING and not is_plural(chunk.text)]
    is_several = not is_countable(first.text) and not any(" and " in chunk.text for chunk in held)
    return "_".join(words_of_name(held[-1].text.partition(" ")[2])) if is_several and len(held) == 1 else ""


_BOOKS = frozenset("book reserve rent hire join".split())
_BELONGING = frozenset("to for in of from".split())


_PLACES = ("_body", "_path", "_query")
"""What the reader of a document adds to the second of two equal names."""


def name_in_place(tool: Tool, name: str) -> str:
    """Return a parameter's name as its place in a request has it: `company_id`, of the `id_body` beside an `id`."""
    schema = tool.properties.get(name)
    return _unmerged(name, str(plain_schema(schema).get("description", "")), tool) if schema is not None else name


def _unmerged(name: str, description: str, tool: Tool) -> str:
    """The name with what it identifies for the place in a request: of `id` and `id_body` the second is another's."""
    base = next((name.removesuffix(place) for place in _PLACES if name.endswith(place)), "")
    if base not in tool.properties or not ID_WORDS.issuperset(name_words(base)):
        return name
    owner = identified(description.partition(" which ")[0])
    return f"{owner}_{base}" if owner else name


def _thing(tool: Tool) -> str:
    """The noun of what a tool is about: a `bot` where it is the availability of a bot's name.

    A `member` where `PATCH /members/{id}` changes an address: what is given beside it is the member's.
    """
    noun, held = thing_noun(tool), _HELD.match(tool.source)
    words = set(map(stem, identifier_words(tool.source)))
    if held and is_plural(held[1]) and noun and stem(noun.split()[-1]) not in words:
        return " ".join(name_words(singular(held[1])))
    return re.sub(r"(?:^| )name$", "", noun.removesuffix(" availability")) if noun.endswith(" availability") else noun


_HELD = re.compile(r"(?:PUT|PATCH) /(?:.*/)?([A-Za-z][\w-]*)/\{\w+\}$")
"""A change of what an address ends with."""
_SEGMENT = re.compile(r"(?!v\d)[\w-]+")
_VERSION = re.compile(r"[-_]v\d+$")
_ACTS = frozenset("get fetch find create add update edit delete remove".split())
"""Verbs in addresses that are no nouns as well."""


def _segment(source: str, name: str) -> str:
    """Return the segment of an address before a parameter; acts name nothing: `session` of `/session/get/{name}`."""
    parts = source.partition(" ")[2].split("/")
    before = parts[: parts.index(f"{{{name}}}")] if f"{{{name}}}" in parts else []
    while before and before[-1].lower() in _ACTS:
        del before[-1]
    held = _VERSION.sub("", before[-1]) if before else ""
    return held if _SEGMENT.fullmatch(held) else ""


_LISTED = re.compile(r"(?:an? )?(?:list|array) of ((?:[A-Za-z]+ ){0,2}[A-Za-z]+)(?=[.,;(]|$)", re.IGNORECASE)
"""What a body without properties holds, where its description says it."""
_CALLED: dict[Kind, str] = {
    "code": "code", "email": "email", "phone": "phone number", "url": "URL", "date": "date", "datetime": "date",
    "time": "time", "money": "amount", "percent": "percentage", "text": "text", "title": "name", "person": "name",
    "count": "number", "number": "number", "city": "city", "country": "country", "language": "language",
}  # fmt: skip
"""What values are called of which a document tells the kind only."""
_NAMING = frozenset(("title", "text", "person", "other", "money", "url", "count", "percent"))
"""Kinds that the words of an identifier's name may have."""
_WORDS = frozenset(
    "path file filename format extension query q search keyword keywords term terms text phrase word".split()
)
_OF_PEOPLE = frozenset("first last full given family middle surname forename firstname lastname fullname".split())


def _kind(path: str, name: str, leaf: Leaf, tool: Tool) -> Kind:
    """A parameter in the path of an address is an identifier, a file or a word to search for."""
    kind = kind_of(name, leaf.schema)
    is_text = type_of(leaf.schema) in ("string", "")
    searched = _WORDS | _OF_PEOPLE | ({"title", "name", "description"} if "/search/" in tool.source else set())
    is_placed = f"{{{path}}}" in tool.source and kind in _NAMING and is_text and searched.isdisjoint(name_words(name))
    return "code" if is_placed else kind


# -- paths and values ------------------------------------------------------------------------------------------------


def path_of(steps: tuple[str | int, ...]) -> str:
    """Return the path of these steps; a dot within a name is written `~1` in a path of several.

    >>> path_of(("lines", 0, "unit.price")), path_of(("unit.price",))
    ('lines.0.unit~1price', 'unit.price')
    """
    if len(steps) == 1:
        return str(steps[0])
    return ".".join(str(step).replace("~", "~0").replace(".", "~1") for step in steps)


def leaves(tool: Tool, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Return the values in `arguments` by path, as people would say them one by one.

    Values that the schema fixes are left out. A path that `slots` lacks is of a value that the tool does not document.
    """
    known = tool_leaves(tool)
    found = (one for name, value in arguments.items() for one in _values((name,), value, known))
    return {path: value for path, value in found if path not in known or not known[path].is_fixed}


def _values(steps: tuple[str | int, ...], value: Json, known: Mapping[str, Leaf]) -> Iterator[tuple[str, Json]]:
    path = path_of(steps)
    inner: list[tuple[str | int, Json]] = []
    if path not in known and isinstance(value, dict):
        inner = list(value.items())
    elif path not in known and isinstance(value, list) and all(isinstance(item, dict) for item in value):
        inner = list(enumerate(value))
    if not inner:
        yield path, value
    for step, child in inner:
        yield from _values((*steps, step), child, known)


def assemble(tool: Tool, values: Mapping[str, Json]) -> dict[str, Json]:
    """Return the arguments that hold `values`, given by path: the inverse of `leaves`.

    Values that the schema fixes are added where the object that requires it is there, or is required itself.
    """
    known = tool_leaves(tool)
    nested: dict[str | int, Json] = {}
    for path, value in values.items():
        steps = known[path].steps if path in known else _steps(tool, path)
        _put(nested, steps, value)
    for leaf in _fixed_leaves(tool):
        if all(leaf.needed[_depth(nested, leaf.steps) :]):
            _put(nested, leaf.steps, _fixed_value(leaf.schema))
    return {str(name): _listed(value) for name, value in nested.items()}


@lru_cache(maxsize=65536)
def _fixed_leaves(tool: Tool) -> tuple[Leaf, ...]:
    return tuple(leaf for leaf in tool_leaves(tool).values() if leaf.is_fixed)


def needed(tool: Tool, given: Collection[str] = ()) -> tuple[str, ...]:
    """Return the paths of the values that a call needs beside those given, required objects' parts included."""
    nested: dict[str | int, Json] = {}
    known = tool_leaves(tool)
    for path in given:
        _put(nested, known[path].steps if path in known else _steps(tool, path), None)
    return tuple(
        path
        for path, leaf in known.items()
        if path not in given and not leaf.is_fixed and all(leaf.needed[_depth(nested, leaf.steps) :])
    )


class _Node(dict[str | int, Json]):
    """An object or a list that is being put together, as opposed to a value that is an object."""


def _put(nested: dict[str | int, Json], steps: tuple[str | int, ...], value: Json) -> None:
    for step in steps[:-1]:
        inner = nested.setdefault(step, _Node())
        if not isinstance(inner, _Node):
            return  # a value given as a whole
        nested = inner
    nested.setdefault(steps[-1], value)


def _depth(nested: dict[str | int, Json], steps: tuple[str | int, ...]) -> int:
    """Return how many of the steps lead to something that is there."""
    for depth, step in enumerate(steps):
        if step not in nested:
            return depth
        inner = nested[step]
        if not isinstance(inner, _Node):
            return len(steps)
        nested = inner
    return len(steps)


def _listed(value: Json) -> Json:
    if not isinstance(value, _Node):
        return value
    if all(isinstance(step, int) for step in value):
        return [_listed(value[step]) for step in sorted(value)]
    return {str(step): _listed(inner) for step, inner in value.items()}


def _fixed_value(schema: dict[str, Json]) -> Json:
    plain = plain_schema(schema)
    return plain["const"] if "const" in plain else plain["enum"][0]


def _steps(tool: Tool, path: str) -> tuple[str | int, ...]:
    """Return the steps of a path that the tool does not document: numbers are positions."""
    if path in tool.properties or "." not in path:
        return (path,)
    parts = [part.replace("~1", ".").replace("~0", "~") for part in path.split(".")]
    return (
        parts[0],
        *(int(part) if part.isascii() and part.isdigit() and len(part) < 4 else part for part in parts[1:]),
    )


def said_noun(slot: Slot) -> str:
    """Return what people call a value: `number of nights`, not `nights`."""
    is_number = slot.kind in ("count", "number") and is_plural(slot.noun.text) and " in " not in slot.noun.text
    is_number &= not slot.noun.text.startswith("number of ")
    first, _, rest = slot.noun.text.partition(" ")
    if is_number and rest and first in _BOUNDING:
        return f"{first} number of {rest}"  # `minimum number of bells`
    return f"number of {slot.noun.text}" if is_number else slot.noun.text


_BOUNDING = frozenset("minimum maximum min max least total".split())
