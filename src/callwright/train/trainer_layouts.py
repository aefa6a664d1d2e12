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
from itertools import pairwise
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
    settings: str
    """What the trainer has to be told."""
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
    return {
        "conversations": list(_alternating(one for one in sample.messages if one.role != "system")),
        "system": _instructions(sample),
        "tools": _in_order(list(sample.tools)),
        **_source(sample),
    }


def _instructions(sample: TrainingSample) -> str:
    """All words of the system, for trainers that take them at the start alone."""
    return "\n\n".join(one.content for one in sample.messages if one.role == "system")


def _alternating(messages: Iterable[TrainingMessage]) -> list[Row]:
    """The messages as turns of people and of the model by turns, people first, or the trainer drops the row.

    Neighbours among people and results are joined. Each reply stays by itself: where nothing stands between two of
    them, or before the first one, an empty turn does.
    """
    turns: list[Row] = []
    for message in messages:
        tag, value = _from_value(message)
        last = turns[-1]["from"] if turns else ""
        if tag in _OURS and (not last or last in _OURS):
            turns.append({"from": "observation" if last == "function_call" else "human", "value": ""})
        if tag in _OURS or not last or last in _OURS:
            turns.append({"from": tag, "value": value})
        else:
            turns[-1] = {"from": tag, "value": f"{turns[-1]['value']}\n{value}"}
    return turns


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


def _sharegpt_losses(sample: TrainingSample) -> Iterator[str]:
    if any(one.calls and spoken(one) for one in sample.messages):
        yield "words and thoughts beside a call have no place"
    if any(one.role == "assistant" and not one.trained for one in sample.messages):
        yield "earlier replies are trained too, unless the trainer's `mask_history` is on"
    if any(a.role == b.role == "tool" for a, b in pairwise(sample.messages)):
        yield "results of parallel calls are joined, a line each"
    if any(a == "tool" and b == "user" for a, b in pairwise(_roles(sample))):
        yield "results that no reply follows are joined with what people say next"
    if any(b == "assistant" and a in ("", "assistant") for a, b in pairwise(["", *_roles(sample)])):
        yield "an empty turn stands before replies that nobody asked for"
    yield from _moved_instructions(sample)


def _roles(sample: TrainingSample) -> list[str]:
    return [one.role for one in sample.messages if one.role != "system"]


def _moved_instructions(sample: TrainingSample) -> Iterator[str]:
    if any(one.role == "system" for one in sample.messages[1:]):
        yield "instructions during the dialogue stand at its start"


# -- ms-swift and axolotl --------------------------------------------------------------------------------------------


def _swift(sample: TrainingSample) -> Row:
    is_told = any(message.role == "system" for message in sample.messages)
    messages: list[Row] = [{"role": "system", "content": _instructions(sample)}] if is_told else []
    for message in sample.messages:
        last = messages[-1]["role"] if messages else ""
        if message.role == last == "user":  # the trainer would join them without a space
            messages[-1] = {"role": "user", "content": f"{messages[-1]['content']}\n{spoken(message)}"}
        elif message.role != "system":
            messages += _apart(message, last)
            messages += _swift_messages(message)
    return {"messages": messages, "tools": _in_order(functions_of(sample)), **_source(sample)}


def _apart(message: TrainingMessage, last: str) -> list[Row]:
    """An empty reply where results end without one, and between calls that were not made at once."""
    is_next_call = last == "tool_call" and message.role == "assistant" and not spoken(message)
    is_silent = last == "tool" and message.role == "user"
    return [{"role": "assistant", "content": "", "loss": False}] if is_next_call or is_silent else []


def _swift_messages(message: TrainingMessage) -> Iterator[Row]:
    loss = {"loss": message.trained} if message.role == "assistant" else {}
    if message.role != "assistant" or not message.calls or spoken(message):
        yield {"role": message.role, "content": spoken(message), **loss}
    for call in message.calls:
        content = _in_order({"name": call.tool, "arguments": decode(call.arguments)})
        yield {"role": "tool_call", "content": content, **loss}


def _axolotl(sample: TrainingSample) -> Row:
    messages = [{**_chat(message, _as_text), "train": message.trained} for message in sample.messages]
    # text, as the trainer drops every null of an object: of a schema also defaults and listed values
    return {"messages": messages, "tools": _in_order(functions_of(sample)), **_source(sample)}


def _all_json(row: Row) -> list[dict[str, str]]:
    kinds = {bool: {"dtype": "bool"}, str: {"dtype": "string"}, list: {"list": "json"}}
    return [
        {"name": name, **({"dtype": SOURCE[name]} if name in SOURCE else kinds[type(value)])}
        for name, value in row.items()
    ]


def _swift_losses(sample: TrainingSample) -> Iterator[str]:
    if any(len(message.calls) > 1 for message in sample.messages):
        yield "ids of parallel calls: their results are told apart by their order"
    yield from _moved_instructions(sample)


def _none(sample: TrainingSample) -> Iterator[str]:
    return iter(())


LAYOUTS: Final[Mapping[str, TrainerLayout]] = MappingProxyType(
    {
        "trl": TrainerLayout(
            "TRL's SFTTrainer",
            "`max_length` (1,024 where nothing is said); for whole dialogues `assistant_only_loss=True`",
            _trl,
            _none,
            _trl_features,
            has_template=True,
        ),
        "openai": TrainerLayout("fine-tuning at OpenAI", "nothing", _openai, _none, _all_json, has_template=False),
        "sharegpt": TrainerLayout(
            "LLaMA-Factory",
            'in `dataset_info.json` `"formatting": "sharegpt"` and `"columns": {"messages": "conversations", "system": '
            '"system", "tools": "tools"}`; for single replies `mask_history: true`',
            _sharegpt,
            _sharegpt_losses,
            _all_json,
            has_template=False,
        ),
        "ms-swift": TrainerLayout(
            "ms-swift",
            "nothing; `--loss_scale default` heeds the `loss` of messages",
            _swift,
            _swift_losses,
            _all_json,
            has_template=False,
        ),
        "axolotl": TrainerLayout(
            "axolotl",
            "`type: chat_template`, `field_messages: messages`, `message_field_training: train` (without it earlier "
            "replies are trained too)",
            _axolotl,
            _none,
            _all_json,
            has_template=True,
        ),
    }
)
