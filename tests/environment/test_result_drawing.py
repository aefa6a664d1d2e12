"""Results drawn by documented schemas: what the validator takes, or the tool is named as one nothing is drawn for."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

import pytest

from callwright.author.personas import bank
from callwright.author.value_bank import answers_to, values_about
from callwright.author.value_codes import THING_NAMES
from callwright.author.value_scene import Scene
from callwright.environment.result_drawing import drawing, is_drawable, ways_of
from callwright.lang.gazetteer import countries, country_by_any, regions
from callwright.match.schema import fits_returns
from callwright.papers.wild.session_plan import prepare
from callwright.records.dialogue import ShownTool
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool, ToolList

TEXT = {"type": "string"}


def returning(schema: Json, name: str = "get_channel") -> Tool:
    return Tool(name=name, description="Get a channel.", parameters=encode({"type": "object"}), returns=encode(schema))


def an_object(**fields: Json) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def one_of(schema: Json, seed: int = 1) -> Json:
    return drawing(returning(schema), ())(Scene(Random(seed), bank()[0], date(2026, 5, 4)))


SCHEMAS: tuple[Json, ...] = (
    an_object(ok={"type": "boolean", "enum": [True]}),
    an_object(level={"type": "integer", "enum": [3, 5, None]}),
    an_object(detail={"type": "null"}),
    an_object(parent={"type": ["null"]}),
    an_object(bio={"anyOf": [{"type": "null"}, TEXT]}),
    an_object(owner={"allOf": [an_object(name=TEXT), an_object(age={"type": "integer"})]}),
    {"anyOf": [an_object(a=TEXT), an_object(b=TEXT)], "allOf": [an_object(c={"type": "boolean"})]},
    {"oneOf": [an_object(a=TEXT), {**an_object(b=TEXT), "not": {"required": ["a"]}}]},
    {"oneOf": [{"not": {}}, an_object(b=TEXT)]},
    an_object(scores={"type": "object", "additionalProperties": {"type": "object"}}),
    an_object(scores={"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2}),
    {"type": "object", "required": ["id"], "additionalProperties": {"type": "integer"}},
    {"type": "object", "properties": {"bad": False, "good": TEXT}, "required": ["good"]},
    an_object(tags={"type": "array", "items": TEXT, "minItems": 7, "uniqueItems": True}),
    an_object(flags={"type": "array", "items": {"type": "boolean"}, "uniqueItems": True}),
    an_object(one={"type": "array", "items": an_object(n=TEXT), "maxItems": 1}),
    an_object(pair={"type": "array", "prefixItems": [TEXT, {"type": "integer"}], "items": False}),
    an_object(none={"type": "array", "items": TEXT, "maxItems": 0}),
    an_object(title={"type": "string", "pattern": "^[CGD][A-Z0-9]{8,}$"}),
    an_object(link={"type": "string", "format": "uri", "pattern": "^https://a\\.example/\\d+$"}),
    an_object(id={"type": "number"}, zip={"type": "number"}, phone={"type": "integer"}),
    an_object(share={"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}),
    an_object(step={"type": "integer", "minimum": 10, "maximum": 90, "multipleOf": 15}),
    an_object(code={"type": "string", "minLength": 12, "maxLength": 14}),
    {"type": "array", "items": an_object(name=TEXT)},
    TEXT,
    {},
)


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_a_result_that_fits_is_found(schema: Json) -> None:
    """Whatever the keywords, in one of the ways that are tried, for each of many seeds."""
    tool = returning(schema)
    for seed in range(12):
        scene = Scene(Random(seed), bank()[seed], date(2026, 5, 4))
        assert any(fits_returns(drawing(tool, (), way)(scene), tool) for way in ways_of(tool))


def test_schemas_within_one_another_are_drawn_to_a_depth() -> None:
    """Deep down only what is required is drawn, so that it fits and comes to an end."""
    schema = an_object(name=TEXT)
    for _ in range(9):
        schema = {"type": "object", "properties": {"more": schema, "list": {"type": "array", "items": schema}}}
    assert is_drawable(returning(schema))


def test_a_free_object_holds_nothing() -> None:
    """No words about something else stand in for what its document does not say."""
    assert one_of(an_object(metadata={"type": "object"})) == {"metadata": {}}


def test_tools_whose_results_contradict_themselves_are_left_out_by_name() -> None:
    """Of the tools and of the lists; an empty list goes too."""
    good, bad = returning(an_object(name=TEXT)), returning(an_object(name=False), "get_nothing")
    lists = (
        ToolList("both", (ShownTool(good.key, "get_channel"), ShownTool(bad.key, "get_nothing"))),
        ToolList("bad", (ShownTool(bad.key, "get_nothing"),)),
    )
    ready = prepare(Catalog(tools=(good, bad), lists=lists))
    assert [tool.name for tool in ready.tools] == ["get_channel"]
    assert [(one.name, len(one.tools)) for one in ready.lists] == [("both", 1)]
    assert [one.where for one in ready.left_out] == ["get_nothing"]


@pytest.mark.parametrize(
    ("thing", "field", "never"),
    [
        ("body", "bodyName", "Thank you for the quick help"),
        ("program", "name", "Python"),
        ("detection", "topic", "pdf"),
    ],
)
def test_a_name_is_one_of_such_a_thing(thing: str, field: str, never: str) -> None:
    """A body's name is no message, a program is not programming, and the topic of a document is no file."""
    schema: Json = {"type": "object", "properties": {"id": {"type": "string"}, field: {"type": "string"}}}
    tool = Tool(
        name=f"get_{thing}",
        description=f"Get the {thing} of the given document.",
        parameters="{}",
        returns=encode(schema),
    )
    drawn = [drawing(tool, ())(Scene(Random(seed), bank()[0], date(2026, 5, 4))) for seed in range(40)]
    assert any(field in str(one) for one in drawn)
    assert not any(never in str(one) for one in drawn)


