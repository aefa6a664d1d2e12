"""Calls and tasks of a `wild` session on their way: what is called, with what, and where each value comes from."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from callwright.author.acts import Known
from callwright.author.wild_acts import Mention, Reference, Way, Wish
from callwright.catalog.asked import asked_gloss
from callwright.catalog.slots import slots
from callwright.lang.schemas import singular
from callwright.recipes.wild_bench import Edge
from callwright.recipes.wild_design import TaskDesign
from callwright.recipes.wild_past import entity_noun
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool
from callwright.records.wild_plan import HiddenPlace


class PlannedCall(msgspec.Struct):
    """A call on its way: a tool of the list, its values, and where each comes from."""

    place: int
    tool: Tool
    name: str
    values: dict[str, Json]
    after: tuple[int, ...] = ()
    ways: dict[str, Way] = {}
    references: dict[str, Reference] = {}
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


def pass_on(call: PlannedCall, before: Sequence[PlannedCall]) -> None:
    """Give a call what the results of earlier ones hold for it."""
    for name, way in call.ways.items():
        if way == "fed":
            parent = before[call.after[0]].result
            value = resolve(decode(parent.value), call.references[name].path) if parent.value is not None else None
            call.values[name] = call.values[name] if value is None else value


def fed_reference(call: PlannedCall, edge: Edge, item: int) -> Reference:
    """Return how a message points at the result of another of its wishes."""
    output = edge.feed.output
    if not output.is_listed:
        return Reference(entity=reference_noun(call, edge.feed.parameter), obtained=True, path=output.pointer())
    entity = singular(output.path[-3].replace("_", " "))
    return Reference(entity=entity, ordinal=item + 1, obtained=True, path=output.pointer(item))


def reference_noun(call: PlannedCall, name: str) -> str:
    """Return what people call the thing that a value of the call stands for."""
    return entity_noun(slots(call.tool)[name])
