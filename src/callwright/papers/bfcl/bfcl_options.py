"""Options of BFCL's protocol. The command line reads its options from here."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

BfclMode = Literal["official", "strict"]


class BfclOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How replies are judged."""

    match: Annotated[BfclMode, msgspec.Meta(description="how calls are judged.")] = "official"


RECIPES: Final[dict[str, type[msgspec.Struct]]] = {}
PROTOCOLS: Final = {"bfcl": BfclOptions}
