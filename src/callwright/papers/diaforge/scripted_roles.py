"""`builtin/author` in the roles of DiaFORGE: simple rules that see the prompt alone, for dry runs.

The user asks vaguely, says the wish when asked, and gives the values whose nouns it hears. The assistant is
`builtin/retriever`, told what the prompt says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import msgspec

from callwright.author.native_turn import before_refusal
from callwright.baselines.retriever import Decision, decide
from callwright.catalog.distinct import distinct_glosses
from callwright.errors import BadDocument
from callwright.lang.kinds import kind_of_value
from callwright.lang.surface import say
from callwright.lang.tokens import stem_set
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.papers.diaforge.opening_request import vague_requests
from callwright.records.jsontext import EMPTY_OBJECT, Json, encode, parse
from callwright.records.tool import Tool

_ASSISTANT_ENDS: Final = "\nYour reply:"
_USER_ENDS: Final = "\nYour message:"
_TOOLS: Final = "\nThe tools, one on each line:\n"
_TALK: Final = "\nThe conversation:\n"
_TODAY: Final = re.compile(r"^Today: [A-Z][a-z]+, (\d{4}-\d\d-\d\d)$", re.MULTILINE)
_SHOWN: Final = re.compile(r"^(?:The tool that does it:|-) ([\w.-]+): (.*)$", re.MULTILINE)
_WISH: Final = re.compile(r"^What you want: (.*)$", re.MULTILINE)
_UNSAID: Final = re.compile(r"^Not said yet: (.*)$", re.MULTILINE)
_VALUES: Final = "\nThe values you know:\n"


def assistant_object(prompt: str) -> dict[str, Json] | None:
    """Return the assistant's next step; None where the prompt does not ask for one."""
    if not prompt.endswith(_ASSISTANT_ENDS):
        return None
    head, _, talk = f"\n{prompt}".partition(_TALK)
    today = _TODAY.search(head)
    messages = [Message("system", f"Today is {today[1]}." if today else ""), *_messages(talk)]
    decision = decide(ChatRequest(tuple(messages), tuple(_tools(head))), Random(0))
    call = decision.reply.calls[0] if decision.reply.calls else None
    tool = decision.tool
    return {
        "thought": _thought(decision),
        "settled_on": tool or None,
        "say": decision.reply.content,
        "call": {"name": call.tool, "arguments": parse(call.arguments)} if call else None,
    }


def native_reply(request: ChatRequest) -> ChatReply | None:
    """Return the next reply of the assistant that calls natively; None where the system message is not its own.

    Why an earlier reply was refused is not heard: the reply is the same again.
    """
    system, *talk = request.messages
    if system.role != "system" or not system.content.startswith(_NATIVE_BEGINS):
        return None
    decision = decide(msgspec.structs.replace(request, messages=(system, *before_refusal(talk))), Random(0))
    return msgspec.structs.replace(decision.reply, thought=_thought(decision))


_NATIVE_BEGINS: Final = "You are an assistant at a company."
"""The first words of the prompt, as bundled."""


def _thought(decision: Decision) -> str:
    step = "call it" if decision.reply.calls else "ask for what it needs"
    return f"It is {decision.tool}. The next step is to {step}." if decision.tool else _UNDECIDED


_UNDECIDED: Final = "I do not know yet which tool is meant."


def _messages(talk: str) -> Iterator[Message]:
    for line in talk.splitlines():
        who, colon, text = line.partition(": ")
        if colon and who in ("Colleague", "You"):
            yield Message("user" if who == "Colleague" else "assistant", text)


def _tools(head: str) -> Iterator[Tool]:
    for line in head.partition(_TOOLS)[2].splitlines():
        try:
            match parse(line):
                case {"name": str(name), "description": str(description), "parameters": dict(parameters)}:
                    yield Tool(name=name, description=description, parameters=encode(parameters))
        except BadDocument:
            continue


def quoted_values(prompt: str) -> list[Json] | None:
    """Return where the person names what a listed value is of; None where the prompt asks for no quotations.

    It reads no meaning: the quotation is the first sentence of the person that has all words of the value's name.
    """
    if not prompt.endswith(_CHECKER_ENDS):
        return None
    head, _, talk = f"\n{prompt}".partition(_TALK)
    messages = [(int(number), text) for number, text in _PERSON.findall(talk)]
    found: list[Json] = []
    for name in _CALLED.findall(head.partition(_CALLED_VALUES)[2]):
        wanted = stem_set(name.replace("_", " ").replace(".", " "))
        sentences = ((turn, one) for turn, text in messages for one in re.split(r"(?<=[.!?])\s", text))
        turn, quote = next(((turn, one) for turn, one in sentences if wanted <= stem_set(one)), (0, ""))
        found += [{"value": name, "turn": turn, "quote": quote}] if quote else []
    return found


_CHECKER_ENDS: Final = "\nYour findings:"
_CALLED_VALUES: Final = "\nThe values, as they were called:\n"
_CALLED: Final = re.compile(r"^- ([^:\n]+): ", re.MULTILINE)
_PERSON: Final = re.compile(r"^Person (\d+): (.*)$", re.MULTILINE)


class PromptValue(NamedTuple):
    noun: str
    value: Json
    is_optional: bool


def user_text(prompt: str) -> str:
    """Return the user's next message; empty where the prompt does not ask for one."""
    wish = _WISH.search(prompt)
    if not prompt.endswith(_USER_ENDS) or not wish:
        return ""
    head, _, talk = f"\n{prompt}".partition(_TALK)
    if "\nAssistant: " not in talk:
        return _opening(head, wish[1])
    if "The assistant does not know yet" in talk:
        return f"I want to {wish[1]}."
    unsaid = _UNSAID.search(talk)
    values = [one for one in known_values(head) if unsaid and one.noun in unsaid[1].split("; ")]
    heard = stem_set(talk.rpartition("\nAssistant: ")[2].splitlines()[0])
    told = [one for one in values if stem_set(one.noun) <= heard] or values[:1]
    told += [one for one in values if one.is_optional and one not in told]
    return " ".join(f"The {one.noun} is {in_words(one.value)}." for one in told) or "That is all, go ahead."


def _opening(head: str, wish: str) -> str:
    shown = [Tool(name=name, description=said, parameters=EMPTY_OBJECT) for name, said in _SHOWN.findall(head)]
    vague: Sequence[object] = ()
    if len(shown) > 1:
        own, *others = distinct_glosses(tuple(shown))
        vague = [f"{one.verb} {one.thing}" if one.verb else one.thing for one in vague_requests(own, others)]
    return f"Hello. I need help: {vague[0] if vague else wish}."


def known_values(head: str) -> Iterator[PromptValue]:
    """Yield the values that the first part of a user's prompt lists."""
    decoder = json.JSONDecoder()
    for line in head.partition(_VALUES)[2].splitlines():
        noun, colon, rest = line.removeprefix("- ").partition(": ")
        try:
            value, _ = decoder.raw_decode(rest)
        except (ValueError, RecursionError):
            continue
        if colon:
            yield PromptValue(noun.removesuffix(" (optional)"), value, noun.endswith(" (optional)"))


def in_words(value: Json) -> str:
    """Return a value as a person says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return say(value, kind_of_value(value), rng=Random(0), today=None)
