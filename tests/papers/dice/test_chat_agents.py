"""`synth dice --author`: what each person is told, and what the rules do with replies."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.sent import sent_requests
from callwright.cli import main
from callwright.engine.budget import Budget
from callwright.errors import BadInput, BadRecord, BudgetSpent
from callwright.models.chat import ChatReply
from callwright.models.retries import Patience
from callwright.papers.dice.chat_plan import ChatPlan, ChatPlanner, prepare
from callwright.papers.dice.chat_roles import PROMPTS, person_view, read_next, users, wanting
from callwright.papers.dice.dice_options import DiceOptions
from callwright.papers.registry import find_recipe
from served_voice import Answer, Prompt, builtin_author, serving

N = 6


def synth(out: Path, url: str, **changed: Any) -> callwright.SynthesisResult:
    options: dict[str, Any] = {"n": N, "seed": 7, "out": out, "author": "openai/a", "base_url": url}
    options["patience"] = Patience(tries=1)
    return callwright.synthesize("dice", "builtin/enterprise", **options | changed)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, callwright.SynthesisResult]:
    """Chats of `builtin/author`, asked for twice; do not change them."""
    folder = tmp_path_factory.mktemp("chats") / "ds"
    with serving(builtin_author) as server:
        result = synth(folder, server.url, concurrency=1)
        asked = len(server.asked)
        assert synth(folder, server.url, concurrency=1) == result
        assert len(server.asked) == asked == result.calls
    return folder, result


def test_chats_are_kept_or_counted_by_reason(made: tuple[Path, callwright.SynthesisResult]) -> None:
    """Every role is asked."""
    _, result = made
    assert result.kept > 0
    assert (result.failed, result.planned) == ({}, result.kept + sum(result.rejected.values()))
    assert set(result.rejected) <= set(find_recipe("dice").reasons)
    assert set(result.tokens) == set(PROMPTS)


def test_nobody_is_told_the_whole_call() -> None:
    """A value is told to the one who knows it; the wish to one, who does not know all values."""
    workshop = ChatPlanner(prepare(callwright.read_catalog("builtin/enterprise")), DiceOptions(), 7)
    plans = [one for at in range(36) if isinstance(one := workshop.plan(f"chat {at}", at), ChatPlan)]
    assert len(plans) > 30
    for plan in plans:
        for at, round_ in enumerate(plan.rounds):
            views = [person_view(plan.scenario, at, who, round_.tool, ()) for who in users(plan.scenario)]
            wants = wanting(plan.scenario, at)
            assert [view.name for view in views if view.wish] == [wants.name]
            assert sum(len(view.knows) for view in views) == len(round_.holders)
            assert not round_.holders or set(round_.holders.values()) != {wants.id}
            assert [view.name for view in views if view.needs] == ([wants.name] if round_.holders else [])
            assert {noun for view in views for noun in view.knows} == {noun for view in views for noun in view.needs}


def test_days_are_told_with_their_month() -> None:
    """So that nobody can take them for another day; what other rounds need is not told."""
    workshop = ChatPlanner(prepare(callwright.read_catalog("builtin/enterprise")), DiceOptions(), 7)
    plans = [one for at in range(36) if isinstance(one := workshop.plan(f"chat {at}", at), ChatPlan)]
    views = [
        person_view(plan.scenario, at, who, round_.tool, ())
        for plan in plans
        for at, round_ in enumerate(plan.rounds)
        for who in users(plan.scenario)
    ]
    dates = [told for view in views for noun, told in view.knows.items() if noun.endswith(" date")]
    assert len(dates) > 5
    assert all(re.match(r"\d{1,2} [A-Z][a-z]+", told) for told in dates)
    assert not any(" Knows the " in view.persona for view in views)


def ordering(order: str) -> Answer:
    """The writer's replies, but this one of the orchestrator."""

    async def replied(prompt: Prompt) -> str:
        return order if prompt[1][1].endswith("Who is next?") else await builtin_author(prompt)

    return replied


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("I cannot help with that.", "refusal"),
        ("Call getTheOrder_now, 4711.", "value_contradicted"),
        ("I want it. You want it too.", "speakers_merged"),
        ("AI, do it.", "called_while_listening"),
    ],
)
def test_a_turn_that_stays_wrong_rejects(tmp_path: Path, sentence: str, code: str) -> None:
    """After three replies, with its reason."""
    with serving(lambda _: sentence) as server:
        result = synth(tmp_path / "ds", server.url, n=1)
        assert (result.rejected, len(server.asked)) == ({code: 1}, 3)


