"""The rules of the cascade over the finished text of a group chat, whoever wrote it (section 3, stage 2 and more)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from callwright.lang.kinds import kind_of, kind_of_value
from callwright.lang.surface import mentions
from callwright.lang.tokens import stem_set
from callwright.match.schema import schema_issues
from callwright.match.values import equal
from callwright.papers.dice.dice_protocol import rounds_of
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

REASONS: Final = (
    "type_error",
    "unlike_gold",
    "refusal",
    "assistant_not_addressed",
    "function_named",
    "speakers_merged",
    "call_not_asked_for",
    "value_not_found",
    "result_ignored",
    "silent_person",
)
"""Reasons for rejection, in the order of the checks."""

_REFUSAL: Final = re.compile(
    r"\b(?:I(?:'m| am) sorry, (?:but )?I|I(?: can't| cannot| am unable to|'m unable to) (?:help|assist|comply|do that)"
    r"|as an AI(?: language)? model)\b",
    re.IGNORECASE,
)
_ADDRESSED: Final = re.compile(r"\b(?:AI|assistant)\b")
_ASKING: Final = 0.5
"""Share of the words of a function's name that the talk of its round must hold."""


def issues_of(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[Issue, ...]:
    """Return what is wrong with a dialogue; `tools` by name."""
    checks = (_calls, _refusals, _addressed, _named, _merged, _asked, _found, _results, _silent)
    return tuple(issue for check in checks for issue in check(dialogue, tools))


def _calls(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Each gold call follows its schema, and the assistant makes it right after the request."""
    for at, task in enumerate(dialogue.tasks):
        gold = task.gold[0]
        for issue in schema_issues(encode(gold.values), tools[gold.tool]):
            yield Issue("type_error", f"tasks[{at}].gold[0]", f"{issue.path}: {issue.message}")
        turn = -1 if task.turn is None else task.turn + 1
        made = [(call.tool, call.values) for call in dialogue.turns[turn].calls] if turn < len(dialogue.turns) else []
        if len(made) != 1 or made[0][0] != gold.tool or not equal(dict(made[0][1]), dict(gold.values)):
            yield Issue("unlike_gold", f"turns[{turn}]", f"the call of round {at + 1} is not made here")


def _people(dialogue: Dialogue) -> Iterator[tuple[int, Turn]]:
    return ((at, turn) for at, turn in enumerate(dialogue.turns) if dialogue.role(turn) == "user")


def _refusals(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    for at, turn in enumerate(dialogue.turns):
        if _REFUSAL.search(turn.text):
            yield Issue("refusal", f"turns[{at}].text", "somebody refuses as a model does")


def _addressed(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    for number, said in enumerate(rounds_of(dialogue), 1):
        if not said or not _ADDRESSED.search(said[-1].text):
            yield Issue(
                "assistant_not_addressed", f"tasks[{number - 1}].turn", f"nobody addresses it in round {number}"
            )


def _named(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """No identifier of a tool shown is said; one that is a plain word, such as `search`, is no identifier."""
    names = [one.name for one in dialogue.tools if not one.name.islower() or not one.name.isalpha()]
    for at, turn in _people(dialogue):
        if name := next((name for name in names if name in turn.text), ""):
            yield Issue("function_named", f"turns[{at}].text", f"{name} is the name of a function")


def _merged(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """A turn does not hold the words of another speaker, as `Ann: ...` inside it."""
    known = {name for who in dialogue.participants for name in (who.id, who.name) if name}
    for at, turn in _people(dialogue):
        if name := next((name for name in known if f"{name}: " in turn.text), ""):
            yield Issue("speakers_merged", f"turns[{at}].text", f"it holds a turn of {name}")


def _asked(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """The people of a round talk of what its call does: in words of the name or of the description's first sentence."""
    from callwright.catalog.gloss import gloss

    for at, said in enumerate(rounds_of(dialogue)):
        tool = tools[dialogue.tasks[at].gold[0].tool]
        wanted = gloss(tool).object_stems or gloss(tool).stems
        stems = frozenset[str]().union(*(stem_set(turn.text) for turn in said)) if said else frozenset()
        if wanted and len(wanted & stems) < _ASKING * len(wanted):
            yield Issue("call_not_asked_for", f"tasks[{at}]", f"round {at + 1} does not talk of what its call does")


def _found(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Each value is said by people up to the request of its round, or returned by an earlier call."""
    today = date.fromisoformat(dialogue.today) if dialogue.today else None
    taken = _taken(dialogue)
    for at, task in enumerate(dialogue.tasks):
        texts = [turn.text for place, turn in _people(dialogue) if place <= (task.turn or 0)]
        for name, value in task.gold[0].values.items():
            schema = tools[task.gold[0].tool].properties.get(name)
            kinds = {kind_of(name, schema if isinstance(schema, dict) else {}), kind_of_value(value)}
            if name in taken[at] or any(mentions(text, value, kind, today=today) for text in texts for kind in kinds):
                continue
            yield Issue("value_not_found", f"tasks[{at}].gold[0].arguments", f"{name} is {value!r:.80}, never said")


def _taken(dialogue: Dialogue) -> list[dict[str, str]]:
    notes = dialogue.annotation
    rounds = notes.rounds if isinstance(notes, DiceNotes) else ()
    return [
        {one.parameter: one.pointer for one in rounds[at].taken} if at < len(rounds) else {}
        for at in range(len(dialogue.tasks))
    ]


def _results(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """The call has the value that the plan takes from the result of the round before."""
    for at, taken in enumerate(_taken(dialogue)):
        returned = _returned(dialogue, at - 1)
        values = dialogue.tasks[at].gold[0].values
        for name, pointer in taken.items():
            if name not in values or not equal(values[name], resolve(returned, pointer)):
                yield Issue("result_ignored", f"tasks[{at}].gold[0].arguments", f"{name} is not what was returned")


def _returned(dialogue: Dialogue, at: int) -> Json:
    """The result that the assistant got in a round, in its turn after the request."""
    turn = dialogue.tasks[at].turn if at >= 0 else None
    steps = dialogue.turns[turn + 1].steps if turn is not None and turn + 1 < len(dialogue.turns) else ()
    values = [result.value for step in steps for result in step.results if result.value is not None]
    return decode(values[0]) if values else None


def _silent(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    heard = {turn.speaker for turn in dialogue.turns}
    for who in dialogue.participants:
        if who.role == "user" and who.id not in heard:
            yield Issue("silent_person", "participants", f"{who.id} never says anything")
