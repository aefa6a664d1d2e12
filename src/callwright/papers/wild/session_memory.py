"""The memory of a session: every value said or returned so far, and where a later task may hide one (section 3.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.slots import Slot, slots
from callwright.environment.feeding import Output, is_meant, outputs
from callwright.environment.returns import action_of, identity_of
from callwright.lang.kinds import Kind
from callwright.lang.nouns import slot_noun
from callwright.lang.tokens import content_stems, identifier_words, stem_set
from callwright.lang.verbs_of_acts import CREATES
from callwright.match.schema import conforms
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.task_briefs import Reference, entity_of
from callwright.records.annotations.wild_notes import HiddenPlace
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.origin import Origin
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

HIDEABLE: frozenset[Kind] = frozenset(
    ("code", "url", "city", "country", "date", "person", "title", "other", "year", "email", "phone", "currency",
     "language")
)  # fmt: skip
"""Kinds of values that people refer back to; they repeat counts and settings."""
_NAME_KINDS: frozenset[Kind] = frozenset(("title", "other", "person", "text"))
_MOST_ITEMS = 5


class Fact(msgspec.Struct, frozen=True):
    """One value of an earlier task."""

    task: int
    known: Known
    identity: tuple[frozenset[str], str]
    """What it identifies (see `identity_of`)."""
    turn: int
    """Position of the turn that says or obtains it."""
    call: int | None = None
    """Position of the call whose result holds it; None if the user said it."""
    path: str = ""
    """JSON pointer (RFC 6901) into that result."""
    entity: str = ""
    """What people call the thing it stands for."""
    ordinal: int = 0
    """Place in a list, from 1; 0 if it is in none."""
    is_echo: bool = False
    """Whether its task only referred to it: another task says or returns it."""

    @property
    def origin(self) -> Origin:
        """Where it was said or returned."""
        return Origin(task=self.task, call=self.call, path=self.path, turn=self.turn)


class TaskTopic(msgspec.Struct, frozen=True):
    """What a task was about, if that is one tool."""

    tool: Tool
    values: dict[str, Json]
    """Arguments of its call."""
    turn: int
    """Position of the turn that asks for the task."""
    task: int
    varied: str = ""
    """The parameter in which its calls differed, if it had several."""


class SessionMemory(msgspec.Struct):
    """The tasks of a session so far."""

    facts: list[Fact] = []
    topics: list[TaskTopic | None] = []
    asks: list[int] = []
    """Positions of the turns that ask, one for each task."""
    next_turn: int = 0
    calls: set[tuple[str, JsonText]] = set()
    """(tool key, arguments) of every call."""
    texts: list[str] = []
    """All that each task says and returns, in lower case."""
    tools: list[set[str]] = []
    """Keys of the tools that each task calls."""
    remarked: dict[int, Fact] = {}
    """What the remark of each chat is about, by task."""
    talked: set[str] = set()
    """The questions of the chats."""

    @property
    def position(self) -> int:
        """Position of the next task."""
        return len(self.asks)

    def source_tasks(self, hiding: str) -> list[int]:
        """Return the positions of the tasks that may hold what this hiding leaves out, nearest first.

        That is the last task, and if it is a chat also what came before it; for `long_range` every task but the last.
        """
        if hiding == "long_range":
            return list(range(self.position - 2, -1, -1))
        first = next((task for task in range(self.position - 1, -1, -1) if task not in self.remarked), 0)
        return list(range(self.position - 1, first - 1, -1))

    def facts_of(self, task: int) -> list[Fact]:
        """Return the values that a task says or obtains; of a chat the one that it remarks on."""
        return [self.remarked[task]] if task in self.remarked else [one for one in self.facts if one.task == task]

    def is_far(self, fact: Fact) -> bool:
        """Whether the value lies before the last exchange, which does not repeat it."""
        return fact.task < self.position - 1 and str(fact.known.value).casefold() not in self.texts[-1]

    def reference(self, rng: Random, fact: Fact, design: TaskDesign) -> Reference | None:
        """Return how a text may refer to a fact; None if that would be ambiguous.

        A long-range reference that is not signposted says what the value is, and what its task was about if other
        tasks have such a thing too.
        """
        far = design.hiding == "long_range"
        request = fact.task + 1 if far and design.signposted else 0
        about = ""
        if far:
            others = [one for one in self.facts if one.entity == fact.entity and one.task != fact.task]
            if not self.is_far(fact) or any(one.task == self.position - 1 for one in others):
                return None
            if not request and (rng.random() < _ABOUT_SHARE or {one.known.text for one in others} - {fact.known.text}):
                about = self.thing(fact.task)
                about = "" if stem_set(fact.entity) & stem_set(about) else about
                if not about and others:
                    return None
        return Reference(
            hiding=design.hiding,  # type: ignore[arg-type]  # one of the three
            entity=fact.entity,
            ordinal=fact.ordinal,
            request=request,
            about=about,
            obtained=fact.call is not None,
        )

    def thing(self, task: int) -> str:
        """Return the object of the tool of a task, `the weather forecast`; empty if another task has it too."""
        things = ["" if topic is None else _thing(topic.tool) for topic in self.topics]
        return things[task] if things.count(things[task]) == 1 else ""

    def sources(self, hiding: str, tool: Tool, parameter: str, like: Json) -> Iterator[Fact]:
        """Yield the facts that the parameter can take without ambiguity; `like` is a value of the right form.

        A fact outside a list must be the only fitting value of its task; the ordinal tells items of a list apart. A
        value that `partial` leaves out must be one that the user said, and not the name of a new thing.
        """
        slot = slots(tool)[parameter]
        is_new_name = hiding == "partial" and slot.kind in _NAME_KINDS and action_of(tool)[0] in CREATES
        if slot.kind not in HIDEABLE or is_secret(parameter) or is_new_name:
            return
        if hiding == "long_range" and any(
            fits(one, tool, parameter, like) for one in self.facts if one.task == self.position - 1
        ):
            return  # the last exchange would answer it
        for task in self.source_tasks(hiding):
            fitting = [fact for fact in self.facts_of(task) if fits(fact, tool, parameter, like)]
            alone = [fact for fact in fitting if not fact.ordinal]
            if len({fact.known.text for fact in alone}) == 1:
                told = [fact for fact in alone if not fact.is_echo and (hiding != "partial" or fact.call is None)]
                yield from told[:1]
            listed = [fact for fact in fitting if fact.ordinal]
            if hiding != "partial" and not alone and len({(fact.call, fact.known.slot.name) for fact in listed}) == 1:
                yield from listed
            if fitting and hiding != "long_range":
                return  # what is further back would not be meant

    def origin_of(self, value: Json, name: str) -> Fact | None:
        """Return the first fact with this value, of a parameter or field of this name if there is one."""
        text = encode(value)
        found = [fact for fact in self.facts if fact.known.text == text and not fact.is_echo]
        return next((fact for fact in found if fact.known.slot.name == name), found[0] if found else None)

    def could_fill(self, tool: Tool, parameter: str) -> bool:
        """Whether any fact so far could be taken for a value of this parameter."""
        wanted = identity_of(tool, parameter)
        return any(fact.identity == wanted or may_mean(fact, tool, parameter) for fact in self.facts)

    def hidden_value(self, fact: Fact, hiding: str, call: int | None = None, parameter: str = "") -> HiddenPlace:
        """Return the record of a fact that the next task leaves out, in a parameter of a call or in a chat."""
        return HiddenPlace(
            task=self.position,
            hiding=hiding,
            call=call,
            parameter=parameter,
            value=fact.known.text,
            origin=fact.origin,
            distance=self.position - fact.task,
        )

    def hidden_wish(self, topic: TaskTopic, hiding: str, tool: str, call: int | None = None) -> HiddenPlace:
        """Return the record of a wish that the next task leaves out; `tool` is the shown name of its tool."""
        return HiddenPlace(
            task=self.position,
            hiding=hiding,
            call=call,
            value=encode(tool),
            origin=Origin(task=topic.task, turn=topic.turn),
            distance=self.position - topic.task,
        )


_ABOUT_SHARE = 0.4
_DETERMINER = re.compile(r"^(?:an?|the|my) ")


def _thing(tool: Tool) -> str:
    return f"the {_DETERMINER.sub('', asked_gloss(tool).chunks[0].text)}" if asked_gloss(tool).chunks else ""


def fits(fact: Fact, tool: Tool, parameter: str, like: Json) -> bool:
    """Whether a fact is a value for the parameter: the same sort of thing, written in the same form."""
    value, kind = fact.known.value, fact.known.slot.kind
    heads = [content_stems(entity)[-1:] for entity in (fact.entity, entity_of(slots(tool)[parameter]))]
    names_another = fact.identity[0] <= _NAME_STEMS and heads[0] != heads[1]  # a risk's name is no milestone's
    same_form = type(value) is type(like) and _form(value, kind) == _form(like, kind)
    return same_form and not names_another and may_mean(fact, tool, parameter)


_NAME_STEMS = stem_set("name title subject headline label topic summary")


def may_mean(fact: Fact, tool: Tool, parameter: str) -> bool:
    """Whether people could mean a fact by the parameter: any city or country, other things by their owner."""
    return is_meant(fact.known.slot.kind, fact.known.slot.name, fact.identity, tool, parameter)


def _form(value: Json, kind: Kind) -> str:
    """Digits and letters of dates and short codes, masked; all words have one form."""
    if not isinstance(value, str):
        return ""
    if kind in ("date", "datetime", "time"):
        return re.sub(r"[a-z]+", "a", re.sub(r"\d", "9", value.lower()))
    if kind in ("country", "currency", "language"):
        return f"{len(value)}{'A' if value.isupper() else 'a'}" if len(value) <= 3 else "words"
    return ""


_SECRET = frozenset("password passphrase passcode otp secret token credential credentials apikey".split())


def is_secret(name: str) -> bool:
    """Whether the parameter is a secret: people neither repeat it nor name several in a row."""
    words = identifier_words(name)
    return not _SECRET.isdisjoint(words) or words[-2:] == ["api", "key"] or words[-1:] == ["pin"]


def is_valid(tool: Tool, values: dict[str, Json]) -> bool:
    """Whether the values fit the tool's schema."""
    return conforms(encode(values), tool)


