"""The tool environment: the same for the same seed, true to its schemas, with a memory."""

from __future__ import annotations

import re
from datetime import date
from random import Random
from typing import Any

import msgspec
import pytest

from callwright.app.catalogs import read_catalog
from callwright.author.personas import bank
from callwright.author.value_drawing import draw_values
from callwright.environment.returns import with_returns
from callwright.environment.tool_world import ToolWorld
from callwright.lang.gazetteer import cities, country_by_any
from callwright.match.schema import fits_returns
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool

TODAY = date(2026, 5, 4)


def tool(name: str, description: str, *required: str) -> Tool:
    properties = {key: {"type": "string"} for key in required}
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name=name, description=description, parameters=encode(schema))


def returning(one: Tool, **fields: Json) -> Tool:
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    return msgspec.structs.replace(one, returns=encode(schema))


CREATE, READ, LIST, DELETE = with_returns(
    Catalog(
        tools=(
            tool("createNote", "Create a note.", "title"),
            tool("getNoteTitle", "Get the title of a note.", "note_id"),
            tool("listNotes", "List all notes."),
            tool("deleteNote", "Delete a note.", "note_id"),
        )
    )
).tools


def world(seed: int = 1) -> ToolWorld:
    return ToolWorld(seed=seed, item="x", today=TODAY, persona=bank()[0])


def kept(place: ToolWorld, one: Tool, **arguments: Json) -> Json:
    result = place.call(one, arguments)
    place.keep(one, arguments, result)
    return decode(result.value) if result.value is not None else result.error


def test_the_same_call_returns_the_same() -> None:
    """In any world of the seed, whatever was called before; another seed gives something else."""
    first = world().call(LIST, {})
    other = world()
    other.call(READ, {"note_id": "N-1"})
    assert other.call(LIST, {}) == first
    assert world(2).call(LIST, {}) != first


def test_looking_changes_nothing() -> None:
    """Only what is kept is remembered."""
    place = world()
    place.call(CREATE, {"title": "Plans"})
    assert place.call(LIST, {}) == world().call(LIST, {})


def test_what_was_created_is_listed_beside_the_others() -> None:
    """With its identifier, behind those that were there before."""
    place = world()
    before = kept(place, LIST)["notes"]
    made = kept(place, CREATE, title="Plans")
    after = kept(place, LIST)["notes"]
    assert after[-1]["note_id"] == made["note_id"]
    assert after[:-1] == before[: len(after) - 1]


def test_what_was_deleted_is_gone() -> None:
    """Reading or deleting it again is an error, and in a fork of the world from before it is not."""
    place = world()
    made = kept(place, CREATE, title="Plans")
    before = place.fork()
    kept(place, DELETE, note_id=made["note_id"])
    assert place.call(READ, {"note_id": made["note_id"]}).error == "no such note"
    assert before.call(READ, {"note_id": made["note_id"]}).error is None


def test_the_only_part_of_a_thing_is_gone_when_it_was_deleted() -> None:
    """Until somebody puts one there."""
    verbs = {"GET": "get", "PUT": "put", "DELETE": "delete"}
    read, write, remove = (
        msgspec.structs.replace(
            tool(f"{verb}Config", f"{verb} config", "id"), source=f"{method} /instances/{{id}}/config"
        )
        for method, verb in verbs.items()
    )
    place = world()
    kept(place, remove, id="7")
    assert place.call(read, {"id": "7"}).error is not None
    assert place.call(read, {"id": "8"}).error is None
    kept(place, write, id="7")
    assert place.call(read, {"id": "7"}).error is None


def test_results_keep_to_their_schemas() -> None:
    """For every bundled tool, its schema documented or inferred."""
    tools = with_returns(read_catalog("builtin/enterprise")).tools
    place = world()
    assert tools
    for one in tools:
        arguments = draw_values(Random(3), one, bank()[3], today=TODAY, also=list(one.properties)[:2])
        result = place.call(one, arguments)
        assert result.value is None or fits_returns(decode(result.value), one), one.name


def test_what_is_returned_has_the_form_that_others_ask_for() -> None:
    """An identifier without a form in its own document takes that of the parameter it is for."""
    asked = {"type": "object", "properties": {"note_id": {"type": "string", "pattern": "^N-[0-9]{3}$"}}}
    reader = Tool(name="readNote", description="Read a note.", parameters=encode({**asked, "required": ["note_id"]}))
    place = ToolWorld(seed=1, item="x", today=TODAY, persona=bank()[0], tools=(CREATE, reader))
    made = decode(place.call(CREATE, {"title": "Plans"}).value or "null")  # type: ignore[arg-type]
    assert isinstance(made, dict)
    assert re.fullmatch("N-[0-9]{3}", str(made["note_id"]))


# -- what is known, laid over documented results -----------------------------------------------------------------------


def documented(name: str, parameters: Json, returns: Json) -> Tool:
    about = {"type": "object", "properties": parameters}
    answer = {"type": "object", "properties": returns}
    return Tool(name=name, description="", parameters=encode(about), returns=encode(answer))


TEXT: Json = {"type": "string"}
CHANNEL: Json = {"type": "object", "properties": {"id": TEXT, "name": TEXT, "topic": TEXT}}
OPEN_CHANNEL = documented("create_channel", {"name": TEXT}, {"ok": {"type": "boolean"}, "channel": CHANNEL})
SEE_CHANNEL = documented("get_channel", {"channel_id": TEXT}, {"channel": CHANNEL})


def test_what_was_created_inside_a_result_can_be_read() -> None:
    """Slack's layout: the thing stands in a field named like it, with an `id` of its own."""
    place = world()
    made = kept(place, OPEN_CHANNEL, name="weekend-plans")["channel"]  # type: ignore[index,call-overload]
    assert made["name"] == "weekend-plans"  # type: ignore[index,call-overload]
    assert kept(place, SEE_CHANNEL, channel_id=made["id"])["channel"] == made  # type: ignore[index,call-overload]


