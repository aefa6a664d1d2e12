from __future__ import annotations

import pytest

from callwright.catalog.differences import NOTHING, differences, traits
from callwright.catalog.document_checks import CHECKS, COMPARISONS, findings
from callwright.catalog.lint import Formula, lint
from callwright.catalog.similarity import Pair, Weights
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, Tool

SOUND = "Give the customer their money back for one order"


def tool(name: str, description: str = SOUND, *required: str, returns: Json = None, **properties: Json) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    result = None if returns is None else encode(returns)
    return Tool(name=name, description=description, parameters=encode(schema), returns=result)


def codes(*tools: Tool) -> list[tuple[str, str]]:
    return [(finding.tool, finding.code) for finding in findings(tools)]


ORDER = {"type": "string", "description": "Number on the receipt"}


def test_a_sound_tool_has_no_findings() -> None:
    """A described tool with typed and described parameters is left alone."""
    assert codes(tool("refund_order", SOUND, "order", order=ORDER)) == []


@pytest.mark.parametrize(
    ("faulty", "code"),
    [
        (tool("refund", ""), "description-missing"),
        (tool("refund", " — "), "description-missing"),
        (tool("refundOrders", "Refunds an order."), "description-is-name"),
        (tool("refund", "Refund orders"), "description-short"),
        (tool("refund", "word " * 300), "description-long"),
        (tool("refund" * 11), "name-long"),
        (tool("refund", order={"type": "string"}), "parameter-undescribed"),
        (tool("refund", order={"type": "string", "description": "?"}), "parameter-undescribed"),
        (tool("refund", data={"type": "string"}), "parameter-vague"),
        (tool("refund", param1={"type": "string", "description": "The param1"}), "parameter-vague"),
        (tool("refund", x={"type": "string"}), "parameter-vague"),
        (tool("refund", order={"description": "Number on the receipt"}), "parameter-untyped"),
        (tool("refund", SOUND, "order", order={**ORDER, "type": "object"}), "parameter-shapeless"),
        (tool("refund", SOUND, "order", order={**ORDER, "type": "array"}), "parameter-shapeless"),
        (tool("refund", SOUND, "ghost"), "required-undocumented"),
        (tool("refund", order={**ORDER, "enum": ["one"]}), "enum-single"),
        (tool("refund", order={**ORDER, "enum": []}), "enum-single"),
        (tool("refund", order={**ORDER, "enum": ["a", "b"], "default": "c"}), "default-outside-enum"),
    ],
)
def test_each_fault_has_its_code(faulty: Tool, code: str) -> None:
    """One fault gives one finding with its code and no other."""
    assert codes(faulty) == [(faulty.name, code)]


def test_a_telling_description_mends_a_vague_name() -> None:
    """A parameter may be called `id` where its description says what it identifies."""
    assert codes(tool("refund", id={"type": "string", "description": "Number of the order"})) == []


def test_copied_descriptions_are_found() -> None:
    """Tools whose descriptions are equal word for word are all named, with another of them."""
    found = findings([tool("a_refund"), tool("b_refund", SOUND.upper() + "!"), tool("c_refund"), tool("d", "x " * 4)])
    copied = [finding for finding in found if finding.code == "description-copied"]
    assert [finding.tool for finding in copied] == ["a_refund", "b_refund", "c_refund"]
    assert copied[1].message == "has the same description as a_refund and 1 more"


def test_names_that_differ_in_spelling_only_are_found() -> None:
    """Names equal but for case, separators or word form are named."""
    tools = [tool("getOrder", "One two three"), tool("get-orders", "Four five six"), tool("get_refund")]
    assert codes(*tools) == [(name, "name-differs-only-in-spelling") for name in ("getOrder", "get-orders")]


def test_missing_results_are_found_where_others_are_described() -> None:
    """A missing result is a finding only in a catalogue that describes results."""
    silent, telling = tool("silent", "One two three"), tool("telling", "Four five six", returns={"type": "object"})
    assert codes(silent) == []
    assert codes(silent, telling) == [("silent", "returns-missing")]


def test_every_check_is_documented() -> None:
    """Each code's check says in its docstring what it finds."""
    assert all(check.__doc__ for check in (*CHECKS.values(), *COMPARISONS.values()))


