"""The predictions of one dialogue in a run, explained."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from callwright.errors import UnknownName
from callwright.papers.tooldial.history_text import HistoryText, shown_labels
from callwright.papers.tooldial.prediction_points import user_turn_of
from callwright.papers.tooldial.tooldial_scoring import PredictionVerdict, read_task, verdicts
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript
from callwright.report.prediction_view import ExplainedDialogue, ExplainedPrediction


def explained(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], options: Mapping[str, Json], number: int = 0
) -> ExplainedDialogue:
    """Return all predictions of a transcript, or the one of this number with its history; tools by shown names.

    Raises UnknownName for a number that is not there, BadInput where replies are missing.
    """
    chosen = read_task(options)
    found = verdicts(dialogue, transcript, options)
    if not 0 <= number <= len(found):
        raise UnknownName(f"dialogue {dialogue.id} has no prediction {number}; it has {len(found)}.")
    accounts = [_account(dialogue, nth, one) for nth, one in enumerate(found, 1)]
    if number:
        point = found[number - 1].point
        replies = {one.point: one.reply for one in found[: number - 1]}
        text = HistoryText(dialogue, tools, point, shown_labels(chosen.task, chosen.history), replies).text
        accounts = [msgspec.structs.replace(accounts[number - 1], history=text)]
    return ExplainedDialogue(
        dialogue=dialogue.id,
        model=transcript.model,
        trial=transcript.trial,
        task=chosen.task,
        shown=chosen.history,
        predictions=tuple(accounts),
    )


def _account(dialogue: Dialogue, number: int, verdict: PredictionVerdict) -> ExplainedPrediction:
    return ExplainedPrediction(
        number=number,
        turn=user_turn_of(dialogue, verdict.point),
        kind=verdict.point.kind,
        gold=verdict.gold,
        reply=verdict.reply,
        right=verdict.is_right,
        errors=verdict.errors,
    )
