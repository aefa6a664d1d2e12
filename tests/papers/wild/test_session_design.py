"""The design of wild sessions: exact proportions, for any seed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.papers.wild.session_design import KINDS, block_size, design_of, spread

SEEDS = st.integers(-(2**40), 2**40)
TASKS = st.integers(1, 8)


@given(SEEDS, TASKS, st.integers(0, 9))
def test_a_block_has_every_kind_equally_often_at_every_position(seed: int, tasks: int, block: int) -> None:
    """Over a block, each position has each kind as often as the others; a session of one task is no chat."""
    size = block_size(tasks)
    designs = [design_of(block * size + place, seed=seed, tasks=tasks) for place in range(size)]
    for position in range(tasks):
        counts = Counter(design.tasks[position].kind for design in designs)
        assert set(counts.values()) == {max(1, tasks - 1)}
        assert len(counts) == len(KINDS) - (tasks == 1)


@given(SEEDS, TASKS)
def test_a_block_has_every_number_of_transitions_equally_often(seed: int, tasks: int) -> None:
    """From one to one less than there are tasks, so that every session has a task that needs a call."""
    designs = [design_of(place, seed=seed, tasks=tasks) for place in range(block_size(tasks))]
    expected = dict.fromkeys(range(1, tasks), len(KINDS)) if tasks > 1 else {0: 3}
    assert Counter(one.transitions for one in designs) == expected
    assert all(any(task.kind != "chat" for task in one.tasks) for one in designs)


@given(SEEDS)
def test_hidings_of_four_tasks_are_a_third_each(seed: int) -> None:
    """A block of twelve sessions has twelve later tasks of each, and twelve first ones that hide nothing."""
    tasks = [task for place in range(12) for task in design_of(place, seed=seed, tasks=4).tasks]
    assert Counter(task.hiding for task in tasks) == {"partial": 12, "coreference": 12, "long_range": 12, "": 12}


@given(SEEDS)
def test_a_quarter_of_the_long_range_tasks_is_signposted(seed: int) -> None:
    """The others refer by content; no other task says which request it means."""
    tasks = [task for place in range(48) for task in design_of(place, seed=seed, tasks=4).tasks]
    far = [task for task in tasks if task.hiding == "long_range"]
    assert len(far) == 48
    assert sum(task.signposted for task in far) == 12
    assert not any(task.signposted for task in tasks if task.hiding != "long_range")


@given(SEEDS)
def test_each_kind_of_task_hides_in_each_way(seed: int) -> None:
    """Over ten blocks no kind of later task lacks one of the three; clarify tasks hide as others do."""
    later = [task for place in range(120) for task in design_of(place, seed=seed, tasks=4).tasks[1:]]
    assert len({(task.kind, task.hiding) for task in later}) == 4 * 3


@given(SEEDS)
def test_topologies_are_a_third_each(seed: int) -> None:
    """Of the 48 `multi` tasks of four blocks sixteen are P, sixteen S and sixteen S+P; no other task has one."""
    tasks = [task for place in range(48) for task in design_of(place, seed=seed, tasks=4).tasks]
    assert Counter(task.topology for task in tasks if task.kind == "multi") == {"P": 16, "S": 16, "S+P": 16}
    assert not any(task.topology for task in tasks if task.kind != "multi")


def test_topologies_as_in_the_paper() -> None:
    """Over one period the counts are those of the paper, and no part of it has many too few of one."""
    found = Counter(spread("paper"))
    assert found == {"P": 157, "S": 16, "S+P": 84}
    for end in range(1, len(spread("paper"))):
        part = Counter(spread("paper")[:end])
        assert all(abs(part[one] - end * count / 257) <= 1 for one, count in found.items())
    designs = [design_of(place, seed=1, tasks=4, topologies="paper") for place in range(240)]
    kinds = Counter(task.topology for one in designs for task in one.tasks if task.topology)
    assert 0.58 < kinds["P"] / kinds.total() < 0.64


@pytest.mark.parametrize("position", [0, 1])
def test_nothing_is_far_back_before_the_third_task(position: int) -> None:
    """The first task hides nothing, and the second has only the last exchange behind it."""
    hidings = {design_of(place, seed=3, tasks=4).tasks[position].hiding for place in range(64)}
    assert hidings == ({""} if position == 0 else {"partial", "coreference"})
