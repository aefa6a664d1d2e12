"""What a transcript says beside its turns."""

from __future__ import annotations

import msgspec

from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Turn
from callwright.records.dialogue_state import ActLabel, ApiState, DomainState, ParameterValue, SlotValue
from callwright.records.jsontext import JsonText
from callwright.records.transcript import PredictedTurn, Predictions, Transcript

PLAIN = Transcript(dialogue="d1", protocol="hand.v1", model="m", turns=(Turn("assistant", "Which?"),), ended="script")
PREDICTIONS = Predictions(
    turns=(
        PredictedTurn(
            turn=0,
            states=(DomainState(domain="hotel", slots=(SlotValue("area", ("north",)),)),),
            api=ApiState(api="find_hotel", required=(ParameterValue("area", JsonText('"north"')),)),
        ),
        PredictedTurn(turn=1, acts=(ActLabel("request", "stars"),)),
    )
)


def test_predicted_states_and_acts_are_read_back() -> None:
    """States, the API aimed at and acts stand under the turn they were predicted for."""
    transcript = msgspec.structs.replace(PLAIN, annotation=PREDICTIONS)

    assert from_line(to_line(transcript), Transcript, where="x:1").annotation == PREDICTIONS


def test_a_transcript_without_predictions_has_no_field_for_them() -> None:
    """The field is not written where there is nothing, and a line without it is read."""
    line = to_line(PLAIN)

    assert "annotation" not in msgspec.json.decode(line)
    assert from_line(line, Transcript, where="x:1") == PLAIN
