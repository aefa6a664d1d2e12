"""Annotations: the properties of one recipe or corpus, one struct each, joined in the union `Annotation`."""

from __future__ import annotations

import msgspec

from callwright.records.jsontext import JsonText
from callwright.records.wild_plan import WildPlan


class Retrieved(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One tool the retriever returned, by its shown name, with its score."""

    name: str
    score: float


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
    """Keys of the nearest other tools, nearest first."""
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


class Disclosure(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The turn in which the user gives the value of a parameter."""

    turn: int
    parameter: str


class DiaforgeNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="diaforge", omit_defaults=True, forbid_unknown_fields=True
):
    """The notes of a finished `diaforge` dialogue."""

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
    """Assistant turns spent on choosing among tools."""
    filling_turns: int = 0
    """Assistant turns spent on asking for values."""
    disclosed: tuple[Disclosure, ...] = ()
    """The turn in which the user first states each gold value."""


class SlotValue(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A slot and the accepted spellings of its value; none if the corpus lists the slot without a value."""

    slot: str
    values: tuple[str, ...] = ()


class DomainState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The state of one domain (or service) after a turn."""

    domain: str
    slots: tuple[SlotValue, ...] = ()
    booking: tuple[SlotValue, ...] = ()
    """Slots of the booking, if the corpus separates them (MultiWOZ's `book`)."""
    booked: tuple[JsonText, ...] = ()
    """The bookings, in the corpus's layout."""
    intent: str = ""
    requested: tuple[str, ...] = ()
    """Slots the user has asked for."""


class ActLabel(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A dialogue act with at most one slot, in the corpus's words."""

    act: str
    slot: str = ""
    values: tuple[str, ...] = ()
    canonical: tuple[str, ...] = ()
    """The values in the service's form."""


class TokenSpan(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Position of a value in a turn, in blank-separated tokens; `last` is included."""

    act: str
    slot: str
    value: str
    first: int
    last: int


class CharSpan(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Position of a value in a turn, in characters; `end` is excluded."""

    slot: str
    start: int
    end: int


class StateTurn(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The labels of one turn."""

    states: tuple[DomainState, ...] = ()
    """The state after this turn; only user turns have one."""
    acts: tuple[ActLabel, ...] = ()
    spans: tuple[TokenSpan, ...] = ()


class StateNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="state", omit_defaults=True, forbid_unknown_fields=True
):
    """Belief states per turn, for corpora and recipes of dialogue state tracking (MultiWOZ and its like)."""

    turns: tuple[StateTurn, ...]
    """One for each turn of the dialogue."""
    goal: JsonText | None = None
    """The user's goal, in the corpus's layout."""


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


class DiceRound(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One round: the turns from `first` up to the next round's first."""

    first: int
    domain: str = ""
    sentence: str = ""
    """The result as a sentence; empty if it equals the round's last turn."""


class DiceNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="dice", omit_defaults=True, forbid_unknown_fields=True
):
    """The notes of a multi-party dialogue of DICE-BENCH; round i asks for task i."""

    dialogue_type: str
    rounds: tuple[DiceRound, ...]
    setting: str = ""
    """The corpus's `task`: `single_round` or `multi_round`."""
    functions: tuple[str, ...] = ()
    """The sampled chain of tools; the calls of the rounds can differ from it."""


class ParameterValue(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A parameter and its value so far; empty while unknown."""

    name: str
    value: JsonText


class ApiState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """ToolDial's dialogue state: the chosen API, and its values so far (ToolDial, A.4)."""

    api: str = ""
    """Shown name; empty while no API is confirmed."""
    required: tuple[ParameterValue, ...] = ()
    optional: tuple[ParameterValue, ...] = ()


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
    """How each task after the first hides its information."""


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


Annotation = (
    DiaforgePlan
    | DiaforgeNotes
    | StateNotes
    | SgdNotes
    | DiceNotes
    | ToolDialNotes
    | WildNotes
    | WildPlan
    | BfclNotes
    | BfclQuestion
)
"""Every annotation that version 1 of the records knows."""
