"""The memory of a session: every value said or returned so far, and where a later task may hide one (section 3.4).

People refer back to things, by the identifiers that stand for them, and to a place, a day, a person or an address that
they gave. They do not refer back to names, texts, amounts, flags or choices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.catalog.thing_nouns import thing_noun
from callwright.environment.returns import identity_of
from callwright.environment.told_outputs import Output, is_meant, is_own, outputs
from callwright.environment.told_results import is_secret, listed_field, listed_names
from callwright.environment.tool_target import target_of, told_places
from callwright.lang.english import is_plural
from callwright.lang.kinds import Kind
from callwright.lang.nouns import slot_noun
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem, stem_set
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.match.schema import conforms
from callwright.papers.wild.ending_acts import needs_a_past, suits_draft
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.task_briefs import Reference, entity_of
from callwright.records.annotations.wild_notes import HiddenPlace
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.origin import Origin
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

CARRIED: frozenset[Kind] = frozenset(("city", "country", "date", "person", "email", "phone", "url"))
"""Kinds of values beside identifiers that people carry over from their own words."""
_OWN: frozenset[Kind] = frozenset(("email", "phone", "url", "person"))
"""Kinds of values that one thing has for itself: it is not changed to those of another."""
_MOST_ITEMS = 5


class Fact(msgspec.Struct, frozen=True):
    """One value of an earlier task."""

    task: int
    known: Known
    identity: tuple[frozenset[str], str]
    """The thing that it identifies (see `identity_of`)."""
    turn: int
    """Position of the turn that says or obtains it."""
    call: int | None = None
    """Position of the call whose result holds it; None if the user said it."""
    path: str = ""
    """JSON pointer (RFC 6901) into that result."""
    entity: str = ""
    """The noun for the thing it stands for."""
    ordinal: int = 0
    """Place in a list, from 1; 0 if it is in none."""
    is_echo: bool = False
    """Whether its task only referred to it: another task says or returns it."""
    is_new: bool = False
    """Whether it is what its call created."""
    is_draft: bool = False
    """Whether that is a draft."""

    @property
    def origin(self) -> Origin:
        """Where it was said or returned."""
        return Origin(task=self.task, call=self.call, path=self.path, turn=self.turn)


class TaskTopic(msgspec.Struct, frozen=True):
    """The subject of a task."""

    name: str
    """Shown name of its first tool; the topic of a chat."""
    turn: int
    """Position of the turn that asks for the task."""
    task: int
    thing: str
    """The noun for it: `invoice`."""
    things: frozenset[str] = frozenset()
    """The nouns for what its calls are about."""
    tool: Tool | None = None
    """Set if all its calls are of one tool and differ in one value at most: it can be asked for again."""
    values: dict[str, Json] = {}
    """Arguments of its first call."""
    varied: str = ""
    """The parameter in which its calls differed, if it had several."""


class SessionMemory(msgspec.Struct):
    """The tasks of a session so far."""

    facts: list[Fact] = []
    topics: list[TaskTopic] = []
    asks: list[int] = []
    """Positions of the turns that ask, one for each task."""
    next_turn: int = 0
    gone: set[JsonText] = set()
    """Identifiers of what a call removed: nobody refers back to it."""
    ended: set[JsonText] = set()
    """Identifiers of what a call closed: it can still be looked up."""
    calls: set[tuple[str, JsonText]] = set()
    """(tool key, arguments) of every call."""
    texts: list[str] = []
    """All that each task says and returns, in lower case."""
    tools: list[set[str]] = []
    """Shown names of the tools that each task calls; none of a chat."""
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
        first = next((task for task in range(self.position - 1, -1, -1) if self.tools[task]), 0)
        return list(range(self.position - 1, first - 1, -1))

    def request_number(self, task: int) -> int:
        """Return which request a task was, from 1; 0 if some would count otherwise.

        That is after a chat, a request of several acts, or a request for the same act again.
        """
        before = self.tools[: task + 1]
        is_counted = all(len(one) == 1 for one in before) and len(set[str]().union(*before)) == len(before)
        return task + 1 if is_counted else 0

    def requests_about(self, thing: str) -> set[int]:
        """Return the tasks that people could mean by what they asked about a thing: those that act on it or name it."""
        acting = {one.task for one in self.topics if _head(thing) in map(_head, (one.thing, *one.things))}
        return acting | {one.task for one in self.facts if one.entity and _head(one.entity) == _head(thing)}

    def has_told(self, tool: Tool, parameter: str) -> bool:
        """Whether the user has spoken, or was told, of a thing that the parameter can take: else there is no other."""
        return any(one.entity and may_mean(one, tool, parameter) for one in self.facts)

    def facts_of(self, task: int) -> list[Fact]:
        """Return the values that a task says or obtains."""
        return [one for one in self.facts if one.task == task]

    def is_far(self, fact: Fact) -> bool:
        """Whether the value lies before the last exchange, which does not repeat it."""
        return fact.task < self.position - 1 and str(fact.known.value).casefold() not in self.texts[-1]

    def reference(self, fact: Fact, design: TaskDesign) -> Reference | None:
        """Return how a text may refer to a fact; None if that would be ambiguous."""
        far = design.hiding == "long_range"
        request = self.request_number(fact.task) if far and design.signposted else 0
        if far and not request and fact.ordinal and self._lists_of(fact.entity) > 1:
            return None
        if far and not request and not fact.ordinal and not self.is_only(fact):
            return None
        return Reference(
            hiding=design.hiding,  # type: ignore[arg-type]  # one of the three
            entity=fact.entity,
            ordinal=fact.ordinal,
            request=request,
            obtained=fact.call is not None,
            is_new=fact.is_new,
        )

    def is_only(self, fact: Fact) -> bool:
        """Whether the session has named one thing of this sort: a `messaging service` is a service too.

        So is a complaint a case, where both are known by a case ID.
        """
        told = [one for one in self.facts if one.entity and not one.ordinal]
        return {one.known.text for one in told if _is_alike(one, fact)} == {fact.known.text}

    def _lists_of(self, entity: str) -> int:
        """Return how many lists so far have such things: `the first project` could be of any."""
        return len({(one.task, one.call) for one in self.facts if one.ordinal and one.entity == entity})

    def sources(self, hiding: str, tool: Tool, parameter: str, like: Json) -> Iterator[Fact]:
        """Yield the facts that the parameter can take without ambiguity; `like` is a value of the right form.

        A fact outside a list must be the only fitting value of its task; the ordinal tells items of a list apart. A
        value that `partial` leaves out must be one that the user said, or what a call created.
        """
        if is_secret(parameter):
            return
        last = (one for one in self.facts if one.task == self.position - 1)
        if hiding == "long_range" and any(fits(one, tool, parameter, like) for one in last):
            return  # the last exchange would answer it
        for task in self.source_tasks(hiding):
            closed = self.gone | (self.ended if _goes_on(tool) else set())
            there = [fact for fact in self.facts_of(task) if fact.known.text not in closed]
            fitting = [fact for fact in there if fits(fact, tool, parameter, like)]
            alone = [fact for fact in fitting if not fact.ordinal]
            alike = [one for one in there if alone and not one.ordinal and _is_alike(one, alone[0])]
            if len({fact.known.text for fact in alone}) == 1 and len({str(one.known.value) for one in alike}) == 1:
                told = self._first_told(alone[0])
                if told is not None and self._is_among_others(told):
                    return
                if told is not None and (hiding != "partial" or told.call is None or told.is_new):
                    yield told
            listed = [fact for fact in fitting if fact.ordinal]
            if hiding != "partial" and not alone and len({(fact.call, fact.known.slot.name) for fact in listed}) == 1:
                yield from listed
            if fitting and hiding != "long_range":
                return  # what is further back would not be meant

    def _is_among_others(self, fact: Fact) -> bool:
        """Whether a later result listed several such things: `the policy` could be any of these."""
        listed = {one.known.text for one in self.facts if one.task > fact.task and one.ordinal}
        alike = {one.known.text for one in self.facts if one.ordinal and one.entity == fact.entity}
        return len(listed & alike) > 1

    def listed_things(self, tool: Tool, parameter: str, like: Json) -> list[Fact]:
        """Return the things in lists of earlier results that the parameter can take, and that nobody has named."""
        named = {one.known.text for one in self.facts if one.call is None}
        listed = (one for one in self.facts if one.ordinal and one.known.text not in self.gone | named)
        return [one for one in listed if fits(one, tool, parameter, like)]

    def _first_told(self, fact: Fact) -> Fact | None:
        """The fact where its value was first said or returned as the same thing; listed items are told apart there."""
        same = (one for one in self.facts if one.known.text == fact.known.text and one.identity == fact.identity)
        return next((one for one in same if not one.is_echo and not one.ordinal), None)

    def origin_of(self, value: Json, name: str) -> Fact | None:
        """Return the first fact with this value, of a parameter or field of this name if there is one."""
        text = encode(value)
        found = [fact for fact in self.facts if fact.known.text == text and not fact.is_echo]
        return next((fact for fact in found if fact.known.slot.name == name), found[0] if found else None)

    def owners_of(self, fact: Fact) -> list[Fact]:
        """Return the things that the calls of its task name beside a thing: the invoice of an attachment."""
        named = (one for one in self.facts_of(fact.task) if one.call is None and one.known.text != fact.known.text)
        return [one for one in named if is_identifier(one.known.slot.kind, one.identity)]

    def beside(self, fact: Fact, tool: Tool, parameter: str) -> Fact | None:
        """Return what the task of a fact says the thing belongs to, as the parameter takes it: its site, its folder."""
        found = self._beside(fact, tool, parameter)
        return self._first_told(found[0]) if len({one.known.text for one in found}) == 1 else None

    def has_several(self, fact: Fact, tool: Tool, parameter: str) -> bool:
        """Whether the task of a fact has several things that it could belong to."""
        return len({one.known.text for one in self._beside(fact, tool, parameter)}) > 1

    def _beside(self, fact: Fact, tool: Tool, parameter: str) -> list[Fact]:
        return [
            one
            for one in self.facts_of(fact.task)
            if one.known.text not in self.gone
            if is_identifier(one.known.slot.kind, one.identity) and not one.ordinal and may_mean(one, tool, parameter)
        ]

    def could_fill(self, tool: Tool, parameter: str) -> bool:
        """Whether any fact so far could be taken for a value of this parameter."""
        wanted = identity_of(tool, parameter)
        return any(fact.identity == wanted or may_mean(fact, tool, parameter) for fact in self.facts)

    def hidden_value(self, fact: Fact, hiding: str, call: int | None, parameter: str) -> HiddenPlace:
        """Return the record of a fact that the next task leaves out, in a parameter of a call."""
        return HiddenPlace(
            task=self.position,
            hiding=hiding,
            call=call,
            parameter=parameter,
            value=fact.known.text,
            origin=fact.origin,
            distance=self.position - fact.task,
        )

    def hidden_wish(self, topic: TaskTopic, hiding: str, call: int | None = None) -> HiddenPlace:
        """Return the record of an earlier wish that the next task leaves out."""
        return HiddenPlace(
            task=self.position,
            hiding=hiding,
            call=call,
            value=encode(topic.name),
            origin=Origin(task=topic.task, turn=topic.turn),
            distance=self.position - topic.task,
        )


def _head(entity: str) -> str:
    return entity.rpartition(" ")[2]


def _is_alike(one: Fact, other: Fact) -> bool:
    """Whether two values stand for things of one noun, or for what one parameter takes."""
    is_same_id = bool(one.entity and one.identity[0]) and one.identity == other.identity
    return _head(one.entity) == _head(other.entity) or is_same_id


def _goes_on(tool: Tool) -> bool:
    """Whether a tool changes a thing that is still in use."""
    return target_of(tool).act in ("change", "delete", "create") and not needs_a_past(tool)


def is_identifier(kind: Kind, identity: tuple[frozenset[str], str]) -> bool:
    """Whether a value identifies a thing: an `id` of it, or a code that has its name."""
    return kind == "code" and identity[1] in ("", "id") and bool(identity[0] - _NO_THINGS)


_NO_THINGS = frozenset(map(stem, "day month year week hour minute date type kind parameter option setting".split()))
"""Parts of a time, and what is no thing: people do not speak of `that month` or `that type` again."""


def fits(fact: Fact, tool: Tool, parameter: str, like: Json) -> bool:
    """Whether people refer by the parameter to a fact: the same thing, place, day or person, in the same form."""
    value, kind = fact.known.value, fact.known.slot.kind
    is_carried = is_identifier(kind, fact.identity) or (kind in CARRIED and fact.call is None)
    is_carried &= " it was " not in fact.entity
    is_carried &= kind != "date" or _OF_ONE_THING.isdisjoint(name_words(fact.known.slot.name))
    if fact.is_draft and not suits_draft(tool):
        return False
    target = target_of(tool)
    if isinstance(value, str) and "," in value and kind == "code" and not is_plural(name_words(parameter)[-1]):
        return False  # several identifiers in one text are no single one
    if (kind in _OWN and target.act == "change") or (fact.is_new and needs_a_past(tool)):
        return False
    if target.act == "create" and fact.identity[0] & {stem(word) for word in target.named}:
        return False  # what is created has an identifier of its own
    same_form = type(value) is type(like) and _form(value, kind) == _form(like, kind)
    return bool(fact.entity) and is_carried and same_form and may_mean(fact, tool, parameter)


_OF_ONE_THING = frozenset("deadline due end expiry expiration expires new closing birth".split())
"""Words of dates that one thing has: no second thing is given them as `that date`."""


def may_mean(fact: Fact, tool: Tool, parameter: str) -> bool:
    """Whether people could mean a fact by the parameter: any city or country, other things by their owner."""
    slot = fact.known.slot
    is_one = is_meant(slot.kind, slot.name, fact.identity, tool, parameter)
    return is_one and not _are_of_two_sorts(fact.entity, entity_of(slots(tool)[parameter]))


def _are_of_two_sorts(one: str, other: str) -> bool:
    """Whether two nouns share only their last word: an `alpha sender` is no `channel sender`."""
    mine, theirs = ({*noun.lower().split()[:-1]} - _ENDS_OF_ONE for noun in (one, other))
    return _head(one) == _head(other) and bool(mine - theirs) and bool(theirs - mine)


_ENDS_OF_ONE = frozenset("source target origin destination parent child old new first second from to base own".split())
"""Words for the part that a thing plays, which make it no other thing."""


def _form(value: Json, kind: Kind) -> str:
    """Digits and letters of dates and short codes, masked; all words have one form."""
    if not isinstance(value, str):
        return ""
    if kind == "date":
        return re.sub(r"[a-z]+", "a", re.sub(r"\d", "9", value.lower()))
    if kind == "country":
        return f"{len(value)}{'A' if value.isupper() else 'a'}" if len(value) <= 3 else "words"
    return "/".join(value.split("/")[::2]) if kind == "code" and "/" in value else ""  # the collections of a path


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
    """Yield the values that a result holds; of a list at most the first five items, each with its place.

    People speak of what a call created, and of the items of a list; what else a result holds has no `entity`.
    """
    if result.value is None:
        return
    value = decode(result.value)
    is_draft = "draft" in stem_set(tool.description) | {text.lower() for text in _texts(value)}
    for output in outputs(tool):
        is_new = target_of(tool).act == "create" and is_own(tool, output)
        is_listed = output.is_listed and not makes_one(tool, output)
        is_shown = output.is_listed and is_own(tool, output) and target_of(tool).act in ("list", "read")
        is_shown &= not gloss(tool).verb or gloss(tool).act in LOOKUPS  # what a commit returns, nobody is told
        is_shown = is_shown and _is_list_told(tool, value)
        entity = thing_in(tool, output) if is_new or is_shown else ""
        for place in range(_MOST_ITEMS if is_listed else 1):
            pointer = output.pointer(place)
            found = resolve(value, pointer)
            if found is not None and not isinstance(found, bool):
                ordinal = place + 1 if is_listed else 0
                known = Known(output_slot(output), encode(found))
                yield Fact(
                    task, known, output.identity, turn, call, pointer, entity, ordinal,
                    is_new=is_new, is_draft=is_new and is_draft,
                )  # fmt: skip


def _texts(value: Json) -> Iterator[str]:
    """Yield the texts of a result, at any depth."""
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(one)


def _is_list_told(tool: Tool, value: Json) -> bool:
    """Whether people are told a list one by one, and not only how long it is: nobody speaks of its first item then."""
    items = [place for place in told_places(target_of(tool), value) if place.role == "item"]
    return bool(listed_names(value, items)[0] or listed_field(items))


def makes_one(tool: Tool, output: Output) -> bool:
    """Whether a field identifies the one thing that a tool creates, alone in a list: no `first payment`."""
    is_made = target_of(tool).act == "create" and is_own(tool, output)
    return is_made and not any(is_plural(chunk.text) for chunk in gloss(tool).chunks[:1])


def thing_in(tool: Tool, output: Output) -> str:
    """Return what people call the thing that a field of a result identifies."""
    return output.item.removeprefix("all ") or thing_of(tool)


def thing_of(tool: Tool) -> str:
    """Return what people call the thing that a tool is about."""
    return thing_noun(tool).removeprefix("all ") or target_of(tool).noun


def output_slot(output: Output) -> Slot:
    """Return a field of a result as a slot, with the noun that people use for it."""
    text = decode(output.schema).get("description")
    noun = slot_noun(output.name, text if isinstance(text, str) else "")
    return Slot(output.name, noun, output.kind, output.schema, "")
