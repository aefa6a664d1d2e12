"""The verdict on one task of the `wild` protocol: right, or the class of its first error (WildToolBench, table 4).

The verdict is a pure function of the transcript. The first illegal step decides. Where this step has several faults,
the class decides that stands first in `ERRORS`; classes of actions stand before those of parameters:

    refusal               no call was made where one is due
    wrong_name            a documented tool that is not due or not yet due, or that was called where the right thing
                          is to ask for a missing value ("wrong name, missing info" in the paper); with the paths of
                          algorithm 1 also a legal step of a path that is neither the longest nor the shortest
    wrong_refusal         a tool was called in a `chat` task
    redundant_call        a call made more often than it is due, or after all calls were made
    call_error            a reply that cannot be read, or is empty where words are due; a tool or parameter that no
                          document has; a missing required parameter
    early_termination     words before all calls were made
    param_type            a value that breaks the schema
    param_hallucination   a wrong value that the model was never shown
    param_value           any other wrong value; an optional parameter that is missing, or that nobody asked for
    wrong_words           only with judged words (`--judged`; not in the paper): a question that does not ask for
                          the missing value, or an answer that does not answer
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal, NamedTuple, get_args

import msgspec

from callwright.errors import BadInput, BadRecord
from callwright.lang.kinds import kind_of, kind_of_value
from callwright.lang.reading import read
from callwright.match.arguments import call_issues, fits
from callwright.match.call_graph import CallGraph, call_graph
from callwright.match.leniency import STRICT, Leniency
from callwright.match.likeness import normalised
from callwright.match.orchestration import Orchestration, Paths, orchestrate, written
from callwright.match.schema import CallIssue
from callwright.match.task_stages import Stage, task_stages
from callwright.match.values import arguments_of, equal
from callwright.models.chat import EMPTY_REPLY
from callwright.protocol.shown_dialogue import shown_tools
from callwright.protocol.turn_messages import result_text
from callwright.records.annotations.wild_notes import Topology
from callwright.records.dialogue import Call, Dialogue, GoldCall, Turn
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript

# -- the calls matched against the gold calls (3.3) ------------------------------------------------------------------


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


PaperError = Literal[
    "refusal",
    "wrong_name",
    "wrong_refusal",
    "redundant_call",
    "call_error",
    "early_termination",
    "param_type",
    "param_hallucination",
    "param_value",
]
WildError = PaperError | Literal["wrong_words"]

ERRORS: Final[tuple[PaperError, ...]] = get_args(PaperError)
"""The classes of the paper; the first one counts where a step has several faults."""

_SPELT_OUT: Final = frozenset(range(13))
"""Small numbers, which texts spell out: such a value never counts as a hallucination."""


class TaskVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one task in one transcript."""

    right: bool
    error: WildError | None
    """Class of the first error; None for a right task."""
    orchestration: Orchestration
    steps: tuple[tuple[Call, ...], ...]
    """The calls that the model made, step by step."""
    gold: TaskGold
    own: Literal["words", "call", "parallel"]
    """How the model acted: only words, calls one at a time, or several calls in one step."""
    why: str
    """The first error in words; empty for a right task."""
    first: int
    """Position of the task's first turn in the transcript."""
    turns: tuple[Turn, ...]
    """The turns of the task, the user's among them."""
    begun: int
    """Stages of the task in which the model did anything."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that the model made, in order."""
        return tuple(call for step in self.steps for call in step)

    @property
    def made(self) -> int:
        """Gold calls made in legal steps before the first illegal one."""
        return sum(map(len, self.orchestration.matched))


class StepFault(NamedTuple):
    """The class of an error, and what to say beside the place where it happened."""

    error: WildError
    why: str = ""


def topology_of(gold: TaskGold) -> Topology:
    """Return the shape of a task's calls: parallel (P), sequential (S) or both (S+P); empty for fewer than two."""
    if gold.graph.size < 2:
        return ""
    if gold.graph.shortest == 1:
        return "P"
    return "S" if gold.graph.shortest == gold.graph.size else "S+P"


