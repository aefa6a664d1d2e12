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


def suits_draft(tool: Tool) -> bool:
    """Return whether an act has a sense for a draft that nobody has sent yet: to send or change it, but no reminder."""
    target, said = target_of(tool), gloss(tool)
    things = {chunk.text.rpartition(" ")[2].lower() for chunk in said.chunks}
    acts = {target.verb, said.act}
    is_on_it = target.act in ("list", "read", "change", "delete") or not acts.isdisjoint(_STARTS)
    return is_on_it and acts.isdisjoint(_AFTER_SENDING) and things.isdisjoint(_COMES_LATER)


_STARTS = frozenset("send publish issue submit finalize finalise approve schedule deliver post".split())
_AFTER_SENDING = frozenset("cancel remind pay collect revoke recall track".split())
_GOES_BACK = frozenset(
    "dispute reactivate recover refund reinstate renew reopen replay restart restore resume retry return revert "
    "unarchive unblock undelete undo unlock unpause unsuspend".split()
)
_COMES_LATER = frozenset("chargeback dispute payment payout refund reminder return reversal".split())
