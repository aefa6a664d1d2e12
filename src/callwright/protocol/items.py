"""A run dialogue by dialogue: calls due, calls made, and verdicts; for every protocol.

The sums of the tasks (`EvaluationProtocol.judge`) are those of the report, so a slice has the same intervals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from callwright.catalog.similarity import description_encoder, is_near, to_pool
from callwright.catalog.vectors import Encoder
from callwright.errors import BadInput
from callwright.protocol import EvaluationProtocol, JudgedTask
from callwright.protocol.ratio_sums import RatioSums
from callwright.protocol.run_access import RunView, own_options
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Call, Dialogue, GoldCall
from callwright.records.tool import Tool
from callwright.records.transcript import LiveUser, Row, Transcript, UserFault
from callwright.stats.intervals import DEFAULT_RESAMPLES

PROPERTIES: Final = ("tool", "near_duplicate", "turns")
"""Properties of tasks that a report can be sliced by, whatever the protocol."""


class ItemTask(msgspec.Struct, frozen=True, kw_only=True):
    """One task of a dialogue in one trial."""

    task: int
    right: bool | None = None
    """None where the transcript was not judged."""
    error: str = ""
    why: str = ""
    gold: tuple[GoldCall, ...] = ()
    calls: tuple[Call, ...] = ()
    """The calls of the model that the verdict is about."""
    near_duplicate: bool = False
    """Whether the tools shown hold one with a similarity of at least .70 to a gold tool."""
    sums: Mapping[str, tuple[float, float]] = {}
    """By metric, what the task adds to its numerator and to its denominator."""


class RunItem(msgspec.Struct, frozen=True, kw_only=True):
    """One dialogue in one trial: one line of `report --items`."""

    run: str
    model: str
    protocol: str
    dialogue: str
    trial: int = 0
    state: Literal["scored", "excluded", "skipped", "failed"] = "scored"
    """Only what is scored counts in a metric."""
    why: str = ""
    right: bool | None = None
    """Whether every task is right; None where it is not scored."""
    error: str = ""
    verdicts: dict[str, float] = {}
    """Values of the metrics, of this dialogue alone."""
    turns: int
    user_unsure: bool = False
    """Whether the live user failed to understand a message of the model."""
    tasks: tuple[ItemTask, ...] = ()


def run_items(run: RunView, protocol: EvaluationProtocol) -> Iterator[RunItem]:
    """Yield the dialogues of a run in their order, by trial; those without a transcript yet are left out."""
    own_options(run, protocol)
    encoder = description_encoder(run.catalog.tools)
    transcripts = {(one.dialogue, one.trial): one for one in run.transcripts}
    failures = {(one.item, one.trial): f"{one.kind}: {one.message}" for one in run.failures}
    for dialogue in run.dialogues:
        item = RunItem(
            run=str(run.folder).encode("utf-8", "replace").decode(),  # a path need not be UTF-8
            model=str(run.config["model"]),
            protocol=run.protocol,
            dialogue=dialogue.id,
            turns=sum(dialogue.role(turn) == "user" for turn in dialogue.turns),
            tasks=_tasks_due(dialogue, run.catalog.by_key, encoder),
        )
        for trial in range(int(str(run.config["trials"]))):
            place = (dialogue.id, trial)
            if place in transcripts:
                yield msgspec.structs.replace(
                    item, trial=trial, **_judged(run, protocol, dialogue, item.tasks, transcripts[place])
                )
            elif place in failures:
                yield msgspec.structs.replace(item, trial=trial, state="failed", why=failures[place])


def sliced_rows(run: RunView, protocol: EvaluationProtocol, rows: Sequence[Row], by: str) -> list[Row]:
    """Return a run's metrics by a property of its tasks; a dialogue counts in each value that its tasks have."""
    sums, values = RatioSums(), Counter[tuple[str, str]]()
    for item in run_items(run, protocol):
        for value in dict.fromkeys(value for task in item.tasks for value in _values(item, task, by)):
            values[value, item.state] += 1
        for task in item.tasks if item.state == "scored" else ():
            for value in _values(item, task, by):
                for metric, (top, bottom) in task.sums.items():
                    sums.add(((by, value),), metric, item.dialogue, top, bottom)
    whole = {row.metric: row for row in rows if not row.slice}
    slices = sorted(dict.fromkeys(value for value, _ in values), key=lambda value: (value.zfill(6), value))
    return [
        _sliced(row, sums, (by, value), values)
        for value in slices
        for metric, row in whole.items()
        if sums.measured(((by, value),), metric)
    ]


