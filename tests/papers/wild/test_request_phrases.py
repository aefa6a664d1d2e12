"""A wish in words: values where the object speaks of their things, in a phrase of their own, or as notes."""

from __future__ import annotations

from random import Random

import pytest

from callwright.author.briefs import Known
from callwright.catalog.chunks import Chunk, Gloss
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.lang.nouns import slot_noun
from callwright.papers.wild.request_phrases import Phrase, ValueNote, another_of, noted, phrase, referred, spoken
from callwright.papers.wild.task_briefs import Mention, MentionWay, Reference, Wish
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
    return phrase(Random(3), Wish(gloss(one), mentions), "2026-05-04")


BOARDS = tool("Search the boards of Pinterest users.", user_id="The user ID.", query="The search query string.")
ORDER = tool("Place an order for a customer.", customer_id="The customer ID.", payment_method="The payment method.")
DELETE = tool("Delete a site.", site_id="The ID of the site.")


def test_a_value_stands_for_its_thing() -> None:
    """Also where the description speaks of such things in the plural."""
    assert said(BOARDS, user_id="USR-1").do.endswith("the boards of Pinterest user USR-1")
    assert said(DELETE, site_id="57582").do == "delete site 57582"


def test_a_thing_found_by_its_own_identifier_is_named_once() -> None:
    """Nobody wants to see films for film 4711, though the document searches films."""
    assert said(tool("Search films using ID.", name="film", id="The ID of the film."), id="4711").do.endswith(
        "film 4711"
    )


def test_one_of_two_things_takes_its_own_value() -> None:
    """The season has the number, and the league none."""
    standings = tool("Get the standings of a league and a season.", season_id="The ID of the season.")
    assert said(standings, season_id="66860").do.endswith("of a league and season 66860")


def test_somebody_is_removed_from_something() -> None:
    """And not for it; what is added is added to it."""
    remove = tool("Removes a user.", room_id="The ID of the room.")
    add = tool("Adds a user.", room_id="The ID of the room.")
    assert said(remove, room_id="R-1").do.endswith("from room R-1")
    assert said(add, room_id="R-1").do.endswith("to room R-1")


def test_a_quality_is_one_of_its_thing() -> None:
    check = tool("Check the status of an order.", order_id="The order ID.")
    assert said(check, order_id="A-7").do == "check the status of order A-7"
    name = tool("Check the name availability.", availability_name="The name to check.")
    assert said(name, availability_name="atlas").do == 'check the name availability of "atlas"'


def test_a_value_that_no_preposition_introduces_is_a_note() -> None:
    """It follows as a sentence of its own, or as an aside."""
    found = said(ORDER, customer_id="CST-1", payment_method="cash")
    assert found.do == "place an order for customer CST-1"
    assert noted(found.notes, "verbose") == ' The payment method is "cash".'
    assert noted(found.notes, "terse") == ', payment method "cash"'


def test_notes_stand_two_to_a_sentence() -> None:
    """A yes or no is said as what it makes, or as it is."""
    notes = (
        ValueNote("title", '"A"'),
        ValueNote("size", "5"),
        ValueNote("tags", "x", True),
        ValueNote("archived", "no"),
    )
    assert noted(notes, "verbose") == ' The title is "A", and the size is 5. The tags are x, and archived: no.'
    assert noted((ValueNote("notify", "yes", act="notify the customer"),), "verbose") == " Notify the customer."


@pytest.mark.parametrize(
    ("reference", "do"),
    [
        (Reference(hiding="partial"), "delete the site"),
        (Reference(hiding="coreference"), "delete that site"),
        (Reference(hiding="coreference", ordinal=2), "delete the second site on that list"),
        (Reference(hiding="long_range", is_new=True), "delete the site you created earlier"),
        (Reference(hiding="long_range", ordinal=1), "delete the first site on the list from earlier"),
    ],
)
def test_a_hidden_thing_is_referred_to(reference: Reference, do: str) -> None:
    """By what was done with it, or by its place in a list."""
    assert said(DELETE, {"site_id": "hidden"}, reference, site_id="57582").do == do


def test_a_thing_that_is_named_is_meant_whole() -> None:
    """Nobody asks for `entire folder 57582`."""
    entire = Gloss("get", (Chunk("", "the history"), Chunk("of", "the entire site")))
    wish = Wish(entire, (Mention(Known(slots(DELETE)["site_id"], encode("57582")), "said"),))
    assert phrase(Random(1), wish, "2026-05-04").do.endswith("the history of site 57582")


