"""Annotations of WildToolBench: published answer nodes, and the plan of a synthesised session."""

from __future__ import annotations

from typing import Literal

import msgspec

from callwright.records.jsontext import JsonText
from callwright.records.origin import Origin


class WildNode(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One published answer node, known by its position: a gold call, or a pseudo action that asks or closes."""

    after: tuple[int, ...] = ()
    """Positions of the nodes this one needs, pseudo actions among them."""
    call: int | None = None
    """Position of the gold call in its task; None for a pseudo action."""
    action: str = ""
    """Name of the pseudo action."""
    arguments: JsonText | None = None
    observation: JsonText | None = None
    user_input: str | None = None
    """What the user says when asked."""


class WildTask(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What WildToolBench records of one task beside its gold calls."""

    type: str
    """`Single-Tool`, `Parallel Multi-Tool`, `Sequential Multi-Tool`, `Mixed Multi-Tool`, `Clarify` or `Chat`."""
    nodes: tuple[WildNode, ...] = ()


class WildNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="wild", omit_defaults=True, forbid_unknown_fields=True
):
    """What a dialogue of four tasks in the layout of WildToolBench records."""

    tasks: tuple[WildTask, ...]
    """One for each task of the dialogue."""
    environment: str = ""
    """What holds for the whole dialogue, such as its date."""
    language: str = "english"
    turn_types: tuple[str, ...] = ()
    turn_subtypes: tuple[str, ...] = ()
    """How each task after the first hides its information."""


Topology = Literal["", "P", "S", "S+P"]
"""Shape of a task's calls: none or one call, parallel, sequential, mixed."""
Remedy = Literal["retry", "ask", "other_tool"]
"""What is right after an error."""


class HiddenPlace(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that a task leaves out of its words, and where it stands earlier."""

    task: int
    """Position of the task that leaves it out."""
    hiding: str
    """`partial`, `coreference` or `long_range`."""
    call: int | None = None
    """Position of the gold call that needs it; None where a chat is about it, or where the wish itself is hidden."""
    parameter: str = ""
    """Parameter whose value it is; empty where the wish itself (which tool to use) is hidden."""
    value: JsonText
    """The value; for a wish the tool's shown name."""
    origin: Origin
    """Where an earlier task holds it."""


class Mine(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A call that must not happen in a task."""

    task: int
    kind: Literal["look_alike", "taken_back"]
    """A tool much like a right one that destroys or changes, or one whose request the user takes back."""
    tool: str
    """Shown name."""
    arguments: JsonText | None = None
    """The arguments it would have had, where the user said them."""


class PlannedFailure(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A call whose result is an error, and what is right after it."""

    task: int
    call: int
    """Position of the gold call that fails."""
    error: str
    remedy: Remedy
    done_by: int | None = None
    """Position of the gold call that makes up for it; None where the user is asked."""


class ValueChange(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A value the user says and changes in the middle of the task; the later one is gold.

    Either the answer to a question changes it too, or the user speaks up once the first calls are made.
    """

    task: int
    call: int
    parameter: str
    first: JsonText
    then: JsonText
    turn: int | None = None
    """Position of the turn that changes it; None in a scenario."""


class WildPlan(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="wild.plan", omit_defaults=True, forbid_unknown_fields=True
):
    """What a `wild` session fixes beside its tasks; in a finished dialogue with the turns filled in."""

    persona: str = ""
    """Id of the persona."""
    tone: str = "plain"
    tool_list: str = ""
    """Name of the catalogue's tool list; empty where the tools were drawn by relatedness."""
    topologies: tuple[Topology, ...] = ()
    """One for each task."""
    transitions: int = 0
    """Changes of kind between consecutive tasks."""
    hidden: tuple[HiddenPlace, ...] = ()
    mines: tuple[Mine, ...] = ()
    failures: tuple[PlannedFailure, ...] = ()
    no_other_tool: tuple[int, ...] = ()
    """Tasks in which a tool was to be gone for good, and nothing fails: no other tool of the list does the same."""
    changes: tuple[ValueChange, ...] = ()


WildAnnotation = WildNotes | WildPlan
