"""The layouts of trainers: how each writes a sample as a row, and how its own loader reads the row back.

    trl        `prompt`, `completion` and `tools` of TRL's SFTTrainer; whole dialogues as `messages`
    openai     the fine-tuning files of OpenAI: `messages` with `weight`, arguments as text
    sharegpt   LLaMA-Factory: `conversations` of human, gpt, function_call and observation
    ms-swift   `messages` with the roles tool_call and tool
    axolotl    `messages` with `train`, for `type: chat_template`

A thought stands before the words of its reply, in `<think>`: no field for it is read by all of them. Rows say where
they are from in columns that these trainers leave alone; OpenAI takes no fields but its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from callwright.records.jsontext import Json, JsonText, decode
from callwright.train.training_sample import TrainingMessage, TrainingSample

Row = dict[str, Json]
SOURCE: Final[Mapping[str, str]] = MappingProxyType(
    {"dialogue": "string", "turn": "int64", "dataset": "string", "part": "string"}
)
"""Columns that say where a row is from, with their types."""
THINK: Final = ("<think>\n", "\n</think>\n\n")


class TrainerLayout(NamedTuple):
    """One layout of rows."""

    help: str
    """Which trainer reads it."""
    write: Callable[[TrainingSample], Row]
    losses: Callable[[TrainingSample], Iterator[str]]
    """The parts of a sample that the layout has no place for."""
    features: Callable[[Row], list[dict[str, str]]]
    """The columns as the card declares them, so that `datasets` adds no empty fields to JSON objects."""
    has_template: bool
    """Whether the trainer renders rows with the chat template of the model's own files."""


def spoken(message: TrainingMessage) -> str:
    """Return the words of a message as a row holds them: after the thought, or the speaker where there are several."""
    if message.thought:
        return f"{THINK[0]}{message.thought}{THINK[1]}{message.content}"
    if message.role == "user" and message.name:
        return f"{message.name}: {message.content}"
    return message.content


def _source(sample: TrainingSample) -> Row:
    return {name: getattr(sample, name) for name in SOURCE}


def functions_of(sample: TrainingSample) -> list[Json]:
    """Return the tools in OpenAI's envelope."""
    return [{"type": "function", "function": tool} for tool in sample.tools]


def _chat(message: TrainingMessage, arguments: Callable[[JsonText], Json]) -> Row:
    """A message of the chat-completions API, its arguments as the layout wants them."""
    row: Row = {"role": message.role, "content": spoken(message)}
    if message.calls:
        row["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": arguments(call.arguments)}}
            for call in message.calls
        ]
    if message.role == "tool":
        row |= {"tool_call_id": message.call_id, "name": message.name}
    return row


def _as_text(arguments: JsonText) -> Json:
    return str(arguments)


def _in_order(value: Json) -> str:
    """JSON text with the keys as they stand: a model learns the name of a call before its arguments."""
    return json.dumps(value, ensure_ascii=False)


# -- trl -------------------------------------------------------------------------------------------------------------


def _trl(sample: TrainingSample) -> Row:
    messages = [_chat(message, decode) for message in sample.messages]
    tools = _in_order(functions_of(sample))
    if sample.whole:  # also one with a single reply: all rows of a file have the same columns
        return {"messages": messages, "tools": tools, **_source(sample)}
    return {"prompt": messages[:-1], "completion": messages[-1:], "tools": tools, **_source(sample)}


def _trl_features(row: Row) -> list[dict[str, str]]:
    types = {"tools": "string", **SOURCE}
    return [{"name": name, **({"dtype": types[name]} if name in types else {"list": "json"})} for name in row]


# -- openai ----------------------------------------------------------------------------------------------------------


def _openai(sample: TrainingSample) -> Row:
    messages = []
    for message in sample.messages:
        row = _chat(message, _as_text)
        row.pop("name", None)
        if message.role == "assistant":
            row["weight"] = int(message.trained)
        messages.append(row)
    several = any(len(message.calls) > 1 for message in sample.messages)
    tools = {"tools": functions_of(sample)} if sample.tools else {}
    return {"messages": messages, **tools, "parallel_tool_calls": several}


