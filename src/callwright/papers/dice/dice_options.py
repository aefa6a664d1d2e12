"""What a user of the `dice` protocol may choose. The command line reads its options from here."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta


class DiceProtocolOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the protocol; part of a run's identity."""

    top_tools: Annotated[
        int, Meta(ge=0, le=1000, description="Show the N tools nearest to the round's words; 0: all of the dialogue.")
    ] = 0


RECIPES: Final[dict[str, type[msgspec.Struct]]] = {}
PROTOCOLS: Final = {"dice": DiceProtocolOptions}