def test_a_day_is_repeated_as_the_field_writes_days() -> None:
    """A new due date in another layout is the due date of the result."""
    due: Json = {"type": "string", "format": "date"}
    move = documented("postpone_task", {"new_due_date": TEXT}, {"due_date": due})
    assert kept(world(), move, new_due_date="2026-07-01T09:00:00Z") == {"due_date": "2026-07-01"}


def test_what_is_known_never_breaks_a_schema() -> None:
    """A value that the field does not take is not repeated; the others are."""
    level: Json = {"type": "integer", "maximum": 5}
    set_level = documented("set_level", {"level": {"type": "integer"}, "room": TEXT}, {"level": level, "room": TEXT})
    told = kept(world(), set_level, level=80, room="kitchen")
    assert told["room"] == "kitchen"  # type: ignore[index,call-overload]
    assert "level" not in told  # type: ignore[operator]


def test_a_choice_that_was_asked_for_is_repeated() -> None:
    """Also where the field is a closed choice, as long as it is one of it."""
    size: Json = {"type": "string", "enum": ["S", "M", "L"]}
    order = documented("order_shirt", {"size": TEXT}, {"size": size})
    assert [kept(world(), order, size=one) for one in "SML"] == [{"size": one} for one in "SML"]


def test_what_was_read_is_read_again() -> None:
    """The details of a thing out of a list are those that the list had."""
    note: Json = {"type": "object", "properties": {"note_id": TEXT, "title": TEXT, "status": TEXT}}
    find = documented("list_notes", {}, {"notes": {"type": "array", "items": note}})
    read = documented("get_note", {"note_id": TEXT}, {"title": TEXT, "status": TEXT})
    place = world()
    first = kept(place, find)["notes"][0]  # type: ignore[index,call-overload]
    again = kept(place, read, note_id=first["note_id"])  # type: ignore[index,call-overload]
    assert again == {"title": first["title"], "status": first["status"]}  # type: ignore[index,call-overload]


def test_what_something_else_told_of_a_thing_is_read_of_it() -> None:
    """The day and the state of a chat, told in a list of members under the chat's name."""
    moment: Json = {"type": "string", "format": "date-time"}
    member: Json = {
        "type": "object",
        "properties": {"chat_id": TEXT, "chat_created_at": moment, "chat_status": TEXT},
        "required": ["chat_id", "chat_created_at", "chat_status"],
    }
    find = documented("list_members", {}, {"members": {"type": "array", "items": member, "minItems": 3}})
    read = documented("get_chat", {"chat_id": TEXT}, {"created_at": moment, "status": TEXT})
    place = world()
    members: Any = kept(place, find)
    assert members["members"]
    for told in members["members"]:
        own = {"created_at": told["chat_created_at"], "status": told["chat_status"]}
        assert kept(place, read, chat_id=told["chat_id"]) == own


def test_a_field_whose_name_is_signs_alone_is_a_field() -> None:
    """`$` has no words."""
    read = documented("get_note", {"note_id": TEXT}, {"$": TEXT, "_": {"type": "integer"}})
    assert isinstance(kept(world(), read, note_id="7"), dict)


def test_what_was_only_read_is_not_in_every_list() -> None:
    """Unlike what was created."""
    place = world()
    before = kept(place, LIST)
    kept(place, READ, note_id="N-5")
    assert place.call(LIST, {}).value == encode(before)


def test_what_was_created_is_read_by_its_address() -> None:
    """A link is as good as an identifier."""
    text = {"type": "string"}
    shorten = returning(tool("createShortLink", "Shorten a link.", "longUrl"), short_url=text)
    expand = returning(tool("retrieveOriginalUrl", "Get the long link.", "shortUrl"), long_url=text)
    place = world()
    made = kept(place, shorten, longUrl="https://www.larkfield.com/help")
    assert kept(place, expand, shortUrl=made["short_url"]) == {"long_url": "https://www.larkfield.com/help"}


def test_what_is_expected_lies_ahead() -> None:
    """Also where it is only read."""
    day = {"type": "string", "format": "date", "description": "The expected delivery date."}
    track = returning(tool("trackShipment", "Track a shipment.", "order_id"), expected=day)
    days = [kept(world(seed), track, order_id="ORD-1")["expected"] for seed in range(8)]
    assert min(days) >= TODAY.isoformat()


def test_what_was_retitled_is_called_so() -> None:
    """Also by a tool without a result schema, which tells what the other one writes."""
    one = {"type": "object", "properties": {"event_id": TEXT}, "required": ["event_id"]}
    two = {"type": "object", "properties": {"event_id": TEXT, "summary": TEXT}, "required": ["event_id", "summary"]}
    updating = Tool(name="editEvent", source="PATCH /events/{event_id}", parameters=encode(two))
    reading = Tool(name="getEvent", source="GET /events/{event_id}", parameters=encode(one))
    change, read = with_returns(Catalog(tools=(updating, reading))).tools
    place = world()
    kept(place, change, event_id="27363", summary="Open Day")
    assert kept(place, read, event_id="27363") == {"event_id": "27363", "summary": "Open Day"}


def test_a_written_address_stays_as_it_was_written() -> None:
    """Also where the name beside it has other words."""
    contact: Json = {"id": TEXT, "name": TEXT, "email": TEXT}
    add = documented("create_contact", {"name": TEXT, "email": TEXT}, contact)
    made = kept(world(), add, name="John Doe", email="paula@example.com")
    assert isinstance(made, dict)
    assert (made["name"], made["email"]) == ("John Doe", "paula@example.com")


def test_a_state_that_an_argument_names_is_reached() -> None:
    """What is managed so that it closes is closed."""
    state: Json = {"type": "string", "enum": ["open", "snoozed", "closed"]}
    shape = encode({"type": "object", "properties": {"id": TEXT, "state": state}})
    asked = {"type": "object", "properties": {"id": TEXT, "kind": TEXT}, "required": ["id", "kind"]}
    manage = Tool(name="manage", source="PUT /talks/{id}", parameters=encode(asked), returns=shape)
    assert kept(world(), manage, id="7", kind="close") == {"id": "7", "state": "closed"}


