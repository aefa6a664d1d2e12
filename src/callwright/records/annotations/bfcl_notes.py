"""Annotations of BFCL: single questions, and questions of several turns."""

from __future__ import annotations

import msgspec

from callwright.records.jsontext import JsonText


class BfclNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="bfcl", omit_defaults=True, forbid_unknown_fields=True
):
    """What a multi-turn question of BFCL records beside what is asked; task i holds the calls of its turn i."""

    initial_config: JsonText
    """State of the simulated services before the first turn."""
    involved_classes: tuple[str, ...]
    path: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    """Functions of the involved classes that are not offered."""
    ground_truth: tuple[tuple[str, ...], ...] = ()
    """For each turn its call expressions, as published."""
    lengths: tuple[int, ...] = ()
    """For each turn the number of its messages; empty where it has one."""
    category: str = ""
    """As the file's name or the user gives it."""
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
    """What a single-turn question of BFCL records beside what is asked."""

    category: str = ""
    """As the file's name or the user gives it, never by its id; empty when neither does."""
    ground_truth: JsonText | None = None
    """The answer as published, with all accepted values; None where there is none."""
    more: JsonText | None = None
    """Further fields of the question, as published."""


BfclAnnotation = BfclNotes | BfclQuestion