def argument_facts(
    tool: Tool, values: dict[str, Json], turns: Mapping[str, int], *, task: int, ask: int
) -> Iterator[Fact]:
    """Yield the values of a call.

    `turns` has the turn that says each value. A value without one is an echo in turn `ask`.
    """
    for name, value in values.items():
        slot = slots(tool)[name]
        turn, is_echo = turns.get(name, ask), name not in turns
        yield Fact(
            task, Known(slot, encode(value)), identity_of(tool, name), turn, entity=entity_of(slot), is_echo=is_echo
        )


def result_facts(tool: Tool, result: Result, *, task: int, call: int, turn: int) -> Iterator[Fact]:
    """Yield the values that a result holds; of a list at most the first five items, each with its place."""
    if result.value is None:
        return
    value = decode(result.value)
    for output in outputs(tool):
        slot, identity = output_slot(output), output.identity
        entity = item_noun(output) if output.is_listed else entity_of(slot)
        for place in range(_MOST_ITEMS if output.is_listed else 1):
            pointer = output.pointer(place)
            found = resolve(value, pointer)
            if found is not None and not isinstance(found, bool):
                ordinal = place + 1 if output.is_listed else 0
                yield Fact(task, Known(slot, encode(found)), identity, turn, call, pointer, entity, ordinal)


def output_slot(output: Output) -> Slot:
    """Return a field of a result as a slot, with the noun that people use for it."""
    text = decode(output.schema).get("description")
    noun = slot_noun(output.name, text if isinstance(text, str) else "")
    return Slot(output.name, noun, output.kind, output.schema, "")


def item_noun(output: Output) -> str:
    """Return what people call an item of the list that the field is in: `song` for `/songs/0/title`."""
    return output.item
