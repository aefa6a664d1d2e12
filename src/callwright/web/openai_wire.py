"""Requests of the chat-completions protocol: reads untrusted bytes into a model's request.

Refused are JSON (except by a schema, from `builtin/author`), several choices, images and log probabilities. Sampling
settings and `tool_choice: "required"` have no effect on rules. Without `tools`, those that the system message describes
as text are used.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

import msgspec

from callwright.errors import BadDocument, BadInput
from callwright.formats import functions
from callwright.lang.tokens import words
from callwright.models.chat import ChatRequest, Message
from callwright.models.prompted import read_words
from callwright.records.dialogue import Call
from callwright.records.jsontext import EMPTY_OBJECT, Json, JsonText, canonical_text, encode, parse
from callwright.records.tool import Tool

MAX_BYTES: Final = 16 * 1024 * 1024
MAX_DEPTH: Final = 64
"""Deepest nesting of a request body, the schemas of its tools included."""
MAX_MESSAGES: Final = 10_000
MAX_TOOLS: Final = 2_048

_LARGEST_CACHED: Final = 256 * 1024


class Refused(BadInput):
    """A request that gets no reply: HTTP status, and the code and parameter of the error body."""

    def __init__(self, message: str, *, status: int = 400, code: str | None = None, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param


class WireRequest(msgspec.Struct, frozen=True):
    """A parsed request."""

    request: ChatRequest
    model: str
    is_stream: bool
    include_usage: bool
    """Whether a stream ends with a chunk of usage counts."""
    tokens: int
    """Number of words in messages and tools (`callwright.lang.tokens.words`)."""
    is_prompted: bool
    """Whether tools, calls and results came as text, so that the reply's calls must be text too."""


class _Function(msgspec.Struct):
    name: str
    arguments: str


class _Call(msgspec.Struct):
    function: _Function
    id: str = ""


class _Part(msgspec.Struct):
    type: str
    text: str = ""


class _Message(msgspec.Struct):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[_Part] | None = None
    tool_calls: list[_Call] | None = None
    tool_call_id: str = ""


class _StreamOptions(msgspec.Struct):
    include_usage: bool | None = None


class _Schema(msgspec.Struct):
    schema: msgspec.Raw = msgspec.Raw(b"{}")


class _ResponseFormat(msgspec.Struct):
    type: str
    json_schema: _Schema | None = None


class _NamedFunction(msgspec.Struct):
    name: str


class _ToolChoice(msgspec.Struct):
    function: _NamedFunction


_NULL: Final = msgspec.Raw(b"null")


class _Body(msgspec.Struct):
    model: str
    messages: list[_Message]
    tools: msgspec.Raw = _NULL
    tool_choice: Literal["none", "auto", "required"] | _ToolChoice | None = None
    n: int | None = None
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    response_format: _ResponseFormat | None = None
    logprobs: bool | None = None
    functions: Json = None


_decoder = msgspec.json.Decoder(_Body)


def read(body: bytes, *, by_schema: bool = False) -> WireRequest:
    """Return the parsed request; `by_schema`: the model supports JSON Schema replies. Raises Refused."""
    try:
        asked = _decoder.decode(body)
    except msgspec.ValidationError as error:
        raise Refused(f"request body: {error}", code="invalid_request") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(f"request body: not JSON that can be read: {error}", code="invalid_json") from error
    schema = _reply_schema(asked.response_format, by_schema=by_schema)
    _refuse_beyond_us(asked)
    messages = tuple(_message(message, at) for at, message in enumerate(asked.messages))
    tokens = sum(map(_tokens_of, messages))
    in_words = read_words(messages) if asked.tools == _NULL else None
    if in_words is None:
        tools, tokens_of_tools = _read_tools(bytes(asked.tools))
        tokens += tokens_of_tools
    else:
        messages = in_words.messages
        tools, _ = _read_tools(encode(functions.write_openai(in_words.tools)).encode())
    return WireRequest(
        request=ChatRequest(messages, _shown(tools, asked.tool_choice), schema),
        model=asked.model,
        is_stream=bool(asked.stream),
        include_usage=asked.stream_options is not None and bool(asked.stream_options.include_usage),
        tokens=tokens,
        is_prompted=in_words is not None,
    )


