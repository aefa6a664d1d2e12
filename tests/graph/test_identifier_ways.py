"""Identifiers that are no plain `id`: addresses, codes in place of them, resource names of any thing."""

from __future__ import annotations

from typing import Any

import pytest
from graph_catalogs import TEXT, listed, one_of, tool

from callwright.graph.graph_build import build_graph
from callwright.records.tool import Catalog, Tool

VAULT = {"id": {"type": "string", "description": "Fully qualified resource ID."}, "name": TEXT, "type": TEXT}
GET = tool("get_vault", "GET /vaults/{vaultId}", needs={"vaultId": TEXT}, returns=one_of({"size": {"type": "integer"}}))
LINK = tool("link", "POST /links", needs={"vaultId": TEXT})


def supplied(source: Tool, *targets: Tool) -> set[tuple[str, str]]:
    """Outputs of the source and the names of the tools that they supply."""
    built = build_graph(Catalog(tools=(source, *targets)))
    names = built.graph.names
    return {(edge.output, names[edge.target]) for edge in built.graph.edges if names[edge.source] == source.name}


def test_a_path_asks_for_the_name_beside_an_address() -> None:
    """What is no part of a path asks for the address."""
    source = tool("list_vaults", "GET /vaults", returns=listed(VAULT))
    assert supplied(source, GET, LINK) == {("/entries/0/name", "get_vault"), ("/entries/0/id", "link")}


@pytest.mark.parametrize(
    "fields", [{"id": VAULT["id"], "name": TEXT}, {"id": {"type": "string", "description": "Vault ID."}, "type": TEXT}]
)
def test_an_identifier_without_name_and_type_beside_it_is_a_plain_one(fields: dict[str, Any]) -> None:
    source = tool("list_vaults", "GET /vaults", returns=listed(fields))
    assert supplied(source, GET, LINK) == {("/entries/0/id", "get_vault"), ("/entries/0/id", "link")}


def test_a_code_stands_for_an_identifier_that_no_result_has() -> None:
    """Where a result has the identifier, that is meant."""
    get = tool("get_country", "GET /countries/{country_id}", needs={"country_id": TEXT})
    fields = {"code": TEXT, "area": TEXT}
    bare, full = (tool("list", "GET /countries", returns=listed(one)) for one in (fields, {"id": TEXT, **fields}))
    assert supplied(bare, get) == {("/entries/0/code", "get_country")}
    assert supplied(full, get) == {("/entries/0/id", "get_country")}


def test_a_resource_name_of_any_thing_is_one_of_each() -> None:
    """`resourceArn` takes those of rooms and of shelves; `roomArn` those of rooms alone."""
    rooms = tool("list_rooms", "GET /rooms", returns=listed({"roomArn": TEXT, "shelfArn": TEXT}))
    look = tool("get_desk", "POST /GetDesk", needs={"arn": TEXT})
    assert supplied(rooms, look) == set()
    tag = tool("tag_resource", "POST /tags/{resourceArn}", needs={"resourceArn": TEXT})
    room = tool("get_room", "GET /rooms/{roomArn}", needs={"roomArn": TEXT})
    assert supplied(rooms, tag) == {("/entries/0/roomArn", "tag_resource"), ("/entries/0/shelfArn", "tag_resource")}
    assert supplied(rooms, room) == {("/entries/0/roomArn", "get_room")}


def test_an_envelope_is_no_thing() -> None:
    """`relationships/tags/data` holds tags."""
    tags = one_of({"data": {"type": "array", "items": one_of({"id": TEXT})}})
    source = tool("list_notes", "GET /notes", returns=listed({"id": TEXT, "relationships": one_of({"tags": tags})}))
    target = tool("get_tag", "GET /tags/{id}", needs={"id": TEXT})
    assert supplied(source, target) == {("/entries/0/relationships/tags/data/0/id", "get_tag")}


@pytest.mark.parametrize("path", ["/profiles{format}", "/profiles.{format}", "/profiles({key})", "/profiles"])
def test_what_follows_a_name_without_a_slash_is_no_part_of_it(path: str) -> None:
    source = tool("list_them", f"GET {path}", returns={"type": "array", "items": one_of({"id": TEXT})})
    target = tool("change_times", "POST /profiles/{id}/times", needs={"id": TEXT})
    assert supplied(source, target) == {("/0/id", "change_times")}


@pytest.mark.parametrize(
    ("field", "asked", "is_edge"),
    [("name", "int32Name", True), ("id", "it", True), ("slug", "itKey", False), ("note", "itName", False)],
)
def test_a_path_that_goes_on_from_a_list_takes_an_entry_of_it(field: str, asked: str, *, is_edge: bool) -> None:
    """By the field of the same name or sort; of an identifier by whatever entries are known by."""
    source = tool("list_them", "GET /rack/int32s", returns={"type": "array", "items": one_of({field: TEXT})})
    target = tool("read", f"GET /rack/int32s/{{{asked}}}/state", needs={asked: TEXT})
    assert supplied(source, target) == ({(f"/0/{field}", "read")} if is_edge else set())


def test_what_stands_beside_the_data_of_all_results_is_of_the_call() -> None:
    """In one envelope for many things it supplies nothing; alone it does."""

    def given(*nouns: str) -> set[tuple[str, str]]:
        data = one_of({"entries": {"type": "array", "items": one_of({"size": TEXT})}})
        things = [
            tool(f"list_{one}s", f"GET /{one}s", returns=one_of({"brandName": TEXT, "data": data})) for one in nouns
        ]
        return supplied(things[0], *things[1:], tool("get_brand", "GET /brand", needs={"brandName": TEXT}))

    assert given("car", "dealer", "sale", "region", "price") == set()
    assert given("car", "dealer") == {("/brandName", "get_brand")}


@pytest.mark.parametrize(("name", "is_edge"), [("vin", True), ("colour", False)])
def test_a_code_that_identifies_by_itself_joins_wherever_it_stands(name: str, *, is_edge: bool) -> None:
    source = tool("list_offers", "GET /offers", returns=listed({name: TEXT}))
    target = tool("check_history", "GET /history", needs={name: TEXT})
    assert bool(supplied(source, target)) is is_edge


def test_the_key_of_a_session_in_a_path_lasts() -> None:
    """No word of it says otherwise there."""
    source = tool("list_talks", "GET /talks", returns=listed({"sessionKey": TEXT}))
    target = tool("list_people", "GET /reports/{sessionKey}/people", needs={"sessionKey": TEXT})
    assert supplied(source, target) == {("/entries/0/sessionKey", "list_people")}


@pytest.mark.parametrize(("name", "is_edge"), [("create_desk", False), ("use_desk", True)])
def test_what_is_created_has_a_new_identifier(name: str, *, is_edge: bool) -> None:
    """One that a list holds is taken; other acts are on a desk that is there."""
    source = tool("list_desks", "GET /desks", returns=listed({"id": TEXT}))
    target = tool(name, "POST /desks", needs={"desk_id": TEXT})
    assert bool(supplied(source, target)) is is_edge


def test_what_a_browser_asks_before_a_call_is_no_source() -> None:
    source = tool("options_desks", "OPTIONS /desks", returns=listed({"id": TEXT}))
    assert supplied(source, tool("get_desk", "GET /desks/{desk_id}", needs={"desk_id": TEXT})) == set()
