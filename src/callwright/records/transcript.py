"""Transcripts of models on dialogues, and the rows of reports."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from callwright.records.dialogue import SCHEMA_VERSION, Turn
from callwright.records.dialogue_state import ActLabel, ApiState, DomainState

Ended = Literal["call", "t_max", "script", "left", "tasks"]
"""Why a rollout stopped: a call, the exchange limit, the end of the scripted user turns, the live user gave up, or all
tasks were rolled out."""


HELPING: Final = frozenset(("tool_leak", "early_disclosure"))
"""Kinds of fault by which the user helps the model; all others hinder it."""


class UserFault(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A fault of the simulated user: such transcripts are excluded and counted, never scored as the model's."""

    turn: int
    kind: str
    """`value_not_gold`, `tool_leak`, `goal_drift` or another kind that the protocol tells of."""
    detail: str
    by: Literal["rules", "judge"] = "rules"
    """Who found it."""

    @property
    def helps(self) -> bool:
        """Whether it helped the model: it told more than it was asked for."""
        return self.kind in HELPING


class TaskPart(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The part of a transcript that belongs to one task."""

    turn: int
    """Position, in the transcript's turns, of the first of this task."""
    malformed: tuple[str, ...] = ()
    """Format errors of the model's last reply in this task."""
    shown: tuple[str, ...] | None = None
    """Names of the tools that were shown in this task, where they differ from task to task."""


class PredictedTurn(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A model's prediction for one turn of the dialogue."""

    turn: int
    """Position of the turn in the dialogue."""
    states: tuple[DomainState, ...] = ()
    """The state of each domain once the turn was said."""
    api: ApiState | None = None
    """The API aimed at and its values once the turn was said; None where none was predicted."""
    acts: tuple[ActLabel, ...] = ()
    """The acts of the turn."""


class Predictions(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="predictions", forbid_unknown_fields=True):
    """Dialogue states and acts that a model predicted, turn by turn."""

    turns: tuple[PredictedTurn, ...]
    """Turns without a prediction are left out."""


class ToldValue(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A turn in which a live user says the value of a parameter, or of a leaf of one (`address.city`)."""

    turn: int
    parameter: str


class LiveUser(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="live_user", forbid_unknown_fields=True):
    """The acts of a live user, beside the words."""

    told: tuple[ToldValue, ...] = ()
    """All values that were said, in the order of the turns."""
    unsure: tuple[int, ...] = ()
    """Positions of the turns that answer what the user did not understand (`user_unsure`)."""


TranscriptAnnotation = Predictions | LiveUser
"""Data of a transcript beside turns; the kinds are told apart by their tags."""


class Transcript(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One rollout of one model over one dialogue."""

    dialogue: str
    """Id of the dialogue."""
    protocol: str
    """Name and version, such as `diaforge-dynamic.v1`."""
    model: str
    trial: int = 0
    turns: tuple[Turn, ...]
    ended: Ended
    faults: tuple[UserFault, ...] = ()
    format_errors: tuple[str, ...] = ()
    """Format errors of the model's replies; their content is still scored."""
    tasks: tuple[TaskPart, ...] | msgspec.UnsetType = msgspec.UNSET
    """One for each task of the dialogue, if tasks are rolled out one by one; otherwise not written."""
    annotation: TranscriptAnnotation | msgspec.UnsetType = msgspec.UNSET
    """Predictions of the model beside its turns, or what a live user did; otherwise not written."""
    schema_version: int = SCHEMA_VERSION


class Row(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One number of a report, with its interval, counts and signature."""

    run: str
    model: str
    protocol: str
    metric: str
    slice: dict[str, str]
    """`{}` for the whole; otherwise the property and value that the row is limited to."""
    value: float | None
    """None when nothing was measured; `why` gives the reason."""
    low: float | None = None
    high: float | None = None
    n: int = 0
    """Dialogues measured."""
    n_failed: int = 0
    n_excluded: int = 0
    n_skipped: int = 0
    why: str = ""
    signature: str = ""
    """Name, version and options of the metric, the seed, and the digest of the data."""
