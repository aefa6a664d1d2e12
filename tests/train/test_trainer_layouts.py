"""Rows in the layouts of trainers."""

from __future__ import annotations

import json

import msgspec
import pytest
from training_talks import ARGUMENTS, samples

from callwright.cli.export import TRAINERS
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode
from callwright.train.trainer_layouts import LAYOUTS, SOURCE
from callwright.train.training_sample import TrainingMessage, TrainingSample


def test_the_command_offers_every_layout() -> None:
    """The command's choices, which load nothing, are the layouts that are written."""
    assert list(TRAINERS) == list(LAYOUTS)


def test_trl_splits_prompt_and_completion() -> None:
    """A sample with one target is a prompt and a completion; tools are JSON text, arguments objects."""
    row = LAYOUTS["trl"].write(samples()[3])
    assert set(row) == {"prompt", "completion", "tools", *SOURCE}
    (reply,) = row["completion"]
    assert reply["content"] == "<think>\nAll is known.\n</think>\n\nOrdering one of them right now."
    assert reply["tool_calls"][0]["function"] == {"name": "place_order", "arguments": ARGUMENTS}
    assert list(json.loads(row["tools"])[0]["function"]) == ["name", "description", "parameters"]


def test_trl_takes_whole_dialogues_as_messages() -> None:
    """The row is a list of messages, also where there is one reply: all rows of a file have the same columns."""
    several = samples("dialogue")[0]
    single = msgspec.structs.replace(several, messages=several.messages[:3])
    assert [len(one.trained) > 1 for one in (several, single)] == [True, False]
    assert [set(LAYOUTS["trl"].write(one)) for one in (several, single)] == [{"messages", "tools", *SOURCE}] * 2


def test_rows_say_where_they_are_from() -> None:
    """Each names its dialogue and turn, in every layout but OpenAI's, which takes no other fields."""
    turns = {
        layout: [LAYOUTS[layout].write(one).get("turn") for one in (*samples(), *samples("dialogue"))]
        for layout in LAYOUTS
    }
    assert turns.pop("openai") == [None] * 7
    assert turns == {key: [1, 3, 3, 5, 7, 7, None] for key in ("trl", "sharegpt", "ms-swift", "axolotl")}


def test_openai_weighs_replies() -> None:
    """Only targets weigh 1; arguments are text, every result names its call, and parallel calls are declared."""
    rows = [LAYOUTS["openai"].write(sample) for sample in samples()]
    weights = [[one["weight"] for one in row["messages"] if one["role"] == "assistant"] for row in rows]
    assert weights[3] == [0, 0, 0, 1]
    call = rows[3]["messages"][-1]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"]) == ARGUMENTS
    assert all(one["tool_call_id"] for row in rows for one in row["messages"] if one["role"] == "tool")
    assert [row["parallel_tool_calls"] for row in rows] == [False] * 4 + [True] * 2


