"""Annotations of DiaFORGE: the plan of a scenario, and the notes of a finished dialogue."""

from __future__ import annotations

import msgspec

from callwright.records.retrieved import Retrieved


class PlannedRequest(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A first request that fits several tools: a verb (empty: none) and its object."""

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
    """The plan of a `diaforge` scenario beside its task (DiaFORGE, section 3.1)."""

    gold_tool: str
    """Key of the seed tool; if `tool_fits` is false, of the requested tool that the pool lacks."""
    persona: str = ""
    """Id of the persona."""
    tone: str = "plain"
    """How the persona talks: `plain`, `brisk`, `warm`, `formal` or `chatty`."""
    distractors: tuple[str, ...] = ()
    """Keys of the other tools of the candidate pool, nearest first; none in the ablation without look-alikes."""
    user_style: str = "verbose"
    tool_fits: bool = True
    """False if the candidate pool must lack the seed tool and the assistant must say that no tool fits."""
    requests: tuple[PlannedRequest, ...] = ()
    """First requests to try, one per attempt."""
    forthcoming: tuple[str, ...] = ()
    """Parameters whose values the user mentions without being asked."""
    opens_with: str = ""
    """Parameter whose value is already in the first request."""
    asks_back: str = ""
    """Parameter whose meaning the user asks about before answering."""
    corrects: str = ""
    """Parameter whose value the user first states wrongly and then corrects."""


class Disclosure(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The turn in which the user gives the value of a parameter."""

    turn: int
    parameter: str
    quote: str = ""
    """The words of the turn by which a checker shows it; empty where rules find the value."""


class DiaforgeNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="diaforge", omit_defaults=True, forbid_unknown_fields=True
):
    """The notes of a finished `diaforge` dialogue."""

    gold_tool: str
    """Shown name of the seed tool."""
    distractors: tuple[str, ...] = ()
    """Shown names of the distractors that are in the candidate pool."""
    retrieved: tuple[Retrieved, ...] = ()
    """The retriever's tools for the opening, best first; the candidate pool is the dialogue's tools."""
    tool_fits: bool = True
    near_duplicates: int = 0
    """Tools of the pool whose composite similarity to the seed tool is at least .70."""
    overlap: float = 0.0
    """Mean composite similarity of the seed tool to the rest of the pool."""
    selection_turns: int = 0
    """Assistant turns spent on choosing among tools."""
    filling_turns: int = 0
    """Assistant turns spent on asking for values."""
    disclosed: tuple[Disclosure, ...] = ()
    """The turn in which the user first states each gold value."""
    unverified: tuple[str, ...] = ()
    """Parameters called rightly whose values neither a rule nor a checker finds in the user's words; only where models
    play the roles."""
    remarks: tuple[str, ...] = ()
    """Remarks of rules that reject nothing: evidence for a critic; only where models play the roles."""


DiaforgeAnnotation = DiaforgePlan | DiaforgeNotes
