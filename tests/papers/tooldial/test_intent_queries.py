"""Users' wishes and what they say of the tool that supplies a value."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from callwright.author.grammar import bank_file
from callwright.author.personas import bank
from callwright.catalog.gloss import gloss
from callwright.environment.told_outputs import outputs
from callwright.environment.tool_target import target_of
from callwright.environment.tool_world import ToolWorld
from callwright.errors import RolloutFailed
from callwright.graph.linked_calls import CallDrawer
from callwright.graph.tool_pairs import ToolPair
from callwright.papers.tooldial.intent_queries import clarify_queries, clear_queries, suggest_queries
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from tooldial_workshop import workshop


def test_nobody_who_names_a_thing_is_offered_to_delete_it() -> None:
    """A wish after which a deletion is suggested says that something is to go; other wishes may name a thing only."""
    verbs: dict[bool, set[bool]] = {True: set(), False: set()}
    for pair in workshop().alone:
        verbs[target_of(pair.target).act == "delete"] |= {bool(query.verb) for query in suggest_queries(pair)}

    assert verbs == {True: {True}, False: {True, False}}


def test_a_suggestion_rather_says_more_than_the_wish() -> None:
    """The whole thing, which a suggestion would only repeat, comes after all parts of it."""
    several = 0
    for pair in workshop().alone:
        wishes = [(one.verb, one.thing) for one in suggest_queries(pair)]
        whole = ("", gloss(pair.target).object)
        several += whole in wishes and len(wishes) > 1
        assert whole not in wishes[:-1]
    assert several > 20


def test_nobody_asks_about_something() -> None:
    """A vague wish names a thing, a topic or an act."""
    wishes = [(one.verb, one.thing) for pair in workshop().alone for one in clarify_queries(pair.target)]

    assert ("", "something") not in wishes
    assert ("look up", "something") in wishes


def test_what_the_wish_says_is_not_said_again() -> None:
    """Who wants to cancel one of the orders need not say that it is an order; late deliveries are told beside it."""
    told = {
        (one.source.name, query.tail_kind, query.tail)
        for one in workshop().pairs
        if one.source and one.output and one.output.is_listed
        for query in clear_queries(one)
    }

    assert ("list_late_deliveries", "item", "the late deliveries") in told
    assert any((kind, tail) == ("known", "the product") for _, kind, tail in told)


def test_the_callers_own_thing_is_said_to_be_theirs() -> None:
    """Without it `update a user` would not say that the current one is meant; the retriever is not asked for it."""
    user = {"type": "object", "properties": {"user_id": {"type": "string"}}, "required": ["user_id"]}
    me = Tool(name="get_me", description="Get the current user.", returns=encode(user))
    rename = Tool(name="rename_user", description="Rename a user.", parameters=encode(user))
    found = next(iter(clear_queries(ToolPair(rename, me, outputs(me)[0], "user_id"))))
    phrases = bank_file("tooldial_user", home="callwright.papers.tooldial")

    assert (found.tail_kind, found.text) == ("own", "rename a user user")
    assert all("my own" in str(frame) for style in ("verbose", "terse") for frame in phrases[f"tail.own.{style}"])
    assert phrases["tail.own.verbose"]


def test_a_result_without_an_answer_is_not_used() -> None:
    """What is looked up is told; a deletion needs no more than that it was done."""
    ids = {"type": "object", "properties": {"song_id": {"type": "string"}}, "required": ["song_id"]}
    empty = encode({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]})
    get, delete = (
        Tool(name=f"{verb}_song", description=f"{verb.title()} a song.", parameters=encode(ids), returns=empty)
        for verb in ("get", "delete")
    )
    today = date(2026, 5, 4)
    world = ToolWorld(seed=1, item="1", today=today, persona=bank()[0], tools=(get, delete))
    drawer = CallDrawer(Random(1), bank()[0], today, {}, world)

    assert drawer.alone(ToolPair(delete).target).result is not None
    with pytest.raises(RolloutFailed, match="nothing that get_song returns"):
        drawer.alone(ToolPair(get).target)
