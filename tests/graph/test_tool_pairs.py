"""The edges of a graph that a dialogue can use."""

from __future__ import annotations

from graph_catalogs import listed, one_of, tool

from callwright.app.catalogs import read_catalog
from callwright.environment.returns import with_returns
from callwright.environment.told_outputs import outputs
from callwright.graph.graph_build import build_graph
from callwright.graph.tool_pairs import ToolPair, shared, usable_pairs
from callwright.records.tool import Catalog, Tool
from callwright.records.tool_graph import ToolGraph


def test_removed_edges_are_not_used() -> None:
    """An edge that somebody removed by hand gives no pair, and a graph without edges gives none."""
    catalog = with_returns(read_catalog("builtin/enterprise"))
    graph = build_graph(catalog).graph
    empty = ToolGraph(nodes=graph.nodes, tools=graph.tools)

    assert usable_pairs(catalog, graph)
    assert usable_pairs(catalog, empty) == ()


def test_one_thing_under_two_names_is_shared() -> None:
    """`contact_id` and the `id` in the path of the contact's companies are one value; the company's `id` is not."""
    list_ = tool(
        "list_companies",
        "GET /contacts/{id}/companies",
        needs={"id": {"type": "string", "description": "ID of the contact."}},
        returns=listed({"company_id": {"type": "string"}}),
    )
    code = {"type": "string"}
    detach = tool("detach_contact", needs={"contact_id": code, "company_id": code})
    output = next(one for one in outputs(list_) if one.name == "company_id")

    assert shared(ToolPair(detach, list_, output, "company_id")) == {"contact_id": "id"}


CODE = {"type": "string"}
UPDATE = tool("update_song", "PUT /songs/{song_id}", needs={"song_id": CODE, "genre": CODE})


def sources_of(target: Tool, *others: Tool) -> set[str]:
    """The sources that the finished graph of these tools has for a target."""
    catalog = with_returns(Catalog(tools=(target, *others)))
    pairs = usable_pairs(catalog, build_graph(catalog).graph)
    return {one.source.name for one in pairs if one.source and one.target.name == target.name}


def songs(name: str, description: str, needs: dict[str, object] | None = None, **more: object) -> Tool:
    """A tool that finds one song."""
    return tool(name, needs=needs, returns=one_of({"song_id": CODE, "title": CODE} | more), description=description)


def test_a_thing_found_by_chance_is_not_the_one_meant() -> None:
    """A random song, a day's, one of those that exist: none is what a user means; the current one is."""
    for said in ("Get a random song.", "Get the song of the day.", "Get a song."):
        assert sources_of(UPDATE, songs("get_it", said)) == set()
    assert sources_of(UPDATE, songs("get_it", "Get the current song.")) == {"get_it"}
    assert sources_of(UPDATE, songs("get_it", "Get a song by name.", {"song_name": CODE})) == {"get_it"}


def test_who_finds_the_thing_itself_is_not_sent_on() -> None:
    """A song that is looked up by its link is the answer; a change of it needs the identifier."""
    by_url = songs("song_by_url", "Get a song by URL.", {"url": {"type": "string", "format": "uri"}})
    by_id = tool(
        "song_by_id", needs={"song_id": CODE}, returns=one_of({"title": CODE}), description="Get a song by ID."
    )

    assert sources_of(by_id, by_url) == set()
    assert sources_of(UPDATE, by_url) == {"song_by_url"}


def test_several_things_have_no_one_owner() -> None:
    """The users of whom somebody knows need not be in the one team that is meant; one user is."""
    rename = tool("rename_team", "PUT /teams/{team_id}", needs={"team_id": CODE, "nickname": CODE})
    for known, expected in (("user_ids", set()), ("user_id", {"get_affiliation"})):
        found = tool(
            "get_affiliation", needs={known: CODE}, returns=one_of({"team_id": CODE}), description="Get an affiliation."
        )
        assert sources_of(rename, found) == expected


def test_two_tools_that_ask_for_different_values_of_one_name_are_no_pair() -> None:
    """The genre by which a song is found is not the new one."""
    choice = {"type": "string", "enum": ["jazz", "folk"]}

    assert sources_of(UPDATE, songs("find_song", "Find a song.", {"genre": choice})) == set()
    assert sources_of(UPDATE, songs("find_song", "Find a song.", {"mood": choice})) == {"find_song"}


def test_one_value_under_two_names_is_no_pair_either() -> None:
    """Who needs an `item to buy` is not asked for a `product to buy` as if that were another one."""
    item = {"type": "string", "description": "item to buy", "examples": ["desk"]}
    order = tool("update_song", "PUT /songs/{song_id}", needs={"song_id": CODE, "item": item})
    for told, expected in (("product to buy", set()), ("city of the band", {"find_song"})):
        needs = {"product": {"type": "string", "description": told}}
        assert sources_of(order, songs("find_song", "Find a song by product.", needs)) == expected


def test_an_old_thing_does_not_decide_a_new_one() -> None:
    """Who wrote one article is no reason that they write the next."""
    needs = {"author_id": CODE, "headline": CODE}
    get = tool(
        "get_article",
        "GET /articles/{article_id}",
        needs={"article_id": CODE},
        returns=one_of({"article_id": CODE, "author_id": CODE}),
    )

    assert sources_of(tool("create_article", "POST /articles", needs=needs), get) == set()
    assert sources_of(tool("get_author", "GET /authors/{author_id}", needs={"author_id": CODE}), get) == {"get_article"}


def test_what_the_source_tells_is_not_said_otherwise() -> None:
    """A user who says the shelf of a book does not lack what the book's record has beside another shelf."""
    get = tool(
        "get_loan",
        "GET /loans/{loan_id}",
        needs={"loan_id": CODE},
        returns=one_of({"loan_id": CODE, "book_id": CODE, "shelf_id": CODE}),
    )

    assert sources_of(tool("move_book", needs={"book_id": CODE, "shelf_id": CODE}), get) == set()
    assert sources_of(tool("move_book", needs={"book_id": CODE, "floor_id": CODE}), get) == {"get_loan"}
