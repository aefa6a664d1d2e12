"""Runs scored anew from their transcripts; no model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

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


def score_runs(runs: str | Path | Iterable[str | Path], *, by: str = "") -> list[Row]:
    """Return the rows of finished runs, scored anew from their transcripts, and rows by a property of tasks.

    `by` is one of `PROPERTIES`. A row of an unfinished run says so in `why`. Raises BadInput for a folder that holds no
    run.
    """
    found: list[Row] = []
    for run, protocol in _opened(runs):
        rows = run_rows(run, protocol)
        found += [*rows, *(sliced_rows(run, protocol, rows, by) if by in PROPERTIES else ())]
    return found


def judge_runs(runs: str | Path | Iterable[str | Path]) -> Iterator[RunItem]:
    """Yield every dialogue of runs in every trial: verdicts, first error, gold and calls. Raises as `score_runs`."""
    return (item for run, protocol in _opened(runs) for item in run_items(run, protocol))


def find_confusions(run: str | Path) -> ConfusionReport:
    """Return which tool a run's model called for which other one, and what tells the two apart. Raises BadInput."""
    ((opened, protocol),) = _opened(run)
    return confusions(run_items(opened, protocol), opened.catalog)


def _opened(runs: str | Path | Iterable[str | Path]) -> Iterator[tuple[RunView, EvaluationProtocol]]:
    for run in map(open_run, [runs] if isinstance(runs, str | Path) else runs):
        yield run, load_protocol(run.protocol)


def score_again(folder: str | Path, protocol: str = "", **options: Json) -> list[Row] | ScoredOutputs:
    """Return the scores of a run under its protocol's scoring options. Raises BadInput for another run or option."""
    run = open_run(folder)
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
