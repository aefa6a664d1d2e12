"""Narrowing look-alikes: questions, and what their answers pick."""

from __future__ import annotations

import pytest

from callwright.catalog.chunks import Gloss
from callwright.catalog.contrast import OTHER, Narrowing, hear, question, resolve, start, telling
from callwright.catalog.gloss import gloss
from callwright.records.tool import Tool


def glosses(*descriptions: str) -> list[Gloss]:
    return [gloss(Tool(name=f"t{number}", description=text)) for number, text in enumerate(descriptions)]


ORDERS = glosses("Cancel an order.", "Hold an order.", "Cancel a delivery.")
GIFTS = glosses("Register a gift from a partner.", "Register a gift to a partner.")
MEETINGS = glosses("Schedule a one-off meeting.", "Schedule a weekly meeting.")


@pytest.mark.parametrize(
    ("answer", "picked"),
    [
        ("hold it", 1),
        ("I want to cancel it", 0),
        ("cancel an order, nothing else", 0),
        ("the first one, no doubt", 0),
        ("the latter", 1),
        ("neither", OTHER),
        ("something else", OTHER),
        ("hm", None),
    ],
)
def test_answers_about_what_is_done(answer: str, picked: int | None) -> None:
    """Verbs, ordinals and refusals are understood; small talk about other things is no refusal."""
    asked = question(ORDERS, [0, 1])
    assert asked is not None
    assert resolve(asked, answer) == picked


def test_prepositions_can_be_all_that_differs() -> None:
    """`from a partner` picks what `to a partner` does not."""
    asked = question(GIFTS, [0, 1])
    assert asked is not None
    assert [resolve(asked, f"it's {option.phrase}, nothing else") for option in asked.options] == [0, 1]


def test_not_the_other_is_no_refusal() -> None:
    """Naming one and turning down the other picks the one."""
    asked = question(MEETINGS, [0, 1])
    assert asked is not None
    assert resolve(asked, "a weekly meeting, not the other") == 1


@pytest.mark.parametrize(
    ("answer", "picked"),
    [("I need to look it up", 0), ("search for it", 1)],
)
def test_the_verb_of_an_option_is_its_own_though_others_may_be_said_so_too(answer: str, picked: int) -> None:
    """`search` can be said as `look`, but not where `look up` is offered beside it."""
    asked = question(glosses("Get information about a god.", "Search for a god by name."), [0, 1])
    assert asked is not None
    assert resolve(asked, answer) == picked


@pytest.mark.parametrize(
    ("descriptions", "answer", "picked"),
    [
        (("Create a barrier segment.", "Create a barrier segment restriction.", "Create a barrier."),
         "I was thinking of just a barrier segment", 0),
        (("Find an anime.", "Find an anime joke."), "An anime. The ID is 1", 0),
        (("Find an anime.", "Find an anime joke."), "An anime joke", 1),
    ],
)  # fmt: skip
def test_the_plainer_of_two_is_picked_by_its_plain_name(
    descriptions: tuple[str, ...], answer: str, picked: int
) -> None:
    """Also where its name is a part of the longer one's, or contains a shorter one's."""
    asked = question(glosses(*descriptions), range(len(descriptions)))
    assert asked is not None
    assert resolve(asked, answer) == picked


def test_options_that_sound_alike_are_not_offered() -> None:
    """Nobody can choose between `all plants` and `all the plants`."""
    assert question(glosses("Get all plants.", "Get all the plants."), [0, 1]) is None


def test_requests_narrow_the_candidates() -> None:
    """Only what a request fits about as well as anything stays possible."""
    assert set(start(ORDERS, "something with an order").possible) == {0, 1}
    assert start(ORDERS, "cancel a delivery").settled == 2


def test_two_unclear_answers_settle() -> None:
    """A user who cannot say is not asked for ever."""
    narrowing = start(MEETINGS, "a meeting")
    for _ in range(3):
        asked = narrowing.ask()
        if asked is None:
            break
        narrowing = hear(narrowing, asked, "hm")
    assert narrowing.settled is not None


def test_nothing_to_tell_apart() -> None:
    """Tools of the same words have no question."""
    same = glosses("Cancel an order.", "Cancel an order.")
    assert Narrowing(tuple(same), (0, 1)).ask() is None


def test_a_thing_is_not_told_by_a_name_that_is_part_of_anothers() -> None:
    """`keys` tells nobody that weak ones are meant, beside `expired keys`."""
    weak, expired = glosses("List keys with weak algorithms.", "List expired keys.")
    assert telling(weak, [expired]) == "list keys with weak algorithms"


PLAIN = glosses("Cancel an authorisation.", "Cancel a technical authorisation.", "Capture an authorisation.")


@pytest.mark.parametrize(
    ("request_", "meant"),
    [("cancel an authorisation", 0), ("cancel a technical authorisation", 1)],
)
def test_who_says_all_of_a_tool_and_no_more_is_not_asked(request_: str, meant: int) -> None:
    """To cancel an authorisation is not to cancel a technical one."""
    assert start(PLAIN, request_).settled == meant


def test_who_looks_something_up_is_not_offered_to_delete_it() -> None:
    pool = glosses("Delete a note.", "Look up a task.", "Look up a room.")
    assert set(start(pool, "look up something", verb=pool[1].verb_stems).possible) == {1, 2}
    assert set(start(pool, "do something").possible) == {0, 1, 2}


def test_it_is_what_was_spoken_of() -> None:
    """After `an authorisation`, `cancel it` means no technical one, and the question offers to cancel it."""
    begun = start(PLAIN, "an authorisation")
    asked = begun.ask()
    assert asked is not None
    assert [option.phrase for option in asked.options] == ["cancel it", "capture it"]
    assert hear(begun, asked, "cancel it").settled == 0


def test_a_wish_behind_a_refused_option_is_heard() -> None:
    """Who turns `search rooms` down and wants to list rooms is not asked about other things."""
    said = ["Search rooms.", "List all rooms.", "Look up a room.", "Lists lakes.", "Lists dunes."]
    asked = start(tuple(gloss(Tool(name="x", description=one)) for one in said), "rooms")
    choice = asked.ask()

    assert choice is not None
    assert "list rooms" not in [option.phrase for option in choice.options]
    assert hear(asked, choice, "None of those, actually. I want to list rooms.").settled == 1


def test_things_are_offered_with_the_act_until_it_is_said() -> None:
    """`an order or a delivery?` offers nothing to who has not said what to do with them."""
    lists = glosses("List orders of a shop.", "List orders of a customer.")
    open_, acted = start(lists, "orders").ask(), start(lists, "list orders").ask()
    assert open_ is not None
    assert acted is not None
    assert all(option.phrase.startswith("list ") for option in open_.options)

    things = glosses("Cancel an order.", "Cancel a delivery.")
    open_, acted = start(things, "help").ask(), start(things, "cancel something").ask()
    assert open_ is not None
    assert acted is not None
    assert [option.phrase for option in open_.options] == ["cancel an order", "cancel a delivery"]
    assert [option.phrase for option in acted.options] == ["an order", "a delivery"]
