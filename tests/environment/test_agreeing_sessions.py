"""Sessions over tools of no real service: each result agrees with its call and with those before it."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest

from callwright.author.personas import bank
from callwright.environment.echoes import Edit
from callwright.environment.returns import with_returns
from callwright.environment.settling import apart
from callwright.environment.tool_target import ToldPlace
from callwright.environment.tool_world import ToolWorld
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool

SEEDS = range(4)
TEXT: Json = {"type": "string"}
COUNT: Json = {"type": "integer"}


def choice(*options: str) -> Json:
    return {"type": "string", "enum": list(options)}


def thing(**fields: Json) -> Json:
    return {"type": "object", "properties": fields, "required": list(fields)}


def several(item: Json) -> Json:
    return {"type": "array", "items": item}


def tool(source: str, name: str, returns: Json, **more: Json) -> Tool:
    in_path = re.findall(r"\{(\w+)\}", source)
    properties: dict[str, Json] = {**dict.fromkeys(in_path, TEXT), **more}
    schema: Json = {"type": "object", "properties": properties, "required": [*in_path, *more]}
    documented = None if returns is None else encode(returns)
    return Tool(name=name, source=source, description=f"{name}.", parameters=encode(schema), returns=documented)


class Session:
    """Calls of one world, each kept."""

    def __init__(self, *tools: Tool, seed: int = 1) -> None:
        self.tools = {one.name: one for one in with_returns(Catalog(tools=tools)).tools}
        everything = tuple(self.tools.values())
        self.world = ToolWorld(seed=seed, item="s", today=date(2026, 5, 4), persona=bank()[seed], tools=everything)

    def do(self, name: str, **arguments: Json) -> Any:
        result = self.world.call(self.tools[name], arguments)
        self.world.keep(self.tools[name], arguments, result)
        return result.error if result.value is None else decode(result.value)


ACCOUNT = thing(account_id=TEXT, name=TEXT, status=choice("ACTIVE", "ARCHIVED"))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_call_deleted_is_not_told_as_active(seed: int) -> None:
    """Also where the result holds the one thing in a list."""
    session = Session(
        tool("GET /accounts", "listAccounts", thing(accounts=several(ACCOUNT))),
        tool("DELETE /accounts/{account_id}", "deleteAccount", thing(accounts=several(ACCOUNT))),
        seed=seed,
    )
    first = session.do("listAccounts")["accounts"][0]["account_id"]
    [told] = session.do("deleteAccount", account_id=first)["accounts"]
    assert told["account_id"] == first
    assert told["status"] == "ARCHIVED"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_member_who_was_added_as_a_list_of_one_is_listed_once(seed: int) -> None:
    """Under the identifier that the act told, and the name that the address says."""
    member = thing(id=TEXT, full_name=TEXT, email=TEXT)
    session = Session(
        tool("POST /{account}/members", "addMember", several(member), email=TEXT),
        tool("GET /{account}/members", "listMembers", several(member)),
        seed=seed,
    )
    [added] = session.do("addMember", account="north", email="anders.dahl@north.example")
    assert added["full_name"] == "Anders Dahl"
    members = session.do("listMembers", account="north")
    assert [one["id"] for one in members if one["email"] == added["email"]] == [added["id"]]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thing_of_a_longer_name_is_not_among_others(seed: int) -> None:
    """A build hook that was read is none of the hooks, and an assignment of one policy none of another's."""
    hook = thing(id=TEXT, site_id=TEXT)
    session = Session(
        tool("GET /sites/{site_id}/build_hooks/{id}", "getBuildHook", hook),
        tool("GET /sites/{site_id}/hooks/{id}", "getHook", hook),
        tool("GET /hooks", "listHooks", several(hook), site_id=TEXT),
        seed=seed,
    )
    session.do("getBuildHook", site_id="5", id="77")
    session.do("getHook", site_id="5", id="88")
    listed = {one["id"] for one in session.do("listHooks", site_id="5")}
    assert "88" in listed
    assert "77" not in listed


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_set_is_what_is_read(seed: int) -> None:
    """Also under the shorter name, and as a list where one text held several identifiers."""
    teams = thing(team_ids=several(TEXT))
    session = Session(
        tool("POST /channels.setTeams", "channels_setTeams", None, channel_id=TEXT, target_team_ids=TEXT),
        tool("GET /channels.getTeams", "channels_getTeams", teams, channel_id=TEXT),
        seed=seed,
    )
    session.do("channels_setTeams", channel_id="C1", target_team_ids="T1,T2")
    assert session.do("channels_getTeams", channel_id="C1")["team_ids"] == ["T1", "T2"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_choice_is_told_in_the_form_that_the_result_has_for_it(seed: int) -> None:
    """`automated` is `automatic` there, and never another choice; the name of a part stays that of the part."""
    source = thing(id=TEXT, name=TEXT, sync_behavior=choice("api", "automatic", "manual"))
    schedules = several(thing(name=TEXT))
    session = Session(
        tool("PUT /sources/{id}", "updateSource", source, sync_behavior=choice("automated", "manual")),
        tool("PUT /runs/{id}", "updateRun", thing(id=TEXT, name=TEXT), run_schedules=schedules),
        seed=seed,
    )
    assert session.do("updateSource", id="3", sync_behavior="automated")["sync_behavior"] == "automatic"
    assert session.do("updateRun", id="3", run_schedules=[{"name": "Nightly"}])["name"] != "Nightly"


@pytest.mark.parametrize("seed", SEEDS)
def test_an_act_that_returns_a_list_tells_what_it_made(seed: int) -> None:
    """One thing, also below what the session made, and a count beside a list of a part is its length."""
    path = thing(entries=several(thing(id=TEXT)), total_count=COUNT)
    session = Session(
        tool("POST /uploads", "createUpload", thing(id=TEXT)),
        tool("POST /uploads/{upload_id}/commit", "commitUpload", thing(entries=several(thing(id=TEXT)))),
        tool("GET /folders/{folder_id}", "getFolder", thing(id=TEXT, name=TEXT, path=path)),
        seed=seed,
    )
    upload = session.do("createUpload")["id"]
    assert len(session.do("commitUpload", upload_id=upload)["entries"]) == 1
    told = session.do("getFolder", folder_id="4")["path"]
    assert told["total_count"] == len(told["entries"])


@pytest.mark.parametrize("seed", SEEDS)
def test_what_held_things_before_is_in_the_list_of_such(seed: int) -> None:
    """But not in a list with a filter, of which nothing is known."""
    service = thing(id=TEXT, name=TEXT)
    session = Session(
        tool("GET /services/{service_id}/codes", "listCodes", several(thing(id=TEXT))),
        tool("GET /services", "listServices", several(service)),
        tool("GET /services", "searchServices", several(service), region=TEXT),
        seed=seed,
    )
    session.do("listCodes", service_id="S-7")
    assert "S-7" not in {one["id"] for one in session.do("searchServices", region="north")}
    assert "S-7" in {one["id"] for one in session.do("listServices")}


@pytest.mark.parametrize("by", ["team", "component"])
def test_rows_are_grouped_as_asked(by: str) -> None:
    """Of two forms of rows the one that tells of such groups is given; no row tells of others."""
    rows = [thing(component_name=TEXT, uses=COUNT), thing(team_name=TEXT, uses=COUNT)]
    mixed = {"type": "object", "properties": {"component_name": TEXT, "team_name": TEXT}, "required": []}
    grouping = choice("component", "team")
    session = Session(
        tool("GET /uses", "getUses", thing(rows={"oneOf": [several(one) for one in rows]}), group_by=grouping),
        tool("GET /sums", "getSums", thing(grouping=grouping, rows=several(mixed)), group_by=grouping),
    )
    told = session.do("getUses", group_by=by)["rows"]
    assert told
    assert all(f"{by}_name" in one for one in told)
    sums = session.do("getSums", group_by=by)
    assert sums["grouping"] == by
    assert sums["rows"]
    assert all(set(one) == {f"{by}_name"} for one in sums["rows"])


@pytest.mark.parametrize("seed", SEEDS)
def test_two_artists_have_no_album_in_common(seed: int) -> None:
    """And one has the same albums each time."""
    albums = thing(albums=several(thing(album_id=TEXT, name=TEXT)))
    session = Session(tool("GET /artists/{artist_id}/albums", "listAlbums", albums), seed=seed)
    first = session.do("listAlbums", artist_id="1")["albums"]
    other = session.do("listAlbums", artist_id="2")["albums"]
    assert first
    assert {one["name"] for one in first}.isdisjoint(one["name"] for one in other)
    assert session.do("listAlbums", artist_id="1")["albums"] == first


def test_what_is_asked_for_by_name_has_that_name_and_one_identifier() -> None:
    """Whatever the result calls it; and who follows somebody is somebody else."""
    posts = thing(posts=several(thing(id=TEXT, author_id=TEXT, title=TEXT)))
    session = Session(
        tool("", "Tag_Data_by_Name", thing(tag_info=thing(tag_label_name=TEXT, uses=COUNT)), tag_name=TEXT),
        tool("", "Posts_by_Username", posts, username=TEXT),
        tool("", "Followers_by_Username", thing(data=several(thing(full_name=TEXT, username=TEXT))), username=TEXT),
        tool("", "Airports_by_City", thing(airports=several(thing(code=TEXT, city_id=COUNT))), city=TEXT),
        tool("", "Video", thing(video_id=TEXT, length=COUNT), id=TEXT),
    )
    assert session.do("Tag_Data_by_Name", tag_name="food")["tag_info"]["tag_label_name"] == "food"
    assert len({one["author_id"] for one in session.do("Posts_by_Username", username="ann7")["posts"]}) == 1
    assert "ann7" not in {one["username"] for one in session.do("Followers_by_Username", username="ann7")["data"]}
    assert len({one["city_id"] for one in session.do("Airports_by_City", city="Toronto")["airports"]}) == 1
    assert session.do("Video", id="v-88")["video_id"] == "v-88"


def test_what_a_search_finds_has_its_words() -> None:
    """In a name within each hit, or in the text of what has no name."""
    session = Session(
        tool("", "search_recipes", thing(hits=several(thing(recipe=thing(label=TEXT)))), q=TEXT),
        tool("", "search_quotes", thing(quotes=several(thing(quote=TEXT))), keyword=TEXT),
    )
    hits = session.do("search_recipes", q="lentils")["hits"]
    quotes = session.do("search_quotes", keyword="solar panels")["quotes"]
    assert hits
    assert quotes
    assert all("lentils" in one["recipe"]["label"].lower() for one in hits)
    assert all("solar panels" in one["quote"].lower() for one in quotes)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_copy_is_another_thing(seed: int) -> None:
    """With an identifier of its own; what was copied stays as it was."""
    file = thing(id=TEXT, name=TEXT)
    session = Session(
        tool("GET /files/{file_id}", "getFile", file), tool("POST /files/{file_id}/copy", "copyFile", file), seed=seed
    )
    first = session.do("getFile", file_id="7")
    assert session.do("copyFile", file_id="7")["id"] != "7"
    assert session.do("getFile", file_id="7") == first


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_unarchived_is_not_archived(seed: int) -> None:
    """And a tag that was put onto something is in the list of all tags."""
    contact, tag = thing(id=TEXT, archived={"type": "boolean"}), thing(id=TEXT, name=TEXT)
    session = Session(
        tool("POST /contacts/{id}/archive", "archiveContact", contact),
        tool("POST /contacts/{id}/unarchive", "unarchiveContact", contact),
        tool("GET /contacts/{id}", "getContact", contact),
        tool("POST /contacts/{contact_id}/tags", "attachTag", tag, id=TEXT),
        tool("GET /tags", "listTags", several(tag)),
        seed=seed,
    )
    assert session.do("archiveContact", id="5")["archived"] is True
    assert session.do("unarchiveContact", id="5")["archived"] is False
    assert session.do("getContact", id="5")["archived"] is False
    session.do("attachTag", contact_id="5", id="77")
    assert "77" in {one["id"] for one in session.do("listTags")}


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_are_not_the_thing_that_was_asked_for(seed: int) -> None:
    """Videos of a channel have other identifiers than it, two tracks of a video are not both it."""
    track, video = thing(title=TEXT, video_id=TEXT), thing(video_id=TEXT, title=TEXT)
    event = thing(id=TEXT, actor_name=TEXT, actor_email={"type": "string", "format": "email"})
    session = Session(
        tool("", "Get_Watch", thing(playlist=TEXT, tracks=several(track)), video_id=TEXT),
        tool("", "Channel", thing(latest_videos=several(video)), id=TEXT),
        tool("GET /events", "listEvents", several(event), per_page=TEXT),
        seed=seed,
    )
    tracks = session.do("Get_Watch", video_id="v-1")["tracks"]
    assert [one["video_id"] for one in tracks].count("v-1") <= 1
    assert "c-1" not in {one["video_id"] for one in session.do("Channel", id="c-1")["latest_videos"]}
    events = session.do("listEvents", per_page="2")
    assert 0 < len(events) <= 2
    assert all(one["actor_name"].lower().split() == one["actor_email"].split("@")[0].split(".") for one in events)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_lies_in_a_thing_began_after_it(seed: int) -> None:
    """Also a part of what lies in it; and a thing began before its parts that were told first."""
    time: Json = {"type": "string", "format": "date-time"}
    run = {"id": TEXT, "site_id": TEXT, "last_session_created_at": time}
    session = Session(
        tool("GET /sites/{site_id}", "getSite", thing(id=TEXT, created_at=time)),
        tool("GET /runs", "listRuns", several(thing(**run)), site_id=TEXT),
        tool("GET /runs/{run_id}", "getRun", thing(**run, created_at=time)),
        seed=seed,
    )
    begun = session.do("getSite", site_id="5")["created_at"]
    runs = session.do("listRuns", site_id="5")
    assert runs
    assert all(one["last_session_created_at"] >= begun for one in runs)
    told = session.do("getRun", run_id=runs[0]["id"])
    assert told["created_at"] <= told["last_session_created_at"] == runs[0]["last_session_created_at"]


CITY = thing(id=COUNT, name=TEXT, country=TEXT)
LAND = thing(name=TEXT, code=TEXT)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_search_among_cities_and_countries_finds_those_that_hold_the_words(seed: int) -> None:
    """Of the names that are known; where none does, nothing."""
    towns = tool("GET /cities", "searchCities", several(CITY), keyword=TEXT)
    lands = tool("", "list_countries", thing(data=several(LAND)), namePrefix=TEXT)
    session = Session(towns, lands, seed=seed)
    found = session.do("searchCities", keyword="lon")
    assert found
    assert all("lon" in one["name"].lower() for one in found)
    assert {"name": "London", "country": "United Kingdom"}.items() <= found[0].items()
    assert session.do("searchCities", keyword="data privacy") == []
    known = session.do("list_countries", namePrefix="uni")["data"]
    assert known
    assert all(one["name"].startswith("United") and len(one["code"]) == 2 for one in known)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_search_for_words_finds_them_in_names_of_their_own(seed: int) -> None:
    """A hotel that is found for `rooftop bar` is called so; what is found by a beginning begins so."""
    hotels = tool("GET /hotels", "getHotels", several(thing(id=TEXT, name=TEXT)), query=TEXT)
    clinics = tool("GET /clinics", "listClinics", several(thing(id=TEXT, name=TEXT)), namePrefix=TEXT)
    session = Session(hotels, clinics, seed=seed)
    found = session.do("getHotels", query="rooftop bar")
    assert found
    assert all("Rooftop Bar" in one["name"] for one in found)
    begun = session.do("listClinics", namePrefix="Summit")
    assert begun
    assert all(one["name"].startswith("Summit ") for one in begun)


MEMBER = thing(user_sid=TEXT, conversation_sid=TEXT, chat_service_sid=TEXT)
TALKER = thing(sid=TEXT, chat_service_sid=TEXT)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("owner", ["ChatServiceSid", "ServiceSid"])
def test_the_conversations_of_a_user_are_in_her_service_on_every_path(seed: int, owner: str) -> None:
    """Whether a call names the service or leaves it out, and in whatever order they come."""
    mine = tool("GET /v1/Users/{UserSid}/Conversations", "ListUserConversation", thing(conversations=several(MEMBER)))
    user = tool("GET /v1/Users/{Sid}", "FetchUser", TALKER)
    there = tool(f"GET /v1/Services/{{{owner}}}/Users/{{Sid}}", "FetchServiceUser", TALKER)
    session = Session(mine, user, there, seed=seed)
    session.do("FetchServiceUser", **{owner: "IS9", "Sid": "US1"})
    told = session.do("ListUserConversation", UserSid="US1")["conversations"]
    assert {one["chat_service_sid"] for one in told} == {"IS9"}
    others = session.do("ListUserConversation", UserSid="US2")["conversations"]
    named = session.do("FetchUser", Sid="US2")
    assert {one["chat_service_sid"] for one in others} == {named["chat_service_sid"]}


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_moved_from_an_account_to_itself(seed: int) -> None:
    """What the call gave stays, whichever end it is."""
    transfer = thing(id=TEXT, from_account_id=TEXT, to_account_id=TEXT)
    ends: dict[str, Json] = {"from_account_id": "23", "to_account_id": "23"}
    assert [edit.value for edit in apart(ToldPlace("thing", "transfer", ends, {}), ())] == ["26"]
    given = [Edit(ends, "to_account_id", "23")]
    assert [edit.name for edit in apart(ToldPlace("thing", "transfer", ends, {}), given)] == ["from_account_id"]
    session = Session(tool("GET /transfers", "listTransfers", several(transfer), to_account_id=TEXT), seed=seed)
    told = session.do("listTransfers", to_account_id="23")
    assert told
    assert all(one["to_account_id"] == "23" != one["from_account_id"] for one in told)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tag_of_one_name_has_one_identifier(seed: int) -> None:
    """In whichever list it stands."""
    listed = tool("GET /notes/{note_id}/tags", "listTags", thing(tags=several(thing(id=TEXT, name=TEXT))))
    session = Session(listed, seed=seed)
    told = [one for note in "123456" for one in session.do("listTags", note_id=note)["tags"]]
    names = {one["name"] for one in told}
    assert len(told) > len(names)
    assert len({(one["name"], one["id"]) for one in told}) == len(names)


@pytest.mark.parametrize("seed", SEEDS)
def test_lists_by_a_holder_beside_the_path_are_lists_of_their_own(seed: int) -> None:
    """The users of one team are not all users there are; the list of all has them."""
    user = thing(id=TEXT, name=TEXT)
    tools = (
        tool("GET /users", "listTeamUsers", thing(users=several(user)), team_id=TEXT),
        tool("GET /users", "listUsers", thing(users=several(user))),
    )
    session = Session(*tools, seed=seed)
    first = session.do("listTeamUsers", team_id="T1")["users"]
    assert session.do("listTeamUsers", team_id="T2")["users"]
    assert session.do("listTeamUsers", team_id="T1")["users"] == first
    assert {one["id"] for one in first} <= {one["id"] for one in session.do("listUsers")["users"]}


@pytest.mark.parametrize("seed", SEEDS)
def test_one_company_has_one_identifier(seed: int) -> None:
    """In the lists of all people who have to do with it; of what is new in a list most have names of their own."""
    session = Session(tool("GET /people/{person_id}/companies", "listCompanies", several(NAMED)), seed=seed)
    told = [one for at in range(6) for one in session.do("listCompanies", person_id=str(at))]
    names = {one["name"]: one["id"] for one in told}
    assert len(told) > len(names) > 8
    assert all(one["id"] == names[one["name"]] for one in told)


@pytest.mark.parametrize("seed", SEEDS)
def test_files_in_two_folders_have_two_names(seed: int) -> None:
    """As long as there are names that nobody told."""
    session = Session(tool("GET /folders/{folder_id}/files", "listFiles", several(NAMED)), seed=seed)
    told = [one["name"] for at in range(2) for one in session.do("listFiles", folder_id=str(at))]
    assert len(set(told)) == len(told) > 3


NAMED = thing(id=TEXT, name=TEXT)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thing_of_a_named_service_is_not_in_another_default(seed: int) -> None:
    """The default is the service of the first thing that was read without naming one."""
    user = thing(id=TEXT, service_id=TEXT, name=TEXT)
    tools = (
        tool("GET /services/{service_id}/users", "listUsers", several(user)),
        tool("GET /services/{service_id}/users/{user_id}", "getServiceUser", user),
        tool("GET /users/{user_id}", "getUser", user),
    )
    session = Session(*tools, seed=seed)
    one, other = (session.do("listUsers", service_id=name)[0]["id"] for name in ("S1", "S2"))
    assert session.do("getUser", user_id=one)["service_id"] == "S1"
    assert not session.world.belongs_elsewhere(session.tools["getUser"], {"user_id": one})
    assert session.world.belongs_elsewhere(session.tools["getUser"], {"user_id": other})


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_by_file_tell_the_file(seed: int) -> None:
    """And are no rows by style, which count the files using it."""
    by_style = thing(style_key=TEXT, files_using=COUNT, usages=COUNT)
    rows = thing(rows=several({"oneOf": [by_style, thing(file_name=TEXT, usages=COUNT)]}))
    session = Session(tool("GET /usages", "getUsages", rows, group_by=choice("style", "file")), seed=seed)
    by_file, by_style = (session.do("getUsages", group_by=one)["rows"] for one in ("file", "style"))
    assert by_file
    assert all("file_name" in one for one in by_file)
    assert by_style
    assert all("style_key" in one for one in by_style)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_title_stays_with_an_identifier_called_after_no_thing(seed: int) -> None:
    """The `imdbid` of a film, in a list whose films have no other."""
    film = thing(imdbid=TEXT, title=TEXT)
    tools = (
        tool("", "searchFilms", thing(results=several(film)), kind=TEXT),
        tool("", "getBasics", film, imdbid=TEXT),
    )
    session = Session(*tools, seed=seed)
    first = session.do("searchFilms", kind="movie")["results"][0]
    assert session.do("getBasics", imdbid=first["imdbid"]) == first


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_call_refers_to_is_in_the_list_of_such(seed: int) -> None:
    """The task of a time entry, in the tasks of its project."""
    entry = thing(id=TEXT, task_id=TEXT)
    tools = (
        tool("POST /projects/{project_id}/time", "createTimeEntry", entry, task_id=TEXT),
        tool("GET /projects/{project_id}/tasks", "listTasks", several(thing(id=TEXT, name=TEXT))),
    )
    session = Session(*tools, seed=seed)
    session.do("createTimeEntry", project_id="P1", task_id="T1")
    assert "T1" in [one["id"] for one in session.do("listTasks", project_id="P1")]
    assert "T1" not in [one["id"] for one in session.do("listTasks", project_id="P2")]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_new_thing_is_not_what_it_is_about(seed: int) -> None:
    """The task about a file has an identifier of its own."""
    about = thing(id=TEXT, type=choice("file"))
    session = Session(tool("POST /tasks", "createTask", thing(id=TEXT, item=about), item=about), seed=seed)
    told = session.do("createTask", item={"id": "777", "type": "file"})
    assert told["id"] != told["item"]["id"] == "777"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_result_repeats_what_the_call_said_whatever_its_pattern(seed: int) -> None:
    """Where the parameter takes any text."""
    link = thing(channel={"type": "string", "pattern": "^[CG][A-Z0-9]{8,}$"}, permalink=TEXT)
    session = Session(tool("GET /link", "getLink", link, channel=TEXT), seed=seed)
    assert session.do("getLink", channel="C77")["channel"] == "C77"


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_read_or_made_is_in_the_list_of_its_owner(seed: int) -> None:
    """Whom the thing tells as an object, and the call of the list by an identifier."""
    rule = thing(id=TEXT, team=thing(id=TEXT))
    tools = (
        tool("GET /rules/{rule_id}", "getRule", rule),
        tool("POST /rules", "createRule", rule, team=thing(id=TEXT)),
        tool("GET /rules", "listRules", several(rule), team_id=TEXT),
    )
    session = Session(*tools, seed=seed)
    owner = session.do("getRule", rule_id="7")["team"]["id"]
    assert "7" in [one["id"] for one in session.do("listRules", team_id=owner)]
    made = session.do("createRule", team={"id": "T5"})["id"]
    assert made in [one["id"] for one in session.do("listRules", team_id="T5")]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_list_of_the_one_thing_that_was_asked_for_tells_that(seed: int) -> None:
    """Under its identifier and its name."""
    entry = several(thing(id=TEXT, name=TEXT))
    tools = (
        tool("GET /sites/{site_id}/submissions", "listSubmissions", entry),
        tool("GET /submissions/{submission_id}", "listFormSubmission", entry),
    )
    session = Session(*tools, seed=seed)
    for one in session.do("listSubmissions", site_id="5"):
        assert session.do("listFormSubmission", submission_id=one["id"]) == [one]
    told = [session.do("listFormSubmission", submission_id=str(key))[0]["id"] for key in range(30)]
    assert told == [str(key) for key in range(30)]
