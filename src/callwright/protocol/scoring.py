"""How the rows of a run are labelled, signed and given their intervals; the same for every protocol.

Failed rollouts (`n_failed`), transcripts with a fault of the simulated user (`n_excluded`) and dialogues that a metric
cannot measure (`n_skipped`) are counted apart. `n` dialogues remain, each a unit of the bootstrap with all its trials.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from callwright import __version__
from callwright.errors import BadInput
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import digest
from callwright.records.transcript import Row, Transcript
from callwright.stats.intervals import DEFAULT_RESAMPLES, Interval

Slice = tuple[tuple[str, str], ...]

WHOLE: Final[Slice] = ()
NO_JUDGE: Final = "no judge was given"


class RowCounts(NamedTuple):
    """How many dialogues a row measures, and how many it cannot."""

    n: int
    failed: int = 0
    skipped: int = 0
    excluded: int = 0


class JudgedTurns(msgspec.Struct, frozen=True):
    """Judges' verdicts on turns of transcripts."""

    values: Mapping[tuple[str, int, int], float | None]
    """By dialogue, trial and position of the turn, the mean over judges; None where one of them has no value."""
    signature: str


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """The labels of the rows of one run, and the settings of their intervals."""

    run: str
    """Name of the run, as the reader knows it."""
    model: str
    protocol: str
    seed: int
    data: str
    """Digest of the dialogues (see `data_digest`)."""
    options: dict[str, Json] = {}
    """The options of the run's protocol, complete."""
    roles: str = ""
    """Who else took part, such as `|user:openai/x`; empty where all others are offline."""
    words: JudgedTurns | None = None
    """Judges' verdicts on words that a protocol accepts unread otherwise; None: it accepts them."""
    resamples: int = DEFAULT_RESAMPLES
    bootstrap_seed: int = 0

    @property
    def bootstrap(self) -> str:
        """How intervals are made, as signatures say it."""
        return f"bootstrap:{self.resamples},{self.bootstrap_seed}"

    def row(
        self, metric: str, slice_: Slice, interval: Interval, counts: RowCounts, *, options: str, why: Sequence[str]
    ) -> Row:
        """Return a row of this run; `options` are the metric's own in its signature, and empty reasons are left out."""
        return Row(
            run=self.run,
            model=self.model,
            protocol=self.protocol,
            metric=metric,
            slice=dict(slice_),
            value=interval.value,
            low=interval.low,
            high=interval.high,
            n=counts.n,
            n_failed=counts.failed,
            n_excluded=counts.excluded,
            n_skipped=counts.skipped,
            why="; ".join(filter(None, why)),
            signature=f"{metric}.v1|{options}|protocol:{self.protocol}|seed:{self.seed}|data:{self.data}{self.roles}"
            f"|callwright:{__version__}",
        )


def known_dialogue(id_: str, dialogues: Mapping[str, Dialogue]) -> Dialogue:
    """Return the dialogue that a transcript or failure is of. Raises BadInput for one that is not there."""
    if (dialogue := dialogues.get(id_)) is None:
        raise BadInput(f"a transcript is of dialogue {id_!r}, which is not among the data. Give the data of this run.")
    return dialogue


def in_order(
    transcripts: Iterable[Transcript], dialogues: Mapping[str, Dialogue]
) -> Iterator[tuple[Dialogue, Transcript]]:
    """Yield transcripts by dialogue and trial, each with its dialogue. Raises BadInput as `known_dialogue`."""
    for transcript in sorted(transcripts, key=lambda one: (one.dialogue, one.trial)):
        yield known_dialogue(transcript.dialogue, dialogues), transcript


def data_digest(dialogues: Iterable[Dialogue]) -> str:
    """Return the digest of the dialogues, whatever their order."""
    return digest(*sorted(digest(to_line(dialogue).decode()) for dialogue in dialogues))