def test_a_new_name_is_told_and_not_the_one_in_the_path() -> None:
    """The path has the name that the thing had before."""
    repo = encode({"type": "object", "properties": {"id": {"type": "integer"}, "name": TEXT}})
    asked = {"type": "object", "properties": {"owner": TEXT, "repo": TEXT, "name": TEXT}, "required": ["owner", "repo"]}
    edit = Tool(name="editRepo", source="PATCH /repos/{owner}/{repo}", parameters=encode(asked), returns=repo)
    assert kept(world(), edit, owner="ada", repo="old-plans", name="plans")["name"] == "plans"  # type: ignore[index,call-overload]
    assert kept(world(), edit, owner="ada", repo="old-plans")["name"] == "old-plans"  # type: ignore[index,call-overload]


def test_a_thing_that_is_looked_up_is_the_only_one_of_its_list_and_has_its_key() -> None:
    """`GET /notes/{note_id}` of a document that says it returns a list, and what an `entity_id` stands for."""
    item: Json = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    source = "GET /notes/{note_id}"
    listing = msgspec.structs.replace(
        tool("getNote", "Get a note.", "note_id"), source=source, returns=encode({"type": "array", "items": item})
    )
    assert kept(world(), listing, note_id="N-7") == [{"id": "N-7"}]
    place, two = world(), {"fieldNoteId": {"type": "string"}, "name": {"type": "string"}}
    row: Json = {"type": "object", "properties": two, "required": list(two)}
    notes = returning(LIST, fieldNotes={"type": "array", "items": row})
    told = kept(place, notes)
    one = told["fieldNotes"][0]  # type: ignore[call-overload,index]
    read = msgspec.structs.replace(listing, returns=encode({"type": "array", "items": row}))
    assert kept(place, read, note_id=one["fieldNoteId"]) == [one]  # type: ignore[call-overload,index]
    named = msgspec.structs.replace(returning(listing, entity_id={"type": "string"}), source=source)
    assert kept(world(), named, note_id="N-7") == {"entity_id": "N-7"}


def test_a_list_of_twins_is_short() -> None:
    """Where a document's example is all that its items can be."""
    item: Json = {"type": "object", "properties": {"id": {"const": "1"}}, "required": ["id"]}
    listed = msgspec.structs.replace(LIST, returns=encode({"type": "array", "items": item}))
    assert kept(world(), listed) == [{"id": "1"}]


def test_an_answer_that_holds_things_repeats_what_they_were_asked_for_by() -> None:
    """And a look-up beside a thing (`/notes/{note_id}/cover`) tells of that one thing."""
    item: Json = {"type": "object", "properties": {"link": {"type": "string"}}, "required": ["link"]}
    fields: dict[str, Json] = {"notes": {"type": "array", "items": item}, "shelf": {"type": "string"}}
    listed = returning(tool("getNotes", "Get notes.", "note_id", "shelf"), **fields)
    cover = msgspec.structs.replace(listed, source="GET /notes/{note_id}/cover")
    told = kept(world(), cover, note_id="N-7", shelf="Oak")
    assert isinstance(told, dict)
    assert told["shelf"] == "Oak"
    assert isinstance(told["notes"], list)
    assert len(told["notes"]) == 1


def test_one_identifier_has_one_name() -> None:
    """In a list, and in the results after it."""
    names = {"shelfId": {"type": "string"}, "shelfName": {"type": "string"}, "id": {"type": "string"}}
    row: Json = {"type": "object", "properties": names, "required": list(names)}
    listed = msgspec.structs.replace(
        returning(tool("listNotes", "List notes.", "shelf_id"), notes={"type": "array", "items": row, "minItems": 2}),
        source="GET /shelves/{shelf_id}/notes",
    )
    place = world()
    told = [*kept(place, listed, shelf_id="S-12")["notes"], *kept(place, listed, shelf_id="S-12")["notes"]]  # type: ignore[call-overload,index,misc]
    assert len(told) >= 4
    assert {one["shelfId"] for one in told} == {"S-12"}
    assert len({one["shelfName"] for one in told}) == 1


def test_a_search_for_a_company_finds_that_one() -> None:
    """Not others beside it; a search for a word finds what holds it."""
    for noun, query, name in (("companies", "Novak Machines", "companyName"), ("articles", "solar power", "name")):
        row: Json = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
        find = returning(
            tool(f"search_{noun}", f"Search for {noun}.", "search"), **{noun: {"type": "array", "items": row}}
        )
        told = [one[name] for one in kept(world(), find, search=query)[noun]]  # type: ignore[call-overload,index]
        assert told
        assert told == [query] if noun == "companies" else query in told[0]


def test_settings_of_a_thing_have_its_identifier() -> None:
    """`/notes/{note_id}/settings`; a cover of the note has one of its own."""
    read = returning(tool("getNoteSettings", "Get the settings of a note.", "note_id"), id={"type": "string"})
    settings = msgspec.structs.replace(read, source="GET /notes/{note_id}/settings")
    cover = msgspec.structs.replace(
        returning(tool("getNoteCover", "Get the cover of a note.", "note_id"), id={"type": "string"}),
        source="GET /notes/{note_id}/cover/",
    )
    assert kept(world(), settings, note_id="N-1")["id"] == "N-1"  # type: ignore[call-overload,index]
    assert kept(world(), cover, note_id="N-1")["id"] != "N-1"  # type: ignore[call-overload,index]


def test_a_city_lies_in_its_country() -> None:
    """In the country that was asked for, else in its own."""
    both: dict[str, Json] = {"city": {"type": "string"}, "country_code": {"type": "string"}}
    read = returning(tool("getShop", "Get a shop.", "shop_id"), **both)
    seen = [kept(world(seed), read, shop_id="S-1") for seed in range(12)]
    for one in seen:
        assert cities()[one["city"]] == country_by_any()[one["country_code"].lower()]  # type: ignore[call-overload,index]
    found = returning(tool("findShop", "Find a shop.", "country_code"), **both)
    told = [kept(world(seed), found, country_code="PT") for seed in range(12)]
    assert {cities()[one["city"]].alpha2 for one in told} == {"PT"}  # type: ignore[call-overload,index]


