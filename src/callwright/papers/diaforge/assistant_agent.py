"""A model as the assistant: its prompt, its reply, and the rules on it (section 3.1).

It sees the candidate pool, all that was said, its own thoughts and its own choice of a tool. Nothing that it is sent
depends on the gold call: also what it is told of a refused reply comes from pool, schemas and history alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, time
from typing import Any, Final

import msgspec

from callwright.author.agent_asking import TurnFault
from callwright.author.briefs import Known
from callwright.author.placeholders import placeholder_in
from callwright.author.prompts import render_messages
from callwright.author.spoken_codes import as_written, is_spoken, spells
from callwright.author.step import LONGEST_TEXT
from callwright.author.value_checks import TELLING
from callwright.author.worked_out_days import follows, has_month, in_years, is_shown_by
from callwright.author.worked_out_numbers import (
    all_numbers,
    clocks_spelled,
    is_rounded,
    is_same_clock,
    is_working_out,
    lengths_between,
    number_follows,
)
from callwright.catalog.slots import leaves, slots
from callwright.errors import BadDocument, BadRecord
from callwright.lang.quantities import scan
from callwright.lang.surface import mentions
from callwright.match.schema import schema_issues
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.prompted import function_of
from callwright.papers.diaforge.diaforge_cascade import check_words
from callwright.papers.diaforge.foreign_values import foreign_values, is_time
from callwright.papers.diaforge.turn_format import is_said_aloud
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import Json, JsonText, decode, encode, parse
from callwright.records.tool import Tool

PROMPT: Final = "diaforge/assistant.j2"
ROLE: Final = "assistant"

_NAME_ENDS: Final = re.compile(r"[^\w.-]|[.-](?!\w)")
_SMALL_NUMBER: Final = re.compile(r"\d{1,2}\W?")
"""Of a list, or of how many things are asked for."""
_DIGITS_OF_A_CODE: Final = 4
_LONGEST_THOUGHT: Final = 1_200
_LONGEST_WORDS: Final = 800


class _Call(msgspec.Struct, frozen=True):
    name: str
    arguments: dict[str, Any] = {}


class _Reply(msgspec.Struct, frozen=True):
    """The object of a reply; a key that is not there is as one without a value."""

    thought: str | None = None
    settled_on: str | None = None
    say: str | None = None
    call: _Call | None = None


class AssistantStep(msgspec.Struct, frozen=True):
    """The assistant's thought, choice, words and call."""

    thought: str
    settled_on: str
    """Name of a tool; empty where it has settled on none."""
    say: str
    call: Call | None = None

    @property
    def chosen(self) -> str:
        """Name of the tool it calls or has settled on; empty where it has chosen none."""
        return self.call.tool if self.call else self.settled_on


def assistant_request(
    source: str, dialogue: Dialogue, pool: Sequence[Tool], *, settled_on: str, thoughts: bool
) -> ChatRequest:
    """Return what the assistant is asked after the turns of `dialogue`; `source` is the prompt.

    `settled_on` is its own choice so far. Raises BadDocument where the prompt fails.
    """
    documents = [encode_shown(tool) for tool in pool]
    day = dialogue.day
    fields = {
        "today": f"{day:%A}, {dialogue.today}" if day else "",
        "tools": documents,
        "turns": [line for turn in dialogue.turns for line in _lines(dialogue.role(turn), turn.thought, turn.text)],
        "settled_on": settled_on,
        "thoughts": thoughts,
    }
    schema = reply_schema([tool.name for tool in pool], thoughts=thoughts)
    return ChatRequest(render_messages(source, fields, where=PROMPT), reply_schema=schema)


def encode_shown(tool: Tool) -> str:
    """Return a tool's document on one line: name, description and parameters."""
    return msgspec.json.encode(function_of(tool)).decode()


def _lines(role: str, thought: str, text: str) -> Iterator[str]:
    if thought:
        yield f"You think: {' '.join(thought.split())}"
    yield f"{'Colleague' if role == 'user' else 'You'}: {' '.join(text.split())}"


