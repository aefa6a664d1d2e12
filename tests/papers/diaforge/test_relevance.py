"""Whether a user's words do anything of what their act is for."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from callwright.author.briefs import UserAct, UserBrief
from callwright.author.user_turn import user_turn
from callwright.baselines import model_factory
from callwright.engine.context import Context, WritingStep
from callwright.papers.diaforge.diaforge_options import DynamicOptions
from callwright.papers.diaforge.dynamic_protocol import rollout
from callwright.papers.diaforge.relevance import relevance_faults
from callwright.papers.diaforge.user_policy import brief_of
from callwright.protocol.shown_dialogue import shown_tools
from diaforge_builders import bundled, kept, user_of_tool

USER = user_of_tool("refund_item", seed=3)
ITEM = next(known.value for known in USER.known if known.slot.name == "item")
IDLE = ("I have no tool to call.", "Sure! How can I help you today?", "Hello!", "I'm sorry, I can't help with that.")


def brief(kind: str, *, heard: str = "", **act: object) -> UserBrief:
    return brief_of(USER, UserAct(kind, **act), heard)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", IDLE)
@pytest.mark.parametrize(
    "asked",
    [brief("open"), brief("full"), brief("answer", picks=True), brief("answer", slots=("order_id", "reason"))],
    ids=lambda asked: asked.act.kind,
)
def test_words_of_nobody_are_no_turn(asked: UserBrief, text: str) -> None:
    """Greetings, refusals and the words of assistants neither wish nor pick nor answer."""
    assert len(relevance_faults(text, asked, frozenset())) == 1


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (brief("open"), "Hey, something I bought is broken and I'd like a refund."),
        (brief("full"), "Just give me my money back for that one item, please."),
        (brief("answer", picks=True), "The refund, not the exchange."),
        (brief("answer", picks=True, offered="first"), "Let's go with the first one."),
        (brief("answer", picks=True, offered="named"), "Yes, that one!"),
        (brief("answer", slots=("item", "reason")), f"That would be {ITEM}."),
    ],
)
def test_people_may_paraphrase(asked: UserBrief, text: str) -> None:
    """One word of the wish, of the pick or of a value is enough."""
    assert relevance_faults(text, asked, frozenset()) == []


def test_yes_and_no_are_said_in_too_many_ways_to_look_for() -> None:
    """An answer to a question about one is taken as it is."""
    user = user_of_tool("report_plumbing_fault")
    asked = brief_of(user, UserAct("answer", slots=("water_running",)), "Is water running?")
    assert relevance_faults("All over the place.", asked, frozenset()) == []


class Watching:
    """The offline voice, each wording of which is checked."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()

    async def write(self, step: WritingStep[str], ctx: Context, args: tuple[object, ...]) -> str:
        text = step.offline(ctx.rng(), *args)
        if step is user_turn:
            (asked,) = args
            assert isinstance(asked, UserBrief)
            self.kinds.add(asked.act.kind)
            assert relevance_faults(text, asked, frozenset()) == []
        return text


def test_the_offline_voice_always_does_what_its_act_is_for() -> None:
    """In live dialogues, even without the words of documents: where it is checked, its words stay what they were."""
    voice = Watching()
    make = model_factory("builtin/retriever")
    for dialogue in Random(5).sample(kept(), 150):
        assistant = make(dialogue, bundled().by_key)
        ctx = Context.detached(dialogue.id, seed=3, models={"model": assistant}, voice=voice)
        asyncio.run(rollout(dialogue, shown_tools(dialogue, bundled().by_key), ctx, DynamicOptions()))
    assert voice.kinds >= {"open", "answer", "ask_back"}
