"""Options of the `dice` recipe and protocol. The command line reads its options from here."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

RejectIf = Literal["any", "all"]

TYPES: Final = ("inquiry_information_seeking", "persuasion_deliberation_negotiation", "eristic")
"""Types of dialogue (section 3); the first word of each names its phrases."""


class DiceOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the recipe; part of every item's identity."""

    rounds: Annotated[str, Meta(pattern="^[1-4](-[1-4])?$", description="rounds of a dialogue.")] = "1-4"
    parties: Annotated[str, Meta(pattern="^[2-4](-[2-4])?$", description="people in a dialogue.")] = "2-4"
    listening: Annotated[
        float, Meta(ge=0, le=1, description="share of dialogues with a round in which the assistant only listens.")
    ] = 0.0
    graph: Annotated[
        str | msgspec.UnsetType,
        Meta(
            description="tool graph of the catalogue; without it results that fill inputs are its edges.",
            extra={"metavar": "FILE"},
        ),
    ] = msgspec.UNSET
    sampler: Annotated[
        Literal["balanced", "uniform"] | msgspec.UnsetType,
        Meta(description="chains of tools: used evenly, or any path of the graph alike.  [default: balanced]"),
    ] = msgspec.UNSET

    reject_if: Annotated[
        RejectIf | msgspec.UnsetType,
        Meta(description="in stage 1: any fault, low scores or another type, or all: both at once.  [default: any]"),
    ] = msgspec.UNSET

    def __post_init__(self) -> None:
        """What is the default need not be said: the same dialogues have the same ids."""
        for name, usual in (("sampler", "balanced"), ("reject_if", "any")):
            if getattr(self, name) == usual:
                msgspec.structs.force_setattr(self, name, msgspec.UNSET)


class DiceProtocolOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the protocol; part of a run's identity."""

    top_tools: Annotated[
        int, Meta(ge=0, le=1000, description="Show the N tools nearest to the round's words; 0: all of the dialogue.")
    ] = 0


RECIPES: Final = {"dice": DiceOptions}
PROTOCOLS: Final = {"dice": DiceProtocolOptions}