# -- sharegpt --------------------------------------------------------------------------------------------------------


def _sharegpt(sample: TrainingSample) -> Row:
    system = "\n\n".join(one.content for one in sample.messages if one.role == "system")
    return {
        "conversations": list(_alternating(one for one in sample.messages if one.role != "system")),
        "system": system,
        "tools": _in_order(list(sample.tools)),
        **_source(sample),
    }


def _alternating(messages: Iterable[TrainingMessage]) -> Iterator[Row]:
    """The messages as turns of people and of the model by turns: neighbours of one side are joined."""
    side: list[tuple[str, str]] = []
    for message in messages:
        said = _from_value(message)
        if side and (said[0] in _OURS) != (side[0][0] in _OURS):
            yield _joined(side)
            side = []
        side.append(said)
    if side:
        yield _joined(side)


_OURS: Final = ("gpt", "function_call")


def _from_value(message: TrainingMessage) -> tuple[str, str]:
    if message.role == "user":
        return "human", spoken(message)
    if message.role == "tool":
        return "observation", message.content
    if message.calls:
        calls = [{"name": call.tool, "arguments": decode(call.arguments)} for call in message.calls]
        return "function_call", _in_order(calls[0] if len(calls) == 1 else calls)
    return "gpt", spoken(message)


def _joined(side: list[tuple[str, str]]) -> Row:
    return {"from": side[-1][0], "value": "\n".join(value for _, value in side)}


def _sharegpt_losses(sample: TrainingSample) -> Iterator[str]:
    if any(one.calls and spoken(one) for one in sample.messages):
        yield "words and thoughts beside a call have no place"
    if any(one.role == "assistant" and not one.trained for one in sample.messages):
        yield "earlier replies are trained too, unless the trainer's `mask_history` is on"
    if any(a.role == b.role == "tool" for a, b in zip(sample.messages, sample.messages[1:], strict=False)):
        yield "results of parallel calls are joined, a line each"


# -- ms-swift and axolotl --------------------------------------------------------------------------------------------


def _swift(sample: TrainingSample) -> Row:
    messages: list[Row] = []
    for message in sample.messages:
        loss = {"loss": message.trained} if message.role == "assistant" else {}
        if message.role != "assistant" or not message.calls or spoken(message):
            messages.append({"role": message.role, "content": spoken(message), **loss})
        for call in message.calls:
            content = _in_order({"name": call.tool, "arguments": decode(call.arguments)})
            messages.append({"role": "tool_call", "content": content, **loss})
    return {"messages": messages, "tools": _in_order(functions_of(sample)), **_source(sample)}


def _axolotl(sample: TrainingSample) -> Row:
    messages = [{**_chat(message, _as_text), "train": message.trained} for message in sample.messages]
    return {"messages": messages, "tools": functions_of(sample), **_source(sample)}


def _all_json(row: Row) -> list[dict[str, str]]:
    kinds = {bool: {"dtype": "bool"}, str: {"dtype": "string"}, list: {"list": "json"}}
    return [
        {"name": name, **({"dtype": SOURCE[name]} if name in SOURCE else kinds[type(value)])}
        for name, value in row.items()
    ]


def _ids_lost(sample: TrainingSample) -> Iterator[str]:
    if any(len(message.calls) > 1 for message in sample.messages):
        yield "ids of parallel calls: their results are told apart by their order"


def _none(sample: TrainingSample) -> Iterator[str]:
    return iter(())


LAYOUTS: Final[Mapping[str, TrainerLayout]] = MappingProxyType(
    {
        "trl": TrainerLayout("TRL's SFTTrainer", _trl, _none, _trl_features, has_template=True),
        "openai": TrainerLayout("fine-tuning at OpenAI", _openai, _none, _all_json, has_template=False),
        "sharegpt": TrainerLayout("LLaMA-Factory", _sharegpt, _sharegpt_losses, _all_json, has_template=False),
        "ms-swift": TrainerLayout("ms-swift", _swift, _ids_lost, _all_json, has_template=False),
        "axolotl": TrainerLayout("axolotl", _axolotl, _none, _all_json, has_template=True),
    }
)
