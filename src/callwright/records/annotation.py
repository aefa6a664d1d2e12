"""What only one recipe or corpus needs, typed, one struct each: the union `Annotation`."""

from __future__ import annotations

import msgspec

from callwright.records.jsontext import JsonText
from callwright.records.wild_plan import WildPlan


class Retrieved(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One tool the retriever returned, by its shown name, with its score."""

    name: str
    score: float


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


class SlotValue(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A slot and the spellings of its value that are right; no spelling where the corpus lists the slot unfilled."""

    slot: str
    values: tuple[str, ...] = ()


class DomainState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is known of one domain (or service) once a turn was said."""

    domain: str
    slots: tuple[SlotValue, ...] = ()
    booking: tuple[SlotValue, ...] = ()
    """Slots of the booking, where the corpus keeps them apart (MultiWOZ's `book`)."""
    booked: tuple[JsonText, ...] = ()
    """What was booked, as the corpus writes it."""
    intent: str = ""
    requested: tuple[str, ...] = ()
    """Slots the user has asked for."""


class ActLabel(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A dialogue act with at most one slot, in the corpus's words."""

    act: str
    slot: str = ""
    values: tuple[str, ...] = ()
    canonical: tuple[str, ...] = ()
    """The values in the form the service takes."""


class TokenSpan(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where a turn says a value, in tokens between blanks; `last` is part of it."""

    act: str
    slot: str
    value: str
    first: int
    last: int


class CharSpan(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where a turn says a value, in characters; `end` is no part of it."""

    slot: str
    start: int
    end: int


class StateTurn(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The labels of one turn."""

    states: tuple[DomainState, ...] = ()
    """The state once this turn was said; only user turns have one."""
    acts: tuple[ActLabel, ...] = ()
    spans: tuple[TokenSpan, ...] = ()


class StateNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="state", omit_defaults=True, forbid_unknown_fields=True
):
    """Belief states per turn, for corpora and recipes of dialogue state tracking (MultiWOZ and its like)."""

    turns: tuple[StateTurn, ...]
    """One for each turn of the dialogue."""
    goal: JsonText | None = None
    """The user's goal as the corpus writes it."""


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
    """The result as a sentence; empty when the round's last turn says just that."""


class DiceNotes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="dice", omit_defaults=True, forbid_unknown_fields=True
):
    """What a multi-party dialogue of DICE-BENCH records; round i asks for task i."""

    dialogue_type: str
    rounds: tuple[DiceRound, ...]
    setting: str = ""
    """The corpus's `task`: `single_round` or `multi_round`."""
    functions: tuple[str, ...] = ()
    """The chain of tools as it was sampled; the calls of the rounds can differ from it."""


class ParameterValue(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A parameter and what is known of its value; empty text while nothing is."""

    name: str
    value: JsonText


class ApiState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """ToolDial's dialogue state: the API that is aimed at, and its values so far (ToolDial, A.4)."""

    api: str = ""
    """Shown name; empty while no API is confirmed."""
    required: tuple[ParameterValue, ...] = ()
    optional: tuple[ParameterValue, ...] = ()


class RetrieverStatus(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Whether a step asked the retriever, and what it gave: APIs with scores, or sources for a missing value."""

    called: bool = False
    apis: tuple[Retrieved, ...] = ()
    sources: tuple[str, ...] = ()
    """Sentences that name the output which can fill a parameter the user could not give."""


class ToolDialStep(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What ToolDial records of one step beside its thought, act, calls and results."""

    retriever: RetrieverStatus
    documents: tuple[str, ...] = ()
    """Shown names of the tools whose documents the step was given."""


class ToolDialTurn(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What ToolDial records of one turn."""

    state: ApiState | None = None
    """The state once this turn was said, where one is recorded."""
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
