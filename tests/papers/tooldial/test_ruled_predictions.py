"""`builtin/retriever` as a labeller: acts and states by rules over the history, never by labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cinema_corpus import corpus_of

from callwright.app.corpora import write_corpus
from callwright.app.evaluation import evaluate_model
from callwright.app.rescoring import score_runs
from callwright.models.chat import ChatRequest, Message
from callwright.papers.tooldial.prediction_points import PredictionPoint
from callwright.papers.tooldial.prediction_prompts import prediction_request
from callwright.papers.tooldial.ruled_predictions import ruled_reply

ORDER = {
    "api_name": "cancel_order",
    "api_description": "Cancel an order.",
    "required_parameters": [{"name": "order_id", "type": "string"}, {"name": "email", "type": "string"}],
    "optional_parameters": [{"name": "note", "type": "string"}],
}
LIST = {"api_name": "list_orders", "api_description": "List orders.", "required_parameters": []}
SOURCES = ["Output component of list_orders to procure cancel_order's input parameter order_id -> id"]
ORDERS = '[{"id":"A-17","day":"Monday"},{"id":"A-18","day":"Friday"}]'
MAIL = "ann@example.org"


def line(label: str, content: Any) -> str:
    """A line of a history."""
    return f"- {label}: {content if isinstance(content, str) else json.dumps(content)}"


def user(text: str) -> list[str]:
    """A turn of the user."""
    return [f"User: {text}", "System:"]


def search(found: Any, *documents: Any) -> list[str]:
    """A search with the documents that it shows."""
    status = line("Retriever status", {"retriever_call": "true", "retrieved_api": found})
    return [status, *(line("API documentation", one) for one in documents)]


WISH = user("I want to cancel an order.")
ASKED = [*WISH, *search({"cancel_order": 0.7, "list_orders": 0.4}, ORDER), "- Message: Your order ID and email?"]
SUGGESTED = [*WISH, *search({"cancel_order": 0.55}, ORDER), "- Message: Shall I cancel an order?"]
TOLD = [*ASKED, *user(f"The order ID is A-17 and the email is {MAIL}.")]
FAILED = [*ASKED, *user(f"I don't know the order ID. The email is {MAIL}.")]
LISTED = [*FAILED, *search(SOURCES, LIST), line("Call result", ORDERS)]
CHOSEN = [*LISTED, "- Message: Monday's or Friday's?", *user("The one of Friday.")]
DONE = [*TOLD, line("Call result", "{}"), "- Message: Done."]


def asked(kind: Any, lines: list[str]) -> Any:
    """The reply to what is asked at the end of these lines."""
    return json.loads(ruled_reply(prediction_request("", PredictionPoint(kind, 0), "\n".join(lines))))


@pytest.mark.parametrize(
    ("lines", "act"),
    [
        (WISH, "retriever_call"),
        ([*WISH, *search({"cancel_order": 0.3})], "clarify"),
        ([*WISH, *search({"cancel_order": 0.3}), "- Message: What exactly?", *user("Cancel it.")], "retriever_call"),
        ([*WISH, *search({"cancel_order": 0.5})], "suggest"),
        ([*SUGGESTED, *user("Yes, please.")], "request"),
        ([*SUGGESTED, *user("No, something else.")], "response_fail"),
        ([*WISH, *search({"cancel_order": 0.6}, ORDER)], "request"),
        ([*user(f"Cancel the order A-17, email {MAIL}."), *search({"cancel_order": 0.6}, ORDER)], "call"),
        (TOLD, "call"),
        (FAILED, "retriever_call"),
        ([*FAILED, *search(SOURCES, LIST)], "call"),
        (LISTED, "request"),
        (CHOSEN, "call"),
        ([*CHOSEN, line("Call result", "{}")], "response"),
        ([*DONE, *user("Thanks, bye.")], "system_bye"),
    ],
)
def test_acts_follow_scores_and_missing_values(lines: list[str], act: str) -> None:
    """Each of the eight acts, by what stands in the history; no act is shown in it."""
    assert asked("act", lines) == {"action": act}


@pytest.mark.parametrize(
    ("lines", "order", "email"),
    [
        (ASKED, "", ""),
        (TOLD, "A-17", MAIL),
        ([*LISTED, "- Message: Monday's or Friday's?"], "", MAIL),
        (CHOSEN, "A-18", MAIL),
        ([*CHOSEN, line("Call result", "{}"), "- Message: Done."], "A-18", MAIL),
    ],
)
def test_states_carry_what_was_said_and_chosen(lines: list[str], order: str, email: str) -> None:
    """Empty texts for what nobody gave; of several results the one that the user speaks of."""
    assert asked("state", lines) == {
        "api_confirmed": "true",
        "api_status": {
            "api_name": "cancel_order",
            "required_parameters": {"order_id": order, "email": email},
            "optional_parameters": {"note": ""},
        },
    }


@pytest.mark.parametrize(
    "lines",
    [
        [*WISH, *search({"cancel_order": 0.3}), "- Message: What exactly?"],
        SUGGESTED,
        [*SUGGESTED, *user("No, something else."), "- Message: Then I cannot help."],
        [*DONE, *user("Thanks, bye."), "- Message: Goodbye."],
    ],
)
def test_nothing_is_confirmed_where_nothing_is(lines: list[str]) -> None:
    """After a question what is meant, a suggestion, giving up, and a goodbye."""
    assert asked("state", lines) == {"api_confirmed": "false", "api_status": "none"}


def test_the_source_is_aimed_at_until_its_call() -> None:
    """The state is that of the tool that supplies the missing value, then the first one's again."""
    needy = {**LIST, "required_parameters": [{"name": "shop_name", "type": "string"}]}
    asking = [*FAILED, *search(SOURCES, needy), "- Message: What is the shop name?"]
    told = [*asking, *user("The shop name is Oakfield.")]

    assert asked("state", asking)["api_status"]["api_name"] == "list_orders"
    assert asked("act", told) == {"action": "call"}
    assert (
        asked("state", [*told, line("Call result", ORDERS), "- Message: Which?"])["api_status"]["api_name"]
        == "cancel_order"
    )


