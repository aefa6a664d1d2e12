"""The dynamic protocol: a model in a live conversation with the dialogue's user."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from callwright.author.value_checks import is_said, is_sayable
from callwright.engine.context import Context
from callwright.errors import BadInput
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.diaforge import dynamic_protocol as diaforge_dynamic
from callwright.papers.diaforge import static_protocol as diaforge_static
from callwright.papers.diaforge.diaforge_options import DynamicOptions
from callwright.papers.diaforge.dynamic_protocol import PROTOCOL, begin, rollout
from callwright.papers.diaforge.tool_scoring import score
from callwright.papers.diaforge.user_policy import gold_known
from callwright.protocol import EvaluationProtocol
from callwright.protocol.scoring import Scoring
from callwright.records.codec import to_line
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import JsonText, encode
from callwright.records.transcript import LiveUser, Transcript
from callwright.stats.intervals import ratio_interval
from made_dialogues import counts, enterprise, made, rolled_out, tools_of


class Scripted:
    """Says the same thing for ever, or calls the same tool."""

    name = "builtin/test"

    def __init__(self, text: str, *calls: Call) -> None:
        self.given = ChatReply(content=text, calls=calls)

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        return self.given


def play(dialogue: Dialogue, model: Scripted, **options: Any) -> Transcript:
    ctx = Context.detached(dialogue.id, models={"model": model})
    return asyncio.run(rollout(dialogue, tools_of(dialogue), ctx, DynamicOptions(**options)))


def interval(values: Sequence[int]) -> tuple[float, float]:
    found = ratio_interval(values, [1] * len(values), seed=0)
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def test_oracle_reaches_the_ceiling() -> None:
    """The gold call, made at once, is right in every dialogue."""
    scored = counts(made(100), rolled_out("builtin/oracle", made(100), PROTOCOL))
    assert len(scored) == 100
    assert all((one.correct, one.false_calls, one.abstained) == (1, 0, 0) for one in scored)


def test_abstain_never_calls() -> None:
    """Who never calls runs to the limit of exchanges, and is counted as abstaining each time."""
    transcripts = rolled_out("builtin/abstain", made(30), PROTOCOL, t_max=4)
    assert all(one.abstained for one in counts(made(30), transcripts))
    assert {one.ended for one in transcripts} == {"t_max"}
    assert {len(one.turns) for one in transcripts} == {8}


@pytest.mark.parametrize("protocol", [diaforge_static.PROTOCOL, diaforge_dynamic.PROTOCOL])
def test_patience_pays(protocol: EvaluationProtocol) -> None:
    """Asking beats calling at once on Acc and FTR, with disjoint 95 % intervals on 200 dialogues."""
    dialogues = made(200)
    eager = counts(dialogues, rolled_out("builtin/eager", dialogues, protocol))
    asking = counts(dialogues, rolled_out("builtin/retriever", dialogues, protocol))
    assert interval([one.correct for one in eager])[1] < interval([one.correct for one in asking])[0]
    assert interval([one.false_calls for one in asking])[1] < interval([one.false_calls for one in eager])[0]


def test_same_seed_same_transcripts() -> None:
    """A rollout is a function of dialogue, model and seed."""
    first, again = (rolled_out("builtin/retriever", made(30), PROTOCOL, seed=9) for _ in range(2))
    assert [to_line(one) for one in first] == [to_line(one) for one in again]
    other = rolled_out("builtin/retriever", made(30), PROTOCOL, seed=10)
    assert [to_line(one) for one in first] != [to_line(one) for one in other]


def test_the_user_is_not_the_one_of_the_data() -> None:
    """The evaluating user wants the same, but says it in words and a style of its own."""
    dialogues = made(60)
    transcripts = rolled_out("builtin/abstain", dialogues, PROTOCOL, t_max=1)
    openings = [(old.turns[0].text, new.turns[0].text) for old, new in zip(dialogues, transcripts, strict=True)]
    assert sum(old == new for old, new in openings) == 0
    words = [(len(old.split()), len(new.split())) for old, new in openings]
    assert sum(new for _, new in words) < 0.8 * sum(old for old, _ in words)


def test_users_make_no_faults_of_their_own() -> None:
    """Less than one in a hundred dialogues is lost to a fault of the offline user."""
    transcripts = rolled_out("builtin/retriever", made(200), PROTOCOL)
    assert sum(bool(one.faults) for one in transcripts) < 2


def test_values_are_said_only_when_their_turn_comes() -> None:
    """Who asks nothing hears no telling value but the one the user opens with."""
    untold = 0
    for dialogue in made(60):
        transcript = play(dialogue, Scripted("Hello."), t_max=3)
        user = begin(dialogue, tools_of(dialogue), user_style="terse")
        secret = [one for one in user.known if one.slot.kind in ("code", "date", "email", "phone")]
        told = {name for turn in transcript.turns[::2] for name in turn.steps[0].act.partition(":")[2].split(",")}
        for known in secret:
            if known.slot.name not in told:
                untold += 1
                assert not any(is_said(turn.text, known, dialogue.today) for turn in transcript.turns[::2])
    assert untold


def test_a_call_ends_the_conversation() -> None:
    """The first call is the last turn, whatever it calls, and malformed ones stay as they came."""
    call = Call("no_such_tool", JsonText('{"a":'))
    transcript = play(made(1)[0], Scripted("Done.", call))
    assert (transcript.ended, len(transcript.turns)) == ("call", 2)
    assert transcript.turns[1].calls == (call,)


def test_the_user_leaves_when_nothing_can_be_done() -> None:
    """Told that nothing fits, the user says once more what is wanted, and then leaves."""
    transcript = play(made(1)[0], Scripted("I'm sorry, that's not something I can do."))
    assert transcript.ended == "left"
    acts = [turn.steps[0].act.partition(":")[0] for turn in transcript.turns[::2]]
    assert acts == ["open", "full", "leave"]


def test_dialogues_without_a_tool() -> None:
    """Where no tool fits, whoever says so is right, and the gold tool is shown to nobody."""
    dialogues = made(30, no_tool_share=1.0)
    transcripts = rolled_out("builtin/oracle", dialogues, PROTOCOL)
    assert all(one.correct for one in counts(dialogues, transcripts))
    assert {one.ended for one in transcripts} == {"left"}


def test_a_value_asked_for_again_is_said_again() -> None:
    """A model that did not catch a value gets it once more."""
    for dialogue in made(60):
        user = begin(dialogue, tools_of(dialogue), user_style="terse")
        if user.known and not user.asks_back:
            break
    known = user.known[0]
    transcript = play(dialogue, Scripted(f"What is {known.slot.noun.definite}?"), t_max=6)
    told = [turn for turn in transcript.turns[::2] if known.slot.name in turn.steps[0].act]
    assert len(told) >= 2
    assert all(is_said(turn.text, known, dialogue.today) for turn in told)


def test_no_scenario_is_bad_input() -> None:
    """Without a scenario there is no user to rebuild, and the message says what to do."""
    bare = msgspec.structs.replace(made(1)[0], scenario=None)
    with pytest.raises(BadInput, match="no scenario of the diaforge recipe"):
        play(bare, Scripted("Hello."))


def test_a_pool_without_the_gold_tool_is_bad_input() -> None:
    """A dialogue that claims that a tool fits must show it."""
    dialogue = made(1)[0]
    gold = dialogue.tasks[0].gold[0].tool
    broken = msgspec.structs.replace(dialogue, tools=tuple(tool for tool in dialogue.tools if tool.name != gold))
    with pytest.raises(BadInput, match="gold tool is not among its tools"):
        play(broken, Scripted("Hello."))


class Babbler:
    """Asks nonsense up to the last exchange, then calls the gold tool with all values that it was told."""

    name = "builtin/test"

    def __init__(self, dialogue: Dialogue) -> None:
        self.gold = dialogue.tasks[0].gold[0]
        self.known = gold_known(enterprise().by_name[self.gold.tool], dialogue.tasks)
        self.today = dialogue.today

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        heard = " ".join(message.content for message in request.messages if message.role == "user")
        if sum(message.role == "user" for message in request.messages) < DynamicOptions().t_max:
            return ChatReply(content="Do zebras dream of marmalade?")
        told = {
            known.slot.name: known.value
            for known in self.known
            if is_sayable(known) and is_said(heard, known, self.today)
        }
        return ChatReply(content="", calls=(Call(self.gold.tool, encode(told)),))


def test_nonsense_gains_nothing() -> None:
    """Only where the opening said all is a call right after nonsense; each such turn is noted."""
    transcripts = [play(one, Babbler(one)) for one in made(100)]  # type: ignore[arg-type]
    notes = [one.annotation for one in transcripts]
    assert all(isinstance(one, LiveUser) and len(one.unsure) >= 8 for one in notes)
    for dialogue, transcript in zip(made(100), transcripts, strict=True):
        (scored,) = counts([dialogue], [transcript])
        known = {one.slot.name for one in Babbler(dialogue).known}
        opened = {one.parameter for one in transcript.annotation.told if one.turn == 0}  # type: ignore[union-attr]
        assert not scored.correct or known == opened, transcript


def test_understood_questions_are_a_slice_of_their_own() -> None:
    """All dialogues, and those in which the user understood every message."""
    dialogues = {one.id: one for one in made(30)}
    transcripts = rolled_out("builtin/retriever", made(30), PROTOCOL)
    tools = {tool.key: tool for tool in enterprise().tools}
    scoring = Scoring(run="r", model="m", protocol="p", seed=0, data="", resamples=10)
    scored = score(dialogues, tools, transcripts, scoring=scoring)
    rows = {tuple(row.slice.items()): row for row in scored if row.metric == "acc"}
    understood = sum(isinstance(one.annotation, LiveUser) and not one.annotation.unsure for one in transcripts)
    assert rows[()].n == 30
    assert rows[("user_unsure", "no"),].n == understood > 20
