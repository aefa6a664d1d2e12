"""Reads a server's answer into a ChatReply: keeps the readable part and lists format errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from callwright.errors import BadDocument
from callwright.models.brackets import Work
from callwright.models.chat import EMPTY_REPLY, ChatReply, ChatRequest
from callwright.models.conversation import Calling
from callwright.models.endpoint import without_likely_keys
from callwright.models.structured import read_object
from callwright.models.tool_calls import FoundCall, find_calls, read_calls
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json, decode, encode, parse

WRITTEN_AS_TEXT: Final = "the call was written as text"
"""The format error of a call in the text of a reply although the server was given the tools."""

OLD_FIELD: Final = "the call came in the old field `function_call`"
"""The format error of a call in `function_call`, the field used before `tool_calls`."""

CUT_OFF: Final = "cut off at the limit of tokens"
WITHHELD: Final = "withheld by the server's content filter"

_LONGEST_ERROR = 300
_OPEN, _CLOSE = "<think>", "</think>"
_MOST_TOKENS = 2**53
_SAID_IN = ("content", "tool_calls", "function_call", "refusal", "reasoning_content", "reasoning")


class BadReply(Exception):
    """The answer is not a reply. Caught in this part; the message may contain text of the server."""

    def __init__(self, message: str, *, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


class Usage(NamedTuple):
    """Tokens as the server counted them; None if it did not."""

    tokens_in: int | None = None
    tokens_out: int | None = None


def read_completion(body: bytes, request: ChatRequest, *, calling: Calling, strike: Callable[[str], str]) -> ChatReply:
    """Return the reply in a server's answer; `strike` removes secrets from texts. Raises BadReply if there is none."""
    try:
        document = parse(body, where="the reply")
    except BadDocument as error:
        raise BadReply(f"the reply is no JSON ({error})", usage=Usage()) from error
    usage = _usage(document)
    choice = _first_choice(document)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, dict) or not _is_said(message):
        words = without_likely_keys(strike(body.decode("utf-8", "replace")))  # before it is cut: no half secrets
        raise BadReply(f"the reply is no chat completion: {words[:_LONGEST_ERROR]}", usage=usage)
    thought, said = split_thought(_text(message.get("content")) or _text(message.get("refusal")))
    thought = _text(message.get("reasoning_content")) or _text(message.get("reasoning")) or thought
    found = _found(message, said, request, calling=calling)
    content, errors = found.content, found.errors
    if request.reply_schema is not None:
        content, more = read_object(said)
        errors += more
    errors += _ending(choice.get("finish_reason"))
    if not content and not found.calls:
        errors += (EMPTY_REPLY,)

    def clean(text: str) -> str:
        struck = strike(text)
        if struck.isascii():
            return struck
        return struck.encode("utf-8", "replace").decode()  # a lone surrogate can be neither stored nor shown

    return ChatReply(
        content=clean(content),
        thought=clean(thought),
        calls=tuple(_clean_call(call, clean) for call in found.calls),
        format_errors=tuple(clean(error)[:_LONGEST_ERROR] for error in errors),
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
    )


def error_of(body: bytes) -> tuple[str, str]:
    """Return message and code of a server's error, or the whole text. Uncut: remove secrets before cutting."""
    try:
        document = parse(body, where="the answer")
    except BadDocument:
        return body.decode("utf-8", "replace"), ""
    inner = document.get("error", document) if isinstance(document, dict) else document
    if not isinstance(inner, dict):
        return _words(inner), ""
    said = next((inner[key] for key in ("message", "detail", "msg", "error") if inner.get(key)), inner)
    code = next((inner[key] for key in ("code", "type") if inner.get(key)), "")
    return _words(said), _words(code)


def _words(value: Json) -> str:
    return value if isinstance(value, str) else encode(value)


def _found(message: dict[str, Json], said: str, request: ChatRequest, *, calling: Calling) -> FoundCall:
    work = Work()
    native = _native_calls(message, work)
    if native.calls or not request.tools or request.reply_schema is not None:
        return native._replace(content=said)
    written = find_calls(said, work)
    if written.calls and calling == "native":
        return written._replace(errors=(WRITTEN_AS_TEXT, *native.errors, *written.errors))
    return written._replace(errors=native.errors + written.errors) if native.errors else written


def _native_calls(message: dict[str, Json], work: Work) -> FoundCall:
    calls, old = read_calls(message.get("tool_calls"), work), message.get("function_call")
    if calls.calls or not old:
        return calls
    found = read_calls([old], work)
    return found._replace(errors=(*calls.errors, OLD_FIELD, *found.errors))


def _first_choice(document: Json) -> dict[str, Json] | None:
    choices = document.get("choices") if isinstance(document, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _usage(document: Json) -> Usage:
    counts = document.get("usage") if isinstance(document, dict) else None
    if not isinstance(counts, dict):
        return Usage()
    return Usage(_count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")))


def _count(value: Json) -> int | None:
    """Return a count, which may be written as `10.0` or `"10"`."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < len(str(_MOST_TOKENS)):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MOST_TOKENS:
        return None
    return int(value) if value == int(value) else None


def _is_said(message: dict[str, Json]) -> bool:
    """Return whether a message can be read as a reply: it has text, or a field for text or calls."""
    content = message.get("content")
    if isinstance(content, list):
        return all(isinstance(part, dict) for part in content)
    return isinstance(content, str) or (content is None and any(key in message for key in _SAID_IN))


def _text(value: Json) -> str:
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, dict))
    return value if isinstance(value, str) else ""


def _ending(reason: Json) -> tuple[str, ...]:
    if reason == "length":
        return (CUT_OFF,)
    return (WITHHELD,) if reason == "content_filter" else ()


def _clean_call(call: Call, clean: Callable[[str], str]) -> Call:
    arguments = call.arguments
    if clean(arguments) != arguments:
        arguments = encode(_cleaned(decode(arguments), clean))
    return msgspec.structs.replace(call, tool=clean(call.tool), id=clean(call.id), arguments=arguments)


def _cleaned(value: Json, clean: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(item, clean) for item in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(item, clean) for key, item in value.items()}
    return value


def split_thought(text: str) -> tuple[str, str]:
    """Return thought and content. The opening tag may be missing, because some templates put it into the prompt.

    >>> split_thought("<think>Which file?</think>Which file do you mean?")
    ('Which file?', 'Which file do you mean?')
    """
    head, closed, rest = text.partition(_CLOSE)
    if closed:
        return head.strip().removeprefix(_OPEN).strip(), rest.strip()
    if text.lstrip().startswith(_OPEN):
        return text.strip().removeprefix(_OPEN).strip(), ""
    return "", text
