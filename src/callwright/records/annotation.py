"""What only one recipe or corpus needs, typed, one struct each: the union `Annotation`."""

from __future__ import annotations

import msgspec


class Retrieved(msgspec.Struct, frozen=True):
    """One tool the retriever returned, by its shown name, with its score."""

    name: str
    score: float


class DiaforgePlan(msgspec.Struct, frozen=True, kw_only=True, tag="diaforge.plan", omit_defaults=True):
    """What a `diaforge` scenario fixes beside its task (DiaFORGE, section 3.1)."""

    gold_tool: str
    """Key of the seed tool; of the tool asked for in vain where `tool_fits` is false."""
    distractors: tuple[str, ...] = ()
    """Keys of the nearest other tools, nearest first."""
    user_style: str = "verbose"
    tool_fits: bool = True
    """False when the candidate pool must lack the seed tool and the assistant has to say so."""


class DiaforgeNotes(msgspec.Struct, frozen=True, kw_only=True, tag="diaforge", omit_defaults=True):
    """What a finished `diaforge` dialogue records."""

    gold_tool: str
    """Shown name of the seed tool."""
    distractors: tuple[str, ...] = ()
    """Shown names of the distractors that are in the candidate pool."""
    retrieved: tuple[Retrieved, ...] = ()
    """The candidate pool as the retriever returned it, best first."""
    tool_fits: bool = True
    near_duplicates: int = 0
    """Tools of the pool whose composite similarity to the seed tool is at least .70."""
    overlap: float = 0.0
    """Mean composite similarity of the seed tool to the rest of the pool."""
    selection_turns: int = 0
    """Assistant turns spent on telling tools apart."""
    filling_turns: int = 0
    """Assistant turns spent on asking for values."""


Annotation = DiaforgePlan | DiaforgeNotes
"""Every annotation that version 1 of the records knows."""