def reply_schema(names: Sequence[str], *, thoughts: bool) -> JsonText:
    """Return the JSON Schema of a reply. Its keys keep their order: models write them as they come.

    Texts are bounded, as a grammar made from the schema would let them run on.
    """
    name: Json = {"type": "string", "enum": list(names)}
    call: Json = {
        "type": "object",
        "properties": {"name": name, "arguments": {"type": "object"}},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }
    properties: dict[str, Json] = {
        "thought": {"type": "string", "minLength": 1, "maxLength": _LONGEST_THOUGHT},
        "settled_on": {"anyOf": [{"type": "null"}, name]},
        "say": {"type": "string", "minLength": 1, "maxLength": _LONGEST_WORDS},
        "call": {"anyOf": [{"type": "null"}, call]},
    }
    if not thoughts:
        del properties["thought"]
    whole = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    return JsonText(msgspec.json.encode(whole).decode())


def read_step(reply: ChatReply) -> AssistantStep:
    """Return the fields of a reply; a reasoning beside it is no thought. Raises BadRecord for other JSON."""
    try:
        found = msgspec.convert(parse(reply.content, where="the reply"), _Reply)
    except (BadDocument, msgspec.ValidationError) as error:
        raise BadRecord(f"the reply is no object with the four keys: {error}") from error
    thought, say = (found.thought or "").strip(), (found.say or "").strip()
    if max(len(thought), len(say)) > LONGEST_TEXT:
        raise BadRecord(f"a text of {max(len(thought), len(say)):,} characters; at most {LONGEST_TEXT:,}")
    call = Call(found.call.name, encode(found.call.arguments), id="call_1") if found.call else None
    return AssistantStep(thought, found.settled_on or "", say, call)


# -- what rules find -------------------------------------------------------------------------------------------------


def step_faults(
    step: AssistantStep, dialogue: Dialogue, pool: Sequence[Tool], *, thoughts: bool
) -> Iterator[TurnFault]:
    """Yield what is wrong with a step whose words are the last turn of `dialogue`, but for the arguments of its call.

    From pool, history and the assistant's own choice alone.
    """
    names = [tool.name for tool in pool]
    if not step.say:
        yield TurnFault("empty_text", '"say" is empty: say something to your colleague')
    if thoughts and not step.thought:
        yield TurnFault("no_thought", '"thought" is empty: write your reasoning there')
    if is_said_aloud(step.thought, step.say):
        yield TurnFault("thought_is_public", '"say" repeats your private thought')
    yield from act_faults(step, names)
    yield from word_faults(step, dialogue, pool)


def act_faults(step: AssistantStep, names: Sequence[str]) -> Iterator[TurnFault]:
    """Yield what is wrong with the choice or call of a tool, whose `names` are those of the pool."""
    for name in sorted({step.settled_on, step.chosen} - {"", *names}):
        yield TurnFault("unknown_tool", f"no tool in the list is called {name!r}")
    if (named := _named(step.thought, names)) and step.chosen in names and step.chosen not in named:
        told = f"your thought speaks of {named[0]}, and you {'call' if step.call else 'settle on'} {step.chosen}"
        yield TurnFault("thought_and_act_differ", told)


def _named(thought: str, names: Sequence[str]) -> list[str]:
    said = set(_NAME_ENDS.sub(" ", thought).split())
    return [name for name in names if name in said]


