"""Evaluating a tool graph: its edges against labels that people gave, or against a judge's verdicts on a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from callwright.app.graphs import catalog_of_graph, read_graph
from callwright.app.requests import Asking
from callwright.app.roles import read_judges, served_judges
from callwright.app.run_end import RunUsage, failure_examples, resumable, told_when_stopped, usage
from callwright.engine.roll_out import AS_USUAL, Execution, Tally, check_priced, roll_out
from callwright.environment.returns import with_returns
from callwright.errors import BadInput
from callwright.formats import document, edge_labels
from callwright.graph.edge_evaluation import (
    EdgeEvaluation,
    Ends,
    JudgeRates,
    evaluate_edges,
    evaluate_judge,
    evaluate_sample,
)
from callwright.graph.edge_judging import KIND, EdgeJudging, EdgeQuestion, EdgeVerdict
from callwright.graph.edge_simulator import simulated_verdict
from callwright.graph.graph_fields import fields_of
from callwright.models.prices import read_prices
from callwright.records.tool import Catalog
from callwright.records.tool_graph import ToolGraph
from callwright.store.links import folder_inside
from callwright.store.run import Run

SIMULATOR: Final = "builtin/schema"
"""The judge that asks no model: a result is drawn by its schema, and rules decide."""
JUDGED: Final = ".graph-judge"
"""Folder beside a graph in which verdicts are kept."""

_Told = Callable[[dict[Ends, bool]], tuple[EdgeEvaluation, JudgeRates | None]]


def evaluate_graph(path: str | Path, labels: str | Path) -> EdgeEvaluation:
    """Return how right the edges of a graph are by a file of labels (see `formats.edge_labels`). Raises BadInput."""
    graph = read_graph(path)
    known, unknown = _known_labels(graph, labels)
    return evaluate_edges(known.items(), _edges(graph), unknown=unknown)


class JudgedGraph(RunUsage, frozen=True, kw_only=True):
    """The verdicts of a judge on pairs of fields, and what follows from them."""

    judge: str
    evaluation: EdgeEvaluation
    """The edges by verdicts on a sample, or by labels."""
    against_labels: JudgeRates | None
    """The judge by people's labels; None for a sample."""
    judged: int
    failed: dict[str, int]
    """Pairs without a verdict, by class of error."""


class EdgeJudge(msgspec.Struct, frozen=True, kw_only=True):
    """The judge of edges, and how it is asked."""

    judge: str
    """A served model, or `SIMULATOR`."""
    catalog: str | None = None
    """The catalogue; None: the one that the graph was made of."""
    asking: Asking = Asking()
    execution: Execution = AS_USUAL


def judge_graph(path: str | Path, asked: EdgeJudge, *, sample: int = 200, seed: int = 0) -> JudgedGraph:
    """Ask a judge about a sample of edges, and as many other pairs of fields (see `_judged`). Raises BadInput."""
    if sample < 1:
        raise BadInput(f"sample is {sample}; at least 1 is needed.")
    graph = read_graph(path)
    catalog = _catalog(graph, path, asked)
    questions = sampled_questions(graph, catalog, sample, seed=seed)

    def told(verdicts: dict[Ends, bool]) -> tuple[EdgeEvaluation, None]:
        return evaluate_sample(verdicts.items(), _edges(graph)), None

    if asked.judge == SIMULATOR:
        return _simulated(catalog, questions, told)
    return _judged(path, questions, asked, told)


def judge_labels(path: str | Path, labels: str | Path, asked: EdgeJudge) -> JudgedGraph:
    """Ask a judge about the pairs of fields that people labelled (see `_judged`). Raises BadInput."""
    graph = read_graph(path)
    known, unknown = _known_labels(graph, labels)
    if not known:
        raise BadInput(f"{labels}: no label is of tools of the graph. Name its tools under `from` and `to`.")
    catalog = _catalog(graph, path, asked)
    tools = catalog.by_key
    questions = [EdgeQuestion(tools[ends[0]], ends[1], tools[ends[2]], ends[3]) for ends in known]

    def told(verdicts: dict[Ends, bool]) -> tuple[EdgeEvaluation, JudgeRates]:
        return evaluate_edges(known.items(), _edges(graph), unknown=unknown), evaluate_judge(verdicts, known)

    if asked.judge == SIMULATOR:
        return _simulated(catalog, questions, told)
    return _judged(path, questions, asked, told)