def test_sharegpt_alternates() -> None:
    """People and the model speak by turns, people first and the model last, or LLaMA-Factory drops the row."""
    rows = [LAYOUTS["sharegpt"].write(one)["conversations"] for one in (*samples(), *samples("dialogue"))]
    ours = [[one["from"] in ("gpt", "function_call") for one in row] for row in rows]
    assert len(ours) == 7
    assert ours == [[False, True] * (len(row) // 2) for row in rows]


def test_sharegpt_names_what_it_loses() -> None:
    """Words beside a call, untrained history and joined results are counted as losses."""
    losses = [list(LAYOUTS["sharegpt"].losses(sample)) for sample in samples()]
    assert losses[0] == []
    assert any("beside a call" in one for one in losses[3])
    assert any("mask_history" in one for one in losses[3])
    assert any("joined" in one for one in losses[5])


def sample_of(*messages: TrainingMessage) -> TrainingSample:
    system = TrainingMessage("system", "You help.")
    return TrainingSample(id="x/0", dialogue="x", messages=(system, *messages))


CALL = TrainingMessage("assistant", calls=(Call("f", encode({})),), trained=True)
SAID = TrainingMessage("assistant", "Yes.", trained=True)
ASKED = TrainingMessage("user", "Is it?")
TOLD = TrainingMessage("tool", "1", call_id="call00000", name="f")


@pytest.mark.parametrize(
    ("messages", "tags", "loss"),
    [
        ((SAID,), ["human", "gpt"], "an empty turn stands"),
        ((ASKED, SAID, SAID), ["human", "gpt", "human", "gpt"], "an empty turn stands"),
        ((ASKED, CALL, SAID), ["human", "function_call", "observation", "gpt"], "an empty turn stands"),
        ((ASKED, CALL, TOLD, ASKED, SAID), ["human", "function_call", "human", "gpt"], "no reply follows"),
        ((ASKED, TrainingMessage("system", "Now."), SAID), ["human", "gpt"], "instructions during the dialogue"),
    ],
    ids=["reply first", "two replies", "a call without a result", "a result without a reply", "late instructions"],
)
def test_sharegpt_alternates_in_any_dialogue(messages: tuple[TrainingMessage, ...], tags: list[str], loss: str) -> None:
    """An empty turn, or a joined one, keeps the order, and is counted; instructions stand at the start."""
    sample = sample_of(*messages)
    row = LAYOUTS["sharegpt"].write(sample)
    assert [one["from"] for one in row["conversations"]] == tags
    assert [loss in one for one in LAYOUTS["sharegpt"].losses(sample)] == [True]
    assert row["system"] == ("You help.\n\nNow." if "instructions" in loss else "You help.")


@pytest.mark.parametrize(
    ("messages", "roles"),
    [
        ((ASKED, ASKED, SAID), ["user", "assistant"]),
        ((ASKED, CALL, CALL), ["user", "tool_call", "assistant", "tool_call"]),
        ((ASKED, CALL, TOLD, ASKED, SAID), ["user", "tool_call", "tool", "assistant", "user", "assistant"]),
    ],
    ids=["two people", "calls one after another", "a result without a reply"],
)
def test_swift_keeps_apart_what_the_trainer_would_join(messages: tuple[TrainingMessage, ...], roles: list[str]) -> None:
    """People have a line each, and empty replies that are not trained stand between."""
    made = LAYOUTS["ms-swift"].write(sample_of(*messages))["messages"]
    assert [one["role"] for one in made] == ["system", *roles]
    assert made[1]["content"] == ("Is it?\nIs it?" if messages[1] is ASKED else "Is it?")
    assert [one["loss"] for one in made if one["content"] == ""] == [False] * (len(roles) > 2)


def test_swift_writes_parallel_calls_one_after_another() -> None:
    """Calls are messages of their own; consecutive ones are one step, and only targets have a loss."""
    row = LAYOUTS["ms-swift"].write(samples()[4])
    roles = [one["role"] for one in row["messages"]]
    assert roles[-2:] == ["tool_call", "tool_call"]
    assert [json.loads(one["content"])["arguments"] for one in row["messages"][-2:]] == [
        {"part": "AA-1"},
        {"part": "BB-2"},
    ]
    assert [one["loss"] for one in row["messages"] if "loss" in one][-2:] == [True, True]
    assert not any(one.get("loss") for one in row["messages"][:-2])


def test_axolotl_marks_every_message() -> None:
    """Each message says whether it is trained; arguments are text, which the trainer decodes."""
    row = LAYOUTS["axolotl"].write(samples()[3])
    assert [one["train"] for one in row["messages"]] == [False] * (len(row["messages"]) - 1) + [True]
    assert json.loads(row["messages"][-1]["tool_calls"][0]["function"]["arguments"]) == ARGUMENTS
    assert [tool["function"]["name"] for tool in json.loads(row["tools"])] == ["place_order", "read_stock"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_column_is_declared(layout: str) -> None:
    """The card declares the columns that rows have, all rows the same."""
    for slices in ("turn", "dialogue"):
        rows = [LAYOUTS[layout].write(sample) for sample in samples(slices)]
        declared = [{one["name"] for one in LAYOUTS[layout].features(row)} for row in rows]
        assert declared == [set(row) for row in rows]
