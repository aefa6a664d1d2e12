"""Which values a message asks for: by name, by description, by question word, in lists, by listed values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.slots import Slot, slots
from callwright.papers.diaforge.asked_values import asked, sentences
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from diaforge_builders import bundled


def slots_of(**properties: dict[str, Any]) -> list[Slot]:
    document = {"type": "object", "properties": properties, "required": list(properties)}
    return list(slots(Tool(name="t", description="d", parameters=encode(document))).values())


def text(description: str = "", **schema: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **schema}


def heard(message: str, known: list[Slot], *, open_: set[str] | None = None) -> set[str]:
    is_open = [open_ is None or slot.name in open_ for slot in known]
    return {known[place].name for place in asked(message, known, is_open).places}


LEAVE = slots_of(
    leave_type=text("kind of leave", enum=["annual", "sick", "unpaid"]),
    start_date=text("first day of the leave", format="date"),
    end_date=text("last day of the leave", format="date"),
    employee_id=text("employee number"),
)
TRIP = slots_of(
    departure_city=text("city to leave from"),
    arrival_city=text("city to go to"),
    departure_date=text("departure date", format="date"),
    passengers={"type": "integer", "description": "number of passengers"},
)
TAG = slots_of(tag_gid=text("Globally unique identifier for the tag."), workspace=text("The workspace to look in."))
MAIL = slots_of(
    To=text("The recipient's phone number."), Body=text("The text of the message."), SendAt=text(format="date-time")
)

ISSUE = slots_of(
    owner=text("The account owner."),
    repo=text("The short name."),
    reviewers={"type": "array", "items": {"type": "string"}},
    size_gigabytes={"type": "integer", "description": "The size in GiB."},
)
RECORD = slots_of(domain_name=text("The name of the domain itself."), name=text("The host name, alias, or service."))
MOVE = slots_of(
    calendarId=text("Calendar identifier of the source calendar."),
    destination=text("Calendar identifier of the target calendar."),
)
QUOTE = slots_of(quote=text(), author=text(), language=text())
DEAL = slots_of(
    id=text("The identifier of the deal."),
    brokerserver=text(),
    mt4username=text(),
    username=text(),
    bidPercentage=text('The bid (also known as the "ad rate").'),
    provider=text(enum=["gitHub", "bitBucket"]),
    documentType={"type": "integer", "description": "Passport = 1, DrivingLicence = 2, Visa = 3"},
)
PERSON = slots_of(forename=text(), surname=text(), maxDistance=text(), minDistance=text(), PostCode=text())
MERGE = slots_of(contact_id=text("The contact."), contactID=text("The contact."))
ACTION = slots_of(
    droplet=text("A unique identifier."),
    type={"anyOf": [{"type": "string", "enum": ["reboot", "power_off", "shutdown"]}]},
)


@pytest.mark.parametrize(
    ("known", "message", "names"),
    [
        (TAG, "Could you please tell me the tag id?", {"tag_gid"}),
        (TAG, "What's the ID?", {"tag_gid"}),
        (TAG, "Which tag?", {"tag_gid"}),
        (TAG, "Can you give me the tag's reference?", {"tag_gid"}),
        (LEAVE, "Is this for a holiday, because you're unwell, or would it be unpaid?", {"leave_type"}),
        (LEAVE, "When does it begin, and when are you back?", {"start_date", "end_date"}),
        (LEAVE, "What's the first day off?", {"start_date"}),
        (LEAVE, "Are you feeling ill?", {"leave_type"}),
        (LEAVE, "To file it I need your ID. And the start and end date?", {"employee_id", "start_date", "end_date"}),
        (TRIP, "I need the departure city and the date.", {"departure_city", "departure_date"}),
        (TRIP, "Where are you leaving from, and where are you going?", {"departure_city", "arrival_city"}),
        (TRIP, "How many people are travelling?", {"passengers"}),
        (TRIP, "Please give me:\n1. the departure city\n2. the arrival city", {"departure_city", "arrival_city"}),
        (TRIP, "Please tell me:\n- **Departure city**\n- **Passengers**", {"departure_city", "passengers"}),
        (MAIL, "What number should I send it to?", {"To"}),
        (MAIL, "What should the message say?", {"Body"}),
        (MAIL, "When should it go out?", {"SendAt"}),
        (MAIL, "I have noted the number. What is the text?", {"Body"}),
        (ISSUE, "In which repository is it?", {"repo"}),
        (ISSUE, "Who should review it?", {"reviewers"}),
        (ISSUE, "How many GB?", {"size_gigabytes"}),
        (RECORD, "For which domain?", {"domain_name"}),
        (RECORD, "What is the host name?", {"name"}),
        (MOVE, "To which calendar should I move it?", {"destination"}),
        (MOVE, "Which calendar is it in?", {"calendarId"}),
        (QUOTE, "Can you tell me the text of the quote and its author?", {"quote", "author"}),
        (DEAL, "What's your MT4 username?", {"mt4username"}),
        (DEAL, "Which server is it on?", {"brokerserver"}),
        (DEAL, "What ad rate shall I set?", {"bidPercentage"}),
        (DEAL, "Is it a passport or a visa?", {"documentType"}),
        (DEAL, "Is the code on GitHub or Bitbucket?", {"provider"}),
        (PERSON, "What's the person's full name?", {"forename", "surname"}),
        (PERSON, "And the last name?", {"surname"}),
        (PERSON, "What's the longest distance?", {"maxDistance"}),
        (PERSON, "What's the zip code?", {"PostCode"}),
        (TAG, "Could you share the workspace as well as the tag ID?", {"workspace", "tag_gid"}),
        (MERGE, "I need the contact ID and the contact ID.", {"contact_id", "contactID"}),
        (ACTION, "Should I reboot it, power it off or shut it down?", {"type"}),
    ],
)  # fmt: skip
def test_questions_are_heard(known: list[Slot], message: str, names: set[str]) -> None:
    """Each in words of its own."""
    assert heard(message, known) == names


@pytest.mark.parametrize(
    "message", ["", "Thanks!", "What is your shoe size?", "Do you like tea or coffee?", "I have the tag id.", "When?"]
)
def test_what_fits_nothing_is_not_heard(message: str) -> None:
    """Nor what fits several alike: no other value is given in its place."""
    assert heard(message, LEAVE) == heard(message, TAG) == set()


def test_a_parameter_that_is_not_wanted_is_not_mistaken_for_another() -> None:
    """AskedValues for the team's name, nobody says the team's id."""
    known = slots_of(team_id=text("The ID of the team."), team_name=text("The name of the team."))
    assert heard("What is the name of the team?", known, open_={"team_id"}) == {"team_name"}


def test_the_last_word_is_enough_where_it_is_unique_among_the_open() -> None:
    """`the date` is the departure date as long as no other date is open."""
    known = slots_of(departure_date=text(format="date"), return_date=text(format="date"))
    assert heard("What is the date?", known, open_={"departure_date"}) == {"departure_date"}
    assert heard("What are the dates?", known) == {"departure_date", "return_date"}


def test_a_question_word_alone_asks_for_the_only_parameter_of_its_sort() -> None:
    """A value that the user lacks counts too: `when` may mean either day."""
    known = slots_of(found_on=text(format="date"), note=text())
    assert heard("When did that happen?", known) == {"found_on"}
    known = slots_of(found_on=text(format="date"), closed_on=text(format="date"))
    assert heard("When did that happen?", known, open_={"found_on"}) == set()


def test_a_list_belongs_to_the_sentence_before_it() -> None:
    """Though its items stand on lines of their own."""
    (sentence,) = sentences("Could you tell me these?\n\n1. Tag id\n2) Workspace")
    assert heard(sentence, TAG) == {"tag_gid", "workspace"}


def test_every_required_value_of_the_bundled_catalogue_is_heard_by_its_name() -> None:
    """In plain words, whatever else the tool has."""
    asked_for = given_ = wrong = 0
    for tool in bundled().tools:
        known = list(slots(tool).values())
        for name in tool.required:
            found = heard(f"Could you tell me the {name.replace('_', ' ')}, please?", known)
            asked_for, given_, wrong = asked_for + 1, given_ + (name in found), wrong + bool(found - {name})
    assert asked_for > 200
    assert given_ / asked_for >= 0.97
    assert wrong / asked_for <= 0.005


@given(st.text(max_size=200))
def test_any_text_can_be_heard(message: str) -> None:
    """Without an error, and the same twice."""
    assert asked(message, TRIP, [True] * len(TRIP)) == asked(message, TRIP, [True] * len(TRIP))


PERSON = slots_of(
    givenName=text(),
    familyName=text(),
    birthDate=text(format="date"),
    fasting={"type": "boolean", "description": "Whether the stomach must be empty"},
    temp={"type": "number", "description": "Degrees Celsius"},
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("May I have the full name and date of birth?", {"givenName", "familyName", "birthDate"}),
        ("Does the patient need to fast?", {"fasting"}),
        ("How warm should it be?", {"temp"}),
    ],
)
def test_one_word_for_two_and_the_kind_of_a_question(message: str, expected: set[str]) -> None:
    """A full name is two names, a question for yes or no asks for none of its nouns, and `how warm` for a number."""
    assert heard(message, PERSON) == expected


def test_what_stands_before_the_question_counts_if_it_asks_too() -> None:
    """A choice first, then a question."""
    known = slots_of(type=text(enum=["artist", "user"]), ids=text("A list of IDs."))

    assert heard("Is that an artist or a user, and what are their IDs?", known) == {"type", "ids"}


SPAN = slots_of(
    min_timestamp={"type": "string", "format": "date-time"},
    max_timestamp={"type": "string", "format": "date-time"},
    language={"type": "string", "enum": ["en-US", "es", "fr"]},
    limit={"type": "integer"},
    ip=text("The address of the visitor."),
    email=text("Email address"),
    latitude={"type": "number"},
    longitude={"type": "number"},
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("From when until when should I look?", {"min_timestamp", "max_timestamp"}),
        ("Is it in English, French or Spanish?", {"language"}),
        ("How many names do you need at most?", {"limit"}),
        ("And what IP address did they use?", {"ip"}),
        ("Could I have the coordinates?", {"latitude", "longitude"}),
    ],
)
def test_pairs_of_moments_languages_and_words_before_nouns(message: str, expected: set[str]) -> None:
    """As many moments as are asked for; codes by the names of languages; `ip` before a noun of another's name."""
    assert heard(message, SPAN) == expected
