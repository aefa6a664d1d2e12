"""The online voice: what is asked where, what fits, and what becomes of what does not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.online_voice import ASKS, MeasuringVoice, OnlineVoice
from callwright.author.prompts import Prompts
from callwright.author.step import LONGEST_TEXT, ruled_step
from callwright.author.wanted import wanted_parameters
from callwright.engine.context import Context
from callwright.errors import RolloutFailed
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.diaforge.gold_writing import goal, gold_values
from callwright.papers.registry import read_prompts
from callwright.records.jsontext import encode
from diaforge_builders import TODAY, bundled, workshop

TOOL = bundled().by_name["refund_item"]
PERSONA = workshop().personas[0]
WANTED = wanted_parameters(TOOL)
GOOD = gold_values.offline(Random(1), TOOL, WANTED, PERSONA, TODAY)


class Author:
    """Gives its replies in turn; keeps the requests."""

    name = "builtin/author"

    def __init__(self, *replies: str | ChatReply) -> None:
        self.replies = [ChatReply(content=one) if isinstance(one, str) else one for one in replies]
        self.asked: list[ChatRequest] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        self.asked.append(request)
        return self.replies.pop(0)


def context(author: Author | None, *, prompts: Prompts | None = None) -> Context:
    voice = OnlineVoice("author", prompts=prompts or read_prompts())
    return Context.detached("item", models={"author": author} if author else {}, voice=voice)


def write_goal(author: Author | None, **options: Any) -> str:
    return asyncio.run(context(author, **options).at("fill").write(goal, TOOL, PERSONA, ()))


def write_values(author: Author) -> dict[str, Any]:
    return asyncio.run(context(author).at("fill").write(gold_values, TOOL, WANTED, PERSONA, TODAY))


def test_a_reply_that_fits_is_taken() -> None:
    """One question, without the space around the answer."""
    author = Author("  get money back \n")
    assert write_goal(author) == "get money back"
    assert author.asked == [goal.prompt(TOOL, PERSONA, ())]


def test_a_role_without_a_model_is_offline() -> None:
    """The grammar speaks, with the chance of its place."""
    assert write_goal(None) == asyncio.run(Context.detached("item").at("fill").write(goal, TOOL, PERSONA, ()))


def test_a_step_without_a_prompt_is_offline() -> None:
    """Rules write it although a model plays the role, and a rehearsal counts no request for it."""
    ruled, author = ruled_step("any/stream")(lambda rng, word: f"{word}{rng.randrange(1000)}"), Author()
    offline = asyncio.run(Context.detached("item").at("say").write(ruled, "a"))
    assert asyncio.run(context(author).at("say").write(ruled, "a")) == offline
    assert author.asked == []
    voice = MeasuringVoice("author", prompts=read_prompts())
    assert asyncio.run(Context.detached("item", voice=voice).at("say").write(ruled, "a")) == offline
    assert not voice.sizes


def test_values_are_asked_for_by_schema_and_checked_against_the_tool() -> None:
    """What fits the type alone is sent back with what is wrong."""
    author = Author('{"reply": {"nothing": 1}}', encode({"reply": GOOD}))
    assert write_values(author) == GOOD
    first, second = author.asked
    assert first.reply_schema is not None
    assert second.messages[:2] == first.messages
    assert [one.role for one in second.messages] == ["system", "user", "assistant", "user"]
    assert "order_id" in second.messages[3].content


def test_after_a_repair_it_is_asked_anew_and_then_given_up() -> None:
    """The third question is the first one again."""
    author = Author("", "", "get money back")
    assert write_goal(author) == "get money back"
    assert author.asked[2] == author.asked[0] != author.asked[1]
    author = Author(*[""] * (ASKS + 1))
    with pytest.raises(RolloutFailed) as failed:
        write_goal(author)
    assert (failed.value.kind, failed.value.role) == ("bad_reply", "author")
    assert len(author.asked) == ASKS


def test_a_text_that_was_cut_is_no_text() -> None:
    """It looks like one."""
    author = Author(ChatReply(content="get mon", format_errors=("cut off at the limit of tokens",)), "get money back")
    assert write_goal(author) == "get money back"


@pytest.mark.parametrize("text", ["use refund_item", "one\ntwo", "x" * 201, "x" * (LONGEST_TEXT + 1)])
def test_goals_are_one_phrase_without_the_name_of_the_tool(text: str) -> None:
    """The offline voice passes the same check."""
    assert write_goal(Author(text, "get money back")) == "get money back"
    assert goal.faults(goal.offline(Random(0), TOOL, PERSONA, ()), TOOL, PERSONA, ()) == ()


@given(st.text(max_size=80) | st.sampled_from(["[" * 5_000, '{"reply": ' + '{"a":' * 5_000, '{"reply": {"a": 1e999}}']))
def test_any_reply_is_taken_or_blamed_on_the_author(reply: str) -> None:
    """Never another error."""
    with pytest.raises(RolloutFailed) as failed:
        write_values(Author(*[reply] * ASKS))
    assert failed.value.kind == "bad_reply"


@given(st.integers(0, 10_000))
def test_drawn_values_pass_the_check_of_the_online_voice(seed: int) -> None:
    """For any tool of the bundled catalogue."""
    tool = bundled().tools[seed % len(bundled().tools)]
    wanted = wanted_parameters(tool)
    drawn = gold_values.offline(Random(seed), tool, wanted, PERSONA, TODAY)

    assert gold_values.faults(drawn, tool, wanted, PERSONA, TODAY) == ()


def test_a_prompt_that_fails_on_its_fields_fails_the_rollout(tmp_path: Path) -> None:
    """With the name of the prompt; no model is asked."""
    (tmp_path / "diaforge").mkdir()
    for text in ("{{ nothing }}", "{{ tool.name + 1 }}", "{{ tool.__class__.__mro__ }}"):
        (tmp_path / "diaforge" / "goal.j2").write_text(f"A\n---\n{text}")
        with pytest.raises(RolloutFailed, match=r"goal\.j2") as failed:
            write_goal(Author(), prompts=read_prompts(tmp_path))
        assert failed.value.kind == "bad_prompt"
