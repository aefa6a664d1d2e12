"""What the assistant of a wild session says its calls came to."""

from __future__ import annotations

from random import Random

import pytest

from callwright.author.briefs import Known
from callwright.catalog.gloss import Chunk, Gloss
from callwright.catalog.slots import Slot
from callwright.lang.kinds import Kind
from callwright.lang.nouns import slot_noun
from callwright.papers.wild.assistant_words import wild_closing
from callwright.papers.wild.task_briefs import CallOutcome, WildClosing
from callwright.records.jsontext import Json, encode

FORECAST = Gloss("get", (Chunk("", "the weather forecast"),))


def field(name: str, description: str, kind: Kind, value: Json) -> Known:
    return Known(Slot(name, slot_noun(name, description), kind, encode({}), ""), encode(value))


def told(*outcomes: CallOutcome, seed: int) -> str:
    return wild_closing.offline(Random(seed), WildClosing(outcomes, "2026-05-04"))


@pytest.mark.parametrize("seed", range(12))
def test_units_stand_behind_numbers_and_things_are_counted(seed: int) -> None:
    """Not `humidity in percent is 72 percent`, nor `number of points is 33`."""
    fields = (
        field("humidity", "humidity in percent", "percent", 72),
        field("points", "number of points", "count", 33),
        field("length", "length in km", "number", 41),
    )
    text = told(CallOutcome(FORECAST, "", "forecast", "Lyon", fields=fields), seed=seed)
    assert "in percent" not in text
    assert "33 points" in text
    assert "41 km" in text


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_asked_after_the_job(seed: int) -> None:
    """Where nothing is open."""
    assert "?" not in told(CallOutcome(FORECAST, "create", "forecast", "Lyon"), seed=seed)


@pytest.mark.parametrize("seed", range(12))
def test_outcomes_of_one_tool_are_told_apart(seed: int) -> None:
    """By what they are about; where that may not be said, by their order."""
    one, other = (CallOutcome(FORECAST, "", "forecast", about, listed=("rain",)) for about in ("Lyon", "Nice"))
    assert all(name in told(one, other, seed=seed) for name in ("Lyon", "Nice"))
    text = told(*(CallOutcome(FORECAST, "", "forecast", "", listed=("rain",)) for _ in range(2)), seed=seed)
    assert "the first one" in text
    assert "the second one" in text


@pytest.mark.parametrize("seed", range(12))
def test_only_a_thing_itself_is_said_to_be_done(seed: int) -> None:
    """The order is cancelled, not the room that the message went to."""
    text = told(CallOutcome(FORECAST, "cancel", "order", "order ORD-1", is_thing=True), seed=seed).lower()
    assert "order ord-1 is cancelled" in text or "the order is cancelled" in text
    assert "he message" in told(CallOutcome(FORECAST, "send", "message", "room RM-1"), seed=seed)
