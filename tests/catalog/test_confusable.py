from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callwright.catalog.confusable import ConfusablePairs, families, subject
from callwright.catalog.lexical import cosine, fit, fit_stems
from callwright.catalog.lint import lint
from callwright.catalog.similarity import WEIGHTS, Pair, Weights
from callwright.formats.layouts import read_source
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool

DATA = Path(__file__).parents[2] / "../shared/data/openapi"
LABELS = json.loads(Path(__file__).with_name("lookalike_labels.json").read_text("utf-8"))
ACTS = ("get", "list", "create", "update", "remove", "delete", "approve", "frob")
THINGS = ("order", "orders", "file", "folder", "user", "paid order", "order of a user")


def tool(name: str, description: str = "", *required: str, more: tuple[str, ...] = (), source: str = "") -> Tool:
    schema = {"type": "object", "properties": {key: {} for key in (*required, *more)}, "required": [*required]}
    return Tool(name=name, description=description, parameters=encode(schema), source=source)


def found(*tools: Tool) -> list[tuple[str, str]]:
    return [(pair.a, pair.b) for pair in lint(Catalog(tools=tools)).pairs]


@pytest.mark.parametrize(
    ("one", "act", "thing"),
    [
        (tool("getOrder", "Retrieves information about an order."), "get", ("order",)),
        (tool("x", "Returns the orders of a shop."), "list", ("order", "shop")),
        (tool("get_orders_id", "Returns orders.", source="GET /orders/{id}"), "get", ("order",)),
        (tool("DeletePaidOrder"), "delete", ("pay", "order")),
        (tool("x", "Removes an order."), "delete", ("order",)),
        (tool("approve_leave", "Approves a leave request."), "approve", ("leave", "request")),
        (tool("42"), "", ("42",)),
    ],
)
def test_subjects(one: Tool, act: str, thing: tuple[str, ...]) -> None:
    """Act by synonyms, thing without light words; from the name where there is no description."""
    assert subject(one)[:2] == (act, thing)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            tool("get_file_mark", "Gets the watermark of a file."),
            tool("get_folder_mark", "Gets the watermark of a folder."),
        ),
        (tool("admin_archive", "Archive a channel."), tool("channels_archive", "Archives a channel.")),
        (tool("delete_env", "Deletes a variable."), tool("remove_env", "Removes a variable.")),
        (tool("oauth", "Exchange a code for a token."), tool("oauth_v2", "Exchange a code for a token.")),
        (tool("user_groups", "List the groups of a user."), tool("group_users", "List the users of a group.")),
    ],
    ids=["scope", "twin", "synonym", "version", "direction"],
)
def test_confusable_pairs(one: Tool, other: Tool) -> None:
    """The same act on nearly the same thing, in a catalogue of other things."""
    rest = (tool("weather", "Tells whether it rains."), tool("pay", "Pay an invoice."), tool("ship", "Ship a parcel."))
    assert found(one, other, *rest) == [(one.name, other.name)]


def test_a_family_is_not_confusable() -> None:
    """Get, create and delete of one thing are one family; a tool of another thing is not of it."""
    tools = [tool(f"{act}_order", f"{act.capitalize()} an order.", "order") for act in ("get", "create", "delete")]
    tools.append(tool("get_invoice", "Get an invoice.", "invoice"))
    assert found(*tools) == []
    (family,) = families(tools)
    assert (family.thing, family.acts, family.tools) == ("an order", ("get", "create", "delete"), (0, 1, 2))


def test_where_one_side_requires_nothing_parameters_do_not_count() -> None:
    """Their weight is shared out: twins score 1 whatever the one requires."""
    one, other = tool("list_orders", "Lists orders.", "page"), tool("list_orders_2", "Lists orders.", more=("limit",))
    for pair in (lint(Catalog(tools=(one, other))).pairs[0], lint(Catalog(tools=(other, one))).pairs[0]):
        assert pair.parameters == 0.0
        assert pair.score == pytest.approx((0.4 * pair.name + 0.35 * pair.description) / 0.75)


