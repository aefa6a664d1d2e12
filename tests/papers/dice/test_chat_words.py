"""The offline talk of a group chat: threads, who comes round, and what requests and the assistant name."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import callwright
from callwright.app.catalogs import read_catalog
from callwright.catalog.slots import slots
from callwright.papers.dice.chat_orchestrator import Floor, Move, moves_of
from callwright.papers.dice.chat_plan import PlannedRound
from callwright.papers.dice.chat_words import SpokenSoFar, bank_of, parts, reply, spoken, threads_of, worded, words_for
from callwright.papers.dice.dice_options import TYPES
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Result
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool

MANNERS = tuple(one.partition("_")[0] for one in TYPES)


def tool(name: str, description: str, *parameters: str, text: str = "") -> Tool:
    """A tool with parameters of text, all required."""
    properties = {one: {"type": "string", "description": text} for one in parameters}
    schema = {"type": "object", "properties": properties, "required": list(parameters)}
    return Tool(name=name, description=description, parameters=encode(schema))


def planned(one: Tool, value: str = "") -> PlannedRound:
    """A round of three people of which each knows a value at most."""
    names = list(one.properties)
    holders = {name: f"user_{at + 1}" for at, name in enumerate(names)}
    return PlannedRound(one, dict.fromkeys(names, "Larch"), Result(value=value or None), holders)


TRIP = tool("rename_trip", "Rename a trip.", "trip_name", "city")


@pytest.mark.parametrize("manner", MANNERS)
def test_who_doubts_is_answered_and_comes_round(manner: str) -> None:
    """The one who wants something meets the doubt at once; whoever doubted gives in, or has the last word."""
    yields = 0
    for seed in range(60):
        floor = Floor(("user_1", "user_2", "user_3"), Random(seed), "", Counter())
        moves = moves_of(planned(TRIP), manner, floor)
        doubts = [at for at, move in enumerate(moves) if move.act == "doubt"]
        for at in doubts:
            assert moves[at + 1].act == "case"
            assert moves[at + 1].speaker == moves[0].speaker != moves[at].speaker
        for move in moves:
            yields += move.act == "yield"
            assert move.act != "yield" or move.speaker == moves[doubts[0]].speaker
    assert bool(yields) == (manner != "inquiry")


@pytest.mark.parametrize("manner", MANNERS)
def test_a_reaction_is_answered_by_who_said_the_value(manner: str) -> None:
    """In the next turn."""
    found: list[tuple[Move, Move]] = []
    for seed in range(60):
        moves = moves_of(planned(TRIP), manner, Floor(("user_1", "user_2"), Random(seed), "", Counter()))
        found += [(move, moves[at + 1]) for at, move in enumerate(moves) if move.act == "react"]
    assert len(found) > 10
    assert all(after.act == "reply" and after.speaker == move.to != move.speaker for move, after in found)


@pytest.mark.parametrize("manner", MANNERS)
def test_no_thread_comes_twice(manner: str) -> None:
    """As long as there is another one; a thread has a part for each of its turns."""
    talk = SpokenSoFar(manner, {}, 0, [], {}, set())
    drawn = [threads_of(planned(TRIP), talk, Random(seed)) for seed in range(8)]
    assert len({one["doubt"].source for one in drawn}) == 8
    assert len(talk.used) == 16
    for name in (f"talk.{manner}", f"react.{manner}"):
        assert {len(parts(one.source)) for one in bank_of(name)} == {3 if name.startswith("talk") else 2}


def test_a_thread_does_not_say_a_value() -> None:
    """What may be heard as a value of the round is said by the one who knows it alone."""
    known = planned(TRIP)
    values = dict.fromkeys(known.values, "records")
    told = [one for one in bank_of("react.inquiry") if "records" in one.source]
    talk = SpokenSoFar("inquiry", {}, 0, [], {}, set())
    drawn = [threads_of(PlannedRound(TRIP, values, Result(), {}), talk, Random(seed)) for seed in range(5)]
    assert told
    assert all("records" not in frame.source for one in drawn for frame in one.values())


@pytest.mark.parametrize(
    ("the", "verb"),
    [("the users", "are"), ("the number of users", "is"), ("the city", "is"), ("the terms of service ID", "is")],
)
def test_one_of_many_is_one(the: str, verb: str) -> None:
    """The verb goes with the noun, not with what it counts."""
    assert words_for(the, "4")["is"] == verb


def test_an_empty_list_is_told_as_such() -> None:
    """And a list with something in it is not."""
    find = tool("list_garden_orders", "List the orders of a garden.", "garden_name")
    for value, is_empty in (("[]", True), ('{"orders": []}', True), ('[{"name": "Elm"}]', False)):
        text = reply(planned(find, value), None, Random(1), [])
        assert bool(re.search("none|nothing|empty", text, re.IGNORECASE)) == is_empty, (value, text)


@pytest.mark.parametrize(("count", "told"), [(1, "1 lock"), (3, "3 locks")])
def test_a_list_of_things_without_names_is_counted(count: int, told: str) -> None:
    """As people say it: `there are 3 locks`, `there is 1 lock`."""
    listing = tool("list_locks", "List the locks of a folder.", "folder_name")
    value = encode({"locks": [{"id": f"{at}47{at}"} for at in range(count)]})
    texts = {reply(planned(listing, value), None, Random(seed), []) for seed in range(40)}
    assert len(texts) > 20
    assert all(told in text and "number of" not in text for text in texts)
    assert any(f"There {'is' if count == 1 else 'are'} {told}" in text for text in texts)


def test_what_was_worked_out_is_told() -> None:
    """A converted amount is; that it was done is no news."""
    convert = tool("convert_money", "Convert an amount of money.", "currency")
    assert "8" in reply(planned(convert, '{"conversion_result": 8.0}'), None, Random(1), [])
    assert "active" not in reply(planned(convert, '{"conversion_status": "active"}'), None, Random(1), [])


def test_a_number_of_what_was_ordered_is_told_beside_its_price() -> None:
    """Whoever asks for the order later needs it; what a call changes or ends has told its number before."""
    value = '{"order_number": "8142", "price": 40.0}'
    for act, is_told in (("place", True), ("request", True), ("update", False), ("cancel", False)):
        one = tool(f"{act}_order", f"{act.title()} an order.", "product_name")
        text = reply(planned(one, value), None, Random(1), [])
        assert "40" in text
        assert ("8142" in text) == is_told, text


def test_a_list_is_told_and_not_whose_it_is() -> None:
    """The projects of a team are told by their names; neither the team's name nor the reply's status is an answer."""
    listing = tool("get_projects", "List projects in a team.", "team_id")
    both = '{"name": "Mobile App", "projects": [{"name": "Elm"}, {"name": "Oak"}]}'
    for seed in range(8):
        text = reply(planned(listing, both), None, Random(seed), [])
        assert "Elm" in text
        assert "Mobile" not in text
        assert "200" not in reply(planned(listing, '{"status": 200}'), None, Random(seed), [])
        assert "4" not in reply(planned(listing, '[{"files_using": 4.0}]'), None, Random(seed), [])


def test_a_request_keeps_what_tells_a_thing(tmp_path: Path) -> None:
    """`record that lost deal`: nobody could tell it from a deal that was won."""
    both = ("create_deal", "mark_deal_lost")
    few = Catalog(tools=tuple(one for one in read_catalog("builtin/enterprise").tools if one.name in both))
    callwright.synthesize("dice", few, n=12, seed=3, out=tmp_path / "ds", rounds="2")
    requests = [
        chat.turns[task.turn or 0].text
        for chat in callwright.open_dataset(tmp_path / "ds").dialogues
        for task in chat.tasks
        if task.gold[0].tool == "mark_deal_lost"
    ]
    assert len(requests) > 5
    assert all("that lost deal" in text for text in requests)


def test_what_is_made_is_no_earlier_thing(tmp_path: Path) -> None:
    """A second order is created for that order, and is not that order."""
    schema = encode({"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]})
    tools = (
        replace(tool("find_order", "Find an order of a shop.", "shop_name"), returns=schema),
        tool("create_follow_up_order", "Create a follow-up order.", "order_id"),
    )
    callwright.synthesize("dice", Catalog(tools=tools), n=12, seed=1, out=tmp_path / "ds", rounds="2")
    chats = list(callwright.open_dataset(tmp_path / "ds").dialogues)
    requests = [
        chat.turns[chat.tasks[1].turn or 0].text for chat in chats if chat.tasks[1].gold[0].tool == tools[1].name
    ]
    assert len(requests) > 5
    assert all("that follow" not in text and "for that order" in text for text in requests), requests


def test_several_things_in_one_text_are_not_one(tmp_path: Path) -> None:
    """A list of users in a text is not taken over as the user of a later call."""
    listed = "Comma-separated list of user IDs."
    tools = (
        tool("update_group_users", "Update the users of a group.", "users", text=listed),
        tool("restore_user", "Restore a user.", "user_id", text="The ID of the user."),
    )
    callwright.synthesize("dice", Catalog(tools=tools), n=12, seed=1, out=tmp_path / "ds", rounds="2")
    chats = list(callwright.open_dataset(tmp_path / "ds").dialogues)
    calls = [call.values for chat in chats for task in chat.tasks for call in task.gold]
    assert sum("," in str(values.get("users", "")) for values in calls) > 2
    assert not any("," in str(values.get("user_id", "")) for values in calls)
    assert all(isinstance(chat.annotation, DiceNotes) for chat in chats)


def test_nobody_says_tags(tmp_path: Path) -> None:
    """A text that a document wants as HTML is one of plain words, said and called alike."""
    post = tool("post_garden_notice", "Post a notice of a garden.", "notice_text", text="The text in HTML.")
    callwright.synthesize("dice", Catalog(tools=(post,)), n=9, seed=1, out=tmp_path / "ds", rounds="1")
    calls = [chat.tasks[0].gold[0].values for chat in callwright.open_dataset(tmp_path / "ds").dialogues]
    assert len(calls) > 5
    assert not any("<" in str(values["notice_text"]) for values in calls), calls


def test_nobody_thanks_for_an_own_answer() -> None:
    """Whoever closes a talk did not speak last."""
    closings = []
    for seed in range(200):
        for people in (("user_1", "user_2"), ("user_1", "user_2", "user_3")):
            moves = moves_of(planned(TRIP), "inquiry", Floor(people, Random(seed), "", Counter()))
            closings += [(one, before) for before, one in pairwise(moves) if one.act == "settle"]
    assert len(closings) > 30
    assert not any(one.speaker == before.speaker for one, before in closings)


@pytest.mark.parametrize(("people", "is_of_several"), [(2, False), (3, True)])
def test_two_people_speak_of_no_others(people: int, is_of_several: bool) -> None:
    """`They` and `everyone` are said in requests of three people and more."""
    names = {f"user_{at}": name for at, name in enumerate(("Ana", "Ben", "Cem")[:people], 1)} | {"assistant": "AI"}
    said = [
        worded(Move("user_1", "request"), planned(TRIP), SpokenSoFar(manner, names, 0, [], {}, set()), Random(seed))
        for manner in ("eristic", "persuasion")
        for seed in range(80)
    ]
    assert (
        any(re.search(r"\b(?:they|them|everyone|all agreed)\b", text, re.IGNORECASE) for text in said) == is_of_several
    )


def test_nobody_bargains_over_a_fact() -> None:
    """A remark after a fact is of another bank than one after a price."""
    price = tool("set_price", "Set a price.", "price")
    own = {one.source for one in bank_of("react_fact.persuasion")}
    talk = SpokenSoFar("persuasion", {}, 0, [], {}, set())
    drawn = {
        name: [threads_of(PlannedRound(one, values, Result(), {}), talk, Random(seed))["react"] for seed in range(9)]
        for name, one, values in (("fact", TRIP, planned(TRIP).values), ("open", price, {"price": "40"}))
    }
    firsts = {parts(source)[0].source for source in own}
    assert all(frame.source in firsts for frame in drawn["fact"])
    assert not all(frame.source in firsts for frame in drawn["open"])


def test_times_of_day_have_one_meaning() -> None:
    """`It's nine o'clock` may be in the evening, so that the gold `09:00` would not follow."""
    slot = slots(tool("ring_bell", "Ring a bell.", "start_time", text="Start, e.g. 18:30"))["start_time"]
    said = {spoken("09:00", slot, Random(seed)) for seed in range(80)}
    assert len(said) > 2
    assert said <= {"9 am", "9am", "nine o'clock in the morning", "09:00"}
