"""A model as the user: its prompt, and the rules on its words (section 3.1, user agent).

It knows the persona, the wish, the right tool with its look-alikes, the gold values and all that was said; never the
assistant's thoughts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from callwright.author.agent_asking import TurnFault
from callwright.author.briefs import Known
from callwright.author.placeholders import placeholder_in
from callwright.author.prompts import render_messages
from callwright.author.step import LONGEST_TEXT
from callwright.author.value_checks import TELLING, is_said
from callwright.errors import BadRecord
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.diaforge.diaforge_cascade import check_words
from callwright.papers.diaforge.foreign_values import foreign_values, is_time
from callwright.papers.diaforge.optional_values import optional_of
from callwright.papers.diaforge.said_in_passing import is_in_passing, may_be_passing
from callwright.papers.diaforge.said_in_words import is_in_words, is_of_a_clock, is_taken_out
from callwright.papers.diaforge.user_policy import gold_known, plan_behind
from callwright.papers.diaforge.user_slips import slips_in
from callwright.records.dialogue import Dialogue, Participant
from callwright.records.tool import Tool

PROMPT: Final = "diaforge/user.j2"
ROLE: Final = "user"

_OWN_NAME: Final = "You:"


class KnownValue(NamedTuple):
    """A gold value as the prompt shows it."""

    noun: str
    text: str
    """JSON text."""
    means: str
    """Its description in the document."""
    is_optional: bool
    is_said: bool


class UserView(NamedTuple):
    """All that a model is told that plays the user, or votes on what the user says."""

    persona: Participant
    tone: str
    style: str
    today: str
    goal: str
    tool: Tool
    look_alikes: Sequence[Tool]
    values: Sequence[KnownValue]
    turns: Sequence[str]
    """The conversation so far, one line a turn."""
    settled: bool
    """Whether the assistant has found the tool."""
    refused: Sequence[str] = ()
    """The fault of the last wording of this turn, where there was one."""


def user_view(dialogue: Dialogue, gold: Tool, pool: Sequence[Tool], *, settled: bool, style: str = "") -> UserView:
    """Return what the user knows after the turns of `dialogue`; `style` empty: that of the plan."""
    plan = plan_behind(dialogue)
    return UserView(
        persona=dialogue.participants[0],
        tone=plan.tone if plan else "plain",
        style=style or (plan.user_style if plan else "verbose"),
        today=dialogue.today,
        goal=dialogue.tasks[0].goal,
        tool=gold,
        look_alikes=[tool for tool in pool if tool != gold],
        values=_known_values(dialogue, gold),
        turns=[_line(dialogue, position) for position in range(len(dialogue.turns))],
        settled=settled,
    )


def user_request(
    source: str, dialogue: Dialogue, gold: Tool, pool: Sequence[Tool], *, settled: bool, refused: Sequence[str] = ()
) -> ChatRequest:
    """Return what the user is asked after the turns of `dialogue`; `source` is the prompt.

    `refused` says why an earlier first message of this user does not do.

    Raises BadDocument where the prompt fails.
    """
    view = user_view(dialogue, gold, pool, settled=settled)._replace(refused=refused)
    return ChatRequest(render_messages(source, {"view": view}, where=PROMPT))


def _known_values(dialogue: Dialogue, gold: Tool) -> list[KnownValue]:
    known = gold_known(gold, dialogue.tasks)
    optional = optional_of(gold, {one.slot.name for one in known})
    said = " \n".join(turn.text for turn in dialogue.turns if dialogue.role(turn) == "user")
    return [
        KnownValue(
            one.slot.noun.text, one.text, one.slot.description, one.slot.name in optional,
            is_said(said, one, dialogue.today),
        )
        for one in known
    ]  # fmt: skip


def _line(dialogue: Dialogue, position: int) -> str:
    turn = dialogue.turns[position]
    return f"{_OWN_NAME if dialogue.role(turn) == 'user' else 'Assistant:'} {' '.join(turn.text.split())}"


def read_message(reply: ChatReply) -> str:
    """Return what the user says. Raises BadRecord where it is empty, cut, too long or of several speakers."""
    text = reply.content.strip().removeprefix(_OWN_NAME).strip()
    if reply.format_errors:
        raise BadRecord("; ".join(reply.format_errors))
    if not text or len(text) > LONGEST_TEXT:
        raise BadRecord(f"the message has {len(text):,} characters; at most {LONGEST_TEXT:,}, and at least 1")
    if _SPEAKER.search(text):
        raise BadRecord("write your message alone: no names in front, and nothing that the assistant says")
    return text


_SPEAKER: Final = re.compile(r"^(?:You|User|Me|Assistant|AI): ", re.MULTILINE)
"""Before what somebody says in a script."""


def user_faults_in(dialogue: Dialogue, gold: Tool, pool: Sequence[Tool]) -> Iterator[TurnFault]:
    """Yield what is wrong with the last turn of the dialogue, the user's."""
    known = gold_known(gold, dialogue.tasks)
    text, position = dialogue.turns[-1].text, len(dialogue.turns) - 1
    told = [turn.text for turn in dialogue.turns[:position] if dialogue.role(turn) == "assistant"]
    today = dialogue.day
    if told and text.casefold() == told[-1].casefold():
        yield TurnFault("turn_repeated", "it says again what the assistant said: answer it")
    wrong = invented(text, known, told, dialogue.today)
    slips = slips_in(wrong, text, known, said_before(dialogue), dialogue.today)
    for value in wrong:
        is_clock = is_time(value, today) or is_of_a_clock(value, text)
        is_aside = is_clock or may_be_passing(value, text, known, today)
        rejects = not is_aside and value not in slips  # "they cannot come tomorrow" is a reason
        yield TurnFault("value_not_gold", f"{value!r} is none of the values you know", rejects)
    if left := placeholder_in(text):
        yield TurnFault("placeholder_left", f"{left!r} stands in place of a value")
    if not position:
        for one in _told_early(text, known, optional_of(gold, {one.slot.name for one in known}), dialogue.today):
            yield TurnFault("value_too_early", f"the first message gives {one} already", rejects=False)
    for issue in check_words(dialogue, {tool.name: tool for tool in (*pool, gold)}):
        if issue.where.startswith(f"turns[{position}]"):
            yield TurnFault(issue.code, issue.message, rejects=issue.code == "identifier_leaked")