def test_tools_that_name_each_other_are_told_apart() -> None:
    """Where only one names the other they are not."""
    one, other = tool("get_mark", "Gets a mark. See get_marks."), tool("get_marks", "Gets a mark.")
    assert len(found(one, other)) == 1
    assert found(one, tool("get_marks", "Gets a mark; see get_mark.")) == []


def slow(tools: list[Tool], threshold: float, weights: Weights) -> list[Pair]:
    """The definition, pair by pair."""
    subjects = [subject(one) for one in tools]
    names, things = fit_stems(one.name for one in subjects), fit_stems(one.thing for one in subjects)
    texts = fit(one.description for one in tools)
    made = []
    for a, one in enumerate(tools):
        for b in range(a + 1, len(tools)):
            other = tools[b]
            name = cosine(names.weigh(subjects[a].name), names.weigh(subjects[b].name))
            thing = cosine(things.weigh(subjects[a].thing), things.weigh(subjects[b].thing))
            description = (thing + texts.cosine(one.description, other.description)) / 2
            keys, others = set(one.properties), set(other.properties)
            parameters = len(keys & others) / len(keys | others) if keys | others else 1.0
            score = weights.name * name + weights.description * description
            if one.required and other.required:
                score += weights.parameters * parameters
            else:
                score /= (weights.name + weights.description) or 1.0
            if not subjects[a].head or subjects[a].head != subjects[b].head:
                score *= 0.6
            if subjects[a].act and subjects[a].act == subjects[b].act and score >= threshold:
                made.append(Pair(a, b, (name, description, parameters, score)))  # type: ignore[arg-type]
    return made


@given(st.integers(0, 10**9), st.integers(0, 25), st.integers(1, 300), st.sampled_from([WEIGHTS, Weights(0, 0, 1)]))
@settings(max_examples=40, deadline=None)
def test_blocks_give_the_pairs_of_the_definition(seed: int, count: int, cells: int, weights: Weights) -> None:
    """Whatever their size, in the order of the pairs, with their parts."""
    rng = Random(seed)
    tools = [
        tool(
            f"{rng.choice(ACTS)}_{rng.choice(THINGS).replace(' ', '_')}_{at}",
            rng.choice(["", f"{rng.choice(ACTS).capitalize()} {rng.choice(THINGS)}. {rng.choice(THINGS)}"]),
            *rng.sample(["id", "page", "name"], rng.randrange(3)),
            more=tuple(rng.sample(["limit", "sort"], rng.randrange(3))),
        )
        for at in range(count)
    ]
    compared = ConfusablePairs(tools, threshold=0.15, weights=weights, block_cells=cells)
    pairs = [pair for near in compared.blocks() for pair in compared.pairs(near)]
    expected = slow(tools, 0.15, weights)
    assert [pair[:2] for pair in pairs] == [pair[:2] for pair in expected]
    assert all(
        tuple(one.parts) == pytest.approx(tuple(other.parts), abs=1e-9)
        for one, other in zip(pairs, expected, strict=True)
    )


@pytest.mark.skipif(not DATA.exists(), reason="needs ../shared/data")
@pytest.mark.parametrize("document", ["box", "slack_v2", "twilio_messaging", "netlify"])
def test_what_a_reader_calls_confusable_is_found(document: str) -> None:
    """Of the pairs that a reader labelled confusable at least .75 are among the first N of a catalogue of N tools.

    And of the labelled ones among the first 30 at least .7 are confusable.
    """
    (path,) = DATA.glob(f"{document}.*")
    catalog = read_source(str(path))
    labels = {frozenset(pair): label for *pair, label in LABELS[document]}
    ranked = [frozenset((pair.a, pair.b)) for pair in lint(catalog).pairs]
    confusable = {pair for pair, label in labels.items() if label == "confusable"}
    assert len(confusable) >= 14
    assert len(confusable & set(ranked[: len(catalog.tools)])) >= 0.75 * len(confusable)
    labelled = [labels[pair] for pair in ranked[:30] if pair in labels]
    assert labelled.count("confusable") >= 0.7 * len(labelled)
