"""The `dice` protocol: after each round of a group chat the model makes the call of that round (section 4).

The model sees what people said in this round and the ones before it, with the calls and results that are due there,
whatever it called itself; each message names its speaker. With `--top-tools N` it sees the tools nearest to the words
of the round; whether the gold tool is among them is a figure of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from callwright.catalog.retrieval import Retriever
from callwright.models.chat import ChatRequest, Message
from callwright.papers.dice.dice_options import DiceProtocolOptions
from callwright.papers.dice.dice_scoring import NOTE, PANELS, judge, score, why_skipped
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
NOT_SHOWN: Final = "None of the tools that I see does that."
"""The right reply where the gold tool is not shown."""


async def rollout(
    dialogue: Dialogue, tools: tuple[Tool, ...], ctx: Context, options: DiceProtocolOptions, *, duties: str = DUTIES
) -> Transcript:
    """Return the model's reply to each round; `tools` are those of the dialogue. Raises RolloutFailed."""
    turns: list[Turn] = []
    parts: list[TaskPart] = []
    errors: list[str] = []
    for at, said, request in _requests(dialogue, tools, options, duties):
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
) -> Iterator[tuple[int, tuple[Turn, ...], ChatRequest]]:
    """Yield each round: its place, what people say, and the request; none of a dialogue that is skipped."""
    if why_skipped(dialogue):
        return
    system, nearest = Message("system", system_message(duties, dialogue)), _nearest(tools, options.top_tools)
    for at, said in enumerate(rounds_of(dialogue)):
        history = dialogue.turns[: _asked(dialogue, at) + 1]
        yield at, said, ChatRequest((system, *messages_of(dialogue, history)), nearest(said))


def gold_requests(
    dialogue: Dialogue, tools: tuple[Tool, ...], options: DiceProtocolOptions, duties: str
) -> Iterator[Prediction]:
    """Yield the request of each round with its gold call; with words where none is due, or its tool is not shown."""
    for at, _, request in _requests(dialogue, tools, options, duties):
        golds, shown = dialogue.tasks[at].gold, {tool.name for tool in request.tools}
        calls = tuple(Call(gold.tool, encode(gold.values)) for gold in golds if gold.tool in shown)
        words = "" if calls else NOT_SHOWN if golds else LISTENING
        yield Prediction(request, words, _asked(dialogue, at) + 1, calls)


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
    """Accept every dialogue: what is no chat of rounds is skipped and counted."""
    del dialogue, tools, options


def most_replies(dialogue: Dialogue, options: DiceProtocolOptions) -> int:
    """Return the number of rounds; 0 for a dialogue that is skipped."""
    del options
    return 0 if why_skipped(dialogue) else len(dialogue.tasks)


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
    unmeasured=why_skipped,
    gold_requests=gold_requests,
)
