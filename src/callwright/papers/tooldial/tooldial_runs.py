"""Runs of the `tooldial` protocol scored again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from callwright.papers.paper import RunScorer
from callwright.papers.tooldial.state_matching import Normaliser

if TYPE_CHECKING:
    from callwright.protocol.run_access import RunView
    from callwright.records.transcript import Row


class ToolDialScoringOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How states are compared."""

    normaliser: Annotated[
        Normaliser,
        msgspec.Meta(description="What names and values of states are reduced to; `paper` keeps a-z and 0-9 only."),
    ] = "unicode"


def score_run(run: RunView, options: ToolDialScoringOptions) -> list[Row]:
    """Return the rows of a run of the `tooldial` protocol; no model is asked."""
    from callwright.papers.tooldial.tooldial_protocol import PROTOCOL
    from callwright.protocol.run_access import run_rows

    return run_rows(run, PROTOCOL, options={"normaliser": options.normaliser})


SCORER: Final = RunScorer(
    "The published normaliser of states takes any two values without Latin letters for equal; ours keeps letters and "
    "digits of every script and compares numbers by value.",
    ToolDialScoringOptions,
    score_run,
)
