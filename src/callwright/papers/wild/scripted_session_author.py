"""`builtin/author` in the roles of a session: simple rules that see the prompt alone, for dry runs.

Its requests have one form, which its assistant and its annotator read again:

    Please find the site with the city "Oslo"; then book the room with the resulting site ID.

A value that is hidden is "the same NOUN as before".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from random import Random
from typing import Final, NamedTuple

from callwright.author.value_drawing import draw_values
from callwright.catalog.slots import slots
from callwright.environment.scripted_tools import CALLS, SOMEONE, scripted_result, shown_day, shown_talk, shown_tools
from callwright.lang.english import join_with
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem_set
from callwright.papers.wild.gold_calls import wished
from callwright.papers.wild.session_roles import CANDIDATES, REFERENCE
from callwright.papers.wild.tool_pool import flows_between
from callwright.records.jsontext import Json, encode, parse
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

_FIRST, _NEXT, _AGAIN = "Please ", "; then ", "do the same again"
_ANSWERED: Final = "Person: The "
_CHATS: Final = (
    "Why do cats sleep so much?",
    "Is a walk after lunch a good habit?",
    "What makes a good breakfast?",
    "Do you like rainy days?",
    "What do people do on a free afternoon?",
    "Is tea better than coffee?",
)


def write_text(asked: str, rng: Random) -> str:
    """Return what a prompt of a session asks for; empty where it asks for something else."""
    if asked.endswith("\nYour answer:"):
        known = re.findall(r"^- (.+?): (.+)$", asked.rpartition("What you know:")[2], re.MULTILINE)
        return " ".join(f"The {noun} is {value}." for noun, value in known) or "I do not know."
    found = write_object(asked, rng)
    return "" if found is None else encode(found)


def write_object(asked: str, rng: Random) -> dict[str, Json] | None:
    """Return the object that a prompt of a session asks for; None where it asks for something else."""
    for ending, answer in _ANSWERS.items():
        if asked.endswith(ending):
            return answer(asked, rng)
    return scripted_result(asked)


# -- what the prompts show -------------------------------------------------------------------------------------------


def _line(asked: str, name: str) -> str:
    return next((line.partition(": ")[2] for line in asked.splitlines() if line.startswith(f"{name}: ")), "")


# -- requests: written and read --------------------------------------------------------------------------------------


class _Wish(NamedTuple):
    tool: Tool
    arguments: dict[str, Json]
    parents: dict[str, int]
    """Wishes, from 0, whose results give a value."""


def _phrase(tool: Tool) -> str:
    return wished(tool).phrase


def _nouns(tool: Tool) -> dict[str, str]:
    """What people call the parameters; those that share a noun have none."""
    nouns = {name: slots(tool)[name].noun.text for name in tool.properties if name in slots(tool)}
    return {name: noun for name, noun in nouns.items() if list(nouns.values()).count(noun) == 1}


def _request(wishes: Sequence[tuple[str, Tool, Mapping[str, str]]]) -> str:
    """The request for these wishes: what is to be done, and each value as it is given."""
    parts = []
    for do, tool, told in wishes:
        said = [text if text.startswith("the ") else f"the {_nouns(tool)[name]} {text}" for name, text in told.items()]
        parts.append(f"{do}{f' with {join_with(said)}' if said else ''}")
    return f"{_FIRST}{_NEXT.join(parts)}."


def _read(text: str, tools: Sequence[Tool], before: Sequence[str]) -> list[_Wish]:
    """The wishes of a request in the one form; none of any other text."""
    found: list[_Wish] = []
    if not text.startswith(_FIRST):
        return found
    for part in text.removeprefix(_FIRST).split(_NEXT):
        named = [tool for tool in tools if part.startswith(_phrase(tool))]
        if part.startswith(_AGAIN):
            named = [tool for tool in tools if tool.name == next(iter(_used(before)), "")]
        if named:
            wish = _Wish(max(named, key=lambda one: len(_phrase(one))), {}, {})
            for name, noun in _nouns(wish.tool).items():
                if f"the resulting {noun}" in part and (parent := _parent(found, wish.tool, name)) is not None:
                    wish.parents[name] = parent
                    continue
                for value in _known(noun, before[::-1] if f"the same {noun} as before" in part else [part]):
                    wish.arguments[name] = value
            found.append(wish)
    return found


def _used(talk: Sequence[str]) -> list[str]:
    """Names of the tools that were called, the last one first."""
    calls = [line.removeprefix(CALLS) for line in talk if line.startswith(CALLS)]
    return [call.partition(" ")[0] for call in reversed(calls)]


def _known(noun: str, lines: Sequence[str]) -> Iterator[Json]:
    """The value that the first of these lines gives for a noun, if one does: said, or under such a key of a result."""
    for line in lines:
        _, is_result, result = line.partition(" returned ")
        if is_result:
            found = [
                value for key, value in _keyed(parse(result)) if stem_set(" ".join(name_words(key))) == stem_set(noun)
            ]
            if found:
                yield found[0]
                return
            continue
        for match in re.finditer(rf"\bthe {re.escape(noun)} (?:is )?(?=[\[{{\"\dtf-])", line, re.IGNORECASE):
            try:
                yield json.JSONDecoder().raw_decode(line[match.end() :])[0]
                return
            except (ValueError, RecursionError):
                continue


def _keyed(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        yield from ((key, one) for key, one in value.items() if isinstance(one, str | int))
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keyed(one)


def _parent(wishes: Sequence[_Wish], tool: Tool, name: str) -> int | None:
    feeding = [
        at for at, one in enumerate(wishes) if any(flow.parameter == name for flow in flows_between(one.tool, tool))
    ]
    return feeding[-1] if feeding else len(wishes) - 1 if wishes else None


# -- the author ------------------------------------------------------------------------------------------------------


def _propose(asked: str, rng: Random) -> dict[str, Json]:
    tools, kind, topology = shown_tools(asked), *f"{_line(asked, 'The next task is')} ".split(" ", 1)
    named = next((tool for tool in tools if tool.name == _line(asked, "It is done with")), None)
    hiding = _line(asked, "It refers to what came before by")
    heard, last = _earlier(shown_talk(asked), is_far=hiding == "long_range") if hiding else ([], [])
    if kind == "chat" or not tools:
        return {"tasks": _chats(asked, heard, rng)}
    tries = [[named] if named else _chosen(topology.strip(), tools, rng) for _ in range(CANDIDATES)]
    return {"tasks": [_candidate(chosen, kind == "clarify", heard, last, shown_day(asked), rng) for chosen in tries]}


def _chats(asked: str, heard: Sequence[str], rng: Random) -> list[Json]:
    """Casual questions that were not said yet; where the next task refers back, with a value that it takes."""
    about = next((line.partition(": ")[2] for line in heard if line.startswith("Person: ")), None)
    led_to = next(
        (tool for tool in shown_tools(asked) if tool.name == _line(asked, "The task after it is done with")), None
    )
    said = ""
    if led_to and not heard:
        drawn = draw_values(rng, led_to, SOMEONE, today=shown_day(asked)).items()
        sayable = [(noun, value) for name, value in drawn if (noun := _nouns(led_to).get(name))]
        said = "".join(f"I am just looking at the {noun} {encode(value)}. " for noun, value in sayable[:1])
    said = said or ("That is done. " if _line(asked, "It refers to what came before by") else "")
    left = [text for text in _CHATS if text not in asked]
    return [{"text": f"{said}{one}", "left_out": about, "kept_back": {}} for one in rng.sample(left, CANDIDATES)]


def _earlier(talk: Sequence[str], *, is_far: bool) -> tuple[list[str], list[str]]:
    """What a request may refer to, the last line first; and the last exchange, where it must not have that."""
    asks = [at for at, line in enumerate(talk) if line.startswith("Person: ") and not line.startswith(_ANSWERED)]
    end = asks[-1] if is_far and asks else len(talk)
    return [*talk[:end]][::-1], [*talk[end:]]


def _candidate(
    chosen: Sequence[Tool], lacks: bool, heard: Sequence[str], last: Sequence[str], day: date, rng: Random
) -> dict[str, Json]:
    wishes: list[tuple[str, Tool, dict[str, str]]] = []
    left_out, kept_back = list[str](), dict[str, Json]()
    for at, tool in enumerate(chosen):
        told, nouns = {}, _nouns(tool)
        for name, value in draw_values(rng, tool, SOMEONE, today=day).items():
            if name not in nouns:
                continue
            before = [] if left_out or any(_known(nouns[name], last)) else list(_known(nouns[name], heard))
            if any(flow.parameter == name for one in chosen[:at] for flow in flows_between(one, tool)):
                told[name] = f"the resulting {nouns[name]}"
            elif before and isinstance(before[0], str | int):
                left_out.append(str(before[0]))
                told[name] = f"the same {nouns[name]} as before"
            elif lacks and name in tool.required and not kept_back:
                kept_back = {name: value}
            else:
                told[name] = encode(value)
        wishes.append((_phrase(tool), tool, told))
    if heard and not left_out and len(chosen) == 1 and _used(heard[::-1])[:1] == [chosen[0].name]:
        left_out = [f"{CALLS}{chosen[0].name}".removeprefix(CALLS)]
        wishes = [(_AGAIN, chosen[0], wishes[0][2])]
    return {"text": _request(wishes), "left_out": next(iter(left_out), None), "kept_back": kept_back}


def _chosen(topology: str, tools: Sequence[Tool], rng: Random) -> list[Tool]:
    """Tools for a task of several calls: one twice, a pair of which one feeds the other, or such a pair and another."""
    pairs = [(one, two) for one in tools for two in tools if one.name != two.name and _is_fed(one, two)]
    plain = [tool for tool in tools if tool.required and set(tool.required) <= _nouns(tool).keys()] or list(tools)
    if topology == "P" or not pairs:
        return [rng.choice(plain)] * 2
    first, second = rng.choice(pairs)
    if topology == "S":
        return [first, second]
    beside = [one for one in plain if one.name not in (first.name, second.name) and not flows_between(first, one)]
    return [first, second, rng.choice(beside or plain)]


def _is_fed(one: Tool, two: Tool) -> bool:
    return any(flow.parameter in two.required and flow.parameter in _nouns(two) for flow in flows_between(one, two))


# -- the others ------------------------------------------------------------------------------------------------------


def _pick(asked: str, rng: Random) -> dict[str, Json]:
    return {"why": "It is the first one.", "pick": 1}


def _annotate(asked: str, rng: Random) -> dict[str, Json]:
    text = _line(asked.rpartition("\nThe task:")[2], "Person")
    wishes = _read(text, shown_tools(asked), shown_talk(asked))
    later = re.findall(r"^Asked for (.+), the person says: (.+)$", asked, re.MULTILINE)
    calls: list[Json] = []
    for one in wishes:
        nouns = {noun: name for name, noun in _nouns(one.tool).items()}
        given = {nouns[noun]: parse(value) for noun, value in later if noun in nouns}
        fed: dict[str, Json] = {name: {REFERENCE: parent + 1} for name, parent in one.parents.items()}
        after: list[Json] = [parent + 1 for parent in sorted({*one.parents.values()})]
        calls.append({"name": one.tool.name, "arguments": {**one.arguments, **given, **fed}, "after": after})
    return {"thought": "The wishes are in the order in which they were said.", "calls": calls}


def _move(asked: str, rng: Random) -> dict[str, Json]:
    return next_move(shown_tools(asked), shown_talk(asked))


def next_move(tools: Sequence[Tool], talk: Sequence[str]) -> dict[str, Json]:
    """Return the assistant's next move after the lines of a conversation."""
    asks = [at for at, line in enumerate(talk) if line.startswith(f"Person: {_FIRST}")]
    last = max((at for at, line in enumerate(talk) if line.startswith("Person: ")), default=0)
    if not asks or not (asks[-1] == last or talk[last].startswith("Person: The ")):
        return {"thought": "No tool is needed.", "say": "That is a matter of taste, I would say.", "calls": []}
    wishes = _read(talk[asks[-1]].partition(": ")[2], tools, talk[: asks[-1]])
    for one in wishes:
        for name, noun in _nouns(one.tool).items() if last != asks[-1] else ():
            for value in _known(noun, talk[last : last + 1]):
                one.arguments[name] = value
    lacking = [noun for one in wishes for name, noun in _nouns(one.tool).items() if _is_lacking(one, name)]
    if lacking and last == asks[-1]:
        return {"thought": "A value is missing.", "say": f"What is the {lacking[0]}?", "calls": []}
    results = [parse(line.partition(" returned ")[2]) for line in talk[last:] if " returned " in line]
    ready = _ready(wishes, results)
    if ready:
        return {"thought": "These calls can be made now.", "say": "", "calls": ready}
    done = join_with([_phrase(one.tool) for one in wishes])
    return {"thought": "All is done.", "say": f"That is done: {done}.", "calls": []}


