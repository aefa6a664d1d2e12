"""Result schemas inferred from names, descriptions and mates."""

from __future__ import annotations

import msgspec
import pytest

from callwright.environment.returns import action_of, identity_of, infer_returns, with_returns
from callwright.environment.shared_examples import with_shared_examples
from callwright.environment.told_outputs import outputs
from callwright.papers.wild.tool_pool import are_rivals
from callwright.records.dialogue import ShownTool
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool, ToolList


def tool(name: str, description: str, **required: str) -> Tool:
    """Return a tool whose parameters are all required texts, with these descriptions."""
    properties = {key: {"type": "string", "description": text} for key, text in required.items()}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool(name=name, description=description, parameters=encode(schema))


SEARCH = tool("searchSongs", "Search for songs based on keywords.", query="The search query keywords.")
DETAILS = tool("getSongDetails", "Get the detailed information of a specific song.", songId="The song ID.")
CREATE = tool("createPlaylist", "Create a playlist.", mood="The mood of the playlist.")
DELETE = tool("deletePlaylist", "Delete a playlist.", playlist_id="The ID of the playlist.")


STRING: Json = {"type": "string"}


def object_of(**properties: Json) -> Json:
    return {"type": "object", "properties": properties}


def map_of(values: Json) -> Json:
    return {"type": "object", "additionalProperties": values}


THINGS: Json = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}


def fields(one: Tool, *mates: Tool) -> dict[str, Json]:
    found: dict[str, Json] = decode(infer_returns(one, mates))["properties"]
    return found


def test_a_search_returns_a_list_of_its_things() -> None:
    """Items have what another tool of the list asks for, and a name."""
    items = fields(SEARCH, DETAILS)["songs"]["items"]["properties"]
    assert {"song_id", "name"} <= set(items)


def test_without_mates_there_is_no_identifier_to_pass_on() -> None:
    """Nothing is promised that no other tool needs."""
    assert "song_id" not in fields(SEARCH)["songs"]["items"]["properties"]


def test_settings_have_no_identifier_of_what_they_hold_for() -> None:
    """The configuration of all orders is of no order."""
    mate = tool("cancelOrder", "Cancel an order.", orderId="The ID of the order.")
    assert "order_id" in fields(tool("getOrderDetails", "Get the details of an order.", email="Who ordered."), mate)
    assert "order_id" not in fields(tool("getOrderConfiguration", "Get the order configuration."), mate)


def test_a_creation_returns_a_receipt() -> None:
    """An identifier of what was made, and that it was made."""
    assert fields(CREATE)["status"] == {"type": "string", "enum": ["created"]}
    assert "playlist_id" in fields(CREATE)


@pytest.mark.parametrize("name", ["record_harvest", "logHarvest"])
def test_what_is_written_down_is_new(name: str) -> None:
    """Without a method the verb tells: a record is made, not looked up, and has an identifier."""
    one = tool(name, "", hive_id="ID of the hive.", weight="Weight in kilograms.")
    assert set(fields(one)) == {"harvest_id", "status"}


def test_a_bare_field_looks_like_the_parameter_of_its_name() -> None:
    """The example in an address shows what lists tell; a field with its own, and a name of many things, keep theirs.

    What is no identifier in an address needs two examples.
    """
    asked = object_of(
        tag={"type": "string", "example": "P-204"},
        wood={"type": "string", "examples": ["walnut", "beech"]},
        maker={"type": "string", "example": "Grotrian"},
    )
    bare: Json = {"type": "string"}
    told = object_of(tag=bare, id=bare, wood=bare, maker=bare, own_tag={"type": "string", "example": "x"})
    tools = (
        Tool(name="get_piano", source="GET /pianos/{tag}", parameters=encode(asked), returns=encode(told)),
        Tool(name="list_pianos", source="GET /pianos", returns=encode({"type": "array", "items": told})),
    )
    one, several = (tool.returns for tool in with_shared_examples(Catalog(tools=tools)).tools)
    thing = object_of(
        tag={"type": "string", "examples": ["P-204"]},
        id=bare,
        wood={"type": "string", "examples": ["walnut", "beech"]},
        maker=bare,
        own_tag={"type": "string", "example": "x"},
    )
    assert (one, several) == (encode(thing), encode({"type": "array", "items": thing}))