def test_a_pattern_that_takes_words_is_no_amount() -> None:
    """A name that keeps to a pattern is written as identifiers are; an amount has a pattern of its own."""
    fields: dict[str, Json] = {
        "poolName": {"type": "string", "pattern": "^[A-Za-z0-9._#-]+$"},
        "total": {"type": "string", "pattern": r"^\d+(\.\d{2})?$"},
    }
    for seed in range(6):
        told = kept(world(seed), returning(tool("getPool", "Get a pool.", "pool_id"), **fields), pool_id="P-1")
        assert re.fullmatch(r"[A-Za-z]+[-_]?[A-Za-z]+", told["poolName"])  # type: ignore[call-overload,index]
        assert re.fullmatch(r"\d+\.00", told["total"])  # type: ignore[call-overload,index]


def asking(source: str, given: Json, **fields: Json) -> Tool:
    """An operation that needs all of `given` and documents its result."""
    names = list(given) if isinstance(given, dict) else []
    asked = encode({"type": "object", "properties": given, "required": names})
    returns = encode({"type": "object", "properties": fields, "required": list(fields)})
    return Tool(name=source.rpartition("/")[2].strip("{}"), source=source, parameters=asked, returns=returns)


@pytest.mark.parametrize(
    ("source", "is_same"),
    [("POST /payments/{id}/update-estimate", True), ("GET /estimates", True), ("GET /contacts/{id}/logo", False)],
)
def test_the_only_identifier_stands_in_a_result_of_no_other_thing(source: str, *, is_same: bool) -> None:
    """A thing below the identified one has an identifier of its own."""
    made = kept(world(), asking(source, {"id": TEXT}, id=TEXT, note=TEXT), id="6854942019")
    assert isinstance(made, dict)
    assert (made["id"] == "6854942019") is is_same


def test_a_choice_stands_in_the_field_that_offers_the_same() -> None:
    """Whatever the field is called, unless two parameters offer it."""
    sizes: Json = {"type": "string", "enum": ["S", "M", "L"]}
    small: Json = {"type": "string", "enum": ["s", "m", "l"]}
    order = asking("POST /orders", {"wantedSize": small}, id=TEXT, size=sizes)
    assert [kept(world(), order, wantedSize=one)["size"] for one in "sml"] == list("SML")  # type: ignore[index,call-overload]


@pytest.mark.parametrize(("source", "name"), [("POST /notes", "result"), ("DELETE /notes/{id}", "deleted")])
def test_what_a_call_does_is_done(source: str, name: str) -> None:
    """A yes or no that tells of nothing but the act is a yes."""
    made = kept(world(), asking(source, {"id": TEXT}, **{name: {"type": "boolean"}}), id="1")
    assert isinstance(made, dict)
    assert made[name] is True


def test_a_result_calls_the_identifier_that_was_given_in_its_own_way() -> None:
    """Statistics of an entity have its identifier, and so has a change of its notes."""
    number, text = {"type": "number"}, {"type": "string"}
    read, patch = tool("getStatistics", "Get statistics of a link.", "id"), tool("patchNotes", "Patch notes.", "id")
    read = msgspec.structs.replace(read, source="GET /links/{id}/statistics")
    patch = msgspec.structs.replace(patch, source="PUT /links/{id}/notes")
    for one, field in ((returning(read, entityId=text, cost=number), "entityId"), (returning(patch, id=text), "id")):
        value = world().call(one, {"id": "L-7"}).value
        assert value is not None
        assert decode(value)[field] == "L-7"


def test_a_thing_under_meta_has_the_identifier_that_was_asked_for() -> None:
    """Where nothing else of the result holds anything, the notes on the reply are the answer."""
    thing: Json = {"type": "object", "properties": {"key": {"type": "string"}, "name": {"type": "string"}}}
    read = tool("getStyle", "Get a style.", "key")
    read = returning(msgspec.structs.replace(read, source="GET /styles/{key}"), error={"type": "boolean"}, meta=thing)

    value = world().call(read, {"key": "S-7"}).value

    assert value is not None
    assert decode(value)["meta"]["key"] == "S-7"


def test_settings_that_are_the_only_ones_are_read_as_they_were_written() -> None:
    most = {"type": "object", "properties": {"maxHits": {"type": "integer"}}}
    update = Tool(name="updatePaging", source="PATCH /shelf/settings/paging", parameters=encode(most))
    read, reset = (
        Tool(name=name, source=f"{method} /shelf/settings/paging", returns=encode(most))
        for name, method in (("getPaging", "GET"), ("resetPaging", "DELETE"))
    )
    place = world()
    unwritten = kept(place, read)
    kept(place, update, maxHits=4321)
    assert kept(place, read) == {"maxHits": 4321}
    kept(place, reset)
    assert kept(place, read) == unwritten


def test_a_file_that_is_read_returns_a_text() -> None:
    """Not the name of another file."""
    read = returning(tool("readFile", "Read a file.", "path"))
    told = kept(world(), msgspec.structs.replace(read, returns=encode({"type": "string"})), path="notes.md")
    assert " " in told
    assert not re.search(r"\.\w{2,4}$", told)


def test_what_is_deleted_has_another_state_than_before() -> None:
    """Where its document has such a state."""
    states: Json = {"type": "string", "enum": ["CREATING", "ACTIVE", "DELETING", "FAILED"]}
    make = returning(tool("createStore", "Create a store.", "name"), store_id={"type": "string"}, status=states)
    remove = returning(tool("deleteStore", "Delete a store.", "store_id"), store_id={"type": "string"}, status=states)
    place = world()
    made = kept(place, make, name="Harbour")
    assert made["status"] == "CREATING"
    assert kept(place, remove, store_id=made["store_id"])["status"] == "DELETING"


