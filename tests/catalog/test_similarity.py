from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callwright.catalog.lexical import fit, tool_text
from callwright.catalog.neighbours import nearest
from callwright.catalog.parameter_types import base_type, required_types
from callwright.catalog.similarity import (
    WEIGHTS,
    Pair,
    Weights,
    checked_weights,
    description_encoder,
    name_similarity,
    pair_similarity,
    parameter_similarity,
    to_pool,
)
from callwright.errors import BadInput
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from near_pairs import near_duplicates

WILD = Path(__file__).parents[2] / "../shared/data/wild/tools_en.jsonl"


def tool(name: str, description: str = "", *, required: dict[str, Json] | None = None, **optional: Json) -> Tool:
    required = required or {}
    schema = {"type": "object", "properties": {**required, **optional}, "required": list(required)}
    return Tool(name=name, description=description, parameters=encode(schema))


def slow_common_subsequence(a: str, b: str) -> int:
    @lru_cache(None)
    def best(i: int, j: int) -> int:
        if i == len(a) or j == len(b):
            return 0
        return 1 + best(i + 1, j + 1) if a[i] == b[j] else max(best(i + 1, j), best(i, j + 1))

    return best(0, 0)


TYPES = st.sampled_from([{"type": "string"}, {"type": "integer"}, {"type": "string", "format": "date"}, {}])
TOOLS = st.builds(
    lambda name, description, required: tool(name, description, required=required),
    st.text(alphabet="abAB_1", max_size=6),
    st.lists(st.sampled_from(["refund", "orders", "order", "the", "cancel"]), max_size=5).map(" ".join),
    st.dictionaries(st.sampled_from(["id", "from", "to", "mode"]), TYPES, max_size=4),
)
POOLS = st.lists(TOOLS, max_size=12)


def brute_force(tools: list[Tool], threshold: float, weights: Weights = WEIGHTS) -> list[Pair]:
    encoder = description_encoder(tools)
    return [
        Pair(a, b, parts)
        for a in range(len(tools))
        for b in range(a + 1, len(tools))
        if (parts := pair_similarity(tools[a], tools[b], encoder, weights=weights)).score >= threshold - 1e-9
    ]


def same(found: list[Pair], expected: list[Pair]) -> bool:
    return [(pair.a, pair.b) for pair in found] == [(pair.a, pair.b) for pair in expected] and all(
        one.parts == pytest.approx(other.parts, abs=1e-12) for one, other in zip(found, expected, strict=True)
    )


@given(st.text(alphabet="abcABC_", max_size=9), st.text(alphabet="abcABC_", max_size=9))
def test_name_part_is_the_common_subsequence(a: str, b: str) -> None:
    """The name part is 2·LCS/(|a|+|b|) of the lower-cased names, by subsequence and not by substring."""
    expected = 2 * slow_common_subsequence(a.lower(), b.lower()) / (len(a) + len(b)) if a or b else 1.0
    assert name_similarity(a, b) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({}, {}, 0.5),
        ({"id": {"type": "string"}}, {}, 0.0),
        ({"id": {"type": "string"}}, {"id": {"type": "string"}}, 1.0),
        ({"id": {"type": "string"}}, {"id": {"type": "integer"}}, 0.5),
        ({"id": {"type": "string"}}, {"to": {"type": "string"}}, 0.0),
        ({"id": {"type": "string"}, "to": {}}, {"id": {"type": "string"}}, 0.75),
        ({"id": {"type": "string"}, "to": {}}, {"id": {"type": "string"}, "to": {"type": "array"}}, 0.75),
    ],
)
def test_parameter_part(one: dict[str, Json], other: dict[str, Json], expected: float) -> None:
    """The parameter part is half the Jaccard index of required keys (1 if none) plus half the type agreement."""
    assert parameter_similarity(tool("a", required=one), tool("b", required=other)) == expected


def test_optional_parameters_do_not_count() -> None:
    """Only required keys enter the parameter part."""
    assert parameter_similarity(tool("a", mode={"type": "string"}), tool("b", mode={"type": "integer"})) == 0.5


def test_description_part_without_words_is_one_half() -> None:
    """Missing descriptions have cosine 0, also with each other, and equal ones cosine 1."""
    tools = [tool("a", ""), tool("b", ""), tool("c", "Refund an order"), tool("d", "refunding orders")]
    encoder = description_encoder(tools)
    assert pair_similarity(tools[0], tools[1], encoder).description == 0.5
    assert pair_similarity(tools[0], tools[2], encoder).description == 0.5
    assert pair_similarity(tools[2], tools[3], encoder).description == pytest.approx(1.0)


def test_score_is_the_weighted_sum() -> None:
    """The composite is .40 name + .35 description + .25 parameters."""
    a, b = tool("getorder", "x1"), tool("getorders", "x2", required={"id": {"type": "string"}})
    parts = pair_similarity(a, b, description_encoder([a, b]))
    assert parts == pytest.approx((16 / 17, 0.5, 0.0, 0.4 * 16 / 17 + 0.35 * 0.5))


def test_score_on_the_threshold_is_near() -> None:
    """.4 + .175 + .125 reaches .70, whatever binary fractions make of it."""
    assert [pair[:2] for pair in near_duplicates([tool("get", "refund"), tool("GET", "cancel")])] == [(0, 1)]


