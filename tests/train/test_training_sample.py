"""How dialogues are cut into samples."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace
from training_talks import ARGUMENTS, TOOLS, samples, talk

from callwright.errors import BadRecord
from callwright.models.conversation import Calling, encode_request
from callwright.models.tool_calls import find_calls
from callwright.protocol.shown_dialogue import request, shown_tools
from callwright.protocol.system_prompt import NEUTRAL
from callwright.records.codec import from_line
from callwright.records.dialogue import Call, Participant, Turn
from callwright.records.jsontext import Json, encode
from callwright.train.training_sample import TrainingSample, samples_of


def test_each_reply_is_a_sample() -> None:
    """A reply is what a model gives at once; each is the last message of a sample and its only target."""
    cut = samples()
    assert [sample.id for sample in cut] == [f"talk/{number}" for number in range(6)]
    assert all(sample.messages[-1].trained and len(sample.trained) == 1 for sample in cut)
    said = [(sample.messages[-1].content, len(sample.messages[-1].calls)) for sample in cut]
    assert said == [
        ("Certainly, which part number would that be?", 0),
        ("", 1),
        ("There are five of them, shall I order one?", 0),
        ("Ordering one of them right now.", 1),
        ("", 2),
        ("Both of the other parts are out of stock.", 0),
    ]


def test_only_the_target_has_a_thought() -> None:
    """A model that is asked for a reply sees no thoughts of the past."""
    cut = samples()
    assert [sample.messages[-1].thought for sample in cut][:4] == [
        "The part is not named yet.",
        "First I look at the stock.",
        "Enough are there.",
        "All is known.",
    ]
    assert not any(message.thought for sample in cut for message in sample.messages[:-1])


def test_thoughts_can_be_left_out() -> None:
    """Without thoughts no message has one, and nothing else changes."""
    bare = samples(thoughts=False)
    assert not any(message.thought for sample in bare for message in sample.messages)
    assert [len(sample.messages) for sample in bare] == [len(sample.messages) for sample in samples()]


def test_a_whole_dialogue_trains_every_reply() -> None:
    """One sample a dialogue holds all replies as targets, with their thoughts."""
    (whole,) = samples("dialogue")
    assert len(whole.trained) == 6
    assert {message.role for message in whole.trained} == {"assistant"}
    assert sum(bool(message.thought) for message in whole.trained) == 4


def test_results_name_call_and_tool() -> None:
    """Every result has the id of its call and the name of its tool; ids are nine letters and digits, each once."""
    (whole,) = samples("dialogue")
    calls = {call.id: call.tool for message in whole.messages for call in message.calls}
    results = [message for message in whole.messages if message.role == "tool"]
    assert len(calls) == 4
    assert all(len(one) == 9 and one.isalnum() for one in calls)
    assert [(one.name, one.content) for one in results] == [
        ("read_stock", '{"pieces_left":5}'),
        ("read_stock", '{"none_of":"AA-1"}'),
        ("read_stock", '{"error":"no such part BB-2"}'),
    ]
    assert all(calls[one.call_id] == one.name for one in results)


def test_words_after_the_last_reply_are_left_out() -> None:
    """What nobody answers teaches nothing; a dialogue without a reply gives no sample."""
    dialogue = talk()
    longer = replace(dialogue, turns=(*dialogue.turns, Turn("u", "Thanks!")))
    silent = replace(dialogue, turns=dialogue.turns[:1])
    assert samples_of(longer, TOOLS, slices="dialogue", thoughts=True) == samples("dialogue")
    assert samples_of(silent, TOOLS, slices="dialogue", thoughts=True) == ()
    assert samples_of(silent, TOOLS, slices="turn", thoughts=True) == ()


def test_several_users_are_told_apart() -> None:
    """In a group each message names its speaker."""
    dialogue = talk()
    people = (*dialogue.participants, Participant("v", "user", name="Vera"))
    group = replace(dialogue, participants=people, turns=(Turn("v", "Hello."), *dialogue.turns))
    (whole,) = samples_of(group, TOOLS, slices="dialogue", thoughts=True)
    assert [message.name for message in whole.messages if message.role == "user"][:2] == ["Vera", "u"]


def test_the_arguments_stay_as_they_were() -> None:
    """Calls hold the canonical arguments of the dialogue."""
    calls = samples()[3].messages[-1].calls
    assert calls == (Call("place_order", encode(ARGUMENTS), "call00001"),)


@pytest.mark.parametrize("calling", ["prompted", "object"])
def test_a_sample_in_words_is_what_an_evaluation_sends(calling: Calling) -> None:
    """Up to a reply, the messages are those of the request that an evaluation makes there; the reply calls in words."""
    one = talk()
    cut = samples_of(one, TOOLS, slices="turn", thoughts=False, calling=calling)
    told = [[{"role": m.role, "content": m.content} for m in sample.messages] for sample in cut]
    tools = shown_tools(one, TOOLS)
    sent = []
    for at in (1, 3):  # before the assistant's first turn and its second
        asked = request(f"{NEUTRAL} Today is {one.today}.", one, tools, one.turns[:at])
        sent.append(json.loads(encode_request("m", asked, calling=calling, level="prompt"))["messages"])
    assert [told[0][:-1], told[1][:-1]] == sent
    assert not any(sample.tools or message.calls for sample in cut for message in sample.messages)
    calls = find_calls(told[1][-1]["content"]).calls
    assert [call.tool for call in calls] == ["read_stock"]


def test_an_object_that_nothing_enforces_is_asked_for_in_the_same_words() -> None:
    """`object` differs from `schema` by the schema of the reply alone."""
    asked = request(NEUTRAL, talk(), shown_tools(talk(), TOOLS), talk().turns[:1])
    bodies = [json.loads(encode_request("m", asked, calling=c, level="json_schema")) for c in ("schema", "object")]
    assert bodies[0].pop("response_format")
    assert bodies[0] == bodies[1]


@pytest.mark.parametrize("tool", [{}, {"name": "a"}, {"name": 5, "description": "b"}])
def test_a_tool_of_a_sample_has_name_and_description(tool: dict[str, Json]) -> None:
    """A file edited by hand is refused when it is read."""
    line = json.dumps({"id": "a", "dialogue": "a", "messages": [], "tools": [tool], "schema_version": 2}).encode()
    with pytest.raises(BadRecord, match="each of `tools` needs `name` and `description`"):
        from_line(line, TrainingSample, where="samples.jsonl:1")