def test_the_end_is_not_before_the_minimum(tmp_path: Path) -> None:
    """An orchestrator that ends at once is asked again, then the chat is rejected."""
    with serving(ordering("[NEXT: END]")) as server:
        assert synth(tmp_path / "ds", server.url, n=2, parties="3").rejected == {"unfit_order": 2}


def test_a_request_in_other_words_is_asked_for_once_more(tmp_path: Path) -> None:
    """Then it is said: models have more words for a wish than rules know."""

    async def replied(prompt: Prompt) -> str:
        asked = "".join(text for _, text in prompt)
        if "\nNow ask the AI," in asked:
            return "AI, be so kind."
        return "Hear me out." if "\nBegin:" in asked else await builtin_author(prompt)

    with serving(replied) as server:
        result = synth(tmp_path / "ds", server.url)
        again = [asked for asked in server.asked if "say what shall be done: " in asked[-1][1]]
    assert again
    assert result.kept > 0
    assert not {"call_not_asked_for", "unlike_type", "low_scores"} & set(result.rejected)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[NEXT: Ana]", "Ana"),
        ("[END]", "END"),
        ("ana", "Ana"),
        ("I choose Ben.", "Ben"),
        ("[NEXT: Ben] not Ana", "Ben"),
    ],
)
def test_who_is_next_is_read_in_any_clear_form(text: str, name: str) -> None:
    """One name, or the end; two names are none."""
    assert read_next(ChatReply(text), ("Ana", "Ben")) == name
    with pytest.raises(BadRecord, match="write one of"):
        read_next(ChatReply("Ana or Ben"), ("Ana", "Ben"))


def test_an_order_of_another_form_fails(tmp_path: Path) -> None:
    """It is no fault of the chat."""
    with serving(ordering("Whoever likes.")) as server:
        assert synth(tmp_path / "ds", server.url, n=1).failed == {"bad_reply": 1}


def test_a_budget_stops_and_a_higher_one_goes_on(made: tuple[Path, callwright.SynthesisResult], tmp_path: Path) -> None:
    """What was spent stays below it; then the same chats as without a stop, and nothing answered is asked again."""
    folder, whole = made
    spent = sum(used.tokens_in + used.tokens_out for used in whole.tokens.values())
    with serving(builtin_author) as server:
        with pytest.raises(BudgetSpent, match="budget is spent"):
            synth(tmp_path / "ds", server.url, concurrency=1, budget=Budget(tokens=spent // 2))
        assert 0 < len(server.asked) < whole.calls
        synth(tmp_path / "ds", server.url, concurrency=1, budget=Budget(tokens=10 * spent))
        assert len(server.asked) == whole.calls
    again, first = (callwright.open_dataset(place).dialogues for place in (tmp_path / "ds", folder))
    assert [chat.turns for chat in again] == [chat.turns for chat in first]


def test_the_dry_run_tells_the_calls(tmp_path: Path) -> None:
    """At most, and nothing is asked."""
    command = ["synth", "dice", "builtin/enterprise", "-n", "4", "-o", str(tmp_path / "ds"), "--dry-run", "--json"]
    done = CliRunner().invoke(main, [*command, "--author", "openai/a", "--base-url", "http://127.0.0.1:1/v1"])
    told = json.loads(done.output)
    assert 4 * 5 < told["estimate"]["calls"] < told["most_calls"]


def test_listening_needs_rules(tmp_path: Path) -> None:
    """Refused before anything is written."""
    with pytest.raises(BadInput, match="has no listening"):
        synth(tmp_path / "ds", "http://127.0.0.1:1/v1", listening=0.5)


def test_sent_requests_are_those_answered(made: tuple[Path, callwright.SynthesisResult]) -> None:
    """`show --sent` finds each request of a chat."""
    folder, _ = made
    sent = sent_requests(folder, next(iter(callwright.open_dataset(folder).dialogues)).id)
    assert set(Counter(one.role for one in sent)) == set(PROMPTS)
    assert all(one.is_as_sent for one in sent)
