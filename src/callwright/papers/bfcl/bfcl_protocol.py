"""BFCL as a protocol: one reply to each single-turn question, judged as the leaderboard judges it.

All calls of a reply count together, in any order; a reply in Python call syntax makes the calls it writes. Questions of
several turns, whose services would have to be run, are skipped, and the model is not asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from callwright.errors import BadInput
from callwright.models.chat import ChatRequest
from callwright.papers.bfcl.bfcl_options import BfclOptions
from callwright.papers.bfcl.transcript_scoring import judge, score, why_skipped
from callwright.protocol import EvaluationProtocol, Panel
from callwright.protocol.shown_dialogue import assistant_turn, request
from callwright.records.annotations.bfcl_notes import BfclNotes, BfclQuestion
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript

if TYPE_CHECKING:
    from callwright.engine.context import Context

VERSION: Final = "bfcl.v1"

_DUTIES: Final = (
    "Do what the user asks by calling the tools listed, with all calls that it takes in this one reply. "
    "Take values from what the user wrote; leave out what is optional and was not asked for. "
    "If no tool can do it, or a value that is required was not given, say so and call nothing."
)


async def rollout(
    dialogue: Dialogue, tools: tuple[Tool, ...], ctx: Context, options: BfclOptions, *, duties: str = _DUTIES
) -> Transcript:
    """Return the model's one reply to a question; `duties` is what it is told first. Raises RolloutFailed."""
    turns = dialogue.turns
    format_errors: tuple[str, ...] = ()
    if not why_skipped(dialogue):
        reply = await ctx.at("assistant/0").ask("model", question_request(dialogue, tools, duties))
        turns, format_errors = (*turns, assistant_turn(dialogue, reply)), reply.format_errors
    return Transcript(
        dialogue=dialogue.id,
        protocol=VERSION,
        model=ctx.models["model"].name,
        trial=ctx.trial,
        turns=turns,
        ended="call" if turns[-1].calls else "script",
        format_errors=format_errors,
    )


def question_request(dialogue: Dialogue, tools: tuple[Tool, ...], duties: str = _DUTIES) -> ChatRequest:
    """Return what the model sees: its duties with the question's own instructions, and the conversation so far."""
    told = [turn.text for turn in dialogue.turns if dialogue.role(turn) == "system"]
    said = [turn for turn in dialogue.turns if dialogue.role(turn) != "system"]
    return request("\n\n".join((duties, *told)), dialogue, tools, said)


def check(dialogue: Dialogue, tools: tuple[Tool, ...], options: BfclOptions) -> None:
    """Raise BadInput for a dialogue that is no question of BFCL."""
    if not isinstance(dialogue.annotation, BfclQuestion | BfclNotes):
        raise BadInput(
            f"dialogue {dialogue.id}: not a BFCL question. Make the dataset with `callwright read bfcl`, or choose "
            "another protocol."
        )


def most_replies(dialogue: Dialogue, options: BfclOptions) -> int:
    """Return 1, or 0 for a question that is skipped."""
    return int(not why_skipped(dialogue))


PROTOCOL: Final = EvaluationProtocol(
    VERSION,
    BfclOptions,
    check,
    rollout,
    most_replies,
    score,
    judge,
    (
        Panel("Replies that are right", (("bfcl_acc", "Acc ↑"), ("bfcl_ceiling", "ceiling")), digits=3),
        Panel("Why replies are wrong", (("bfcl_error", "share of replies"),), digits=3, slice="error"),
    ),
    "The ceiling is what the gold answers themselves get.",
    _DUTIES,
    unmeasured=why_skipped,
)
