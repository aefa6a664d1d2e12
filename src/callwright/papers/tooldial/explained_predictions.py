"""The predictions of one dialogue in a run, explained."""

from __future__ import annotations

import msgspec

from callwright.errors import UnknownName
from callwright.match.plain_text import Normaliser
from callwright.papers.tooldial.history_text import HistoryText, shown_labels
from callwright.papers.tooldial.prediction_points import user_turn_of
from callwright.papers.tooldial.tooldial_scoring import read_task, verdicts
from callwright.protocol.run_access import RunView, find_dialogue, find_transcript
from callwright.protocol.shown_dialogue import shown_tools
from callwright.report.prediction_view import ExplainedDialogue, ExplainedPrediction


def explained(run: RunView, wanted: str, trial: int, number: int, normaliser: Normaliser) -> ExplainedDialogue:
    """Return all predictions of a dialogue, by its id, or the one of this number with its history; 0 stands for all.

    Raises UnknownName for a dialogue or a number that is not there, BadInput where replies are missing.
    """
    dialogue, chosen = find_dialogue(run, wanted), read_task(run.config)
    transcript = find_transcript(run, dialogue, trial)
    found = verdicts(dialogue, transcript, {**run.config, "normaliser": normaliser})
    if not 0 <= number <= len(found):
        raise UnknownName(f"dialogue {dialogue.id} has no prediction {number}; it has {len(found)}.")
    accounts = [
        ExplainedPrediction(
            number=nth,
            turn=user_turn_of(dialogue, one.point),
            kind=one.point.kind,
            gold=one.gold,
            reply=one.reply,
            right=one.is_right,
            errors=one.errors,
        )
        for nth, one in enumerate(found, 1)
    ]
    if number:
        point, tools = found[number - 1].point, {tool.name: tool for tool in shown_tools(dialogue, run.catalog.by_key)}
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
