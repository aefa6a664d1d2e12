"""Evaluating a tool graph: its edges against labels that people gave, or against a judge's verdicts on a sample."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from callwright.app.graphs import catalog_of_graph, read_graph
from callwright.app.requests import Asking
from callwright.app.roles import read_judges, served_judges
from callwright.app.run_end import RunUsage, failure_examples, resumable, told_when_stopped, usage
from callwright.engine.roll_out import AS_USUAL, Execution, Tally, check_priced, roll_out
from callwright.errors import BadInput
from callwright.formats import document, edge_labels
from callwright.graph.edge_evaluation import EdgeEvaluation, evaluate_edges
from callwright.graph.edge_judging import KIND, EdgeJudging, EdgeQuestion, EdgeVerdict
from callwright.graph.graph_fields import fields_of
from callwright.models.prices import read_prices
from callwright.records.tool import Catalog
from callwright.records.tool_graph import ToolGraph
from callwright.store.links import folder_inside
from callwright.store.run import Run

JUDGED: Final = ".graph-judge"
"""Folder beside a graph in which verdicts are kept."""


def evaluate_graph(path: str | Path, labels: str | Path) -> EdgeEvaluation:
    """Return how right the edges of a graph are by a file of labels (see `formats.edge_labels`). Raises BadInput."""
    graph = read_graph(path)
    keys = {name: key for key, name in graph.names.items()} | {key: key for key in graph.nodes}
    told = edge_labels.read(document.read_bounded(Path(labels)), source=str(labels))
    known = [
        ((keys[one.source], one.output, keys[one.target], one.input), one.valid)
        for one in told
        if one.source in keys and one.target in keys
    ]
    return evaluate_edges(known, _edges(graph), unknown=len(told) - len(known))


class JudgedGraph(RunUsage, frozen=True, kw_only=True):
    """The verdicts of a judge on a sample of edges, and on as many pairs of fields that are none."""

    judge: str
    evaluation: EdgeEvaluation
    """Recall and correlation mean little here: edges and other pairs are sampled apart."""
    judged: int
    failed: dict[str, int]
    """Pairs without a verdict, by class of error."""


class EdgeSample(msgspec.Struct, frozen=True, kw_only=True):
    """The sample of edges that a judge decides on, and the judge."""

    judge: str
    sample: int = 200
    """Edges, and as many other pairs of fields."""
    seed: int = 0
    catalog: str | None = None
    """The catalogue; None: the one that the graph was made of."""
    asking: Asking = Asking()
    execution: Execution = AS_USUAL


def judge_graph(path: str | Path, asked: EdgeSample) -> JudgedGraph:
    """Ask a judge about a sample of pairs; verdicts are kept beside the graph and never asked for again.

    Raises BadInput for wrong settings, files, and where the catalogue is not to be had; else as `judge_dataset`.
    """
    if asked.sample < 1:
        raise BadInput(f"sample is {asked.sample}; at least 1 is needed.")
    graph = read_graph(path)
    catalog = catalog_of_graph(graph, asked.catalog)
    if catalog is None:
        raise BadInput(f"{path}: the catalogue that it was made of cannot be read. Name it: --catalog CATALOG.")
    (judge,) = read_judges([asked.judge], asking=asked.asking, decoding=asked.asking.decoding)
    questions = sampled_questions(graph, catalog, asked.sample, seed=asked.seed)
    models = served_judges([judge], asked.asking.patience)
    check_priced(models.values(), asked.execution.prices or read_prices(), asked.execution.budget)
    job = EdgeJudging(questions, judge.name, models[judge.name])
    folder = folder_inside(Path(path).resolve().parent, JUDGED)
    with resumable(folder), Run.open(folder, kind=KIND, config={}, durable=asked.execution.durable) as run:
        run.add_items((name, b"{}") for name in job.ids)

        def result(tally: Tally) -> JudgedGraph:
            return _judged(graph, judge.name, dict(zip(job.ids, questions, strict=True)), run, tally)

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


def _judged(graph: ToolGraph, judge: str, asked: dict[str, EdgeQuestion], run: Run, tally: Tally) -> JudgedGraph:
    verdicts, failed = [], Counter[str]()
    for outcome in run.outcomes():
        if (question := asked.get(outcome.item)) is None:
            continue
        if outcome.value is None:
            failed[outcome.kind] += 1
            continue
        verdict = msgspec.json.decode(outcome.value, type=EdgeVerdict)
        ends = question.source.key, question.output, question.target.key, question.input
        verdicts.append((ends, verdict.compatible))
    return JudgedGraph(
        judge=judge,
        evaluation=evaluate_edges(verdicts, _edges(graph)),
        judged=len(verdicts),
        failed=dict(sorted(failed.items())),
        examples=failure_examples(run),
        **usage(tally.bill),
    )