def test_a_signposted_reference_says_which_request_it_means() -> None:
    """`From my first request`."""
    found = {referred(Random(seed), Reference(hiding="long_range", request=1), "site") for seed in range(9)}
    assert found == {"the site from my first request", "the site from my first question"}


def test_what_belongs_to_a_thing_read_in_the_same_message_is_its() -> None:
    """A thing that was created is `that`, an item of a list has its place."""
    assert referred(Random(1), Reference(obtained=True), "account") == "its account"
    assert referred(Random(1), Reference(obtained=True, is_new=True), "account") == "that account"
    assert referred(Random(1), Reference(obtained=True, ordinal=2), "account") == "the second account"


def test_times_cannot_be_taken_for_the_morning() -> None:
    """Nobody can tell which `4:15` is meant."""
    slot = Slot("arrival", slot_noun("arrival", "arrival time"), "time", encode({"type": "string"}), "")
    assert {spoken(Random(seed), Known(slot, encode("16:15:00")), None) for seed in range(9)} == {"16:15"}


def test_several_are_other_and_not_another() -> None:
    """`other tags`; `another city`; of what is not counted `another one`."""
    assert [another_of(noun) for noun in ("tags", "city", "weather")] == ["other tags", "another city", "another one"]


def test_what_is_known_of_a_thing_is_changed_as_its_own() -> None:
    """To update information about a call with a title is to change the title of the call."""
    update = tool("Updates information about a Call.", id="The ID of the call.", call_title="The title of the call.")
    hidden = said(update, {"id": "hidden"}, Reference(hiding="partial", entity="call"), id="7", call_title="Harbour")
    assert hidden.do == 'change the title of the call to "Harbour"'


def test_a_thing_of_another_sort_is_not_the_one_that_is_meant() -> None:
    """Though both are called groups."""
    get = tool("Get a placement group.", placement_group_id="The group.", resource_group_id="The resource group.")
    assert said(get, resource_group_id="R-1", placement_group_id="P-1").do.startswith("get placement group P-1")


def test_several_that_are_meant_are_those() -> None:
    """`Those users`; `that user`."""
    reference = Reference(hiding="coreference")
    assert [referred(Random(1), reference, noun) for noun in ("users", "user")] == ["those users", "that user"]


def test_who_is_invited_is_no_place() -> None:
    """An employee ID is that of the colleague, and nobody invites a colleague to an employee."""
    invite = tool("Invite a colleague to a project.", employee_id="The employee ID.", project_id="The project ID.")
    assert said(invite, employee_id="E-7", project_id="P-1").do == "invite colleague E-7 to project P-1"


def test_another_of_what_an_act_is_on_is_said_of_that() -> None:
    """A plugin is known by its package: `another plugin for site 3`, and not `for site 3 and another package`."""
    update = tool("Update a plugin.", site_id="The site ID.", package="The package.")
    mentions = (
        Mention(Known(slots(update)["site_id"], encode("3")), "said"),
        Mention(Known(slots(update)["package"], encode("lint")), "missing"),
    )
    wish = Wish(gloss(update), mentions, another="package")
    assert phrase(Random(3), wish, "2026-05-04").do == "update another plugin for site 3"


def test_a_city_is_the_location() -> None:
    """`For Lyon`, and not for a location in Lyon."""
    history = tool("Get historical weather data for a location.", location="The city.", date="The date (YYYY-MM-DD).")
    assert said(history, location="Lyon", date="2026-03-03").thing == "historical weather data for Lyon on 3 March"


def test_a_span_without_its_number_is_left_out() -> None:
    """Up to 24 hours of data are data, and no `hours of data`; hours of operation stay."""
    assert gloss(tool("Get up to 24 hours of traffic data.", name="traffic")).object == "traffic data"
    assert gloss(tool("Get hours of operation.", name="hours")).object == "hours of operation"


def test_who_does_an_act_is_not_where_its_thing_goes() -> None:
    """A tag is added to the ticket, and an admin adds it."""
    tag = tool("Add a tag to a ticket.", ticket_id="The ID of the ticket.", tag_id="The tag ID.", admin_id="The admin.")
    assert said(tag, ticket_id="7", tag_id="9", admin_id="341").do.endswith("to ticket 7 as admin 341")
    untag = tool("Remove a tag from a ticket.", ticket_id="The ID of the ticket.", user_id="The user who makes this.")
    assert " from user" not in said(untag, ticket_id="7", user_id="341").do
    invite = tool("Add an admin to a group.", group_id="The ID of the group.", admin_id="The admin.")
    assert said(invite, group_id="7", admin_id="341").do == "add admin 341 to group 7"
