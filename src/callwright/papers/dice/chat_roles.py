"""What the roles of a group chat are sent, and what they reply: each prompt is a file of its own (section 3.2).

user          one person: persona, aim, and the values that this person alone knows
orchestrator  sees the talk alone, and says who is next
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from random import Random
from typing import Final, NamedTuple

from callwright.author.prompts import Prompts, render_messages
from callwright.catalog.contrast import action_phrase
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.errors import BadRecord
from callwright.lang.dates import parse_day
from callwright.lang.surface import say_clearly
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.dice.chat_filter import KNOWING, known_as
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Participant, Scenario, Turn
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

PROMPTS: Final = {"user": "dice/person.j2", "orchestrator": "dice/orchestrator.j2"}
"""Prompt of each role."""
END: Final = "END"
_LONGEST: Final = 300
_NEXT: Final = re.compile(r"\[next: ?([^\]\n]{1,100})\]")


class PersonView(NamedTuple):
    """All that one person is told: nobody is told the whole call."""

    name: str
    persona: str
    people: Sequence[str]
    type: str
    today: str
    lines: Sequence[str]
    knows: Mapping[str, str]
    """Values that this person alone knows in this round, by what people call them."""
    wish: str = ""
    """What the person wants done; the others are not told."""
    needs: Sequence[str] = ()
    """What somebody has to tell for the wish, by what people call it, without the values."""
    returned: str = ""
    """What the wish takes from the result of the round before."""
    opposes: str = ""
    """Name of the one who wants something that this person does not."""
    opening: bool = False
    closing: bool = False


class FloorView(NamedTuple):
    """All that the orchestrator is told."""

    people: Sequence[str]
    before: Sequence[str]
    lines: Sequence[str]
    turns: int
    least: int
    choices: Sequence[str]
    """Who may be next: whoever was asked by name, else anybody but the last speaker, or from the least on the end."""


def users(scenario: Scenario) -> list[Participant]:
    """Return the people of a chat."""
    return [who for who in scenario.participants if who.role == "user"]


def least_turns(scenario: Scenario) -> int:
    """Return the turns of a round before which it cannot end: as many as people."""
    return len(users(scenario))


def wanting(scenario: Scenario, at: int) -> Participant:
    """Return who wants the call of a round: of those who know least of it, another one each round."""
    people = users(scenario)
    held = [one.participant for one in _notes(scenario).rounds[at].known]
    turned = [people[(at + scenario.index + shift) % len(people)] for shift in range(len(people))]
    return min(turned, key=lambda who: held.count(who.id))


def person_view(scenario: Scenario, at: int, speaker: Participant, tool: Tool, turns: Sequence[Turn]) -> PersonView:
    """Return what a person is told in round `at`, whose call is of the tool."""
    people, notes = users(scenario), _notes(scenario)
    round_, values, by_name = notes.rounds[at], scenario.tasks[at].gold[0].values, slots(tool)
    wants = wanting(scenario, at)
    opponent = people[(people.index(wants) + 1) % len(people)]
    names = [*(one.parameter for one in round_.known), *(one.parameter for one in round_.taken)]
    nouns = {name: by_name[name] for name in names}
    wish = action_phrase(gloss(tool)) if speaker == wants else ""
    today = date.fromisoformat(scenario.today)
    return PersonView(
        name=speaker.name,
        persona=KNOWING.sub("", speaker.persona),
        people=[who.name for who in people],
        type=notes.dialogue_type,
        today=f"{today:%A}, {today}",
        lines=chat_lines(scenario, turns),
        knows={
            known_as(nouns[one.parameter]): _clearly(values[one.parameter], nouns[one.parameter], today)
            for one in round_.known
            if one.participant == speaker.id
        },
        wish=wish,
        needs=[known_as(nouns[one.parameter]) for one in round_.known] if wish else (),
        returned=nouns[round_.taken[0].parameter].noun.definite if round_.taken and speaker == wants else "",
        opposes=wants.name if speaker == opponent and not notes.dialogue_type.startswith("inquiry") else "",
    )


def _clearly(value: Json, slot: Slot, today: date) -> str:
    """A value as a person knows it: days with their month, and times on the clock, so that none can be misread."""
    moment = parse_day(value, today) if slot.kind in ("date", "datetime") and isinstance(value, str) else None
    if moment is None:
        return say_clearly(value, slot.kind, rng=Random(0), today=today)
    year = "" if moment.year == today.year else f" {moment.year}"
    clock = f" at {moment:%H:%M}" if isinstance(moment, datetime) else ""
    return f"{moment.day} {moment:%B}{year}{clock}"


def floor_view(scenario: Scenario, turns: Sequence[Turn], first: int) -> FloorView:
    """Return what the orchestrator is told; the round begins at turn `first`."""
    names = [who.name for who in users(scenario)]
    before, lines = chat_lines(scenario, turns[:first]), chat_lines(scenario, turns[first:])
    least, last = least_turns(scenario), turns[-1]
    named = {who.id: who.name for who in users(scenario)}
    others = [*(one for one in names if one != named.get(last.speaker)), *([END] if len(lines) >= least else [])]
    choices = [named[last.addressee]] if last.addressee in named else others
    return FloorView(names, before, lines, len(lines), least, choices)


def _notes(scenario: Scenario) -> DiceNotes:
    assert isinstance(scenario.annotation, DiceNotes)
    return scenario.annotation


def chat_lines(scenario: Scenario, turns: Iterable[Turn]) -> list[str]:
    """Return the chat line by line."""
    names = {who.id: who.name for who in scenario.participants}
    return [f"{names[turn.speaker]}: {turn.text}" for turn in turns]


def role_asked(role: str, prompts: Prompts, view: PersonView | FloorView) -> ChatRequest:
    """Return what a role is asked. Raises BadDocument where its prompt fails."""
    name = PROMPTS[role]
    return ChatRequest(render_messages(prompts.source(name), {"view": view}, where=name))


def read_sentence(reply: ChatReply, name: str) -> str:
    """Return what the person of this name says. Raises BadRecord."""
    text = reply.content.strip().removeprefix(f"{name}:").strip()
    if reply.format_errors or not text or len(text) > _LONGEST or "\n" in text:
        raise BadRecord("; ".join(reply.format_errors) or f"a turn is one line of 1 to {_LONGEST} characters")
    return text


def read_next(reply: ChatReply, names: Sequence[str]) -> str:
    """Return the name of who is next, or `END`. Raises BadRecord."""
    known = {name.lower(): name for name in (*names, END)}
    text = reply.content[:_LONGEST].lower()
    said = [name for name in known if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    found = [one.strip() for one in _NEXT.findall(text)] or said  # `Ana` and `[END]` are as clear
    if reply.format_errors or len(found) != 1 or found[0] not in known:
        raise BadRecord(f"write one of: {', '.join(f'[NEXT: {name}]' for name in known.values())}")
    return known[found[0]]
