"""Precision and recall of tool graphs on labels of public API documents (`edge_labels.jsonl`).

    python tests/long/edges.py FOLDER [--criteria default|paper] [--encoder minilm] [--wrong]
           [--judge]

FOLDER is that of `public_apis.py`, which fetches the documents. Two labellers saw the documents alone. A label is `v`
(the output supplies the input) or `x`, one letter a labeller; pairs on which they differ are left out. `edge` pairs
were drawn from graphs of an earlier version, evenly by score, and `near` pairs are near misses. `sources` has, for
inputs drawn by chance, every output that supplies them. `--wrong` prints the edges that both labellers call wrong.
`--judge` counts no graph: it compares the verdicts of `builtin/schema` on the labelled pairs with their labels.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

from public_apis import documents

from callwright.app.catalogs import read_catalog
from callwright.app.graphs import make_graph, read_graph
from callwright.environment.returns import with_returns
from callwright.graph.edge_evaluation import evaluate_judge
from callwright.graph.edge_judging import EdgeQuestion
from callwright.graph.edge_simulator import simulated_verdict

SAMPLES = (20, 14, 14, 14, 14)
"""The number of documents of each sample, in the order of the labels."""
LABELS = Path(__file__).with_name("edge_labels.jsonl")
Edge = tuple[str, str, str, str]


def edges_of(document: Path, asked: argparse.Namespace) -> set[Edge]:
    """The edges of a document's graph, by the names of tools."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "graph.json"
        make_graph(str(document), out, criteria=asked.criteria, encoder=asked.encoder)
        graph = read_graph(out)
    names = graph.names
    return {(names[edge.source], edge.output, names[edge.target], edge.input) for edge in graph.edges}


def drawn(label: dict[str, Any]) -> Edge:
    return label["from"], label["output"], label["to"], label["input"]


def found_sources(label: dict[str, Any], edges: set[Edge]) -> tuple[int, int]:
    """How many sources of an input are edges, and how many both labellers named."""
    one, other = (set(sources) for sources in label["labels"])
    made = {f"{edge[0]}:{edge[1]}" for edge in edges if edge[2:] == (label["to"], label["input"])}
    return len(one & other & made), len(one & other)


def verdicts_of(document: Path, labels: list[dict[str, Any]]) -> dict[Edge, bool]:
    """The verdicts of `builtin/schema` on labelled pairs of a document."""
    catalog = read_catalog(str(document))
    asked, told = catalog.by_name, with_returns(catalog).by_name
    return {
        (source, output, target, input_): simulated_verdict(
            EdgeQuestion(told[source], output, asked[target], input_)
        ).compatible
        for source, output, target, input_ in map(drawn, labels)
    }


def show_judge(root: Path, labels: list[dict[str, Any]]) -> None:
    """Print how far the verdicts of `builtin/schema` agree with labels on which both labellers agree."""
    by_document: dict[str, list[dict[str, Any]]] = {}
    for one in labels:
        if one["labels"] in ("vv", "xx"):
            by_document.setdefault(one["document"], []).append(one)
    known, given = {}, {}
    for name, those in by_document.items():
        given |= {(name, *ends): verdict for ends, verdict in verdicts_of(root / name, those).items()}
        known |= {(name, *drawn(one)): one["labels"] == "vv" for one in those}
    found = evaluate_judge(given, known)
    for name, value in (("precision", found.precision), ("MCC", found.mcc), ("kappa", found.kappa)):
        print(f"{name} {value.value:.3f} [{value.low:.3f}, {value.high:.3f}]")
    print(f"{found.n} pairs of {len(by_document)} documents")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--criteria", default="default")
    parser.add_argument("--encoder")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--judge", action="store_true")
    asked = parser.parse_args()
    labels = [json.loads(line) for line in LABELS.read_text().splitlines()]
    root = documents(asked.folder)
    if asked.judge:
        show_judge(root, labels)
        return
    names = list(dict.fromkeys(one["document"] for one in labels))
    edges = {name: edges_of(root / name, asked) for name in names}
    begins = iter(names)
    for number, size in enumerate(SAMPLES, 1):
        own = {*islice(begins, size)}
        show_counts(f"sample {number}", [one for one in labels if one["document"] in own], edges)
    made = show_counts("all", labels, edges)
    for one in made if asked.wrong else ():
        if one["labels"] == "xx":
            print(one["document"], *drawn(one))


def show_counts(name: str, labels: list[dict[str, Any]], edges: dict[str, set[Edge]]) -> list[dict[str, Any]]:
    """Print what the labels of a sample say of the graphs; return those of pairs that are edges."""
    print(f"-- {name}")
    agreed = [one for one in labels if one["labels"] in ("vv", "xx")]
    made = [one for one in agreed if drawn(one) in edges[one["document"]]]
    for kind in ("edge", "near"):
        valid = sum(one["labels"] == "vv" for one in made if one["kind"] == kind)
        print(f"{kind}: {valid} of {sum(one['kind'] == kind for one in made)} that are edges are valid")
        valid = sum(one["labels"] == "vv" for one in agreed if one["kind"] == kind and one not in made)
        print(f"{kind}: {valid} valid ones of {sum(one['kind'] == kind for one in agreed)} are no edges")
    found = [found_sources(one, edges[one["document"]]) for one in labels if one["kind"] == "sources"]
    found = [(hit, all_) for hit, all_ in found if all_]
    print(f"sources: {sum(hit for hit, _ in found)} of {sum(all_ for _, all_ in found)} are edges", end="; ")
    print(f"{statistics.fmean(hit / all_ for hit, all_ in found):.3f} of those of an input, over {len(found)} inputs")
    return made


if __name__ == "__main__":
    main()
