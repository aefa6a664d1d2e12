"""A wish in words: values where the object speaks of their things, in a phrase of their own, or as notes."""

from __future__ import annotations

from random import Random

import pytest

from callwright.author.briefs import Known
from callwright.catalog.slots import Slot, slots
from callwright.lang.nouns import flag_noun, slot_noun
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.request_phrases import Phrase, another, phrase
from callwright.papers.wild.task_briefs import Mention, MentionWay, Reference, Wish
from callwright.papers.wild.value_phrases import in_a_row, noted, spoken
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def tool(description: str, name: str = "doIt", **properties: str) -> Tool:
    """Return a tool whose parameters are all required texts, with these descriptions."""
    typed = {key: {"type": "string", "description": text} for key, text in properties.items()}
    schema = {"type": "object", "properties": typed, "required": list(typed)}
    return Tool(name=name, description=description, parameters=encode(schema))


def said(
    one: Tool,
    ways: dict[str, MentionWay] | None = None,
    reference: Reference = Reference(),  # noqa: B008
    **values: Json,
) -> Phrase:
    """Return a request for the tool with these values, the same words for every draw of the verb."""
    mentions = tuple(
        Mention(Known(slots(one)[name], encode(value)), (ways or {}).get(name, "said"), reference)
        for name, value in values.items()
    )
    return phrase(Random(3), Wish(asked_gloss(one), mentions), "2026-05-04")


BOARDS = tool("Search the boards of Pinterest users.", user_id="The user ID.", query="The search query string.")
ORDER = tool("Place an order for a customer.", customer_id="The customer ID.", payment_method="The payment method.")


@pytest.mark.parametrize(
    ("one", "values", "body"),
    [
        (BOARDS, {"user_id": "USR-1", "query": "lamps"}, 'the boards of Pinterest user USR-1 about "lamps"'),
        (tool("Get the details of weapons and armor sets.", weapon_id="The weapon ID."), {"weapon_id": "WPN-1"},
         "the details of weapon WPN-1"),
        (tool("Check whether a URL is marked as unsafe by Google.", url="The URL."), {"url": "https://a.example/b"},
         "whether https://a.example/b is marked as unsafe by Google"),
        (tool("Get example sentences of English words.", word="The English word."), {"word": "brisk"},
         'example sentences of the English word "brisk"'),
    ],
)  # fmt: skip
def test_a_value_stands_for_its_thing(one: Tool, values: dict[str, Json], body: str) -> None:
    """Also where the description speaks of such things in the plural, or of several."""
    assert said(one, **values).do.endswith(body)


def test_a_value_that_no_preposition_introduces_is_a_note() -> None:
    """It is no `with X as the Y` inside the request."""
    found = said(ORDER, customer_id="CST-1", payment_method="cash")
    assert found.do.endswith("an order for customer CST-1")
    assert [note.noun for note in found.notes] == ["the payment method"]
    assert "cash" in noted(Random(1), found.notes, "verbose")
    assert found.whole.endswith('with payment method "cash"')


def test_what_a_list_holds_of_a_thing_is_said_to_be_of_it() -> None:
    """A company taken from a list of jobs is the company of the first job, not the first job."""
    one = tool("Get the profile of a company.", company="The name of the company.")
    fed = said(one, {"company": "fed"}, Reference(entity="job", ordinal=1, obtained=True), company="Fernhill")
    assert "the company of the first job" in fed.do


def test_two_phrases_that_begin_alike_share_their_preposition() -> None:
    """`for A and B`, not `for A for B`."""
    one = tool("Get statistics.", user_id="The user ID.", room_id="The room ID.")
    assert said(one, user_id="USR-1", room_id="RM-2").do.endswith("statistics for user USR-1 and room RM-2")


def test_what_is_made_is_not_what_is_given() -> None:
    """A short link is made for a long one; the long one does not stand in its place."""
    one = tool("Create a shortened URL.", longUrl="The long URL.")
    assert said(one, longUrl="https://a.example/b").do.endswith("a shortened URL for https://a.example/b")


def test_what_is_turned_into_another_comes_first() -> None:
    """The channel that is converted, and not the private one it becomes."""
    one = tool("Convert a public channel to a private channel.", channel_id="The channel ID.")
    assert said(one, channel_id="CHN-1").do == "convert public channel CHN-1 to a private channel"


def test_a_thing_referred_to_is_a_certain_one() -> None:
    """It is no longer one `of a business trip`."""
    one = tool("Cancel the booking of a business trip.", booking_id="The booking ID.")
    fed = said(one, {"booking_id": "fed"}, Reference(entity="booking", obtained=True), booking_id="BK-1")
    assert "business trip" not in fed.do


def test_a_yes_is_said_as_what_it_makes() -> None:
    """`and make it private`, not `is private: yes`."""
    one = tool("Create a channel.", name="The channel name.", is_private="")
    slot = Slot("is_private", flag_noun("is_private", ""), "boolean", encode({"type": "boolean"}), "")
    for value, end in ((True, "and make it private"), (False, "but do not make it private")):
        wish = Wish(asked_gloss(one), (Mention(Known(slot, encode(value)), "said"),))
        assert phrase(Random(3), wish, "").do.endswith(end)


def test_an_address_stands_for_whom_it_belongs_to() -> None:
    """A reminder goes to the address, where the document speaks of a recipient."""
    one = tool("Send a reminder to the recipient.", email="The email address of the recipient.")
    assert said(one, email="ana@harbour.example").do.endswith("a reminder to ana@harbour.example")


def test_times_cannot_be_taken_for_the_morning() -> None:
    """Nobody can tell which `4:15` is meant."""
    slot = Slot("arrival", slot_noun("arrival", "arrival time"), "time", encode({"type": "string"}), "")
    assert {spoken(Random(seed), Known(slot, encode("16:15:00")), None) for seed in range(9)} == {"16:15"}


def test_what_cannot_be_counted_is_other_and_not_another() -> None:
    """`other data`; `another city`."""
    one = tool("Do it.", data="Data.", city="Name of the city.")
    lacking = [Mention(Known(slots(one)[name], encode("x")), "missing") for name in ("data", "city")]
    assert another(Random(1), lacking[0]) == "other data"
    assert another(Random(1), lacking[1]).endswith(" city")
    assert another(Random(1), lacking[1]).startswith("a")


def test_phrases_that_begin_with_with_are_one() -> None:
    """`with A and B`."""
    assert in_a_row(["with cash as the method", "with five as the amount"]).count("with") == 1


@pytest.mark.parametrize(
    ("one", "values", "body"),
    [
        (tool("Determine whether a specific date is a holiday.", date="The date."), {"date": "2026-05-01"},
         "whether the date is a holiday"),
    ],
)  # fmt: skip
def test_what_goes_on_without_a_word_is_not_any_such_thing(one: Tool, values: dict[str, Json], body: str) -> None:
    """`Of a website` would ask which."""
    ways: dict[str, MentionWay] = dict.fromkeys(values, "hidden")
    assert said(one, ways, Reference(hiding="partial"), **values).do.endswith(body)
