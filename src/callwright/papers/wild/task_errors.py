"""Why a task of the `wild` protocol failed: one class, that of the first error (WildToolBench, table 4).

The first illegal step decides; where it has several faults, the class that stands first in `ERRORS` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import Final, Literal, NamedTuple

from callwright.lang.kinds import kind_of, kind_of_value
from callwright.lang.reading import read
from callwright.match.likeness import normalised
from callwright.match.schema import CallIssue
from callwright.match.values import arguments_of, equal
from callwright.papers.wild.call_matching import TaskGold
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

WildError = Literal[
    "refusal",
    "wrong_name",
    "wrong_refusal",
    "redundant_call",
    "call_error",
    "early_termination",
    "param_type",
    "param_hallucination",
    "param_value",
    "wrong_words",
]
"""Classes of errors, those of actions before those of parameters.

`refusal`: no call was made where one is due. `wrong_name`: a documented tool that is not due, not yet due, or called
where a value is missing and the right thing is to ask ("wrong name, missing info"). `wrong_refusal`: a tool was called
in a `chat` task. `redundant_call`: a call made more often than it is due, or after everything was done. `call_error`: a
reply that cannot be read, or is empty where words are due, a tool or parameter that no document has, or a required one
left out. `early_termination`: words before everything was done. `param_type`: a value that breaks the schema.
`param_hallucination`: a wrong value found nowhere in what the model was shown. `param_value`: any other wrong value,
and an optional parameter that is missing or was not asked for. `wrong_words`, only where judges look at them: a
question that does not ask for what is missing, or an answer that is none.
"""

WRONG_WORDS: Final = "wrong_words"
ERRORS: Final[tuple[WildError, ...]] = (
    "refusal",
    "wrong_name",
    "wrong_refusal",
    "redundant_call",
    "call_error",
    "early_termination",
    "param_type",
    "param_hallucination",
    "param_value",
)

_NUMBERS_IN_WORDS: Final = frozenset(range(13))
"""Numbers that texts spell out; a parameter's value of this size is never taken for invented."""


class Shown:
    """The texts a model was shown, to tell values that were taken from somewhere from those that were not."""

    def __init__(self, collect: Callable[[], Iterable[str]], today: str) -> None:
        self._collect = collect
        self._today = date.fromisoformat(today) if today else None

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(self._collect())

    @cached_property
    def _normal(self) -> str:
        return normalised(" ".join(self._texts))

    def holds(self, value: Json, name: str, schema: dict[str, Json]) -> bool:
        """Return whether a value, or each value in it, is said anywhere: as it stands, or in another form."""
        if isinstance(value, dict | list):
            inner = value.values() if isinstance(value, dict) else value
            return all(self.holds(one, "", {}) for one in inner)
        if isinstance(value, bool) or value is None or value in _NUMBERS_IN_WORDS or value == "":
            return True
        if normalised(str(value)) in self._normal:
            return True
        kind = kind_of(name, schema) if schema else kind_of_value(value)
        return any(
            equal(found.value, value) for text in self._texts for found in read(text, kind, schema, today=self._today)
        )


class Fault(NamedTuple):
    """The class of an error, and what there is to say beside where it happened."""

    error: WildError
    why: str = ""


def step_fault(gold: TaskGold, stage: int, step: Sequence[Call], done: Sequence[int], shown: Shown) -> Fault:
    """Return what is wrong with the first illegal step of a stage, made when the `done` gold calls were."""
    if not gold.golds:
        return Fault("wrong_refusal", "the right thing is to answer in words")
    if not any(one.due for one in gold.stages[stage : stage + 1]):
        return Fault("wrong_name", "the right thing is to ask for what is missing")
    if gold.is_done(stage, len(done)):
        return Fault("redundant_call", next(filter(None, (_failure(gold, stage, call) for call in step)), ""))
    found = [fault for call in step if (fault := _call_fault(gold, stage, call, set(done), shown))]
    return min(found, key=lambda fault: ERRORS.index(fault.error), default=Fault("redundant_call"))


def _call_fault(gold: TaskGold, stage: int, call: Call, done: set[int], shown: Shown) -> Fault | None:
    """What is wrong with one call of a step; None where it could have been right."""
    if call.tool not in gold.tools:
        return Fault("call_error", f"no tool {call.tool!r:.80} is documented")
    if arguments_of(call.arguments) is None:
        return Fault("call_error", "its arguments are no JSON object")
    right = gold.right_for(stage, call)
    ready = [at for at in gold.due(stage, call.tool) if at not in done and not _waits(gold, at, done)]
    if set(right) & set(ready):
        return None
    if right and set(right) <= done:
        return Fault("redundant_call", _failure(gold, stage, call))
    if right or not ready:
        is_due = any(at not in done for at in gold.due(stage, call.tool))
        return Fault("wrong_name", f"{call.tool} is not due yet" if is_due else f"{call.tool} is not due")
    issues = min((gold.issues(call, at) for at in ready), key=len)
    return _argument_fault(issues, gold.tools[call.tool], call, shown)


def _failure(gold: TaskGold, stage: int, call: Call) -> str:
    """The error that a gold call which is the same ended with; empty where there is none."""
    results = (gold.golds[at].result for at in gold.right_for(stage, call))
    return next((f"it has failed: {result.error}" for result in results if result and result.error), "")


def _waits(gold: TaskGold, at: int, done: set[int]) -> bool:
    return any(needed not in done for needed in gold.golds[at].after)


def _argument_fault(issues: Sequence[CallIssue], tool: Tool, call: Call, shown: Shown) -> Fault:
    classes = list(_classes(issues, tool, arguments_of(call.arguments) or {}, shown))
    worst = min(range(len(classes)), key=lambda at: ERRORS.index(classes[at]))
    place = f"{issues[worst].path}: " if issues[worst].path else ""
    return Fault(classes[worst], f"{place}{issues[worst].message}")


def _classes(issues: Sequence[CallIssue], tool: Tool, values: dict[str, Json], shown: Shown) -> Iterator[WildError]:
    for issue in issues:
        name = issue.path.partition(".")[0].partition("[")[0]
        if issue.code in ("type", "enum", "constraint"):
            yield "param_type"
        elif issue.code == "unexpected" and (name not in tool.properties or issue.path != name):
            yield "call_error"
        elif issue.code == "missing":
            yield "call_error" if name in tool.required or issue.path != name else "param_value"
        elif name in values and not shown.holds(values[name], name, tool.properties.get(name, {})):
            yield "param_hallucination"
        else:
            yield "param_value"
