"""Tools that people in a chat talk about: the filters of the paper (section 3.1), made of rules.

A tool is left out with its reason where its parameters do not match what people say (none, too many, no single words,
without a plain noun), where no plain verb says what it does, or where it belongs to machines, not to daily life.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from callwright.author.askable_tools import left_out
from callwright.author.wanted import wanted_parameters
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, said_noun, slots
from callwright.environment.result_drawing import is_drawable
from callwright.environment.tool_target import target_of
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import is_opaque
from callwright.lang.tokens import identifier_words, spaced_words, words
from callwright.lang.verbs_of_acts import CREATES
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_MOST_VALUES: Final = 5
_MOST_WORDS: Final = 4
"""Words of a noun that people say for a value."""
_PLAIN_JOINTS: Final = re.compile(r" (?:and|or|of|for|in|on|to|from|with) ")
"""Words between which a phrase is heard in parts: `a lead and a user`, not `library analytics style usage data`."""
_FEW: Final = 8
"""Tools from which on those of daily life are enough; a catalogue with fewer is used as it is."""
_SAID: Final = frozenset(
    "code city country email person currency title phone language date datetime time money percent count number year "
    "enum text url".split()
)
_TECHNICAL: Final = frozenset(
    "api auth authenticated callback cache cluster config configuration credential cursor dataset debug "
    "endpoint entities entity enum flag hash header health html http json jwt key keys log logs metadata metrics node "
    "oauth object objects patch payload permission permissions pipeline proxy queue raw schema scope server session "
    "settings signature snapshot ssl sync token tokens url uri webhook webhooks workflow xml yaml id ids".split()
)
"""Words of what tools do that only people who run machines say."""
_ALONE: Final = frozenset(
    "check data details information list one record records resource result results value".split()
)
"""Words that do not tell what is meant."""


@lru_cache(maxsize=65536)
def mismatch(tool: Tool) -> str:
    """Return why people could not agree on a call of the tool in a talk; empty where they could."""
    if why := left_out(tool):
        return why
    wanted, known = wanted_parameters(tool), slots(tool)
    if not wanted:
        return "takes no value"
    if len(wanted) > _MOST_VALUES:
        return f"takes more than {_MOST_VALUES} values"
    if not all(name in tool.properties and known[name].kind in _SAID for name in wanted):
        return "has a value that is not said in one piece"
    nouns = [known[name].noun.text for name in wanted]
    if any(_is_odd(noun) for noun in nouns) or len(set(nouns)) < len(nouns):
        return "has a value without a plain noun"
    if any(_says_itself(known[name], tool.properties[name]) for name in wanted):
        return "has a value that its own name says"
    if not is_drawable(tool):
        return "has results that cannot be made up"
    told = gloss(tool)
    said = words(told.object)
    is_pile = any(len(_PLAIN_JOINTS.split(chunk.text)[0].split()) > _MOST_WORDS for chunk in told.chunks)
    if not told.verb or len(said) > 2 * _MOST_WORDS or is_pile or set(said) & {"get", "post", "by"}:
        return "is not described by a plain verb and its object"
    return ""


def known_as(slot: Slot) -> str:
    """Return what people call a value: `the number of nights`, not `the nights`."""
    noun = said_noun(slot)
    return slot.noun.definite if noun == slot.noun.text else f"the {noun}"


KNOWING: Final = re.compile(r" Knows the [^.]{0,2000}\.")
"""What a description says that somebody knows of all rounds, bounded for linear time."""


def _is_odd(noun: str) -> bool:
    said = noun.split()
    if said[-1] == "number" and is_opaque([word.lower() for word in said]):
        return True  # a name that nobody can read
    return len(said) > _MOST_WORDS or said[-1] in ("value", "IDs", "identifiers") or said[0] in ("check", "filter")


def _says_itself(slot: Slot, schema: Json) -> bool:
    """Whether a choice is the name of its thing: the `conversation part type` is `conversation part`."""
    named = slot.noun.text.rpartition(" ")[0].lower()
    return slot.kind == "enum" and any(spaced_words(str(one)).strip() == named for one in _choices_of(schema))


def _choices_of(schema: Json) -> Iterator[Json]:
    """Yield the values that a schema lists, also in its branches."""
    if isinstance(schema, dict):
        yield from _listed(schema.get("enum"))
        for branch in (*_listed(schema.get("anyOf")), *_listed(schema.get("oneOf"))):
            yield from _choices_of(branch)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


@lru_cache(maxsize=65536)
def unlike_life(tool: Tool) -> str:
    """Return why nobody needs the tool in daily life; empty where somebody may."""
    told = gloss(tool)
    about = set(words(told.object))
    if about & _TECHNICAL or any("_" in word or word.isdigit() for word in told.object.split()):
        return "is about machines, not daily life"
    if about - word_set("determiners") <= _ALONE:
        return "does not say what it is about"
    nouns = {word for name in wanted_parameters(tool) for word in identifier_words(slots(tool)[name].noun.text)}
    if nouns & (_TECHNICAL - {"id", "url", "key"}):
        return "takes a value of machines"
    return ""


def usable(tools: Iterable[Tool]) -> tuple[list[Tool], dict[str, str]]:
    """Return the tools to talk about, and why each other one, by name, is left out."""
    why = {tool: mismatch(tool) for tool in tools}
    fitting = [tool for tool, one in why.items() if not one]
    daily = [tool for tool in fitting if not unlike_life(tool)]
    kept = daily if len(daily) >= _FEW else fitting
    chosen = set(kept)
    left = {tool.name: one or unlike_life(tool) for tool, one in why.items() if tool not in chosen}
    return kept, left


def ends_it(tool: Tool) -> bool:
    """Whether afterwards its thing is gone: nobody goes on with what was deleted."""
    told = gloss(tool)
    off = told.act if "off" in (told.verb.rpartition(" ")[2], *(chunk.preposition for chunk in told.chunks)) else ""
    is_deleted = tool.source.startswith("DELETE ") or target_of(tool).act == "delete"
    return is_deleted or told.act in ENDS | _REFUSES or off in _OFF


def makes_it(tool: Tool) -> bool:
    """Whether its thing is there only afterwards."""
    return gloss(tool).act in CREATES


ENDS: Final = frozenset("archive cancel close delete destroy remove revoke withdraw terminate".split())
_REFUSES: Final = frozenset("abandon cease decline discard drop erase reject scrap void".split())
_OFF: Final = frozenset("call cross strike write".split())
"""Verbs that end a thing with `off`: to call off a meeting, to strike a member off a list."""