@pytest.mark.parametrize(
    ("about", "thing", "end"), [("Get breweries.", "brewery", " Brewery"), ("Get schools.", "school", " School")]
)
def test_an_institution_has_a_name_of_its_own_with_its_noun(about: str, thing: str, end: str) -> None:
    """No drink is a brewery, and no school has the name of another town."""
    schema = an_object(id=TEXT, name=TEXT)
    tool = Tool(name=f"get_{thing}", description=about, parameters="{}", returns=encode(schema))
    drawn = [drawing(tool, ())(Scene(Random(seed), bank()[0], date(2026, 5, 4))) for seed in range(10)]
    assert len({encode(one) for one in drawn}) > 1
    assert all(isinstance(one, dict) and str(one["name"]).endswith(end) for one in drawn)


@pytest.mark.parametrize(
    ("about", "is_person"),
    [("Get the agent of a real estate listing.", True), ("Get a build agent of a pipeline.", False)],
)
def test_an_agent_is_a_person_where_people_do_the_trade(about: str, *, is_person: bool) -> None:
    """Elsewhere it is a program."""
    tool = Tool(name="get_agent", description=about, parameters="{}", returns=encode(an_object(id=TEXT, name=TEXT)))
    drawn = drawing(tool, ())(Scene(Random(1), bank()[0], date(2026, 5, 4)))
    assert isinstance(drawn, dict)
    assert (" " in str(drawn["name"])) == is_person


def test_a_field_has_what_its_description_always_gives_it() -> None:
    """Though it is a sort of thing, or a required text of unknown meaning."""
    said = {"type": {"type": "string", "description": 'The response type. Always "rich".'}}
    said |= {"provider_name": {"type": "string", "description": 'Always "Acme" or "Make".'}}
    said |= {"cache_age": {"type": "integer", "description": "Seconds. Always 3600."}}
    assert one_of(an_object(**said)) == {"type": "rich", "provider_name": "Acme", "cache_age": 3600}


