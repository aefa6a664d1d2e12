"""Checks what a served model can do with a few short requests."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Final

import msgspec

from callwright.errors import BadDocument, RolloutFailed
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.models.completion import WRITTEN_AS_TEXT
from callwright.models.conversation import Calling, encode_request
from callwright.models.endpoint import Endpoint
from callwright.models.keys import ApiKey
from callwright.models.openai import ServedModel, chat_url
from callwright.models.retries import Patience
from callwright.models.structured import Learned, Level, keeps_to
from callwright.models.transport import TransportFailed, post_json
from callwright.records.jsontext import Json, decode, encode, parse
from callwright.records.tool import Tool

_TRIES: Final = 3

_ASKS: Final = 3
"""Replies before an ability counts as missing, because a single failure may be a slip."""

_SCHEMA: Final = encode(
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
        "required": ["city", "degrees"],
        "additionalProperties": False,
    }
)
_ANY_OBJECT: Final = encode({"type": "object"})
_GREETING: Final = ChatRequest((Message("user", "Say hello in one word."),))
_CALL: Final = ChatRequest(
    (Message("system", "Use the tool."), Message("user", "What is the current weather in the city of Lisbon?")),
    (
        Tool(
            name="get_weather",
            description="Current weather of a city.",
            parameters=encode({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}),
        ),
    ),
)
_OBJECT: Final = ChatRequest(
    (Message("user", "It is 21 degrees in Lisbon. Give city and degrees as a JSON object."),), reply_schema=_SCHEMA
)


class ModelCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check."""

    chat: bool
    """It replies; otherwise nothing else was tried."""
    tools: bool = False
    """It calls a tool natively, with readable arguments; a note says if their form is wrong."""
    json_schema: bool = False
    """It follows a schema given as `response_format`."""
    json_mode: bool = False
    """It gives a JSON object when `response_format` asks for one."""
    usage: bool = False
    """Its replies contain token counts."""
    latency_ms: float | None = None
    """Latency of a one-word reply: the faster of two."""
    notes: tuple[str, ...] = ()
    """Other findings, such as a server's reason to refuse."""


async def check_served(endpoint: Endpoint, *, key: ApiKey, patience: Patience | None = None) -> ModelCheck:
    """Return what the model can do. A failed check is false and has a note; it raises nothing."""
    probe = _Probe(endpoint, key, msgspec.structs.replace(patience or Patience(), tries=_TRIES))
    began = monotonic()
    first = await probe.ask(_GREETING)
    middle = monotonic()
    if first is None:
        return ModelCheck(chat=False, notes=tuple(probe.notes))
    await probe.ask(_GREETING)
    latency = min(middle - began, monotonic() - middle) * 1000
    usage = first.tokens_in is not None and first.tokens_out is not None
    if not usage:
        probe.notes.append("replies do not count tokens: budgets and costs cannot be kept")
    return ModelCheck(
        chat=True,
        tools=await probe.calls(),
        json_schema=await probe.gives_json("json_schema"),
        json_mode=await probe.gives_json("json_object"),
        usage=usage,
        latency_ms=round(latency, 1),
        notes=(*probe.notes, await probe.streaming()),
    )


class _Probe:
    def __init__(self, endpoint: Endpoint, key: ApiKey, patience: Patience) -> None:
        self.notes: list[str] = []
        self._endpoint = endpoint
        self._key = key
        self._patience = patience

    async def ask(
        self, request: ChatRequest, *, calling: Calling = "native", learned: Learned | None = None
    ) -> ChatReply | None:
        model = ServedModel(
            self._endpoint, key=self._key, role="model", calling=calling, patience=self._patience, learned=learned
        )
        try:
            return await model.reply(request, Random(0))
        except RolloutFailed as error:
            self.notes.append(str(error))
            return None

    async def calls(self) -> bool:
        """Return whether the model calls natively; if not, a note says whether prompted calling works."""
        called = False
        for asked in range(1, _ASKS + 1):
            reply = await self.ask(_CALL)
            if reply is None or WRITTEN_AS_TEXT in reply.format_errors:
                break
            if _is_legible(reply):
                self.notes += [f"tools: {error}, which is read all the same" for error in reply.format_errors]
                self._note_late("tools", asked)
                return True
            called |= bool(reply.calls)
        if called:
            self.notes.append("tools: it calls natively, but with arguments that cannot be read")
        self.notes.append(await self._other_calling(called))
        return False

    async def _other_calling(self, called: bool) -> str:
        """Return a note on the ways of calling that need no tools of the server; `called`: natively, illegibly."""
        prompted = await self.ask(_CALL, calling="prompted")
        if prompted is not None and prompted.calls:
            return "tools: it calls when the prompt describes them: use --calling prompted"
        by_schema = await self.ask(_CALL, calling="schema")
        if by_schema is not None and by_schema.calls:
            return "tools: it calls in an object of a JSON schema: use --calling schema"
        return f"tools: it did not call {'' if called else 'natively, nor '}when prompted or by schema"

    async def gives_json(self, level: Level) -> bool:
        """Return whether the server accepts this form and the model's reply fits it."""
        for asked in range(1, _ASKS + 1):
            learned = Learned()
            learned.keep_level(self._endpoint.name, level)
            learned.proven.add((self._endpoint.name, level))  # else a reply that does not fit makes it try another form
            reply = await self.ask(_OBJECT, learned=learned)
            if reply is None:
                return False
            if learned.level(self._endpoint.name) != level:
                self.notes.append(f"{level}: refused by the server")
                return False
            if keeps_to(reply, _SCHEMA if level == "json_schema" else _ANY_OBJECT):
                self._note_late(level, asked)
                return True
        self.notes.append(f"{level}: taken by the server, but the reply does not fit")
        return False

    def _note_late(self, what: str, asked: int) -> None:
        if asked > 1:
            self.notes.append(f"{what}: only the reply to request {asked} was right")

    async def streaming(self) -> str:
        """Return a note on whether the server streams, and counts tokens when streaming."""
        counting: dict[str, Json] = {"stream": True, "stream_options": {"include_usage": True}}
        for fields in (counting, counting, {"stream": True}, {"stream": True}):  # some servers refuse only the options
            if events := await self._events(fields):
                return f"streaming: yes, {'with' if any(map(_counts_tokens, events)) else 'without'} token counts"
        return "streaming: none (callwright does not need it)"

    async def _events(self, fields: dict[str, Json]) -> list[bytes]:
        """Return the data of the events for a request with these fields; none if it is refused or fails."""
        body = parse(encode_request(self._endpoint.model, _GREETING, calling="native", level="prompt"))
        try:
            answer = await post_json(
                await chat_url(self._endpoint),
                msgspec.json.encode(body | fields),
                headers=self._key.headers(),
                patience=self._patience,
            )
        except TransportFailed:
            return []
        if not answer.is_success:
            return []
        return [line[5:].strip() for line in answer.body.splitlines() if line.startswith(b"data:")]


def _is_legible(reply: ChatReply) -> bool:
    arguments = [decode(call.arguments) for call in reply.calls]
    return bool(arguments) and all(isinstance(found, dict) and found for found in arguments)


def _counts_tokens(event: bytes) -> bool:
    try:
        value: Json = parse(event)
    except BadDocument:
        return False
    return isinstance(value, dict) and isinstance(value.get("usage"), dict)
