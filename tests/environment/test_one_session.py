"""What is one and the same in a whole session: owners, callers, members of two sides, moments, facts of the world."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from callwright.author.personas import bank
from callwright.environment.returns import with_returns
from callwright.environment.tool_world import ToolWorld
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool
from contradictions import Call
from session_contradictions import Step, session_contradictions

TODAY = date(2026, 5, 4)
TEXT: Json = {"type": "string"}
MOMENT: Json = {"type": "string", "format": "date-time"}


def at(source: str, returns: dict[str, Json], *body: str, is_list: bool = False) -> Tool:
    """An operation of an address, whose parameters are those of its path, and of a body."""
    method, path = source.split()
    named = [part.strip("{}") for part in path.split("/") if "{" in part]
    inner: Json = {"type": "object", "properties": returns, "required": list(returns)}
    whole: Json = {"type": "array", "items": inner} if is_list else inner
    asked: Json = {"type": "object", "properties": dict.fromkeys((*named, *body), TEXT), "required": [*named, *body]}
    name = f"{method.lower()}_{path.strip('/').replace('/', '_').replace('{', '').replace('}', '')}"
    return Tool(name=name, description="", parameters=encode(asked), source=source, returns=encode(whole))


THING: dict[str, Json] = {"id": TEXT, "name": TEXT}
OWNED: dict[str, Json] = {**THING, "chat_service_id": TEXT, "account": {"type": "object", "properties": {"id": TEXT}}}
MADE: dict[str, Json] = {**THING, "created_at": MOMENT, "completed_at": MOMENT, "created_by": TEXT}
RATE: dict[str, Json] = {"base": TEXT, "currency": TEXT, "rate": {"type": "number"}}
TOOLS = with_returns(
    Catalog(
        tools=(
            at("GET /v1/talks/{id}", OWNED),
            at("GET /v1/services/{service_id}/talks/{id}", OWNED),
            at("POST /contacts/{contact_id}/companies", THING, "company_id"),
            at("GET /contacts/{contact_id}/companies", THING, is_list=True),
            at("GET /companies/{company_id}/contacts", THING, is_list=True),
            at("DELETE /contacts/{contact_id}/companies/{id}", {}),
            at("POST /comments/{comment_id}/reactions", {"ok": {"type": "boolean"}}, "emoji"),
            at("GET /comments/{comment_id}/reactions", {"emoji": TEXT}, is_list=True),
            at("POST /jobs", MADE, "name"),
            at("GET /jobs/{job_id}", MADE),
            at("GET /rates", RATE, "base", "currency"),
            at("GET /quotes", {**RATE, "spread": {"type": "number"}}, "base", "currency"),
        )
    )
).tools
BY_SOURCE = {one.source: one for one in TOOLS}


class Session:
    """Calls of one world, with what the independent checker finds in them."""

    def __init__(self, seed: int = 1) -> None:
        self.world = ToolWorld(seed=seed, item="x", today=TODAY, persona=bank()[0], tools=TOOLS)
        self.steps: list[Step] = []

    def call(self, source: str, **arguments: Json) -> Any:
        tool = BY_SOURCE[source]
        result = self.world.call(tool, arguments)
        self.world.keep(tool, arguments, result)
        value = decode(result.value) if result.value is not None else None
        self.steps.append(Step(Call(tool.name, source, arguments, decode(tool.returns or "null")), value))
        return value

    def found(self) -> list[str]:
        marks = session_contradictions(self.steps, list(BY_SOURCE), today=TODAY)
        return [one.kind for _, one in marks]


@pytest.mark.parametrize("seed", range(4))
def test_what_names_no_owner_has_one_owner(seed: int) -> None:
    """Two talks read without their service are of one service, and one that is read below a service is of that."""
    place = Session(seed)
    first, second = (place.call("GET /v1/talks/{id}", id=one) for one in ("1", "2"))
    third = place.call("GET /v1/services/{service_id}/talks/{id}", service_id="77", id="3")
    assert first["chat_service_id"] == second["chat_service_id"] != third["chat_service_id"] == "77"
    assert first["account"]["id"] == second["account"]["id"] == third["account"]["id"]
    assert place.found() == []


@pytest.mark.parametrize("seed", range(4))
def test_members_are_known_from_both_sides(seed: int) -> None:
    """A company that was attached to a contact has the contact, until it is taken off."""
    place = Session(seed)
    place.call("POST /contacts/{contact_id}/companies", contact_id="5", company_id="7")
    companies = place.call("GET /contacts/{contact_id}/companies", contact_id="5")
    contacts = place.call("GET /companies/{company_id}/contacts", company_id="7")
    assert "7" in [one["id"] for one in companies]
    assert "5" in [one["id"] for one in contacts]
    place.call("DELETE /contacts/{contact_id}/companies/{id}", contact_id="5", id="7")
    contacts = place.call("GET /companies/{company_id}/contacts", company_id="7")
    assert contacts
    assert "5" not in [one["id"] for one in contacts]
    assert place.found() == []


@pytest.mark.parametrize("seed", range(4))
def test_what_was_added_without_an_identifier_is_listed(seed: int) -> None:
    """A reaction, of which the service tells only that it was added."""
    place = Session(seed)
    place.call("POST /comments/{comment_id}/reactions", comment_id="9", emoji="owl")
    assert "owl" in [one["emoji"] for one in place.call("GET /comments/{comment_id}/reactions", comment_id="9")]


@pytest.mark.parametrize("seed", range(8))
def test_things_end_after_they_begin_and_are_made_by_the_caller(seed: int) -> None:
    """What one person creates was created by one person, now; what is read was not completed before."""
    place = Session(seed)
    first, second = (place.call("POST /jobs", name=one) for one in ("Elm", "Oak"))
    assert first["created_by"] == second["created_by"]
    assert first["created_at"][:10] == TODAY.isoformat()
    read = [place.call("GET /jobs/{job_id}", job_id=str(one)) for one in range(4)]
    assert all(one["created_at"] <= one.get("completed_at", one["created_at"]) for one in read)
    assert place.found() == []


def test_a_rate_is_one_in_a_session() -> None:
    """Whichever call tells it."""
    place = Session()
    first = place.call("GET /rates", base="EUR", currency="USD")
    assert place.call("GET /quotes", base="EUR", currency="USD")["rate"] == first["rate"]
    assert place.found() == []


def test_the_checker_finds_what_the_world_avoids() -> None:
    """Two default owners, a member that is not listed, another rate, an end before the beginning."""

    def step(source: str, value: Any, **arguments: Json) -> Step:
        tool = BY_SOURCE[source]
        return Step(Call(tool.name, source, arguments, decode(tool.returns or "null")), value)

    rates = [{"base": "EUR", "currency": "USD", "rate": one} for one in (1.1, 1.2)]
    steps = [
        step("GET /v1/talks/{id}", {"id": "1", "chat_service_id": "4"}, id="1"),
        step("GET /v1/talks/{id}", {"id": "2", "chat_service_id": "6"}, id="2"),
        step("POST /contacts/{contact_id}/companies", {"id": "7"}, contact_id="5", company_id="7"),
        step("GET /companies/{company_id}/contacts", [{"id": "8"}], company_id="7"),
        step("GET /rates", rates[0], base="EUR", currency="USD"),
        step("GET /rates", rates[1], base="EUR", currency="USD"),
        step("GET /jobs/{job_id}", {"created_at": "2026-05-01", "completed_at": "2026-04-01"}, job_id="1"),
    ]
    found = {(at, one.kind) for at, one in session_contradictions(steps, list(BY_SOURCE), today=TODAY)}
    assert found == {(1, "i"), (3, "j"), (5, "k"), (6, "l")}


@pytest.mark.parametrize(
    ("calls", "kind"),
    [
        ([("getFolder", {"id": "1"}, {"id": "1", "path": {"entries": [], "total_count": 1}})], "n"),
        ([("listAirports", {"city": "Rome"}, [{"code": "A", "city_id": 1}, {"code": "B", "city_id": 2}])], "n"),
        ([("searchNotes", {"query": "owl"}, {"notes": [{"title": "Elm"}]})], "o"),
        ([("deleteNote", {"note_id": "1"}, {"id": "1", "status": "ACTIVE"})], "p"),
        (
            [("setTeams", {"id": "1", "target_team_ids": "a,b"}, {}), ("getTeams", {"id": "1"}, {"team_ids": ["c"]})],
            "p",
        ),
        ([("listAlbums", {"artist_id": one}, {"albums": [{"id": f"A{one}", "name": "Elm"}]}) for one in "12"], "q"),
    ],
)
def test_the_checker_finds_each_kind(calls: list[tuple[str, dict[str, Any], Any]], kind: str) -> None:
    """In calls of tools without a path; and finds nothing in the calls before."""
    steps = [Step(Call(name, "", arguments, None), value) for name, arguments, value in calls]
    found = list(session_contradictions(steps, [], today=TODAY))
    assert {(at, one.kind) for at, one in found} == {(len(calls) - 1, kind)}


def served(tools: tuple[Tool, ...], *calls: tuple[str, dict[str, Json]], seed: int = 1) -> list[Any]:
    """The results of calls of one world, by names of tools."""
    made = {tool.name: tool for tool in with_returns(Catalog(tools=tools)).tools}
    world = ToolWorld(seed=seed, item="x", today=TODAY, persona=bank()[0], tools=tuple(made.values()))
    told = []
    for name, arguments in calls:
        result = world.call(made[name], arguments)
        world.keep(made[name], arguments, result)
        told.append(decode(result.value) if result.value is not None else None)
    return told


def test_what_was_booked_is_the_same_by_whatever_an_address_finds_it() -> None:
    """`walk_ref` is no usual word for an identifier, but that of `/walks/{walk_ref}`."""
    walk: dict[str, Json] = {"walk_ref": TEXT, "price": {"type": "number"}, "guest": TEXT}
    tools = (at("POST /walks", walk, "guest"), at("GET /walks/{walk_ref}", walk))
    for seed in range(10):
        world = ToolWorld(seed=seed, item="x", today=TODAY, persona=bank()[0], tools=tools)
        booked = world.call(tools[0], {"guest": "Nora Jensen"})
        world.keep(tools[0], {"guest": "Nora Jensen"}, booked)
        assert booked.value is not None
        read = world.call(tools[1], {"walk_ref": decode(booked.value)["walk_ref"]})
        assert read.value == booked.value


def test_a_search_finds_no_known_thing_under_another_name() -> None:
    """An article that was read keeps its title: a search for other words does not list it."""
    article: dict[str, Json] = {"id": TEXT, "title": TEXT}
    tools = (at("GET /articles/{id}", article), at("GET /articles", article, "phrase", is_list=True))
    for seed in range(40):
        read, found = served(
            tools, ("get_articles_id", {"id": "353"}), ("get_articles", {"phrase": "Our Year in Numbers"}), seed=seed
        )
        assert found
        assert {one["title"] for one in found if one["id"] == "353"} <= {read["title"]}


def test_what_was_sold_is_what_was_given() -> None:
    """`shares_sold` repeats the shares of the call; a choice beside an identifier of its stem is none of its forms."""
    sold = at("POST /sales", {"shares_sold": {"type": "string"}}, "shares")
    sell = Tool(
        name="sell_stock", description="Sell shares of a stock.", parameters=sold.parameters, returns=sold.returns
    )
    bottle: Json = {"type": "string", "enum": ["0.33", "keg20"]}
    asked: Json = {"type": "object", "properties": {"bottle": bottle}, "required": ["bottle"]}
    told: Json = {"type": "object", "properties": {"bottling": {"type": "string", "example": "BT-15"}}}
    plan = Tool(name="plan_bottling", source="POST /bottlings", parameters=encode(asked), returns=encode(told))
    first, second = served((sell, plan), ("sell_stock", {"shares": "4"}), ("plan_bottling", {"bottle": "keg20"}))
    assert first == {"shares_sold": "4"}
    assert second["bottling"].startswith("BT-")


def test_what_a_filter_found_is_so_when_looked_up() -> None:
    """Towers of a town are in it, though the list does not tell their town."""
    listed = at("GET /towers", {"tower_id": TEXT, "name": TEXT}, "town", is_list=True)
    read = at("GET /towers/{tower_id}", {"tower_id": TEXT, "town": TEXT})
    for seed in range(5):
        world = ToolWorld(seed=seed, item="x", today=TODAY, persona=bank()[0], tools=(listed, read))
        found = world.call(listed, {"town": "Montreal"})
        world.keep(listed, {"town": "Montreal"}, found)
        assert found.value is not None
        first = decode(found.value)[0]["tower_id"]
        told = world.call(read, {"tower_id": first})
        assert told.value is not None
        assert decode(told.value) == {"tower_id": first, "town": "Montreal"}
