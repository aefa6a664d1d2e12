"""`builtin/stated`: calls the tools that a message is about, with the values that the message states.

It knows no language beyond the documents it is shown: names of tools and parameters, choices and examples. A tool is
meant where its domain is named, or where it was called last; a value is stated where its words stand in the message.
It sees messages and tools alone, as any model does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from callwright.lang.schemas import described_text, name_words, options_of
from callwright.models.chat import ChatReply, ChatRequest
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

_WORD: Final = re.compile(r"\w+(?::\w+)?")
_CLOCK: Final = re.compile(r"\b\d{1,2}:\d\d\b")
_ACTS: Final = frozenset(("find", "book", "get", "search", "reserve", "list", "buy", "rent", "make", "by", "at", "or"))
_OF: Final = {"from": ("depart", "origin", "pick", "source"), "to": ("dest", "target", "drop")}
"""Words before a place, and how the names of parameters for such places begin."""
_UNITS: Final = {
    "people": (
        r"(\d+) (?:people|persons?|guests|of us|tickets)\b",
        r"(?:table|room|tickets?|party|group) (?:for|of) (\d+)\b",
    ),
    "stay": (r"(\d+)[ -]nights?\b",),
    "stars": (r"(\d+)[ -]stars?\b",),
}
"""How the count that a parameter is named for is said."""
_TIMED: Final = re.compile(r"\b(arriv|leav|depart|by|before|after|at)\w*")
_MOMENTS: Final = {
    "arriv": "arriv",
    "by": "arriv",
    "before": "arriv",
    "leav": "leav",
    "depart": "leav",
    "after": "leav",
}
"""Words before a time, and how the names of parameters for such times begin."""
_ALIKE: Final = {"internet": "wifi"}
_NO: Final = frozenset(("no", "not", "without", "don't"))
_ANY: Final = re.compile(r"\b(?:any|don ?'?t care|do n't care|does ?n'?t matter|not matter|no preference|not picky)\b")
_FILLER: Final = frozenset(
    ("the", "a", "an", "of", "some", "any", "what", "their", "that", "serves", "good", "and", "type")
)
_END: Final = r"(?= (?:to|from|and|at|by|on|for|after|before|please|that|i)\b| ?[,.?!]|$)"
_NO_PLACE: Final = frozenset(
    (
        "be",
        "book",
        "find",
        "get",
        "go",
        "leave",
        "arrive",
        "have",
        "know",
        "see",
        "take",
        "stay",
        "make",
        "eat",
        "it",
        "there",
        "a",
        "my",
        "their",
        "do",
        "travel",
        "pick",
        "me",
    )
)
"""Words after `to` and `from` that begin no place."""
_LONG: Final = 5
"""Letters from which on two words that begin alike count as one."""


class Stated:
    """Calls what the last message states."""

    name = "builtin/stated"

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return a call of each tool that is meant and has a value; without parameters, of each that is meant."""
        said = next((one.content for one in reversed(request.messages) if one.role == "user"), "").lower()
        words = _WORD.findall(said)
        calls = []
        for tool in _meant(request, words):
            values = _indifferent(tool, said, request) | dict(_values(tool, said, words))
            if values or len(request.tools) == 1 or not tool.properties:
                calls.append(Call(tool.name, encode(values)))
        return ChatReply(calls=tuple(calls)) if calls else ChatReply(content="I see.")


def _meant(request: ChatRequest, words: list[str]) -> list[Tool]:
    if len(request.tools) == 1:
        return list(request.tools)
    named = [tool for tool in request.tools if any(_is_like(word, name) for word in words for name in _topic(tool))]
    if named:
        return named
    last = next((call.tool for one in reversed(request.messages) for call in one.calls), "")
    return [tool for tool in request.tools if tool.name == last]


def _topic(tool: Tool) -> list[str]:
    return [word for word in name_words(tool.name) if word not in _ACTS]


def _is_like(word: str, name: str) -> bool:
    return word in (name, f"{name}s") or (len(name) >= _LONG and word.startswith(name))


