"""Orchestration: the fast scorer against enumeration of all legal paths, and what users can give it."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest
from call_graphs import (
    Enumerated,
    fast_verdict,
    partial_partitions,
    random_graph,
    random_steps,
    score,
    unlabelled_graphs,
)
from legal_paths import enumerate_paths

import callwright
from callwright.errors import BadInput
from callwright.match.call_graph import CallGraph, call_graph
from callwright.match.orchestration import orchestrate, score_orchestration

A, B, C, D = ("a", {"x": 1}), ("b", {}), ("c", {"y": ["z"]}), ("d", {})


def test_there_are_342_graphs_and_1082_partial_partitions() -> None:
    """What is tested exhaustively is what it is said to be."""
    assert [len(unlabelled_graphs(size)) for size in range(1, 6)] == [1, 2, 6, 31, 302]
    assert len(partial_partitions(5)) == 1082


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_all_graphs_and_all_partial_partitions(size: int) -> None:
    """On every graph up to 5 calls, every sequence of sets of calls is scored as enumeration scores it."""
    assert unlabelled_graphs(size)
    for graph in unlabelled_graphs(size):
        slow = Enumerated(graph)
        for steps in partial_partitions(size):
            assert fast_verdict(graph, steps) == slow.verdict(steps), (graph, steps)


def test_random_steps_on_random_graphs_up_to_eight_calls() -> None:
    """Steps with calls moved, lost, repeated and unknown, and empty steps, are scored as enumeration scores them."""
    chance = Random(5)
    for _ in range(30):
        graph = random_graph(chance, chance.randint(1, 6))
        slow = Enumerated(graph)
        for _ in range(60):
            steps = random_steps(chance, graph)
            assert fast_verdict(graph, steps) == slow.verdict(steps), (graph, steps)


def labelled_paths(graph: CallGraph, labels: tuple[str, ...]) -> set[tuple[tuple[str, ...], ...]]:
    """Return every legal path in the labels of its calls: calls with one label cannot be told apart."""
    return {tuple(tuple(sorted(labels[call] for call in step)) for step in path) for path in enumerate_paths(graph)}


def labelled_verdict(
    paths: set[tuple[tuple[str, ...], ...]], size: int, said: tuple[tuple[str, ...], ...]
) -> tuple[float, bool, bool, int | None]:
    """Return the verdict on steps of labels."""
    beginnings = {path[:length] for path in paths for length in range(len(path) + 1)}
    legal = max(length for length in range(len(said) + 1) if said[:length] in beginnings)
    accomplished = said in paths
    return (
        sum(map(len, said[:legal])) / size,
        accomplished,
        accomplished and len(said) == min(map(len, paths)),
        legal if legal < len(said) else None,
    )


def test_equal_calls_on_random_graphs() -> None:
    """Where calls bear few labels, steps are legal when some path has the same labels in the same steps."""
    chance = Random(11)
    for _ in range(50):
        graph = random_graph(chance, chance.randint(2, 5))
        labels = tuple(chance.choice("ab") for _ in range(graph.size))
        paths = labelled_paths(graph, labels)
        for _ in range(25):
            steps = tuple(tuple(call for call in step if call >= 0) for step in random_steps(chance, graph))
            said = tuple(tuple(sorted(labels[call] for call in step)) for step in steps)
            assert fast_verdict(graph, steps, labels) == labelled_verdict(paths, graph.size, said), (graph, said)


def test_algorithm_1_keeps_the_longest_and_the_shortest_paths() -> None:
    """Its line 13: of thirteen orders of three parallel calls seven are kept; other steps leave the paths kept."""
    chance = Random(13)
    three = list(enumerate_paths(call_graph(3, ())))
    assert sum(len(path) in (3, 1) for path in three) == 7
    left = 0
    for _ in range(150):
        graph = random_graph(chance, chance.randint(2, 5))
        paths = labelled_paths(graph, tuple(map(str, range(graph.size))))
        kept = {path for path in paths if len(path) in (graph.size, graph.shortest)}
        for path in chance.sample(sorted(paths), min(8, len(paths))):
            steps = [[int(call) for call in step] for step in path]
            found = orchestrate(
                graph, steps, lambda call: (call,), alike=range(graph.size), say=str, say_gold=str, paths="algorithm1"
            )
            verdict = (found.progress, found.accomplished, found.optimal, found.left_at)
            assert verdict == labelled_verdict(kept, graph.size, path), (graph, path)
            left += found.departure is not None and found.departure.kind == "length"
    assert left


def test_calls_that_are_right_for_several_gold_calls() -> None:
    """With a lenient matcher a call may fit unequal gold calls; a step is legal when some choice makes it so."""
    chance = Random(3)
    for _ in range(150):
        graph = random_graph(chance, chance.randint(2, 5))
        paths = list(enumerate_paths(graph))
        wide = [tuple(chance.sample(range(graph.size), chance.randint(1, 3 % graph.size + 1))) for _ in range(4)]
        steps = tuple(tuple(chance.choices(wide, k=chance.randint(1, 2))) for _ in range(chance.randint(1, 4)))

        result = orchestrate(graph, steps, lambda call: call, alike=range(graph.size), say=str, say_gold=str)

        legal = max(_legal_length(path, steps) for path in paths)
        assert (result.left_at if result.left_at is not None else len(steps)) == legal, (graph, steps)


def _legal_length(path: tuple[frozenset[int], ...], steps: tuple[tuple[tuple[int, ...], ...], ...]) -> int:
    length = 0
    for golds, calls in zip(path, steps, strict=False):
        orders = permutations(golds) if len(golds) == len(calls) else ()
        if not any(all(gold in call for gold, call in zip(order, calls, strict=True)) for order in orders):
            break
        length += 1
    return length


def test_pairing_in_order_would_be_wrong() -> None:
    """A call that is right for two gold calls leaves the one that another call needs."""
    graph = call_graph(2, [])

    result = orchestrate(graph, [[(0, 1), (0,)]], lambda call: call, alike=(0, 1), say=str, say_gold=str)

    assert result.matched == ((1, 0),)


def test_equal_calls_with_different_successors() -> None:
    """Of two equal calls, the one counts as made whose successor is made next, whichever that is."""
    gold, after = [A, A, B, C], [(0, 2), (1, 3)]

    for next_, last in ((B, C), (C, B)):
        assert score_orchestration(gold, after, [[A], [next_], [A], [last]]).accomplished
        assert score_orchestration(gold, after, [[A], [next_, A], [last]]).accomplished
    result = score_orchestration(gold, after, [[A], [B, C]])
    assert (result.left_at, result.progress) == (1, 0.25)


def test_what_waits_for_a_step_is_not_ready_in_it() -> None:
    """Choices that leave equal graphs in the middle of a step may still differ in what is ready."""
    graph = call_graph(4, [(0, 1), (1, 2), (3, 2)])
    labels = ("a", "a", "b", "a")

    assert score(graph, [[0, 0], [0], [2]], labels).accomplished
    assert score(graph, [[0, 0, 0]], labels).left_at == 0


def test_the_order_of_annotation_never_matters() -> None:
    """However the gold calls are numbered, verdicts are the same."""
    chance = Random(8)
    for _ in range(40):
        size = chance.randint(2, 6)
        graph = random_graph(chance, size)
        labels = [chance.choice("aab") for _ in range(size)]
        after = [(i, j) for j in range(size) for i in range(size) if graph.needs[j] >> i & 1]
        steps = [[(labels[call], {}) for call in step if call >= 0] for step in random_steps(chance, graph)]
        order = chance.sample(range(size), size)
        renumbered = [("", {})] * size
        for old, new in enumerate(order):
            renumbered[new] = (labels[old], {})

        first = score_orchestration([(label, {}) for label in labels], after, steps)
        second = score_orchestration(renumbered, [(order[i], order[j]) for i, j in reversed(after)], steps)

        assert (first.progress, first.accomplished, first.optimal, first.left_at) == (
            second.progress, second.accomplished, second.optimal, second.left_at,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("size", "after", "counts"),
    [
        (3, [(0, 1)], (5, 2, 2)),
        (3, [(0, 1), (1, 2)], (1, 1, 3)),
        (4, [(0, 1), (0, 2), (1, 3), (2, 3)], (3, 1, 3)),
        (2, [], (3, 1, 1)),
        (3, [], (13, 1, 1)),
        (4, [], (75, 1, 1)),
    ],
)
def test_path_counts_of_the_paper(size: int, after: list[tuple[int, int]], counts: tuple[int, int, int]) -> None:
    """All paths, shortest ones, and their length, as published."""
    lengths = [len(path) for path in enumerate_paths(call_graph(size, after))]

    assert (len(lengths), lengths.count(min(lengths)), min(lengths)) == counts


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_no_path_is_shorter_than_the_shortest(size: int) -> None:
    """On every graph the paths are different ones, and the least steps of any are what the graph says."""
    assert unlabelled_graphs(size)
    for graph in unlabelled_graphs(size):
        paths = list(enumerate_paths(graph))

        assert len(set(paths)) == len(paths)
        assert min(map(len, paths)) == graph.shortest


@pytest.mark.parametrize(
    ("steps", "left_at", "progress", "why"),
    [
        ([[A, C], [B]], None, 1.0, ""),
        ([[A], [C]], None, 2 / 3, "it ended with 2 of 3 calls"),
        ([], None, 0.0, "it ended with 0 of 3 calls"),
        ([[B]], 0, 0.0, 'step 1 of 1: b {} was made before a {"x":1}, which it needs'),
        ([[A], [A]], 1, 1 / 3, 'step 2 of 2: a {"x":1} was made more often than it is due'),
        ([[A, A]], 0, 0.0, 'step 1 of 1: a {"x":1} was made more often than it is due'),
        ([[A], [D]], 1, 1 / 3, "step 2 of 2: d {} is none of the calls due"),
        ([[A], []], 1, 1 / 3, "step 2 of 2: no call was made"),
        ([[A, C], [B], [A]], 2, 1.0, 'step 3 of 3: a {"x":1} was made with nothing left to do'),
    ],
)
def test_where_steps_left_the_legal_paths(steps: Any, left_at: int | None, progress: float, why: str) -> None:
    """The first illegal step is named with its reason; only steps before it count as progress."""
    result = score_orchestration([A, B, C], [(0, 1)], steps)

    assert (result.left_at, result.progress, result.why) == (left_at, progress, why)
    assert result.accomplished == (not why)


def test_one_call_a_step_is_legal_and_not_optimal() -> None:
    """Parallel calls made one after another accomplish the task in more steps than the longest chain has."""
    result = score_orchestration([A, B, C], [(0, 1)], [[A], [B], [C]])

    assert (result.accomplished, result.optimal, result.shortest) == (True, False, 2)


def test_arguments_are_equal_as_json() -> None:
    """Numbers by value, objects without order; a boolean is no number, and a text is none."""
    gold = [("f", {"a": 1, "b": {"c": [1.0, True], "d": None}})]

    assert score_orchestration(gold, [], [[("f", {"b": {"d": None, "c": [1, True]}, "a": 1.0})]]).accomplished
    huge = [("f", {"a": 10**400})]
    assert score_orchestration(huge, [], [huge]).accomplished
    for other in ({"a": True}, {"a": "1"}, {"a": 2}, {"a": None}, {"a": [1]}, {"a": {}}):
        assert not score_orchestration(gold, [], [[("f", gold[0][1] | other)]]).accomplished


def test_nothing_to_do() -> None:
    """Without gold calls no step is the right answer, and every step is one too many."""
    nothing = score_orchestration([], [], [])
    something = score_orchestration([], [], [[A]])

    assert (nothing.progress, nothing.accomplished, nothing.optimal, nothing.shortest) == (1.0, True, True, 0)
    assert (something.progress, something.accomplished, something.left_at) == (1.0, False, 0)


@pytest.mark.parametrize(
    ("after", "message"),
    [
        ([(0, 1), (1, 2), (2, 0)], "0 → 1 → 2 → 0"),
        ([(1, 1)], "1 → 1"),
        ([(0, 3)], "names call 3; there are 3"),
        ([(-1, 0)], "names call -1"),
        ([(0,)], "is not a pair"),
        ([("0", 1)], "is not a pair"),
        ([(True, 1)], "is not a pair"),
        (None, "not a list of pairs"),
    ],
)
def test_bad_dependencies_are_refused(after: Any, message: str) -> None:
    """Cycles are named, and so are pairs that are none and positions that are not there."""
    with pytest.raises(BadInput, match=message):
        score_orchestration([A, B, C], after, [])


@pytest.mark.parametrize(
    ("calls", "steps", "message"),
    [
        ([("a", [1])], [], r"calls\[0\]"),
        (["a"], [], r"calls\[0\]"),
        (None, [], "calls: not a list"),
        ([A], [[A], [("a", {"x": float("nan")})]], r"steps\[1\]\[0\]"),
        ([A], [[(1, {})]], r"steps\[0\]\[0\]"),
        ([A], [A], r"steps\[0\]"),
        ([A], 3, "steps: not a list"),
        ([("a", {"x": {1}})], [], r"calls\[0\]"),
        ([("a", {"x": {1: 2}})], [], r"calls\[0\]"),
    ],
)
def test_bad_calls_are_refused(calls: Any, steps: Any, message: str) -> None:
    """What is no call is named by its place."""
    with pytest.raises(BadInput, match=message):
        score_orchestration(calls, [], steps)


def test_deep_arguments_are_refused() -> None:
    """Arguments nested without end are an error of their own, not of the interpreter's stack."""
    deep: Any = {}
    for _ in range(5_000):
        deep = {"a": deep}

    with pytest.raises(BadInput, match="levels deep"):
        score_orchestration([("a", deep)], [], [])


