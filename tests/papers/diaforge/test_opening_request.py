"""The vague request: words that fit the wanted tool and at least one other."""

from __future__ import annotations

import pytest

from callwright.catalog.chunks import Gloss
from callwright.catalog.gloss import gloss
from callwright.lang.tokens import content_stems
from callwright.papers.diaforge.opening_request import fits, plain_request, vague_requests
from callwright.records.tool import Tool
from diaforge_builders import bundled, workshop


def glosses(*descriptions: str) -> list[Gloss]:
    return [gloss(Tool(name=f"t{number}", description=text)) for number, text in enumerate(descriptions)]


TRAINING = glosses(
    "Approve a request for in-house training.",
    "Approve a request for training with an outside provider.",
    "Reject a request for training.",
    "Approve an invoice.",
    "Show the weather.",
)


def test_what_is_shared_is_asked_for() -> None:
    """The most telling request first: what tells the tool apart is left out."""
    own, *others = TRAINING
    first = vague_requests(own, others)[0]

    assert first.verb == "approve"
    assert first.thing == "a request for training"
    assert "house" not in " ".join(request.thing for request in vague_requests(own, others))


def test_no_request_is_all_that_another_tool_does() -> None:
    """Who wants comments of a file does not ask to list comments where a tool does just that."""
    own, *others = glosses("List comments of a file.", "List comments.", "Delete comments.")
    asked = vague_requests(own, others)

    assert asked
    assert all(request.verb != "list" for request in asked)


def test_where_only_the_verb_is_shared_something_is_asked_for() -> None:
    """And where only a later noun is, that alone."""
    own, _, _, invoice, _ = TRAINING

    assert vague_requests(own, [invoice])[0].thing.startswith("something")
    assert vague_requests(*_split("Refund an item of an order.", "Track an order."))[0].thing == "an order"


def _split(own: str, other: str) -> tuple[Gloss, list[Gloss]]:
    first, second = glosses(own, other)
    return first, [second]


def test_tools_with_nothing_in_common_leave_nothing_to_ask() -> None:
    """Then there is no vague request."""
    assert vague_requests(TRAINING[0], [TRAINING[4]]) == ()
    assert vague_requests(TRAINING[0], []) == ()


def test_the_plain_request_is_in_the_tools_own_words() -> None:
    """Whatever others there are."""
    for tool in bundled().tools:
        request = plain_request(gloss(tool))
        assert f"{request.verb} {request.thing}" == gloss(tool).phrase


@pytest.mark.parametrize(
    ("said", "leaves"),
    [("I need training approved", True), ("in-house training", False), ("hello there", True), ("the weather", True)],
)
def test_fitting_two_tools(said: str, leaves: bool) -> None:
    """Every word that speaks for the tool speaks for one and the same other."""
    own, *others = TRAINING

    assert fits(frozenset(content_stems(said)), own, others[:2]) is leaves


def test_bundled_tools_nearly_all_have_a_vague_request() -> None:
    """Each shares all its words with one of its pool, fits, and holds no digit or identifier."""
    shop, without = workshop(), 0
    for tool in shop.tools:
        near = [gloss(other) for other in shop.pool_of(tool, shop.options.distractors)]
        found = vague_requests(gloss(tool), near)
        without += not found
        for request in found:
            said = frozenset(content_stems(f"{request.verb} {request.thing}"))
            assert fits(said, gloss(tool), near), (tool.name, request)
            assert not any(sign.isdigit() or sign == "_" for sign in request.thing)
            assert request.thing == request.thing.strip()
    assert without < 0.05 * len(shop.tools)
