"""`callwright graph evaluate`: how right the edges of a graph are."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli.model_options import JUDGES, asking_options, asking_settings
from callwright.cli.progress_line import progress_line
from callwright.cli.results import print_json, show_failures, show_usage, shown_when_stopped
from callwright.errors import BadInput

if TYPE_CHECKING:
    from callwright.app.graph_evaluation import JudgedGraph
    from callwright.graph.edge_evaluation import EdgeEvaluation, EdgeRates
    from callwright.stats.intervals import Interval


@click.command("evaluate")
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--labels", type=click.Path(path_type=Path), help="File of labelled pairs of fields (JSON lines).")
@click.option(
    "--judge",
    metavar="MODEL",
    help="Who judges a sample, or the labelled pairs: `openai/NAME`, or `builtin/schema`, which asks no model.",
)
@click.option("--sample", type=int, help="With --judge alone: edges, and as many other pairs.  [default: 200]")
@click.option("--seed", type=int, help="With --judge alone: which are drawn.  [default: 0]")
@click.option("--catalog", help="With --judge: the catalogue.  [default: the one that the graph was made of]")
@asking_options(JUDGES)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def command(
    ctx: click.Context, /, graph: Path, *, labels: Path | None, judge: str | None, as_json: bool, **given: Any
) -> None:
    """Tell how many edges of GRAPH are right, by labels or by a judge.

    Of labels: precision, recall, negative predictive value (NPV) and Matthews' correlation (MCC), each with its 95 %
    interval, by pair of fields and by pair of tools. A judge gives precision over a sample of edges and NPV over as
    many pairs that are none; its verdicts are kept beside GRAPH and never asked for again. With both, the judge decides
    on the labelled pairs, and how far it agrees with people is told.
    """
    from callwright.app.graph_evaluation import EdgeJudge, evaluate_graph, judge_graph, judge_labels

    sampling = {name: given.pop(name) for name in ("sample", "seed") if given[name] is not None}
    if labels is None and judge is None:
        raise BadInput("Give --labels FILE, --judge MODEL, or both.")
    if labels is not None and sampling:
        raise BadInput(
            f"--{next(iter(sampling))} is for a judge without labels: all labelled pairs count. Leave it out."
        )
    if labels is not None and judge is None:
        _show(evaluate_graph(graph, labels), as_json=as_json)
        return
    show = partial(_show_judged, as_json=as_json)
    with shown_when_stopped(show, as_json=as_json), progress_line("verdicts") as progress:
        asking, execution, own = asking_settings({**given, "progress": progress})
        asked = EdgeJudge(judge=judge or "", asking=asking, execution=execution, **own)
        found = judge_graph(graph, asked, **sampling) if labels is None else judge_labels(graph, labels, asked)
    show(found)
    if found.failed:
        ctx.exit(1)


def _show_judged(found: JudgedGraph, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        show_failures(found.failed, found.examples, beside_json=True)
        return
    click.echo(f"{found.judged:,} verdicts of {found.judge}")
    if found.against_labels is None:
        rates = found.evaluation.fields
        click.echo(f"precision {_said(rates.precision)} of {rates.valid_edges + rates.invalid_edges:,} edges")
        click.echo(f"NPV {_said(rates.npv)} of {rates.rightly_none + rates.missing_edges:,} other pairs of fields")
    else:
        judged = found.against_labels
        named = (("precision", judged.precision), ("MCC", judged.mcc), ("kappa", judged.kappa))
        click.echo(f"against {judged.n:,} labels: " + ", ".join(f"{name} {_said(value)}" for name, value in named))
        click.echo("the graph by these labels:")
        _show_by_labels(found.evaluation)
    show_usage(found.tokens, found.faults)
    show_failures(found.failed, found.examples)


def _show(found: EdgeEvaluation, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
    else:
        _show_by_labels(found)


def _show_by_labels(found: EdgeEvaluation) -> None:
    _show_rates("pairs of fields", found.fields)
    _show_rates("pairs of tools", found.tools)
    if found.unknown:
        click.echo(f"{found.unknown:,} labels are of tools that the graph does not have")


def _show_rates(what: str, rates: EdgeRates) -> None:
    edges, others = rates.valid_edges + rates.invalid_edges, rates.rightly_none + rates.missing_edges
    click.echo(
        f"{what}: {edges:,} labelled edges, {rates.valid_edges:,} valid; "
        f"{others:,} others, {rates.missing_edges:,} valid"
    )
    named = (("precision", rates.precision), ("recall", rates.recall), ("NPV", rates.npv), ("MCC", rates.mcc))
    click.echo("  " + ", ".join(f"{name} {_said(value)}" for name, value in named))


def _said(found: Interval) -> str:
    if found.value is None:
        return f"- ({found.why})"
    bounds = "" if found.low is None or found.high is None else f" [{found.low:.3f}, {found.high:.3f}]"
    return f"{found.value:.3f}{bounds}"
