"""Tool graphs: our own and published ones, read and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from callwright.app.catalogs import read_catalog
from callwright.app.texts_making import AuthoredTexts, TextsAuthor, author_texts, kept_words
from callwright.errors import BadDocument, BadInput, unknown_name
from callwright.formats import document, graph_file, published_graphs
from callwright.formats.published_graphs import Links
from callwright.graph.common_outputs import EVERY
from callwright.graph.field_texts import NO_WORDS
from callwright.graph.graph_build import NAMES, Criteria
from callwright.graph.graph_changes import GraphChange, changes
from callwright.graph.graph_explain import ExplainedPair, as_pairs, explain_pairs
from callwright.graph.graph_page import page_of, page_of_links
from callwright.graph.graph_texts import LAYOUTS
from callwright.graph.statistics import GraphStatistics, statistics
from callwright.records.jsontext import whole
from callwright.records.tool import Catalog
from callwright.records.tool_graph import ToolEdge, ToolGraph


def read_links(path: str | Path) -> Links:
    """Return the tools and links of a graph file: ours, DICE-BENCH's or TaskBench's. Raises BadInput.

    Links between the same two tools over other fields are repeated; edges that somebody removed are left out.
    """
    found = read_any(path)
    if isinstance(found, Links):
        return found
    names = found.names
    return Links(tuple(names.values()), tuple((names[edge.source], names[edge.target]) for edge in found.standing))


def read_named(path: str | Path) -> ToolGraph:
    """Return a graph file with the names of tools as nodes, without edges that somebody removed. Raises BadInput.

    Edges of a published graph tell no fields; links that it repeats are one.
    """
    found = read_any(path)
    if isinstance(found, Links):
        edges = tuple(ToolEdge(source=source, target=target) for source, target in dict.fromkeys(found.links))
        return ToolGraph(nodes=found.nodes, edges=edges)
    names = found.names
    named = (msgspec.structs.replace(one, source=names[one.source], target=names[one.target]) for one in found.standing)
    return ToolGraph(nodes=tuple(names.values()), edges=tuple(named))


def read_any(path: str | Path) -> ToolGraph | Links:
    """Return the graph of a file: ours with its fields, a published one as links. Raises BadInput."""
    data = document.read_bounded(Path(path))
    if graph_file.fits(data):
        return graph_file.read(data, source=str(path))
    found = document.loads(data, where=str(path), syntax="json")
    if published_graphs.fits(found):
        return published_graphs.read(found, source=str(path))
    raise BadDocument(f"{path}: no tool graph. Give a graph.json, or a published graph with `nodes` and `links`.")


def read_graph(path: str | Path) -> ToolGraph:
    """Return the graph of one of our own files. Raises BadInput."""
    return graph_file.read(document.read_bounded(Path(path)), source=str(path))


class GraphMade(msgspec.Struct, frozen=True, kw_only=True):
    """The output of `callwright graph build`: the graph's size, and the pairs of fields refused, by reason."""

    tools: int
    edges: int
    """Pairs of an output and an input."""
    linked: int
    """Pairs of tools."""
    outputs: int
    inputs: int
    inferred: int
    """Edges whose output is not documented."""
    excluded: dict[str, int]
    """Pairs that are no edge, by reason."""
    texts: AuthoredTexts | None = None
    """What a model wrote; None where all texts are those of the documents."""
    edits_kept: int
    edits_lost: tuple[str, ...]
    """Edited edges whose tools the catalogue no longer has."""
    fields_unknown: tuple[str, ...]
    """Edited edges that name a field which their tool does not have: where, and what it has."""


def make_graph(
    source: str,
    out: str | Path,
    *,
    criteria: Criteria = "default",
    encoder: str | None = None,
    creating: bool = False,
    common: float = EVERY,
    stop: Sequence[str] = (),
    texts: TextsAuthor | None = None,
) -> GraphMade:
    """Build the tool graph of a catalogue and write it to `out`, keeping what people edited in a graph there.

    `criteria` are ours or ToolDial's (`paper`). `encoder` is a sentence encoder (see `catalog.sentence_encoder`); None
    stands for the lexical one. `texts` names a model that writes the texts which are compared. The other settings are
    those of `build_graph`. Raises BadInput.
    """
    from callwright.catalog.sentence_encoder import load
    from callwright.graph.graph_build import build_graph
    from callwright.graph.hand_edits import KeptEdits, keep_edits, unknown_fields
    from callwright.store.files import write_atomically

    out = Path(out)
    older = read_graph(out) if out.exists() else None
    catalog = read_catalog(source)
    encoding = load(encoder) if encoder else None
    written, authored = author_texts(catalog, out, texts) if texts else (NO_WORDS, None)
    built = build_graph(
        catalog, criteria=criteria, encoder=encoding, creating=creating, common=common, stop=stop, written=written
    )
    made = msgspec.structs.replace(
        built.made,
        source=whole(source),
        model=whole(encoder or ""),
        author=whole(authored.author) if authored else msgspec.UNSET,
    )
    graph = msgspec.structs.replace(built.graph, made=made)
    edits = keep_edits(graph, older) if older else KeptEdits(graph, 0, ())
    standing = edits.graph.standing
    write_atomically(out, [graph_file.write(edits.graph)])
    return GraphMade(
        tools=len(edits.graph.nodes),
        edges=len(standing),
        linked=len({(edge.source, edge.target) for edge in standing}),
        outputs=built.outputs,
        inputs=built.inputs,
        inferred=sum(edge.inferred for edge in standing),
        excluded=built.excluded,
        texts=authored,
        edits_kept=edits.kept,
        edits_lost=tuple(_said(edge, older) for edge in edits.lost) if older else (),
        fields_unknown=tuple(one.said() for one in unknown_fields(edits.graph, catalog)),
    )


