"""The `wild` protocol: every task of a dialogue, each after the gold trajectory of those before it (WildToolBench).

Within a task the model acts step by step. A legal step, even one that only a lenient matcher takes for legal, gets the
gold results of the calls it makes; any other step ends the task, for the first error decides. Where a value is missing
and the model asks, the user gives it, and the calls are due. Where the user changes a value in the middle, that is told
after the model's first step. The last reply of a task is one without a call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from callwright.errors import BadDocument, BadInput, RolloutFailed
from callwright.match.leniency import LENIENT
from callwright.match.schema import fits_returns
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.papers.wild.call_matching import TaskGold, task_gold
from callwright.papers.wild.extra_scores import changing_turns
from callwright.papers.wild.task_scoring import score
from callwright.papers.wild.wild_options import WildProtocolOptions
from callwright.papers.wild.wild_panels import NOTE, PANELS
from callwright.protocol import EvaluationProtocol
from callwright.protocol.shown_dialogue import assistant_id
from callwright.protocol.turn_messages import messages_of
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
    dialogue: Dialogue, tools: tuple[Tool, ...], ctx: Context, options: WildProtocolOptions
) -> Transcript:
    """Return what the model of the role `model` does with each task; `tools` are those shown, in their order.

    Calls stay in the transcript as they came, with results where they were legal. Raises RolloutFailed.
    """
    by_name = {tool.name: tool for tool in tools}
    turns: list[Turn] = []
    parts: list[TaskPart] = []
    format_errors: list[str] = []
    for at in range(len(dialogue.tasks)):
        attempt = _Attempt(dialogue, task_gold(dialogue, at, by_name, LENIENT))
        last: ChatReply | None = None
        while (shown := attempt.shown()) is not None:
            place = ctx.at(f"task/{at}/assistant/{attempt.replies}")
            last = await place.ask("model", ChatRequest((_system(dialogue), *shown), tools))
            format_errors += last.format_errors
            attempt.take(last)
        parts.append(TaskPart(len(turns), last.format_errors if last else ()))
        turns += attempt.turns()
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


def _system(dialogue: Dialogue) -> Message:
    return Message("system", f"{_DUTIES} Today is {dialogue.today}." if dialogue.today else _DUTIES)


class _Attempt:
    """One model's way through one task: what it is shown next, and what it made of it."""

    def __init__(self, dialogue: Dialogue, gold: TaskGold) -> None:
        self.replies = 0
        self._dialogue = dialogue
        self._gold = gold
        self._speaker = assistant_id(dialogue)
        self._stage = 0
        self._changes = changing_turns(dialogue)
        self._made: list[tuple[int, tuple[Call, ...]]] = []
        self._steps: list[Step] = []
        self._said: list[Turn] = []
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
            self._say(reply)
            return
        results = self._results(reply.calls)
        self._steps.append(Step(thought=reply.thought, calls=reply.calls, results=results, text=reply.content))
        self._is_over = not results
        if self._is_over:
            self._said = [*self._so_far()]
        elif self._is_interrupted():
            self._said = [*self._so_far()]
            self._steps = []
            self._stage += 1

    def _is_interrupted(self) -> bool:
        """Whether the user speaks up now: the next stage changes a value, and this one is of calls."""
        here, *later = self._gold.stages[self._stage :]
        return bool(here.due and later) and later[0].first in self._changes

    def turns(self) -> list[Turn]:
        """Return the turns of the task as they came about."""
        return self._said

    def _say(self, reply: ChatReply) -> None:
        """Words end a stage; where they are not all that is due, or nothing is to follow, they end the task."""
        steps = (*self._steps, Step(thought=reply.thought)) if reply.thought else tuple(self._steps)
        made = sum(len(step) for _, step in self._made)
        self._said = [*self._said, *self._asked(), Turn(self._speaker, reply.content, steps)]
        self._steps = []
        self._stage += 1
        is_right = bool(reply.content.strip()) and self._gold.is_done(self._stage - 1, made)
        self._is_over = not is_right or self._stage == len(self._gold.stages)

    def _so_far(self) -> list[Turn]:
        own = [Turn(self._speaker, "", tuple(self._steps))] if self._steps else []
        return [*self._said, *self._asked(), *own]

    def _asked(self) -> Sequence[Turn]:
        stage = self._gold.stages[self._stage]
        return self._dialogue.turns[stage.first : stage.reply]

    def _results(self, calls: tuple[Call, ...]) -> tuple[Result, ...]:
        """The gold results of a step's calls; nothing where the step is not legal."""
        self._made.append((self._stage, calls))
        try:
            walk = self._gold.follow(self._made).matched
        except BadInput as error:  # of the data, and found only now: so alike are its gold calls
            raise RolloutFailed(str(error), kind="bad_data", role="engine") from error
        if len(walk) < len(self._made):
            return ()
        results = (self._gold.golds[gold].result or Result(value=None) for gold in walk[-1])
        return tuple(msgspec.structs.replace(result, call=call.id) for result, call in zip(results, calls, strict=True))


