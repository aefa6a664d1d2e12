"""Runs of the `tooldial` protocol scored again, and the predictions of one dialogue explained."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from callwright.errors import BadInput
from callwright.match.plain_text import Normaliser
from callwright.papers.paper import Explained, Explainer, RunScorer

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


# -- one dialogue explained --------------------------------------------------------------------------------------------


def explain(run: RunView, task: str, trial: int, options: ToolDialScoringOptions) -> Explained:
    """Return the predictions of a dialogue, or one with what the model saw: `task` is an id, or `ID/NUMBER`.

    Raises BadInput for a run without predictions, UnknownName for a dialogue or a number that is not there.
    """
    from callwright.papers.tooldial.explained_predictions import explained
    from callwright.report.prediction_view import prediction_view

    if run.config.get("task") == "faithfulness":
        raise BadInput(f"{run.folder}: responses are judged, not predicted. Look at them: callwright show {run.folder}")
    wanted, _, number = task.rpartition("/") if "/" in task else (task, "", "0")
    if not number.isdecimal():
        raise BadInput(f"{task!r:.80}: write a dialogue's id, or the id and the number of a prediction, such as ID/2.")
    found = explained(run, wanted, trial, int(number), options.normaliser)
    return Explained(found, partial(prediction_view, found))


EXPLAINER: Final = Explainer(
    "TASK is a dialogue's id (its beginning is enough), or ID/NUMBER for one prediction with the history shown.",
    ToolDialScoringOptions,
    explain,
)
