"""The meaning of a field's value: a thing (`legal hold policy`) and an attribute of it (`id`, `email`).

    name         `legal_hold_policy_id`, `userEmail`; a word alone that is a code names a thing: `channel`
    place        a bare `id` is that of what holds it: a segment of the path, an object in a result, else what the tool
                 acts on
    schema       a field `type` beside it that admits one value only; the title of the object that it lies in
    description  `The ID of the file`, `Conversation ID to ...`

What a name says of a thing that tools act on is not overruled by a description (`the project task belongs to`).
Things are compared by their head nouns: two of one head are the same if their other words are, or if one has fewer of
them and the head means one thing only in the catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from callwright.environment.returns import path_of
from callwright.environment.tool_target import WRAPPERS, target_of
from callwright.graph.graph_fields import GraphField, fixed_value
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem
from callwright.records.tool import Tool

Thing = tuple[str, ...]
"""Stems of a noun phrase, the head last."""


class Reading(NamedTuple):
    """A thing that a field may be about, and how sure that is, from 0 to 1."""

    thing: Thing
    by: str
    """Where it stands: `name`, `place`, `type`, `title`, `description` or `tool`."""
    weight: float
    attribute: str = ""
    """The attribute of it that the field holds, where that is not the one of the identity."""


class Identity(NamedTuple):
    """The thing that a field identifies."""

    attribute: str
    readings: tuple[Reading, ...]
    """The surest first, each thing once."""


def attribute_of(told: Identity, reading: Reading) -> str:
    """Return the attribute that a field holds of the thing of a reading."""
    return reading.attribute or told.attribute


ID: Final = "id"
_WEIGHTS: Final = {"name": 1.0, "place": 0.97, "type": 0.97, "description": 0.92, "title": 0.9, "tool": 0.85}

ATTRIBUTES: Final = frozenset(
    "key code number token slug name title email mail url uri link href handle username login symbol ticker icao iata "
    "isbn sku barcode phone hostname domain subdomain namespace path hash sha etag version arn abbreviation alias "
    "address country currency language locale timezone".split()
)
"""Words that say which attribute of a thing a value is; any other last word of a name is one by itself."""
_SAME_ATTRIBUTE: Final = {"mail": "email", "uri": "url", "href": "url", "link": "url", "title": "name"}
_SCHEMES: Final = frozenset("external legacy foreign remote partner vendor alternate alternative secondary".split())
"""Words before `id` that say whose numbering it is: such an identifier is no other one of the same thing."""
SORTS: Final = frozenset(
    "type kind category status state mode level class sort role scope scheme context format method action event "
    "reason".split()
)
"""Last words of names of choices, which descriptions may call identifiers or codes."""
_VAGUE: Final = frozenset(
    "unique encoded specific given particular individual existing new current desired valid requested internal "
    "external public actual corresponding associated related respective same parent child target source main primary "
    "mini base full standard original previous next root".split()
)
"""Words before a noun that name no other thing, but the part that a thing plays."""
_RESOURCES: Final = frozenset(("resource", "object", "entity"))
"""Words that descriptions put after a noun."""
_LOGIN: Final = "username"
"""What a user signs in with, which is not what the user is called."""
_SEGMENT = re.compile(r"(?<![\w-])([\w-]++)/\{([^{}/]++)\}")


def identity(field: GraphField, tool: Tool, *, is_output: bool) -> Identity:
    """Return what a field of a tool identifies."""
    words = [word for word in name_words(field.name) if not word.isdigit()]
    last = _single(words[-1]) if words else ""
    scheme = next((word for word in words[:-1] if word in _SCHEMES), "")
    if field.name.lower() == _LOGIN:
        attribute, owner = _LOGIN, ["user"]
    elif last in ID_WORDS and scheme:
        attribute, owner = f"{scheme} {ID}", [word for word in words[:-1] if word != scheme]
    elif last in ID_WORDS or last in ATTRIBUTES:
        attribute, owner = (ID if last in ID_WORDS else _SAME_ATTRIBUTE.get(last, last)), words[:-1]
    elif words and (told := _told_attribute(field.description, last)):
        attribute, owner = told, words
    elif field.kind == "code" and words and (last not in SORTS or _is_said_to_identify(field, last)):
        attribute, owner = ID, words
    else:
        attribute, owner = last, words[:-1]
    found = dict[Thing, Reading]()
    for by, phrase in _phrases(field, tool, owner, attribute, is_output=is_output):
        if thing := thing_of(phrase):
            found.setdefault(thing, Reading(thing, by, _WEIGHTS[by]))
    return Identity(attribute, tuple(sorted(found.values(), key=lambda one: -one.weight)))


def _told_attribute(description: str, noun: str) -> str:
    """Return the attribute that a field called like its thing holds: `name` of `The name of the deployment`."""
    found = _ATTRIBUTE_OF.match(description[:200])
    if not found or stem(singular(found[2].lower())) != stem(noun):
        return ""
    attribute = found[1].lower()
    return _SAME_ATTRIBUTE.get(attribute, attribute)


_ATTRIBUTE_OF = re.compile(
    r"(?:(?:required|optional)\. ?)?(?:the |an? )?(?:display |full |short |unique )?"
    r"(name|title|abbreviation|slug|symbol|email|alias|handle) (?:of|for) (?:the |an? )?"
    r"(?:(?:requested|specified|given|desired) )?(?:\w+ ){0,2}?(\w+)"
    r"(?=$|[.,;:(]| (?:to|for|in|of|that|which|whose|you)\b)",
    re.IGNORECASE,
)


def _is_said_to_identify(field: GraphField, noun: str) -> bool:
    """Whether a field that is called like a choice holds, by its description, the identifier of a thing: `class`."""
    return any(thing_of(words) == thing_of([noun]) for words in described_things(field.description))


def _phrases(
    field: GraphField, tool: Tool, owner: Sequence[str], attribute: str, *, is_output: bool
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield noun phrases of what the field may be about, and where they stand."""
    if owner:
        yield "name", owner
    else:
        place = _holder(field, tool) if is_output else _segment(field, tool)
        yield "place" if place else "tool", owner_words(field, tool, is_output=is_output)
    if attribute != ID:
        return
    if is_output and not owner:
        yield from (("type", name_words(kind)) for kind in _fixed_types(field.holder))
        title = field.holder.get("title")
        if isinstance(title, str) and len(title) < 60:
            yield "title", name_words(title.partition("(")[0])
    yield from (("description", phrase) for phrase in described_things(field.description, owner[-1] if owner else ""))