def _is_lacking(wish: _Wish, name: str) -> bool:
    return name in wish.tool.required and name not in wish.arguments and name not in wish.parents


def _ready(wishes: Sequence[_Wish], results: Sequence[Json]) -> list[Json]:
    """The calls that can be made now; calls are made level by level, and results come in their order."""
    depth: list[int] = []
    for one in wishes:
        depth.append(1 + max((depth[parent] for parent in one.parents.values()), default=0))
    order = sorted(range(len(wishes)), key=lambda at: depth[at])
    held = dict(zip(order, results, strict=False))
    calls: list[Json] = []
    for at in order[len(results) :]:
        one = wishes[at]
        if depth[at] == depth[order[len(results)]]:
            arguments = dict(one.arguments)
            for name, parent in one.parents.items():
                arguments[name] = _fed(wishes[parent].tool, one.tool, name, held.get(parent))
            calls.append({"name": one.tool.name, "arguments": arguments})
    return calls


def _fed(producer: Tool, consumer: Tool, name: str, result: Json) -> Json:
    told = _known(_nouns(consumer)[name], [f"{producer.name} returned {encode(result)}"])
    feeding = (
        resolve(result, one.output.pointer()) for one in flows_between(producer, consumer) if one.parameter == name
    )
    return next(told, next(feeding, None))


_ANSWERS: Final = {
    "\nYour candidates:": _propose,
    "\nYour pick:": _pick,
    "\nYour annotation:": _annotate,
    "\nYour move:": _move,
}