def _reply_schema(wanted: _ResponseFormat | None, *, by_schema: bool) -> JsonText | None:
    """Return the schema that the reply must fit, normalised like the schemas of tools."""
    if wanted is None or wanted.type == "text":
        return None
    if not by_schema or wanted.type != "json_schema" or wanted.json_schema is None:
        said = "a schema is needed" if by_schema else "this model writes sentences and calls, not JSON"
        raise Refused(
            f"response_format {wanted.type[:40]!r}: {said}. Leave it out, or ask builtin/author by json_schema.",
            code="unsupported_value",
            param="response_format",
        )
    function = {"name": "reply", "parameters": parse(bytes(wanted.json_schema.schema), where="response_format")}
    return _checked_tools(encode([{"type": "function", "function": function}]).encode())[0].parameters


def _refuse_beyond_us(asked: _Body) -> None:
    if asked.n is not None and asked.n != 1:
        raise Refused(f"n is {asked.n}: one choice is given a request. Ask n times.", param="n")
    if asked.logprobs:
        raise Refused("logprobs: rules have no probabilities. Leave it out.", param="logprobs")
    if asked.functions is not None:
        raise Refused("functions: the form before `tools`. Give the functions as tools.", param="functions")
    if not asked.messages:
        raise Refused("messages: there is none. Give at least one.", param="messages")
    if len(asked.messages) > MAX_MESSAGES:
        raise Refused(f"messages: more than {MAX_MESSAGES:,}.", param="messages")


def _message(message: _Message, at: int) -> Message:
    param = f"messages[{at}]"
    if message.tool_calls and message.role != "assistant":
        raise Refused(f"{param}: only an assistant calls tools.", param=f"{param}.tool_calls")
    if message.role == "tool" and not message.tool_call_id:
        raise Refused(f"{param}: a tool's message names its call in tool_call_id.", param=f"{param}.tool_call_id")
    return Message(
        role="system" if message.role == "developer" else message.role,
        content=_text(message.content, param),
        calls=tuple(
            Call(call.function.name, _arguments(call.function.arguments), call.id) for call in message.tool_calls or ()
        ),
        call_id=message.tool_call_id if message.role == "tool" else "",
    )


def _text(content: str | list[_Part] | None, param: str) -> str:
    if not isinstance(content, list):
        return content or ""
    for part in content:
        if part.type != "text":
            raise Refused(f"{param}: the models read text, not {part.type[:40]!r}.", param=f"{param}.content")
    return "\n".join(part.text for part in content)


def _arguments(text: str) -> JsonText:
    """Return the arguments as they were given; those that are not JSON are kept as a JSON string."""
    if not text.strip():
        return EMPTY_OBJECT
    try:
        return canonical_text(text, where="arguments")
    except BadDocument:
        return encode(text)


def _tokens_of(message: Message) -> int:
    made = sum(len(words(call.tool)) + len(words(call.arguments)) for call in message.calls)
    return len(words(message.content)) + made


# -- tools -----------------------------------------------------------------------------------------------------------


def _read_tools(text: bytes) -> tuple[tuple[Tool, ...], int]:
    return _cached_tools(text) if len(text) <= _LARGEST_CACHED else _cached_tools.__wrapped__(text)


@lru_cache(maxsize=64)
def _cached_tools(text: bytes) -> tuple[tuple[Tool, ...], int]:
    """The same, kept: most requests repeat an earlier list."""
    tools = _checked_tools(text)
    return tools, sum(len(words(f"{tool.name} {tool.description} {tool.parameters}")) for tool in tools)


def _checked_tools(text: bytes) -> tuple[Tool, ...]:
    try:
        entries = parse(text, where="tools", max_bytes=MAX_BYTES, max_depth=MAX_DEPTH)
        if entries is None or entries == []:
            return ()
        if not isinstance(entries, list) or len(entries) > MAX_TOOLS:
            raise Refused(f"tools: give a list of at most {MAX_TOOLS:,} functions.", param="tools")
        catalog = functions.read({"tools": entries}, source="tools")
    except BadDocument as error:
        raise Refused(str(error), param="tools") from error
    if catalog.left_out:
        left = catalog.left_out[0]
        raise Refused(f"tools: {left.where}: {left.reason}.", param="tools")
    for altered in catalog.altered:
        if "renamed" in altered.what:
            raise Refused(f"tools: {altered.tool}: {altered.what[:300]}. Give each tool a valid name.", param="tools")
    return catalog.tools


def _shown(tools: tuple[Tool, ...], choice: str | _ToolChoice | None) -> tuple[Tool, ...]:
    if isinstance(choice, _ToolChoice):
        named = tuple(tool for tool in tools if tool.name == choice.function.name)
        if not named:
            name = choice.function.name[:80]
            raise Refused(f"tool_choice: no tool is called {name!r}.", param="tool_choice")
        return named
    return () if choice == "none" else tools
