"""Narrowing over the bundled catalogue: truthful answers never lose the tool that is meant, and soon find it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.chunks import Gloss
from callwright.catalog.contrast import (
    MOST_OPTIONS,
    OTHER,
    Narrowing,
    Question,
    action_phrase,
    hear,
    question,
    resolve,
    start,
    telling,
)
from callwright.catalog.gloss import gloss
from callwright.catalog.neighbours import nearest
from callwright.papers.diaforge.opening_request import vague_requests
from callwright.records.tool import Tool
from diaforge_builders import bundled

TOOLS = bundled().tools
GLOSSES = tuple(gloss(tool) for tool in TOOLS)
NEAR = nearest(TOOLS, 5)
seeds = st.integers(0, len(TOOLS) - 1)


def pool_of(seed: int) -> tuple[Gloss, ...]:
    """The seed tool, at position 0, and its nearest."""
    return (GLOSSES[seed], *(GLOSSES[neighbour.index] for neighbour in NEAR[seed]))


def truthful(asked: Question, pool: tuple[Gloss, ...]) -> str:
    """The answer of a user who means position 0."""
    for option in asked.options:
        if 0 in option.candidates:
            return option.phrase
    return f"neither, {telling(pool[0], pool[1:])}"


def requests(seed: int) -> list[str]:
    """Vague requests for a tool, and the plain one."""
    pool = pool_of(seed)
    vague = [f"{request.verb} {request.thing}" for request in vague_requests(pool[0], pool[1:])]
    return [*vague, pool[0].phrase]


@pytest.mark.parametrize("seed", range(len(TOOLS)), ids=[tool.name for tool in TOOLS])
def test_truthful_answers_keep_the_tool_that_is_meant(seed: int) -> None:
    """From every first request; and after four questions it is settled, or nothing is left that could be asked."""
    pool = pool_of(seed)
    for request in requests(seed):
        narrowing = start(pool, request)
        assert 0 in narrowing.possible, request
        for _ in range(4):
            asked = narrowing.ask()
            if asked is None:
                break
            narrowing = hear(narrowing, asked, truthful(asked, pool))
            assert 0 in narrowing.possible, (request, asked, truthful(asked, pool), narrowing.possible)
        assert narrowing.settled == 0 or narrowing.ask() is None


@given(seeds, st.lists(st.integers(0, 5), unique=True, min_size=1))
def test_questions_split_the_candidates(seed: int, candidates: list[int]) -> None:
    """Two options at least and three at most, none for the same candidate, none worded alike."""
    asked = question(pool_of(seed), candidates)
    if asked is None:
        return
    named = [candidate for option in asked.options for candidate in option.candidates]

    assert 2 <= len(asked.options) <= MOST_OPTIONS
    assert len(set(named)) == len(named)
    assert set(named) <= set(candidates)
    assert len({option.phrase for option in asked.options}) == len(asked.options)
    assert all(option.phrase.strip() and "_" not in option.phrase for option in asked.options)


@given(seeds, st.lists(st.integers(0, 5), unique=True, min_size=2))
def test_naming_an_option_picks_it(seed: int, candidates: list[int]) -> None:
    """In its own words, and in words around them; refusing all picks none."""
    asked = question(pool_of(seed), candidates)
    assert asked is None or len(asked.options) > 1
    for position, option in enumerate(asked.options if asked else ()):
        for answer in (option.phrase, f"Sure, {option.phrase}, please."):
            assert resolve(asked, answer) == position, (option.phrase, [one.phrase for one in asked.options])
        assert resolve(asked, "None of those.") == OTHER


@given(seeds)
def test_telling_words_are_the_tools_own(seed: int) -> None:
    """They come from its phrase, and no rival's object has all of them unless the verb tells."""
    own, *rivals = pool_of(seed)
    told = telling(own, rivals)

    assert told
    assert set(told.split()) <= set(action_phrase(own).split()) | set(own.phrase.split()) | {"just"}


@given(seeds, st.text(max_size=60), st.text(max_size=60))
def test_narrowing_survives_any_words(seed: int, request: str, answer: str) -> None:
    """Some candidate always stays possible, and nobody new comes in twice."""
    narrowing = start(pool_of(seed), request)
    for _ in range(3):
        asked = narrowing.ask()
        if asked is None:
            break
        narrowing = hear(narrowing, asked, answer)
        assert narrowing.possible
        assert len(set(narrowing.possible)) == len(narrowing.possible)


def test_one_tool_is_settled_at_once() -> None:
    """There is nothing to ask."""
    narrowing = start([gloss(Tool(name="x", description="Cancel an order."))], "hello")

    assert narrowing.settled == 0
    assert narrowing.ask() is None
    assert Narrowing((), ()).settled is None
