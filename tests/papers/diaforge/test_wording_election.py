"""Elections between wordings: orders of their own for voters, the mode, ties by a seeded order."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import cache
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.online_voice import OnlineVoice
from callwright.engine.context import Context
from callwright.errors import Interrupted, RolloutFailed
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.diaforge.user_agent import UserView, user_view
from callwright.papers.diaforge.wording_election import elect, gather, vote, winner
from callwright.papers.registry import read_prompts
from made_dialogues import made, tools_of

TEXTS = ("One wish.", "Another wish.", "A third wish.")


class Voter:
    """Votes by a rule on the texts shown, and keeps what it was shown."""

    name = "builtin/voter"

    def __init__(self, wanted: str = "", reply: str = "") -> None:
        self.wanted = wanted
        self.fixed = reply
        self.shown: list[tuple[str, ...]] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        lines = request.messages[1].content.splitlines()
        shown = tuple(line[3:] for line in lines if line[:3] in ("1. ", "2. ", "3. "))
        self.shown.append(shown)
        number = shown.index(self.wanted) + 1 if self.wanted else 1
        return ChatReply(content=self.fixed or f'{{"reply": {number}}}')


@cache
def view() -> UserView:
    (dialogue,) = made(1)
    tools = tools_of(dialogue)
    return user_view(dialogue, tools[0], tools, settled=True)


def elected(voter: Voter, *, seed: int = 0, voters: int = 3) -> int:
    voice = OnlineVoice("user", prompts=read_prompts(), roles={vote.name: "voter"})
    ctx = Context.detached("item", seed=seed, models={"voter": voter}, voice=voice)
    return asyncio.run(elect(view(), TEXTS, ctx.at("user/2"), voters=voters))


@pytest.mark.parametrize("wanted", TEXTS)
def test_the_text_most_voters_want_wins(wanted: str) -> None:
    """In whatever order it was shown to them."""
    voter = Voter(wanted)
    assert TEXTS[elected(voter)] == wanted
    assert len(voter.shown) == 3


def test_each_voter_is_shown_all_texts_in_an_order_of_its_own() -> None:
    """Seeded: the same again for the same seed; over seeds every order comes up about equally often."""
    orders: Counter[tuple[str, ...]] = Counter()
    for seed in range(60):
        first, again = Voter(), Voter()
        assert elected(first, seed=seed) == elected(again, seed=seed)
        assert sorted(first.shown) == sorted(again.shown)
        orders.update(first.shown)
    assert all(sorted(order) == sorted(TEXTS) for order in orders)
    assert len(orders) == 6
    assert min(orders.values()) > 15


def test_who_always_takes_the_first_has_no_say() -> None:
    """A bias for a place among those shown is no bias for a text."""
    chosen = Counter(elected(Voter(), seed=seed) for seed in range(90))
    assert set(chosen) == {0, 1, 2}
    assert min(chosen.values()) > 15


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9), st.permutations(range(5)))
def test_the_winner_has_most_votes_and_of_those_the_first_place_in_the_order(
    votes: list[int], order: list[int]
) -> None:
    """Against a slow count."""
    most = max(votes.count(position) for position in range(5))
    assert winner(votes, order) == next(position for position in order if votes.count(position) == most)


def test_texts_that_are_all_the_same_need_no_vote() -> None:
    """Nobody is asked."""
    ctx = Context.detached("item")
    assert asyncio.run(elect(view(), ("a", "a"), ctx, voters=3)) in (0, 1)


@pytest.mark.parametrize("reply", ["", "2", '{"reply": 0}', '{"reply": 4}', '{"reply": "1"}', '{"vote": 1}', "[1]"])
def test_a_vote_for_nothing_fails_the_rollout_of_the_voter(reply: str) -> None:
    """After a repair and another question."""
    with pytest.raises(RolloutFailed) as failed:
        elected(Voter(reply=reply or " "))
    assert (failed.value.kind, failed.value.role) == ("bad_reply", "voter")


def test_the_first_failure_in_order_is_raised_whoever_failed_first() -> None:
    """All others run to their end; to be stopped goes before."""
    ended: list[str] = []

    async def fail(name: str, seconds: float, error: Exception) -> str:
        await asyncio.sleep(seconds)
        ended.append(name)
        raise error

    def failed(name: str) -> RolloutFailed:
        return RolloutFailed(name, kind=name, role="user")

    async def run(*works: tuple[str, float, Exception]) -> None:
        await gather([fail(*work) for work in works])

    with pytest.raises(RolloutFailed, match="first"):
        asyncio.run(run(("a", 0.02, failed("first")), ("b", 0.0, failed("second"))))
    assert ended == ["b", "a"]
    with pytest.raises(Interrupted):
        asyncio.run(run(("a", 0.0, failed("first")), ("b", 0.01, Interrupted("stop"))))


def test_both_voices_vote_for_one_of_those_shown() -> None:
    """The offline vote passes the same check."""
    for seed in range(20):
        number = vote.offline(Random(seed), view(), TEXTS)
        assert vote.faults(number, view(), TEXTS) == ()
    assert msgspec.json.decode(msgspec.json.encode(vote.reply_schema()))["required"] == ["reply"]
