"""The static protocol: the user turns of a dialogue as they stand, the assistant's decoded anew, one after another.

Each reply is given after the model's *own* earlier replies, not the recorded ones, so the fixed user may answer a
question that was never asked. The rollout stops at the first call or when the user's turns run out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from callwright.papers.diaforge.diaforge_options import StaticOptions
from callwright.papers.diaforge.shown_pool import check_pool, shown_pools
from callwright.papers.diaforge.tool_metrics import fits_a_tool
from callwright.papers.diaforge.tool_scoring import NOTE, PANELS, judge, score, unmeasured
from callwright.protocol import EvaluationProtocol
from callwright.protocol.shown_dialogue import assistant_turn, request, system_message
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.tool import Tool
from callwright.records.transcript import Ended, Transcript

if TYPE_CHECKING:
    from callwright.engine.context import Context

VERSION: Final = "diaforge-static.v1"

DUTIES: Final = (
    "You help a colleague get one thing done with the tools listed. Several of them look alike. "
    "Call a tool only when you are sure which one is meant and know a value for everything it requires: "
    "then make that one call, with nothing in it that your colleague did not ask for. "
    "Until then ask, in one short message, for what is still open. Never guess a value. "
    "If no tool does what is wanted, say so and call nothing."
)
"""The system message of a coached model."""


async def rollout(
    dialogue: Dialogue,
    tools: tuple[Tool, ...],
    ctx: Context,
    options: StaticOptions,
    *,
    duties: str = DUTIES,
    shown: tuple[Tool, ...] = (),
) -> Transcript:
    """Return what the model of the role `model` does with the dialogue; it sees `shown`, else the dialogue's `tools`.

    `duties` are what it is told before the first turn.
    Calls of unknown tools and malformed arguments stay in the transcript as they came. Raises RolloutFailed.
    """
    system = system_message(duties, dialogue)
    turns: list[Turn] = []
    format_errors: list[str] = []
    ended: Ended = "script"
    for index, said in enumerate(turn for turn in dialogue.turns if dialogue.role(turn) == "user"):
        turns.append(said)
        reply = await ctx.at(f"assistant/{index}").ask("model", request(system, dialogue, shown or tools, turns))
        turns.append(assistant_turn(dialogue, reply))
        format_errors += reply.format_errors
        if reply.calls:
            ended = "call"
            break
    return Transcript(
        dialogue=dialogue.id,
        protocol=VERSION,
        model=ctx.models["model"].name,
        trial=ctx.trial,
        turns=tuple(turns),
        ended=ended,
        format_errors=tuple(format_errors),
    )


def check(dialogue: Dialogue, tools: tuple[Tool, ...], options: StaticOptions) -> None:
    """Raise BadInput where another pool cannot be shown: every dialogue with a user and an assistant will do else."""
    check_pool(dialogue, options)


def most_replies(dialogue: Dialogue, options: StaticOptions) -> int:
    """Return the number of user turns."""
    return sum(dialogue.role(turn) == "user" for turn in dialogue.turns)


PROTOCOL: Final = EvaluationProtocol(
    VERSION,
    StaticOptions,
    check,
    rollout,
    most_replies,
    score,
    judge,
    PANELS,
    NOTE,
    duties=DUTIES,
    judges_words_of=fits_a_tool,
    unmeasured=unmeasured,
    shown=shown_pools,
)
