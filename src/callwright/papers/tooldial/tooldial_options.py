"""What a user of ToolDial's protocol may choose. The command line reads its options from here."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

PredictionTask = Literal["state", "act", "faithfulness", "overall"]
History = Literal["gold", "none", "own"]


class ToolDialProtocolOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the protocol; part of a run's identity."""

    task: Annotated[
        PredictionTask,
        Meta(description="what the model predicts: states, acts, the last response, or states and acts of every turn."),
    ] = "state"
    history: Annotated[
        History,
        Meta(description="labels of earlier turns that the model sees: gold ones, none, or its own predictions."),
    ] = "gold"


RECIPES: Final[dict[str, type[msgspec.Struct]]] = {}
PROTOCOLS: Final = {"tooldial": ToolDialProtocolOptions}