def test_what_is_inferred_is_marked_and_what_is_documented_stays() -> None:
    """Only tools without a result schema get one, or with one that has no answer: anything, or links only."""
    told = Tool(name="a", description="Get a thing.", returns=encode({"properties": {"size": {"type": "number"}}}))
    links = Tool(name="b", description="Get a thing.", returns=encode({"properties": {"links": {"type": "object"}}}))
    made = with_returns(Catalog(tools=(told, links, SEARCH)))
    assert made.tools[0] == told
    assert [tool.returns_inferred for tool in made.tools] == [False, True, True]
    assert made.tools[2].returns is not None


def test_lists_follow_their_tools() -> None:
    """With a schema a tool has another key; its lists have it too, under the names they had."""
    catalog = Catalog(tools=(SEARCH, DETAILS), lists=(ToolList("one", (ShownTool(SEARCH.key, "look"),)),))
    made = with_returns(catalog)
    assert made.lists[0].tools == (ShownTool(made.tools[0].key, "look"),)


def test_outputs_of_lists_are_told_apart_from_those_at_the_top() -> None:
    """A field of an item has its place in the path."""
    search = with_returns(Catalog(tools=(SEARCH, DETAILS))).tools[0]
    assert {output.name: output.is_listed for output in outputs(search)}["song_id"]
    assert not {output.name: output.is_listed for output in outputs(search)}["total"]


@pytest.mark.parametrize(("one", "other"), [("songId", "song_id"), ("orderID", "order_number")])
def test_identifiers_are_the_same_however_they_are_spelt(one: str, other: str) -> None:
    """By whose identifier it is."""
    first, second = tool("a", "Get it.", **{one: "An ID."}), tool("b", "Get it.", **{other: "An ID."})
    assert identity_of(first, one) == identity_of(second, other)


def test_the_name_gives_verb_and_thing() -> None:
    """Details and the like are no things, and digits are no words."""
    assert action_of(tool("getShowDetails_2", "")) == ("get", "show")


def test_tools_that_a_request_cannot_tell_apart_are_rivals() -> None:
    """Two that do the same for the same need are; two for different things are not."""
    twin = tool("findSongs", "Search for songs by keywords.", query="The search query keywords.")
    assert are_rivals(SEARCH, twin)
    assert not are_rivals(SEARCH, CREATE)


def test_what_a_tool_does_is_not_what_it_is_about() -> None:
    """To book a flight gives no pages of a book."""
    assert "pages" not in fields(tool("bookCheck", "View the shipping information of a parcel."))


@pytest.mark.parametrize(
    ("source", "name", "description", "told"),
    [
        ("POST /invoices/{invoice_id}/remind", "invoices_remind", "Send invoice reminder.", {"status"}),
        ("DELETE /gists/{invoice_id}/star", "gists_unstar", "Unstar a gist.", {"status"}),
        ("POST /issues/{invoice_id}/comments", "issues_comment", "Create a comment.", {"comment_id", "status"}),
        ("GET /events/{invoice_id}", "events_get", "Returns an event.", {"invoice_id", "name"}),
        ("GET /students/{invoice_id}/average", "getAverage", "Average grade.", {"average"}),
    ],
)
def test_operations_tell_no_more_than_is_certain(source: str, name: str, description: str, told: set[str]) -> None:
    """What was asked for, the identifier of what was created, the state after an act."""
    one = msgspec.structs.replace(tool(name, description, invoice_id="The ID."), source=source)
    assert set(fields(one)) == told


@pytest.mark.parametrize("name", ["calendarList_list", "listCalendars", "calendars_search"])
def test_operations_that_list_return_lists(name: str) -> None:
    """Also where the name ends in the act."""
    one = msgspec.structs.replace(tool(name, "Returns the calendars of a user."), source="GET /users/me/calendars")
    assert set(fields(one)) == {"calendars", "total"}


