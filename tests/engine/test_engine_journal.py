"""Replay: what was asked and answered is not asked again, whatever the order of completion."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from random import Random

import pytest
from engine_jobs import EchoModel, FunctionJob, converse, ids, request
from hypothesis import given, settings
from hypothesis import strategies as st

from callwright.engine.context import Context
from callwright.engine.journal import request_digest
from callwright.engine.roll_out import Execution, Tally, roll_out
from callwright.errors import RolloutFailed
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.records.jsontext import JsonText
from callwright.records.tool import Tool
from callwright.store.outcome import Outcome
from callwright.store.run import Run


def roll(folder: Path, job: FunctionJob, *, trials: int = 1, concurrency: int = 64) -> tuple[Tally, list[Outcome]]:
    with Run.open(folder, kind="test", config={}) as run:
        tally = roll_out(job, run, seed=5, trials=trials, execution=Execution(concurrency=concurrency))
        return tally, list(run.outcomes())


def forget_outcomes(folder: Path) -> None:
    """As if every rollout had been killed just before its end."""
    with Run.open(folder, kind="test", config={}) as run:
        run.put(outcomes=[Outcome(item=kept.item, trial=kept.trial, kind="lost") for kept in run.outcomes()])


TOOLS = [Tool(name=name, description=words) for name in "fg" for words in ("", "Does it.")]
ASKED = st.builds(
    ChatRequest,
    messages=st.lists(st.builds(Message, st.just("user"), st.sampled_from(["", "a", "b"])), max_size=2).map(tuple),
    tools=st.lists(st.sampled_from(TOOLS), max_size=3).map(tuple),
    reply_schema=st.sampled_from([None, JsonText("{}")]),
)


@given(st.sampled_from("mn"), ASKED, st.sampled_from("mn"), ASKED)
def test_requests_have_one_digest_only_where_they_are_equal(
    model: str, asked: ChatRequest, other: str, also: ChatRequest
) -> None:
    """Whatever a model is shown counts: words, schema, and the tools in their order, as often as they stand there."""
    same = request_digest(model, asked) == request_digest(other, also)
    assert same == ((model, asked) == (other, also))


def test_a_finished_run_asks_nothing(tmp_path: Path) -> None:
    """The same job over a finished run neither rolls out nor asks."""
    model = EchoModel()
    job = FunctionJob(ids(5), converse, {"model": model})
    first, outcomes = roll(tmp_path, job)
    again, same = roll(tmp_path, job)
    assert (first.ok, first.rolled, first.asked) == (5, 5, 15)
    assert (again.ok, again.rolled, again.asked, again.replayed) == (5, 0, 0, 0)
    assert same == outcomes
    assert len(model.asked) == 15


def test_lost_rollouts_are_replayed_without_asking(tmp_path: Path) -> None:
    """Rollouts without an outcome are rolled out again from kept replies, to the same result."""
    model = EchoModel()
    job = FunctionJob(ids(5), converse, {"model": model})
    _, outcomes = roll(tmp_path, job, trials=2)
    forget_outcomes(tmp_path)
    tally, same = roll(tmp_path, job, trials=2)
    assert same == outcomes
    assert (tally.asked, tally.replayed, tally.changed) == (0, 30, 0)
    assert len(model.asked) == 30


def test_a_changed_request_is_reported_and_asked_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A place that asks for something else gets a new reply, which replaces the old; the rest is replayed."""
    model = EchoModel()

    def job(words: str) -> FunctionJob:
        async def rollout(index: int, ctx: Context) -> bytes:
            one = await ctx.at("one").ask("model", request("same"))
            two = await ctx.at("two").ask("model", request(words))
            return f"{one.content} {two.content}".encode()

        return FunctionJob(ids(3), rollout, {"model": model})

    roll(tmp_path, job("old words"))
    forget_outcomes(tmp_path)
    with caplog.at_level(logging.WARNING, logger="callwright"):
        tally, outcomes = roll(tmp_path, job("new words"))
    assert (tally.asked, tally.replayed, tally.changed) == (3, 3, 3)
    assert all(b"new words" in (outcome.value or b"") for outcome in outcomes)
    assert len(caplog.records) == 1
    assert caplog.records[0].getMessage().startswith("item-0, trial 0, two@model: asks for")
    forget_outcomes(tmp_path)
    tally, same = roll(tmp_path, job("new words"))
    assert (tally.asked, tally.changed) == (0, 0)
    assert same == outcomes


def test_a_kept_reply_of_another_layout_is_asked_anew(tmp_path: Path) -> None:
    """A reply that this version cannot decode counts as changed; it does not fail the rollout."""
    job = FunctionJob(ids(1), converse, {"model": EchoModel()})
    roll(tmp_path, job)
    forget_outcomes(tmp_path)
    with Run.open(tmp_path, kind="test", config={}) as run:
        run.put(replies=[kept._replace(reply=b'{"content": 3}') for kept in run.replies()])
    tally, _ = roll(tmp_path, job)
    assert (tally.ok, tally.asked, tally.changed) == (1, 3, 3)