def test_five_hundred_calls_in_a_step() -> None:
    """However many calls a step makes, and however alike they are, it is scored."""
    same = [("a", {"x": 1})] * 500
    other = [("a", {"x": number}) for number in range(500)]

    assert score_orchestration(same, [], [same]).optimal
    assert score_orchestration(other, [], [other[::-1]]).optimal
    assert score_orchestration(same[:8], [], [same]).left_at == 0
    assert score_orchestration([A, A, B], [(0, 2)], [[A] * 500]).left_at == 0


def test_many_equal_calls_with_different_successors() -> None:
    """Twenty equal calls, each with a successor of its own, are told apart by what is made later."""
    gold = [A] * 20 + [("b", {"n": number}) for number in range(20)]
    after = [(number, 20 + number) for number in range(20)]
    half, rest = gold[25:35], [*gold[20:25], *gold[35:]]

    assert score_orchestration(gold, after, [gold[:10], half, gold[:10], rest]).accomplished
    assert score_orchestration(gold, after, [gold[:10], gold[25:36]]).left_at == 1


def test_too_many_ways_are_refused() -> None:
    """Where equal calls leave too many ways to tell them apart, that is said instead of searched for ever."""
    chance = Random(9)
    after = [(i, j) for i in range(12) for j in range(12, 24) if chance.random() < 0.25]
    steps = [[A] * 6, *[[B]] * 4, [A] * 4, *[[B]] * 5]

    with pytest.raises(BadInput, match="so many gold calls are equal"):
        score_orchestration([A] * 12 + [B] * 12, after, steps)


def test_the_public_name() -> None:
    """The function is offered by the package."""
    assert callwright.score_orchestration is score_orchestration
