"""Values read from what a user said, and the one that a result supplies."""

from __future__ import annotations

import pytest

from callwright.baselines.filling import Answer
from callwright.baselines.told_values import asked_in, supplied_value, told_values
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

NAMES = ("order_id", "email", "note")
SCHEMA = {"type": "object", "properties": {name: {"type": "string"} for name in NAMES}, "required": ["order_id"]}
CANCEL = Tool(name="cancel_order", description="Cancel an order.", parameters=encode(SCHEMA))
ORDERS = '{"orders": [{"id": "A-17", "day": "Monday"}, {"id": "A-18", "day": "Friday"}]}'


def test_required_and_requested_values_are_read() -> None:
    """What nobody asked for and nothing requires is left out."""
    said = "The order ID is A-17 and the email is ann@example.org."

    assert told_values(CANCEL, [Answer(said)]) == {"order_id": "A-17"}
    assert told_values(CANCEL, [Answer(said, ("order_id", "email"))]) == {
        "order_id": "A-17",
        "email": "ann@example.org",
    }


@pytest.mark.parametrize(
    ("message", "names"), [("Your order ID and e-mail?", ("order_id",)), ("And the Email?", ("email",)), ("", ())]
)
def test_a_message_asks_for_what_it_names(message: str, names: tuple[str, ...]) -> None:
    """By the nouns of the parameters, in any case."""
    assert asked_in(message, CANCEL) == names
    assert asked_in(message, None) == ()


@pytest.mark.parametrize(
    ("result", "said", "value"),
    [
        (ORDERS, "The one of Friday, please.", "A-18"),
        (ORDERS, "Hm.", None),
        (ORDERS, "Monday or Friday?", None),
        ('{"id": 5}', "", 5),
        ('[{"id": 5}, {"id": 5}]', "", 5),
        ('{"name": 5}', "", None),
        ("no JSON", "", None),
    ],
)
def test_of_several_results_the_one_spoken_of_is_meant(result: str, said: str, value: Json) -> None:
    """None while it is open, and where the result has no such field or is no JSON."""
    assert supplied_value(result, "id", said) == value
