"""The calls of one task matched against its gold calls, stage by stage (WildToolBench, section 3.3, "match")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from callwright.errors import BadInput
from callwright.match.arguments import call_issues, fits
from callwright.match.call_graph import CallGraph, call_graph
from callwright.match.leniency import STRICT, Leniency
from callwright.match.orchestration import Orchestration, Paths, orchestrate, written
from callwright.match.schema import CallIssue
from callwright.match.task_stages import Stage, task_stages
from callwright.records.dialogue import Call, Dialogue, GoldCall
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


class TaskGold(msgspec.Struct, frozen=True, dict=True):
    """The gold truth of one task, prepared for matching."""

    golds: tuple[GoldCall, ...]
    stages: tuple[Stage, ...]
    graph: CallGraph
    tools: Mapping[str, Tool]
    """The tools shown, by name."""
    leniency: Leniency
    paths: Paths = "all"

    def follow(self, steps: Sequence[tuple[int, Sequence[Call]]]) -> Orchestration:
        """Return whether steps follow the legal paths; each step comes with the number of its stage."""
        calls = [[(stage, call) for call in step] for stage, step in steps]
        return orchestrate(
            self.graph,
            calls,
            lambda made: self.right_for(*made),
            alike=self._alike,
            say=lambda made: written((made[1].tool, made[1].arguments)),
            say_gold=lambda gold: written((self.golds[gold].tool, encode(self.golds[gold].values))),
            paths=self.paths,
        )

    def right_for(self, stage: int, call: Call) -> tuple[int, ...]:
        """Return the gold calls that a call matches, of this stage or an earlier one; exact matches come first."""
        tool = self.tools.get(call.tool)
        if tool is None:
            return ()
        due = self.due(stage, call.tool)
        found = [gold for gold in due if fits(call, self.golds[gold], tool, leniency=self.leniency)]
        if len(found) > 1:
            found.sort(key=lambda gold: not fits(call, self.golds[gold], tool, leniency=STRICT))
        return tuple(found)

    def due(self, stage: int, tool: str) -> tuple[int, ...]:
        """Return the gold calls of a tool in the stage or an earlier one."""
        return self._due_by[min(stage, len(self._due_by) - 1)].get(tool, ())

    def issues(self, call: Call, gold: int) -> tuple[CallIssue, ...]:
        """Return every difference between a call and a gold call."""
        one = self.golds[gold]
        return call_issues(call, one, self.tools[one.tool], known=self.tools, leniency=self.leniency)

    def is_done(self, stage: int, made: int) -> bool:
        """Return whether `made` gold calls are all that are due in this stage and the earlier ones."""
        return made >= sum(len(one.due) for one in self.stages[: stage + 1])

    @cached_property
    def _due_by(self) -> list[dict[str, tuple[int, ...]]]:
        """For each stage, the gold calls due in it or before, by tool."""
        found = []
        by_tool: dict[str, tuple[int, ...]] = {}
        for stage in self.stages:
            by_tool = dict(by_tool)
            for gold in stage.due:
                name = self.golds[gold].tool
                by_tool[name] = (*by_tool.get(name, ()), gold)
            found.append(by_tool)
        return found

    @cached_property
    def _alike(self) -> tuple[object, ...]:
        due = {gold: at for at, stage in enumerate(self.stages) for gold in stage.due}
        return tuple((due[at], gold.tool, gold.arguments) for at, gold in enumerate(self.golds))


def task_gold(
    dialogue: Dialogue, at: int, tools: Mapping[str, Tool], leniency: Leniency, paths: Paths = "all"
) -> TaskGold:
    """Return the gold truth of task `at`; `tools` are those shown, by name.

    Raises BadInput, which names dialogue and task, for dependencies that cannot be, and for a task without its turn.
    """
    golds = dialogue.tasks[at].gold
    after = [(needed, gold) for gold, one in enumerate(golds) for needed in one.after]
    try:
        graph = call_graph(len(golds), after)
    except BadInput as error:
        raise BadInput(f"dialogue {dialogue.id}, task {at + 1}: {error}") from error
    return TaskGold(golds, task_stages(dialogue, at), graph, tools, leniency, paths)
