"""In which phase a user is, heard in the words alone."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from callwright.catalog.slots import slots
from callwright.papers.diaforge.dialogue_plan import plan_of
from callwright.papers.diaforge.user_phase import is_known_to_assistant
from callwright.papers.diaforge.user_policy import UserState, user_of
from callwright.records.dialogue import GoldArgument, GoldCall, Task, Turn
from callwright.records.jsontext import encode
from room_talks import CATALOG, VALUES, planned

HELLO = "Hi, it's about a meeting room for my team."
CHOICE = "Do you want to get a room, or give one up?"
GOLD, *OTHERS = (CATALOG.by_name[name] for name in ("book_room", "release_room", "clean_room"))


def user() -> UserState:
    """The user of the room talks, before the first word."""
    arguments = tuple(GoldArgument(name, (encode(value),)) for name, value in VALUES.items())
    task = Task("call", goal="get a meeting room for the team", gold=(GoldCall(GOLD.name, arguments),))
    scenario = msgspec.structs.replace(planned(), tasks=(task,))
    return user_of(scenario, plan_of(scenario), GOLD, OTHERS, style="verbose")


def is_known(said: Sequence[str]) -> bool:
    """Whether the tool is known after these words, the user's first."""
    turns = [Turn("assistant" if place % 2 else "user", text) for place, text in enumerate(said)]
    return is_known_to_assistant(user(), turns, "user", {slot.name for tool in OTHERS for slot in slots(tool).values()})


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ([], False),
        ([HELLO], False),
        ([HELLO, CHOICE], False),
        ([HELLO, CHOICE, "We want to get one."], False),
        ([HELLO, CHOICE, "We want to book one."], True),
        ([HELLO, "Which room is it?"], False),
        ([HELLO, "Shall I book it for you?"], True),
        ([HELLO, "Sure, I can book that. Which room is it?"], True),
        ([HELLO, "Would you like to book a room, or to release one?"], False),
        ([HELLO, CHOICE, "Get one.", "And for how many people?"], True),
        ([HELLO, CHOICE, "Hm.", "Would you like to book a room, or to release one?"], False),
        ([HELLO, CHOICE, "Hm.", CHOICE, "The first."], True),
        ([HELLO, CHOICE, "Get one.", "Which room is it?"], True),
        ([HELLO, "Sure, I can book that.", "Yes, please.", "Good."], True),
    ],
)
def test_the_tool_is_known_from_the_words_alone(said: Sequence[str], known: bool) -> None:
    """Once the user tells it apart, or the assistant names it alone or asks for what only it takes; and then on."""
    assert is_known(said) is known
