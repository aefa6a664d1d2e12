"""Annotations of BFCL: single questions, and questions of several turns."""

from __future__ import annotations

import msgspec

from callwright.records.jsontext import JsonText


class BfclNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="bfcl", omit_defaults=True, forbid_unknown_fields=True
):
    """The notes of a multi-turn question of BFCL; task i has the calls of turn i."""

    initial_config: JsonText
    """State of the simulated services before the first turn."""
    involved_classes: tuple[str, ...]
    path: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    """Functions of the involved classes that are not offered."""
    ground_truth: tuple[tuple[str, ...], ...] = ()
    """For each turn its call expressions, as published."""
    lengths: tuple[int, ...] = ()
    """Number of messages of each turn; empty if each has one."""
    category: str = ""
    """Taken from the file's name or the user."""
    more: JsonText | None = None
    """Further fields of the question, as published."""


class BfclQuestion(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    tag="bfcl.question",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The notes of a single-turn question of BFCL."""

    category: str = ""
    """Taken from the file's name or the user, never from the id; empty otherwise."""
    ground_truth: JsonText | None = None
    """The answer as published, with all accepted values; None without an answer."""
    more: JsonText | None = None
    """Further fields of the question, as published."""


BfclAnnotation = BfclNotes | BfclQuestion
