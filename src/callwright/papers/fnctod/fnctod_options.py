"""What a user of FnCTOD's protocols may choose. The command line reads its options from here."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

FunctionSpec = Literal["json", "text"]


class FnctodOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of state tracking; part of a run's identity."""

    one_step: Annotated[
        bool, Meta(description="show all functions with their parameters at once, and ask once a turn.")
    ] = False
    no_calls_in_history: Annotated[bool, Meta(description="show earlier turns without the model's calls.")] = False
    spec: Annotated[
        FunctionSpec, Meta(description="functions as documents of native calling, or as lines of text.")
    ] = "json"


RECIPES: Final[dict[str, type[msgspec.Struct]]] = {}
PROTOCOLS: Final = {"fnctod": FnctodOptions}
