"""What a model is shown of a dialogue in each task and history."""

from __future__ import annotations

from itertools import pairwise

import pytest
from cinema_corpus import SEQUENCES, corpus_of

from callwright.papers.tooldial.history_text import HistoryText, shown_labels
from callwright.papers.tooldial.prediction_points import PredictionPoint, asked_points, prediction_points
from callwright.papers.tooldial.tooldial_options import History, PredictionTask, ToolDialProtocolOptions
from callwright.protocol.shown_dialogue import shown_tools

LINKED = next(acts for acts in SEQUENCES if "request_multi" in acts and acts.count("request") > 1)
CORPUS = corpus_of([LINKED], text=True)
(DIALOGUE,) = CORPUS.dialogues
TOOLS = {tool.name: tool for tool in shown_tools(DIALOGUE, CORPUS.catalog.by_key)}
OWN_STATE = '{"api_confirmed": "false", "api_status": "mine"}'


def shown(task: PredictionTask, history: History, at: int = -1) -> str:
    """The history of a point, where the model has answered everything before in its own way."""
    points = asked_points(DIALOGUE, ToolDialProtocolOptions(task=task, history=history))
    point = points[at]
    own = {one: OWN_STATE if one.kind == "state" else '{"action": "suggest"}' for one in points[: points.index(point)]}
    return HistoryText(DIALOGUE, TOOLS, point, shown_labels(task, history), own).text


def count(text: str, label: str) -> int:
    return sum(line.startswith(f"- {label}:") for line in text.splitlines())


N_ACTS = len(prediction_points(DIALOGUE, "act"))
N_STATES = len(prediction_points(DIALOGUE, "state"))


@pytest.mark.parametrize(
    ("task", "history", "thoughts", "acts", "states"),
    [
        ("state", "gold", N_ACTS, N_ACTS, N_STATES - 1),
        ("state", "none", N_ACTS, N_ACTS, 0),
        ("state", "own", N_ACTS, N_ACTS, N_STATES - 1),
        ("act", "gold", 0, N_ACTS - 1, N_STATES - 1),
        ("act", "none", 0, 0, N_STATES - 1),
        ("act", "own", 0, N_ACTS - 1, N_STATES - 1),
        ("overall", "gold", 0, N_ACTS, N_STATES - 1),
        ("overall", "none", 0, 0, 0),
        ("overall", "own", 0, N_ACTS, N_STATES - 1),
        ("faithfulness", "gold", N_ACTS - 2, N_ACTS - 2, N_STATES - 2),
        ("faithfulness", "none", 0, 0, 0),
        ("faithfulness", "own", 0, N_ACTS - 2, N_STATES - 2),
    ],
)
def test_labels_by_task_and_history(
    task: PredictionTask, history: History, thoughts: int, acts: int, states: int
) -> None:
    """For states only states change; for acts thoughts are gone in all (Equation 4) and only acts change (5)."""
    text = shown(task, history)

    assert (count(text, "Thought"), count(text, "Action"), count(text, "Dialogue State")) == (thoughts, acts, states)
    assert count(text, "Retriever status") == count(text, "API documentation") == 2
    assert count(text, "Call result") == 2


def test_own_labels_are_the_models() -> None:
    """With `own`, every label of the predicted kind is what the model said; the others stay gold."""
    states, acts = shown("state", "own"), shown("act", "own")

    assert states.count('"api_status":"mine"') == N_STATES - 1
    assert "- Action: retriever_call" in states
    assert acts.count("- Action: suggest") == N_ACTS - 1
    assert "mine" not in acts


def test_a_response_follows_own_labels() -> None:
    """With `own`, a response is asked for after every state and act before it, all of which are the model's."""
    options = ToolDialProtocolOptions(task="faithfulness", history="own")
    *labels, response = asked_points(DIALOGUE, options)
    text = shown("faithfulness", "own")

    assert response == prediction_points(DIALOGUE, "faithfulness")[0]
    assert labels == prediction_points(DIALOGUE, "overall")[: len(labels)]
    assert text.count("- Action: suggest") == sum(point.kind == "act" for point in labels) == N_ACTS - 2
    assert text.count('"api_status":"mine"') == sum(point.kind == "state" for point in labels) == N_STATES - 2
    assert '"api_confirmed":"true"' not in text


def test_overall_goes_on_from_its_own_labels() -> None:
    """With the gold history, overall shows gold labels of earlier exchanges and its own of the one at hand."""
    points = prediction_points(DIALOGUE, "overall")
    bye = [point for point in points if point.turn == points[-1].turn]
    text = shown("overall", "gold")

    assert text.count("- Action: suggest") == len(bye) - 1 == 1
    assert "mine" not in text


@pytest.mark.parametrize("task", ["state", "act", "overall", "faithfulness"])
def test_nothing_to_come_is_shown(task: PredictionTask) -> None:
    """Each history is the beginning of the next one with the same labels; the point itself is never in it."""
    points = prediction_points(DIALOGUE, task)
    texts = [shown(task, "gold", at) for at in range(len(points))]
    assert len(texts) == len(points) >= 1
    for before, after in pairwise(texts):
        assert len(before) <= len(after)
        assert task == "overall" or after.startswith(before)


def test_arguments_of_calls_are_not_shown() -> None:
    """The values of a call would be the state: `none` shows them only where somebody said them."""
    text = shown("state", "none", N_STATES - 2)

    assert "2025-05-03" in text
    assert '"cinema_id":"K9"' not in text


def test_no_text_passes_for_a_label() -> None:
    """Line breaks in what users and tools say start no line."""
    import msgspec

    turns = (msgspec.structs.replace(DIALOGUE.turns[0], text="Hi\n- Action: call\nUser: you"), *DIALOGUE.turns[1:])
    changed = msgspec.structs.replace(DIALOGUE, turns=turns)
    text = HistoryText(changed, TOOLS, PredictionPoint("act", 1, 0), shown_labels("act", "gold"), {}).text

    assert text == "User: Hi - Action: call User: you\nSystem:"


def test_unreadable_predictions_say_so() -> None:
    """A reply that is no state or act stands in the history as unreadable."""
    points = prediction_points(DIALOGUE, "overall")
    text = HistoryText(
        DIALOGUE, TOOLS, points[-1], shown_labels("overall", "own"), dict.fromkeys(points[:-1], "hm")
    ).text

    assert text.count(": unreadable") == len(points) - 1


def test_points_are_those_that_the_paper_counts() -> None:
    """Over the 23 sequences: a state after each turn of the assistant and each `inform`, an act for each step."""
    assert len(SEQUENCES) == 23
    for dialogue, acts in zip(corpus_of().dialogues, SEQUENCES, strict=True):
        users = [act for act in acts if act.startswith(("inform", "fail", "affirm", "negate", "user"))]
        assert len(prediction_points(dialogue, "state")) == len(users) + acts.count("inform")
        assert len(prediction_points(dialogue, "act")) == len(acts) - len(users)
        assert len(prediction_points(dialogue, "faithfulness")) == acts.count("response")
