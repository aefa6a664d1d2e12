"""`callwright graph`: tool graphs, looked at, exported and compared."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from callwright.cli import printable
from callwright.cli.graph_evaluate import command as evaluate
from callwright.cli.model_options import AUTHOR, asking_options, asking_settings
from callwright.cli.progress_line import progress_line, waiting_line
from callwright.cli.results import print_json, show_failures, show_usage, shown_when_stopped
from callwright.errors import BadInput

if TYPE_CHECKING:
    from callwright.app.graphs import ExplainedLink, GraphMade
    from callwright.app.texts_making import AuthoredTexts, TextsAuthor
    from callwright.graph.graph_changes import EdgePlace, EdgeStanding
    from callwright.graph.statistics import GraphStatistics


@click.group("graph")
def command() -> None:
    """Build tool graphs and look at them: whose results can be whose inputs."""


command.add_command(evaluate)


@command.command("build")
@click.argument("catalog")
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="The graph.json to write.")
@click.option(
    "--encoder", help="Model for descriptions: `minilm`, a folder, or a name in the local cache.  [default: lexical]"
)
@click.option(
    "--criteria",
    type=click.Choice(["default", "paper"]),
    default="default",
    show_default=True,
    help="What makes an edge: one attribute of one thing, or three likenesses of texts (docs/tool-graphs.md).",
)
@click.option("--creating", is_flag=True, help="Also take values from calls that create, change or delete something.")
@click.option(
    "--common",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="Outputs that more than this share of the tools have join nothing: a status, the number of a request.",
)
@click.option(
    "--stop-fields",
    metavar="NAMES",
    help="Names of fields that join nothing, with commas; `paper`: page, limit, status, message.",
)
@click.option(
    "--author", metavar="MODEL", help="Who writes the texts that are compared: `openai/NAME`.  [default: documents]"
)
@asking_options(AUTHOR)
@click.option("--json", "as_json", is_flag=True, help="Print what was made as one JSON document.")
@click.pass_context
def build(ctx: click.Context, /, catalog: str, *, out: Path, author: str | None, as_json: bool, **given: Any) -> None:
    """Join every output of CATALOG's tools with the inputs that it can supply.

    Edges that were edited in a graph.json that is there are kept (`"edited": true`; with `"confidence": 0` removed).
    With --author a model writes keywords of each tool, and a description and a phrase of each field, before anything is
    joined. Replies are kept in `.graph-texts` beside the graph: the same command resumes, and asks nothing again.
    """
    from callwright.app.graphs import make_graph

    settings = {name: given.pop(name) for name in ("encoder", "criteria", "creating", "common")}
    stop = _stop_names(given.pop("stop_fields"))
    show = partial(_show_built, out=out, as_json=as_json)
    with shown_when_stopped(show, as_json=as_json):
        if author is None:
            _refuse_unused(given)
            with waiting_line("joining outputs and inputs"):
                made = make_graph(catalog, out, **settings, stop=stop)
        else:
            with progress_line("requests") as progress:
                texts = _texts_author(author, {**given, "progress": progress})
                made = make_graph(catalog, out, **settings, stop=stop, texts=texts)
    show(made)
    if made.texts is not None and made.texts.failed:
        ctx.exit(1)


def _stop_names(given: str | None) -> tuple[str, ...]:
    from callwright.graph.common_outputs import PAPER_STOP

    names = PAPER_STOP if given == "paper" else tuple(name.strip() for name in (given or "").split(",") if name.strip())
    if given is not None and not names:
        raise BadInput("--stop-fields names no field. Give names with commas, or `paper`.")
    return names


def _texts_author(author: str, given: Mapping[str, Any]) -> TextsAuthor:
    from callwright.app.texts_making import TextsAuthor

    asking, execution, _ = asking_settings(given)
    return TextsAuthor(author=author, asking=asking, execution=execution)


def _refuse_unused(given: Mapping[str, Any]) -> None:
    """Raise BadInput for settings of a model that is not there."""
    from callwright.app.requests import Asking

    asking, execution, _ = asking_settings(given)
    if asking != Asking() or execution.budget is not None:
        raise BadInput("settings of a model need one. Name the author: --author openai/NAME.")


@command.command("show")
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path), help="New file: a picture to search, zoom and click in.")
@click.option("--explain", nargs=2, metavar="A B", help="Why there is an edge from tool A to tool B, or none.")
@click.option("--catalog", help="With --explain: the catalogue.  [default: the one that the graph was made of]")
@click.option("--edges", is_flag=True, help="With --json: also every edge with its evidence, as `edge_list`.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(
    graph: Path, *, html: Path | None, explain: tuple[str, str] | None, catalog: str | None, edges: bool, as_json: bool
) -> None:
    """Print the statistics of GRAPH: a graph.json of ours, or one that DICE-BENCH or TaskBench published."""
    from callwright.app.graphs import explain_link, graph_page, graph_statistics, shown_edges

    if edges and not as_json:
        raise BadInput("--edges lists every edge as JSON. Add --json.")
    if html is not None:
        if as_json or explain:
            raise BadInput("--html writes a picture and prints no more. Leave --json and --explain out.")
        _write_new(html, graph_page(graph))
        return
    if explain:
        told = explain_link(graph, *explain, catalog=catalog)
        if as_json:
            print_json(told)
        else:
            _show_explained(told)
        return
    found = graph_statistics(graph)
    if as_json:
        print_json(msgspec.structs.asdict(found) | ({"edge_list": shown_edges(graph)} if edges else {}))
    else:
        _show(found)


@command.command("export")
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--as", "layout", type=click.Choice(["graphml", "dot", "csv"]), required=True, help="Layout to write.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="New file to write.  [default: standard output]")
def export(graph: Path, *, layout: str, out: Path | None) -> None:
    """Write GRAPH for other programs."""
    from callwright.app.graphs import export_graph

    text = export_graph(graph, layout)
    if out is None:
        click.echo(text, nl=False)
    else:
        _write_new(out, text)


def _write_new(out: Path, text: str) -> None:
    from callwright.store.files import write_atomically

    if out.exists() or out.is_symlink():
        raise BadInput(f"{out}: there is something already. Remove it, or choose another name.")
    write_atomically(out, [text.encode()])
    click.echo(f"Written to {printable(str(out))}.")


@command.command("diff")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the differences as one JSON document.")
def diff(old: Path, new: Path, *, as_json: bool) -> None:
    """Print the tools and edges that only one of two graphs has: `-` of OLD, `+` of NEW, and `~` edges that differ.

    An edge is an output of a tool and an input of another. Edges differ by their confidence or by edits by hand.
    """
    from callwright.app.graphs import compare_graphs

    found = compare_graphs(old, new)
    if as_json:
        print_json(found)
        return
    for sign, nodes, edges in (
        ("-", found.nodes_removed, found.edges_removed),
        ("+", found.nodes_added, found.edges_added),
    ):
        for node in nodes:
            click.echo(f"{sign} {printable(node)}")
        for edge in edges:
            click.echo(f"{sign} {_said_edge(edge)}")
    for changed in found.edges_changed:
        click.echo(f"~ {_said_edge(changed)}: {_said_standing(changed.before)} -> {_said_standing(changed.after)}")


def _said_edge(edge: EdgePlace) -> str:
    ends = ((edge.source, edge.output), (edge.target, edge.input))
    return " -> ".join(printable(f"{tool} {field or ''}") for tool, field in ends)


def _said_standing(told: EdgeStanding) -> str:
    sure = "no confidence" if told.confidence is None else f"confidence {told.confidence:g}"
    return f"{sure}, edited" if told.edited else sure


def _show_built(made: GraphMade | AuthoredTexts, *, out: Path, as_json: bool) -> None:
    """Print a graph; of one that was stopped before it was built, what was written so far."""
    from callwright.app.graphs import GraphMade

    texts = made.texts if isinstance(made, GraphMade) else made
    if as_json:
        print_json(made)
    elif isinstance(made, GraphMade):
        _show_made(made, out)
    if texts is not None:
        if not as_json:
            click.echo(
                f"Texts by {printable(texts.author)}: {texts.written:,} of {texts.fields:,} fields, keywords of "
                f"{texts.keywords:,} of {texts.tools:,} tools; the others are the documents'."
            )
            show_usage(texts.tokens, texts.faults)
        show_failures(texts.failed, texts.examples, beside_json=as_json)


def _show_made(made: GraphMade, out: Path) -> None:
    from callwright.graph.graph_build import REASONS

    inferred = f", {made.inferred:,} from results that no document describes" if made.inferred else ""
    click.echo(f"{made.tools:,} tools, {made.edges:,} edges between {made.linked:,} pairs of tools{inferred}")
    click.echo(f"{made.outputs:,} outputs x {made.inputs:,} needed inputs; pairs of fields that are no edge:")
    for reason, count in made.excluded.items():
        if count:
            click.echo(f"  {count:>13,}  {REASONS[reason]}")
    if made.edits_kept:
        click.echo(f"{made.edits_kept:,} edited edges kept")
    for edge in made.edits_lost:
        click.echo(f"edited, but a tool is gone: {printable(edge)}")
    for field in made.fields_unknown:
        click.echo(f"{printable(field)}. Correct the edge, or remove its line.")
    click.echo(f"Written to {printable(str(out))}.")


_MOST_PAIRS = 15


def _show_explained(told: ExplainedLink) -> None:
    ends = f"{printable(told.source)} -> {printable(told.target)}"
    if told.published_links is not None:
        click.echo(f"{ends}: {told.published_links:,} links, as published")
        click.echo("The published layout tells no fields, scores or evidence, so nothing more is known.")
        return
    joined = sum(pair.is_edge for pair in told.pairs)
    click.echo(f"{ends}: {joined:,} edges, {len(told.pairs) - joined:,} pairs of fields that are none")
    for pair in told.pairs[: max(joined, _MOST_PAIRS)]:
        scores = f"name {pair.name:.2f}, description {pair.description:.2f}, with keywords {pair.keywords:.2f}"
        types = "types fit" if pair.types else "types differ"
        click.echo(f"{'edge' if pair.is_edge else '  no'}  {printable(pair.output)} -> {printable(pair.input)}")
        click.echo(f"      {printable(pair.why)} ({scores}, {types})")
    if len(told.pairs) > max(joined, _MOST_PAIRS):
        click.echo(f"{len(told.pairs) - max(joined, _MOST_PAIRS):,} more; --json lists all")
    if not told.is_complete:
        click.echo("Give --catalog CATALOG to see why other fields are not joined.")


def _show(found: GraphStatistics) -> None:
    def number(value: float | None, layout: str) -> str:
        return "-" if value is None else format(value, layout)

    repeated = f"; {found.duplicate_edges:,} more links repeat one of them" if found.duplicate_edges else ""
    click.echo(f"{found.nodes:,} tools, {found.edges:,} edges{repeated}")
    click.echo(
        f"density {number(found.density, '.4f')}, mean out-degree {number(found.mean_out_degree, '.2f')}; "
        f"{found.sources:,} tools without an edge to them, {found.sinks:,} without one from them"
    )
    reached = ", ".join(f"{printable(one.tool)} {one.edges:,}" for one in found.most_reached)
    click.echo(f"most edges to: {reached or '-'}")
    paths = ", ".join(f"{length} tools: {count:,}" for length, count in found.paths.items())
    click.echo(f"simple paths by length: {paths}")
