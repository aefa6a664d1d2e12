"""Options of ToolDial's recipe and protocol. The command line reads its options from here."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

PredictionTask = Literal["state", "act", "faithfulness", "overall"]
History = Literal["gold", "none", "own"]


class ToolDialOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the recipe; part of every item's identity."""

    balance: Annotated[
        Literal["sequences", "corpus", "natural"],
        Meta(
            description="how act sequences are shared out: equally, with the paper's share of failures, or as the "
            "catalogue gives them."
        ),
    ] = "sequences"
    graph: Annotated[
        str | msgspec.UnsetType,
        Meta(
            description="tool graph of the catalogue (graph.json); without it one is built.", extra={"metavar": "FILE"}
        ),
    ] = msgspec.UNSET
    inputless: Annotated[bool, Meta(description="add dialogues about tools that need no input.")] = False
    unlisted: Annotated[
        bool | msgspec.UnsetType,
        Meta(
            description="add the three sequences of the paper's released code: a source that needs nothing returns one "
            "value, and both calls follow at once."
        ),
    ] = msgspec.UNSET
    encoder: Annotated[
        str | msgspec.UnsetType,
        Meta(description="encoder of the retriever, `minilm` or a folder; needs callwright[embed]."),
    ] = msgspec.UNSET


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


RECIPES: Final = {"tooldial": ToolDialOptions}
PROTOCOLS: Final = {"tooldial": ToolDialProtocolOptions}
