"""Annotations of ToolDial: dialogue state and retriever status turn by turn."""

from __future__ import annotations

import msgspec

from callwright.records.dialogue_state import ApiState
from callwright.records.retrieved import Retrieved


class RetrieverStatus(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Whether a step asked the retriever, and its result: APIs with scores, or sources for a missing value."""

    called: bool = False
    apis: tuple[Retrieved, ...] = ()
    sources: tuple[str, ...] = ()
    """Sentences that name an output for a parameter that the user could not give."""


class ToolDialStep(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """ToolDial's notes on one step beside its thought, act, calls and results."""

    retriever: RetrieverStatus
    documents: tuple[str, ...] = ()
    """Shown names of the tools whose documents the step had."""
    state: ApiState | None = None
    """The state at this step, if recorded: of steps in the middle, as the turn's own is that of its last step."""


class ToolDialTurn(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """ToolDial's notes on one turn."""

    state: ApiState | None = None
    """The state after this turn, if recorded."""
    steps: tuple[ToolDialStep, ...] = ()
    """One for each step of an assistant turn."""


class ToolDialNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="tooldial", omit_defaults=True, forbid_unknown_fields=True
):
    """Dialogue state and retriever status of a `tooldial` dialogue."""

    turns: tuple[ToolDialTurn, ...]
    """One for each turn of the dialogue."""
