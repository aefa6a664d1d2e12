"""Ask the live user natural questions and count what it mishears.

Each line of a question file is one question of an assistant, written by someone who had not read the hearing code:
a tool, what is open (which tool is meant, or which values are untold), the words, and what a person would answer.

    python tests/long/hearing.py [FILE.jsonl ...] [--data ../shared/data/openapi] [--show 20]
    python tests/long/hearing.py tests/long/hearing_public.jsonl --data FOLDER

The second is about documents of the npm package that `public_apis.py` fetches, one file each in FOLDER.

Prints, over all files and for each catalogue: the right option denied, it picked, an asked value given, a wrong value
given. Then each failure. Ends with status 1 where a share is beyond what is allowed.

A question has either `look_alikes` (the tool is open) and expects `right` (it was named among others), `first` or
`second` (it was, at that place of two), `none_of_these`; or `untold` (values the user has and has not given) and
expects the names of those to be given, or `all`. What is in `may` can be given or not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from eleven import DATA, source_of

import callwright
from callwright.author.briefs import UserAct
from callwright.papers.diaforge.user_policy import UserState, next_act, user_of
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import GoldArgument, GoldCall, Participant, Scenario, Task
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

BUILD = Path(__file__).with_name("hearing_build.jsonl")
DENIED, ACCEPTED, PICKED = "right option denied", "wrong option accepted", "right option picked"
GIVEN, WRONG = "asked value given", "wrong value given"
ALLOWED = {DENIED: (0.0, 0.01), GIVEN: (0.97, 1.0), WRONG: (0.0, 0.005)}
"""Least and greatest share of what is counted."""
FORMATS = {
    "date": "2026-11-09",
    "date-time": "2026-11-09T09:00:00Z",
    "email": "ann@example.com",
    "uri": "https://a.org",
}


class Answer(NamedTuple):
    """What the user did after one question."""

    question: dict[str, Any]
    act: UserAct
    counts: tuple[tuple[str, bool], ...]
    """The counts it enters, each with whether the thing happened."""

    @property
    def is_right(self) -> bool:
        """Whether a person would have answered so."""
        return all(happened == (name in (PICKED, GIVEN)) for name, happened in self.counts)


def ask(question: dict[str, Any], tools: Mapping[str, Tool]) -> Answer:
    """Return the user's next act after a question, with what it is counted as."""
    act = next_act(_user(question, tools), question["asks"])
    return Answer(question, act, tuple(counts_of(question, act)))


def counts_of(question: Mapping[str, Any], act: UserAct) -> Iterator[tuple[str, bool]]:
    """Yield the counts that an act after a question enters, each with whether the thing happened."""
    is_open = "look_alikes" in question
    return _option_counts(question["expects"], act) if is_open else _value_counts(question, act)


def _option_counts(expected: str, act: UserAct) -> Iterator[tuple[str, bool]]:
    """`expected` is `right`, `first`, `second` or `none_of_these`."""
    is_accepted = act.offered in ("named", "first", "second")
    if expected == "none_of_these":  # `named` says the thing itself, in the user's own words, whatever was offered
        yield ACCEPTED, act.offered in ("first", "second")
        return
    is_swapped = {"first": "second", "second": "first"}.get(expected) == act.offered
    yield DENIED, act.offered == "others" or is_swapped
    yield PICKED, is_accepted and not is_swapped


def _value_counts(question: Mapping[str, Any], act: UserAct) -> Iterator[tuple[str, bool]]:
    asked = question["untold"] if question["expects"] == "all" else question["expects"]
    for name in asked:
        yield GIVEN, any(_is_part(name, slot) for slot in act.told)
    allowed = [*asked, *question.get("may", ())]
    yield WRONG, any(not any(_is_part(name, slot) for name in allowed) for slot in act.slots)


def _is_part(name: str, slot: str) -> bool:
    """Whether a slot is the parameter of that name or a leaf of it; leaves have dotted names."""
    return slot == name or slot.startswith(f"{name}.") or slot.endswith(f".{name}")


