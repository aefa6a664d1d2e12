"""Values whose descriptions say how they are written."""

from __future__ import annotations

import calendar
import re
from datetime import date, datetime
from random import Random
from typing import Any

import pytest

from callwright.author.personas import bank
from callwright.author.value_codes import THING_NAMES
from callwright.author.value_days import tense_of
from callwright.author.value_drawing import draw_values
from callwright.author.value_ids import id_forms, is_placeholder
from callwright.author.value_subject import ordered_pairs, subject_of
from callwright.errors import RolloutFailed
from callwright.lang.kinds import kind_of
from callwright.lang.reading import read
from callwright.lang.surface import mentions, say
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

TODAY = date(2026, 5, 4)


def drawn(name: str, seed: int = 1, **schema: Any) -> Any:
    parameters = {"type": "object", "properties": {name: {"type": "string", **schema}}, "required": [name]}
    return draw_values(Random(seed), Tool(name="send", parameters=encode(parameters)), bank()[0], today=TODAY)[name]


def test_a_choice_that_the_act_names_is_made() -> None:
    """No run is set to `active` by a tool that ends runs; of two that are named either may be meant."""

    def choices(description: str) -> set[Any]:
        parameters = {"type": "object", "properties": {"status": {"enum": ["active", "ended"]}}, "required": ["status"]}
        tool = Tool(name="update", description=description, parameters=encode(parameters))
        return {draw_values(Random(seed), tool, bank()[0], today=TODAY)["status"] for seed in range(20)}

    assert choices("Update the status of a run to ended.") == {"ended"}
    assert choices("Update the status of a run.") == {"active", "ended"}
    assert choices("Set a run to active or to ended.") == {"active", "ended"}


def test_nobody_says_markup_aloud() -> None:
    """Neither where HTML is asked for nor where an example has it."""
    assert "<" not in drawn("html", description="The body of the page in HTML.")
    assert drawn("body", description="The text.", example="<p>See <b>you</b> soon</p>") == "See you soon"


def test_filler_is_no_example() -> None:
    """What generators of documents write in place of a value, and what stands for one."""
    for filler in ("Ut molestias laboriosam.", "ENTER_HERE_A_TOKEN", "exampleGroupId"):
        assert drawn("title", description="The title.", example=filler) != filler


def test_a_state_of_which_nothing_is_listed_is_the_usual_one() -> None:
    assert drawn("status", description="The status.", default="read") == "read"


@pytest.mark.parametrize(
    ("name", "described", "pattern"),
    [
        ("login", "The login of the account.", r"[a-z]+\d*"),
        ("repo", "The name of the repository.", r"[a-z]+(?:-[a-z]+)*"),
        ("ref", "The git reference. It can be a branch or tag name.", r"[a-z][a-z0-9.-]+"),
        ("commit_sha", "", r"[0-9a-f]{40}"),
        ("account_slug", "", r"[a-z]+(?:-[a-z]+)*"),
        ("time_zone", "", r"[A-Z][a-z]+/\w+"),
        ("public_key", "An SSH public key.", r"ssh-ed25519 [A-Za-z0-9]{68}"),
        ("color_id", "The ID of the colour.", r"\d+"),
    ],
)
def test_a_code_is_of_its_kind(name: str, described: str, pattern: str) -> None:
    for seed in range(8):
        assert re.fullmatch(pattern, drawn(name, seed, description=described))


def test_a_thing_of_which_no_names_are_known_has_a_proper_name() -> None:
    names = {drawn("policy_name", seed, description="The name of the policy.") for seed in range(8)}
    assert len(names) > 1
    assert names <= set(THING_NAMES)


def test_an_identifier_borrows_no_letters_of_another_kind() -> None:
    tool = Tool(
        name="get_campaign",
        parameters=encode({"properties": {"campaign_id": {"type": "string"}}, "required": ["campaign_id"]}),
    )
    ids = {"": "MG0123456789abcdef0123456789abcdef", "service": "MG0123456789abcdef0123456789abcdef"}
    value = draw_values(Random(3), tool, bank()[0], today=TODAY, ids=ids)["campaign_id"]
    assert re.fullmatch(r"[0-9a-f]{32}", value)


