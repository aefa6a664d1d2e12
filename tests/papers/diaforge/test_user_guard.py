"""A user that a model plays: planted faults are found, clean dialogues pass, faulty messages are written anew."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest

from callwright.author.online_voice import OnlineVoice
from callwright.baselines import model_factory
from callwright.engine.context import Context
from callwright.errors import RolloutFailed
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.diaforge.diaforge_options import DynamicOptions
from callwright.papers.diaforge.dynamic_protocol import rollout
from callwright.papers.diaforge.hearing_user import ASKS
from callwright.papers.diaforge.scripted_roles import in_words, known_values
from callwright.papers.diaforge.wording_election import vote
from callwright.papers.registry import read_prompts
from callwright.protocol.live_user import LivePlay
from callwright.records.dialogue import Dialogue
from callwright.records.transcript import LiveUser, Transcript
from made_dialogues import enterprise, made, tools_of


class Heard(NamedTuple):
    """What a scripted user reads in its prompt."""

    wish: str
    values: tuple[tuple[str, str], ...]
    """Nouns and values in words, optional ones last."""
    optional: int
    """How many of them are optional."""
    tools: tuple[str, ...]
    said: tuple[str, ...]
    """Lines of the conversation."""
    unsaid: tuple[str, ...]
    settled: bool
    question: str


_TOOL = r"^(?:The tool that does it:|-) ([\w.-]+): "


def read(prompt: str) -> Heard:
    head, _, talk = f"\n{prompt}".partition("\nThe conversation:\n")
    values = sorted(known_values(head), key=lambda one: one.is_optional)
    lines = [line for line in talk.splitlines() if line.startswith(("You: ", "Assistant: "))]
    unsaid = re.search(r"^Not said yet: (.*)$", talk, re.M)
    return Heard(
        wish=re.search(r"^What you want: (.*)$", head, re.M)[1],  # type: ignore[index]
        values=tuple((one.noun, in_words(one.value)) for one in values),
        optional=sum(one.is_optional for one in values),
        tools=tuple(re.findall(_TOOL, head.partition("\nThe values you know:")[0], re.M)),
        said=tuple(lines),
        unsaid=tuple(unsaid[1].split("; ")) if unsaid else (),
        settled="The assistant knows now" in talk,
        question=lines[-1].partition(": ")[2] if lines and lines[-1].startswith("Assistant") else "",
    )


OPENINGS = (
    "Hi, I have something to do with {thing}.",
    "It's about {thing}, can you help?",
    "I need a hand with {thing}.",
)
PICKS = ("What I want is to {wish}.", "I'd like to {wish}, please.", "Sorry, to be clear: {wish}.")
GIVES = ("{value}", "It's {value}.", "That would be {value}, I think.", "{value}, if I read my notes right.")
ALL_SAID = ("That's everything from my side, go ahead.", "No, nothing else. Please do it.")


def natural(heard: Heard, rng: Random) -> str:
    """What a person would say: answers what was asked, in one of several ways."""
    thing = heard.wish.split(" ", 1)[-1].split(" for ")[0].split(" to ")[0]
    if not heard.said:
        return rng.choice(OPENINGS).format(thing=thing)
    if not heard.settled:
        return rng.choice(PICKS).format(wish=heard.wish)
    words = set(re.findall(r"\w+", heard.question.lower()))
    open_values = [(noun, value) for noun, value in heard.values if noun in heard.unsaid]
    asked = [one for one in open_values if set(one[0].lower().split()) & words] or open_values[:1]
    told = asked[:1] if rng.random() < 0.5 else asked
    optional = [one for one in heard.values[len(heard.values) - heard.optional :] if one in open_values]
    parts = [f"{noun} {value}" if len(told) > 1 else value for noun, value in told]
    parts += [f"and the {noun} is {value}" for noun, value in optional if (noun, value) not in told]
    return rng.choice(GIVES).format(value=", ".join(parts)) if parts else rng.choice(ALL_SAID)


Defect = Callable[[Heard, Random], str]

OPENING_DEFECTS: dict[str, Defect] = {
    "off_topic": lambda heard, rng: rng.choice(("Nice weather today!", "Hello there.", "Do you like football?")),
    "role_swap": lambda heard, rng: rng.choice(
        ("Sure! How can I help you today?", "I'm happy to help, please provide me with the details.")
    ),
    "tool_leak": lambda heard, rng: f"Please run {rng.choice(heard.tools)} for me.",
    "early_disclosure": lambda heard, rng: (
        f"I want to {heard.wish}: " + ", ".join(f"{noun} {value}" for noun, value in heard.values)
    ),
    "goal_drift": lambda heard, rng: f"I want to {rng.choice(heard.tools[1:]).replace('_', ' ')}.",
    "left_early": lambda heard, rng: f"I want to {heard.wish}, but never mind, bye.",
}
LATER_DEFECTS: dict[str, Defect] = {
    "role_swap": lambda heard, rng: rng.choice(
        (
            "Of course, I can help you with that. What is it?",
            "I'm sorry, but I cannot help you with that.",
            "As an AI, I cannot say.",
            "How may I assist you further?",
        )
    ),
    "tool_leak": lambda heard, rng: f"You have to use {rng.choice(heard.tools)}.",
    "left_early": lambda heard, rng: rng.choice(
        ("Forget it, goodbye.", "Never mind, I'll do it myself.", "I no longer need this, bye.")
    ),
    "value_not_gold": lambda heard, rng: rng.choice(
        ("Take QX-77142-K.", "It is for mia.hansen@example.org.", "Make it 7,431 euros.", "On 13 March 1987.")
    ),
    "denial": lambda heard, rng: rng.choice(
        ("I don't know that.", "No idea, I can't find it.", "I'm not sure, I don't have that here.")
    ),
    "evasion": lambda heard, rng: rng.choice(("Yes, exactly.", "Sounds good to me!", "Ok, thanks.")),
}


class ScriptedUser:
    """Speaks naturally, but for one planted defect at one turn, which it insists on."""

    name = "openai/scripted"

    def __init__(self, seed: int, defect: Defect | None = None, at: int = 0, times: int = 99) -> None:
        self.seed = seed
        self.defect = defect
        self.at = at
        self.times = times
        self.asked = 0
        self.planted = ""

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        heard = read(request.messages[1].content)
        turn = sum(line.startswith("You: ") for line in heard.said)
        self.asked += 1
        chance = Random(f"{self.seed} {turn}")
        if self.defect and turn == self.at and self.times and heard.settled == bool(turn):
            self.times -= 1
            self.planted = self.defect(heard, chance)
            return ChatReply(self.planted)
        return ChatReply(natural(heard, chance))


def play(dialogue: Dialogue, user: ScriptedUser) -> Transcript:
    """The dialogue with `builtin/retriever` as the model under test."""
    model = model_factory("builtin/retriever")(dialogue, enterprise().by_key)
    voice = OnlineVoice("user", prompts=read_prompts(), roles={vote.name: "voter"})
    ctx = Context.detached(dialogue.id, models={"model": model, "user": user}, voice=voice)
    return asyncio.run(rollout(dialogue, tools_of(dialogue), ctx, DynamicOptions(), play=LivePlay(hears=True)))


def test_clean_dialogues_pass() -> None:
    """At most 5 % are excluded; in most the model under test gets to its call."""
    clean = [play(dialogue, ScriptedUser(number)) for number, dialogue in enumerate(made(30))]
    excluded = [one for one in clean if one.faults]
    assert len(excluded) <= 1, [(one.faults, [turn.text for turn in one.turns]) for one in excluded]
    assert sum(one.ended == "call" for one in clean) >= 27


def _planted(defects: dict[str, Defect], at: int) -> tuple[Counter[str], Counter[str], list[tuple[str, str]]]:
    """How often each defect was planted and found, and those that were missed."""
    planted, found, missed = Counter[str](), Counter[str](), []
    for number, dialogue in enumerate(made(24)):
        kind, defect = [*defects.items()][number % len(defects)]
        user = ScriptedUser(number, defect, at)
        transcript = play(dialogue, user)
        if user.planted:
            planted[kind] += 1
            found[kind] += bool(transcript.faults)
            missed += [] if transcript.faults else [(kind, user.planted)]
    return planted, found, missed


def test_planted_faults_are_found() -> None:
    """At least 90 % of them, at the opening and after a question."""
    first, found_first, missed_first = _planted(OPENING_DEFECTS, 0)
    later, found_later, missed_later = _planted(LATER_DEFECTS, 2)
    assert {*first} == {*OPENING_DEFECTS}
    assert {*later} == {*LATER_DEFECTS}
    total, found = first.total() + later.total(), found_first.total() + found_later.total()
    assert found >= 0.9 * total, (found, total, missed_first + missed_later)


def test_a_message_with_a_fault_is_written_again_with_the_reason() -> None:
    """A fault that the model mends leaves no trace; what it said first is not in the transcript."""
    (dialogue,) = made(1)
    user = ScriptedUser(0, OPENING_DEFECTS["role_swap"], 0, times=1)
    transcript = play(dialogue, user)
    assert user.planted
    assert transcript.faults == ()
    assert user.planted not in [turn.text for turn in transcript.turns]


def test_a_message_that_stays_wrong_is_said_and_its_faults_are_kept() -> None:
    """Three messages are asked for; the fault names its turn and kind."""
    (dialogue,) = made(1)
    user = ScriptedUser(0, OPENING_DEFECTS["role_swap"], 0)
    transcript = play(dialogue, user)
    assert {(fault.turn, fault.kind, fault.helps) for fault in transcript.faults} >= {(0, "role_swap", False)}
    assert user.times == 99 - ASKS


def test_what_is_no_message_fails_the_rollout() -> None:
    """It is the user's failure and in no score."""
    (dialogue,) = made(1)
    with pytest.raises(RolloutFailed, match="the reply is empty") as failed:
        play(dialogue, ScriptedUser(0, lambda heard, rng: ""))
    assert (failed.value.kind, failed.value.role) == ("bad_reply", "user")


def test_values_are_told_in_the_turn_that_says_them() -> None:
    """So a call is judged on no optional value that the user had not said."""
    for number, dialogue in enumerate(made(3)):
        transcript = play(dialogue, ScriptedUser(number))
        assert isinstance(transcript.annotation, LiveUser)
        assert transcript.annotation.told
        assert not any(note.turn % 2 for note in transcript.annotation.told)