def judge_dialogue(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], *, leniency: Leniency, paths: Paths = "all"
) -> tuple[TaskVerdict, ...]:
    """Return the verdict on each task; `tools` by key. Raises what `judge_task` raises."""
    by_name = {tool.name: tool for tool in shown_tools(dialogue, tools)}
    places = range(len(dialogue.tasks))
    return tuple(judge_task(dialogue, at, transcript, by_name, leniency=leniency, paths=paths) for at in places)


def judge_task(
    dialogue: Dialogue,
    at: int,
    transcript: Transcript,
    tools: Mapping[str, Tool],
    *,
    leniency: Leniency,
    paths: Paths = "all",
) -> TaskVerdict:
    """Return the verdict on task `at`; `tools` are those shown, by name.

    Raises BadInput where its gold calls cannot be scored, BadRecord where the transcript does not hold the task.
    """
    gold = task_gold(dialogue, at, tools, leniency, paths)
    parts = transcript.tasks or ()
    if at >= len(parts):
        raise BadRecord(f"the transcript of {transcript.dialogue} has no task {at + 1}. Run the evaluation again.")
    turns = transcript.turns[parts[at].turn : parts[at + 1].turn if at + 1 < len(parts) else None]
    replies = [turn for turn in turns if dialogue.role(turn) == "assistant"]
    steps = [(stage, step.calls) for stage, turn in enumerate(replies) for step in turn.steps if step.calls]
    result = gold.follow(steps)
    if result.departure is not None:
        stage, calls = steps[result.departure.step]
        done = {one for step in result.matched for one in step}
        shown = ShownTexts(dialogue, dialogue.turns[: dialogue.tasks[at].turn], turns, tools)
        fault: StepFault | None = StepFault("wrong_name")
        if result.departure.kind != "length":
            fault = _step_fault(gold, stage, calls, done, shown)
    else:
        is_malformed = any(error != EMPTY_REPLY for error in parts[at].malformed)
        fault = _words_fault(gold, replies, sum(map(len, result.matched)), is_malformed=is_malformed)
    return TaskVerdict(
        right=fault is None,
        error=fault.error if fault else None,
        orchestration=result,
        steps=tuple(calls for _, calls in steps),
        gold=gold,
        own="words" if not steps else "call" if all(len(calls) == 1 for _, calls in steps) else "parallel",
        why="; ".join(filter(None, (result.why if result.departure else "", fault.why))) if fault else "",
        first=parts[at].turn,
        turns=turns,
        begun=len(replies),
    )


# -- words -----------------------------------------------------------------------------------------------------------


def _words_fault(gold: TaskGold, replies: Sequence[Turn], made: int, *, is_malformed: bool) -> StepFault | None:
    """Return the error of a task whose every step is legal; None where all calls were made and words follow."""
    last = len(replies) - 1
    words = replies[-1].text.strip() if replies else ""
    if last + 1 >= len(gold.stages) and gold.is_done(last, made) and (words or gold.golds):
        return None
    if not gold.is_done(max(last, 0), made):
        if is_malformed:
            return StepFault("call_error", "the reply cannot be read as a call")
        if made:
            return StepFault("early_termination", f"it ended with {made:,} of {len(gold.golds):,} calls")
        return StepFault("refusal", "no call was made where one is due")
    return StepFault("call_error", "the reply is empty" if not words else "the reply ends before the task does")


# -- the first illegal step ------------------------------------------------------------------------------------------


def _step_fault(gold: TaskGold, stage: int, step: Sequence[Call], done: set[int], shown: ShownTexts) -> StepFault:
    """Return the error of an illegal step of a stage; `done` are the gold calls made before it."""
    if not gold.golds:
        return StepFault("wrong_refusal", "the right thing is to answer in words")
    if not any(one.due for one in gold.stages[stage : stage + 1]):
        return StepFault("wrong_name", "the right thing is to ask for what is missing")
    if gold.is_done(stage, len(done)):
        return StepFault("redundant_call", next(filter(None, (_failure(gold, stage, call) for call in step)), ""))
    found = [fault for call in step if (fault := _call_fault(gold, stage, call, done, shown))]
    return min(found, key=lambda fault: ERRORS.index(fault.error), default=StepFault("redundant_call"))


