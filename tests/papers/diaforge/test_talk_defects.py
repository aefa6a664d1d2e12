"""Defects planted in hand-written talks: rules reject or ask again, or a critic is shown the words and obeyed."""

from __future__ import annotations

import asyncio
import json
from random import Random

import pytest

from callwright.engine.context import Context
from callwright.errors import RolloutFailed
from callwright.judge.asking import ROLE
from callwright.judge.rubric import find_rubrics
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.recipe.critics import CriticisedJob
from callwright.recipe.recipe_job import decode_finished, encode_finished
from strong_author import Talk, TalkAuthor, catalogue, play_talk, talks
from talk_defects import DEFECTS, Defect

RULES = [defect for defect in DEFECTS if defect.matter == "rules"]
CRITIC = [defect for defect in DEFECTS if defect.matter == "critic"]


def clean() -> list[Talk]:
    """The first talks in which nothing is asked again."""
    found = []
    for talk in talks()[:12]:
        author = TalkAuthor(talk)
        if not play_talk(talk, author).issues and not +author.asked_again:
            found.append(talk)
    return found


@pytest.fixture(scope="module")
def hosts() -> list[Talk]:
    return clean()


def is_noticed(talk: Talk) -> bool:
    """Whether the talk is rejected, its author asked again, or its reply of no use."""
    author = TalkAuthor(talk)
    try:
        return bool(play_talk(talk, author).issues) or bool(+author.asked_again)
    except RolloutFailed:
        return True


def test_there_are_forty_kinds_and_more(hosts: list[Talk]) -> None:
    """Each has a place in some talk, and none is there before."""
    assert len({defect.name for defect in DEFECTS}) == len(DEFECTS) >= 40
    assert len(hosts) >= 8


@pytest.mark.parametrize("defect", RULES, ids=lambda defect: defect.name)
def test_rules_notice_what_is_theirs(defect: Defect, hosts: list[Talk]) -> None:
    """In two talks of each kind."""
    planted = [bad for talk in (*hosts, *talks()) if (bad := defect.plant(talk)) is not None][:2]
    assert len(planted) == 2
    assert [bad.name for bad in planted if not is_noticed(bad)] == []


class _Critic:
    """Rejects where it is shown some words."""

    name = "openai/critic"

    def __init__(self, words: str) -> None:
        self.words = words
        self.shown = 0

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        is_there = self.words in request.messages[-1].content
        self.shown += is_there
        return ChatReply(json.dumps({"analysis": "As shown.", "grade": "reject" if is_there else "accept"}))


class _Made:
    """A job of one talk."""

    ids = ("talk",)

    def __init__(self, talk: Talk) -> None:
        self.talk = talk

    def models(self, index: int) -> dict[str, ChatModel]:
        return {}

    async def run(self, index: int, ctx: Context) -> bytes:
        made = await asyncio.to_thread(play_talk, self.talk)
        return encode_finished(made.dialogue, made.issues)


def judged(talk: Talk, critic: _Critic) -> list[str]:
    """Why the talk is rejected, after the critics of the recipe."""
    job = CriticisedJob(_Made(talk), find_rubrics(("relevancy", "critique")), critic, catalogue(talk.catalogue))
    value = asyncio.run(job.run(0, Context.detached("talk", models={ROLE: critic})))
    return [issue.code for issue in decode_finished(value).issues]


@pytest.mark.parametrize("defect", CRITIC, ids=lambda defect: defect.name)
def test_a_critic_is_shown_the_words_and_obeyed(defect: Defect, hosts: list[Talk]) -> None:
    """What rules keep is rejected by its verdict, and without the defect it is kept."""
    bad = defect.plant(hosts[0])
    assert bad is not None
    critic = _Critic(defect.said)
    assert judged(bad, critic) == ["judge_relevancy", "judge_critique"]
    assert critic.shown == 2
    assert judged(hosts[0], _Critic(defect.said)) == []