def _known_labels(graph: ToolGraph, labels: str | Path) -> tuple[dict[Ends, bool], int]:
    """Return the labels of the graph's tools by their keys, and the number of the others."""
    keys = {name: key for key, name in graph.names.items()} | {key: key for key in graph.nodes}
    told = edge_labels.read(document.read_bounded(Path(labels)), source=str(labels))
    known = [one for one in told if one.source in keys and one.target in keys]
    return {(keys[one.source], one.output, keys[one.target], one.input): one.valid for one in known}, (
        len(told) - len(known)
    )


def _catalog(graph: ToolGraph, path: str | Path, asked: EdgeJudge) -> Catalog:
    found = catalog_of_graph(graph, asked.catalog)
    if found is None:
        raise BadInput(f"{path}: the catalogue that it was made of cannot be read. Name it: --catalog CATALOG.")
    return found


def _simulated(catalog: Catalog, questions: Sequence[EdgeQuestion], told: _Told) -> JudgedGraph:
    """Decide by rules; results that no document describes are inferred first, as for the graph."""
    known = dict(zip((tool.key for tool in catalog.tools), with_returns(catalog).tools, strict=True))
    verdicts = {}
    for question in questions:
        ends = question.source.key, question.output, question.target.key, question.input
        drawn = msgspec.structs.replace(question, source=known[question.source.key])
        verdicts[ends] = simulated_verdict(drawn).compatible
    evaluation, against = told(verdicts)
    return JudgedGraph(judge=SIMULATOR, evaluation=evaluation, against_labels=against, judged=len(verdicts), failed={})


def _judged(path: str | Path, questions: Sequence[EdgeQuestion], asked: EdgeJudge, told: _Told) -> JudgedGraph:
    """Ask the judge; verdicts are kept beside the graph and never asked for again.

    Raises BadInput for wrong settings and files; else as `judge_dataset`.
    """
    (judge,) = read_judges([asked.judge], asking=asked.asking, decoding=asked.asking.decoding)
    models = served_judges([judge], asked.asking.patience)
    check_priced(models.values(), asked.execution.prices or read_prices(), asked.execution.budget)
    job = EdgeJudging(questions, judge.name, models[judge.name])
    folder = folder_inside(Path(path).resolve().parent, JUDGED)
    with resumable(folder), Run.open(folder, kind=KIND, config={}, durable=asked.execution.durable) as run:
        run.add_items((name, b"{}") for name in job.ids)

        def result(tally: Tally) -> JudgedGraph:
            verdicts, failed = _verdicts(run, dict(zip(job.ids, questions, strict=True)))
            evaluation, against = told(verdicts)
            return JudgedGraph(
                judge=judge.name,
                evaluation=evaluation,
                against_labels=against,
                judged=len(verdicts),
                failed=failed,
                examples=failure_examples(run),
                **usage(tally.bill),
            )

        with told_when_stopped(result):
            tally = roll_out(job, run, seed=0, trials=1, execution=asked.execution)
        return result(tally)


def sampled_questions(graph: ToolGraph, catalog: Catalog, size: int, *, seed: int) -> list[EdgeQuestion]:
    """Return `size` edges and as many pairs of fields of different tools that are none, or all where there are less."""
    edges = sorted(_edges(graph))
    fields = fields_of(catalog)
    rng = Random(f"edges {seed}")
    chosen = rng.sample(edges, min(size, len(edges)))
    others: dict[tuple[str, str, str, str], None] = {}
    known = set(edges)
    for _ in range(100 * size if fields.outputs and fields.inputs else 0):
        if len(others) == size:
            break
        one, other = rng.choice(fields.outputs), rng.choice(fields.inputs)
        ends = catalog.tools[one.tool].key, one.place, catalog.tools[other.tool].key, other.place
        if one.tool != other.tool and ends not in known:
            others[ends] = None
    tools = catalog.by_key
    return [EdgeQuestion(tools[ends[0]], ends[1], tools[ends[2]], ends[3]) for ends in (*chosen, *others)]


def _edges(graph: ToolGraph) -> set[tuple[str, str, str, str]]:
    return {(edge.source, edge.output, edge.target, edge.input) for edge in graph.standing}


def _verdicts(run: Run, asked: dict[str, EdgeQuestion]) -> tuple[dict[Ends, bool], dict[str, int]]:
    """Return the verdicts on the questions, and the number of failures by class."""
    verdicts, failed = {}, Counter[str]()
    for outcome in run.outcomes():
        if (question := asked.get(outcome.item)) is None:
            continue
        if outcome.value is None:
            failed[outcome.kind] += 1
            continue
        ends = question.source.key, question.output, question.target.key, question.input
        verdicts[ends] = msgspec.json.decode(outcome.value, type=EdgeVerdict).compatible
    return verdicts, dict(sorted(failed.items()))
