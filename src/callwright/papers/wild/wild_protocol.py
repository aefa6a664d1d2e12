"""The `wild` protocol: the model tries every task of a dialogue (WildToolBench, sections 3.1 and 4).

Before each task the model is shown the gold trajectory of the earlier tasks, not what it did there itself. Within a
task it acts step by step. A legal step gets the gold results of its calls, also where only a lenient matcher accepts a
call; any other step ends the task, since the first error decides. Where a value is missing and the model asks for it,
the user gives the value, and the calls are due. Where the user changes a value in the middle of a task, the user says
so after the model's first step. Any other reply in words ends the task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from callwright.errors import BadDocument, BadInput, RolloutFailed
from callwright.match.leniency import LENIENT
from callwright.match.schema import fits_returns
from callwright.match.task_stages import task_stages
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.papers.wild.paper import WildProtocolOptions
from callwright.papers.wild.task_verdict import TaskGold, task_gold
from callwright.papers.wild.wild_scoring import NOTE, PANELS, judge, score
from callwright.protocol import EvaluationProtocol
from callwright.protocol.shown_dialogue import assistant_id, system_message
from callwright.protocol.turn_messages import messages_of
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Call, Dialogue, Result, Step, Turn
from callwright.records.jsontext import decode
from callwright.records.tool import Tool
from callwright.records.transcript import TaskPart, Transcript

if TYPE_CHECKING:
    from callwright.engine.context import Context

VERSION: Final = "wild.v1"

_DUTIES: Final = (
    "You help a user through several requests, one after another, with the tools listed. Calls that need nothing of "
    "each other go into one message; what needs a result waits for it. Repeat no call, and make none that is not "
    "needed: much can be answered without. What the user leaves out may stand earlier in the conversation, also in "
    "results. Where a value that a tool requires is found nowhere, ask for it and call nothing. Once everything is "
    "done, answer in words."
)


async def rollout(
    dialogue: Dialogue, tools: tuple[Tool, ...], ctx: Context, options: WildProtocolOptions, *, duties: str = _DUTIES
) -> Transcript:
    """Return what the model in the role `model` does with each task; `tools` are those shown, in their order.

    `duties` are what it is told first.
    The transcript keeps every call as the model wrote it, with the results of legal calls. Raises RolloutFailed.
    """
    system = Message("system", system_message(duties, dialogue))
    by_name = {tool.name: tool for tool in tools}
    turns: list[Turn] = []
    parts: list[TaskPart] = []
    format_errors: list[str] = []
    for at in range(len(dialogue.tasks)):
        attempt = _Attempt(dialogue, task_gold(dialogue, at, by_name, LENIENT))
        last: ChatReply | None = None
        while (shown := attempt.shown()) is not None:
            place = ctx.at(f"task/{at}/assistant/{attempt.replies}")
            last = await place.ask("model", ChatRequest((system, *shown), tools))
            format_errors += last.format_errors
            attempt.take(last)
        parts.append(TaskPart(len(turns), last.format_errors if last else ()))
        turns += attempt.turns
    return Transcript(
        dialogue=dialogue.id,
        protocol=VERSION,
        model=ctx.models["model"].name,
        trial=ctx.trial,
        turns=tuple(turns),
        ended="tasks",
        format_errors=tuple(format_errors),
        tasks=tuple(parts),
    )


class _Attempt:
    """The model's attempt at one task: the conversation it is shown next, and the turns so far."""

    def __init__(self, dialogue: Dialogue, gold: TaskGold) -> None:
        self.replies = 0
        self.turns: list[Turn] = []
        """The finished turns of the task, the user's among them."""
        self._dialogue = dialogue
        self._gold = gold
        self._speaker = assistant_id(dialogue)
        self._stage = 0
        self._made: list[tuple[int, tuple[Call, ...]]] = []
        self._steps: list[Step] = []
        self._is_over = False

    def shown(self) -> tuple[Message, ...] | None:
        """Return the conversation up to the next reply; None when the task is over."""
        if self._is_over:
            return None
        history = self._dialogue.turns[: self._gold.stages[0].first]
        return tuple(messages_of(self._dialogue, [*history, *self._so_far()]))

    def take(self, reply: ChatReply) -> None:
        """Go on after a reply."""
        self.replies += 1
        if not reply.calls:
            self._take_words(reply)
            return
        results = self._results(reply.calls)
        self._steps.append(Step(thought=reply.thought, calls=reply.calls, results=results, text=reply.content))
        self._is_over = not results
        if self._is_over:
            self.turns = self._so_far()
        elif self._is_interrupted():
            self._end_stage(self._so_far())

    def _take_words(self, reply: ChatReply) -> None:
        """End the stage; end the task too where calls are still due or no stage follows."""
        steps = (*self._steps, Step(thought=reply.thought)) if reply.thought else tuple(self._steps)
        made = sum(len(step) for _, step in self._made)
        is_right = bool(reply.content.strip()) and self._gold.is_done(self._stage, made)
        self._end_stage([*self.turns, *self._asked(), Turn(self._speaker, reply.content, steps)])
        self._is_over = not is_right or self._stage == len(self._gold.stages)

    def _end_stage(self, turns: list[Turn]) -> None:
        self.turns = turns
        self._steps = []
        self._stage += 1

    def _is_interrupted(self) -> bool:
        """Whether the user speaks now: this stage has calls, and the next one begins with a changed value."""
        here, *later = self._gold.stages[self._stage :]
        plan = self._dialogue.annotation
        changes = plan.changes if isinstance(plan, WildPlan) else ()
        return bool(here.due and later) and any(change.turn == later[0].first for change in changes)

    def _so_far(self) -> list[Turn]:
        own = [Turn(self._speaker, "", tuple(self._steps))] if self._steps else []
        return [*self.turns, *self._asked(), *own]

    def _asked(self) -> Sequence[Turn]:
        stage = self._gold.stages[self._stage]
        return self._dialogue.turns[stage.first : stage.reply]

    def _results(self, calls: tuple[Call, ...]) -> tuple[Result, ...]:
        """Return the gold results of a step's calls; none where the step is not legal."""
        self._made.append((self._stage, calls))
        try:
            legal = self._gold.follow(self._made).matched
        except BadInput as error:  # too many gold calls are equal; only this step shows it
            raise RolloutFailed(str(error), kind="bad_data", role="engine") from error
        if len(legal) < len(self._made):
            return ()
        results = (self._gold.golds[gold].result or Result(value=None) for gold in legal[-1])
        return tuple(msgspec.structs.replace(result, call=call.id) for result, call in zip(results, calls, strict=True))


