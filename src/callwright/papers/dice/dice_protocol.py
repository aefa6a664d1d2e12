"""The `dice` protocol: after each round of a group chat the model makes the call of that round (section 4).

The model sees what people said in this round and the ones before it, with the calls and results that are due there,
whatever it called itself; each message names its speaker. With `--top-tools N` it sees the tools nearest to the words
of the round; whether the gold tool is among them is a figure of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from callwright.catalog.retrieval import Retriever
from callwright.errors import BadInput
from callwright.models.chat import ChatRequest, Message
from callwright.papers.dice.dice_options import DiceProtocolOptions
from callwright.papers.dice.dice_scoring import NOTE, PANELS, judge, score
from callwright.protocol import EvaluationProtocol, Prediction
from callwright.protocol.shown_dialogue import assistant_turn, system_message
from callwright.protocol.turn_messages import messages_of
from callwright.records.dialogue import Call, Dialogue, Turn
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from callwright.records.transcript import TaskPart, Transcript

if TYPE_CHECKING:
    from callwright.engine.context import Context

VERSION: Final = "dice.v1"

DUTIES: Final = (
    "You take part in a group chat as the assistant. People agree among themselves on what you are to do; each message "
    "says who speaks. When you are addressed, make the one call that they have agreed on, with the tools listed. What "
    "it needs may stand anywhere in the chat, also in earlier results. Ask nothing, and call nothing else."
)
"""The system message of a coached model."""
LISTENING: Final = "Nobody asked me for anything, so I only listen."
"""The right reply to a round in which no call is due."""


async def rollout(
    dialogue: Dialogue, tools: tuple[Tool, ...], ctx: Context, options: DiceProtocolOptions, *, duties: str = DUTIES
) -> Transcript:
    """Return the model's reply to each round; `tools` are those of the dialogue. Raises RolloutFailed."""
    turns: list[Turn] = []
    parts: list[TaskPart] = []
    errors: list[str] = []
    asked = _requests(dialogue, tools, options, duties)
    for at, (said, request) in enumerate(zip(rounds_of(dialogue), asked, strict=True)):
        reply = await ctx.at(f"round/{at}").ask("model", request)
        errors += reply.format_errors
        names = tuple(tool.name for tool in request.tools) if options.top_tools else None
        parts.append(TaskPart(len(turns), reply.format_errors, names))
        turns += [*said, assistant_turn(dialogue, reply)]
    return Transcript(
        dialogue=dialogue.id,
        protocol=VERSION,
        model=ctx.models["model"].name,
        trial=ctx.trial,
        turns=tuple(turns),
        ended="tasks",
        format_errors=tuple(errors),
        tasks=tuple(parts),
    )


def _requests(
    dialogue: Dialogue, tools: tuple[Tool, ...], options: DiceProtocolOptions, duties: str
) -> Iterator[ChatRequest]:
    """Yield the request of each round."""
    system, nearest = Message("system", system_message(duties, dialogue)), _nearest(tools, options.top_tools)
    for at, said in enumerate(rounds_of(dialogue)):
        history = dialogue.turns[: _asked(dialogue, at) + 1]
        yield ChatRequest((system, *messages_of(dialogue, history)), nearest(said))


def gold_requests(
    dialogue: Dialogue, tools: tuple[Tool, ...], options: DiceProtocolOptions, duties: str
) -> Iterator[Prediction]:
    """Yield the request of each round with its gold call; with words where the assistant only listens."""
    asked = _requests(dialogue, tools, options, duties)
    for at, (task, request) in enumerate(zip(dialogue.tasks, asked, strict=True)):
        calls = tuple(Call(gold.tool, encode(gold.values)) for gold in task.gold)
        yield Prediction(request, "" if calls else LISTENING, _asked(dialogue, at) + 1, calls)


def rounds_of(dialogue: Dialogue) -> list[tuple[Turn, ...]]:
    """Return for each task what people say from the last call on, up to the request."""
    begin, found = 0, []
    for at in range(len(dialogue.tasks)):
        end = _asked(dialogue, at) + 1
        found.append(tuple(turn for turn in dialogue.turns[begin:end] if dialogue.role(turn) == "user"))
        begin = end
    return found


def _asked(dialogue: Dialogue, at: int) -> int:
    turn = dialogue.tasks[at].turn
    return -1 if turn is None else turn


def _nearest(tools: tuple[Tool, ...], count: int) -> Callable[[Sequence[Turn]], tuple[Tool, ...]]:
    """The function that returns the tools shown after the words of a round, in the order of the dialogue."""
    if not count or count >= len(tools):
        return lambda said: tools
    index = Retriever(tools)

    def nearest(said: Sequence[Turn]) -> tuple[Tool, ...]:
        found = {place for place, _ in index.search(" ".join(turn.text for turn in said), count)}
        return tuple(tool for place, tool in enumerate(tools) if place in found)

    return nearest


def check(dialogue: Dialogue, tools: tuple[Tool, ...], options: DiceProtocolOptions) -> None:
    """Raise BadInput for a dialogue without rounds, or with one that asks for no call, several, or an unknown tool."""
    del options
    names = {tool.name for tool in tools}
    if not dialogue.tasks:
        raise BadInput(f"dialogue {dialogue.id}: it has no rounds. Use data of `callwright read dice`.")
    last = -1
    for number, task in enumerate(dialogue.tasks, 1):
        where = f"dialogue {dialogue.id}, round {number}"
        if len(task.gold) != 1 and not (task.kind == "chat" and not task.gold):
            raise BadInput(f"{where}: {len(task.gold)} gold calls; give it one, or make the task a `chat`.")
        if task.gold and task.gold[0].tool not in names:
            raise BadInput(f"{where}: the gold tool {task.gold[0].tool!r:.80} is not among its tools. Add it.")
        if task.turn is None or not last < task.turn < len(dialogue.turns):
            raise BadInput(f"{where}: `turn` is no later turn of the dialogue. Correct it.")
        last = task.turn


def most_replies(dialogue: Dialogue, options: DiceProtocolOptions) -> int:
    """Return the number of rounds."""
    del options
    return len(dialogue.tasks)


PROTOCOL: Final = EvaluationProtocol(
    VERSION,
    DiceProtocolOptions,
    check,
    rollout,
    most_replies,
    score,
    judge,
    PANELS,
    NOTE,
    duties=DUTIES,
    gold_requests=gold_requests,
)
