"""Options of DiaFORGE's recipe and protocols. The command line reads its options from here."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

Exchanges = Annotated[int, Meta(ge=1, le=100, description="most exchanges per dialogue.")]


class DiaforgeOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the recipe; part of every item's identity."""

    distractors: Annotated[int, Meta(ge=1, le=100, description="look-alikes that the first request must also fit.")] = 5
    """Nearest other tools that the user's first words must not tell apart; k in the paper."""
    t_max: Exchanges = 10
    user_style: Annotated[Literal["verbose", "terse"], Meta(description="how users talk.")] = "verbose"
    no_distractors: Annotated[bool, Meta(description="ablation: no look-alikes among the tools shown.")] = False
    """The nearest tools and all near-duplicates are passed over for the next ones, and the first request is plain."""
    no_cascade: Annotated[bool, Meta(description="ablation: keep dialogues that the checks would reject.")] = False
    no_thoughts: Annotated[bool, Meta(description="ablation: no private reasoning.")] = False
    no_tool_share: Annotated[float, Meta(ge=0, le=1, description="share of dialogues in which no tool fits.")] = 0.0
    encoder: Annotated[
        str | msgspec.UnsetType,
        Meta(description="encoder for look-alikes, `minilm` or a folder; needs callwright[embed]."),
    ] = msgspec.UNSET
    """Sentence encoder (`callwright.catalog.sentence_encoder`) in place of the lexical one."""


Pool = Annotated[
    str,
    Meta(
        pattern=r"^(?:dialogue|all|[1-9][0-9]{0,5})$",
        description="tools shown: the dialogue's, all of the catalogue, or N: the gold tool and its N - 1 nearest.",
        extra={"metavar": "dialogue|all|N"},
    ),
]


class StaticOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tools the model sees."""

    pool: Pool = "dialogue"


class DynamicOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long the conversation may last, how the live user talks, and which tools the model sees."""

    t_max: Annotated[int, Meta(ge=1, description="most exchanges; live user only.")] = 10
    user_style: Annotated[Literal["verbose", "terse"], Meta(description="how the live user talks.")] = "terse"
    pool: Pool = "dialogue"


RECIPES: Final = {"diaforge": DiaforgeOptions}
PROTOCOLS: Final = {"diaforge-static": StaticOptions, "diaforge-dynamic": DynamicOptions}
