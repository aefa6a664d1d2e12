"""Why a task of the `wild` protocol failed: one class, that of the first error (WildToolBench, table 4).

The first illegal step decides; where it has several faults, the class that stands first in `ERRORS` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, Literal

from callwright.evaluate.wild_matching import TaskGold
from callwright.lang.kinds import kind_of, kind_of_value
from callwright.lang.reading import read
from callwright.match.issue import CallIssue
from callwright.match.likeness import normalised
from callwright.match.values import arguments_of, equal
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
]
"""Classes of errors, those of actions before those of parameters.

`refusal`: no call was made where one is due. `wrong_name`: a documented tool that is not due, not yet due, or called
where a value is missing and the right thing is to ask ("wrong name, missing info"). `wrong_refusal`: a tool was called
in a `chat` task. `redundant_call`: a call made more often than it is due, or after everything was done. `call_error`: a
reply that is empty or cannot be read, a tool or parameter that no document has, or a required one left out.
`early_termination`: words before everything was done. `param_type`: a value that breaks the schema.
`param_hallucination`: a wrong value found nowhere in what the model was shown. `param_value`: any other wrong value,
and an optional parameter that is missing or was not asked for.
"""

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

    def __init__(self, texts: Sequence[str], today: str) -> None:
        self._texts = texts
        self._today = date.fromisoformat(today) if today else None
        self._normal = normalised(" ".join(texts))

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


def step_error(gold: TaskGold, stage: int, step: Sequence[Call], done: Sequence[int], shown: Shown) -> WildError:
    """Return the class of the first illegal step of a stage, made when the `done` gold calls were."""
    if not gold.golds:
        return "wrong_refusal"
    if not any(one.due for one in gold.stages[stage : stage + 1]):
        return "wrong_name"
    if gold.is_done(stage, len(done)):
        return "redundant_call"
    found = [error for call in step if (error := _call_error(gold, stage, call, set(done), shown))]
    return min(found, key=ERRORS.index, default="redundant_call")


def _call_error(gold: TaskGold, stage: int, call: Call, done: set[int], shown: Shown) -> WildError | None:
    """What is wrong with one call of a step; None where it could have been right."""
    if call.tool not in gold.tools or arguments_of(call.arguments) is None:
        return "call_error"
    right = gold.right_for(stage, call)
    ready = [at for at in gold.due(stage, call.tool) if at not in done and not _waits(gold, at, done)]
    if set(right) & set(ready):
        return None
    if right and set(right) <= done:
        return "redundant_call"
    if right or not ready:
        return "wrong_name"
    issues = [gold.issues(call, at) for at in ready]
    return _argument_error(min(issues, key=len), gold.tools[call.tool], call, shown)


def _waits(gold: TaskGold, at: int, done: set[int]) -> bool:
    return any(needed not in done for needed in gold.golds[at].after)


def _argument_error(issues: Sequence[CallIssue], tool: Tool, call: Call, shown: Shown) -> WildError:
    return min(_classes(issues, tool, arguments_of(call.arguments) or {}, shown), key=ERRORS.index)


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
