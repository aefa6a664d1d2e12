"""Acts that end a thing, and acts that have no sense for what was made a minute ago."""

from __future__ import annotations

from callwright.catalog.gloss import gloss
from callwright.environment.tool_target import target_of
from callwright.records.tool import Tool


def removes(tool: Tool) -> bool:
    """Return whether a call ends something or takes it away."""
    return target_of(tool).act == "delete" or tool.source.startswith("DELETE ") or target_of(tool).verb in _ENDS


_ENDS = frozenset("delete remove cancel erase destroy detach revoke".split())


def closes(tool: Tool) -> bool:
    """Return whether a call ends something or takes it away, or leaves it there and done with."""
    return removes(tool) or not {target_of(tool).verb, gloss(tool).act}.isdisjoint(_CLOSES)


_CLOSES = frozenset(
    "abandon archive close complete deactivate decline disable discard dismiss drop end expire finish reject resolve "
    "retire suspend terminate unpublish void".split()
)


def needs_a_past(tool: Tool) -> bool:
    """Return whether an act has no sense for what was made a minute ago: to reopen it, or to give a refund on it."""
    target = target_of(tool)
    is_return = not {target.verb, gloss(tool).act}.isdisjoint(_GOES_BACK)
    return is_return or (target.act == "create" and target.noun in _COMES_LATER)


_GOES_BACK = frozenset(
    "dispute reactivate recover refund reinstate renew reopen replay restart restore resume retry return revert "
    "unarchive unblock undelete undo unlock unpause unsuspend".split()
)
_COMES_LATER = frozenset("chargeback dispute payment payout refund reminder return reversal".split())
