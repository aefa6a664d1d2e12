"""Equation 1: the fast version equals a slow one, whatever the size of a block; thresholds are strict."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.lexical import fit
from callwright.catalog.vectors import DenseVectors
from callwright.graph.equation_one import Thresholds, matches
from callwright.graph.field_texts import FieldText
from callwright.graph.likenesses import name_likeness

WORDS = "file user id name of the owner folder".split()
SAID = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
TEXT = st.builds(lambda name, told, more: FieldText(name, told, f"{told} {more}".strip()), SAID, SAID, SAID)
TEXTS = st.lists(TEXT, max_size=8)


class Table:
    """Vectors of float32 that a table gives, as a sentence encoder would."""

    signature = "table"

    def __init__(self, known: dict[str, Sequence[float]]) -> None:
        self.known = known

    def vectors(self, texts: Sequence[str]) -> DenseVectors:
        """The rows of the table."""
        return DenseVectors(np.array([self.known[text] for text in texts], dtype=np.float32).reshape(len(texts), -1))

    def cosine(self, a: str, b: str) -> float:
        """The product in float64, number by number."""
        rows = zip(np.float32(self.known[a]).tolist(), np.float32(self.known[b]).tolist(), strict=True)
        return sum(one * other for one, other in rows)


def slow_lcs(one: str, other: str) -> int:
    """Length of the longest common subsequence, by the table of the textbook."""
    row = [0] * (len(other) + 1)
    for char in one:
        before = row
        row = [0]
        for place, theirs in enumerate(other):
            row.append(before[place] + 1 if char == theirs else max(before[place + 1], row[place]))
    return row[-1]


def slow_name(one: str, other: str) -> float:
    """Longest common subsequence over the mean length."""
    a, b = ("".join(char for char in text.lower() if char.isalnum()) for text in (one, other))
    return 2 * slow_lcs(a, b) / (len(a) + len(b)) if a or b else 0.0


@given(st.text(max_size=12), st.text(max_size=12))
def test_likeness_of_names_is_the_longest_common_subsequence(one: str, other: str) -> None:
    """Over the mean length, on lower-cased letters and digits, exact to the last digit."""
    assert name_likeness(one, other) == slow_name(one, other)


@given(TEXTS, TEXTS, st.integers(1, 40), st.sampled_from([(0.83, 0.5, 0.77), (0.5, 0.0, 0.0), (0.4, 0.9, 0.3)]))
def test_matches_equal_those_of_a_double_loop(
    outputs: list[FieldText], inputs: list[FieldText], cells: int, least: tuple[float, float, float]
) -> None:
    """Any texts, repeated ones included, in blocks of any size; every pair is counted."""
    thresholds = Thresholds(*least)
    encoder = fit([text for one in (*outputs, *inputs) for text in one])
    slow = [
        (place, other)
        for place, one in enumerate(outputs)
        for other, two in enumerate(inputs)
        if encoder.cosine(one.description, two.description) > thresholds.description + 1e-12
        and encoder.cosine(one.keywords, two.keywords) > thresholds.keywords + 1e-12
        and slow_name(one.name, two.name) > thresholds.name
    ]

    found = matches(outputs, inputs, encoder, thresholds=thresholds, block_cells=cells)

    assert list(zip(found.output.tolist(), found.input.tolist(), strict=True)) == slow
    fails = found.description_fails + found.keywords_fail + found.name_fails
    assert fails + len(slow) == len(outputs) * len(inputs)


@pytest.mark.parametrize(("cosine", "matched"), [(0.5, 0), (0.5 + 2**-20, 1), (0.5 - 2**-20, 0)])
def test_thresholds_are_strict_where_float32_cannot_tell(cosine: float, matched: int) -> None:
    """A cosine of exactly the threshold does not exceed it; what lies near it is multiplied again."""
    table = Table({"o": (1.0, 0.0), "i": (cosine, sqrt(1 - cosine * cosine))})
    text = [FieldText("file id", "o", "o")], [FieldText("file id", "i", "i")]

    found = matches(*text, table, thresholds=Thresholds(0.83, 0.1, 0.5))

    assert len(found.output) == matched


def test_a_name_of_exactly_the_threshold_does_not_match() -> None:
    """83 of 100 characters in common are not more than .83."""
    a, b = "x" * 83 + "y" * 17, "x" * 83 + "z" * 17
    table = Table({"d": (1.0,)})

    found = [
        len(
            matches([FieldText(a, "d", "d")], [FieldText(b, "d", "d")], table, thresholds=Thresholds(name=least)).output
        )
        for least in (0.83, 0.829)
    ]

    assert found == [0, 1]


def test_the_size_of_a_block_changes_nothing() -> None:
    """Random vectors with many cosines near the threshold, in one block and in blocks of single rows."""
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((60, 8)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    table = Table({f"t{place}": row.tolist() for place, row in enumerate(rows)})
    outputs = [FieldText("id", f"t{place}", f"t{place}") for place in range(30)]
    inputs = [FieldText("id", f"t{place}", f"t{place}") for place in range(30, 60)]
    edge = table.cosine("t3", "t40")

    found = [
        matches(outputs, inputs, table, thresholds=Thresholds(0.5, -1.0, edge), block_cells=cells)
        for cells in (1, 37, 10_000)
    ]

    assert len(found[0].output) > 5
    assert len({(one.output.tobytes(), one.input.tobytes()) for one in found}) == 1
    assert (3, 10) not in set(zip(found[0].output.tolist(), found[0].input.tolist(), strict=True))


def test_keywords_are_encoded_of_fields_with_alike_descriptions_alone() -> None:
    """A model takes milliseconds for each text, and most fields of a catalogue are like no other."""
    encoded: list[str] = []

    class Noting(Table):
        def vectors(self, texts: Sequence[str]) -> DenseVectors:
            encoded.extend(texts)
            return super().vectors(texts)

    known = {"a": (1.0, 0.0), "b": (0.0, 1.0), "c": (-1.0, 0.0)}
    table = Noting(known | {f"{text} {more}": row for text, row in known.items() for more in "xyz"})
    outputs = [FieldText("id", text, f"{text} {more}") for text in "abc" for more in "xy"]
    inputs = [FieldText("id", "a", "a z"), FieldText("id", "b", "b z")]

    found = matches(outputs, inputs, table)

    assert list(zip(found.output.tolist(), found.input.tolist(), strict=True)) == [(0, 0), (1, 0), (2, 1), (3, 1)]
    assert encoded == ["a", "b", "c", "a", "b", "a x", "a y", "b x", "b y", "a z", "b z"]


def test_threads_and_blocks_change_no_byte_of_the_graph() -> None:
    """The file is the same, though float32 puts many pairs on either side of the threshold, by block and by thread."""
    script = Path(__file__).with_name("graphs_near_threshold.py")
    said = []
    for threads in ("1", "2"):
        count = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        command = [sys.executable, str(script), "1", "1000", "20000", "1000000"]
        path = os.pathsep.join(sys.path)
        done = subprocess.run(command, env=os.environ | count | {"PYTHONPATH": path}, capture_output=True, check=True)
        said += done.stdout.decode().splitlines()

    digest, edges = said[0].split()
    assert said == [f"{digest} {edges}"] * 8
    assert int(edges) > 1000