def test_differences_name_both_sides() -> None:
    """Name words, description words, parameters (the optional ones apart), types and required keys are all named."""
    a = tool("approve_request", "Approve it", "id", "on", id={"type": "string"}, note={"type": "string"}, on={})
    b = tool("approve_requests", "Approve all now", id={"type": "integer"}, reason={"type": "string"})
    assert differences(traits(a), traits(b)) == (
        "description: – / all, now",
        "parameters: on / –",
        "optional parameters: note / reason",
        "type of id: string / integer",
        "required: id / –",
    )


def test_nothing_may_tell_tools_apart() -> None:
    """Where nothing differs but the spelling, that is said."""
    assert differences(traits(tool("getOrder")), traits(tool("get_orders"))) == (NOTHING,)


def test_lint_reports_the_share_and_the_most_alike_first() -> None:
    """The share counts tools with a near-duplicate, and pairs stand by falling score."""
    tools = (
        tool("list_open_orders", "Lists orders that are open"),
        tool("list_paid_orders", "Lists orders that are paid"),
        tool("list_paid_order", "Lists orders that are paid"),
        tool("weather", "Tells whether it rains"),
    )
    report = lint(Catalog(tools=tools), formula="paper")
    assert report.near_duplicate_share == 0.75
    assert (report.pairs[0].a, report.pairs[0].b) == ("list_paid_orders", "list_paid_order")
    assert [pair.score for pair in report.pairs] == sorted((pair.score for pair in report.pairs), reverse=True)


def test_lint_follows_threshold_and_weights() -> None:
    """Threshold and weights decide what is near, and stand in the signature."""
    tools = (tool("weather", ""), tool("Weather_", "Tells whether it rains"))
    assert not lint(Catalog(tools=tools), formula="paper", threshold=0.95).pairs
    report = lint(Catalog(tools=tools), formula="paper", threshold=0.9, weights=Weights(1.0, 0.0, 0.0))
    assert len(report.pairs) == 1
    assert "threshold=0.9|weights=1,0,0" in report.signature


def test_lint_of_nothing_has_no_share() -> None:
    """Without tools the share is unknown, not zero."""
    assert lint(Catalog(tools=())).near_duplicate_share is None


def test_lint_bounds_its_list_and_counts_all() -> None:
    """Of more pairs than asked for the most alike are listed; the total and the share are those of all."""
    catalog = Catalog(tools=tuple(tool(f"get_order_{index}") for index in range(20)))
    whole, bounded = lint(catalog), lint(catalog, most_pairs=7)
    assert len(whole.pairs) == whole.pairs_total == bounded.pairs_total == 190
    assert bounded.pairs == whole.pairs[:7]
    assert bounded.near_duplicate_share == whole.near_duplicate_share == 1.0


def test_every_pair_is_handed_on_by_position() -> None:
    """What the list leaves out is handed on as it is found, each pair once, in the order of the tools."""
    catalog = Catalog(tools=tuple(tool(f"get_order_{index}") for index in range(20)))
    found: list[Pair] = []
    lint(catalog, most_pairs=0, each=found.extend)
    assert [pair[:2] for pair in found] == [(a, b) for a in range(20) for b in range(a + 1, 20)]


@pytest.mark.parametrize("formula", ["meaning", "paper"])
def test_known_pairs_count_nowhere(formula: Formula) -> None:
    """Whatever their order: neither in the list nor in total and share; pairs of tools that are gone do no harm."""
    catalog = Catalog(tools=tuple(tool(f"get_order_{index}") for index in range(4)))
    known = {("get_order_0", "get_order_1"), ("get_order_3", "get_order_0"), ("gone", "get_order_1")}
    seen: list[Pair] = []
    report = lint(catalog, formula=formula, known=known, each=seen.extend)
    assert report.pairs_total == len(report.pairs) == len(seen) == 4
    assert {frozenset((pair.a, pair.b)) for pair in report.pairs}.isdisjoint(map(frozenset, known))
    whole = [(pair.a, pair.b) for pair in lint(catalog, formula=formula).pairs]
    assert lint(catalog, formula=formula, known=whole).near_duplicate_share == 0
