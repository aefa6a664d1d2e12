"""Runs scored anew from their transcripts; no model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from callwright import __version__
from callwright.app.transcript_reviews import without_wrong_transcripts
from callwright.errors import BadInput
from callwright.papers.paper import Explained
from callwright.papers.registry import (
    find_protocol,
    load_explainer,
    load_output_scorer,
    load_protocol,
    load_scorer,
    names_of,
)
from callwright.protocol import EvaluationProtocol, options_from
from callwright.protocol.confusions import ConfusionReport, confusions
from callwright.protocol.items import PROPERTIES, RunItem, run_items, sliced_rows
from callwright.protocol.output_score import RecordedScore, ScoredOutputs
from callwright.protocol.run_access import RunView, open_run, run_rows
from callwright.records.jsontext import Json
from callwright.records.transcript import Row
from callwright.stats.intervals import Interval, mean_interval
from callwright.stats.paired import PairedTest, paired_test


def score_runs(runs: str | Path | Iterable[str | Path], *, by: str = "", reviewed: bool = False) -> list[Row]:
    """Return the rows of finished runs, scored anew from their transcripts, and rows by a property of tasks.

    `by` is one of `PROPERTIES`; `reviewed` leaves out dialogues whose transcript people marked wrong. A row of an
    unfinished run says so in `why`. Raises BadInput for a folder that holds no run, or none that was reviewed.
    """
    found: list[Row] = []
    for opened, protocol in _opened(runs):
        run = without_wrong_transcripts(opened) if reviewed else opened
        rows = run_rows(run, protocol)
        found += [*rows, *(sliced_rows(run, protocol, rows, by) if by in PROPERTIES else ())]
    return found


def judge_runs(runs: str | Path | Iterable[str | Path]) -> Iterator[RunItem]:
    """Yield every dialogue of runs in every trial: verdicts, first error, gold and calls. Raises as `score_runs`."""
    return (item for run, protocol in _opened(runs) for item in run_items(run, protocol))


class PairedRow(msgspec.Struct, frozen=True, kw_only=True):
    """One metric of two runs over the dialogues that both have scored."""

    run: str
    against: str
    metric: str
    before: float
    after: float
    difference: Interval
    """Mean difference of the same dialogues, with its interval over dialogues."""
    test: PairedTest
    """Whether chance could give it."""
    n: int
    left_out: int
    """Dialogues that only one of the runs has scored."""
    signature: str


def compare_runs(run: str | Path, against: str | Path) -> list[PairedRow]:
    """Return how a run differs from another one on the same dialogues, in `right` and the protocol's metrics.

    Trials of a dialogue are averaged first. Raises BadInput where the protocols differ, or no dialogue is in both.
    """
    after, before = _by_dialogue(run), _by_dialogue(against)
    (new, _), (old, _) = (*_opened(run), *_opened(against))
    if new.protocol != old.protocol:
        raise BadInput(f"{run} is of {new.protocol}, {against} of {old.protocol}. Compare runs of one protocol.")
    both = [one for one in after if one in before]
    if not both:
        raise BadInput(f"{run} and {against} have no scored dialogue in common. Evaluate both on the same dataset.")
    found = []
    for metric in {name: None for one in both for name in after[one]}:
        pairs = [(before[one][metric], after[one][metric]) for one in both if metric in before[one].keys() & after[one]]
        if pairs:
            test = paired_test(differences := [second - first for first, second in pairs])
            found.append(
                PairedRow(
                    run=str(run),
                    against=str(against),
                    metric=metric,
                    before=sum(first for first, _ in pairs) / len(pairs),
                    after=sum(second for _, second in pairs) / len(pairs),
                    difference=mean_interval(differences),
                    test=test,
                    n=len(pairs),
                    left_out=len(after.keys() ^ before.keys()),
                    signature=f"paired.v2|{new.protocol}|bootstrap over dialogues|{test.name}|callwright:{__version__}",
                )
            )
    return found


def _by_dialogue(run: str | Path) -> dict[str, dict[str, float]]:
    """Means over trials of what a run scored, by dialogue."""
    trials: dict[str, list[dict[str, float]]] = {}
    for item in judge_runs(run):
        if item.state == "scored":
            trials.setdefault(item.dialogue, []).append({"right": float(item.right is True), **item.verdicts})
    return {
        dialogue: {
            name: sum(one[name] for one in values if name in one) / sum(name in one for one in values)
            for name in {name: None for one in values for name in one}
        }
        for dialogue, values in trials.items()
    }


def find_confusions(run: str | Path) -> ConfusionReport:
    """Return which tool a run's model called for which other one, and what tells the two apart. Raises BadInput."""
    ((opened, protocol),) = _opened(run)
    return confusions(run_items(opened, protocol), opened.catalog)


def _opened(runs: str | Path | Iterable[str | Path]) -> Iterator[tuple[RunView, EvaluationProtocol]]:
    for run in map(open_run, [runs] if isinstance(runs, str | Path) else runs):
        yield run, load_protocol(run.protocol)


def score_again(
    folder: str | Path, protocol: str = "", *, reviewed: bool = False, **options: Json
) -> list[Row] | ScoredOutputs:
    """Return the scores of a run under its protocol's scoring options; `reviewed` as in `score_runs`.

    Raises BadInput for another run or option, or a run that nobody reviewed.
    """
    opened = open_run(folder)
    run = without_wrong_transcripts(opened) if reviewed else opened
    own = find_protocol(run.protocol)
    if protocol and own != find_protocol(protocol):
        raise BadInput(f"{folder}: a run of {run.protocol}. Give one of `callwright eval --protocol {protocol}`.")
    scorer = load_scorer(own)
    return scorer.score_run(run, options_from(own, scorer.options, options))


def score_outputs(benchmark: str, file: str | Path, **options: Json) -> ScoredOutputs | RecordedScore:
    """Return the score of outputs that others recorded in a file, by the rules of a benchmark. Raises BadInput."""
    if benchmark in names_of("output_scorers"):
        own = load_output_scorer(benchmark)
        return own.score(Path(file), options_from(benchmark, own.options, options))
    scorer = load_scorer(benchmark)
    if scorer.score_file is None:
        raise BadInput(f"{file}: no folder of a run, and {benchmark} reads no files of outputs. Give a run.")
    return scorer.score_file(Path(file), options_from(benchmark, scorer.options, options))


def explain_task(folder: str | Path, task: str, *, trial: int = 0, **options: Json) -> Explained:
    """Return what became of a task of a run. Raises UnknownName, BadInput if its tasks cannot be explained."""
    run = open_run(folder)
    own = find_protocol(run.protocol)
    if own not in names_of("explainers"):
        known = " or ".join(f"`callwright eval --protocol {name}`" for name in names_of("explainers"))
        raise BadInput(f"{folder}: a run of {run.protocol}, whose tasks cannot be explained. Give one of {known}.")
    explainer = load_explainer(own)
    return explainer.explain(run, task, trial, options_from(own, explainer.options, options))
