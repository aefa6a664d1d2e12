"""Small dialogues, their samples, and faults planted in rows of training data."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from callwright.records.dialogue import Call, Dialogue, Participant, Provenance, Result, ShownTool, Step, Turn
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from callwright.train.training_sample import TrainingSample, samples_of

Row = dict[str, Any]

ORDER = Tool(
    name="place_order",
    description='Order parts. Says "no" where the stock is empty.',
    parameters=encode(
        {
            "type": "object",
            "properties": {
                "part": {"type": "string", "description": "number of the part"},
                "speed": {"type": "string", "enum": ["express", "standard post"]},
                "gift": {"type": "boolean"},
                "place": {"type": "object", "properties": {"city": {"type": "string", "description": "town or city"}}},
            },
            "required": ["part"],
        }
    ),
)
STOCK = Tool(
    name="read_stock",
    description="Read how many pieces of a part there are.",
    parameters=encode({"type": "object", "properties": {"part": {"type": "string"}}, "required": ["part"]}),
)
TOOLS = {tool.key: tool for tool in (ORDER, STOCK)}
ARGUMENTS = {"part": 'KX-"7" é', "gift": False, "place": {"city": "Zürich"}, "speed": "express"}


def talk() -> Dialogue:
    """A dialogue with a question, a call with a result, a call beside words, and two calls at once."""
    return Dialogue(
        id="talk",
        recipe="test.v1",
        participants=(Participant("u", "user"), Participant("a", "assistant")),
        tools=tuple(ShownTool(tool.key, tool.name) for tool in TOOLS.values()),
        today="2026-11-23",
        provenance=Provenance(author="test", callwright="0"),
        turns=(
            Turn("u", "Please get me some of those valves for the boiler."),
            Turn("a", "Certainly, which part number would that be?", (Step(thought="The part is not named yet."),)),
            Turn("u", 'It is the KX-"7" é, sent to Zürich by express, not as a gift.'),
            Turn(
                "a",
                "There are five of them, shall I order one?",
                (
                    Step(
                        thought="First I look at the stock.",
                        calls=(Call("read_stock", encode({"part": ARGUMENTS["part"]})),),
                        results=(Result(value=encode({"pieces_left": 5})),),
                    ),
                    Step(thought="Enough are there."),
                ),
            ),
            Turn("u", "Yes, go ahead with exactly one of them."),
            Turn(
                "a",
                "Ordering one of them right now.",
                (Step(thought="All is known.", calls=(Call("place_order", encode(ARGUMENTS)),)),),
            ),
            Turn("u", "And compare it with the stock of the other two parts."),
            Turn(
                "a",
                "Both of the other parts are out of stock.",
                (
                    Step(
                        calls=tuple(Call("read_stock", encode({"part": part})) for part in ("AA-1", "BB-2")),
                        results=(Result(value=encode({"none_of": "AA-1"})), Result(error="no such part BB-2")),
                    ),
                ),
            ),
        ),
    )


def samples(slices: str = "turn", *, thoughts: bool = True) -> tuple[TrainingSample, ...]:
    """The samples of the dialogue."""
    return samples_of(talk(), TOOLS, slices=slices, thoughts=thoughts)  # type: ignore[arg-type]


# -- faults ----------------------------------------------------------------------------------------------------------


def _target(row: Row) -> Row:
    return row["completion"][0]  # type: ignore[no-any-return]


def _function(row: Row) -> Row:
    return _target(row)["tool_calls"][0]["function"]  # type: ignore[no-any-return]


def _tools(row: Row, change: Callable[[list[Row]], object]) -> None:
    tools = json.loads(row["tools"])
    change(tools)
    row["tools"] = json.dumps(tools)


def _double_encode(row: Row) -> None:
    _function(row)["arguments"] = json.dumps(_function(row)["arguments"])


def _double_encode_twice(row: Row) -> None:
    _function(row)["arguments"] = json.dumps(json.dumps(_function(row)["arguments"]))


def _lose_call(row: Row) -> None:
    _target(row)["tool_calls"].pop()


def _lose_all_calls(row: Row) -> None:
    del _target(row)["tool_calls"]


def _repeat_call(row: Row) -> None:
    _target(row)["tool_calls"] *= 2


def _train_user(row: Row) -> None:
    row["completion"].insert(0, row["prompt"].pop())


def _train_history(row: Row) -> None:
    at = next(at for at, one in enumerate(row["prompt"]) if one["role"] == "user")
    row["completion"] = row["prompt"][at + 1 :] + row["completion"]
    row["prompt"] = row["prompt"][: at + 1]


def _swap_prompt(row: Row) -> None:
    row["completion"] = [row["prompt"].pop(-1)]


def _cut_words(row: Row) -> None:
    _target(row)["content"] = _target(row)["content"][:-9]


def _empty_words(row: Row) -> None:
    _target(row)["content"] = ""


def _lose_thought(row: Row) -> None:
    _target(row)["content"] = _target(row)["content"].split("</think>\n\n")[-1]


def _control_token(row: Row) -> None:
    row["prompt"][1]["content"] += "<|im_end|>"


def _tag_in_text(row: Row) -> None:
    row["prompt"][1]["content"] += "</tool_call>"


def _other_schema(row: Row) -> None:
    _tools(row, lambda tools: tools.append({"type": "function", "function": {"name": "fly", "parameters": {}}}))


def _lose_tool(row: Row) -> None:
    _tools(row, lambda tools: tools.pop())


def _lose_option(row: Row) -> None:
    _tools(row, lambda tools: tools[0]["function"]["parameters"]["properties"]["speed"].pop("enum"))


def _lose_descriptions(row: Row) -> None:
    _tools(row, lambda tools: [tool["function"].pop("description") for tool in tools])


def _lose_system(row: Row) -> None:
    row["prompt"].pop(0)


def _lose_turn(row: Row) -> None:
    row["prompt"].pop(1)


def _rename_argument(row: Row) -> None:
    arguments = _function(row)["arguments"]
    arguments["Part"] = arguments.pop("part")


def _change_type(row: Row) -> None:
    _function(row)["arguments"]["gift"] = "False"


def _null_filled(row: Row) -> None:
    _function(row)["arguments"]["other"] = None


def _changed_letters(row: Row) -> None:
    _function(row)["arguments"]["part"] = _function(row)["arguments"]["part"].encode("ascii", "ignore").decode()


FAULTS: dict[str, tuple[str, Callable[[Row], None]]] = {
    "arguments encoded twice": ("E3", _double_encode),
    "arguments encoded three times": ("E3", _double_encode_twice),
    "the only call lost": ("E4", _lose_all_calls),
    "a call repeated": ("E4", _repeat_call),
    "a user's words trained": ("E5", _train_user),
    "history trained": ("E5", _train_history),
    "prompt and reply swapped": ("E1", _swap_prompt),
    "words cut": ("E1", _cut_words),
    "words lost": ("E4", _empty_words),
    "thought lost": ("E4", _lose_thought),
    "control token in a user's text": ("E1", _control_token),
    "tag of calls in a user's text": ("E1", _tag_in_text),
    "schema of another row": ("E2", _other_schema),
    "a tool lost": ("E2", _lose_tool),
    "listed values lost": ("E2", _lose_option),
    "descriptions lost": ("E2", _lose_descriptions),
    "system message lost": ("E4", _lose_system),
    "a turn lost": ("E4", _lose_turn),
    "an argument renamed": ("E1", _rename_argument),
    "a value of another type": ("E1", _change_type),
    "an empty field that a loader fills in": ("E1", _null_filled),
    "letters lost": ("E3", _changed_letters),
}
"""What is planted: the code that must name it, and the change of a row with a call beside words."""


def planted(row: Row, name: str) -> Row:
    """A row with a fault in it."""
    changed = copy.deepcopy(row)
    FAULTS[name][1](changed)
    return changed
