"""The plan of a synthesised `wild` session: places of hidden information, and the extras beyond the paper."""

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
    """The user's answer to the question."""


class WildTask(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """WildToolBench's notes on one task beside its gold calls."""

    type: str
    """`Single-Tool`, `Parallel Multi-Tool`, `Sequential Multi-Tool`, `Mixed Multi-Tool`, `Clarify` or `Chat`."""
    nodes: tuple[WildNode, ...] = ()


class WildNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="wild", omit_defaults=True, forbid_unknown_fields=True
):
    """The notes of a dialogue of four tasks in the layout of WildToolBench."""

    tasks: tuple[WildTask, ...]
    """One for each task of the dialogue."""
    environment: str = ""
    """Information for the whole dialogue, such as its date."""
    language: str = "english"
    turn_types: tuple[str, ...] = ()
    turn_subtypes: tuple[str, ...] = ()
    """How each task after the first hides its information, in the words of the half that was read."""
    hidings: tuple[str, ...] = ()
    """The same for each task, as in `WildPlan`."""


Topology = Literal["", "P", "S", "S+P"]
"""Shape of a task's calls: none or one call, parallel, sequential, mixed."""
Remedy = Literal["retry", "ask", "other_tool"]
"""The right reaction to an error."""


class HiddenPlace(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Information that a task leaves out, and its earlier place."""

    task: int
    """Position of the task that leaves it out."""
    hiding: str
    """`partial`, `coreference` or `long_range`."""
    call: int | None = None
    """Position of the gold call that needs it; None if a chat is about it, or if the request itself is hidden."""
    parameter: str = ""
    """Parameter whose value it is; empty if the request itself (which tool to use) is hidden."""
    value: JsonText
    """The value; for a hidden request, the tool's shown name."""
    origin: Origin
    """Place of the value in an earlier task."""
    distance: int = 0
    """Tasks from there to the task that leaves it out: 1 if its place is in the task before; 0 in older files."""


class Mine(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A call that must not happen in a task."""

    task: int
    kind: Literal["look_alike", "taken_back"]
    """A tool similar to the right one that deletes or changes data, or one whose request the user withdraws."""
    tool: str
    """Shown name."""
    arguments: JsonText | None = None
    """The arguments it would have had, if the user stated them."""


class PlannedFailure(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A call whose result is an error, and the right reaction."""

    task: int
    call: int
    """Position of the gold call that fails."""
    error: str
    remedy: Remedy
    done_by: int | None = None
    """Position of the gold call that replaces it; None if the assistant must ask the user."""


class ValueChange(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A value that the user changes during the task; the later value is gold.

    It changes in the user's answer to a question, or in an interruption after the first calls.
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
    """The plan of a `wild` session beside its tasks; a finished dialogue also has the turns."""

    persona: str = ""
    """Id of the persona."""
    tone: str = "plain"
    tool_list: str = ""
    """Name of the catalogue's tool list; empty if the tools were drawn by relatedness."""
    topologies: tuple[Topology, ...] = ()
    """One for each task."""
    hidings: tuple[str, ...] = ()
    """How each task hides information (`partial`, `coreference`, `long_range`); empty where it does not."""
    transitions: int = 0
    """Changes of kind between consecutive tasks."""
    hidden: tuple[HiddenPlace, ...] = ()
    mines: tuple[Mine, ...] = ()
    failures: tuple[PlannedFailure, ...] = ()
    no_other_tool: tuple[int, ...] = ()
    """Tasks whose planned permanent failure was left out, because no other listed tool does the same."""
    changes: tuple[ValueChange, ...] = ()
    departures: tuple[str, ...] = ()
    """What the tools could not give as it was designed, and what was made in its place: `S made as P: ...`."""
    one_calls: tuple[str, ...] = ()
    """Of sessions that models play: for each task the tool of its one call, by shown name; empty for other tasks."""


WildAnnotation = WildNotes | WildPlan
