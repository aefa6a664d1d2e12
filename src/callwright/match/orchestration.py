"""Scores whether calls were made in a legal order and in the fewest possible steps (WildToolBench, algorithm 1).

A step is legal if it has a call and each of its calls matches a different gold call that is ready: not made yet, with
all its dependencies made in earlier steps. Equals enumerating all legal paths. If gold calls are equal but have
different successors, the steps are legal if *some* pairing makes them legal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import isfinite
from typing import Final, Literal, NamedTuple, TypeVar

import msgspec

from callwright.errors import BadDocument, BadInput
from callwright.match.call_graph import CallGraph, call_graph, members
from callwright.match.orchestration_search import Options, Walk, longest_walk
from callwright.match.pairing import maximum_pairing
from callwright.records.jsontext import MAX_DEPTH, Json, JsonText, encode

Made = TypeVar("Made")
ToolCall = tuple[str, Mapping[str, Json]]

DepartureKind = Literal["no_call", "over", "unknown", "repeated", "early", "length"]
"""Why a step is illegal.

`no_call`: it has no call. `over`: all gold calls were made before. `unknown`: a call matches no gold call.
`repeated`: it matches only gold calls made before, or in the same step. `early`: a dependency was not made yet.
`length`: with `algorithm1`, no path of an allowed length begins like this.
"""
Paths = Literal["all", "algorithm1"]
"""Which legal orders count: all of them, or, as line 13 of algorithm 1 has it, those with as many steps as there are
calls and those with the fewest steps. For three parallel calls these are 13 and 7 orders.
"""


_LONGEST: Final = 60
"""Most characters shown of a call's arguments in a reason."""


class Departure(msgspec.Struct, frozen=True):
    """The first illegal step, and why it is illegal."""

    step: int
    """Position of the first illegal step."""
    kind: DepartureKind
    call: int = 0
    """Position, in the step, of the illegal call."""
    needs: tuple[int, ...] = ()
    """For `early`: dependencies that were not made yet."""


class Orchestration(msgspec.Struct, frozen=True, kw_only=True):
    """The score of some steps."""

    progress: float
    """Share of gold calls made in legal steps before the first illegal one; 1 without gold calls."""
    accomplished: bool
    """True when every step is legal and every gold call was made."""
    optimal: bool
    """True when accomplished in the fewest possible steps."""
    shortest: int
    """Steps of the shortest legal path, which equals the calls of the longest chain."""
    left_at: int | None
    """Position of the first illegal step; None when every step is legal."""
    why: str
    """Why it is not accomplished; empty if it is."""
    matched: tuple[tuple[int, ...], ...] = ()
    """For each legal step the gold call that each of its calls is, in one pairing that makes all steps legal."""
    departure: Departure | None = None


def score_orchestration(
    calls: Sequence[ToolCall], after: Sequence[tuple[int, int]], steps: Sequence[Sequence[ToolCall]]
) -> Orchestration:
    """Score steps against gold calls, all given as (tool name, arguments).

    `(i, j)` in `after` means that gold call j needs gold call i. Calls are equal when their tools are, and their
    arguments as JSON: numbers by value, objects without order. Raises BadInput for cyclic dependencies, positions out
    of range, and malformed calls; also if so many gold calls are equal that their pairings cannot be
    searched.

    >>> gold = [("find", {"name": "Ada"}), ("write", {"to": 7}), ("clock", {})]
    >>> score_orchestration(gold, [(0, 1)], [[gold[0], gold[2]], [gold[1]]]).optimal
    True
    >>> score_orchestration(gold, [(0, 1)], [[gold[2]], [gold[1]]]).why
    'step 2 of 2: write {"to":7} was made before find {"name":"Ada"}, which it needs'
    """
    wanted = _read(calls, "calls")
    if not isinstance(steps, list | tuple):
        raise BadInput("steps: not a list of steps. Write [[(tool name, arguments), ...], ...].")
    made = [_read(step, f"steps[{at}]") for at, step in enumerate(steps)]
    right: defaultdict[Hashable, list[int]] = defaultdict(list)
    for at, one in enumerate(wanted):
        right[one.key].append(at)
    return orchestrate(
        call_graph(len(wanted), after),
        made,
        lambda call: right.get(call.key, ()),
        alike=[one.key for one in wanted],
        say=_say,
        say_gold=lambda at: _say(wanted[at]),
    )


def orchestrate(
    graph: CallGraph,
    steps: Sequence[Sequence[Made]],
    right_for: Callable[[Made], Sequence[int]],
    *,
    alike: Sequence[Hashable],
    say: Callable[[Made], str],
    say_gold: Callable[[int], str],
    paths: Paths = "all",
) -> Orchestration:
    """Score steps of calls; `right_for` gives the positions of the gold calls that each call matches.

    Gold calls with equal entries in `alike` must match the same calls. `say` and `say_gold` describe a call and a
    gold call. Raises BadInput if so many gold calls are equal that their pairings cannot be searched.
    """
    options = [[right_for(call) for call in step] for step in steps]
    walk = longest_walk(graph, options, alike)
    legal = len(walk)
    walk = walk if paths == "all" else walk[: _of_allowed_length(graph, walk)]
    done = sum(map(len, walk))
    departure = _departure(graph, options, walk) if len(walk) < len(steps) else None
    if len(walk) < legal:
        departure = Departure(len(walk), "length")
    accomplished = departure is None and done == graph.size
    if departure is not None:
        why = f"step {departure.step + 1} of {len(steps)}: {_words(departure, steps, say, say_gold)}"
    else:
        why = "" if accomplished else f"it ended with {done:,} of {graph.size:,} calls"
    return Orchestration(
        progress=done / graph.size if graph.size else 1.0,
        accomplished=accomplished,
        optimal=accomplished and len(steps) == graph.shortest,
        shortest=graph.shortest,
        left_at=departure.step if departure else None,
        why=why,
        matched=walk,
        departure=departure,
    )


