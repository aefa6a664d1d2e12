"""The verdict on one task of the `wild` protocol: pure, from the transcript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from callwright.errors import BadRecord
from callwright.match.leniency import Leniency
from callwright.match.orchestration import Orchestration
from callwright.models.chat import EMPTY_REPLY
from callwright.papers.wild.call_matching import TaskGold, task_gold
from callwright.papers.wild.task_errors import Shown, WildError, step_fault
from callwright.protocol.shown_dialogue import shown_tools
from callwright.protocol.turn_messages import result_text
from callwright.records.dialogue import Call, Dialogue, Turn
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript

Topology = Literal["", "P", "S", "S+P"]
Own = Literal["words", "call", "parallel"]


class TaskVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one task in one transcript."""

    right: bool
    error: WildError | None
    """Class of the first error; None when it is right."""
    orchestration: Orchestration
    steps: tuple[tuple[Call, ...], ...]
    """The calls that were made, step by step."""
    gold: TaskGold
    own: Own
    """What the model did: only words, calls one at a time, or several in a step."""
    why: str
    """The first error in words; empty when it is right."""
    begun: int
    """Stages of the task in which the model did anything."""

    @property
    def made(self) -> int:
        """Gold calls made in legal steps before the first illegal one."""
        return sum(map(len, self.orchestration.matched))


def topology_of(gold: TaskGold) -> Topology:
    """Return the shape of a task's calls: parallel, sequential or both; empty for fewer than two."""
    if gold.graph.size < 2:
        return ""
    if gold.graph.shortest == 1:
        return "P"
    return "S" if gold.graph.shortest == gold.graph.size else "S+P"


def task_turns(transcript: Transcript, at: int) -> tuple[Turn, ...]:
    """Return what the model did with task `at`. Raises BadRecord where the transcript does not say."""
    parts = transcript.tasks or ()
    if at >= len(parts):
        raise BadRecord(f"the transcript of {transcript.dialogue} has no task {at + 1}. Run the evaluation again.")
    end = parts[at + 1].turn if at + 1 < len(parts) else len(transcript.turns)
    return transcript.turns[parts[at].turn : end]


def judge_task(
    dialogue: Dialogue, at: int, transcript: Transcript, tools: Mapping[str, Tool], *, leniency: Leniency
) -> TaskVerdict:
    """Return the verdict on task `at`; `tools` are those shown, by name.

    Raises BadInput where its gold calls cannot be scored, BadRecord where the transcript does not hold the task.
    """
    gold = task_gold(dialogue, at, tools, leniency)
    turns = task_turns(transcript, at)
    replies = [turn for turn in turns if dialogue.role(turn) == "assistant"]
    steps = [(stage, step.calls) for stage, turn in enumerate(replies) for step in turn.steps if step.calls]
    result = gold.follow(steps)
    if result.departure is not None:
        stage, calls = steps[result.departure.step]
        done = [one for move in result.matched for one in move]
        fault = step_fault(gold, stage, calls, done, _shown(dialogue, at, turns, tools))
        error: WildError | None = fault.error
        why = "; ".join(filter(None, (result.why, fault.why)))
    else:
        is_malformed = any(fault != EMPTY_REPLY for fault in (transcript.tasks or ())[at].malformed)
        error, why = _words_error(gold, replies, sum(map(len, result.matched)), is_malformed=is_malformed)
    return TaskVerdict(
        right=error is None,
        error=error,
        orchestration=result,
        steps=tuple(calls for _, calls in steps),
        gold=gold,
        own="words" if not steps else "call" if all(len(calls) == 1 for _, calls in steps) else "parallel",
        why=why,
        begun=len(replies),
    )


def judge_dialogue(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], *, leniency: Leniency
) -> tuple[TaskVerdict, ...]:
    """Return the verdict on each task; `tools` by key. Raises what `judge_task` raises."""
    by_name = {tool.name: tool for tool in shown_tools(dialogue, tools)}
    return tuple(judge_task(dialogue, at, transcript, by_name, leniency=leniency) for at in range(len(dialogue.tasks)))


def _words_error(
    gold: TaskGold, replies: Sequence[Turn], made: int, *, is_malformed: bool
) -> tuple[WildError | None, str]:
    """What is wrong where every call was right: words in the wrong place, or none."""
    last = len(replies) - 1
    words = replies[-1].text.strip() if replies else ""
    if last + 1 >= len(gold.stages) and gold.is_done(last, made) and (words or gold.golds):
        return None, ""
    if not gold.is_done(max(last, 0), made):
        if is_malformed:
            return "call_error", "the reply cannot be read as a call"
        if made:
            return "early_termination", f"it ended with {made:,} of {len(gold.golds):,} calls"
        return "refusal", "no call was made where one is due"
    return "call_error", "the reply is empty" if not words else "the reply ends before the task does"


def _shown(dialogue: Dialogue, at: int, turns: Sequence[Turn], tools: Mapping[str, Tool]) -> Shown:
    """All that the model could take a value from; what it said itself in this task is no source."""

    def texts() -> Iterator[str]:
        earlier = dialogue.turns[: dialogue.tasks[at].turn]
        yield from _words(earlier)
        yield from _results((*earlier, *turns))
        yield from (turn.text for turn in turns if dialogue.role(turn) != "assistant")
        yield from (f"{tool.description} {tool.parameters}" for tool in tools.values())
        yield dialogue.today

    return Shown(texts, dialogue.today)


def _words(turns: Sequence[Turn]) -> Iterator[str]:
    for turn in turns:
        yield turn.text
        yield from (step.text for step in turn.steps)


def _results(turns: Sequence[Turn]) -> Iterator[str]:
    return (result_text(result) for turn in turns for step in turn.steps for result in step.results)
