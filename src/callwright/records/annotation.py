"""Data of one paper or corpus beside the common fields of a record: the union `Annotation`, a line for each."""

from __future__ import annotations

from typing import Union

from callwright.records.annotations.bfcl_notes import BfclAnnotation
from callwright.records.annotations.diaforge_notes import DiaforgeAnnotation
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.annotations.sgd_notes import SgdNotes
from callwright.records.annotations.state_notes import StateNotes
from callwright.records.annotations.tooldial_notes import ToolDialAnnotation
from callwright.records.annotations.wild_notes import WildAnnotation

# `Union` and not `|`: a paper is removed with its line, and its import, wherever the line stands.
Annotation = Union[  # noqa: UP007
    BfclAnnotation,
    DiaforgeAnnotation,
    DiceNotes,
    SgdNotes,
    StateNotes,
    ToolDialAnnotation,
    WildAnnotation,
]
"""Every annotation that the records know."""
