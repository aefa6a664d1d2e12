from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from callwright.catalog.near_duplicates import AllPairs, SimilarityTally
from callwright.catalog.neighbours import nearest
from callwright.catalog.similarity import (
    WEIGHTS,
    Pair,
    Weights,
    description_encoder,
    pair_similarity,
)
from callwright.catalog.vectors import DenseVectors, Encoder, SparseVectors
from callwright.formats.layouts import read_source
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from near_pairs import near_duplicates

DATA = Path(__file__).parents[2] / "../shared/data"
WORDS = "order orders refund cancel list paid open user file folder box upload the of by".split()
TYPES: list[Json] = [{"type": "string"}, {"type": "integer"}, {"type": "array"}]


def random_tools(rng: Random, count: int) -> list[Tool]:
    """Tools from few words, so that many are alike."""

    def words(most: int) -> list[str]:
        return rng.choices(WORDS, k=rng.randrange(most + 1))

    def document() -> str:
        properties = {key: rng.choice(TYPES) for key in rng.sample(["id", "from", "to", "mode"], rng.randrange(4))}
        required = [key for key in properties if rng.random() < 0.7]
        return encode({"type": "object", "properties": dict(properties), "required": list[Json](required)})

    return [Tool(name="_".join(words(4)), description=" ".join(words(9)), parameters=document()) for _ in range(count)]


class RandomDirections:
    """An encoder that gives each text a direction of its own, drawn by its letters: cosines of either sign."""

    signature = "random-directions.v1"

    def vectors(self, texts: Sequence[str]) -> DenseVectors:
        return DenseVectors(np.array([self._direction(text) for text in texts], dtype=np.float32).reshape(-1, 8))

    def cosine(self, a: str, b: str) -> float:
        one, other = self._direction(a), self._direction(b)
        return float(one.astype(np.float64) @ other.astype(np.float64))

    def _direction(self, text: str) -> np.ndarray:
        rng = Random(text)
        drawn = np.array([rng.gauss(0, 1) for _ in range(8)])
        return (drawn / np.linalg.norm(drawn) if text else np.zeros(8)).astype(np.float32)


def brute_force(tools: list[Tool], encoder: Encoder, threshold: float, weights: Weights) -> list[Pair]:
    return [
        Pair(a, b, parts)
        for a in range(len(tools))
        for b in range(a + 1, len(tools))
        if (parts := pair_similarity(tools[a], tools[b], encoder, weights=weights)).score >= threshold - 1e-9
    ]


def assert_same(found: list[Pair], expected: list[Pair]) -> None:
    assert [(pair.a, pair.b) for pair in found] == [(pair.a, pair.b) for pair in expected]
    for one, other in zip(found, expected, strict=True):
        assert one.parts == pytest.approx(other.parts, abs=1e-12)


@given(
    st.integers(0, 10**9),
    st.integers(0, 40),
    st.sampled_from([0.0, 0.3, 0.6, 0.7, 0.85, 1.0]),
    st.sampled_from([WEIGHTS, Weights(0.0, 0.6, 0.4), Weights(0.9, 0.1, 0.0), Weights(0.0, 0.0, 1.0)]),
    st.integers(1, 2000),
    st.booleans(),
)
def test_pairs_are_those_of_the_definition(
    seed: int, count: int, threshold: float, weights: Weights, cells: int, dense: bool
) -> None:
    """Whatever threshold, weights, block size and encoder: the pairs and parts of the definition over all pairs."""
    tools = random_tools(Random(seed), count)
    encoder: Encoder = RandomDirections() if dense else description_encoder(tools)
    found = near_duplicates(tools, encoder=encoder, threshold=threshold, weights=weights, block_cells=cells)
    assert_same(found, brute_force(tools, encoder, threshold, weights))


def real_tools() -> list[Tool]:
    """A few hundred tools of five sources, among them families of look-alikes."""
    lists = (DATA / "wild/tools_en.jsonl").read_text("utf-8").splitlines()
    wild = [entry["function"] for line in lists for entry in json.loads(line)]
    listed = [
        Tool(name=one["name"], description=one.get("description", ""), parameters=encode(one.get("parameters", {})))
        for one in wild[::9]
    ]
    return [
        *listed,
        *read_source("builtin/enterprise").tools,
        *read_source(str(DATA / "openapi/box.json")).tools[:90],
        *read_source(str(DATA / "openapi/slack_v2.json")).tools[:60],
        *read_source(str(DATA / "openapi/twilio_conversations.json")).tools[:50],
    ]


