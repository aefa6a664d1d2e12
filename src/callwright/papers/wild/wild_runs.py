"""Runs of the `wild` protocol scored again, and one task of a run explained."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from callwright.errors import BadInput, UnknownName
from callwright.papers.paper import Explained, Explainer, RunScorer

if TYPE_CHECKING:
    from callwright.papers.wild.task_verdict import TaskVerdict
    from callwright.protocol.run_access import RunView
    from callwright.records.dialogue import Dialogue
    from callwright.records.transcript import Row, Transcript

Match = Annotated[
    Literal["near", "strict", "lenient"],
    msgspec.Meta(
        description="Free text may be near the gold text; all values exact; or all leniencies that the schema allows."
    ),
]


class WildScoringOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How calls are matched, and whether judges decide about words."""

    match: Match = "near"
    paths: Annotated[
        Literal["all", "algorithm1"],
        msgspec.Meta(description="Legal orders of calls: all, or one by one and fewest steps (algorithm 1, line 13)."),
    ] = "all"
    judged: Annotated[
        bool,
        msgspec.Meta(description="Questions and answers must also pass the judges of `callwright judge RUN`."),
    ] = False


def score_run(run: RunView, options: WildScoringOptions) -> list[Row]:
    """Return the rows of a run of the `wild` protocol; no model is asked.

    With `judged` the words of `clarify` and `chat` tasks are right only where the kept judgements on the criteria
    `clarify-asks` and `chat-answers` say so. Raises BadInput where a kind of words has no judgements.
    """
    from callwright.papers.wild.wild_protocol import PROTOCOL
    from callwright.papers.wild.wild_scoring import kept_words
    from callwright.protocol.run_access import run_rows

    words = kept_words(run) if options.judged else None
    return run_rows(run, PROTOCOL, options={"match": options.match, "paths": options.paths}, words=words)


SCORER: Final = RunScorer(
    "Any words without a call are a question in clarify tasks, and an answer in chat tasks. With --judged those that "
    "judges found to ask for nothing that is missing, or to answer nothing, are wrong: first give `callwright judge "
    "RUN --criteria clarify-asks,chat-answers --judge MODEL`.",
    WildScoringOptions,
    score_run,
)


# -- one task explained ----------------------------------------------------------------------------------------------


class ExplainOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How calls are matched."""

    match: Match = "near"


def explain(run: RunView, task: str, trial: int, options: ExplainOptions) -> Explained:
    """Return what became of a task of a run: `task` is a dialogue's id, or its beginning, and a number, such as `ID/2`.

    Raises BadInput for a text that names no task, UnknownName for a task or trial that is not there.
    """
    from callwright.papers.wild.task_view import explain as laid_out
    from callwright.papers.wild.task_view import task_view

    found = find_verdict(run, task, trial, options)
    return Explained(laid_out(found[-1]), partial(task_view, *found))


def find_verdict(
    run: RunView, task: str, trial: int, options: ExplainOptions
) -> tuple[Dialogue, int, Transcript, TaskVerdict]:
    """Return dialogue, position of the task from 0, transcript and verdict. Raises as `explain` does."""
    from callwright.match.leniency import leniency_of
    from callwright.papers.wild.task_verdict import judge_task
    from callwright.protocol.run_access import find_dialogue, find_transcript
    from callwright.protocol.shown_dialogue import shown_tools

    wanted, _, number = task.rpartition("/")
    if not wanted or not number.isdecimal():
        raise BadInput(f"{task!r:.80} is not a task. Write a dialogue's id and the number of the task, such as ID/2.")
    dialogue = find_dialogue(run, wanted)
    if not 1 <= int(number) <= len(dialogue.tasks):
        raise UnknownName(f"dialogue {dialogue.id} has no task {number}; it has {len(dialogue.tasks)}.")
    at, transcript = int(number) - 1, find_transcript(run, dialogue, trial)
    tools = {tool.name: tool for tool in shown_tools(dialogue, run.catalog.by_key)}
    return dialogue, at, transcript, judge_task(dialogue, at, transcript, tools, leniency=leniency_of(options.match))


EXPLAINER: Final = Explainer(
    "TASK is a dialogue's id (its beginning is enough) and the number of the task in it, such as ID/2.",
    ExplainOptions,
    explain,
)