def said_before(dialogue: Dialogue) -> list[str]:
    """Return the user's messages before the last turn."""
    return [turn.text for turn in dialogue.turns[:-1] if dialogue.role(turn) == ROLE]


def slips_of(dialogue: Dialogue, gold: Tool) -> list[str]:
    """Return the wrong values of the last turn, the user's, that its next message has to take back."""
    known, text = gold_known(gold, dialogue.tasks), dialogue.turns[-1].text
    told = [turn.text for turn in dialogue.turns[:-1] if dialogue.role(turn) != ROLE]
    return slips_in(invented(text, known, told, dialogue.today), text, known, said_before(dialogue), dialogue.today)


def _told_early(text: str, known: Sequence[Known], optional: Collection[str], today: str) -> Iterator[str]:
    """The nouns of required values that nobody says by chance and that a first message gives."""
    for one in known:
        if one.slot.name not in optional and one.slot.kind in TELLING and is_said(text, one, today):
            yield one.slot.noun.text


def invented(text: str, known: Sequence[Known], told: Sequence[str], today: str) -> list[str]:
    """Return values in a text that are neither `known` nor `told` before.

    A slip put right in the same text is none, nor is what is said in passing, or a part of a value in words.
    """
    day = date.fromisoformat(today) if today else None
    found = list(foreign_values(text, known, told, today=day, corrects=""))
    for one in known if found else ():
        left = set(foreign_values(text, known, told, today=day, corrects=one.slot.name))
        found = [value for value in found if value in left]
    found = [value for value in found if not is_in_words(value, text, known, day)]
    found = [value for value in found if not is_taken_out(value, text, known, today)]
    return [value for value in found if not is_in_passing(value, text, known, day)]