@pytest.mark.parametrize(
    ("field", "form"),
    [
        ("pdf_url", r"https://.*/files/.*\.pdf"),
        ("download_url", r"https://.*/files/.*\.zip"),
        ("img_url", r"https://.*/images/.*\.(png|jpg)"),
        ("html", r'<iframe src="https://.*"></iframe>'),
    ],
)
def test_the_address_of_a_file_leads_to_one(field: str, form: str) -> None:
    """And what is put into a page is markup."""
    told = one_of(an_object(**{field: TEXT}))
    assert isinstance(told, dict)
    assert re.fullmatch(form, str(told[field]))


def test_pictures_have_sides_of_hundreds_of_pixels() -> None:
    """A description says so: a width of 10 is of no video."""
    sides = {side: {"type": "integer", "description": f"The {side} in pixels."} for side in ("width", "height")}
    told = one_of(an_object(**sides))
    assert isinstance(told, dict)
    assert min(int(str(one)) for one in told.values()) >= 320


@pytest.mark.parametrize(
    ("field", "shape", "low", "high"),
    [
        ("win_probability", "number", 0.05, 0.95),
        ("season", "integer", 2026, 2026),
        ("list_price", "integer", 150_000, 900_000),
    ],
)
def test_a_number_has_the_size_that_its_name_tells(field: str, shape: str, low: float, high: float) -> None:
    """A chance is a share of one, a season is a year, and no house is sold for 145."""
    returns = encode(an_object(**{field: {"type": shape}}))
    tool = Tool(name="get_home", description="Get a home of a real estate site.", parameters="{}", returns=returns)
    drawn = [drawing(tool, ())(Scene(Random(seed), bank()[0], date(2026, 5, 4))) for seed in range(5)]
    assert all(isinstance(one, dict) and low <= float(str(one[field])) <= high for one in drawn)


def test_a_name_of_bounded_length_is_one_of_the_thing() -> None:
    """Not one of what else the tool's text says."""
    name: Json = {"type": "string", "minLength": 1}
    schema: Json = {"type": "object", "properties": {"id": {"type": "string"}, "name": name}}
    text = "Retrieve all product categories."
    tool = Tool(name="getCategory", description=text, source="GET /categories/{id}", returns=encode(schema))
    drawn = drawing(tool, ())(Scene(Random(2), bank()[0], date(2026, 5, 4)))
    assert drawn["name"] in values_about("titles", ("category",))  # type: ignore[index,call-overload]


def test_a_measure_has_no_name() -> None:
    """An occupancy is told by what it measures, not as "Occupancy A"."""
    fields: Json = {"id": {"type": "string"}, "name": {"type": "string"}, "bays": {"type": "integer"}}
    schema = encode({"type": "object", "properties": fields})
    tool = Tool(name="get_occupancy", description="Get the occupancy of a car park.", returns=schema)
    assert set(decode(encode(drawing(tool, ())(Scene(Random(1), bank()[0], date(2026, 5, 4)))))) == {"id", "bays"}


def test_what_nothing_determines_is_left_out() -> None:
    """A thing has its identifier and name; what else could only be made up is no part of it."""
    fields: dict[str, Json] = {"id": TEXT, "name": TEXT, "rank": {"type": "integer"}, "description": TEXT, "area": TEXT}
    for seed in range(5):
        drawn = one_of({"type": "object", "properties": fields}, seed)
        assert isinstance(drawn, dict)
        assert drawn.keys() == {"id", "name"}


def test_a_required_text_of_unknown_meaning_is_empty() -> None:
    """It could hold anything: the name of the thing itself is known, that of its system is not."""
    drawn = one_of(an_object(id=TEXT, name=TEXT, going=TEXT, osName=TEXT))
    assert isinstance(drawn, dict)
    assert (bool(drawn["name"]), drawn["going"], drawn["osName"]) == (True, "", "")


