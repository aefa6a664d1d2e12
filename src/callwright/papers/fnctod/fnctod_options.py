"""Options of FnCTOD's protocols. The command line reads its options from here."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

_PATH: Final = {"metavar": "PATH"}

FunctionSpec = Literal["native", "json", "text"]


class FnctodOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of state tracking; part of a run's identity."""

    one_step: Annotated[
        bool, Meta(description="show all functions with their parameters at once, and ask once a turn.")
    ] = False
    no_calls_in_history: Annotated[bool, Meta(description="show earlier turns without the model's calls.")] = False
    spec: Annotated[
        FunctionSpec,
        Meta(description="functions and calls by native calling, or in words: as JSON or as lines of text."),
    ] = "native"
    shots: Annotated[int, Meta(ge=0, le=5, description="examples of each function in the prompt; with --examples.")] = 0
    examples: Annotated[
        str | None,
        Meta(description="a file of examples, or a dataset to choose them from by slot coverage.", extra=_PATH),
    ] = None


class TodOptions(FnctodOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the end-to-end protocol: those of state tracking, and the database."""

    db: Annotated[
        str | None, Meta(description="folder of MultiWOZ's database, with restaurant_db.json.", extra=_PATH)
    ] = None


RECIPES: Final[dict[str, type[msgspec.Struct]]] = {}
PROTOCOLS: Final = {"fnctod": FnctodOptions, "tod": TodOptions}