def check(dialogue: Dialogue, tools: tuple[Tool, ...], options: WildProtocolOptions) -> None:
    """Raise BadInput for a dialogue without tasks, and for a task that cannot be rolled out or scored."""
    if not dialogue.tasks:
        raise BadInput(f"dialogue {dialogue.id}: it has no tasks. Use data made by `callwright synth wild`.")
    by_name = {tool.name: tool for tool in tools}
    for at, task in enumerate(dialogue.tasks):
        where = f"dialogue {dialogue.id}, task {at + 1}"
        if not (task.gold or task.kind in ("chat", "clarify")) or (task.gold and task.kind == "chat"):
            raise BadInput(f"{where}: a {task.kind} task {'has' if task.gold else 'lacks'} gold calls. Fix its kind.")
        try:
            _check_calls(dialogue, at, by_name, where)
            stages = task_gold(dialogue, at, by_name, LENIENT).stages
        except BadDocument as error:
            raise BadInput(f"{where}: {error}. Restore the value, or make the data again.") from error
        if task.kind == "clarify" and len(stages) == 1 and task.gold:
            raise BadInput(f"{where}: the user never answers the question it needs. Give the turn with the answer.")


def _check_calls(dialogue: Dialogue, at: int, tools: Mapping[str, Tool], where: str) -> None:
    for nth, gold in enumerate(dialogue.tasks[at].gold):
        if gold.tool not in tools:
            raise BadInput(f"{where}: gold call {nth} is of {gold.tool!r}, which is not among its tools. Add the tool.")
        if gold.result is None:
            raise BadInput(
                f"{where}: gold call {nth} of {gold.tool!r} has no result. Use sessions "
                "of `callwright synth wild` or `callwright read wild`, or add its result."
            )
        if gold.result.value is not None:
            decode(gold.result.value)  # where no schema is documented nothing else reads it before the model is asked
        if not _is_documented(gold.result, tools[gold.tool]):
            raise BadInput(f"{where}: the result of gold call {nth} does not fit the returns of {gold.tool!r}. Fix it.")
        if any(not argument.accepted for argument in gold.arguments):
            raise BadInput(f"{where}: an argument of gold call {nth} has no accepted value. Give one, or leave it out.")


def _is_documented(result: Result, tool: Tool) -> bool:
    """Whether a result keeps to the schema that the tool's document gives; a schema that was inferred binds nobody."""
    return result.value is None or tool.returns_inferred or fits_returns(decode(result.value), tool)


def most_replies(dialogue: Dialogue, options: WildProtocolOptions) -> int:
    """Return a reply for each gold call and one for each stage: more are never asked for."""
    tools: Mapping[str, Tool] = {}
    stages = sum(len(task_gold(dialogue, at, tools, LENIENT).stages) for at in range(len(dialogue.tasks)))
    return stages + sum(len(task.gold) for task in dialogue.tasks)


PROTOCOL: Final = EvaluationProtocol(
    VERSION, WildProtocolOptions, check, rollout, most_replies, score, PANELS, NOTE, _DUTIES
)