@given(TOOLS, TOOLS, POOLS)
def test_similarity_is_symmetric_and_bounded(a: Tool, b: Tool, others: list[Tool]) -> None:
    """All parts lie in [0, 1] and do not depend on the order of the pair."""
    encoder = description_encoder([a, b, *others])
    parts = pair_similarity(a, b, encoder)
    assert parts == pytest.approx(pair_similarity(b, a, encoder), abs=1e-15)
    assert all(0.0 <= part <= 1.0 for part in parts)


@given(POOLS, st.sampled_from([0.0, 0.5, 0.7, 0.9, 1.0]), st.sampled_from([WEIGHTS, Weights(0.0, 0.5, 0.5)]))
def test_all_pairs_equal_the_definition(tools: list[Tool], threshold: float, weights: Weights) -> None:
    """The blocked version finds exactly the pairs, with the parts, that the definition gives."""
    found = near_duplicates(tools, threshold=threshold, weights=weights)
    assert same(found, brute_force(tools, threshold, weights))


@given(POOLS, st.integers(1, 40))
@settings(max_examples=30, deadline=None)
def test_block_size_does_not_matter(tools: list[Tool], cells: int) -> None:
    """Any block size gives the same pairs, parts and neighbours to the last bit."""
    assert near_duplicates(tools, threshold=0.6, block_cells=cells) == near_duplicates(tools, threshold=0.6)
    assert nearest(tools, 3, block_cells=cells) == nearest(tools, 3)


def wild_tools() -> list[Tool]:
    lists = [json.loads(line) for line in WILD.read_text("utf-8").splitlines()[::12]]
    functions = [entry["function"] for functions in lists for entry in functions]
    return [
        Tool(name=one["name"], description=one.get("description", ""), parameters=encode(one.get("parameters", {})))
        for one in functions
    ]


@pytest.mark.skipif(not WILD.exists(), reason="real tool lists are not here")
def test_all_pairs_equal_the_definition_on_real_tools() -> None:
    """On real tool lists too the blocked version equals the definition."""
    tools = wild_tools()
    found = near_duplicates(tools, threshold=0.6, block_cells=1000)
    assert found
    assert same(found, brute_force(tools, 0.6))


@given(POOLS, st.integers(0, 5))
def test_nearest_equals_brute_force(tools: list[Tool], k: int) -> None:
    """The neighbours of a tool are the k others with the largest positive dot products, ties by position."""
    texts = [tool_text(tool) for tool in tools]
    matrix = fit(texts).encode(texts)
    products = (matrix @ matrix.T).toarray()
    assert len(nearest(tools, k)) == len(tools)
    for itself, found in enumerate(nearest(tools, k)):
        others = sorted((-products[itself, other], other) for other in range(len(tools)) if other != itself)[:k]
        assert [(neighbour.index, neighbour.score) for neighbour in found] == [
            (other, -score) for score, other in others if score < 0
        ]


def test_to_pool_gives_composites() -> None:
    """The similarities of one tool to a pool are its composite similarities, in the order of the pool."""
    tools = [tool("refund_order", "Refund"), tool("refund_orders", "Refund"), tool("list_staff", "Staff")]
    encoder = description_encoder(tools)
    scores = to_pool(tools[0], tools[1:], encoder)
    assert scores == tuple(pair_similarity(tools[0], other, encoder).score for other in tools[1:])


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "date-time"}, "date"),
        ({"type": "string", "format": "uuid"}, "string"),
        ({"type": "float"}, "number"),
        ({"type": ["integer", "null"]}, "integer"),
        ({"type": ["string", "integer"]}, "integer|string"),
        ({"enum": ["a", "b"]}, "string"),
        ({"enum": [1, 2, None]}, "integer"),
        ({"enum": []}, "string"),
        ({"const": True}, "boolean"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string"),
        ({"oneOf": [{"type": "number"}, {"type": "array"}, {"type": "array"}]}, "array|number"),
        ({"properties": {}}, "object"),
        ({"items": {}}, "array"),
        ({"type": "null"}, "any"),
        ({}, "any"),
        (True, "any"),
    ],
)
def test_base_type(schema: Json, expected: str) -> None:
    """A schema's base type is one word, or alternatives sorted, whichever way it is written."""
    assert base_type(schema) == expected


def test_base_type_is_bounded() -> None:
    """Alternatives nested beyond the bound end as any type."""
    schema: Json = {"type": "string"}
    for _ in range(500):
        schema = {"anyOf": [schema]}
    assert base_type(schema) == "any"


def test_required_types_lists_documented_required_parameters() -> None:
    """Required parameters that no property documents are not counted."""
    parameters = encode({"properties": {"id": {"type": "int"}, "mode": {}}, "required": ["id", "ghost"]})
    assert required_types(Tool(name="a", parameters=parameters)) == {"id": "integer"}


@pytest.mark.parametrize("weights", [(0.5, 0.5, 0.5), (1.2, -0.2, 0.0), (float("nan"), 0.5, 0.5)])
def test_weights_must_be_shares_of_one(weights: tuple[float, float, float]) -> None:
    """Weights that are no shares of 1 are refused with an example of right ones."""
    with pytest.raises(BadInput, match=r"0\.4,0\.35,0\.25"):
        checked_weights(*weights)
