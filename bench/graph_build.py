"""Time and memory of Equation 1 over large catalogues, with the share of each stage.

    python bench/graph_build.py [--outputs 25000] [--inputs 20000] [--sample 300] [--minilm]

The texts are all different, and 1 % of the pairs pass the threshold of descriptions. Encoding is apart: vectors are
drawn in 384 dimensions; `--minilm` prints how long that model encodes 500 such texts, and all of them at that speed.
Each size runs in a process of its own, so that its peak memory is its own: the sizes asked for, and half of them, which
tells how the cost grows. The plain double loop compares a sample of pairs, one by one. Target: 25,000 x 20,000 within
60 s and 2 GB on two cores.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

import numpy as np

from callwright.catalog.sentence_encoder import load
from callwright.catalog.vectors import DenseVectors
from callwright.graph.equation_one import Thresholds, matches
from callwright.graph.field_texts import FieldText
from callwright.graph.likenesses import name_likeness

WIDTH = 384
GROUPS = 100
"""Descriptions of one group are alike: so 1 % of the pairs are."""
WORDS = "file user owner folder message team event invoice project comment channel task report group policy".split()


class Drawn:
    """Stands in for a sentence encoder: vectors near the centre of a text's group."""

    signature = "drawn"

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.centres = self.rng.standard_normal((GROUPS, WIDTH), dtype=np.float32)

    def vectors(self, texts: Sequence[str]) -> DenseVectors:
        """Return unit vectors with cosines of about .83 within a group and about 0 between groups."""
        groups = np.array([int(text.split(" ", 1)[0]) for text in texts])
        rows = self.centres[groups]
        rows += 0.45 * self.rng.standard_normal(rows.shape, dtype=np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return DenseVectors(rows)

    def cosine(self, a: str, b: str) -> float:
        """Return nothing of use: the bench compares by `vectors`."""
        raise NotImplementedError


def texts(count: int, seed: int) -> list[FieldText]:
    """Return different texts, each of a group that its first word names."""
    rng = Random(seed)
    made = []
    for place in range(count):
        said = " ".join(rng.choices(WORDS, k=6))
        told = f"{rng.randrange(GROUPS)} {seed} {place} {said}"
        made.append(FieldText(f"{said} {place}", told, f"{told} keywords"))
    return made


class Stages:
    """Wall time of each stage."""

    def __init__(self) -> None:
        self.seconds = Counter[str]()

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - start  # type: ignore[assignment]


def measure(outputs: int, inputs: int, sample: int) -> None:
    """Print what one size takes."""
    ones, others, stages, encoder = texts(outputs, 1), texts(inputs, 2), Stages(), Drawn(3)
    start, used = time.perf_counter(), time.process_time()
    found = matches(ones, others, encoder, stage=stages)
    wall, cpu = time.perf_counter() - start, time.process_time() - used
    encoding = stages.seconds.pop("encode")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    passed = 1 - found.description_fails / (outputs * inputs)
    print(
        f"{outputs:,} x {inputs:,}: {wall - encoding:.1f} s wall, {cpu:.1f} s of processors with drawing, {peak:.2f} GB"
    )
    print(f"  {passed:.2%} pass the descriptions, {len(found.output):,} match; drawing vectors {encoding:.1f} s, apart")
    rest = wall - encoding - sum(stages.seconds.values())
    for name, seconds in (*stages.seconds.most_common(), ("texts", rest)):
        print(f"  {name:<13}{seconds:6.1f} s  {seconds / (wall - encoding):4.0%}")
    each = double_loop(ones[:sample], others[:sample], encoder)
    ratio = each * outputs * inputs / (wall - encoding)
    print(f"  plain double loop: {each * 1e6:.2f} us a pair; {ratio:,.0f} times as long")


def double_loop(ones: Sequence[FieldText], others: Sequence[FieldText], encoder: Drawn) -> float:
    """Return the seconds for each pair, compared by itself."""
    rows = [
        encoder.vectors([one[place] for one in side])._rows.astype(np.float64)
        for place in (1, 2)
        for side in (ones, others)
    ]
    least, start = Thresholds(), time.perf_counter()
    for i, one in enumerate(ones):
        for j, other in enumerate(others):
            if rows[0][i] @ rows[1][j] > least.description and rows[2][i] @ rows[3][j] > least.keywords:
                name_likeness(one.name, other.name)
    return (time.perf_counter() - start) / max(1, len(ones) * len(others))


def main() -> None:
    """Measure the sizes asked for, each in a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--outputs", type=int, default=25_000)
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--minilm", action="store_true")
    given = parser.parse_args()
    if os.environ.get("GRAPH_BENCH_ONE"):
        measure(given.outputs, given.inputs, given.sample)
        return
    took: list[tuple[float, float]] = []
    for divisor in (2, 1):
        sizes = ["--outputs", str(given.outputs // divisor), "--inputs", str(given.inputs // divisor)]
        command = [sys.executable, __file__, *sizes, "--sample", str(given.sample)]
        told = subprocess.run(command, env=os.environ | {"GRAPH_BENCH_ONE": "1"}, check=True, stdout=subprocess.PIPE)
        print(told.stdout.decode(), end="", flush=True)
        wall, cpu = re.findall(r"([\d.]+) s (?:wall|of proc)", told.stdout.decode())
        took.append((float(wall), float(cpu)))
    wall, cpu = (after / before for before, after in zip(*took, strict=True))
    print(
        f"a catalogue twice as large, with 4 times the pairs: {wall:.1f} times the wall time, {cpu:.1f} of processors"
    )
    if given.minilm:
        encoder, start, used = load("minilm"), time.perf_counter(), time.process_time()
        encoder.vectors([text.description for text in texts(500, 7)])
        each, work = ((time.perf_counter() - start) / 500, (time.process_time() - used) / 500)
        every = 2 * (given.outputs + given.inputs)
        print(f"minilm: {1 / each:.0f} texts a second, {work * 1000:.0f} ms of processors for each")
        print(f"  {every:,} texts, each once with keywords: {each * every:,.0f} s, {work * every:,.0f} s of processors")


if __name__ == "__main__":
    main()
