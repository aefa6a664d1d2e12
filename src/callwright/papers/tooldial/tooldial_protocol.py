"""The `tooldial` protocol: a model predicts states, acts or the last response of recorded dialogues (section 4).

The dialogue goes on as recorded, whatever is predicted. `--history` decides which labels of earlier turns are shown;
with `own` they are the model's earlier replies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from callwright.errors import BadInput
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.structured import read_object
from callwright.papers.tooldial.history_text import HistoryText, shown_labels
from callwright.papers.tooldial.prediction_points import (
    PredictionPoint,
    asked_points,
    gold_act,
    gold_state,
    notes_of,
    prediction_points,
)
from callwright.papers.tooldial.prediction_prompts import DUTIES, prediction_request
from callwright.papers.tooldial.ruled_predictions import ruled_reply
from callwright.papers.tooldial.tooldial_options import ToolDialProtocolOptions
from callwright.papers.tooldial.tooldial_scoring import NOTE, PANELS, judge, score
from callwright.protocol import EvaluationProtocol, Prediction
from callwright.protocol.shown_dialogue import assistant_id
from callwright.records.dialogue import Dialogue, Step, Turn
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript

if TYPE_CHECKING:
    from callwright.engine.context import Context

VERSION: Final = "tooldial.v1"


async def rollout(
    dialogue: Dialogue,
    tools: tuple[Tool, ...],
    ctx: Context,
    options: ToolDialProtocolOptions,
    *,
    duties: str,
    shown: tuple[Tool, ...] = (),
) -> Transcript:
    """Return the replies of the model to all that is asked of a dialogue. Raises RolloutFailed.

    The transcript has them as turns of the assistant, between the user's turns; of the task `faithfulness` it has the
    recorded dialogue up to the response, with the model's words in place.
    """
    del shown
    predicted: dict[PredictionPoint, str] = {}
    replies: list[tuple[PredictionPoint, ChatReply]] = []
    format_errors: list[str] = []
    for point in asked_points(dialogue, options):
        place = ctx.at(f"{point.kind}/{point.turn}/{point.step}")
        reply = await place.ask("model", _request(dialogue, tools, options, duties, point, predicted))
        predicted[point] = reply.content
        replies.append((point, reply))
        if errors := reply.format_errors or (() if point.kind == "response" else read_object(reply.content)[1]):
            format_errors.append(f"{place.scope}: {'; '.join(errors)}")
    is_response = options.task == "faithfulness"
    return Transcript(
        dialogue=dialogue.id,
        protocol=VERSION,
        model=ctx.models["model"].name,
        trial=ctx.trial,
        turns=tuple(_with_response(dialogue, replies) if is_response else _with_replies(dialogue, replies)),
        ended="script",
        format_errors=tuple(format_errors),
    )


def _request(
    dialogue: Dialogue,
    tools: tuple[Tool, ...],
    options: ToolDialProtocolOptions,
    duties: str,
    point: PredictionPoint,
    predicted: Mapping[PredictionPoint, str],
) -> ChatRequest:
    named = {tool.name: tool for tool in tools}
    shown = shown_labels(options.task, options.history)
    return prediction_request(duties, point, HistoryText(dialogue, named, point, shown, predicted).text)


def _with_replies(dialogue: Dialogue, replies: list[tuple[PredictionPoint, ChatReply]]) -> Iterator[Turn]:
    speaker, begin = assistant_id(dialogue), 0
    for point, reply in replies:
        for turn in dialogue.turns[begin : point.turn + 1]:
            if dialogue.role(turn) == "user":
                yield turn
        begin = max(begin, point.turn + 1)
        yield Turn(speaker, reply.content, (Step(thought=reply.thought),) if reply.thought else ())


def _with_response(dialogue: Dialogue, replies: list[tuple[PredictionPoint, ChatReply]]) -> Iterator[Turn]:
    for point, reply in replies[-1:]:
        yield from dialogue.turns[: point.turn]
        yield msgspec.structs.replace(dialogue.turns[point.turn], text=reply.content)


def gold_requests(
    dialogue: Dialogue, tools: tuple[Tool, ...], options: ToolDialProtocolOptions, duties: str
) -> Iterator[Prediction]:
    """Yield what a model without errors is asked of a dialogue, each with the right reply."""
    predicted: dict[PredictionPoint, str] = {}
    for point in asked_points(dialogue, options):
        request = _request(dialogue, tools, options, duties, point, predicted)
        predicted[point] = _gold_reply(dialogue, point)
        yield Prediction(request, predicted[point], point.turn)


def _gold_reply(dialogue: Dialogue, point: PredictionPoint) -> str:
    if point.kind == "state":
        return encode(gold_state(dialogue, point))
    if point.kind == "act":
        return encode({"action": gold_act(dialogue, point)})
    return dialogue.turns[point.turn].text


def check(dialogue: Dialogue, tools: tuple[Tool, ...], options: ToolDialProtocolOptions) -> None:
    """Raise BadInput for a dialogue without states and acts, or of which nothing can be predicted."""
    del tools
    notes_of(dialogue)
    if options.task != "faithfulness" and not prediction_points(dialogue, options.task):
        raise BadInput(f"dialogue {dialogue.id}: it has no {options.task} to predict. Remove the dialogue.")


def most_replies(dialogue: Dialogue, options: ToolDialProtocolOptions) -> int:
    """Return the number of predictions."""
    return len(asked_points(dialogue, options))


PROTOCOL: Final = EvaluationProtocol(
    VERSION,
    ToolDialProtocolOptions,
    check,
    rollout,
    most_replies,
    score,
    judge,
    PANELS,
    NOTE,
    duties=DUTIES,
    shown=lambda catalog, options: lambda dialogue: (),  # their documents stand in the history
    gold_requests=gold_requests,
    ruled=ruled_reply,
    criteria=("faithfulness",),
)