def test_what_is_submitted_together_has_no_identifier_of_its_own() -> None:
    """A list of identifiers goes in; nothing new is made."""
    schema = {
        "type": "object",
        "properties": {"ids": {"type": "array", "items": {"type": "integer"}}},
        "required": ["ids"],
    }
    submit = Tool(name="submitExpenses", description="Submit expenses for approval.", parameters=encode(schema))
    assert fields(submit) == {"status": {"type": "string", "enum": ["submitted"]}}


def test_what_forms_an_answer_is_no_field_of_it() -> None:
    """Other tools may need a `callback` or a `format`; nothing has one."""
    mate = tool(
        "getSongTab", "Get the tab of a song.", callback="The URL to call back.", format="The code of the format."
    )
    assert not {"song_callback", "callback", "format"} & set(fields(DETAILS, mate))


def test_a_result_tells_no_password() -> None:
    """Though it repeats by what a thing was asked for."""
    login = tool("getLogin", "Get the login of an account.", email="The email.", password="The password code.")
    assert "password" not in fields(login)


def test_an_act_on_a_path_tells_of_its_own_thing_alone() -> None:
    """Not of what holds it, though other operations ask for that."""
    project = msgspec.structs.replace(
        tool("getProject", "Get a project.", project_id="The ID."), source="GET /projects"
    )
    task = msgspec.structs.replace(tool("getTask", "Get a task.", task_id="The ID."), source="GET /projects/tasks")
    done = tool("board_projects_tasks_create", "Create a task in a project.", parent="The parent.")
    assert set(fields(msgspec.structs.replace(done, source="POST /projects/tasks"), project, task)) == {
        "task_id",
        "status",
    }
    assert "project_id" in fields(done, project, task)


@pytest.mark.parametrize(
    ("properties", "is_kept"),
    [
        ({"meta": {"type": "object", "properties": {"parts": THINGS}}}, True),
        ({"meta": object_of(id=STRING, name=STRING)}, True),
        ({"meta": object_of(parts=map_of(STRING)), "error": {"type": "boolean"}}, True),
        ({"parts": map_of(object_of(id=STRING))}, True),
        ({"LinkedOrders": THINGS}, True),
        ({"errors": THINGS, "links_created": THINGS}, True),
        ({"parts": map_of({})}, False),
        ({"meta": object_of(request_id=STRING, timestamp=STRING, version=STRING)}, False),
        ({"meta": object_of(parts=map_of({}))}, False),
        ({"errors": map_of(STRING), "links": map_of(object_of(id=STRING, name=STRING))}, False),
        ({"meta": {"type": "object", "properties": {"total": {"type": "integer"}}}}, False),
        ({"meta": {"type": "object", "properties": {"links": THINGS}}}, False),
        ({"links": THINGS, "errors": THINGS}, False),
    ],
)
def test_a_documented_result_is_kept_where_something_in_it_answers(properties: dict[str, Json], is_kept: bool) -> None:
    """Things may stand under `meta` or in a map, and be called linked; what is beside the answer alone is inferred."""
    returns = encode({"type": "object", "properties": properties})
    tool = Tool(name="getParts", source="GET /parts", returns=returns)
    made = with_returns(Catalog(tools=(tool,))).tools[0]
    assert (made.returns == returns, made.returns_inferred) == (is_kept, not is_kept)


def test_a_list_that_a_name_asks_for_is_one() -> None:
    """Of things with a name beside their code, also where a capital follows `By`."""
    find = tool("Get_Airports_By_City", "Retrieves airports.", city="string")
    look = tool("Get_Airport_Details", "Get details.", airport_code="string")
    told = decode(infer_returns(find, (look,)))["properties"]["airports"]["items"]["properties"]
    assert {"airport_code", "name"} <= told.keys()


def test_a_list_of_things_is_about_those_things() -> None:
    """A `school list` lists schools; what an identifier of a list is asked for gives is a list."""
    find = tool("Get_School_List_by_City", "Get the school list.", city="The city.")
    assert action_of(find) == ("get", "school")
    assert "schools" in fields(find)
    assert action_of(tool("Get_Price_List", "Get a price list.", list_id="The list ID.")) == ("get", "price list")


