"""Rows read back by the documented rules of their trainers, written again from those rules.

LLaMA-Factory 0.9.5   sharegpt: people and the model by turns, else the row is dropped; `mask_history`
ms-swift 4.6.0        calls one after another are one step; neighbours of one role are merged; `loss`
axolotl 0.19.0        `type: chat_template` with `message_field_training: train`; arguments and tools as text
"""

from __future__ import annotations

import copy
import json
import re
from typing import Any, NamedTuple

Row = dict[str, Any]
CallRead = tuple[str, Any]


class TurnRead(NamedTuple):
    """One turn as a trainer sees it."""

    side: str
    """`user`, `tool` or `assistant`."""
    words: str
    calls: tuple[CallRead, ...] = ()
    trained: bool = False


class RowRead(NamedTuple):
    """What a trainer makes of a row."""

    system: str
    turns: tuple[TurnRead, ...]
    tools: list[Row]
    """Names, descriptions and parameters."""


class RowDropped(Exception):
    """The trainer leaves the row out, or stops at it."""


# -- LLaMA-Factory ---------------------------------------------------------------------------------------------------

_THOUGHT = re.compile(r"<think>\n(.*?)\n</think>\n\n", re.DOTALL)
_SIDES = {"human": "user", "observation": "tool", "gpt": "assistant", "function_call": "assistant"}


def read_llama_factory(row: Row, *, mask_history: bool) -> RowRead:
    """Read a row of `formatting: sharegpt` with the columns `conversations`, `system` and `tools`."""
    messages = row["conversations"]
    if len(messages) % 2:
        raise RowDropped("an odd number of turns")
    turns = []
    for at, message in enumerate(messages):
        if message["from"] not in (("human", "observation"), ("gpt", "function_call"))[at % 2]:
            raise RowDropped(f"turn {at} is of {message['from']}")
        words, calls = message["value"], tuple[CallRead, ...]()
        if message["from"] == "function_call":
            thought = _THOUGHT.search(words)
            words, calls = (thought[0] if thought else ""), _function_calls(_THOUGHT.sub("", words, count=1))
        trained = at % 2 == 1 and (not mask_history or at == len(messages) - 1)
        turns.append(TurnRead(_SIDES[message["from"]], words, calls, trained))
    tools = [tool["function"] if tool.get("type") == "function" else tool for tool in json.loads(row["tools"])]
    return RowRead(row["system"], tuple(turns), tools)


def _function_calls(text: str) -> tuple[CallRead, ...]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise RowDropped(f"no JSON in a function message: {text!r}") from error
    return tuple((one["name"], one["arguments"]) for one in (found if isinstance(found, list) else [found]))


# -- ms-swift --------------------------------------------------------------------------------------------------------


def read_swift(row: Row) -> RowRead:
    """Read a row as the encoder with templates of its own does: pairs of a question or results and of a reply."""
    messages = copy.deepcopy(row["messages"])
    for message in messages:
        if message["role"] not in ("system", "user", "tool_call", "tool_response", "tool", "assistant"):
            raise RowDropped(f"the role {message['role']}")
    system = messages.pop(0)["content"] if messages[0]["role"] == "system" else ""
    turns = _in_pairs(_merged(_calls_of_steps(messages)))
    tools = [_without_padding(tool)["function"] for tool in json.loads(row["tools"])]
    return RowRead(system, turns, tools)


def _calls_of_steps(messages: list[Row]) -> list[Row]:
    """Calls one after another as one message of the assistant, with the loss of the first."""
    made: list[Row] = []
    for at, message in enumerate(messages):
        if message["role"] != "tool_call":
            made.append({**message, "calls": []})
            continue
        call = json.loads(message["content"])
        one = (call["name"], call["arguments"])
        if at and messages[at - 1]["role"] == "tool_call":
            made[-1]["calls"].append(one)
        else:
            made.append({"role": "assistant", "content": "", "calls": [one], "loss": message.get("loss")})
    return made


def _merged(messages: list[Row]) -> list[list[Row]]:
    """Neighbours of one role; words of people are put together without anything between them."""
    made: list[list[Row]] = []
    for message in messages:
        if made and made[-1][0]["role"] == message["role"] == "user":
            made[-1][0]["content"] += message["content"]
        elif made and made[-1][0]["role"] == message["role"]:
            made[-1].append(message)
        else:
            made.append([message])
    return made


def _in_pairs(groups: list[list[Row]]) -> tuple[TurnRead, ...]:
    if groups[0][0]["role"] == "assistant":
        groups.insert(0, [{"role": "user", "content": "", "calls": []}])
    for at, group in enumerate(groups):
        if group[0]["role"] not in (("user", "tool"), ("assistant",))[at % 2]:
            raise RowDropped(f"turn {at} is of {group[0]['role']}")
    return tuple(
        TurnRead(one["role"], one["content"], tuple(one["calls"]), _has_loss(one)) for group in groups for one in group
    )


def _has_loss(message: Row) -> bool:
    loss = message.get("loss")
    return bool(message["role"] == "assistant" if loss is None else loss)


def _without_padding(schema: Any) -> Any:
    """A schema without what Arrow is thought to have filled in: nulls, but for defaults and listed values."""
    if isinstance(schema, list):
        return [_without_padding(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if value is not None or key in ("default", "const")}
    return {
        key: value
        if key in ("default", "const", "enum", "examples") or key.startswith("x-")
        else _without_padding(value)
        for key, value in kept.items()
    }


# -- axolotl ---------------------------------------------------------------------------------------------------------


def read_axolotl(row: Row) -> RowRead:
    """Read a row of `type: chat_template`, whose template uses `tool_calls`, `tool_call_id` and `name`."""
    row = _without_none(row)
    turns, system = [], ""
    for message in row["messages"]:
        if message["role"] == "system":
            system = "\n\n".join(filter(None, (system, message["content"])))
            continue
        calls = tuple(
            (one["function"]["name"], json.loads(one["function"]["arguments"])) for one in message.get("tool_calls", ())
        )
        trained = message.get("train", message["role"] == "assistant")
        turns.append(TurnRead(message["role"], message.get("content", ""), calls, trained))
    tools = json.loads(row["tools"]) if isinstance(row["tools"], str) else row["tools"]
    return RowRead(system, tuple(turns), [tool["function"] for tool in tools])


def _without_none(value: Any) -> Any:
    """What axolotl does to a row before it reads it, against fields that Arrow filled in."""
    if isinstance(value, dict):
        return {key: _without_none(inner) for key, inner in value.items() if inner is not None}
    return [_without_none(inner) for inner in value] if isinstance(value, list) else value
