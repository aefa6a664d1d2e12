"""Whether a text carries exactly the values it was meant to carry."""

from __future__ import annotations

from datetime import date
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from callwright.author.briefs import Known
from callwright.author.user_turn import say_value
from callwright.author.value_checks import carrying_faults, is_said, is_sayable
from callwright.catalog.slots import Slot, slots
from callwright.lang.nouns import Noun
from callwright.records.jsontext import JsonText, encode
from diaforge_builders import TODAY, bundled, user_of_tool

NAMES = [tool.name for tool in bundled().tools]
DAY = date.fromisoformat(TODAY)


def known(tool: str, **values: object) -> list[Known]:
    by_name = slots(bundled().by_name[tool])
    return [Known(by_name[name], encode(value)) for name, value in values.items()]


REFUND = known("refund_item", order_id="88213", item="kettle", reason="damaged")


def test_told_values_must_be_there_and_untold_ones_must_not() -> None:
    """Each fault names its parameter."""
    order, item, reason = REFUND

    assert carrying_faults("Order 88213, it came damaged.", [order, reason], [item], TODAY) == []
    assert len(carrying_faults("It came damaged.", [order, reason], [item], TODAY)) == 1
    assert len(carrying_faults("Order 88213, the kettle came damaged.", [order, reason], [item], TODAY)) == 1


def test_a_value_shared_by_two_parameters_is_told_once() -> None:
    """The second is not said too early with the first."""
    first, second = known("transfer_stock", from_warehouse="north", to_warehouse="north")

    assert carrying_faults("From the north one.", [first], [second], TODAY) == []


def test_parts_of_other_values_are_no_values() -> None:
    """A number inside a longer one, a word inside a word."""
    order, item, _ = REFUND

    assert not is_said("Order 188213 or 88213-2.", order, TODAY)
    assert not is_said("The kettledrum.", item, TODAY)


def test_yes_and_no_cannot_be_looked_for() -> None:
    """They are worded as consequences, so they count as said."""
    (water,) = known("report_plumbing_fault", water_running=True)

    assert not is_sayable(water)
    assert is_said("Good morning.", water, TODAY)


@given(st.sampled_from(NAMES), st.integers(0, 400), st.integers(0, 2**16))
def test_what_is_said_is_found_again(name: str, seed: int, chance: int) -> None:
    """Every drawn value, in any way of saying it, in the middle of a sentence."""
    known = user_of_tool(name, seed=seed).known
    assume(known)
    said = [(one, say_value(Random(chance), one, DAY)) for one in known]
    lost = [text for one, text in said if not is_said(f"Well, I think it's {text}, if that helps.", one, TODAY)]
    assert lost == []


def test_a_value_within_a_told_one_or_a_noun_is_not_said_too_early() -> None:
    place = Known(Slot("key", Noun("key"), "code", JsonText("{}"), ""), JsonText('"geography"'))
    name = Known(Slot("name", Noun("display name"), "title", JsonText("{}"), ""), JsonText('"Geography"'))
    sort = Known(Slot("type", Noun("type of the item"), "enum", JsonText("{}"), ""), JsonText('"comment"'))
    assert carrying_faults("The key is geography.", [place], [name], TODAY) == []
    assert len(carrying_faults("The key is geography, called Geography.", [], [name], TODAY)) == 1
    assert carrying_faults("I want to create a comment.", [], [sort], TODAY, "create a comment") == []
    assert len(carrying_faults("It is a comment.", [], [sort], TODAY)) == 1
