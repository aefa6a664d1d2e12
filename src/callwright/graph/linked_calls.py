"""Values of a scenario, and what its calls return: the missing value really comes from the source's result."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from random import Random
from typing import NamedTuple

from callwright.author.value_drawing import draw_values
from callwright.author.wanted import wanted_parameters
from callwright.catalog.gloss import gloss
from callwright.environment.asked_parameters import is_overheard
from callwright.environment.item_choice import ItemChoice, item_choice
from callwright.environment.told_outcome import outcome_of
from callwright.environment.tool_world import ToolWorld
from callwright.errors import RolloutFailed
from callwright.graph.tool_pairs import ToolPair, shared
from callwright.match.schema import conforms
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.persona import Persona
from callwright.records.pointer import resolve
from callwright.records.tool import Tool


class DrawnCalls(NamedTuple):
    """The calls of a scenario."""

    values: dict[str, Json]
    result: Result | None = None
    source_values: dict[str, Json] = {}  # noqa: RUF012 - never changed
    source_result: Result | None = None
    pointer: str = ""
    """Where the source's result has the missing value."""
    choice: ItemChoice | None = None


class CallDrawer(NamedTuple):
    """The sources from which values and results are drawn."""

    rng: Random
    persona: Persona
    today: date
    ids: dict[str, str]
    world: ToolWorld

    def alone(self, tool: Tool) -> DrawnCalls:
        """Return a call of one tool with its result. Raises RolloutFailed."""
        values = self._values(tool)
        if is_overheard((tool,), values, about=gloss(tool).object):
            raise _unusable(f"a value of {tool.name} is also a word of what is asked for")
        return DrawnCalls(values, self._told(tool, values))

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
        choice = item_choice(self.rng, pair.source, pair.output, found) if pair.output.is_listed else None
        if choice is None and pair.output.is_listed:
            raise _unusable(f"nothing that {pair.source.name} returns tells a few items apart")
        pointer = pair.output.pointer(choice.chosen if choice else 0)
        value = resolve(found, pointer)
        values[pair.parameter] = value
        said = [encode(one) for name, one in values.items() if name != pair.parameter]
        said += [encode(one) for one in source_values.values()]
        if choice is not None and choice.known.text == encode(value):
            raise _unusable(f"the items of {pair.source.name} go by the value that the user lacks")
        if choice is not None and _is_among(choice.known.text, said):
            raise _unusable(f"the chosen item of {pair.source.name} goes by a value that is told before")
        if is_overheard((pair.target, pair.source), values):
            raise _unusable(f"a value of {pair.target.name} is also a word of what is asked for")
        if value in (None, "") or not conforms(encode(values), pair.target) or encode(value) in said:
            raise _unusable(f"{pair.source.name} returned no usable value for {pair.parameter}")
        self.world.keep(pair.source, source_values, source_result)
        return DrawnCalls(values, self._told(pair.target, values), source_values, source_result, pointer, choice)

    def _values(self, tool: Tool) -> dict[str, Json]:
        also = wanted_parameters(tool)
        return draw_values(self.rng, tool, self.persona, today=self.today, also=also, ids=self.ids)

    def _told(self, tool: Tool, values: dict[str, Json]) -> Result:
        """A result that answers a user: what is looked up is told."""
        result = self._result(tool, values)
        outcome = outcome_of(tool, values, result)
        if not (outcome.is_done or outcome.fields or outcome.listed is not None):
            raise _unusable(f"nothing that {tool.name} returns tells what was asked")
        return result

    def _result(self, tool: Tool, values: dict[str, Json]) -> Result:
        result = self.world.call(tool, values)
        if result.value is None:
            raise _unusable(f"{tool.name} returned {result.error or 'nothing'}")
        return result


def _is_among(text: JsonText, said: Iterable[JsonText]) -> bool:
    """Whether a value is one of those that are said; a number is said without its empty fraction.

    >>> _is_among("20.0", ["20"]), _is_among('"20"', ["20"])
    (True, False)
    """
    return text.removesuffix(".0") in {one.removesuffix(".0") for one in said}


def _unusable(why: str) -> RolloutFailed:
    return RolloutFailed(why, kind="values", role="author")
