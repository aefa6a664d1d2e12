"""Calls and tasks of a `wild` session on their way: what is called, with what, and where each value comes from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.slots import slots
from callwright.lang.schemas import singular
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import entity_noun
from callwright.papers.wild.task_briefs import Mention, Reference, Way, Wish
from callwright.papers.wild.tool_pool import Edge
from callwright.records.annotations.wild_notes import HiddenPlace
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool


class Source(msgspec.Struct, frozen=True):
    """Where a value comes from among the results of the same task."""

    parents: tuple[int, ...]
    """Positions of the calls."""
    path: str
    """JSON pointer (RFC 6901) into each one's result."""
    way: Literal["one", "all", "greatest", "least"] = "one"
    """What is there in the one result; a list of what is there in all; the thing asked about where it is greatest, or
    least."""
    asked: str = ""
    """Parameter of the parents that says which thing each is about."""

    def value(self, before: Sequence[PlannedCall]) -> Json:
        """Return the value; None where a result holds none, or where two are equally great."""
        found = [_held(before[parent].result, self.path) for parent in self.parents]
        if self.way == "one":
            return found[0]
        if self.way == "all":
            return None if None in found or len(set(map(encode, found))) < len(found) else found
        best = best_of(found, most=self.way == "greatest")
        return None if best is None else before[self.parents[best]].values[self.asked]


def _held(result: Result, path: str) -> Json:
    return None if result.value is None else resolve(decode(result.value), path)


def best_of(found: Sequence[Json], *, most: bool) -> int | None:
    """Return the place of the greatest, or least, number or day; None where two are equal or they do not compare."""
    numbers = [one for one in found if isinstance(one, (int, float)) and not isinstance(one, bool)]
    days = [one for one in found if isinstance(one, str) and _DAY.fullmatch(one)]
    ranks = numbers if len(numbers) == len(found) else [float(date.fromisoformat(day).toordinal()) for day in days]
    if len(ranks) < len(found) or len(set(ranks)) < len(ranks) or not ranks:
        return None
    return ranks.index(max(ranks) if most else min(ranks))


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class PlannedCall(msgspec.Struct):
    """A call on its way: a tool of the list, its values, and where each comes from."""

    place: int
    tool: Tool
    name: str
    values: dict[str, Json]
    after: tuple[int, ...] = ()
    ways: dict[str, Way] = {}
    references: dict[str, Reference] = {}
    sources: dict[str, Source] = {}
    """Of values that results of the same task decide."""
    result: Result = Result()

    @property
    def identity(self) -> tuple[str, JsonText]:
        """What makes another call the same call."""
        return self.tool.key, encode(self.values)

    def wish(self) -> Wish:
        """Return the call as a wish."""
        mentions = tuple(
            Mention(
                Known(slots(self.tool)[name], encode(value)),
                self.ways.get(name, "said"),
                self.references.get(name, Reference()),
            )
            for name, value in self.values.items()
        )
        return Wish(asked_gloss(self.tool), mentions, self.after)


class PlannedTask(msgspec.Struct):
    """A task on its way."""

    design: TaskDesign
    calls: list[PlannedCall] = []
    hidden: list[HiddenPlace] = []
    missing: tuple[str, ...] = ()
    another: str = ""
    again: Reference | None = None
    is_interrupted: bool = False
    """Whether the user speaks up after its first calls."""


def pass_on(call: PlannedCall, before: Sequence[PlannedCall]) -> bool:
    """Give a call what the results of earlier ones decide for it; False where they do not."""
    for name, source in call.sources.items():
        value = source.value(before)
        if value is None:
            return False
        call.values[name] = value
    return True


def fed_reference(call: PlannedCall, edge: Edge, item: int) -> Reference:
    """Return how a message points at the result of another of its wishes."""
    output = edge.feed.output
    if not output.is_listed:
        return Reference(entity=reference_noun(call, edge.feed.parameter), obtained=True)
    entity = singular(output.path[-3].replace("_", " "))
    return Reference(entity=entity, ordinal=item + 1, obtained=True)


def reference_noun(call: PlannedCall, name: str) -> str:
    """Return what people call the thing that a value of the call stands for."""
    return entity_noun(slots(call.tool)[name])