@pytest.mark.skipif(not DATA.exists(), reason="real tool documents are not here")
def test_pairs_of_real_tools_are_those_of_the_definition() -> None:
    """On more than a hundred real tools of five sources the pairs and parts are those of the definition."""
    tools = real_tools()[::3]
    found = near_duplicates(tools, block_cells=30_000)
    assert len(found) > 30
    assert_same(found, brute_force(tools, description_encoder(tools), 0.7, WEIGHTS))


@given(st.integers(0, 10**9), st.integers(1, 60), st.integers(0, 30), st.integers(1, 3000))
@settings(max_examples=40, deadline=None)
def test_tally_is_that_of_the_whole_list(seed: int, count: int, most: int, cells: int) -> None:
    """Total, tools concerned and the most alike are those of the list of all pairs."""
    tools = random_tools(Random(seed), count)
    expected = brute_force(tools, description_encoder(tools), 0.7, WEIGHTS)
    compared = AllPairs(tools, block_cells=cells)
    tally = SimilarityTally(compared, len(tools), most=most)
    for near in compared.blocks():
        tally.add(near)
    assert tally.total == len(expected)
    assert tally.alike == len({index for pair in expected for index in pair[:2]})
    assert len(tally.pairs) == min(most, len(expected))
    by_score = sorted(expected, key=lambda pair: (-round(pair.parts.score, 12), pair.a, pair.b))
    assert [round(pair.parts.score, 12) for pair in tally.pairs] == [
        round(pair.parts.score, 12) for pair in by_score[:most]
    ]
    assert all(pair.parts == pytest.approx(_found(expected, pair).parts, abs=1e-12) for pair in tally.pairs)


def _found(pairs: list[Pair], wanted: Pair) -> Pair:
    return next(pair for pair in pairs if pair[:2] == wanted[:2])


def test_of_equal_pairs_the_first_are_kept() -> None:
    """Where all pairs are equally alike, those stand in the list that come first."""
    tools = [Tool(name=f"get_order_{index:03}", description="Gets the order of a client") for index in range(300)]
    tally = SimilarityTally(compared := AllPairs(tools), len(tools), most=3)
    for near in compared.blocks():
        tally.add(near)
    assert tally.total == 300 * 299 // 2
    assert [pair[:2] for pair in tally.pairs] == [(0, 1), (0, 2), (0, 3)]


@given(st.integers(0, 10**9), st.integers(1, 90), st.integers(1, 30))
@settings(max_examples=40, deadline=None)
def test_blocks_are_right_within_their_slack(seed: int, count: int, width: int) -> None:
    """Float32 products, dense, sparse or mixed, lie within `slack` of the exact ones."""
    rng = np.random.default_rng(seed)
    rows = rng.random((count, width)) * (rng.random((count, width)) < rng.random(width))
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    exact = rows @ rows.T
    signed = (rows * rng.choice([-1.0, 1.0], rows.shape)).astype(np.float32)
    for vectors, products in (
        (SparseVectors(csr_matrix(rows)), exact),
        (DenseVectors(signed), signed.astype(np.float64) @ signed.T.astype(np.float64)),
    ):
        start, stop = count // 3, count // 2 + 1
        assert np.abs(vectors.block(start, stop, first=start) - products[start:stop, start:]).max() <= vectors.slack
        a, b = (found.ravel() for found in np.indices(products.shape))
        assert vectors.products(a, b) == pytest.approx(products.ravel(), abs=1e-12)


def test_neighbours_follow_the_encoder_given() -> None:
    """The nearest tools are those of the encoder that was named."""
    tools = random_tools(Random(3), 30)
    encoder = RandomDirections()
    found = nearest(tools, 3, encoder=encoder, block_cells=100)
    assert found != nearest(tools, 3)
    assert found == nearest(tools, 3, encoder=encoder)
    assert all(-1.0 <= neighbour.score <= 1.0 + 1e-6 for near in found for neighbour in near)