@pytest.mark.parametrize("code", [TEXT, {"type": "string", "enum": [one.alpha2 for one in countries()]}], ids=str)
def test_the_parts_of_an_address_agree(code: Json) -> None:
    """City, region and country are those of one place; with coordinates it is a city whose own they are."""
    spot: Json = an_object(latitude={"type": "number"}, longitude={"type": "number"})
    place = an_object(city=TEXT, region=TEXT, country=code)
    for seed in range(12):
        drawn: Any = one_of(an_object(name=TEXT, address=place, location=spot), seed)
        land = country_by_any()[drawn["address"]["country"].lower()]
        assert drawn["address"]["city"] == land.cities[0]
        assert drawn["address"]["region"] == land.regions[0]
        assert abs(drawn["location"]["latitude"] - land.spot[0]) < 0.2
        alone: Any = one_of(place, seed)
        assert regions()[alone["city"]] == alone["region"]


@pytest.mark.parametrize(("name", "said"), [("cancel_visit", "cancelled"), ("update_visit", "updated")])
def test_a_bare_text_says_what_was_done(name: str, said: str) -> None:
    """It is no name of anything."""
    tool = returning(TEXT, name)
    assert drawing(tool, ())(Scene(Random(1), bank()[0], date(2026, 5, 4))) == said


def test_moments_of_one_act_are_one_and_lie_in_their_order() -> None:
    """Who joined was invited before; what lasts an hour ends an hour after its start; the last run is over."""
    when: Json = {"type": "string", "format": "date-time"}
    fields: dict[str, Json] = {"published_at": when, "published_timestamp": when, "end_time": when, "start_time": when}
    fields |= {"duration": {"type": "integer"}, "invited": when, "joined": when, "valid_from": when, "valid_to": when}
    for seed in range(12):
        drawn: Any = one_of(an_object(**fields), seed)
        moments = {name: datetime.fromisoformat(drawn[name]) for name, one in fields.items() if one is when}
        assert moments["published_at"] == moments["published_timestamp"]
        assert moments["invited"] < moments["joined"]
        assert moments["valid_from"] < moments["valid_to"]
        assert moments["end_time"] - moments["start_time"] == timedelta(minutes=drawn["duration"])


def test_a_name_beside_mail_is_a_persons() -> None:
    """Who has mail is a person, and the mail is in that name; what says so by its noun keeps such a name."""
    schema = an_object(id=TEXT, name=TEXT, email={"type": "string", "format": "email"})
    for name, is_person in (("get_delegate", True), ("get_company", False)):
        drawn: Any = drawing(returning(schema, name), ())(Scene(Random(3), bank()[0], date(2026, 5, 4)))
        assert (drawn["name"] in values_about("titles", ("company",))) is not is_person


def test_a_state_that_could_only_be_bad_is_left_out() -> None:
    """An updated thing is neither deleted nor archived; one of more states is."""
    for options, is_told in ((["ARCHIVED", "DELETED"], False), (["ACTIVE", "DELETED"], True)):
        fields: Json = {"id": TEXT, "title": TEXT, "state": {"type": "string", "enum": list(options)}}
        drawn = one_of({"type": "object", "properties": fields})
        assert isinstance(drawn, dict)
        assert drawn.get("state") == ("ACTIVE" if is_told else None)


@pytest.mark.parametrize(
    ("says", "state"), [("Shows blocked ones as well.", "active"), ("Shows blocked ones.", "blocked")]
)
def test_a_state_that_is_shown_as_well_is_not_the_only_one(says: str, state: str) -> None:
    """Only what a description names alone is all that there is."""
    schema = an_object(supplier_id=TEXT, status={"type": "string", "enum": ["active", "blocked"]})
    tool = Tool(name="find_supplier", description=f"Find a supplier. {says}", returns=encode(schema), parameters="{}")
    drawn: Any = drawing(tool, ())(Scene(Random(1), bank()[0], date(2026, 5, 4)))
    assert drawn["status"] == state