def test_what_is_found_by_its_name_is_the_same_in_every_tool() -> None:
    """Also where another tool takes the name elsewhere and returns the thing in a wrapper."""
    fields: Json = {
        "type": "object",
        "properties": {"name": TEXT, "createTime": {"type": "string", "format": "date-time"}},
    }
    get = msgspec.structs.replace(
        tool("getRobot", "Get a robot.", "name"), source="GET /v1/{name}", returns=encode(fields)
    )
    wrapped = encode({"type": "object", "properties": {"robot": fields}})
    find = msgspec.structs.replace(
        tool("findRobot", "Look up a robot.", "name"), source="GET /v1/robots:find", returns=wrapped
    )
    place = world()
    assert kept(place, find, name="r2")["robot"] == kept(place, get, name="r2")
    place = world(2)
    assert kept(place, get, name="r2") == kept(place, find, name="r2")["robot"]


ROW: Json = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string", "enum": ["Atlas"]}}}


def test_a_name_in_two_lists_is_that_of_one_thing() -> None:
    """Unless what was asked for differs: two owners may each have a board of the name."""
    rows: Json = {"type": "array", "items": ROW}
    by_team = returning(tool("listTeamBoards", "List the boards of a team.", "owner_id", "team_id"), boards=rows)
    by_owner = returning(tool("listOwnerBoards", "List the boards of an owner.", "owner_id"), boards=rows)
    place = world()
    first = kept(place, by_team, owner_id="o1", team_id="t1")["boards"]
    assert kept(place, by_owner, owner_id="o1")["boards"][0]["id"] == first[0]["id"]
    assert kept(place, by_owner, owner_id="o2")["boards"][0]["id"] != first[0]["id"]


def test_one_session_has_one_currency() -> None:
    fields: dict[str, Json] = {"id": {"type": "string"}, "amount": {"type": "number"}, "currency": {"type": "string"}}
    quote = returning(tool("getQuote", "Get a quote.", "quote_id"), **fields)
    place = world()
    assert len({kept(place, quote, quote_id=str(number))["currency"] for number in range(12)}) == 1
    assert len({kept(world(), quote, quote_id=str(number))["currency"] for number in range(12)}) > 1


def test_a_part_that_retells_the_request_has_its_values() -> None:
    """Also those that stood in an object of the call."""
    info: Json = {"type": "object", "properties": {"xRequestId": {"type": "string"}}, "required": ["xRequestId"]}
    status = returning(tool("getStatus", "Get a status.", "order_id"), originalRequestInfo=info)
    schema = {"type": "object", "properties": {"order_id": {"type": "string"}, "requestInfo": info}}
    status = msgspec.structs.replace(status, parameters=encode(schema))
    found = kept(world(), status, order_id="o1", requestInfo={"xRequestId": "77"})
    assert found["originalRequestInfo"] == {"xRequestId": "77"}


def test_a_list_that_is_filtered_by_a_written_name_has_it_alone() -> None:
    slug: Json = {"type": "string", "pattern": "^[a-z][a-z0-9-]+$"}
    rows: Json = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}, "name": slug}}}
    find = returning(tool("listShelves", "List shelves."), shelves=rows)
    filters = {"shelfFilters": {"type": "object", "properties": {"name": slug}}}
    find = msgspec.structs.replace(find, parameters=encode({"type": "object", "properties": filters}))
    names = [one["name"] for one in kept(world(), find, shelfFilters={"name": "top-row"})["shelves"]]
    assert names == ["top-row"]


def test_a_moment_keeps_to_its_pattern() -> None:
    """And not to any that the pattern alone would take, centuries ahead."""
    form = r"^([12]\d{3})-(1[0-2]|0[1-9])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)Z$"
    read = returning(tool("getRun", "Get a run.", "run_id"), EndTime={"type": "string", "pattern": form})
    assert all(kept(world(seed), read, run_id="1")["EndTime"][:4] == "2026" for seed in range(5))


def test_what_is_asked_for_by_its_name_has_an_identifier_of_its_own() -> None:
    fields: dict[str, Json] = {"id": {"type": "string"}, "name": {"type": "string"}}
    read = returning(tool("getAlert", "Get an alert.", "alertName"), **fields)
    found = kept(world(), read, alertName="SampleAlert")
    assert found["name"] == "SampleAlert"
    assert found["id"] != "SampleAlert"


def test_no_two_things_have_one_name() -> None:
    """Those that are read by their identifiers; the same thing keeps its own."""
    read = returning(tool("getCompany", "Get a company.", "company_id"), name={"type": "string"})
    for seed in range(6):
        place = world(seed)
        names = [kept(place, read, company_id=str(number))["name"] for number in (*range(5), 3)]
        assert len(set(names)) == 5
        assert names[5] == names[3]


def test_a_part_with_the_fields_of_what_was_given_repeats_it() -> None:
    """A consignee is the recipient of the order, and a shipping method stands under a longer name."""
    person: Json = {name: {"type": "string"} for name in ("firstName", "lastName", "city", "country")}
    whole: Json = {"type": "object", "properties": person, "required": list(person)}
    order = returning(
        tool("createOrder", "Create an order."),
        id={"type": "string"},
        shopShippingMethod={"type": "string"},
        consignee=whole,
    )
    schema = {"type": "object", "properties": {"recipient": whole, "shippingMethod": {"type": "string"}}}
    order = msgspec.structs.replace(order, parameters=encode(schema))
    given: Json = {"firstName": "Ann", "lastName": "Lee", "city": "Oslo", "country": "Norway"}
    found = kept(world(), order, recipient=given, shippingMethod="Ground")
    assert found["consignee"] == given
    assert found["shopShippingMethod"] == "Ground"


def test_the_one_thing_of_a_list_lies_within_what_was_asked_for() -> None:
    """Where a document calls the result of a list one thing."""
    day: Json = {"type": "string", "format": "date"}
    find = returning(tool("listOrders", "List orders.", "from_date", "to_date"), id={"type": "string"}, recorded_on=day)
    found = kept(world(), find, from_date="2026-02-01", to_date="2026-02-05")
    assert "2026-02-01" <= found["recorded_on"] <= "2026-02-05"