def _user(question: dict[str, Any], tools: Mapping[str, Tool]) -> UserState:
    """The user of a question after its first words; without look-alikes the tool is settled."""
    gold = tools[question["tool"]]
    untold = question.get("untold", ())
    values = tuple(GoldArgument(name, (encode(_stand_in(gold.properties[name])),)) for name in untold)
    scenario = Scenario(
        id="question",
        recipe="diaforge.v1",
        seed=0,
        index=0,
        participants=(Participant("user", "user"), Participant("assistant", "assistant")),
        tasks=(Task("single", gold.description, (GoldCall(gold.name, values),)),),
        today="2026-11-02",
    )
    look_alikes = [tools[name] for name in question.get("look_alikes", ())]
    user = user_of(scenario, DiaforgePlan(gold_tool=gold.key), gold, look_alikes, style="verbose")
    return msgspec.structs.replace(user, opened=True, picked=not look_alikes)


def _stand_in(schema: Mapping[str, Any]) -> Json:
    """Some value of a schema; which one does not matter to a question."""
    kinds = schema.get("type", "string")
    kind = next((kind for kind in kinds if kind != "null"), "string") if isinstance(kinds, list) else kinds
    properties: dict[str, Any] = schema.get("properties", {})
    if "example" in schema or schema.get("enum") or schema.get("examples"):
        return schema["example"] if "example" in schema else (schema.get("enum") or schema["examples"])[0]
    if kind == "object":
        return {name: _stand_in(properties[name]) for name in schema.get("required", list(properties)[:1])}
    if kind == "array":
        return [_stand_in(schema.get("items", {}))]
    plain: dict[str, Json] = {"boolean": True, "integer": 12, "number": 12.5}
    return plain.get(kind, FORMATS.get(schema.get("format", ""), "K-40218"))


def read_tools(catalogue: str, data: Path) -> dict[str, Tool]:
    """Return the tools, by name, of the bundled catalogue or of the document of that name in a folder."""
    return {tool.name: tool for tool in callwright.read_catalog(source_of(catalogue, data)).tools}


def shares(answers: Sequence[Answer]) -> dict[str, tuple[int, int]]:
    """Return for each count how often the thing happened, of how many."""
    total: Counter[str] = Counter()
    happened: Counter[str] = Counter()
    for answer in answers:
        total.update(name for name, _ in answer.counts)
        happened.update(name for name, did in answer.counts if did)
    return {name: (happened[name], total[name]) for name in (DENIED, ACCEPTED, PICKED, GIVEN, WRONG) if total[name]}


def is_within(counted: Mapping[str, tuple[int, int]]) -> bool:
    """Whether each share is within what is allowed."""
    limits = ((ALLOWED[name], part / of) for name, (part, of) in counted.items() if name in ALLOWED)
    return all(least <= share <= greatest for (least, greatest), share in limits)


def _line(title: str, answers: Sequence[Answer]) -> str:
    counted = shares(answers)
    parts = (f"{name} {part}/{of} ({part / of:.1%})" for name, (part, of) in counted.items())
    return f"{title} ({len(answers)}): " + ", ".join(parts)


def _failure(answer: Answer) -> str:
    question, act = answer.question, answer.act
    expected = question["expects"] if isinstance(question["expects"], str) else ", ".join(question["expects"])
    did = f"{act.kind}, offered {act.offered or '-'}, slots {', '.join(act.slots)}, more {', '.join(act.more)}"
    return f"{question['id']} {question['catalogue']}/{question['tool']}\n  {question['asks']!r}\n  {expected} <> {did}"


def main() -> None:
    """Ask all questions of the files, and print the shares and the failures."""
    parser = argparse.ArgumentParser(description="Ask the live user natural questions and count what it mishears.")
    parser.add_argument("files", nargs="*", type=Path, default=[BUILD])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--show", type=int, default=1000, help="failures to print")
    options = parser.parse_args()
    questions = [json.loads(line) for file in options.files for line in file.read_text().splitlines()]
    answers: list[Answer] = []
    for catalogue in dict.fromkeys(question["catalogue"] for question in questions):
        tools = read_tools(catalogue, options.data)
        here = [ask(question, tools) for question in questions if question["catalogue"] == catalogue]
        print(_line(catalogue, here))
        answers += here
    print(_line("all", answers))
    for answer in [answer for answer in answers if not answer.is_right][: options.show]:
        print(_failure(answer))
    sys.exit(0 if is_within(shares(answers)) else 1)


if __name__ == "__main__":
    main()
