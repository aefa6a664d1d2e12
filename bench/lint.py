"""Time and memory of lint, neighbours and retrieval on large catalogues, made by perturbing real tools.

    python bench/lint.py [--tools 3000 47000] [--data ../shared/data] [--copies] [--formula paper]
                         [--encoder minilm | stand-in]

Prints one line a figure: wall time, and processor time of all threads, which a busy machine does not stretch. Each size
runs in a process of its own, so that its peak memory is its own. Encoding is timed apart; `stand-in` is no encoder but
384 random numbers for each text, for the time of the products. The targets: 47,000 tools within 300 s and 4 GB on two
cores, 3,000 within 10 s.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

import numpy as np

from callwright.catalog.lint import lint
from callwright.catalog.neighbours import nearest
from callwright.catalog.retrieval import Retriever
from callwright.catalog.sentence_encoder import load
from callwright.catalog.vectors import DenseVectors, Encoder
from callwright.errors import BadInput
from callwright.formats.layouts import read_source
from callwright.formats.names import valid_name
from callwright.lang.tokens import identifier_words
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, Tool

DATA = Path(__file__).parents[1] / "../shared/data"
QUERY = "Could you look up what my customer booked in Paris last week, and send me the details of the hotel?"
T = TypeVar("T")


def real_tools(data: Path) -> list[Tool]:
    """Return the bundled tools and those of every file of `data` that can be read as a catalogue."""
    sources = ["builtin/enterprise", *(str(path) for path in sorted(data.glob("*/**/*.*")))]
    return list(dict.fromkeys(tool for source in sources for tool in _readable(source)))


def _readable(source: str) -> tuple[Tool, ...]:
    try:
        return read_source(source).tools
    except BadInput:
        return ()


class Perturbation:
    """Makes tools that resemble real ones as the tools of one large market resemble each other."""

    def __init__(self, tools: list[Tool], seed: int) -> None:
        self.tools = tools
        self.rng = Random(seed)
        self.name_words = sorted({word for tool in tools for word in identifier_words(tool.name)})
        self.words = sorted({word for tool in tools for word in tool.description.split()})
        self.keys = sorted({name for tool in tools for name in tool.properties})

    def catalog(self, count: int) -> Catalog:
        """Return `count` tools with distinct names, the real ones first."""
        made = {tool.name: tool for tool in self.tools[:count]}
        while len(made) < count:
            tool = self.variant(self.rng.choice(self.tools))
            made.setdefault(tool.name, tool)
        return Catalog(tools=tuple(made.values()))

    def variant(self, tool: Tool) -> Tool:
        """Return a tool with other words in name and description, and other parameters, about a third of each."""
        changed = self.rng.uniform(0.05, 0.6)
        parts = list(self._changed(identifier_words(tool.name), self.name_words, changed))
        if self.rng.random() < 0.5:
            parts.insert(self.rng.randrange(len(parts) + 1), self.rng.choice(self.name_words))
        description = " ".join(self._changed(tool.description.split(), self.words, changed))
        name = valid_name("_".join(parts))
        return Tool(name=name, description=description, parameters=self._parameters(tool, changed))

    def _changed(self, words: list[str], others: list[str], share: float) -> Iterator[str]:
        """Each word as it is, replaced, or (of three or more) left out."""
        for word in words:
            if self.rng.random() >= share:
                yield word
            elif self.rng.random() < 0.7 or len(words) < 3:
                yield self.rng.choice(others)

    def _parameters(self, tool: Tool, share: float) -> str:
        names = {name: name if self.rng.random() >= share else self.rng.choice(self.keys) for name in tool.properties}
        properties: dict[str, Json] = {names[name]: schema for name, schema in tool.properties.items()}
        required: list[Json] = [*dict.fromkeys(names[name] for name in tool.required if self.rng.random() >= share / 3)]
        return encode({"type": "object", "properties": properties, "required": required})


def timed(what: str, work: Callable[[], T]) -> T:
    """Run `work`, print its wall time, return its result."""
    start, used = time.perf_counter(), time.process_time()
    result = work()
    print(f"{what:<30}{time.perf_counter() - start:8.2f} s, processor {time.process_time() - used:8.2f} s", flush=True)
    return result


class StandIn:
    """Random directions about a common one (mean cosine .3), in place of an encoder's 384 dimensions."""

    signature = "stand-in"

    def vectors(self, texts: Sequence[str]) -> DenseVectors:
        """Return one direction for each distinct text."""
        rng = np.random.default_rng(7)
        known = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        drawn = rng.standard_normal((len(known), 384), dtype=np.float32) + 0.65 * rng.standard_normal(384)
        drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
        return DenseVectors(drawn.astype(np.float32)[[known[text] for text in texts]])

    def cosine(self, a: str, b: str) -> float:
        """No single texts are compared here."""
        raise NotImplementedError


def encoder_for(name: str, catalog: Catalog) -> Encoder:
    """Return the encoder, with the catalogue's descriptions encoded."""
    if name == "stand-in":
        return StandIn()
    encoder = timed("loading the encoder", lambda: load(name))
    timed("encoding the descriptions", lambda: encoder.vectors([tool.description for tool in catalog.tools]))
    return encoder


def near_copies(tools: list[Tool], count: int, seed: int) -> Catalog:
    """Return `count` tools that are all near-copies of one: most pairs are near-duplicates."""
    rng, tool = Random(seed), max(tools, key=lambda tool: len(tool.required))
    return Catalog(
        tools=tuple(
            Tool(
                name=f"{tool.name}_{index}",
                description=" ".join(word for word in tool.description.split() if rng.random() < 0.9),
                parameters=tool.parameters,
            )
            for index in range(count)
        )
    )


def measure(options: argparse.Namespace, size: int) -> None:
    """Print the figures of one size."""
    tools = real_tools(options.data)
    catalog = near_copies(tools, size, 7) if options.copies else Perturbation(tools, 7).catalog(size)
    print(f"\n{size:,} tools from {len(tools):,} real ones; {_peak():,.0f} MB before")
    encoder = encoder_for(options.encoder, catalog) if options.encoder else None
    report = timed("lint", lambda: lint(catalog, formula=options.formula, encoder=encoder))
    print(
        f"  {report.pairs_total:,} pairs, {report.near_duplicate_share:.1%} of tools, {len(report.families):,} "
        f"families, {len(report.findings):,} findings; peak memory {_peak():,.0f} MB"
    )
    if options.copies or options.encoder:
        return
    timed("nearest, k = 5", lambda: nearest(catalog.tools, 5))
    retriever = timed("retriever", partial(Retriever, catalog.tools))
    start = time.perf_counter()
    for _ in range(50):
        retriever.search(QUERY, 6)
    print(f"  a query of {len(QUERY.split())} words {(time.perf_counter() - start) / 50 * 1e6:,.0f} µs")
    print(f"  peak memory {_peak():,.0f} MB")


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    """Measure each size in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=int, nargs="+", default=[3000, 47000])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--copies", action="store_true", help="near-copies of one tool in place of perturbed ones")
    parser.add_argument("--formula", choices=("meaning", "paper"), default="meaning")
    parser.add_argument("--encoder", help="sentence encoder, or `stand-in`")
    options = parser.parse_args()
    if len(options.tools) == 1:
        measure(options, options.tools[0])
        return
    for size in options.tools:
        again = [sys.executable, __file__, "--tools", str(size), "--data", str(options.data)]
        encoder = ["--encoder", options.encoder] if options.encoder else []
        subprocess.run(again + ["--copies"] * options.copies + encoder, check=True)


if __name__ == "__main__":
    main()
