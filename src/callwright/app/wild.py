"""Runs of the `wild` protocol: scored again under another matcher, and one task explained."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from callwright.errors import BadInput, UnknownName
from callwright.judge.rubric import Rubric, bundled_rubric
from callwright.judge.subject import task_replies
from callwright.match.leniency import leniency_of
from callwright.papers.registry import find_protocol, load_protocol
from callwright.papers.wild.judged_words import CRITERIA, judged_words
from callwright.papers.wild.task_explanation import Explanation, explain
from callwright.papers.wild.task_verdict import TaskVerdict, judge_task
from callwright.protocol.judged_rows import JudgedBy
from callwright.protocol.kept_judgements import read_judgements, transcript_talks
from callwright.protocol.run_access import open_run, run_rows
from callwright.protocol.scoring import JudgedTurns
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Dialogue
from callwright.records.transcript import Row, Transcript

Match = Literal["strict", "lenient"]


class ExplainedTask(msgspec.Struct, frozen=True, kw_only=True):
    """One task of one transcript, with its verdict."""

    dialogue: Dialogue
    position: int
    """Of the task, from 0."""
    transcript: Transcript
    verdict: TaskVerdict
    explanation: Explanation


def score_wild(folder: str | Path, *, match: Match = "strict", judged: bool = False) -> list[Row]:
    """Return the rows of a run of the `wild` protocol, its calls matched as `match` says; no model is asked.

    With `judged` the words of `clarify` and `chat` tasks are right only where the kept judgements on the criteria
    `clarify-asks` and `chat-answers` say so. Raises BadInput for a folder that holds no such run, or no judgements.
    """
    _check_protocol(Path(folder))
    words = _words(Path(folder)) if judged else None
    return run_rows(open_run(folder), load_protocol("wild"), options={"match": match}, words=words)


def _words(folder: Path) -> JudgedTurns:
    run = open_run(folder)
    talks, _ = transcript_talks(run.dialogues, run.transcripts, run.catalog)
    found: dict[Rubric, JudgedBy] = {}
    for kind, criterion in CRITERIA.items():
        kept = read_judgements(folder, talks, criterion)
        if not kept and any(task_replies(talk, kind) for talk in talks):
            raise BadInput(
                f"{folder}: no replies of {kind} tasks are judged. Run `callwright judge {folder} "
                f"--criteria {','.join(CRITERIA.values())} --judge MODEL` first."
            )
        own = bundled_rubric(criterion).digest
        found |= dict(sorted(kept.items(), key=lambda one: one[0].digest != own)[:1])
    return judged_words(found)


def explain_task(folder: str | Path, task: str, *, match: Match = "strict", trial: int = 0) -> ExplainedTask:
    """Return what became of a task of a run: `task` is a dialogue's id, of which the beginning is enough, and a number.

    `ID/2` is the second task. Raises UnknownName for a task or trial that is not there, BadInput for a folder that
    holds no run of the `wild` protocol.
    """
    _check_protocol(Path(folder))
    run = open_run(folder)
    wanted, _, number = task.rpartition("/")
    if not wanted or not number.isdecimal():
        raise BadInput(f"{task!r:.80} is not a task. Write a dialogue's id and the number of the task, such as ID/2.")
    dialogue = _find(run.dialogues, wanted, folder)
    if not 1 <= int(number) <= len(dialogue.tasks):
        raise UnknownName(f"dialogue {dialogue.id} has no task {number}; it has {len(dialogue.tasks)}.")
    found = [one for one in run.transcripts if (one.dialogue, one.trial) == (dialogue.id, trial)]
    if not found:
        raise UnknownName(f"{folder}: no transcript of {dialogue.id}, trial {trial}: it failed or has not run yet.")
    tools = {tool.name: tool for tool in shown_tools(dialogue, run.catalog.by_key)}
    verdict = judge_task(dialogue, int(number) - 1, found[0], tools, leniency=leniency_of(match))
    return ExplainedTask(
        dialogue=dialogue,
        position=int(number) - 1,
        transcript=found[0],
        verdict=verdict,
        explanation=explain(verdict),
    )


def _check_protocol(folder: Path) -> None:
    protocol = str(open_run(folder).config.get("protocol", ""))
    if find_protocol(protocol) != "wild":
        raise BadInput(f"{folder}: this is a run of {protocol}. Give one of `callwright eval --protocol wild`.")


def _find(dialogues: tuple[Dialogue, ...], wanted: str, folder: str | Path) -> Dialogue:
    found = [one for one in dialogues if one.id.startswith(wanted)]
    found = [one for one in found if one.id == wanted] or found
    if not found:
        raise UnknownName(f"{folder}: no id begins with {wanted!r:.80}. `callwright show {folder}` lists them.")
    if len(found) > 1:
        raise UnknownName(f"{folder}: {len(found):,} ids begin with {wanted!r}, such as {found[0].id}. Give more.")
    return found[0]