def test_identifiers_with_commas_are_two() -> None:
    found = drawn("channel_ids", description="A comma-separated list of channel IDs.").split(",")
    assert len(set(found)) == 2
    assert all(one.isdigit() for one in found)


def test_an_environment_variable_has_a_key_in_capitals() -> None:
    assert drawn("key", description="The environment variable key (case-sensitive)").isupper()


def test_a_mime_type_is_no_file_name() -> None:
    assert all("/" in drawn("contentType", seed, description="Type of the upload.") for seed in range(5))
    assert all("/" in drawn("mime", seed) for seed in range(5))


@pytest.mark.parametrize(
    "shown", ["YOUR_TEAM_ID", "<id>", "{id}", "xxxx", "string", "example", "your-key-here", "List {{$randomInt}}"]
)
def test_a_stand_in_is_no_value(shown: str) -> None:
    assert is_placeholder(shown)
    assert drawn("team_id", example=shown).isdigit()


@pytest.mark.parametrize("bound", [10**12, 2**64])
@pytest.mark.parametrize("keyword", ["minLength", "minItems"])
def test_a_bound_that_nothing_meets_leaves_the_tool_out(keyword: str, bound: int) -> None:
    kind = {"type": "array", "items": {"type": "string"}} if keyword == "minItems" else {}
    with pytest.raises(RolloutFailed, match="no valid values"):
        drawn("note", **kind, **{keyword: bound})


def test_a_bare_identifier_has_the_form_of_its_resource() -> None:
    """The results of the resource have a pattern for `sid`, the address has none."""
    returns = {"type": "object", "properties": {"sid": {"type": "string", "pattern": "^AS[0-9a-f]{32}$"}}}
    parameters = {"type": "object", "properties": {"Sid": {"type": "string"}}, "required": ["Sid"]}
    tool = Tool(
        name="fetch_alpha_sender",
        source="GET /v1/AlphaSenders/{Sid}",
        parameters=encode(parameters),
        returns=encode(returns),
    )
    other = Tool(
        name="fetch_short_code", source="GET /v1/ShortCodes/{Sid}", parameters=encode(parameters), returns=encode(
            {"type": "object", "properties": {"sid": {"type": "string", "pattern": "^SC[0-9a-f]{32}$"}}}
        )
    )  # fmt: skip
    ids = id_forms((other, tool))
    assert draw_values(Random(2), tool, bank()[0], today=TODAY, ids=ids)["Sid"].startswith("AS")
    assert draw_values(Random(2), other, bank()[0], today=TODAY, ids=ids)["Sid"].startswith("SC")


def test_a_name_that_has_a_form_is_a_name_in_that_form() -> None:
    """Not letters drawn at random."""
    assert drawn("name", pattern="^[a-z][a-z0-9-]+$").count("-")


def test_a_short_identifier_is_no_part_of_a_longer_one() -> None:
    """A UUID cut off is none."""
    assert re.fullmatch(r"[0-9a-f]{24}", drawn("contact_id", minLength=24, maxLength=24, format="uuid"))


@pytest.mark.parametrize(
    ("name", "schema", "pattern"),
    [
        ("parent", {"description": "The account. The format is accounts/{account_id}."}, r"accounts/\d+"),
        ("timeZone", {"pattern": "^[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)*$"}, r"[A-Z][a-z]+/\w+"),
        ("zone", {"pattern": "^[A-Z][A-Za-z]+/[A-Z][A-Za-z]+$", "example": "Europe/Paris"}, "Europe/Paris"),
        ("version", {"description": "A semver version."}, r"\d+\.\d+\.\d+"),
        ("symbol", {"description": "Symbol of the company"}, r"[A-Z]{1,5}"),
        ("symbol", {"description": "Symbol of the gene"}, r"[A-Z]{4}\d"),
        ("location", {"description": 'The location. For example: `"us-east1"`.'}, r"us-east\d"),
        ("start", {"description": "Timestamp of the first point.", "example": "1620683817"}, r"1[67]\d{8}"),
        ("jobid", {"description": ""}, r"\d+"),
        ("network_code", {"description": "The network code", "example": 32526}, r"\d{5}"),
        ("reason", {"description": "Common values are SE (statutory), CR (religious). Up to 30."}, "SE|CR"),
        ("user_name", {"title": "Full name of the user"}, r"\S+ .+"),
    ],
)
def test_a_description_says_the_form(name: str, schema: dict[str, Any], pattern: str) -> None:
    for seed in range(4):
        assert re.fullmatch(pattern, drawn(name, seed, **schema))


