"""Runs of the `wild` protocol scored again: under another matcher, or by what judges made of the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from callwright.papers.paper import Scorer

if TYPE_CHECKING:
    from callwright.protocol.run_access import RunView
    from callwright.records.transcript import Row

Match = Annotated[
    Literal["strict", "lenient"],
    msgspec.Meta(description="Compare values exactly, or with the leniencies that the schema allows."),
]


class ScoringOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How calls are matched, and whether judges decide about words."""

    match: Match = "strict"
    judged: Annotated[
        bool,
        msgspec.Meta(description="Questions and answers must also pass the judges of `callwright judge RUN`."),
    ] = False


def score_run(run: RunView, options: ScoringOptions) -> list[Row]:
    """Return the rows of a run of the `wild` protocol; no model is asked.

    With `judged` the words of `clarify` and `chat` tasks are right only where the kept judgements on the criteria
    `clarify-asks` and `chat-answers` say so. Raises BadInput where a kind of words has no judgements.
    """
    from callwright.papers.wild.judged_words import kept_words
    from callwright.papers.wild.wild_protocol import PROTOCOL
    from callwright.protocol.run_access import run_rows

    words = kept_words(run) if options.judged else None
    return run_rows(run, PROTOCOL, options={"match": options.match}, words=words)


SCORER: Final = Scorer(
    "Any words without a call are a question in clarify tasks, and an answer in chat tasks. With --judged those that "
    "judges found to ask for nothing that is missing, or to answer nothing, are wrong: first give `callwright judge "
    "RUN --criteria clarify-asks,chat-answers --judge MODEL`.",
    ScoringOptions,
    score_run,
)
