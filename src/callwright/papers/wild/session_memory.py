"""What a `wild` session holds so far: every value said or returned, and where a later task may hide one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.slots import Slot, slots
from callwright.environment.feeding import is_meant, outputs
from callwright.environment.returns import CREATES, action_of, identity_of
from callwright.lang.kinds import Kind
from callwright.lang.nouns import slot_noun
from callwright.lang.schemas import singular
from callwright.lang.tokens import content_stems, identifier_words, stem_set
from callwright.match.schema import conforms
from callwright.papers.wild.task_briefs import Reference
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.origin import Origin
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

Identity = tuple[frozenset[str], str]

HIDEABLE: frozenset[Kind] = frozenset(
    ("code", "url", "city", "country", "date", "person", "title", "other", "year", "email", "phone", "currency",
     "language")
)  # fmt: skip
"""Kinds of values that people refer back to; counts and settings are said again."""
NAMES: frozenset[Kind] = frozenset(("title", "other", "person", "text"))


class Fact(msgspec.Struct, frozen=True):
    """One value of an earlier task."""

    task: int
    known: Known
    identity: Identity
    turn: int
    """Position of the turn that says or obtains it."""
    call: int | None = None
    """Position of the call whose result holds it; None where the user said it."""
    path: str = ""
    entity: str = ""
    ordinal: int = 0
    """Place in a list, from 1; 0 where it is in none."""
    is_echo: bool = False
    """Whether its task only meant it: another one says or returned it."""

    @property
    def origin(self) -> Origin:
        """Where it was said or returned."""
        return Origin(task=self.task, call=self.call, path=self.path, turn=self.turn)


class Topic(msgspec.Struct, frozen=True):
    """What a task was about, where that is one tool."""

    tool: Tool
    values: dict[str, Json] | None
    """Arguments of its call; None for a chat about it."""
    turn: int
    """Position of the turn that asks for it."""
    task: int
    """Position of the task that asks for it."""
    varied: str = ""
    """Parameter that differed, where it had several calls."""
    asked: str = ""
    """What a chat asked about it (`ChatKind`)."""


class Past(msgspec.Struct):
    """The tasks so far."""

    facts: list[Fact] = []
    topics: list[Topic | None] = []
    chats: list[bool] = []
    """Whether each task was a chat."""
    asks: list[int] = []
    """Positions of the turns that ask, one for each task."""
    next_turn: int = 0
    calls: set[tuple[str, JsonText]] = set()
    """(tool key, arguments) of every call."""

    @property
    def position(self) -> int:
        """Position of the task to come."""
        return len(self.asks)

    def source_tasks(self, hiding: str) -> list[int]:
        """Return the positions of the tasks that may hold what this hiding leaves out, nearest first."""
        if hiding != "long_range":
            return [self.position - 1] if self.position else []
        return [task for task in range(self.position - 2, -1, -1) if self.next_turn - self._last_turn(task) > 2]

    def _last_turn(self, task: int) -> int:
        return (self.asks[task + 1] if task + 1 < len(self.asks) else self.next_turn) - 1

    def sources(self, hiding: str, tool: Tool, parameter: str, like: Json) -> Iterator[Fact]:
        """Yield facts that this parameter can take without doubt; `like` is a value of the right form.

        A fact of no list must be the only value in its task that fits; a place in a list tells items apart. What is
        left out without a word goes on as the user said it, and is no name of what is made anew.
        """
        slot = slots(tool)[parameter]
        is_new_name = hiding == "partial" and slot.kind in NAMES and action_of(tool)[0] in CREATES
        if slot.kind not in HIDEABLE or is_secret(parameter) or is_new_name:
            return
        for task in self.source_tasks(hiding):
            fitting = [fact for fact in self.facts if fact.task == task and fits(fact, tool, parameter, like)]
            alone = [fact for fact in fitting if not fact.ordinal]
            if len({fact.known.text for fact in alone}) == 1:
                told = [fact for fact in alone if not fact.is_echo and (hiding != "partial" or fact.call is None)]
                yield from told[:1]
            listed = [fact for fact in fitting if fact.ordinal]
            if hiding != "partial" and not alone and len({(fact.call, fact.known.slot.name) for fact in listed}) == 1:
                yield from listed

    def origin_of(self, value: Json, name: str = "") -> Fact | None:
        """Return the first fact with this value, of a parameter or field of this name if there is one."""
        text = encode(value)
        found = [fact for fact in self.facts if fact.known.text == text and not fact.is_echo]
        return next((fact for fact in found if fact.known.slot.name == name), found[0] if found else None)

    def could_fill(self, tool: Tool, parameter: str) -> bool:
        """Whether anything said or returned so far could be taken for a value of this parameter."""
        wanted = identity_of(tool, parameter)
        return any(fact.identity == wanted or may_mean(fact, tool, parameter) for fact in self.facts)


def fits(fact: Fact, tool: Tool, parameter: str, like: Json) -> bool:
    """Whether a fact is a value for the parameter: the same sort of thing, written the same way."""
    value = fact.known.value
    same_form = type(value) is type(like) and _form(value, fact.known.slot.kind) == _form(like, fact.known.slot.kind)
    return may_mean(fact, tool, parameter) and same_form and not _names_another(fact, tool, parameter)


_NAMES = stem_set("name title subject headline label topic summary")


def _names_another(fact: Fact, tool: Tool, parameter: str) -> bool:
    """Whether a fact is the name of another sort of thing: `the same risk` is no name of a milestone."""
    if not fact.identity[0] <= _NAMES:
        return False
    return content_stems(fact.entity)[-1:] != content_stems(entity_noun(slots(tool)[parameter]))[-1:]


def may_mean(fact: Fact, tool: Tool, parameter: str) -> bool:
    """Whether a fact could be meant where the parameter is: cities and countries at large, other things by owner."""
    return is_meant(fact.known.slot.kind, fact.known.slot.name, fact.identity, tool, parameter)


def _form(value: Json, kind: Kind) -> str:
    """Digits and letters of dates and short codes, masked; words are all alike."""
    if not isinstance(value, str):
        return ""
    if kind in ("date", "datetime", "time"):
        return re.sub(r"[a-z]+", "a", re.sub(r"\d", "9", value.lower()))
    if kind in ("country", "currency", "language"):
        return f"{len(value)}{'A' if value.isupper() else 'a'}" if len(value) <= 3 else "words"
    return ""


_SECRET = frozenset("password passphrase passcode otp secret token credential credentials apikey".split())


def is_secret(name: str) -> bool:
    """Whether a parameter is something that nobody repeats, nor has several of to name in a row."""
    words = identifier_words(name)
    return not _SECRET.isdisjoint(words) or words[-2:] == ["api", "key"] or words[-1:] == ["pin"]


def argument_facts(
    tool: Tool, values: dict[str, Json], turns: Mapping[str, int], *, task: int, ask: int
) -> Iterator[Fact]:
    """Yield the values of a call; `turns` has the turn that says each, those it lacks are only meant, in turn `ask`."""
    for name, value in values.items():
        slot = slots(tool)[name]
        known = Known(slot, encode(value))
        turn = turns.get(name, ask)
        entity = entity_noun(slot)
        yield Fact(task, known, identity_of(tool, name), turn, entity=entity, is_echo=name not in turns)


def entity_noun(slot: Slot) -> str:
    """Return what people call the thing a value stands for: `song` for a song ID, `city` for the name of a city."""
    if slot.kind in ("city", "country"):
        return slot.kind
    return (slot.noun.entity or _NAME_OF.sub("", slot.noun.text) or slot.noun.text).split(" or ")[0]


_NAME_OF = re.compile(r"^(?:full )?(?:name|title|ID|code|keyword) of (?:the |a |an )?")


def result_facts(tool: Tool, result: Result, *, task: int, call: int, turn: int) -> Iterator[Fact]:
    """Yield the values that a result holds, those of a list with their place."""
    if result.value is None:
        return
    value = decode(result.value)
    for output in outputs(tool):
        slot = Slot(output.name, slot_noun(output.name, described(output.schema)), output.kind, output.schema, "")
        identity = identity_of(tool, output.name)
        for place in range(5 if output.is_listed else 1):
            pointer = output.pointer(place)
            found = resolve(value, pointer)
            if found is None or isinstance(found, bool):
                continue
            entity = singular(output.path[-3].replace("_", " ")) if output.is_listed else entity_noun(slot)
            ordinal = place + 1 if output.is_listed else 0
            yield Fact(task, Known(slot, encode(found)), identity, turn, call, pointer, entity, ordinal)


def described(schema: JsonText) -> str:
    """Return the description of a field."""
    text = decode(schema).get("description")
    return text if isinstance(text, str) else ""


def reference_to(fact: Fact, hiding: str, *, request: int) -> Reference:
    """Return how a text may point at a fact; `request` is the number, from 1, of the request that holds it."""
    return Reference(
        hiding=hiding,  # type: ignore[arg-type]  # one of the three
        entity=fact.entity,
        ordinal=fact.ordinal,
        request=request if hiding == "long_range" else 0,
        obtained=fact.call is not None,
    )


def is_valid(tool: Tool, values: dict[str, Json]) -> bool:
    """Whether the values keep to the tool's schema."""
    return conforms(encode(values), tool)
