"""Annotations of ToolDial: dialogue state and retriever status turn by turn, and the plan of a scenario."""

from __future__ import annotations

import msgspec

from callwright.records.dialogue_state import ApiState
from callwright.records.retrieved import Retrieved


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
    state: ApiState | None = None
    """The state at this step, if recorded: of steps in the middle, as the turn's own is that of its last step."""


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


class IntentQuery(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A wish as the retriever is asked with it."""

    verb: str = ""
    """Empty where the user names a topic only."""
    thing: str
    tail: str = ""
    """The subject of the other tool of the dialogue, in a few words."""
    tail_kind: str = ""
    """How the tail is said: `item`, `known` or `own`."""
    own: bool = False
    """Whether a model wrote it, as the thing alone."""

    @property
    def text(self) -> str:
        """The query."""
        return " ".join(part for part in (self.verb, self.thing, self.tail) if part)


class ToolDialPlan(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    tag="tooldial.plan",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The plan of a `tooldial` scenario beside its task, fixed before any text (ToolDial, section 3.3)."""

    acts: tuple[str, ...]
    target: str
    """Key of the tool that the user wants, or that is suggested and turned down."""
    source: str = ""
    """Key of the tool that supplies the missing value."""
    output: str = ""
    """Where the source's result has the missing value, as a JSON pointer; the item is the chosen one."""
    input: str = ""
    """Parameter of the target that the user cannot give."""
    opened_with: tuple[str, ...] = ()
    """Parameters of the target whose values are in the user's wish."""
    first: tuple[str, ...] = ()
    """Parameters of the target whose values answer the first request; of a user who fails to inform, beside that."""
    of_source: tuple[str, ...] = ()
    """Parameters of the source that are asked for."""
    later: tuple[str, ...] = ()
    """Parameters of the target that are asked for after the source's call."""
    queries: tuple[IntentQuery, ...]
    """One for each time that the user says a wish."""
    turns: tuple[ToolDialTurn, ...]
    """States and retriever status of every turn."""
    persona: str = ""
    """Id of the persona."""
    tone: str = "plain"
    style: str = "verbose"
    suggested_from: float = 0.5
    """The cosine of the encoder that stands for the score .5."""
    confirmed_from: float = 0.6
    """The cosine that stands for .6."""
    unrealisable: tuple[int, ...] = ()
    """Sequences, by their place among all with two tools, that the catalogue cannot realise."""
    returned: int = 0
    """Calls whose results a model returned in the role of the tools; the others are the plan's own."""
    given_up: int = 0
    """Tools, or pairs, tried before, of which no query fell in the band that its act needs."""


ToolDialAnnotation = ToolDialNotes | ToolDialPlan
