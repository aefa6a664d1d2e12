"""Annotations of DiaFORGE: the plan of a scenario, and the notes of a finished dialogue."""

from __future__ import annotations

import msgspec

from callwright.records.retrieved import Retrieved


class PlannedRequest(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A first request in words that fit several tools: a verb (empty: none) and what it is about."""

    verb: str
    thing: str


class DiaforgePlan(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    tag="diaforge.plan",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """What a `diaforge` scenario fixes beside its task (DiaFORGE, section 3.1)."""

    gold_tool: str
    """Key of the seed tool; of the tool asked for in vain where `tool_fits` is false."""
    persona: str = ""
    """Id of the persona."""
    tone: str = "plain"
    """How the persona talks: `plain`, `brisk`, `warm`, `formal` or `chatty`."""
    distractors: tuple[str, ...] = ()
    """Keys of the nearest other tools, nearest first."""
    user_style: str = "verbose"
    tool_fits: bool = True
    """False when the candidate pool must lack the seed tool and the assistant has to say so."""
    requests: tuple[PlannedRequest, ...] = ()
    """First requests to try, one an attempt."""
    forthcoming: tuple[str, ...] = ()
    """Parameters whose values the user mentions unasked when there is an occasion."""
    opens_with: str = ""
    """Parameter whose value the user gives in the first request already."""
    asks_back: str = ""
    """Parameter whose word the user asks about before answering."""
    corrects: str = ""
    """Parameter whose value the user first says wrongly and then puts right."""


class Disclosure(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The turn in which the user gives the value of a parameter."""

    turn: int
    parameter: str


class DiaforgeNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="diaforge", omit_defaults=True, forbid_unknown_fields=True
):
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
    disclosed: tuple[Disclosure, ...] = ()
    """When each gold value is due: first said by the user in that turn."""


DiaforgeAnnotation = DiaforgePlan | DiaforgeNotes
