"""Annotations of the Schema-Guided Dialogue corpus: frames turn by turn."""

from __future__ import annotations

import msgspec

from callwright.records.dialogue_state import ActLabel, DomainState


class CharSpan(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Position of a value in a turn, in characters; `end` is excluded."""

    slot: str
    start: int
    end: int


class SgdFrame(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The labels that one turn has for one service."""

    acts: tuple[ActLabel, ...] = ()
    spans: tuple[CharSpan, ...] = ()
    service: str
    state: DomainState | None = None
    step: int | None = None
    """Position, in the turn, of the step that calls this service."""


class SgdNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="sgd", omit_defaults=True, forbid_unknown_fields=True
):
    """Labels of the Schema-Guided Dialogue corpus."""

    services: tuple[str, ...]
    turns: tuple[tuple[SgdFrame, ...], ...]
    """For each turn of the dialogue its frames, one a service."""