def test_logs_that_are_a_text_are_lines_of_a_log() -> None:
    read = returning(tool("getLog", "Get the log.", "container_id"))
    told = {
        kept(world(seed), msgspec.structs.replace(read, returns=encode({"type": "string"})), container_id="1")
        for seed in range(9)
    }
    assert told & {"cache refreshed", "server started on port 8080", "worker 2 is ready"}


def test_tags_have_keys_that_people_give() -> None:
    fields: Json = {"Key": {"type": "string"}, "Value": {"type": "string"}}
    tag: Json = {"type": "object", "properties": fields, "required": ["Key", "Value"]}
    read = returning(tool("ListTags", "List the tags.", "resource_id"), Tags={"type": "array", "items": tag})
    keys = {one["Key"] for seed in range(3) for one in kept(world(seed), read, resource_id="1")["Tags"]}
    assert keys <= {"environment", "owner", "project", "team", "department", "cost-center", "stage"}


def test_the_fields_of_a_person_are_no_people() -> None:
    row: Json = {"type": "object", "properties": {"id": {"type": "string"}, "label": {"type": "string"}}}
    read = returning(tool("getFields", "Get the additional fields.", "id"), customer_extra_field=row)
    assert " " not in kept(world(), read, id="1")["customer_extra_field"]["label"]


def test_nothing_failed() -> None:
    """A list of what went wrong is not what a call is about."""
    entry: Json = {"type": "object", "properties": {"TargetId": {"type": "string"}}}
    fields: Json = {"FailedEntries": {"type": "array", "items": entry}, "FailedEntryCount": {"type": "integer"}}
    remove = tool("removeTargets", "Remove targets from a rule.", "rule")
    remove = msgspec.structs.replace(remove, returns=encode({"type": "object", "properties": fields}))
    told = kept(world(), remove, rule="r1")
    assert told in ({}, {"FailedEntryCount": 0}, {"FailedEntries": []}, {"FailedEntries": [], "FailedEntryCount": 0})


def test_what_is_transferred_belongs_to_whom_it_was_transferred() -> None:
    fields: dict[str, Json] = {"id": {"type": "string"}, "user_id": {"type": "string"}}
    give = returning(tool("transferZone", "Transfer a zone.", "zone_id", "transfer_user_id"), **fields)
    assert kept(world(), give, zone_id="z1", transfer_user_id="u7") == {"id": "z1", "user_id": "u7"}


def test_what_is_listed_below_a_path_has_its_name_there() -> None:
    form: Json = {"type": "string", "description": "The name. Format: `shops/{shop}/shelves/{shelf}/books/{book}`"}
    rows: Json = {"type": "array", "items": {"type": "object", "properties": {"name": form}}}
    find = returning(tool("listBooks", "List books.", "parent"), books=rows)
    for parent in ("shops/7/shelves/9", "shops/7"):
        names = [one["name"] for one in kept(world(), find, parent=parent)["books"]]
        assert names
        assert all(name.startswith(f"{parent}/") and name.count("/") == 5 for name in names)


def test_a_name_that_is_a_path_ends_in_the_identifier_that_was_given() -> None:
    form: Json = {"type": "string", "description": "The name. Format: `shops/{shop}/shelves/{shelf}`"}
    make = returning(tool("createShelf", "Create a shelf.", "parent", "shelfId"), name=form)
    assert kept(world(), make, parent="shops/7", shelfId="top")["name"] == "shops/7/shelves/top"


def test_a_name_of_machines_has_the_identifiers_beside_it() -> None:
    fields: dict[str, Json] = {
        "jobRunId": {"type": "string"},
        "applicationId": {"type": "string"},
        "arn": {"type": "string", "pattern": "arn:x:/applications/[0-9a-z]{6}/jobruns/[0-9a-z]{6}"},
    }
    read = returning(tool("getJobRun", "Get a job run.", "applicationId", "jobRunId"), **fields)
    told = kept(world(), read, applicationId="a9a9a9", jobRunId="j8j8j8")
    assert told["arn"] == "arn:x:/applications/a9a9a9/jobruns/j8j8j8"


def test_a_key_is_that_of_what_was_read_by_it() -> None:
    """And the year beside days is that of the first."""
    day: Json = {"type": "string", "format": "date"}
    fields: dict[str, Json] = {"key": {"type": "string"}, "start_date": day, "year": {"type": "integer"}}
    read = returning(tool("getEventSimple", "Get a short record.", "event_key"), **fields)
    told = kept(world(), read, event_key="97927")
    assert told["key"] == "97927"
    assert str(told["year"]) == told["start_date"][:4]


def test_the_season_is_the_year_that_was_asked_for() -> None:
    rows: Json = {"type": "array", "items": {"type": "object", "properties": {"season": {"type": "integer"}}}}
    find = returning(tool("listGames", "List games.", "year"), games=rows)
    assert {one["season"] for one in kept(world(), find, year=2025)["games"]} == {2025}


def test_several_identifiers_in_one_text_are_as_many_things() -> None:
    row: Json = {"type": "object", "properties": {"post_id": {"type": "string"}, "title": {"type": "string"}}}
    read = returning(tool("getPostsByIds", "Get several posts.", "post_ids"), posts={"type": "array", "items": row})
    read = msgspec.structs.replace(read, source="GET /posts/by-ids")
    assert [one["post_id"] for one in kept(world(), read, post_ids="33, 61")["posts"]] == ["33", "61"]


@pytest.mark.parametrize("source", ["GET /allowlist_entries/{entry_id}", "GET /allowed_domains/{entry_id}"])
def test_the_thing_itself_is_told(source: str) -> None:
    """Whatever its address is called: an allowed domain has its domain."""
    read = tool("get_entry", "Get an allowed domain.", "entry_id")
    fields: dict[str, Json] = {name: {"type": "string"} for name in ("id", "etag", "created_at")}
    fields["domain"] = {"type": "string", "examples": ["example.com"]}
    returns = encode({"type": "object", "properties": fields})
    told = kept(world(), msgspec.structs.replace(read, source=source, returns=returns), entry_id="12045")
    assert isinstance(told, dict)
    assert told["domain"] == "example.com"
    assert "etag" not in told