def test_labels_of_states_are_not_read() -> None:
    """A wrong state in the history changes no reply; an act that is shown tells what the turn before asked."""
    wrong = line("Dialogue State", {"api_confirmed": "false", "api_status": "none"})

    assert asked("act", [*ASKED, wrong, *user("The order ID is A-17.")]) == {"action": "call"}
    assert asked("act", [*ASKED[:-1], "- Action: clarify", ASKED[-1], *user("Hm.")]) == {"action": "retriever_call"}


def test_a_response_is_the_latest_result() -> None:
    """In its own words, without a model."""
    request = ChatRequest(
        (Message("user", "Conversation:\n\n" + "\n".join([*TOLD, line("Call result", '{"ok":true}')])),)
    )

    assert ruled_reply(request) == '{"ok":true}'


@pytest.mark.parametrize("history", ["gold", "none", "own"])
def test_it_stands_between_a_constant_reply_and_the_oracle(tmp_path: Path, history: str) -> None:
    """Over the 23 sequences as text, with the documents that the searches showed, in both tasks."""
    write_corpus(tmp_path / "td", "tooldial", corpus_of(text=True))
    for task in ("state", "act"):
        values = []
        for model in ("builtin/eager", "builtin/retriever", "builtin/oracle"):
            out = tmp_path / f"{task} {model.replace('/', ' ')}"
            evaluate_model(tmp_path / "td", "tooldial", model=model, out=out, task=task, history=history)
            values += [row.value for row in score_runs(out) if row.metric == f"{task}_match" and not row.slice]

        eager, ruled, oracle = values
        assert eager < ruled < oracle == 1, values