def _said(edge: ToolEdge, graph: ToolGraph) -> str:
    names = graph.names
    return f"{names[edge.source]} {edge.output} -> {names[edge.target]} {edge.input}"


class LinkShown(msgspec.Struct, frozen=True, kw_only=True, rename={"source": "from", "target": "to"}):
    """One edge of a graph as `callwright graph show --json --edges` prints it; None where the file tells nothing."""

    source: str
    target: str
    output: str | None = None
    input: str | None = None
    name: float | None = None
    keywords: float | None = None
    description: float | None = None
    types: bool | None = None


def shown_edges(path: str | Path) -> list[LinkShown]:
    """Return the edges of a graph file with their evidence, by the names of tools. Raises BadInput."""
    found = read_any(path)
    if isinstance(found, Links):
        return [LinkShown(source=source, target=target) for source, target in found.links]
    names = found.names
    shown = []
    for edge in found.standing:
        scores = {score.name: score.value for score in edge.scores}
        shown.append(
            LinkShown(
                source=names[edge.source],
                target=names[edge.target],
                output=edge.output,
                input=edge.input,
                name=scores.get("name"),
                keywords=scores.get("keywords"),
                description=scores.get("description"),
                types=bool(scores["types"]) if "types" in scores else None,
            )
        )
    return shown


class ExplainedLink(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of two tools of a graph."""

    source: str
    target: str
    pairs: tuple[ExplainedPair, ...]
    is_complete: bool
    """Whether pairs without an edge are among them: for these the catalogue is needed."""
    published_links: int | None = None
    """Links from the one to the other in a published graph, which tells no fields; None for one of ours."""


def explain_link(path: str | Path, source: str, target: str, *, catalog: str | None = None) -> ExplainedLink:
    """Return why the graph at `path` has an edge between two tools, given by name or key, or none. Raises BadInput.

    The catalogue is the one that the graph was made of, where it can still be read, or `catalog`.
    """
    found = read_any(path)
    if isinstance(found, Links):
        if catalog is not None:
            raise BadInput(f"{path}: a published graph is of no catalogue that could explain it. Leave --catalog out.")
        ends = tuple(_known_tool({name: name for name in found.nodes}, name, path) for name in (source, target))
        joined = found.links.count((ends[0], ends[1]))
        return ExplainedLink(source=source, target=target, pairs=(), is_complete=False, published_links=joined)
    return _explained(found, source, target, path, catalog)


def _explained(graph: ToolGraph, source: str, target: str, path: str | Path, catalog: str | None) -> ExplainedLink:
    from callwright.catalog.sentence_encoder import load

    ends = [_known_tool(graph.names, name, path) for name in (source, target)]
    told = as_pairs(tuple(edge for edge in graph.edges if [edge.source, edge.target] == ends))
    tools = catalog_of_graph(graph, catalog)
    author = graph.made.author if graph.made and graph.made.author is not msgspec.UNSET else ""
    written = kept_words(tools, Path(path), author) if tools is not None and author else NO_WORDS
    if tools is None or graph.made is None or written is None:
        return ExplainedLink(source=source, target=target, pairs=told, is_complete=False)
    known = {(one.output, one.input) for one in told}
    every = explain_pairs(
        tools,
        (ends[0], ends[1]),
        criteria="paper" if graph.made.criteria == NAMES["paper"] else "default",
        encoder=load(graph.made.model) if graph.made.model else None,
        creating=graph.made.creating,
        common=graph.made.common,
        stop=graph.made.stop or (),
        written=written,
    )
    others = [one for one in every if (one.output, one.input) not in known]
    return ExplainedLink(source=source, target=target, pairs=(*told, *others), is_complete=True)


def catalog_of_graph(graph: ToolGraph, named: str | None) -> Catalog | None:
    """Return the catalogue that is named, else the one that a graph was made of; None where it is not there any more.

    Raises BadInput where the one that is named is not the graph's.
    """
    source = named or (graph.made.source if graph.made else "")
    try:
        found = read_catalog(source) if source else None
    except BadInput:
        if named:
            raise
        return None
    if found is not None and found.digest != graph.catalog:
        if named:
            raise BadInput(f"{named}: not the catalogue that the graph was made of. Build the graph again.")
        return None
    return found


def _known_tool(names: Mapping[str, str], name: str, path: str | Path) -> str:
    found = next((key for key, told in names.items() if name in (key, told)), None)
    if found is None:
        raise BadInput(f"{path}: no tool {name[:80]!r}. Give the name of a tool of the graph.")
    return found


def compare_graphs(old: str | Path, new: str | Path) -> GraphChange:
    """Return the differences of two graph files (see `changes`). Raises BadInput."""
    return changes(read_named(old), read_named(new))


def graph_page(path: str | Path) -> str:
    """Return the picture of a graph file as one HTML page. Raises BadInput."""
    found = read_any(path)
    return page_of_links(*found) if isinstance(found, Links) else page_of(found)


def export_graph(path: str | Path, layout: str) -> str:
    """Return a graph file as text in the layout `graphml`, `dot` or `csv`. Raises BadInput."""
    if layout not in LAYOUTS:
        raise unknown_name("layout of graphs", layout, list(LAYOUTS))
    return LAYOUTS[layout](read_named(path))


def graph_statistics(path: str | Path) -> GraphStatistics:
    """Return the statistics of a graph file (see `read_links`). Raises BadInput."""
    return statistics(*read_links(path))
