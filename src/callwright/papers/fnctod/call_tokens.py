"""Functions and calls in words, between special tokens, in any chat format that a template makes of plain messages.

    <functions> ... </functions>                                                       in the system message
    <domain> find_book_hotel </domain>                                                 the function that is chosen
    <function_call> {"function": "find_book_hotel", "arguments": {}} </function_call> words    the assistant's turn

A call and the words after it are one message, as in the paper (section 4, figures 4 and 8). What functions returned, if
it is more than that they were called, is a message of the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Literal

from callwright.models.chat import Message
from callwright.models.prompted import results_in_words
from callwright.models.tool_calls import find_calls
from callwright.papers.fnctod.domain_functions import rendered
from callwright.records.dialogue import Call
from callwright.records.jsontext import EMPTY_OBJECT, Json, decode, encode
from callwright.records.tool import Tool

RECORDED: Final = "recorded"
"""What a function returns that only records."""

CHOOSE: Final = (
    "Now only choose. Write <domain> name </domain> for each function that applies, and nothing else; write "
    "<domain> none </domain> where none does."
)
FILL: Final = (
    'Write each call as <function_call> {"function": "name", "arguments": {"parameter": "value"}} </function_call> '
    "before what you say."
)
ALL: Final = "Write no call where nothing is new."
"""What is added where the model makes all calls of a turn at once."""

_DOMAIN: Final = re.compile(r"<domain>([^<>]{0,200})</domain>")


def functions_told(tools: Sequence[Tool], spec: Literal["json", "text"]) -> str:
    """Return the functions as the system message has them: documents in JSON, or lines of text."""
    told = map(rendered, tools) if spec == "text" else (encode(_document(tool)) for tool in tools)
    return "\n".join(("<functions>", *told, "</functions>"))


def _document(tool: Tool) -> Json:
    return {"name": tool.name, "description": tool.description, "parameters": decode(tool.parameters)}


def call_written(function: str, arguments: Json) -> str:
    """Return a call between its tokens."""
    return f'<function_call> {{"function":{encode(function)},"arguments":{encode(arguments)}}} </function_call>'


def choice_written(functions: Sequence[str]) -> str:
    """Return a choice of functions between its tokens."""
    return " ".join(f"<domain> {name} </domain>" for name in functions or ("none",))


def read_choice(text: str) -> tuple[Call, ...] | None:
    """Return a call without arguments of each function that a reply chooses, none for words alone.

    None where its tokens hold nothing readable.
    """
    found = [match[1].strip() for match in _DOMAIN.finditer(text)]
    chosen = tuple(Call(name, EMPTY_OBJECT) for name in dict.fromkeys(found) if name != "none")
    return chosen if found or "<domain>" not in text else None


def read_tokens(text: str) -> tuple[Call, ...] | None:
    """Return the calls that a reply writes, none for words alone; None where its tokens hold nothing readable."""
    calls = find_calls(text).calls
    return calls if calls or "<function_call>" not in text else None


def in_words(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield messages with the calls in the assistant's words."""
    said: list[str] = []
    for role, some in groupby(messages, lambda message: message.role):
        own = [message for message in some if message.content != RECORDED or role != "tool"]
        if role == "assistant":
            said += [call_written(call.tool, decode(call.arguments)) for one in own for call in one.calls]
            said += [one.content for one in own if one.content]
        elif own:
            if said:
                yield Message("assistant", " ".join(said))
                said = []
            yield from [Message("user", results_in_words(own))] if role == "tool" else own
    if said:
        yield Message("assistant", " ".join(said))
