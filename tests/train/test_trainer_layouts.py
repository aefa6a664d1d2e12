"""Rows in the layouts of trainers."""

from __future__ import annotations

import json

import msgspec
import pytest
from training_talks import ARGUMENTS, samples

from callwright.cli.export import TRAINERS
from callwright.train.trainer_layouts import LAYOUTS, SOURCE


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


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_column_is_declared(layout: str) -> None:
    """The card declares the columns that rows have, all rows the same."""
    for slices in ("turn", "dialogue"):
        rows = [LAYOUTS[layout].write(sample) for sample in samples(slices)]
        declared = [{one["name"] for one in LAYOUTS[layout].features(row)} for row in rows]
        assert declared == [set(row) for row in rows]