def test_another_model_is_another_request(tmp_path: Path) -> None:
    """The model's name is part of what is asked."""

    class Other(EchoModel):
        name = "test/other"

    roll(tmp_path, FunctionJob(ids(1), converse, {"model": EchoModel()}))
    forget_outcomes(tmp_path)
    tally, _ = roll(tmp_path, FunctionJob(ids(1), converse, {"model": Other()}))
    assert (tally.asked, tally.changed) == (3, 3)


@settings(deadline=None, max_examples=15)
@given(st.randoms(use_true_random=False), st.integers(1, 40))
def test_completion_order_changes_nothing(tmp_path_factory: pytest.TempPathFactory, order: Random, lanes: int) -> None:
    """Whatever order replies come in and however many rollouts run at once, outcomes and journal are the same."""

    async def rollout(index: int, ctx: Context) -> bytes:
        async def vote(n: int, attempt: int) -> str:
            return (await ctx.at(f"vote/{n}", attempt=attempt).ask("model", request("vote"))).content

        votes = await asyncio.gather(*(vote(n, attempt) for n in range(2) for attempt in range(2)))
        return "|".join(votes).encode()

    def recorded(wait_s: object, concurrency: int) -> tuple[list[Outcome], list[object]]:
        folder = tmp_path_factory.mktemp("run")
        roll(folder, FunctionJob(ids(4), rollout, {"model": EchoModel(wait_s)}), trials=2, concurrency=concurrency)  # type: ignore[arg-type]
        with Run.read(folder) as run:
            return list(run.outcomes()), list(run.replies())

    calm = recorded(None, 1)
    assert recorded(lambda: order.random() / 300, lanes) == calm
    texts = [text for outcome in calm[0] for text in (outcome.value or b"").split(b"|")]
    assert len(set(texts)) == len(texts) == 4 * 2 * 4


def test_a_reply_is_released_only_after_it_is_committed(tmp_path: Path) -> None:
    """When a rollout gets a reply, another connection can read it from the database, durable or not."""

    async def rollout(index: int, ctx: Context) -> bytes:
        for turn in range(3):
            reply = await ctx.at(f"turn/{turn}").ask("model", request("x"))
            with Run.read(folder) as reader:
                kept = [kept for kept in reader.replies() if kept.place[:3] == (ctx.item, 0, f"turn/{turn}@model")]
            assert reply.content.encode() in kept[0].reply
        return b"seen"

    for durable in (False, True):
        folder = tmp_path / str(durable)
        with Run.open(folder, kind="test", config={}, durable=durable) as run:
            job = FunctionJob(ids(20), rollout, {"model": EchoModel(lambda: 0.001)})
            tally = roll_out(job, run, seed=1)
        assert (tally.ok, tally.failed) == (20, 0)


def test_what_is_forgotten_is_asked_for_anew(tmp_path: Path) -> None:
    """A reply that was of no use is not replayed; what came before it is."""

    async def rollout(index: int, ctx: Context) -> bytes:
        await ctx.at("first").ask("model", request("first"))
        second = ctx.at("second")
        reply = await second.ask("model", request("second"))
        if len(model.asked) == 2:
            second.forget("model")
            raise RolloutFailed("of no use", kind="bad_reply", role="model")
        return reply.content.encode()

    model = EchoModel()
    job = FunctionJob(ids(1), rollout, {"model": model})
    assert roll(tmp_path, job)[0].failures == {"bad_reply": 1}
    tally, _ = roll(tmp_path, job)
    assert (tally.ok, tally.replayed, tally.asked) == (1, 1, 1)
    assert model.asked == ["first", "second", "second"]


def test_a_failed_rollout_is_tried_again_and_keeps_its_replies(tmp_path: Path) -> None:
    """A rollout whose model failed half-way goes on, when run again, from the replies it had."""

    class Flaky(EchoModel):
        broken = True

        async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
            if self.broken and request.messages[-1].content == "second":
                raise RolloutFailed("the server went away", kind="no_reply", role="model")
            return await super().reply(request, rng)

    async def rollout(index: int, ctx: Context) -> bytes:
        return "".join(
            [(await ctx.at(word).ask("model", request(word))).content for word in ("first", "second")]
        ).encode()

    model = Flaky()
    job = FunctionJob(ids(2), rollout, {"model": model})
    tally, outcomes = roll(tmp_path, job)
    assert tally.failures == {"no_reply": 2}
    assert (outcomes[0].kind, outcomes[0].role, outcomes[0].message) == ("no_reply", "model", "the server went away")
    model.broken = False
    tally, _ = roll(tmp_path, job)
    assert (tally.ok, tally.failed, tally.replayed, tally.asked) == (2, 0, 2, 2)
    assert model.asked == ["first", "first", "second", "second"]
