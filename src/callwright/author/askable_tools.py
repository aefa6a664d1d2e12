"""The tools that no user can ask for, and why.

left_out(tool)          where rules invent the values
left_out_anyway(tool)   where a model invents them: what a document describes is enough for it
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from callwright.author.document_verdicts import is_contradictory, is_deprecated, is_unsayable
from callwright.author.mention_order import TELLING, mention_rank
from callwright.author.required_values import required_paths
from callwright.author.sent_places import ENDS_ACTS, is_write, outside_body
from callwright.author.spare_values import spare_slots
from callwright.author.unknown_values import is_unknown_value, is_untold_value
from callwright.author.unstated import FILE, unsayable
from callwright.author.wanted import ALTERS, LISTS, wanted_parameters
from callwright.author.wished_values import is_changed_value
from callwright.catalog.gloss import gloss, is_of_anything
from callwright.catalog.slots import Slot, slots, tool_leaves
from callwright.lang.verbs_of_acts import CHANGES, CREATES, SEARCHES
from callwright.records.tool import Tool


@lru_cache(maxsize=65536)
def left_out(tool: Tool) -> str:
    """Return why no user can ask for the tool: it needs a value that nobody can say; empty where one can."""
    return _why(tool, is_unknown_value)


@lru_cache(maxsize=65536)
def left_out_anyway(tool: Tool) -> str:
    """Return why no user can ask for the tool, even where a model invents the values; empty where one can."""
    return _why(tool, is_untold_value)


def _why(tool: Tool, is_unknown: Callable[[Slot, Tool], bool]) -> str:
    if is_deprecated(tool):
        return "is deprecated"
    if is_contradictory(tool):
        return "its name and its description say different acts"
    if is_of_anything(gloss(tool), tool) or is_unsayable(tool):
        return "no document tells what it is about"
    by_path = slots(tool)
    for path in required_paths(tool):
        if why := unsayable(by_path[path], tool):
            return why
        if path.endswith(".value") and f"{path.removesuffix('value')}operator" in by_path:
            return "needs a query of its own language"
    if any(is_unknown(by_path[path], tool) for path in required_paths(tool)):
        return "needs a value of which no document says what it may be"
    verb = gloss(tool).act
    if is_write(tool) and verb in CHANGES - ENDS_ACTS:
        changed = [slot for slot in by_path.values() if is_changed_value(slot, tool)]
        if changed and all(is_unknown(slot, tool) for slot in changed):
            return "sets a value of which no document says what it may be"
    told = [slot for slot in spare_slots(tool, outside_body(tool)) if mention_rank(slot, tool) < TELLING]
    if not is_write(tool):
        return ""
    reasons = {unsayable(by_path[path], tool) for path in tool_leaves(tool)}
    if FILE in reasons and not (told and verb not in CREATES | {"import", "attach"}):
        return FILE
    body = tool_leaves(tool).keys() - outside_body(tool)
    wanted = wanted_parameters(tool)
    if len(_lists_of(tool, wanted)) > 1:
        return "writes into several lists of things at once"
    says_nothing = verb in (CREATES | CHANGES) - ENDS_ACTS or (not wanted and verb not in ENDS_ACTS | SEARCHES | LISTS)
    if verb in _TAKEN_BY_NOTHING and tool.source.startswith(("PUT ", "PATCH ")) and body and body.isdisjoint(wanted):
        return "takes something away by sending nothing for it"
    is_empty = body.isdisjoint(wanted) and ((body and says_nothing) or verb in ALTERS)
    return "writes nothing that anybody would say" if is_empty else ""


def _lists_of(tool: Tool, paths: Collection[str]) -> frozenset[tuple[str | int, ...]]:
    """Return the lists of objects in which values lie: `variables` and `modes` of a body that changes both."""
    steps = (tool_leaves(tool)[path].steps for path in paths if path in tool_leaves(tool))
    first = ((one, next((at for at, step in enumerate(one) if isinstance(step, int)), 0)) for one in steps)
    return frozenset(one[:at] for one, at in first if at)


_TAKEN_BY_NOTHING = frozenset("remove clear unset delete reset".split())