def word_faults(step: AssistantStep, dialogue: Dialogue, pool: Sequence[Tool]) -> Iterator[TurnFault]:
    """Yield what is wrong with what is said, the last turn of `dialogue`."""
    told = [*(turn.text for turn in dialogue.turns[:-1]), *(f"{one.description} {one.parameters}" for one in pool)]
    told += [as_written(turn.text) for turn in dialogue.turns[:-1]]
    sought = tuple(Known(slot, encode(None)) for tool in pool for slot in slots(tool).values())
    for value in foreign_values(step.say, sought, told, today=dialogue.day, corrects=""):
        if not (_SMALL_NUMBER.fullmatch(value) or _is_worked_out(value, step.say, dialogue)):
            rejects = not is_time(value, dialogue.day)  # the end of this month is a date that nobody has said
            yield TurnFault("value_not_gold", f"nobody has said {value!r}", rejects)
    if left := placeholder_in(step.say):
        yield TurnFault("placeholder_left", f"{left!r} stands in place of a value")
    for code in _codes_of_nobody(step.say, told):
        yield TurnFault("value_not_gold", f"nobody has said {code!r}")
    last = f"turns[{len(dialogue.turns) - 1}]"
    without_gold = msgspec.structs.replace(dialogue, tasks=(), scenario=None, annotation=None)
    for issue in check_words(without_gold, {tool.name: tool for tool in pool}):
        if issue.where.startswith(last):
            yield TurnFault(issue.code, issue.message, rejects=issue.code == "identifier_leaked")


def _is_worked_out(value: str, text: str, dialogue: Dialogue) -> bool:
    """Whether a number or a day in an assistant's words follows from what was said before."""
    day, before = dialogue.day, [turn.text for turn in dialogue.turns[:-1]]
    numbers = [number for one in before for number in sorted(all_numbers(one, day))]
    found = [one for earlier in before for one in scan(earlier, day)]
    days = [one.value for one in found if isinstance(one.value, date) and one.sort == "date"] + ([day] if day else [])
    for one in scan(value, day):
        if isinstance(one.value, int | float):
            start = text.partition(value)[0]
            is_length = float(one.value) in lengths_between(frozenset(days))
            is_made = is_working_out(text) and number_follows(one.value, 2, numbers)
            is_spelled = any(spells(earlier, value) for earlier in before)
            return is_length or is_made or is_spelled or is_rounded(one.value, start, numbers)
        if isinstance(one.value, time):
            clocks = [clock for earlier in before for _, _, clock in clocks_spelled(earlier)]
            return any(is_same_clock(one.value, clock, "") for clock in clocks)
        if isinstance(one.value, date):
            is_shown = not has_month(value) and any(is_shown_by(known, value) for known in days)
            return is_shown or any(follows(near, "\n".join(before[-2:]), days) for near in in_years(one))
    return any(is_spoken(one, value, kind) for one in before for kind in ("code", "phone", "email"))


def _codes_of_nobody(text: str, told: Sequence[str]) -> list[str]:
    """Codes of letters and at least four digits that nobody has said, whatever the tools take."""
    codes = [one.value for one in scan(text, None) if one.sort == "code" and isinstance(one.value, str)]
    known = "\n".join(told).casefold()
    new = [one for one in codes if sum(map(str.isdigit, one)) >= _DIGITS_OF_A_CODE and one.casefold() not in known]
    return [one for one in new if not is_spoken(known, one, "code")]


def call_faults(call: Call, tool: Tool, dialogue: Dialogue) -> list[str]:
    """Return what is wrong with a call as schema and history show it; a sentence that says nothing where they do not.

    `tool` is the one that is called; `dialogue` ends with the user's words.
    """
    found = [f"{issue.path or 'arguments'}: {issue.message}" for issue in schema_issues(call.arguments, tool)]
    found += [f"{path}: nobody has said {encode(value)}" for path, value in unsaid_values(call, tool, dialogue)]
    return found or [_LOOK_AGAIN]


def unsaid_values(call: Call, tool: Tool, dialogue: Dialogue) -> list[tuple[str, Json]]:
    """Return the values of a call, by path, that would be recognised in what was said and are not there."""
    said = " \n".join(turn.text for turn in dialogue.turns if dialogue.role(turn) == "user")
    arguments = decode(call.arguments)
    found = leaves(tool, arguments if isinstance(arguments, dict) else {})
    by_path = slots(tool)
    return [
        (path, value)
        for path, value in found.items()
        if path in by_path and by_path[path].kind in TELLING
        if not mentions(said, value, by_path[path].kind, today=dialogue.day)
    ]


_LOOK_AGAIN: Final = (
    "the arguments do not follow from the conversation: take every value from what your colleague said, leave out "
    "what was not asked for, and ask for what is still open"
)
