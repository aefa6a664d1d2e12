"""Scores of judgements with intervals, the agreement of a panel, and criteria as rows of a report; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeVar

import msgspec

from callwright import __version__
from callwright.judge.rubric import Rubric, bundled_rubric
from callwright.measure.judged_values import Judged, by_item, panel
from callwright.records.judgement import Judgement
from callwright.records.measurement import Measurement
from callwright.records.tool import digest
from callwright.records.transcript import Row
from callwright.stats.agreement import Alpha, Grades, Share, krippendorff_alpha, percent_agreement
from callwright.stats.intervals import DEFAULT_RESAMPLES, Interval, ratio_interval

CONV_REL: Final = "conv-rel"

Scored = TypeVar("Scored", Row, Measurement)

JudgedBy = Mapping[str, Sequence[Judgement]]
"""By judge, all judgements that were to be made on one criterion."""


class CriterionScore(msgspec.Struct, frozen=True, kw_only=True):
    """One criterion by one judge, or by a panel."""

    criterion: str
    judge: str
    """Full name; those of a panel joined by ` + `."""
    interval: Interval
    """Of the mean over dialogues, or over their transcripts."""
    n: int
    """Dialogues judged; what follows counts dialogues too, or transcripts where a dialogue has several."""
    n_failed: int
    n_absent: int
    n_skipped: int
    signature: str


class JudgedPair(msgspec.Struct, frozen=True):
    """Two judges of a panel."""

    a: str
    b: str
    equal: Share
    """Of the units that both judged: those with the same grade."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far the judges of a panel agree on one criterion; units are dialogues, or their turns."""

    criterion: str
    scale: str
    alpha: Alpha
    pairs: tuple[JudgedPair, ...]


def score_criterion(rubric: Rubric, made: JudgedBy, *, n_skipped: int = 0) -> CriterionScore:
    """Return the score of one criterion by the judges given: for several, the mean of what each item got from all."""
    several = [by_item(judgements) for judgements in made.values()]
    figures = several[0] if len(several) == 1 else panel(several)
    return CriterionScore(
        criterion=rubric.name,
        judge=" + ".join(made),
        interval=_interval(figures),
        n=len({dialogue for dialogue, _ in figures.values}),
        n_failed=len(figures.failed),
        n_absent=len(figures.absent),
        n_skipped=n_skipped,
        signature=f"{judged_signature(rubric, made)}|callwright:{__version__}",
    )


def agreement(rubric: Rubric, made: JudgedBy) -> Agreement:
    """Return how far the judges agree: on the grade that most of a judge's samples have, each unit one grade."""
    grades = {judge: _settled(judgements) for judge, judgements in made.items()}
    return Agreement(
        criterion=rubric.name,
        scale=rubric.measure,
        alpha=krippendorff_alpha(list(grades.values()), rubric.measure),
        pairs=tuple(JudgedPair(a, b, percent_agreement(grades[a], grades[b])) for a, b in combinations(grades, 2)),
    )


def with_judged(
    rows: Sequence[Scored], kept: Mapping[Rubric, JudgedBy], *, items: int, criterion: str = CONV_REL
) -> list[Scored]:
    """Return rows with a criterion, as a metric of its name, as judged of so many items; rows as they are without.

    The row of the whole is the mean over all judges by one rubric, the bundled one if used. Several judges or rubrics
    have rows of their own, sliced by `judge` and `rubric`.
    """
    if not rows or not kept:
        return list(rows)
    metric = criterion.replace("-", "_")
    found = next((row for row in rows if row.metric == metric and not row.slice), None)
    if found is None:  # a protocol whose own scores have none
        more = list(rows)
        more.append(_unjudged(next((row for row in rows if not row.slice), rows[0]), metric))
        return with_judged(more, kept, items=items, criterion=criterion)
    own = bundled_rubric(criterion).digest
    first, *others = sorted(kept, key=lambda rubric: rubric.digest != own)
    judged = [_judged_row(found, first, kept[first], items, {})]
    for rubric, made in kept.items():
        if len(made) > 1 or others:
            judged += [
                _judged_row(
                    found, rubric, {judge: one}, items, {"judge": judge, "rubric": f"{rubric.label}:{rubric.digest}"}
                )
                for judge, one in made.items()
            ]
    return [new for row in rows for new in (judged if row is found else [row])]


def _unjudged(row: Scored, metric: str) -> Scored:
    """The row of a metric as one of a criterion, with those parts of its signature that are of the run."""
    _, start, rest = row.signature.partition("protocol:")
    return msgspec.structs.replace(row, metric=metric, slice={}, signature=f"{metric}.v1|judge:none|{start}{rest}")


def _judged_row(row: Scored, rubric: Rubric, made: JudgedBy, items: int, slice_: dict[str, str]) -> Scored:
    asked = {one.key for judgements in made.values() for one in judgements}
    score = score_criterion(rubric, made, n_skipped=items - len(asked))
    absent = f"{score.n_absent} not judged yet: the same judge command goes on" if score.n_absent else ""
    failed = f"{score.n_failed} could not be judged" if score.n_failed else ""
    return msgspec.structs.replace(
        row,
        slice=slice_,
        value=score.interval.value,
        low=score.interval.low,
        high=score.interval.high,
        n=score.n,
        n_failed=row.n_failed + score.n_failed,
        n_skipped=score.n_skipped + score.n_absent,
        why="; ".join(filter(None, (score.interval.why, failed, absent))),
        signature=f"{row.metric}.v1|{judged_signature(rubric, made)}|{row.signature.partition('|judge:none|')[2]}",
    )


def _interval(figures: Judged) -> Interval:
    """Of the mean; the unit is the dialogue, with all its trials together."""
    of_dialogue: dict[str, list[float]] = {}
    for (dialogue, _), value in figures.values.items():
        of_dialogue.setdefault(dialogue, []).append(value)
    if not of_dialogue:
        return Interval(None, why="nothing was judged")
    trials = of_dialogue.values()
    return ratio_interval([sum(values) for values in trials], [float(len(values)) for values in trials])


def _settled(judgements: Iterable[Judgement]) -> Grades[tuple[str, int, int | None]]:
    return {(*one.key, one.turn): one.settled for one in judgements if one.settled is not None}


def judged_signature(rubric: Rubric, made: JudgedBy) -> str:
    """Return criterion, judges, samples and the digest of all that was judged, for the signature of a number."""
    samples = sorted({len(one.samples) for judgements in made.values() for one in judgements if one.samples})
    shown = digest(*sorted({one.subject for judgements in made.values() for one in judgements}))
    judges = "".join(f"|judge:{judge}" for judge in made)
    counted = "-".join(str(number) for number in dict.fromkeys((samples[0], samples[-1]))) if samples else "0"
    return (
        f"{rubric.label}|rubric:{rubric.digest}{judges}|samples:{counted}|bootstrap:{DEFAULT_RESAMPLES},0"
        f"|judged:{shown}"
    )
