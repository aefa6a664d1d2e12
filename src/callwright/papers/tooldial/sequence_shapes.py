"""The demands of an act sequence on its tools, and tools that meet them (ToolDial, sections 3.2 and A.5).

shape    how the wish is said, whether the source asks for values, and what follows its call
course   which values are told when, so that given tools go through a shape
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from callwright.environment.asked_parameters import asked_slots, parameters
from callwright.environment.told_results import is_secret
from callwright.graph.tool_pairs import ToolPair, shared
from callwright.records.tool import Tool

Opening = Literal["clear", "clarify", "suggest"]
"""The wish is clear at once; vague, and clear after a question; or vague, and settled by a suggestion."""
Kind = Literal["one", "add", "bare", "two", "failure"]
"""One tool whose values are asked for; a wish that tells values; a tool without inputs; two tools; none."""

MOST_ASKED = 6
"""Most values that one turn asks for."""
_MOST_OPENED = 2
"""Most values that a wish tells."""


class Shape(NamedTuple):
    """The demands of a sequence of acts on its tools."""

    acts: tuple[str, ...]
    opening: Opening
    kind: Kind
    asks: bool = False
    """Whether values of the one tool are asked for; with two tools, whether values of the source are."""
    then: str = ""
    """The act after the source's call."""

    @property
    def structure(self) -> tuple[Kind, bool, str]:
        """The demands on the tools under any opening."""
        return self.kind, self.asks, self.then


@lru_cache(maxsize=256)
def shape_of(acts: tuple[str, ...]) -> Shape:
    """Return the shape of a sequence of the grammar with at most two tools."""
    opening: Opening = "suggest" if "suggest" in acts else "clarify" if "clarify" in acts else "clear"
    if "negate" in acts:
        return Shape(acts, opening, "failure")
    if "fail_inform" in acts:
        after = acts[acts.index("fail_inform") + 2 :]
        return Shape(acts, opening, "two", after[0] == "request", after[after.index("call") + 1])
    kind: Kind = "add" if "inform_intent_clear_add" in acts else "one" if "request" in acts else "bare"
    return Shape(acts, opening, kind, "request" in acts)


class TellingOrder(NamedTuple):
    """Names of top-level parameters in the order in which their values are told."""

    opened_with: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    of_source: tuple[str, ...] = ()
    later: tuple[str, ...] = ()


def courses(shape: Shape, pair: ToolPair) -> Iterator[TellingOrder]:
    """Yield the ways in which the tools go through the shape; none where they do not fit it."""
    names = parameters(pair.target)
    if shape.kind == "failure" or (shape.kind == "bare" and not names):
        yield TellingOrder()
    elif names and shape.kind != "bare":
        first = (TellingOrder(first=names),)
        found = {"two": _two(shape, pair, names), "add": _add(shape, pair.target, names)}.get(shape.kind, first)
        yield from (course for course in found if _is_askable(pair, course))


def _add(shape: Shape, target: Tool, names: tuple[str, ...]) -> Iterator[TellingOrder]:
    volunteered = [name for name in names if _is_volunteered(target, name)]
    if shape.asks and len(names) > 1:
        for name in volunteered:
            yield TellingOrder(opened_with=(name,), first=tuple(one for one in names if one != name))
    elif not shape.asks and 0 < len(names) == len(volunteered) <= _MOST_OPENED:
        yield TellingOrder(opened_with=names)


def _is_volunteered(target: Tool, name: str) -> bool:
    """Whether somebody would say the value with the wish."""
    found = asked_slots(target, (name,))
    return len(found) == 1 and found[0].kind not in ("boolean", "text", "list", "object") and not is_secret(name)


def _two(shape: Shape, pair: ToolPair, names: tuple[str, ...]) -> Iterator[TellingOrder]:
    """The first request, and whether the user tells the rest of it (A.5), decide the later requests."""
    rest = tuple(name for name in names if name != pair.parameter)
    if pair.source is None or pair.output is None or pair.parameter not in names:
        return
    common = shared(pair)
    for told in (rest, ()) if rest else ((),):
        known = {common[name] for name in told if name in common}
        of_source = tuple(name for name in parameters(pair.source) if name not in known)
        heard = {mine for mine, theirs in common.items() if theirs in of_source}
        later = tuple(name for name in rest if name not in told and name not in heard)
        then = ("" if later else "request_multi") if pair.output.is_listed else "request" if later else "call"
        if bool(of_source) == shape.asks and then == shape.then:
            yield TellingOrder((), told, of_source, later)


def _is_askable(pair: ToolPair, course: TellingOrder) -> bool:
    """Whether no turn asks for too much: the first request asks for all that the target needs and is not told."""
    names = [name for name in parameters(pair.target) if name not in course.opened_with]
    asked = zip(pair.tools, (names, course.of_source), strict=False)
    return all(len(asked_slots(tool, own)) <= MOST_ASKED for tool, own in asked)