def test_identifiers_may_have_the_form_that_others_have() -> None:
    """That of the whole catalogue, where the tools beside it show none."""
    look = returning(tool("getRoom", "Get a room.", "name"), room_id={"type": "string"})
    forms = {"room": "RM4711"}
    place = ToolWorld(seed=1, item="x", today=TODAY, persona=bank()[0], tools=(look,), ids=forms)
    told = kept(place, look, name="Attic")
    assert isinstance(told, dict)
    assert re.fullmatch(r"RM\d{4}", str(told["room_id"]))


def test_nothing_is_in_what_was_just_created_but_what_was_put_there() -> None:
    """Another thing has its own."""
    fields: Json = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
    returns = encode({"type": "object", "properties": {"notes": {"type": "array", "items": fields}}})
    make = msgspec.structs.replace(tool("createBook", "Create a book.", "name"), source="POST /books")
    make = msgspec.structs.replace(make, returns=encode(fields))
    look = msgspec.structs.replace(tool("listNotes", "List notes.", "book_id"), source="GET /books/{book_id}/notes")
    look = msgspec.structs.replace(look, returns=returns)
    place = world()
    made = kept(place, make, name="Travels")
    assert isinstance(made, dict)
    assert kept(place, look, book_id=made["id"]) == {"notes": []}
    assert kept(place, look, book_id="B-4711") != {"notes": []}


def test_all_things_of_a_session_are_in_one_account() -> None:
    """Also those of one list; the account itself and what was asked for stay as they are."""
    fields: Json = {"type": "object", "properties": {n: {"type": "string"} for n in ("id", "account_id", "name")}}
    returns = encode({"type": "object", "properties": {"rooms": {"type": "array", "items": fields, "minItems": 2}}})
    look = msgspec.structs.replace(tool("listRooms", "List rooms."), source="GET /rooms", returns=returns)
    read = msgspec.structs.replace(
        tool("getDesk", "Get a desk.", "id"), source="GET /desks/{id}", returns=encode(fields)
    )
    place = world()
    rooms, desk = kept(place, look), kept(place, read, id="D-1")
    assert isinstance(rooms, dict)
    assert isinstance(desk, dict)
    accounts = {str(one["account_id"]) for one in rooms["rooms"]}  # type: ignore[index, union-attr, call-overload]
    assert accounts == {desk["account_id"]}
    assert len(rooms["rooms"]) > 1  # type: ignore[arg-type]


