"""Values of a scenario, and what its calls return: the missing value really comes from the source's result."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import NamedTuple

import msgspec

from callwright.author.briefs import Known
from callwright.author.value_drawing import draw_values
from callwright.author.wanted import wanted_parameters
from callwright.catalog.slots import Slot
from callwright.environment.feeding import Output
from callwright.environment.told_results import LONGEST, is_secret, listed_names
from callwright.environment.tool_target import target_of, told_places
from callwright.environment.tool_world import ToolWorld
from callwright.errors import RolloutFailed
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.nouns import slot_noun
from callwright.lang.schemas import name_words
from callwright.match.schema import conforms
from callwright.papers.tooldial.sequence_shapes import ToolPair, shared
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.persona import Persona
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

_TELLING: frozenset[Kind] = frozenset(("title", "person", "date", "datetime", "money", "email", "city"))
"""Kinds of fields by which people tell items of a list apart, where these have no names."""
_FEWEST, _MOST = 2, 4


class Choice(NamedTuple):
    """The items among which a user chooses."""

    noun: str
    """What one is called."""
    by: Slot | None
    """The field that tells them apart; None where it is their name."""
    labels: tuple[JsonText, ...]
    """Values of that field as JSON text, one for each item."""
    chosen: int


class DrawnCalls(NamedTuple):
    """The calls of a scenario."""

    values: dict[str, Json]
    result: Result | None = None
    source_values: dict[str, Json] = {}  # noqa: RUF012 - never changed
    source_result: Result | None = None
    pointer: str = ""
    """Where the source's result has the missing value."""
    choice: Choice | None = None


class CallDrawer(NamedTuple):
    """What values and results are drawn with."""

    rng: Random
    persona: Persona
    today: date
    ids: dict[str, str]
    world: ToolWorld

    def alone(self, tool: Tool) -> DrawnCalls:
        """Return a call of one tool with its result. Raises RolloutFailed."""
        values = self._values(tool)
        return DrawnCalls(values, self._result(tool, values))

    def linked(self, pair: ToolPair) -> DrawnCalls:
        """Return a call of the source and one of the target with the value from the first's result.

        Raises RolloutFailed.
        """
        assert pair.source is not None
        assert pair.output is not None
        values, source_values = self._values(pair.target), self._values(pair.source)
        source_values |= {theirs: values[mine] for mine, theirs in shared(pair).items() if theirs in source_values}
        if not conforms(encode(source_values), pair.source):
            raise _unusable(f"{pair.source.name} does not take the values of {pair.target.name}")
        source_result = self._result(pair.source, source_values)
        found = decode(source_result.value) if source_result.value is not None else None
        choice = self._choice(pair.source, pair.output, found) if pair.output.is_listed else None
        pointer = pair.output.pointer(choice.chosen if choice else 0)
        value = resolve(found, pointer)
        values[pair.parameter] = value
        said = [encode(one) for name, one in values.items() if name != pair.parameter]
        said += [encode(one) for one in source_values.values()]
        if value in (None, "") or not conforms(encode(values), pair.target) or encode(value) in said:
            raise _unusable(f"{pair.source.name} returned no usable value for {pair.parameter}")
        self.world.keep(pair.source, source_values, source_result)
        return DrawnCalls(values, self._result(pair.target, values), source_values, source_result, pointer, choice)

    def _values(self, tool: Tool) -> dict[str, Json]:
        also = wanted_parameters(tool)
        return draw_values(self.rng, tool, self.persona, today=self.today, also=also, ids=self.ids)

    def _result(self, tool: Tool, values: dict[str, Json]) -> Result:
        result = self.world.call(tool, values)
        if result.value is None:
            raise _unusable(f"{tool.name} returned {result.error or 'nothing'}")
        return result

    def _choice(self, source: Tool, output: Output, value: Json) -> Choice:
        """The items with what tells them apart. Raises RolloutFailed where nothing does."""
        items = [place for place in told_places(target_of(source), value) if place.role == "item"]
        count = len(items)
        ids = [encode(resolve(value, output.pointer(at))) for at in range(count)]
        if not _FEWEST <= count <= _MOST or len(set(ids)) < count:
            raise _unusable(f"{source.name} returned {count} items to choose from")
        chosen, (names, noun, _) = self.rng.randrange(count), listed_names(value, items)
        if len(names) == count:
            return Choice(noun, None, tuple(encode(name) for name in names), chosen)
        for name in items[0].fields:
            values = [place.fields.get(name) for place in items]
            slot = _field(name)
            if slot.kind in _TELLING and not is_secret(name) and _tells_apart(values):
                return Choice(noun, slot, tuple(encode(one) for one in values), chosen)
        raise _unusable(f"nothing that {source.name} returns tells its items apart")


def _tells_apart(values: Sequence[Json]) -> bool:
    plain = all(isinstance(one, (str, int, float)) and 0 < len(str(one)) <= LONGEST for one in values)
    return plain and len({str(one) for one in values}) == len(values)


def _field(name: str) -> Slot:
    return Slot(name, slot_noun(name, ""), kind_of(" ".join(name_words(name)), {"type": "string"}), encode({}), "")


def choice_known(choice: Choice) -> Known:
    """Return the label of the chosen item as a value that the user says."""
    slot = choice.by or msgspec.structs.replace(_field("name"), kind="title")
    return Known(slot, choice.labels[choice.chosen])


def _unusable(why: str) -> RolloutFailed:
    return RolloutFailed(why, kind="values", role="author")
