"""Which tools of a catalogue have a dialogue, and why the others have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from callwright.author.askable_tools import left_out
from callwright.recipe import Recipe
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Catalog, Tool

_WORDS = {"failed: values": "no usable values"}


class UncoveredTool(msgspec.Struct, frozen=True):
    """A tool without a dialogue."""

    tool: str
    why: str


class ToolCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """The tools of a catalogue that are gold in a kept dialogue, and those that are not."""

    tools: int
    covered: int
    without: tuple[UncoveredTool, ...]
    """In the order of the catalogue."""
    nothing_to_tell_apart: int
    """Kept dialogues that show a single tool."""
    departures: dict[str, int] = {}
    """What kept dialogues have otherwise than they were designed, and how often."""

    @property
    def by_reason(self) -> dict[str, list[str]]:
        """Names of the tools without a dialogue by the reason, the most frequent reason first."""
        groups: dict[str, list[str]] = {}
        for one in self.without:
            groups.setdefault(one.why, []).append(one.tool)
        return dict(sorted(groups.items(), key=lambda group: -len(group[1])))

    @property
    def note(self) -> str:
        """The named note on dialogues that show a single tool; empty where there is none."""
        said = f"nothing_to_tell_apart: {self.nothing_to_tell_apart:,} (dialogues that show a single tool)"
        return said if self.nothing_to_tell_apart else ""


class CoverageCount:
    """The dialogues of a synthesis, counted by the tools that they are about."""

    def __init__(self, recipe: Recipe, catalog: Catalog) -> None:
        self._recipe = recipe
        self._catalog = catalog
        self._lost: dict[str, Counter[str]] = {tool.key: Counter() for tool in catalog.tools}
        self._covered: set[str] = set()
        self._single = 0
        self._departures: Counter[str] = Counter()

    def keep(self, dialogues: Iterator[Dialogue]) -> Iterator[Dialogue]:
        """Yield dialogues that were kept, as they are."""
        for dialogue in dialogues:
            golds = _golds(dialogue)
            self._covered |= golds
            self._single += len(dialogue.tools) <= 1
            self._departures.update(self._recipe.departures(dialogue))
            self._lose(self._recipe.unshown_tools(dialogue) - golds, "planned only where no tool fits")
            yield dialogue

    def reject(self, dialogue: Dialogue, code: str) -> None:
        """Count a rejected dialogue under its first reason."""
        self._lose(_golds(dialogue) | self._recipe.unshown_tools(dialogue), f"rejected: {code}")

    def fail(self, planned: object, kind: str) -> None:
        """Count a rollout that failed, by what was planned."""
        self._lose(self._recipe.planned_tools(planned), f"failed: {kind}")

    def coverage(self) -> ToolCoverage:
        """Return what was counted."""
        never = self._recipe.left_out(self._catalog)
        without = [tool for tool in self._catalog.tools if tool.key not in self._covered]
        return ToolCoverage(
            tools=len(self._catalog.tools),
            covered=len(self._catalog.tools) - len(without),
            without=tuple(UncoveredTool(tool.name, self._why_without(tool, never)) for tool in without),
            nothing_to_tell_apart=self._single,
            departures=dict(self._departures.most_common()),
        )

    def _why_without(self, tool: Tool, never: Mapping[str, str]) -> str:
        """What became of its dialogues; of a tool for which none was planned, why it is left out."""
        lost = self._lost[tool.key]
        return _why(lost) if lost else _left_out(tool, never) or _why(lost)

    def _lose(self, keys: frozenset[str], reason: str) -> None:
        for key in keys & self._lost.keys():
            self._lost[key][_WORDS.get(reason, reason)] += 1


def _golds(dialogue: Dialogue) -> frozenset[str]:
    names = {gold.tool for task in dialogue.tasks for gold in task.gold}
    return frozenset(shown.key for shown in dialogue.tools if shown.name in names)


def _left_out(tool: Tool, never: Mapping[str, str]) -> str:
    why = left_out(tool) or never.get(tool.key, "")
    return f"left out: {why}" if why else ""


def _why(lost: Counter[str]) -> str:
    """The reasons without their numbers, so that tools with the same reasons stand together."""
    return ", ".join(sorted(lost)) or "never planned"
