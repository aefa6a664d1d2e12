"""Runs of DiaFORGE's protocols scored again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from callwright.papers.paper import RunScorer

if TYPE_CHECKING:
    from callwright.protocol.run_access import RunView
    from callwright.records.transcript import Row


class DiaforgeScoringOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How calls are matched."""

    match: Annotated[
        Literal["coerced_near", "coerced"],
        msgspec.Meta(description="Free text may be near the gold text, or all values are exact, as in the paper."),
    ] = "coerced_near"


def score_run(run: RunView, options: DiaforgeScoringOptions) -> list[Row]:
    """Return the rows of a run of either protocol; no model is asked."""
    from callwright.papers.diaforge import dynamic_protocol, static_protocol
    from callwright.protocol.run_access import run_rows

    own = static_protocol if run.protocol == static_protocol.VERSION else dynamic_protocol
    return run_rows(run, own.PROTOCOL, options={"match": options.match})


SCORER: Final = RunScorer(
    "Free text of a call may be near the gold text (`near` of `docs/bfcl.md`); `--match coerced` gives the accuracy of "
    "the paper, in which it is equal.",
    DiaforgeScoringOptions,
    score_run,
)
