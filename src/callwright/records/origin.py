"""Where a value comes from when a later task of the dialogue uses it."""

from __future__ import annotations

import msgspec


class Origin(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The place that holds a value: the words of a turn, or the result of a call."""

    task: int
    """Position of the task in which the value was said or returned."""
    call: int | None = None
    """Position, among that task's gold calls, of the call whose result holds it; None where words hold it."""
    path: str = ""
    """JSON pointer into that result (RFC 6901); empty for a user turn."""
    turn: int | None = None
    """Position of the turn that says it or makes the call; None while no turn is fixed."""
    speaker: str = ""
    """Id of the participant who says it; empty where the task or the call tells who it is."""