def test_bounds_and_identifiers_of_numbers() -> None:
    for seed in range(6):
        assert drawn("fee", seed, type="number", description="The fee, min 10000") >= 10_000
        assert drawn("id", seed, type="number", description="Numeric id of the ride", example="1") > 1000


def test_choices_that_a_person_would_not_make() -> None:
    """No stand-in for a choice; an event is of the type `event`; a sum is of two numbers or more."""
    choices = ["STATUS_UNSPECIFIED", "OPEN", "STATUS_UNKNOWN"]
    assert {drawn("status", seed, enum=choices) for seed in range(6)} == {"OPEN"}
    assert all(len(drawn("input", seed, type="array", items={"type": "number"})) > 1 for seed in range(6))
    schema = {"type": {"type": "string", "enum": ["venue", "event", "artist"]}}
    tool = Tool(
        name="publish_event",
        description="Publish an event.",
        parameters=encode({"type": "object", "properties": schema, "required": ["type"]}),
    )
    assert {draw_values(Random(seed), tool, bank()[0], today=TODAY)["type"] for seed in range(6)} == {"event"}


def test_days_of_the_week_and_directions_of_a_sort_are_such() -> None:
    """No date, and no field to sort by."""
    assert {drawn("preferredDayOfWeek", seed) for seed in range(40)} <= set(calendar.day_name)
    assert {drawn("orderDirection", seed) for seed in range(40)} == {"asc", "desc"}


def test_what_starts_is_before_its_stop() -> None:
    """`range_start` and `range_stop` are a pair, as start and end are."""
    pair = [subject_of(name, {"type": "integer"}, about="") for name in ("range_start", "range_stop")]
    assert ordered_pairs(pair) == (("range_start", "range_stop"),)


def test_a_sound_and_a_change_are_drawn_by_their_own_nouns() -> None:
    """Whatever else their descriptions speak of: a message, or the name of a theme."""
    sounds = {drawn("NewMessageSound", seed, description="The sound of a new message.") for seed in range(9)}
    assert all(one.endswith((".wav", ".mp3")) for one in sounds)
    changes = {drawn("Changes", seed, description="Name of the theme") for seed in range(9)}
    assert changes & {"the contact details were corrected", "the due date moved by a week"}
    assert not changes & {"renewable energy", "data protection"}


@pytest.mark.parametrize(
    ("written", "shape", "layout"),
    [
        ("Date in MM-DD format (e.g. '03-10').", r"\d\d-\d\d", "%m-%d"),
        ("Day in YYYY/MM/DD format.", r"\d{4}/\d\d/\d\d", "%Y/%m/%d"),
        ("The day, DD.MM.YYYY.", r"\d\d\.\d\d\.\d{4}", "%d.%m.%Y"),
        ("The day as MM/DD/YYYY", r"\d\d/\d\d/\d{4}", "%m/%d/%Y"),
        ("The day as DD-MM-YYYY", r"\d\d-\d\d-\d{4}", "%d-%m-%Y"),
    ],
)
def test_a_day_is_written_as_its_description_says(written: str, shape: str, layout: str) -> None:
    """People say the day, `tomorrow` or `May 19`, and the words are read back as the value, in its form."""
    schema: dict[str, Any] = {"type": "string", "description": written}
    for seed in range(30):
        value = drawn("date", seed, description=written)
        assert re.fullmatch(shape, value)
        said = say(value, "date", rng=Random(seed), today=TODAY)
        assert [found.value for found in read(f"Book it for {said}, please.", "date", schema, today=TODAY)] == [value]
        assert mentions(f"Book it for {said}, please.", value, "date", today=TODAY)
        other = date.fromordinal(
            datetime.strptime(
                f"2024-{value}" if layout == "%m-%d" else value, f"%Y-{layout}" if layout == "%m-%d" else layout
            ).toordinal()
            + 3
        )
        assert not mentions(f"Book it for {other:%B} {other.day}, please.", value, "date", today=TODAY)