def _sliced(row: Row, sums: RatioSums, at: tuple[str, str], values: Mapping[tuple[str, str], int]) -> Row:
    interval = sums.interval((at,), row.metric, resamples=DEFAULT_RESAMPLES, seed=0)
    counts = {f"n_{state}": values.get((at[1], state), 0) for state in ("failed", "excluded", "skipped")}
    return msgspec.structs.replace(
        row,
        slice=dict((at,)),
        value=interval.value,
        low=interval.low,
        high=interval.high,
        n=sums.measured((at,), row.metric),
        why=interval.why,
        **counts,
    )


def _values(item: RunItem, task: ItemTask, by: str) -> tuple[str, ...]:
    if by == "tool":
        return tuple(dict.fromkeys(gold.tool for gold in task.gold))
    return (str(item.turns),) if by == "turns" else ("yes" if task.near_duplicate else "no",)


def _tasks_due(dialogue: Dialogue, tools: Mapping[str, Tool], encoder: Encoder) -> tuple[ItemTask, ...]:
    shown = {tool.name: tool for tool in shown_tools(dialogue, tools)}
    return tuple(
        ItemTask(
            task=number,
            gold=task.gold,
            near_duplicate=any(_has_near(shown, name, encoder) for name in {gold.tool for gold in task.gold}),
        )
        for number, task in enumerate(dialogue.tasks, 1)
    )


def _has_near(shown: Mapping[str, Tool], name: str, encoder: Encoder) -> bool:
    others = [tool for other, tool in shown.items() if other != name]
    return name in shown and any(is_near(score) for score in to_pool(shown[name], others, encoder))


def _judged(
    run: RunView, protocol: EvaluationProtocol, dialogue: Dialogue, due: Sequence[ItemTask], transcript: Transcript
) -> dict[str, Any]:
    """The fields of an item that its transcript decides."""
    try:
        judged = protocol.judge(dialogue, transcript, run.catalog.by_key, run.config)
    except BadInput as error:
        return {"state": "skipped", "why": str(error)}
    notes = transcript.annotation
    unsure = isinstance(notes, LiveUser) and bool(notes.unsure)
    made = {one.task: one for one in judged}
    tasks = tuple(_filled(task, made[task.task]) if task.task in made else task for task in due)
    if faults := sorted({fault.kind for fault in transcript.faults}):
        return {
            "state": "excluded",
            "why": f"a fault of the user, which {_effect(transcript.faults)}: {', '.join(faults)}",
            "tasks": tasks,
            "user_unsure": unsure,
        }
    first = next((one.error for one in judged if not one.right), "")
    return {"tasks": tasks, "right": not first, "error": first, "verdicts": verdicts(judged), "user_unsure": unsure}


def _effect(faults: Iterable[UserFault]) -> str:
    ways = sorted({"helped" if fault.helps else "hindered" for fault in faults})
    return f"{' and '.join(ways)} the model"


def _filled(task: ItemTask, judged: JudgedTask) -> ItemTask:
    return msgspec.structs.replace(
        task, right=judged.right, error=judged.error, why=judged.why, calls=judged.calls, sums=judged.sums
    )


def verdicts(judged: Iterable[JudgedTask]) -> dict[str, float]:
    """Return the metrics of the tasks of one transcript together; those that measured nothing are left out."""
    pairs: dict[str, tuple[float, float]] = {}
    for task in judged:
        for metric, (top, bottom) in task.sums.items():
            before = pairs.get(metric, (0.0, 0.0))
            pairs[metric] = (before[0] + top, before[1] + bottom)
    return {metric: top / bottom for metric, (top, bottom) in pairs.items() if bottom}