def test_a_message_answers_no_search() -> None:
    """It was recorded from a call that failed."""
    returns = encode({"type": "object", "properties": {"message": {"type": "string"}}})
    tool = Tool(name="stations", description="Get a list of stations", returns=returns)
    assert with_returns(Catalog(tools=(tool,))).tools[0].returns_inferred


@pytest.mark.parametrize(
    ("name", "description", "field"),
    [
        ("Get_Joke_of_the_Day", "Get the joke of the day.", "joke"),
        ("puns_random", "Return a random pun.", "pun"),
        ("team_logo", "Get the logo of a team.", "url"),
        ("Get_number_of_games_today", "Get the number of games today.", "number_of_games"),
        ("server_health", "Get the health of the server.", "health"),
    ],
)
def test_a_tool_returns_the_very_thing_that_it_is_asked_for(name: str, description: str, field: str) -> None:
    """A joke tool returns a joke and no name."""
    found = fields(tool(name, description))
    assert field in found
    assert "name" not in found


def test_a_tool_without_an_operation_lists_things_of_a_plural() -> None:
    """The name of a query that a list of tools was taken from is no method."""
    one = msgspec.structs.replace(tool("Get_User_Tweets", "Get the tweets of a user."), source="query 46, API 2")
    assert set(fields(one)) == {"tweets", "total"}


def test_a_search_for_one_thing_by_its_identifier_is_no_list() -> None:
    """`query_joke_using_ID` gives one joke."""
    assert set(fields(tool("query_joke_using_ID", "Search a joke using its ID.", id="The joke ID."))) == {"joke", "id"}


def test_a_reply_of_a_tool_list_that_holds_a_message_alone_is_no_answer() -> None:
    """An example of an error was taken for the schema."""
    one = tool("stock_history", "Get the history of a stock.", symbol="The symbol.")
    returns = encode(object_of(message=STRING))
    bare = msgspec.structs.replace(one, source="query 1, API 2", returns=returns)
    assert with_returns(Catalog(tools=(bare,))).tools[0].returns != returns


@pytest.mark.parametrize(
    ("name", "description", "fields"),
    [
        ("get_company_earnings", "Get the earnings of a company.", {"revenue", "earnings_per_share"}),
        ("get_company_income_statement", "Get a company's income statement.", {"revenue", "net_income"}),
        ("get_company_balance_sheet", "Get a balance sheet.", {"total_assets", "total_liabilities"}),
        ("get_user_salary", "Get the salary of a user.", {"salary"}),
        ("get_company_details", "Get details of a company.", {"founded", "employees"}),
    ],
)
def test_what_is_told_of_a_company_is_what_was_asked_for(name: str, description: str, fields: set[str]) -> None:
    """Earnings are amounts; employees and the year of foundation are told of the company alone."""
    found = decode(infer_returns(Tool(name=name, description=description)))
    assert isinstance(found, dict)
    properties = found["properties"]
    assert isinstance(properties, dict)
    assert fields <= properties.keys()
    assert fields == {"founded", "employees"} or properties.keys().isdisjoint(("founded", "employees", "followers"))


def test_dividends_have_amounts_and_no_names() -> None:
    """A list of what nobody names tells amounts and days; a list of companies tells names."""
    texts = [infer_returns(Tool(name=name, description="")) for name in ("list_dividends", "list_companies")]
    assert [('"name"' in one, '"amount"' in one) for one in texts] == [(False, True), (True, False)]


@pytest.mark.parametrize(
    ("name", "description", "told"),
    [
        ("genomes", 'Returns the entire dog\'s genome as a packed string of pairs "AACTGA...".', {"genome"}),
        ("balances", "Returns the balance of a dog.", {"updated_at"}),
        ("walks", "Returns the walks of a dog.", {"walks", "total"}),
        ("carriers", "Our analysis of whether or not each dog is a carrier for these diseases.", {"is_carrier"}),
    ],
)
def test_the_one_property_of_what_is_asked_for_is_no_list(name: str, description: str, told: set[str]) -> None:
    """However many the name of the tool speaks of: a dog has one genome, written as the description shows it."""
    schema = decode(infer_returns(tool(name, description, dog_id="The ID of the dog.")))
    assert schema["properties"].keys() - {"dog_id"} == told  # type: ignore[index,call-overload,union-attr]