def test_the_form_of_an_hour_stands_in_the_text_of_its_tool() -> None:
    """A parameter without words of its own has the form that the tool's description writes in letters."""
    schema = {"type": "object", "properties": {"datetime": {"type": "string"}}, "required": ["datetime"]}
    tile = Tool(name="getTile", description="Get a tile of {slot - YYYYMMDDHH}.", parameters=encode(schema))
    assert re.fullmatch(r"20\d{8}", str(draw_values(Random(3), tile, bank()[0], today=TODAY)["datetime"]))


def test_what_was_done_lies_behind() -> None:
    """`trashed_at` is no day to come, though the call that takes it restores something."""
    assert tense_of("trashed at", "the time", "restore a file version") == "behind"
    assert tense_of("starts at", "the time", "book a room") == "ahead"


def test_a_month_of_a_card_is_said_as_it_is_written() -> None:
    """`06/27` would be read as a day of June."""
    described = "Expiry in the form MM/YY."
    assert kind_of("expiry_date", {"type": "string", "description": described}) == "other"
    assert re.fullmatch(r"\d\d/\d\d", str(drawn("expiry_date", 3, description=described)))


def test_a_check_in_with_a_form_of_days_is_a_day() -> None:
    """Its name says nothing and its example looks like a code."""
    assert kind_of("check_in", {"type": "string", "description": "Check-in in MM-DD format (e.g. '10-05')."}) == "date"


def test_a_compound_noun_of_a_currency_is_no_currency_of_a_country() -> None:
    """The name of a cryptocurrency is its example, not `euros`; a plain currency stays one."""
    described = "Name of the cryptocurrency (e.g. 'bitcoin')."
    assert drawn("currency", description=described) == "bitcoin"
    assert kind_of("currency", {"type": "string", "description": "Currency code (e.g. 'USD')."}) == "currency"


def test_the_only_example_of_a_name_is_not_always_taken() -> None:
    """Where names of such things are known, the shown one is one among them."""
    names = [drawn("title", seed, description="Title of the meeting (e.g. 'Project Meeting').") for seed in range(60)]
    assert 0 < names.count("Project Meeting") < 30


def test_a_list_of_other_things_of_the_noun_gives_no_names() -> None:
    """A `Puppy Class` is no course in business writing; a `New Folder` may have any folder's name."""
    assert {drawn("class_name", seed, example="Puppy Class") for seed in range(40)} == {"Puppy Class"}
    assert len({drawn("folder_name", seed, example="New Folder") for seed in range(40)}) > 5
    assert {drawn("recipe_title", seed, example="Nettle Tomme") for seed in range(40)} == {"Nettle Tomme"}
    assert {drawn("file_name", seed, example="January Financials") for seed in range(40)} == {"January Financials"}


@pytest.mark.parametrize(
    ("name", "example", "shape"),
    [
        ("day", "Tuesday", r"[A-Z][a-z]+day"),
        ("day", "mon", r"[a-z]{3}"),
        ("month", "May", "|".join(calendar.month_name[1:])),
        ("start_time", "7pm", r"\d{1,2}pm"),
        ("date", "2 weeks", r"[2-9] weeks"),
    ],
)
@pytest.mark.parametrize("by", ["example", "description"])
def test_days_and_times_are_written_as_the_example(name: str, example: str, shape: str, by: str) -> None:
    """A `day` of which a document shows `Tuesday` is no ISO date, also where only the description shows it."""
    told = {"example": example, "description": f"Which one, e.g. {example}"}
    found = {drawn(name, seed, **{by: told[by]}) for seed in range(40)}
    assert len(found) > 1
    assert all(re.fullmatch(shape, one) for one in found)
    said = say(next(iter(found)), kind_of(name, {"type": "string", by: told[by]}), rng=Random(1), today=TODAY)
    assert said in found


def test_days_in_digits_stay_in_digits() -> None:
    """An example in digits, or the format of the schema, is a date still."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", drawn("day", description="Day, e.g. 2026-05-04"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", drawn("day", format="date", description="Day, e.g. Tuesday"))