def test_a_file_that_is_asked_for_by_its_name_has_an_identifier_of_its_own() -> None:
    """And the media type of its name."""
    read = tool("getAttachment", "Get an attachment.", "file_name")
    names = ("attachment_id", "file_name", "mime_type")
    returns = encode({"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names})
    read = msgspec.structs.replace(read, source="GET /attachments/{file_name}", returns=returns)
    told = kept(world(), read, file_name="plan.jpg")
    assert isinstance(told, dict)
    assert (told["file_name"], told["mime_type"]) == ("plan.jpg", "image/jpeg")
    assert told["attachment_id"] != "plan.jpg"


def test_a_new_thing_tells_nothing_that_nobody_gave() -> None:
    """No recipients of a draft."""
    make = msgspec.structs.replace(tool("createDraft", "Create a draft.", "note"), source="POST /drafts")
    mails: Json = {"type": "array", "items": {"type": "string", "format": "email"}}
    fields: Json = {"id": {"type": "string"}, "status": {"type": "string"}, "recipients": mails}
    make = msgspec.structs.replace(make, returns=encode({"type": "object", "properties": fields}))
    told = kept(world(), make, note="Hello")
    assert isinstance(told, dict)
    assert "id" in told
    assert "recipients" not in told


def test_a_part_of_a_sort_is_the_thing_of_that_sort() -> None:
    """A task that was listed for a file belongs to it, also where it is read alone."""
    item: Json = {"type": "object", "properties": {"id": {"type": "string"}, "type": {"enum": ["file"]}}}
    item |= {"required": ["id", "type"]}  # type: ignore[operator]
    one: Json = {"type": "object", "properties": {"id": {"type": "string"}, "item": item}, "required": ["id", "item"]}
    listed = encode({"type": "object", "properties": {"entries": {"type": "array", "items": one, "minItems": 1}}})
    look = msgspec.structs.replace(tool("listTasks", "List tasks.", "file_id"), source="GET /files/{file_id}/tasks")
    read = msgspec.structs.replace(tool("getTask", "Get a task.", "task_id"), source="GET /tasks/{task_id}")
    place = world()
    first = kept(place, msgspec.structs.replace(look, returns=listed), file_id="63203")["entries"][0]  # type: ignore[index, call-overload]
    told = kept(place, msgspec.structs.replace(read, returns=encode(one)), task_id=first["id"])  # type: ignore[index, call-overload]
    assert first["item"]["id"] == told["item"]["id"] == "63203"  # type: ignore[index, call-overload]


def test_what_was_read_in_a_thing_is_listed_there() -> None:
    """And not in the list of another thing."""
    fields: Json = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
    listed = encode({"type": "object", "properties": {"chapters": {"type": "array", "items": fields, "minItems": 1}}})
    look = msgspec.structs.replace(
        tool("listChapters", "List chapters.", "book_id"), source="GET /books/{book_id}/chapters"
    )
    read = msgspec.structs.replace(
        tool("getChapter", "Get a chapter.", "book_id", "chapter_id"),
        source="GET /books/{book_id}/chapters/{chapter_id}",
    )
    look, read = msgspec.structs.replace(look, returns=listed), msgspec.structs.replace(read, returns=encode(fields))
    place = world()
    chapter = kept(place, read, book_id="B-1", chapter_id="P-7")
    assert chapter in kept(place, look, book_id="B-1")["chapters"]  # type: ignore[index, operator, call-overload]
    others = kept(place, look, book_id="B-2")["chapters"]  # type: ignore[index, call-overload]
    assert others
    assert "P-7" not in {one["id"] for one in others}  # type: ignore[index, union-attr, call-overload]


def test_what_is_deleted_is_told_and_no_other_thing() -> None:
    """Though its document describes a list."""
    fields: Json = {"type": "object", "properties": {"transfer_id": {"type": "string"}}, "required": ["transfer_id"]}
    returns = encode({"type": "object", "properties": {"transfers": {"type": "array", "items": fields}}})
    end = msgspec.structs.replace(tool("deleteTransfer", "Delete a transfer.", "transfer_id"), returns=returns)
    end = msgspec.structs.replace(end, source="POST /transfers/{transfer_id}")
    assert kept(world(), end, transfer_id="T-1") == {"transfers": [{"transfer_id": "T-1"}]}


def test_what_was_written_in_a_list_of_one_is_told() -> None:
    note: Json = {"type": "object", "properties": {"text": {"type": "string"}}}
    body: Json = {"type": "array", "items": note}
    parameters = encode({"type": "object", "properties": {"records": body}, "required": ["records"]})
    returns = encode({"type": "object", "properties": {"records": body}})
    make = Tool(name="createHistory", description="Create history.", source="PUT /history", parameters=parameters)
    told = kept(world(), msgspec.structs.replace(make, returns=returns), records=[{"text": "Paid"}])
    assert told == {"records": [{"text": "Paid"}]}


STRING: dict[str, Json] = {"type": "string"}


def operation(source: str, name: str, parameters: dict[str, Json], returns: Json) -> Tool:
    """Return an operation of a service whose parameters are all required."""
    schema: Json = {"type": "object", "properties": parameters, "required": list(parameters)}
    return Tool(name=name, source=source, parameters=encode(schema), returns=encode(returns))


def an_object(**fields: Json) -> dict[str, Json]:
    return {"type": "object", "properties": fields, "required": list(fields)}


HOUSES = operation(
    "GET /listings",
    "searchListings",
    {"address": STRING},
    {"type": "array", "items": an_object(id=STRING, price={"type": "number"})},
)


def test_a_search_shows_nothing_that_another_search_found() -> None:
    """The houses at one address are not those at another; the same search finds the same."""
    place = world()
    first, other, again = (kept(place, HOUSES, address=one) for one in ("5 Mill Lane", "8 Harbour Road", "5 Mill Lane"))
    assert not {one["id"] for one in first} & {one["id"] for one in other}
    assert first == again


def test_a_given_part_is_not_the_thing_that_is_made_of_it() -> None:
    """An assignment that is made to an item has an identifier of its own, and tells to what it was assigned."""
    target: Json = an_object(id=STRING, type=STRING)
    made = operation(
        "POST /assignments",
        "createAssignment",
        {"policy_id": STRING, "assign_to": target},
        an_object(id=STRING, assigned_to=target),
    )
    told = kept(world(), made, policy_id="7", assign_to={"id": "6025765", "type": "folder"})
    assert told["assigned_to"] == {"id": "6025765", "type": "folder"}
    assert told["id"] != "6025765"


def test_a_user_is_known_by_the_user_name_however_it_is_written() -> None:
    """`UserUsername` is the `username` of a user."""
    users: Json = {"type": "array", "items": an_object(username=STRING)}
    change = operation("PUT /users/{UserUsername}", "updateUser", {"UserUsername": STRING}, an_object(users=users))
    assert kept(world(), change, UserUsername="antoine66") == {"users": [{"username": "antoine66"}]}


def test_the_profile_of_a_person_has_the_identifier_that_was_asked_for() -> None:
    """Though the tool is about a profile."""
    returns = an_object(data=an_object(profile=an_object(id=STRING, refereeName=STRING)))
    read = msgspec.structs.replace(
        tool("Referee_profile", "Get the profile of a referee.", "referee_id"), returns=encode(returns)
    )
    assert kept(world(), read, referee_id="15949")["data"]["profile"]["id"] == "15949"


def test_a_value_is_not_the_identifier_by_which_it_was_asked_for() -> None:
    """The readings of a meter hold no number of the meter."""
    rows: Json = {"type": "array", "items": an_object(Value={"type": "integer"})}
    read = operation("GET /values/{id}", "listValues", {"id": STRING}, an_object(Values=rows))
    told = kept(world(), read, id="49194")
    assert told["Values"]
    assert all(one["Value"] != 49194 for one in told["Values"])


def test_an_amount_with_parts_is_remembered() -> None:
    """A schema that says number and properties is a number."""
    total: Json = {"type": "number", "properties": {"currency": STRING, "value": {"type": "number"}}}
    task = an_object(taskId=STRING, totalAmount=total)
    tasks = operation("GET /tasks", "listTasks", {}, an_object(tasks={"type": "array", "items": task}))
    read = operation("GET /tasks/{taskId}", "getTask", {"taskId": STRING}, task)
    place = world()
    first = kept(place, tasks)["tasks"][0]
    assert kept(place, read, taskId=first["taskId"])["totalAmount"] == first["totalAmount"]


def test_what_creates_something_says_yes() -> None:
    """A reply that is only true or false is true."""
    assert (
        kept(world(), operation("POST /bookings", "createBooking", {"day": STRING}, {"type": "boolean"}), day="x")
        is True
    )


def test_a_change_in_percent_is_no_moment() -> None:
    """`change` is a number, `changed` says when."""
    read = operation(
        "GET /prices/{id}", "getPrice", {"id": STRING}, an_object(price={"type": "number"}, change={"type": "number"})
    )
    assert kept(world(), read, id="7")["change"] < 1_000_000


def test_a_message_may_be_given_to_whom_it_goes() -> None:
    """`to` alone belongs to no verb."""
    send = operation("POST /messages", "sendMessage", {"to": STRING, "text": STRING}, an_object(id=STRING, to=STRING))
    assert kept(world(), send, to="ann", text="Hello")["to"] == "ann"
