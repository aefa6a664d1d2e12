"""Dialogues: turns, calls and results, with the tasks and gold calls they are based on.

Dialogue ── participants: Participant(id, role, persona)
         ├─ tools:        ShownTool(key, name)           documents lie in the dataset's catalog.json
         ├─ turns:        Turn(speaker, text, steps)
         │                  └─ Step(thought, act, calls, results, text)
         ├─ tasks:        Task(kind, turn, gold: GoldCall(tool, arguments, after))
         ├─ scenario:     the plan, fixed before any text is written
         └─ annotation:   properties of one recipe
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal

import msgspec

from callwright.records.annotation import Annotation
from callwright.records.jsontext import Json, JsonText, decode, encode

SCHEMA_VERSION = 2
"""Version of all records. A field added within it has a default, which files without the field are read with."""

TaskKind = Literal["single", "multi", "clarify", "chat"]


class Call(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A tool call as it was made. `tool` is the name the tool was shown under."""

    tool: str
    arguments: JsonText
    """Canonical text of the argument object."""
    id: str = ""

    @property
    def values(self) -> dict[str, Json]:
        """The decoded arguments; empty when they are not an object."""
        value = decode(self.arguments)
        return value if isinstance(value, dict) else {}


class Result(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The result of a call: a value or an error, never both."""

    call: str = ""
    """Id of the call; empty when results are in the order of the calls."""
    value: JsonText | None = None
    error: str | None = None


class Step(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One move inside a turn: a thought, an act, and calls with their results."""

    thought: str = ""
    act: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    text: str = ""
    """Text of this step, if a turn has text between its calls."""


class Turn(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One turn of a participant, in one or more steps."""

    speaker: str
    """Id of a participant."""
    text: str = ""
    steps: tuple[Step, ...] = ()
    addressee: str = ""
    """Id of the addressee, if known."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls of the turn, in order."""
        if not self.steps:
            return ()
        return tuple(call for step in self.steps for call in step.calls)

    @property
    def thought(self) -> str:
        """All thoughts of the turn, joined."""
        return "\n".join(step.thought for step in self.steps if step.thought)


class Participant(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Someone who speaks. Roles: `user`, `assistant`, `tool`, `system`."""

    id: str
    role: str
    name: str = ""
    persona: str = ""


class ShownTool(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A tool of the dialogue: the key of its document and the name it was shown under."""

    key: str
    name: str


class GoldArgument(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The values accepted for one argument."""

    name: str
    accepted: tuple[JsonText, ...]
    optional: bool = False
    """True when the argument may also be left out."""


def gold_arguments(values: Mapping[str, Json]) -> tuple[GoldArgument, ...]:
    """Return required arguments, each with one accepted value."""
    return tuple(GoldArgument(name, (encode(value),)) for name, value in values.items())


class GoldCall(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A call that must happen, and the calls that must be done before it."""

    tool: str
    arguments: tuple[GoldArgument, ...] = ()
    after: tuple[int, ...] = ()
    """Positions, in the same task, of the calls this one needs."""
    result: Result | None = None

    @property
    def values(self) -> dict[str, Json]:
        """The first accepted value of each argument."""
        return {argument.name: decode(argument.accepted[0]) for argument in self.arguments if argument.accepted}


class Task(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One request of the user."""

    kind: TaskKind
    goal: str = ""
    gold: tuple[GoldCall, ...] = ()
    turn: int | None = None
    """Position of the turn that asks for it; None in a scenario."""
    missing: tuple[str, ...] = ()
    """Required parameters whose values nobody stated, so that the assistant must ask."""


class Scenario(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The plan of a dialogue and its complete ground truth, fixed before any text is written."""

    id: str
    recipe: str
    """Name and version, such as `diaforge.v1`."""
    seed: int
    index: int
    participants: tuple[Participant, ...]
    tasks: tuple[Task, ...]
    tools: tuple[ShownTool, ...] = ()
    today: str = ""
    """ISO date of the conversation; empty without a date."""
    annotation: Annotation | None = None


class Provenance(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Author, versions and inputs of a dialogue."""

    author: str
    """`offline`, a model's name, or the source corpus."""
    callwright: str
    """Version of this package."""
    seed: int | None = None
    catalog: str = ""
    """Digest of the catalogue."""
    options: JsonText | None = None
    attempt: int = 0


class Dialogue(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One complete dialogue: one line of `dialogues.jsonl`, with every field written."""

    id: str
    recipe: str
    participants: tuple[Participant, ...]
    turns: tuple[Turn, ...]
    tools: tuple[ShownTool, ...] = ()
    tasks: tuple[Task, ...] = ()
    scenario: Scenario | None = None
    provenance: Provenance
    today: str = ""
    annotation: Annotation | None = None
    schema_version: int = SCHEMA_VERSION

    @property
    def day(self) -> date | None:
        """The day of the conversation, None where it has none."""
        return date.fromisoformat(self.today) if self.today else None

    def role(self, turn: Turn) -> str:
        """Return the role of the turn's speaker; empty for an unknown speaker."""
        for who in self.participants:
            if who.id == turn.speaker:
                return who.role
        return ""
