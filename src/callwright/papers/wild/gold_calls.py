"""Planned calls and tasks: which tool, with which values, and where each value comes from (sections 3.2 and 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from callwright.author.briefs import Known
from callwright.author.repeated_values import repeated_in_path
from callwright.catalog.chunks import Gloss
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import leaves, slots
from callwright.environment.told_outputs import Output, is_own
from callwright.environment.tool_target import target_of
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem
from callwright.match.call_graph import call_graph
from callwright.papers.wild.said_choices import chosen_act, is_type_of_named
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import makes_one, thing_in
from callwright.papers.wild.task_briefs import Mention, MentionWay, Reference, Wish, entity_of
from callwright.papers.wild.tool_pool import FeedEdge
from callwright.records.annotations.wild_notes import HiddenPlace
from callwright.records.dialogue import GoldCall, Result, gold_arguments
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

_VERBS = {"create": "create", "change": "update", "delete": "delete"}


def wished(tool: Tool) -> Gloss:
    """Return the gloss of a tool, with the verb of its act where the document has none."""
    found = gloss(tool)
    return found if found.verb else Gloss(_VERBS.get(target_of(tool).act, "get"), found.chunks)


class Source(msgspec.Struct, frozen=True):
    """Which result of an earlier call of the task gives a value."""

    parent: int
    """Position of that call."""
    path: str
    """JSON pointer (RFC 6901) into its result."""

    def value(self, before: Sequence[PlannedCall]) -> Json:
        """Return the value; None if the result has none."""
        text = before[self.parent].result.value
        return None if text is None else resolve(decode(text), self.path)


class PlannedCall(msgspec.Struct):
    """A call that is being planned."""

    place: int
    """Position of the tool in the list."""
    tool: Tool
    name: str
    """Shown name of the tool."""
    values: dict[str, Json]
    after: tuple[int, ...] = ()
    """Positions of the calls of the task whose results it needs."""
    ways: dict[str, MentionWay] = {}
    """How the request treats each value; `said` if it is not here."""
    references: dict[str, Reference] = {}
    sources: dict[str, Source] = {}
    """Of the values that results of the same task give."""
    result: Result = Result()

    @property
    def identity(self) -> tuple[str, JsonText]:
        """Tool key and arguments: two calls with the same identity are the same call."""
        return self.tool.key, encode(self.values)

    @property
    def said(self) -> list[str]:
        """The parameters whose values the request says."""
        return [name for name in self.values if self.ways.get(name, "said") == "said"]

    def take(self, name: str, source: Source, reference: Reference) -> None:
        """Let the result of an earlier call give a value, and make the call wait for it."""
        self.sources[name] = source
        self.after = tuple(sorted({*self.after, source.parent}))
        self.ways[name] = "fed"
        self.references[name] = reference

    def pass_on(self, before: Sequence[PlannedCall]) -> bool:
        """Fill in the values that results of earlier calls give; False if one gives none."""
        for name, source in self.sources.items():
            value = source.value(before)
            if value is None:
                return False
            self.values[name] = value
        return True

    def entity(self, name: str) -> str:
        """Return what people call the thing that a value of the call stands for."""
        return entity_of(slots(self.tool)[name])

    def wish(self) -> Wish:
        """Return the call as a wish; of a body that is said each value is mentioned."""
        known = slots(self.tool)
        mentions: list[Mention] = []
        for name, value in self.values.items():
            way, reference = self.ways.get(name, "said"), self.references.get(name, Reference())
            parts = leaves(self.tool, {name: value}) if way == "said" else {name: value}
            parts = parts if parts.keys() <= known.keys() else {name: value}
            parts = {path: part for path, part in parts.items() if not self._is_told_again(path, part)}
            told = [Mention(Known(known[path], encode(part)), way, reference) for path, part in parts.items()]
            mentions += [one for one in told if way != "said" or not is_type_of_named(one.known, self.values)]
        act = chosen_act(found := wished(self.tool), [one.known for one in mentions if one.way == "said"])
        mentions = [one for one in mentions if not act or one.known.value != act]
        return Wish(Gloss(act, found.chunks) if act else found, tuple(mentions), self.after)

    def _is_told_again(self, path: str, part: Json) -> bool:
        """Whether a value in a body repeats one of the path: nobody says it twice."""
        slot = slots(self.tool).get(path)
        of = repeated_in_path(slot, self.tool) if slot is not None and path not in self.values else ""
        return bool(of) and self.values.get(of) == part

    def gold(self) -> GoldCall:
        """Return the call as a record."""
        return GoldCall(self.name, gold_arguments(self.values), self.after, self.result)


class PlannedTask(msgspec.Struct):
    """A task of calls that is being planned."""

    design: TaskDesign
    calls: list[PlannedCall] = []
    hidden: list[HiddenPlace] = []
    missing: tuple[str, ...] = ()
    """Parameters of the first call that the user says only when asked."""
    another: str = ""
    """Set if an earlier value could be taken for the missing one: the noun, as in "another city"."""
    again: Reference | None = None
    """Set if the task repeats an earlier wish."""
    is_interrupted: bool = False
    """Whether the user speaks up after its first calls."""


def levels(calls: Sequence[PlannedCall]) -> Sequence[int]:
    """Return for each call the first step, from 0, in which all calls that it needs are done."""
    return call_graph(len(calls), [(parent, at) for at, call in enumerate(calls) for parent in call.after]).level


def is_of_one(producer: Tool, output: Output) -> bool:
    """Whether a field is of the one thing looked up, which stands alone in a list: `/payments/0/account_id`."""
    target, holder = target_of(producer), output.path[0]
    is_wrapped = output.path[1:2] == ("*",) and stem(" ".join(name_words(holder)[-1:])) == stem(target.noun)
    is_found = any(words[-2:-1] == (target.noun,) and words[-1] in ID_WORDS for words in target.given)
    return is_wrapped and is_found and not is_own(producer, output)


def is_one_of_list(producer: Tool, output: Output) -> bool:
    """Whether a field is of one of several things in a list: people say its place, `the first project`."""
    return output.is_listed and not is_of_one(producer, output) and not makes_one(producer, output)


def fed_reference(producer: Tool, call: PlannedCall, edge: FeedEdge, item: int) -> Reference:
    """Return how a request refers to the result of another of its wishes, in a list to its item at place `item`."""
    output = edge.flow.output
    if is_one_of_list(producer, output):
        return Reference(entity=output.item.removeprefix("all "), ordinal=item + 1, obtained=True)
    if is_own(producer, output):
        return Reference(entity=thing_in(producer, output), obtained=True, is_new=True)
    return Reference(entity=call.entity(edge.flow.parameter), obtained=True)