def read(name: str, schema: Json) -> Json:
    """Return what a tool of this name and result returns."""
    tool = Tool(name=name, description="", parameters=encode({"type": "object"}), returns=encode(schema))
    return drawing(tool, ())(Scene(Random(1), bank()[0], date(2026, 5, 4)))


@pytest.mark.parametrize("name", ["get_blood_type", "get_life_story", "get_joke", "get_zodiac"])
def test_a_text_that_is_the_answer_is_what_was_asked_for(name: str) -> None:
    """A blood type is none of the names that anything may have."""
    asked = "".join(name.split("_")[1:])
    assert read(name, TEXT) in answers_to(asked)
    told: Any = read(name, an_object(value=TEXT))
    assert told["value"] in answers_to(asked)


def test_a_text_under_a_general_name_is_of_the_sort_that_was_asked_for() -> None:
    """The `value` of a portrait URL is an address."""
    told: Any = read("get_portrait_url", an_object(value=TEXT))
    assert told["value"].startswith("https://")


def test_a_picture_is_told_by_where_it_is() -> None:
    """An icon of some size has no name."""
    told: Any = read("get_team", an_object(id=TEXT, icon=an_object(image_102=TEXT)))
    assert told["icon"]["image_102"].endswith((".png", ".jpg"))


def test_the_names_of_a_member_are_those_of_one_person() -> None:
    """Under which name a person is listed, too."""
    told: Any = read("get_member", an_object(id=TEXT, name_display_as=TEXT, name_address_as=TEXT))
    assert " " in told["name_display_as"]
    assert told["name_display_as"] == told["name_address_as"]


def test_a_code_of_a_country_is_no_name() -> None:
    """Whatever else is said of it."""
    told: Any = read("get_address", an_object(city=TEXT, country=TEXT, countryCode=TEXT))
    assert len(told["countryCode"]) == 2


def test_latin_that_says_nothing_is_no_example() -> None:
    """A document's filler stands for a value."""
    told: Any = read("get_place", an_object(id=TEXT, icon={"type": "string", "example": "Ut molestias laboriosam."}))
    assert "molestias" not in told["icon"]


@pytest.mark.parametrize(
    ("name", "description", "topic"),
    [
        ("carriers", "Our analysis of whether a profile is a carrier of a disease.", ""),
        ("getCarriers", "List the carriers that fly from an airport.", "airline"),
        ("getCarriers", "List the carriers that take a parcel.", "company"),
        ("listStations", "List the radio stations of a country.", ""),
        ("listStations", "List the stations of a railway line.", "station"),
        ("listTerminals", "List the payment terminals of a shop.", ""),
        ("listMatches", "List the matches of a regular expression in a string.", ""),
        ("listMatches", "List the matches in a city.", "match"),
        ("listAlerts", "List the alerts of an account.", ""),
        ("listAlerts", "List the weather alerts of a city.", "weather"),
    ],
)
def test_a_noun_of_several_senses_is_named_by_the_trade_of_its_tool(name: str, description: str, topic: str) -> None:
    """Carriers of a disease are no airlines, and those of parcels are none either."""
    noun = name.removeprefix("get").removeprefix("list").lower()
    schema = an_object(**{noun: {"type": "array", "minItems": 2, "items": an_object(name=TEXT)}})
    tool = Tool(name=name, description=description, parameters=encode({"type": "object"}), returns=encode(schema))
    told = drawing(tool, ())(Scene(Random(1), bank()[0], date(2026, 5, 4)))
    names = {one["name"] for one in told[noun]}  # type: ignore[index,call-overload,union-attr]
    assert names <= set(values_about("things" if topic == "match" else "titles", (topic,)) if topic else THING_NAMES)


def test_totals_tell_each_thing_once() -> None:
    """Where one text alone tells items apart, no two share it."""
    crop = {"type": "string", "enum": ["peas", "leeks", "kale"]}
    totals: Json = {"type": "array", "items": an_object(crop=crop, kg={"type": "number"})}
    for seed in range(30):
        told: Any = one_of(totals, seed)
        assert len({row["crop"] for row in told}) == len(told) > 1
