"""Builds a graph whose descriptions lie at the threshold as nearly as float32 can tell, in blocks of several sizes.

    python graphs_near_threshold.py CELLS...

prints a digest of the bytes of `graph.json` for each number of cells of a block, and the number of edges. The number
of threads is that of the environment (`OPENBLAS_NUM_THREADS` and its like).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from graph_catalogs import one_of, tool

from callwright.catalog.vectors import DenseVectors
from callwright.formats.graph_file import write
from callwright.graph.equation_one import Thresholds
from callwright.graph.graph_build import build_graph
from callwright.records.tool import Catalog

SIDE = 120
"""Tools that supply, and as many that need."""
SHARED = 300
"""Coordinates in which every description says the same."""


class AtThreshold:
    """Vectors whose product is the threshold of descriptions, but for a few units of the last place of float32."""

    signature = "at-threshold"

    def vectors(self, texts: Sequence[str]) -> DenseVectors:
        """Rows with a common part, the square root of the threshold, and a part of their own."""
        common = np.random.default_rng(0).standard_normal(SHARED)
        common /= np.linalg.norm(common)
        rows = np.zeros((len(texts), SHARED + 3 * SIDE))
        for row, text in zip(rows, texts, strict=True):
            own = int(re.findall(r"number (\d+)", text)[0])
            share = Thresholds().description * (1 + 2e-7 * np.random.default_rng(own).standard_normal())
            row[:SHARED] = common * np.sqrt(share)
            row[SHARED + own] = np.sqrt(1 - share)
        return DenseVectors(rows.astype(np.float32))

    def cosine(self, a: str, b: str) -> float:
        """The product in float64."""
        return float(self.vectors([a, b]).products(np.array([0]), np.array([1]))[0])


def catalog() -> Catalog:
    """Tools that return a key, and tools that ask for one; each field has a number in its description."""

    def told(number: int, kind: str = "string") -> dict[str, str]:
        return {"type": kind, "description": f"The key number {number}"}

    made = []
    for at in range(0, 3 * SIDE, 3):
        made += [
            tool(f"show_{at}", f"GET /show{at}", returns=one_of({"access_key": told(at)})),
            tool(
                f"fetch_{at}",
                f"GET /fetch{at}",
                needs={"access_key": told(at + 1)},
                returns=one_of({"fetched": told(at + 2, "boolean")}),
            ),
        ]
    return Catalog(tools=tuple(made))


if __name__ == "__main__":
    for cells in sys.argv[1:]:
        made = build_graph(catalog(), criteria="paper", encoder=AtThreshold(), block_cells=int(cells)).graph
        print(sha256(write(made)).hexdigest(), len(made.edges))