def _values(tool: Tool, said: str, words: list[str]) -> Iterator[tuple[str, Json]]:
    for name, schema in tool.properties.items():
        known = [str(value) for value in (*options_of(schema), *_examples(schema))]
        value = _yes_or_no(name, words, known) if {"yes", "no"} & set(known) else None
        value = value or _counted(name, said, known) or _placed(name, said, known) or _timed(name, said, known)
        value = value or _plain(name, said, [one for one in known if one not in _topic(tool)])
        if value is None and not options_of(schema):
            value = _before_its_name(name, said) or _unknown_place(name, said)
        if value is not None:
            yield name, value


def _indifferent(tool: Tool, said: str, request: ChatRequest) -> dict[str, Json]:
    """Return `dontcare` for parameters named in the message, or else in the question, where the user has no wish."""
    if not _ANY.search(said):
        return {}
    asked = next((one.content for one in reversed(request.messages) if one.role == "assistant" and one.content), "")
    for text in (said, asked.lower()):
        words = _WORD.findall(text)
        named = [name for name in tool.properties if any(_is_like(word, name) for word in words)]
        if named:
            return dict.fromkeys(named, "dontcare")
    return {}


def _examples(schema: dict[str, Json]) -> list[str]:
    """Return the examples that a description lists after `such as`."""
    listed = described_text(schema).partition("such as ")[2]
    return [one.strip() for one in listed.split(",") if one.strip()]


def _yes_or_no(name: str, words: list[str], known: list[str]) -> str | None:
    names = (*name_words(name), *(_ALIKE[part] for part in name_words(name) if part in _ALIKE))
    at = next((at for at, word in enumerate(words) if any(_is_like(word, part) for part in names)), None)
    if at is None:
        return None
    return "no" if _NO & set(words[max(0, at - 4) : at]) and "no" in known else "yes"


def _counted(name: str, said: str, known: list[str]) -> str | None:
    """Return the number in the words that a parameter is named for."""
    patterns = next((patterns for part, patterns in _UNITS.items() if part in name), ())
    found = (re.search(rf"\b{pattern}", said) for pattern in patterns)
    return next((match[1] for match in found if match and (not known or match[1] in known)), None)


def _placed(name: str, said: str, known: list[str]) -> str | None:
    """Return the known place after `from` or `to`, whichever a parameter is named for."""
    words = [word for word, heads in _OF.items() if name.startswith(heads)]
    return next((one for one in known for word in words if re.search(rf"\b{word} {re.escape(one)}\b", said)), None)


def _unknown_place(name: str, said: str) -> str | None:
    """Return the words after `from` or `to` up to where a place ends, for a parameter that is named for places."""
    words = [word for word, heads in _OF.items() if name.startswith(heads)]
    found = (re.search(rf"\b{word} (?:the )?([a-z' ]{{3,40}}?){_END}", said) for word in words)
    return next((match[1].strip() for match in found if match and match[1].split()[0] not in _NO_PLACE), None)


def _timed(name: str, said: str, known: list[str]) -> str | None:
    """Return the time after the word that a parameter is named for; without such a word, of one named for a time."""
    if not any(_CLOCK.fullmatch(one) for one in known):
        return None
    for clock in _CLOCK.finditer(said):
        before = [match[1] for match in _TIMED.finditer(said, 0, clock.start())]
        head = next((_MOMENTS[word] for word in reversed(before) if word in _MOMENTS), "")
        if (head and name.startswith(head)) or name.endswith("time"):
            return clock[0]
    return None


def _before_its_name(name: str, said: str) -> str | None:
    """Return the word right before a parameter's own name, as in `french food`."""
    found = re.search(rf"\b([a-z]+) {re.escape(name)}\b", said)
    return found[1] if found and found[1] not in _FILLER else None


def _plain(name: str, said: str, known: list[str]) -> str | None:
    """Return the longest known value that stands in the message; a bare number, yes and no are no evidence."""
    if name.startswith(tuple(head for heads in _OF.values() for head in heads)):
        return None
    spelt = [one for one in known if not one.isdigit() and one not in ("yes", "no", "dontcare", "free")]
    found = (one for one in spelt if re.search(rf"\b{re.escape(one.lower())}(?:s|ly)?\b", said))
    return max(found, key=len, default=None)
