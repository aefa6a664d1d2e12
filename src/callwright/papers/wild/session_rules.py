"""What rules find in what the roles of a session say, call and return (section 3.2, appendix C).

A rule reads the conversation and the tools. What the assistant is told of a refused move depends on nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Final

from callwright.author.agent_asking import TurnFault
from callwright.author.placeholders import placeholder_in
from callwright.catalog.slots import leaves, slots
from callwright.environment.result_faults import made_calls, nodes_of, value_of
from callwright.lang.kinds import Kind, kind_of_value
from callwright.lang.surface import mentions
from callwright.lang.tokens import words
from callwright.match.schema import schema_issues
from callwright.papers.wild.session_roles import REFERENCE, AnnotatedCall, AssistantMove, TaskCandidate
from callwright.papers.wild.untold_values import (
    may_be_worked_out,
    said_by_user,
    unfounded_values,
    unfounded_words,
)
from callwright.records.dialogue import Call, Dialogue, Result
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool
from callwright.validate.unsayable import wording_faults

_SMALL: Final = 13
"""Numbers below are said and returned by chance."""
_SHORTEST: Final = 3
"""Characters of a text that is no chance find."""


# -- tasks -----------------------------------------------------------------------------------------------------------


CANDIDATE_FAULTS: Final = {
    "identifier_leaked": "it names a tool or a parameter",
    "placeholder_left": "words stand in place of a value",
    "turn_repeated": "it was said before",
    "nothing_hidden": (
        "what it leaves out stands nowhere before, or for long_range in the last exchange as well; or no word of it "
        "refers back"
    ),
    "hidden_value_said": "it says what it leaves out",
    "nothing_missing": "it keeps back no required value",
    "type_error": "what it keeps back does not fit the schema",
    "missing_value_known": "what it keeps back was said or returned before",
}
"""What is wrong with a proposed task, in words for its author."""


def candidate_faults(one: TaskCandidate, dialogue: Dialogue, tools: Mapping[str, Tool], *, hiding: str) -> list[str]:
    """Return the codes of what is wrong with a proposed task, before anybody asks what it needs."""
    found = ["identifier_leaked"] if wording_faults(one.text, tools) else []
    found += ["placeholder_left"] if placeholder_in(one.text) else []
    if any(one.text.casefold() == turn.text.casefold() for turn in dialogue.turns):
        found.append("turn_repeated")
    if hiding:
        quote = (one.left_out or "").strip()
        first = left_out_at(quote, dialogue, is_far=hiding == "long_range")
        found += ["nothing_hidden"] if first is None else []
        found += ["hidden_value_said"] if quote and _has_words(one.text, quote) else []
    return found


def _has_words(text: str, quote: str) -> bool:
    """Whether a text has a quote as whole words: `12` is not in `120 rolls`."""
    return re.search(rf"(?<!\w){re.escape(quote.casefold())}(?!\w)", text.casefold()) is not None


def refers_back(text: str) -> bool:
    """Return whether a message has a word that may stand for what was said before; true where it is not English."""
    said = words(text)
    is_english = len(_ENGLISH.intersection(said)) > 1
    return not is_english or said[0] in _JOINING or not _back_words().isdisjoint(said)


_ENGLISH: Final = frozenset("the you your what how why when is are do does have would of to with my than".split())
_JOINING: Final = ("and", "but", "or", "so")
"""A message that begins so goes on from another one."""


@cache
def _back_words() -> frozenset[str]:
    return frozenset(files(__package__).joinpath("data/refers_back.txt").read_text(encoding="utf-8").split())


def left_out_at(quote: str, dialogue: Dialogue, *, is_far: bool) -> int | None:
    """Return the last task whose turns hold the quote; with `is_far` one before the last, which lacks it."""
    if not quote or not dialogue.tasks:
        return None
    bounds = [*(task.turn or 0 for task in dialogue.tasks), len(dialogue.turns)]
    holding = [
        task
        for task in range(len(dialogue.tasks))
        if any(quote.casefold() in _text_of(dialogue, at).casefold() for at in range(bounds[task], bounds[task + 1]))
    ]
    if not holding or (is_far and holding[-1] == len(dialogue.tasks) - 1):
        return None
    return holding[-1]


def _text_of(dialogue: Dialogue, turn: int) -> str:
    one = dialogue.turns[turn]
    results = (result.value or "" for step in one.steps for result in step.results)
    return " ".join((one.text, *results, *(call.arguments for call in one.calls)))


def kept_back_faults(one: TaskCandidate, dialogue: Dialogue, tool: Tool) -> list[str]:
    """Return the codes of what is wrong with what a clarify task keeps back: required, unknown and well formed."""
    if not one.kept_back or not one.kept_back.keys() <= set(tool.required):
        return ["nothing_missing"]
    broken = {issue.path.partition(".")[0] for issue in schema_issues(encode(one.kept_back), tool)}
    found = ["type_error"] if broken & one.kept_back.keys() else []
    day, before = dialogue.day, [_text_of(dialogue, at) for at in range(len(dialogue.turns))]
    for name, value in one.kept_back.items():
        kind = slots(tool)[name].kind if name in slots(tool) else kind_of_value(value)
        texts = [one.text, *(before if kind in _OF_ONE_THING else ())]
        if any(mentions(text, value, kind, today=day) for text in texts):
            found.append("missing_value_known")
    return found


_OF_ONE_THING: Final[frozenset[Kind]] = frozenset(("code", "email", "phone", "url", "person", "title", "text"))
"""Kinds of values that are known once they were said; a number, a day or a choice was said of something else."""


# -- the assistant ---------------------------------------------------------------------------------------------------


def move_faults(move: AssistantMove, dialogue: Dialogue, tools: Mapping[str, Tool], begin: int) -> Iterator[TurnFault]:
    """Yield what is wrong with a move that is one object; its task begins at turn `begin`."""
    if not move.say and not move.calls:
        yield TurnFault("empty_text", '"say" and "calls" are both empty: call, or say something')
    if not move.thought:
        yield TurnFault("no_thought", '"thought" is empty: write your plan there')
    yield from act_faults(move, dialogue, tools, begin, place='in "say"')


def act_faults(
    move: AssistantMove, dialogue: Dialogue, tools: Mapping[str, Tool], begin: int, *, place: str
) -> Iterator[TurnFault]:
    """Yield what is wrong with what a move says and calls, whatever its form; `place` is where it says it."""
    if left := placeholder_in(move.say):
        yield TurnFault("placeholder_left", f"{place}: {left!r} stands in place of a value")
    for fault in wording_faults(move.say, tools):
        yield TurnFault("identifier_leaked", f"{place}: {fault}", rejects="name for machines" in fault)
    done = [call for turn in dialogue.turns[begin:] for call in turn.calls]
    for at, call in enumerate(move.calls):
        earlier = (*done, *move.calls[:at])
        if any((call.tool, call.arguments) == (one.tool, one.arguments) for one in earlier):
            yield TurnFault("redundant_call", f"{call.tool} was called with these arguments already")
        if call.tool not in tools:
            yield TurnFault("unknown_tool", f"no tool in the list is called {call.tool!r}")
            continue
        for issue in schema_issues(call.arguments, tools[call.tool]):
            code = "unknown_parameter" if issue.code == "unexpected" else "type_error"
            yield TurnFault(code, f"{call.tool}: {issue.path or 'arguments'}: {issue.message}")
        for path, value in unfounded_values(call.tool, call.values, dialogue, tools):
            told = f"{call.tool}: {path}: nobody has said or returned {encode(value)}"
            yield TurnFault("value_never_said", told, not may_be_worked_out(value, dialogue))
    if done and not move.calls:
        documents = " ".join(
            f"{tools[one.tool].description} {tools[one.tool].returns}" for one in done if one.tool in tools
        )
        for said, is_possible in unfounded_words(move.say, dialogue):
            if not any(map(str.isdigit, said)) and said.casefold() in documents.casefold():
                continue  # "at noon", as the document says of a temperature; its codes are examples
            yield TurnFault("value_not_told", f"nobody has said or returned {said!r}", not is_possible)


# -- annotations -----------------------------------------------------------------------------------------------------


def annotation_faults(
    calls: Sequence[AnnotatedCall], dialogue: Dialogue, tools: Mapping[str, Tool], also: str
) -> Iterator[TurnFault]:
    """Yield what is wrong with gold calls; `dialogue` ends with the request, `also` is what is said when asked."""
    for number, one in enumerate(calls, 1):
        if one.name not in tools:
            yield TurnFault("unknown_tool", f"call {number}: no tool in the list is called {one.name!r}")
            continue
        plain = {name: value for name, value in one.arguments.items() if not references(value)}
        for issue in schema_issues(encode(one.arguments), tools[one.name]):
            if issue.code != "type" or issue.path.partition(".")[0].partition("[")[0] in plain:
                code = "unknown_parameter" if issue.code == "unexpected" else "type_error"
                yield TurnFault(code, f"call {number}: {issue.path or 'arguments'}: {issue.message}")
        for path, value in unfounded_values(one.name, plain, dialogue, tools, also):
            told = f"call {number}: {path}: neither the person nor a result so far has {encode(value)}"
            yield TurnFault("value_never_said", told, not may_be_worked_out(value, dialogue))
        used = references(one.arguments)
        if not set(one.after) | used <= set(range(1, number)):
            yield TurnFault("bad_dependency", f"call {number} can need only calls with smaller numbers")
        for needed in sorted(set(one.after) - used):
            told = f'call {number} needs call {needed} in "after", but takes no value of its result'
            yield TurnFault("after_without_flow", told)
        for needed in sorted(used - set(one.after)):
            told = f'call {number} takes a value from the result of call {needed}, which is not in "after"'
            yield TurnFault("flow_without_after", told)


def references(value: Json) -> set[int]:
    """Return the numbers of the calls whose results a value refers to."""
    return {number for node in nodes_of(value) if (number := reference(node)) is not None}


def reference(value: Json) -> int | None:
    """Return the number of the call whose result a value stands for; None for a value of its own."""
    if isinstance(value, dict) and value.keys() == {REFERENCE} and type(value[REFERENCE]) is int:
        return int(value[REFERENCE])
    return None


# -- the flow of values ----------------------------------------------------------------------------------------------


def is_distinctive(value: Json, kind: Kind) -> bool:
    """Whether a value is rarely found by chance: no boolean, no choice of a list, no small number."""
    if isinstance(value, bool) or value is None or kind == "enum":
        return False
    if isinstance(value, int | float):
        return abs(value) >= _SMALL
    return isinstance(value, str) and len(value) >= _SHORTEST


def flowing(call: Call, tool: Tool, source: Result, dialogue: Dialogue) -> list[str]:
    """Return the paths of a call whose distinctive values the result of another one holds and the user did not say.

    `dialogue` has all that was said and returned before both calls.
    """
    held = {encode(node) for node in nodes_of(value_of(source))}
    known = {encode(node) for _, result in made_calls(dialogue) for node in nodes_of(value_of(result))}
    said, by_path = said_by_user(dialogue), slots(tool)
    found = []
    for path, value in leaves(tool, call.values).items():
        kind = by_path[path].kind if path in by_path else kind_of_value(value)
        parts = [one for one in nodes_of(value) if is_distinctive(one, kind)]
        new = (one for one in parts if encode(one) in held - known or _is_within(one, held))
        if any(not mentions(said, one, kind, today=dialogue.day) for one in new):
            found.append(path)
    return found


def _is_within(value: Json, held: Iterable[str]) -> bool:
    """Whether a text quotes a value of a result, as the body of a mail does."""
    texts = (decode(one) for one in held if one.startswith('"'))  # type: ignore[arg-type]
    return isinstance(value, str) and any(_SHORTEST < len(text) < len(value) and text in value for text in texts)


def flow_faults(
    golds: Sequence[tuple[Call, Result, tuple[int, ...]]], dialogue: Dialogue, tools: Mapping[str, Tool]
) -> Iterator[tuple[str, str]]:
    """Yield code and message of each `after` without a value that flows, and of each flow without an `after`."""
    behind: list[set[int]] = []
    for at, (call, _, after) in enumerate(golds):
        behind.append(set(chain(after, *(behind[one] for one in after))))
        for other, (source, result, _) in enumerate(golds[:at]):
            flows = flowing(call, tools[call.tool], result, dialogue)
            if other in after and not flows:
                yield "after_without_flow", f"{call.tool} comes after {source.tool}, and takes no value from it"
            if flows and other not in behind[at] and not _from_another(call, flows, golds, after):
                yield (
                    "flow_without_after",
                    f"{flows[0]} of {call.tool} comes from {source.tool}, not named in `after`",
                )


def _from_another(
    call: Call, paths: Sequence[str], golds: Sequence[tuple[Call, Result, tuple[int, ...]]], after: Sequence[int]
) -> bool:
    """Whether the calls that it needs return these values too."""
    held = {encode(node) for one in after for node in nodes_of(value_of(golds[one][1]))}
    return all(encode(call.values.get(path)) in held for path in paths)
