"""Calls of wild sessions that need several others: nothing but those calls' results tells what they are called with."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from callwright.papers.wild.gold_calls import PlannedCall, Source, best_of
from callwright.records.dialogue import Dialogue, GoldCall, Result, Task
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from wild_workshop import PUBLISHED, sessions

needs_lists = pytest.mark.skipif(not PUBLISHED.exists(), reason="the published tool lists are not here")


def joins() -> Iterator[tuple[Dialogue, Task, GoldCall, list[GoldCall]]]:
    """Yield every gold call with several parents, and those."""
    for made in sessions():
        for task in made.dialogue.tasks:
            for gold in task.gold:
                if len(gold.after) > 1:
                    yield made.dialogue, task, gold, [task.gold[place] for place in gold.after]


def fields(gold: GoldCall) -> dict[str, Json]:
    """The numbers and words at the top of a call's result."""
    value = json.loads(str(gold.result.value)) if gold.result else {}
    return {name: one for name, one in value.items() if isinstance(one, (int, float, str))}


def telling(gold: GoldCall, parents: list[GoldCall]) -> list[str]:
    """Fields in which the parent whose argument the call takes is alone the greatest or the least."""
    taken = set(map(encode, gold.values.values()))
    best = [place for place, one in enumerate(parents) if taken & set(map(encode, one.values.values()))]
    shared = set.intersection(*(set(fields(one)) for one in parents))
    return [
        name
        for name in sorted(shared)
        for most in (True, False)
        if best_of([fields(one)[name] for one in parents], most=most) in best
    ]


@needs_lists
def test_there_are_joins() -> None:
    """Among the first sessions over the published lists, of several sorts and sizes."""
    assert len({len(gold.after) for _, _, gold, _ in joins()}) > 1


def test_what_a_join_takes_is_decided_by_all_its_parents() -> None:
    """It is the thing whose field compares best, or each parent returned a part of it."""
    assert any(joins())
    for _, _, gold, parents in joins():
        parts = [set(map(str, fields(one).values())) for one in parents]
        taken = {str(one) for value in gold.values.values() for one in (value if isinstance(value, list) else [value])}
        assert telling(gold, parents) or all(part & taken for part in parts)


def test_the_parents_of_a_join_could_be_made_at_once() -> None:
    """They need nothing of one another, so that the shortest way is shorter than one call after another."""
    assert any(joins())
    for _, task, gold, _ in joins():
        assert not any(set(task.gold[place].after) & set(gold.after) for place in gold.after)


def planned(city: str, **result: Json) -> PlannedCall:
    tool = Tool(name="look", description="Look.", parameters=encode({"type": "object", "properties": {}}))
    return PlannedCall(0, tool, "look", {"city": city}, result=Result(value=encode(result)))


@pytest.mark.parametrize(
    ("way", "path", "found"),
    [
        ("one", "/price", 5),
        ("greatest", "/price", "Nice"),
        ("least", "/price", "Oslo"),
        ("greatest", "/day", "Lyon"),
        ("least", "/day", "Nice"),
        ("greatest", "/same", None),
        ("greatest", "/mixed", None),
        ("least", "/name", None),
        ("one", "/nothing", None),
    ],
)
def test_a_source_is_resolved_in_the_results(way: str, path: str, found: Json) -> None:
    """Numbers by value, days by date; nothing where two are equal or cannot be compared."""
    calls = [
        planned("Lyon", price=5, day="2026-05-09", same=1, mixed=1, name="a"),
        planned("Oslo", price=3.5, day="2026-05-08", same=2, mixed="2026-05-08", name="b"),
        planned("Nice", price=9, day="2025-12-31", same=2, mixed=3, name="c"),
    ]
    assert Source((0, 1, 2), path, way, "city").value(calls) == found  # type: ignore[arg-type]
