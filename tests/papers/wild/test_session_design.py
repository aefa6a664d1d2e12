"""The design of wild sessions: exact proportions, for any seed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.papers.wild.session_design import KINDS, design_of

SEEDS = st.integers(-(2**40), 2**40)
TASKS = st.integers(1, 8)


@given(SEEDS, TASKS, st.integers(0, 9))
def test_a_block_has_every_kind_equally_often_at_every_position(seed: int, tasks: int, block: int) -> None:
    """Over a block, each position has each kind as often as the others."""
    size = len(KINDS) * tasks
    designs = [design_of(block * size + place, seed=seed, tasks=tasks) for place in range(size)]
    for position in range(tasks):
        counts = Counter(design.tasks[position].kind for design in designs)
        assert set(counts.values()) == {tasks}
        assert len(counts) == len(KINDS)


@given(SEEDS, TASKS)
def test_a_block_has_every_number_of_transitions_equally_often(seed: int, tasks: int) -> None:
    """From none to one less than there are tasks."""
    designs = [design_of(place, seed=seed, tasks=tasks) for place in range(len(KINDS) * tasks)]
    assert Counter(one.transitions for one in designs) == dict.fromkeys(range(tasks), len(KINDS))


@given(SEEDS)
def test_hidings_of_four_tasks_are_a_third_each(seed: int) -> None:
    """A block of sixteen sessions has sixteen later tasks of each, and sixteen first ones that hide nothing."""
    tasks = [task for place in range(16) for task in design_of(place, seed=seed, tasks=4).tasks]
    assert Counter(task.hiding for task in tasks) == {"partial": 16, "coreference": 16, "long_range": 16, "": 16}


@given(SEEDS)
def test_each_kind_of_task_hides_in_each_way(seed: int) -> None:
    """Over ten blocks no kind of later task lacks one of the three; clarify tasks hide as others do."""
    later = [task for place in range(160) for task in design_of(place, seed=seed, tasks=4).tasks[1:]]
    assert len({(task.kind, task.hiding) for task in later}) == 4 * 3


@given(SEEDS)
def test_topologies_are_a_third_each(seed: int) -> None:
    """Of the 48 `multi` tasks of three blocks sixteen are P, sixteen S and sixteen S+P; no other task has one."""
    tasks = [task for place in range(48) for task in design_of(place, seed=seed, tasks=4).tasks]
    assert Counter(task.topology for task in tasks if task.kind == "multi") == {"P": 16, "S": 16, "S+P": 16}
    assert not any(task.topology for task in tasks if task.kind != "multi")


@pytest.mark.parametrize("position", [0, 1])
def test_nothing_is_far_back_before_the_third_task(position: int) -> None:
    """The first task hides nothing, and the second has only the last exchange behind it."""
    hidings = {design_of(place, seed=3, tasks=4).tasks[position].hiding for place in range(64)}
    assert hidings == ({""} if position == 0 else {"partial", "coreference"})