def owner_words(field: GraphField, tool: Tool, *, is_output: bool) -> Sequence[str]:
    """Return the words of the owner of a field by its place, else of the object that its tool acts on."""
    return (_holder(field, tool) if is_output else _segment(field, tool)) or target_of(tool).named


def _holder(field: GraphField, tool: Tool) -> Sequence[str]:
    """The nearest object with a name of its own; none where the result is about what the tool acts on."""
    target = target_of(tool)
    steps = field.place.split("/")
    outer = field.names[: len([step for step in steps[: steps.index("0")] if step])] if "0" in steps else field.names
    for depth, name in reversed(list(enumerate(field.names[:-1]))):
        is_wrapper = name.lower() in WRAPPERS
        if depth and name.lower() in _ENVELOPES:
            continue  # `relationships/tags/data`: tags
        if target.is_about(name) and not (is_wrapper and depth >= len(outer)):
            return target.named
        if not is_wrapper or depth >= len(outer):
            return name_words(name)
    return ()


_ENVELOPES: Final = frozenset("data attributes embedded _embedded results response".split())
"""Wrappers that are no thing of their own wherever they stand."""


def _segment(field: GraphField, tool: Tool) -> Sequence[str]:
    """The segment before a parameter of a path, or the object that holds it in a body."""
    if len(field.names) > 1:
        return () if field.names[-2].lower() in WRAPPERS else name_words(field.names[-2])
    return next((name_words(part) for part, name in _SEGMENT.findall(path_of(tool)) if name == field.name), ())


def _fixed_types(holder: Mapping[str, object]) -> Iterator[str]:
    properties = holder.get("properties")
    if isinstance(properties, dict):
        for name in ("type", "object", "kind", "resource", "resource_type"):
            if told := fixed_value(properties.get(name)):
                yield told


def _single(word: str) -> str:
    return word if word in ID_WORDS else singular(word)


@lru_cache(maxsize=65536)
def _thing(words: tuple[str, ...]) -> Thing:
    kept = [word.lower() for word in words if word.lower() not in ID_WORDS and not word.isdigit()]
    while kept and kept[0] in _VAGUE:
        del kept[0]
    while kept and kept[-1] in _RESOURCES:
        del kept[-1]
    if not kept or kept[-1] in WRAPPERS:
        return ()
    return (*(stem(word) for word in kept[:-1]), stem(singular(kept[-1])))


def thing_of(words: Iterable[str]) -> Thing:
    """Return the stems of a noun phrase without words that name nothing; empty where none is left.

    >>> thing_of(["unique", "legal", "hold", "policies"])
    ('legal', 'hold', 'policy')
    """
    return _thing(tuple(words))