def check(dialogue: Dialogue, tools: tuple[Tool, ...], options: WildProtocolOptions) -> None:
    """Raise BadInput for a dialogue without tasks, and for a task that cannot be rolled out or scored."""
    if not dialogue.tasks:
        raise BadInput(f"dialogue {dialogue.id}: it has no tasks. Use data made by `callwright synth wild`.")
    by_name = {tool.name: tool for tool in tools}
    for at, task in enumerate(dialogue.tasks):
        where = f"dialogue {dialogue.id}, task {at + 1}"
        if not (task.gold or task.kind in ("chat", "clarify")) or (task.gold and task.kind == "chat"):
            has = "has" if task.gold else "lacks"
            raise BadInput(f"{where}: a {task.kind} task {has} gold calls. Correct its kind.")
        try:
            _check_calls(dialogue, at, by_name, where)
            stages = task_gold(dialogue, at, by_name, LENIENT).stages
        except BadDocument as error:
            raise BadInput(f"{where}: {error}. Restore the value, or make the data again.") from error
        if task.kind == "clarify" and len(stages) == 1 and task.gold:
            raise BadInput(f"{where}: the user never gives the missing value. Add the user's turn that gives it.")


def _check_calls(dialogue: Dialogue, at: int, tools: Mapping[str, Tool], where: str) -> None:
    for nth, gold in enumerate(dialogue.tasks[at].gold):
        if gold.tool not in tools:
            raise BadInput(f"{where}: gold call {nth} calls {gold.tool!r}, which is not among its tools. Add it.")
        if gold.result is None:
            raise BadInput(
                f"{where}: gold call {nth} of {gold.tool!r} has no result. Use sessions "
                "of `callwright synth wild` or `callwright read wild`, or add the result."
            )
        if gold.result.value is not None:
            value = decode(gold.result.value)  # without a documented schema nothing else reads it before the rollout
            if not tools[gold.tool].returns_inferred and not fits_returns(value, tools[gold.tool]):
                raise BadInput(
                    f"{where}: the result of gold call {nth} does not fit the returns of {gold.tool!r}. Fix it."
                )
        if any(not argument.accepted for argument in gold.arguments):
            raise BadInput(f"{where}: an argument of gold call {nth} has no accepted value. Give one, or leave it out.")


def most_replies(dialogue: Dialogue, options: WildProtocolOptions) -> int:
    """Return the most replies a model is asked for: one for each gold call, and one for each stage."""
    stages = sum(len(task_stages(dialogue, at)) for at in range(len(dialogue.tasks)))
    return stages + sum(len(task.gold) for task in dialogue.tasks)


PROTOCOL: Final = EvaluationProtocol(
    VERSION, WildProtocolOptions, check, rollout, most_replies, score, judge, PANELS, NOTE, _DUTIES
)