def _call_fault(gold: TaskGold, stage: int, call: Call, done: set[int], shown: ShownTexts) -> StepFault | None:
    """Return the error of one call of an illegal step; None where this call alone could be right."""
    if call.tool not in gold.tools:
        return StepFault("call_error", f"no tool {call.tool!r:.80} is documented")
    if arguments_of(call.arguments) is None:
        return StepFault("call_error", "its arguments are no JSON object")
    right = set(gold.right_for(stage, call))
    due = [at for at in gold.due(stage, call.tool) if at not in done]
    ready = [at for at in due if done.issuperset(gold.golds[at].after)]
    if right & set(ready):
        return None
    if right and right <= done:
        return StepFault("redundant_call", _failure(gold, stage, call))
    if right or not ready:
        return StepFault("wrong_name", f"{call.tool} is not due yet" if due else f"{call.tool} is not due")
    issues = min((gold.issues(call, at) for at in ready), key=len)
    return _argument_fault(issues, gold.tools[call.tool], call, shown)


def _failure(gold: TaskGold, stage: int, call: Call) -> str:
    """The error that the gold call of this call ended with; empty where it ended with none."""
    results = (gold.golds[at].result for at in gold.right_for(stage, call))
    return next((f"it has failed: {result.error}" for result in results if result and result.error), "")


# -- arguments -------------------------------------------------------------------------------------------------------


def _argument_fault(issues: Sequence[CallIssue], tool: Tool, call: Call, shown: ShownTexts) -> StepFault:
    values = arguments_of(call.arguments) or {}
    classes = [_issue_error(issue, tool, values, shown) for issue in issues]
    error, worst = min(zip(classes, issues, strict=True), key=lambda one: ERRORS.index(one[0]))
    return StepFault(error, f"{worst.path}: {worst.message}" if worst.path else worst.message)


def _issue_error(issue: CallIssue, tool: Tool, values: dict[str, Json], shown: ShownTexts) -> WildError:
    name = issue.path.partition(".")[0].partition("[")[0]
    if issue.code in ("type", "enum", "constraint"):
        return "param_type"
    if issue.code == "unexpected" and (name not in tool.properties or issue.path != name):
        return "call_error"
    if issue.code == "missing":
        return "call_error" if name in tool.required or issue.path != name else "param_value"
    if name in values and not shown.holds(values[name], name, tool.properties.get(name, {})):
        return "param_hallucination"
    return "param_value"


class ShownTexts(msgspec.Struct, frozen=True, dict=True):
    """All that the model could take a value from; a wrong value that is found nowhere in it is a hallucination."""

    dialogue: Dialogue
    earlier: tuple[Turn, ...]
    """The turns before the task."""
    own: tuple[Turn, ...]
    """The turns of this attempt; the model's own words in them are no source."""
    tools: Mapping[str, Tool]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts that the model was shown."""
        return tuple(self._collect())

    def _collect(self) -> Iterator[str]:
        for turn in self.earlier:
            yield turn.text
            yield from (step.text for step in turn.steps)
        for turn in (*self.earlier, *self.own):
            yield from (result_text(result) for step in turn.steps for result in step.results)
        yield from (turn.text for turn in self.own if self.dialogue.role(turn) != "assistant")
        yield from (f"{tool.description} {tool.parameters}" for tool in self.tools.values())
        yield self.dialogue.today

    @cached_property
    def _normal(self) -> str:
        return normalised(" ".join(self.texts))

    def holds(self, value: Json, name: str, schema: dict[str, Json]) -> bool:
        """Return whether a text says the value, or each value inside it: as it stands, or in another form."""
        if isinstance(value, dict | list):
            inner = value.values() if isinstance(value, dict) else value
            return all(self.holds(one, "", {}) for one in inner)
        if isinstance(value, bool) or value is None or value in _SPELT_OUT or value == "":
            return True
        if normalised(str(value)) in self._normal:
            return True
        kind = kind_of(name, schema) if schema else kind_of_value(value)
        today = self.dialogue.day
        return any(equal(found.value, value) for text in self.texts for found in read(text, kind, schema, today=today))
