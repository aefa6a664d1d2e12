"""The acts of users and assistants as plain data, before they are put into words.

Rules choose an act; a writing step words it. A checker then finds the act's slots in the words again.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from random import Random
from typing import Literal

import msgspec

from callwright.author.repeated_values import repeated_in_path
from callwright.catalog.chunks import Gloss
from callwright.catalog.contrast import Question
from callwright.catalog.slots import Slot, leaves, slots
from callwright.lang.surface import say
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Tool

Style = Literal["verbose", "terse"]


class Known(msgspec.Struct, frozen=True, dict=True):
    """A slot together with the value the user has for it."""

    slot: Slot
    text: JsonText

    @cached_property
    def value(self) -> Json:
        """The decoded value. Do not change it."""
        return decode(self.text)


def known_values(tool: Tool, values: Mapping[str, Json]) -> tuple[Known, ...]:
    """Return the values in arguments with their slots, leaf by leaf, without those that the document lacks.

    What repeats a value of the path is not told a second time.
    """
    by_path = slots(tool)
    found = leaves(tool, values)
    told = {path: value for path, value in found.items() if path in by_path}
    repeats = {
        path for path in told if (of := repeated_in_path(by_path[path], tool)) in told and told[of] == told[path]
    }
    return tuple(Known(by_path[path], encode(value)) for path, value in told.items() if path not in repeats)


class Request(msgspec.Struct, frozen=True):
    """A wish in words that fit more than one tool: a verb or none, and what it is about."""

    verb: str
    thing: str


class UserAct(msgspec.Struct, frozen=True, omit_defaults=True):
    """The act of a user in one turn."""

    kind: Literal["open", "answer", "full", "go", "ask_back", "leave", "unsure", "again", "lack"]
    """Open; answer a question; say the whole wish again; give the go-ahead; ask what a word means; give up; ask what
    the assistant means, or offer a value that may be meant; say the opening's wish again; say that there is no value
    for what was asked."""
    picks: bool = False
    """Says which of several things is meant."""
    offered: Literal["", "named", "others", "first", "second"] = ""
    """Whether the assistant's question named what is meant, only others, or it as the first or second of two."""
    slots: tuple[str, ...] = ()
    """Values given because they were asked for."""
    more: tuple[str, ...] = ()
    """Values given unasked."""
    labelled: bool = False
    """Whether each value is said with its noun, because no question named it."""

    @property
    def told(self) -> tuple[str, ...]:
        """All slots whose values this turn gives."""
        return self.slots + self.more


class UserBrief(msgspec.Struct, frozen=True):
    """All that the wording of a user's turn may draw on."""

    act: UserAct
    style: Style
    tone: str
    today: str
    request: Request
    """The vague wish of the opening."""
    pick: str
    """The words that tell what is meant."""
    pick_is_action: bool
    full: str
    """The whole wish."""
    slots: tuple[Known, ...]
    """The slots that the act tells, in its order."""
    about: Slot | None = None
    """The slot whose word is asked about."""
    corrects: str = ""
    """Name of a slot that is first said wrongly and then put right."""
    recent: tuple[str, ...] = ()
    """The speaker's last texts, whose shapes are not used again."""
    heard: str = ""
    """The assistant's last words."""


class AssistantAct(msgspec.Struct, frozen=True, omit_defaults=True):
    """The act of an assistant in one turn."""

    kind: Literal["which", "ask", "explain", "call", "no_fit"]
    """Ask which is meant; ask for values; explain a word; call; say that no tool fits."""
    question: Question | None = None
    slots: tuple[str, ...] = ()


class AssistantBrief(msgspec.Struct, frozen=True):
    """All that the wording of an assistant's turn may draw on."""

    act: AssistantAct
    slots: tuple[Slot, ...] = ()
    gloss: Gloss | None = None
    """The act that the assistant has settled on."""
    learned: str = ""
    """Words of the user's last turn that settled what is meant."""
    missed: bool = False
    """The user's last turn said that the assistant's question missed what is meant."""
    told: bool = False
    """The user's last turn gave a value."""
    heard_code: str = ""
    """The one identifier that the user's last turn gave."""
    first: bool = False
    recent: tuple[str, ...] = ()
    known: tuple[Known, ...] = ()
    """Values heard so far."""
    candidates: tuple[str, ...] = ()
    """Names of the tools still possible, for the thought."""
    tool: str = ""
    """Name of the tool that is settled on, for the thought."""
    offers: tuple[str, ...] = ()
    """Acts that are possible instead, where nothing fits."""
    heard: str = ""
    """The user's last words."""


def spoken_once(known: Known, today: str) -> str:
    """Return a value in the same one of the ways in which people say it each time; `today` as YYYY-MM-DD."""
    value = known.value
    if isinstance(value, bool):
        return "yes" if value else "no"
    return say(value, known.slot.kind, rng=Random(0), today=date.fromisoformat(today) if today else None)