_ARTICLE = r"(?:the|this|that|a|an|your|its|any|each|one)"
_NOUN = r"([A-Za-z][\w-]{0,30}(?: [A-Za-z][\w-]{0,30}){0,4})"
_ID = r"(?:[Ii][Dd]s?|[Ss][Ii][Dd]s?|[UuGg]?UIDs?|[ug]?uids?|[Ii]dentifiers?|GUIDs?|guids?)"
_ID_OF = re.compile(
    rf"\b{_ID}(?: \([^()]{{1,20}}\))? (?:of|for|that (?:represents?|identifies)|representing) (?:{_ARTICLE} )?{_NOUN}"
)
_IDENTIFIES = re.compile(rf"\b(?:uniquely )?identif(?:y|ies|ying)(?: to {_ARTICLE})? {_ARTICLE} {_NOUN}")
_NAMED_ID = re.compile(rf"(?:^|\b(?:{_ARTICLE}) ){_NOUN}(?:'s)? {_ID}\b")
_OF_STATES: Final = ("version", "revision", "snapshot")
"""Words before `ID of` that say that it identifies what a thing was at some time, not the thing."""
_END = re.compile(
    r"\b(?:of|for|to|that|which|who|whose|where|when|in|on|at|from|with|by|as|is|are|was|were|be|being|has|have|had|will|"
    r"can|must|should|and|or|if|using|used|associated|belongs?|belonging|containing|created|the|this|a|an|you|it|we|"
    r"resource|object|record|entity|instance)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=65536)
def described_things(description: str, said: str = "") -> tuple[tuple[str, ...], ...]:
    """Return the words of the things whose identifier the first sentence of a description says the value is.

    `said` is what the name says already: `plan API ID of the team` is none of a team where the name is `plan_api_id`.

    >>> described_things("The ID of the legal hold policy that was assigned.")
    (('legal', 'hold', 'policy'),)
    >>> described_things("Conversation ID to learn more about.")
    (('conversation',),)
    """
    first = re.split(r"(?<=[^.]{3})\.(?:\s|$)|\n", description.strip()[:300], maxsplit=1)[0]
    found: list[tuple[str, ...]] = []
    for pattern in (_ID_OF, _IDENTIFIES):
        if match := pattern.search(first):
            before = first[: match.start()].rstrip().lower()
            if before.endswith(_OF_STATES) or (said and before.endswith(said.lower())):
                break
            found.append(_before_end(match[1]))
            break
    else:
        if match := _NAMED_ID.search(first):
            phrase = re.split(_END, match[1])[-1]
            found.append(tuple(word for part in phrase.split() for word in name_words(part)))
    return tuple(words for words in found if words)


def _before_end(phrase: str) -> tuple[str, ...]:
    return tuple(word for part in _END.split(phrase, maxsplit=1)[0].split() for word in name_words(part))


def without_contradictions(told: Identity, acted: Collection[Thing], named: Collection[str]) -> Identity:
    """Return the readings without descriptions of another head noun, where the name is of what tools act on.

    Descriptions of a head noun that no name, place or tool has (`named`: `Unique entry ID`) tell nothing either.
    """
    own = {one.thing[-1] for one in told.readings if one.by == "name" and one.thing in acted}
    kept = (one for one in told.readings if one.by != "description" or one.thing[-1] in (own or named))
    return told._replace(readings=tuple(kept) or told.readings)


def named_heads(told: Iterable[Identity]) -> frozenset[str]:
    """Return the head nouns of what fields are about by anything but their descriptions."""
    return frozenset(one.thing[-1] for each in told for one in each.readings if one.by != "description")


class Senses(NamedTuple):
    """For each head noun the different things of a catalogue that have it."""

    things: Mapping[str, frozenset[Thing]]
    acted: frozenset[Thing]
    """The things that tools act on: no two of these are one."""

    def match(self, one: Thing, other: Thing, *, is_one_shape: bool = False) -> float:
        """Return from 0 to 1 whether two phrases name one thing (see the module); values of one shape are of one."""
        if one == other or "".join(one) == "".join(other):
            return 1.0
        if one[-1] != other[-1] or not (one[:-1] == () or other[:-1] == () or _is_within(one, other)):
            return 0.0
        if one in self.acted and other in self.acted and not is_one_shape:
            return 0.0
        longer = max(one, other, key=len)
        rivals = [thing for thing in self.things.get(one[-1], ()) if len(thing) > 1 and not _is_within(thing, longer)]
        return 0.0 if rivals else 0.85


def _is_within(one: Thing, other: Thing) -> bool:
    return set(one) <= set(other) or set(other) <= set(one)


def senses(things: Iterable[Thing], acted: Iterable[Thing]) -> Senses:
    """Return the things of a catalogue by head noun, and those that tools act on."""
    found: dict[str, set[Thing]] = {}
    for thing in things:
        found.setdefault(thing[-1], set()).add(thing)
    return Senses({head: frozenset(each) for head, each in found.items()}, frozenset(acted))