def _of_allowed_length(graph: CallGraph, walk: Walk) -> int:
    """Return how many of the steps begin a path of one call a step, or a path of the fewest steps.

    In a path of the fewest steps a call is made in time for the longest chain that hangs on it.
    """
    latest = [graph.shortest - 1] * graph.size
    for gold in sorted(range(graph.size), key=graph.level.__getitem__, reverse=True):
        for later in members(graph.unlocks[gold]):
            latest[gold] = min(latest[gold], latest[later] - 1)
    one_by_one = next((at for at, move in enumerate(walk) if len(move) > 1), len(walk))
    done: set[int] = set()
    for at, move in enumerate(walk):
        done.update(move)
        if any(last <= at and gold not in done for gold, last in enumerate(latest)):
            return max(at, one_by_one)
    return len(walk)


def written(call: tuple[str, JsonText]) -> str:
    """Return a call, given with the canonical text of its arguments, as one line of text."""
    tool, arguments = call
    return f"{tool} {arguments if len(arguments) <= _LONGEST else arguments[: _LONGEST - 1] + '…'}"


def _departure(graph: CallGraph, options: Options, walk: Walk) -> Departure:
    at, done = len(walk), sum(1 << gold for move in walk for gold in move)
    step = options[at]
    if not step:
        return Departure(at, "no_call")
    if done == (1 << graph.size) - 1:
        return Departure(at, "over")
    ready = [
        [gold for gold in call if not done >> gold & 1 and graph.needs[gold] & done == graph.needs[gold]]
        for call in step
    ]
    call = ready.index([]) if [] in ready else _one_too_many(ready)
    open_ = [gold for gold in step[call] if not done >> gold & 1]
    if not step[call]:
        return Departure(at, "unknown", call)
    if not open_ or ready[call]:
        return Departure(at, "repeated", call)
    return Departure(at, "early", call, tuple(members(graph.needs[open_[0]] & ~done)))


def _one_too_many(ready: Sequence[Sequence[int]]) -> int:
    """The first call for which no gold call is left, each call before it having one."""
    places = sorted({gold for call in ready for gold in call})
    pairs = maximum_pairing(len(ready), len(places), lambda call, place: places[place] in ready[call])
    return pairs.index(None) if None in pairs else 0


def _words(
    departure: Departure, steps: Sequence[Sequence[Made]], say: Callable[[Made], str], say_gold: Callable[[int], str]
) -> str:
    if departure.kind == "no_call":
        return "no call was made"
    said = say(steps[departure.step][departure.call])
    if departure.kind == "over":
        return f"{said} was made with nothing left to do"
    if departure.kind == "unknown":
        return f"{said} is none of the calls due"
    if departure.kind == "length":
        return f"with {said} the calls are neither made one by one nor in the fewest steps"
    if departure.kind == "repeated":
        return f"{said} was made more often than it is due"
    first, *more = map(say_gold, departure.needs)
    others = f" and {len(more):,} more" if more else ""
    return f"{said} was made before {first}{others}, which it needs"


class _Read(NamedTuple):
    key: Hashable
    call: ToolCall


def _say(read: _Read) -> str:
    return written((read.call[0], encode(dict(read.call[1]))))


def _read(calls: Sequence[ToolCall], where: str) -> list[_Read]:
    if not isinstance(calls, list | tuple):
        raise BadInput(f"{where}: not a list of calls. Write [(tool name, arguments), ...].")
    found = []
    for at, call in enumerate(calls):
        is_pair = isinstance(call, list | tuple) and len(call) == 2
        if not is_pair or not isinstance(call[0], str) or not isinstance(call[1], Mapping):
            raise BadInput(f"{where}[{at}]: not a call. Write (tool name, arguments), such as ('f', {{'a': 1}}).")
        try:
            found.append(_Read((call[0], _frozen(dict(call[1]), MAX_DEPTH)), (call[0], call[1])))
        except BadDocument as error:
            raise BadInput(f"{where}[{at}]: {error}") from error
    return found


def _frozen(value: Json, depth: int) -> Hashable:
    """The value so that equal ones are equal: numbers by value, a boolean is none, objects without order."""
    if depth < 0:
        raise BadDocument(f"nested more than {MAX_DEPTH} levels deep. Flatten the arguments.")
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, int | float):
        if isinstance(value, float) and not isfinite(value):
            raise BadDocument(f"{value} is not a JSON number. Use null or a number.")
        return value
    if isinstance(value, list | tuple):
        return tuple([_frozen(item, depth - 1) for item in value])
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return frozenset([(key, _frozen(item, depth - 1)) for key, item in value.items()])
    raise BadDocument(f"a {type(value).__name__} is not a JSON value. Use text, numbers, lists, objects with names.")
