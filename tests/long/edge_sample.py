"""Draw documents, edges and inputs for labellers of tool graphs, who see documents alone.

    python tests/long/edge_sample.py FOLDER OUT [--seed N] [--documents 14] [--edges 200] [--inputs 60] [--near 100]

FOLDER is that of `public_apis.py`. Documents come from its reporting half, without those that `edge_labels.jsonl` has.
OUT/tasks.md is for labellers: tools with inputs and outputs, pairs of an output and an input to mark, and inputs whose
sources are to be listed. OUT/key.jsonl has the pairs in the layout of `edge_labels.jsonl`, without labels. Edges are
drawn evenly by score, near misses from pairs of equal type whose last words are alike; both stand in one shuffled list.
No document gives more than twice its even share.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from edges import LABELS
from public_apis import documents, sample

import callwright
from callwright.graph.graph_build import build_graph
from callwright.graph.graph_fields import GraphField, ToolFields, fields_of
from callwright.lang.schemas import name_words

MOST_FIELDS = 420
MOST_OF_ONE = 2
"""Most pairs and inputs of one document, as a multiple of an even share."""
LEAST_EDGES = 8
Pair = dict[str, Any]


def pair(document: str, kind: str, ends: tuple[str, str, str, str]) -> Pair:
    source, output, target, input_ = ends
    return {"document": document, "kind": kind, "from": source, "output": output, "to": target, "input": input_}


def told(field: GraphField) -> str:
    return f"{field.place} ({field.type}) {' '.join(field.description.split())[:140]}".rstrip()


def near_misses(fields: ToolFields, edges: set[tuple[str, str, str, str]]) -> list[tuple[str, str, str, str]]:
    """Pairs that are no edge, of one type and with one last word of their names."""
    found = []
    for output in fields.outputs:
        for input_ in fields.inputs:
            source, target = fields.tools[output.tool], fields.tools[input_.tool]
            ends = (source.name, output.place, target.name, input_.place)
            is_alike = name_words(output.name)[-1:] == name_words(input_.name)[-1:] and output.type == input_.type
            if source is not target and is_alike and ends not in edges:
                found.append(ends)
    return found


def page(name: str, fields: ToolFields) -> list[str]:
    """What labellers see of a document."""
    lines = [f"\n# DOCUMENT {name}"]
    for place, tool in enumerate(fields.tools):
        lines.append(f"\n## {tool.name}  [{tool.source}]  {' '.join(tool.description.split())[:240]}")
        lines += [f"  in  {told(one)}" for one in fields.inputs if one.tool == place]
        lines += [f"  out {told(one)}" for one in fields.outputs if one.tool == place]
    return lines


def capped(pairs: list[Pair], count: int, documents: int) -> list[Pair]:
    """Return the first `count` pairs with no more of one document than it may have."""
    most, found, kept = MOST_OF_ONE * count // documents, Counter[str](), []
    for one in pairs:
        if found[one["document"]] < most:
            found[one["document"]] += 1
            kept.append(one)
    return kept[:count]


def evenly(edges: list[tuple[float, Pair]], random: Random) -> list[Pair]:
    """Order edges so that ten layers of score take turns."""
    ranked = [one for _, one in sorted(edges, key=lambda each: each[0])]
    layers = [ranked[len(ranked) * at // 10 : len(ranked) * (at + 1) // 10] for at in range(10)]
    for layer in layers:
        random.shuffle(layer)
    return [one for turn in zip_longest(*layers) for one in turn if one is not None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    for name, default in (("seed", 1), ("documents", 14), ("edges", 200), ("inputs", 60), ("near", 100)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    random = Random(asked.seed)
    root = documents(asked.folder)
    seen = {json.loads(line)["document"] for line in LABELS.read_text().splitlines()}
    lines: list[str] = []
    edges: list[tuple[float, Pair]] = []
    near: list[Pair] = []
    inputs: list[Pair] = []
    taken = 0
    for path in sample(root, "report", 400, random):
        name = str(path.relative_to(root)) if path.is_absolute() else str(path)
        if taken == asked.documents or name in seen:
            continue
        try:
            catalog = callwright.read_catalog(root / name)
        except callwright.CallwrightError:
            continue
        fields = fields_of(catalog)
        made = build_graph(catalog).graph
        if not 6 <= len(catalog.tools) <= 60 or len(fields.outputs) > MOST_FIELDS or len(made.edges) < LEAST_EDGES:
            continue
        taken += 1
        lines += page(name, fields)
        ends = {(made.names[one.source], one.output, made.names[one.target], one.input): one for one in made.edges}
        edges += [(one.confidence or 0.0, pair(name, "edge", each)) for each, one in ends.items()]
        near += [pair(name, "near", one) for one in near_misses(fields, set(ends))]
        inputs += [
            {"document": name, "kind": "sources", "to": fields.tools[one.tool].name, "input": one.place}
            for one in fields.inputs
            if one.kind not in ("boolean", "enum", "text", "date", "datetime")
        ]
    chosen = capped(evenly(edges, random), asked.edges, taken)
    chosen += capped(random.sample(near, len(near)), asked.near, taken)
    chosen.sort(key=lambda one: (one["document"], random.random()))
    picked = capped(random.sample(inputs, len(inputs)), asked.inputs, taken)
    picked.sort(key=lambda one: one["document"])
    lines.append("\n# PAIRS TO MARK")
    for at, one in enumerate(chosen):
        lines.append(f"P{at} [{one['document']}] {one['from']} {one['output']}  ->  {one['to']} {one['input']}")
    lines.append("\n# INPUTS WHOSE SOURCES ARE TO BE LISTED")
    lines += [f"I{at} [{one['document']}] {one['to']} {one['input']}" for at, one in enumerate(picked)]
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "tasks.md").write_text("\n".join(lines) + "\n")
    (asked.out / "key.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (*chosen, *picked)))
    print(f"{taken} documents, {len(chosen)} pairs, {len(picked)} inputs")


if __name__ == "__main__":
    main()
