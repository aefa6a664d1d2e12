"""Which parameters a user has a value for."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import msgspec
import pytest

from callwright.author.askable_tools import left_out
from callwright.author.briefs import known_values
from callwright.author.personas import bank
from callwright.author.required_values import with_repeats
from callwright.author.value_drawing import draw_values
from callwright.author.wanted import wanted_parameters
from callwright.catalog.slots import assemble
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def tool(description: str, required: list[str], **properties: dict[str, Any]) -> Tool:
    schema = {"type": "object", "properties": properties, "required": required}
    return Tool(name="x", description=description, parameters=encode(schema))


ID = {"type": "string", "description": "The ID of the reminder."}
NOTE = {"type": "string", "description": "title of the folder"}


def test_required_parameters_are_wanted_and_no_others() -> None:
    """A document that says what it needs is believed."""
    found = wanted_parameters(tool("Send a reminder.", ["to"], to={"type": "string"}, reminder_id=ID))

    assert found == ("to",)


def test_an_act_on_one_thing_wants_to_know_which() -> None:
    """Nobody deletes a reminder without saying which, whatever the document requires."""
    assert wanted_parameters(tool("Deletes a reminder.", [], reminder=ID, limit={"type": "integer"})) == ("reminder",)


def test_whole_lists_want_nothing() -> None:
    """A list may be asked for as a whole."""
    assert wanted_parameters(tool("List reminders.", [], reminder_id=ID)) == ()


def test_an_update_wants_a_new_value() -> None:
    """An update that changes nothing is none."""
    found = wanted_parameters(
        tool("Update a folder.", ["folder_id"], folder_id={"type": "string", "description": "folder ID"}, title=NOTE)
    )

    assert found == ("folder_id", "title")


def sent(method: str, description: str, **body: dict[str, Any]) -> tuple[str, ...]:
    """What is wanted of an operation on `/tasks/{task_id}` whose body requires nothing."""
    properties = {"task_id": {"type": "string"}, **body}
    parameters = encode({"type": "object", "properties": properties, "required": ["task_id"]})
    raw = encode({"requestBody": {"required": True}})
    return wanted_parameters(
        Tool(name="x", description=description, parameters=parameters, source=f"{method} /tasks/{{task_id}}", raw=raw)
    )[1:]


TITLE = {"type": "string", "description": "The title."}
DUE = {"type": "string", "format": "date"}


def test_a_write_writes() -> None:
    """What a person would mention first: a title before a flag, an address or a setting."""
    flag, link = {"type": "boolean"}, {"type": "string", "format": "uri"}

    assert sent("PUT", "Update a task.", callback=link, is_done=flag, title=TITLE) == ("title",)
    assert sent("POST", "Add a comment to a task.", due_on=DUE, text={"type": "string"}) == ("text", "due_on")


def test_nested_values_count_too() -> None:
    """With what is required beside them."""
    note = {"type": "object", "properties": {"text": {"type": "string"}, "by": DUE}, "required": ["by"]}

    assert sent("PATCH", "Update a task.", note=note) == ("note.text", "note.by")


def test_nobody_writes_what_the_service_makes() -> None:
    """Read-only values, dates of creation, free-form metadata: only where there is nothing else to write."""
    made = {"type": "string", "format": "date-time"}
    fixed = {"type": "string", "description": "The title. Read-only."}

    assert sent("PUT", "Update a task.", title=fixed, created_at=made, due_on=DUE, metadata={"type": "object"}) == (
        "due_on",
    )


def test_an_act_on_a_thing_as_it_is_needs_no_more() -> None:
    """Nobody gives settings to archive something."""
    assert sent("POST", "Archive a task.", notify={"type": "boolean"}) == ()


def test_of_a_required_object_something_is_wanted() -> None:
    """Although nothing in it is required."""
    user = {"type": "object", "properties": {"is_admin": {"type": "boolean"}, "email": {"type": "string"}}}

    assert wanted_parameters(tool("Invite a user.", ["user"], user=user)) == ("user.email",)


def test_a_thing_within_a_body_is_named_by_its_identifier() -> None:
    """The invoice of an allocation is an invoice ID, and no list of which nothing says what it holds."""
    texts = {name: {"type": "string"} for name in ("Reference", "InvoiceID", "BrandingThemeID")}
    invoice = {"type": "object", "properties": {"Prepayments": {"type": "array"}, **texts}}
    target = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "type": {"type": "string", "enum": ["a", "b"]}},
    }
    ofs = {"Invoice": invoice, "Target": target}

    assert wanted_parameters(tool("Create an allocation.", ["Invoice"], **ofs)) == ("Invoice.InvoiceID",)
    assert "Invoice.InvoiceID" not in wanted_parameters(tool("Create an invoice.", ["Invoice"], **ofs))
    assert wanted_parameters(tool("Create an allocation.", ["Target"], **ofs)) == ("Target.type", "Target.id")


def test_a_required_list_of_nobody_knows_what_is_not_drawn() -> None:
    """A list in an object whose items have no type is what is left of a recursion that was cut."""
    listed: dict[str, Any] = {"type": "array", "description": "See the payments."}
    invoice = {"type": "object", "properties": {"Payments": listed}, "required": ["Payments"]}
    told = {"type": "object", "properties": {"Payments": {**listed, "example": ["P-1"]}}, "required": ["Payments"]}

    assert left_out(tool("Create an allocation.", ["Invoice"], Invoice=invoice)).startswith("needs a value of which no")
    assert left_out(tool("Create an allocation.", ["Invoice"], Invoice=told)) == ""


def test_a_search_looks_for_something() -> None:
    """Its query is given where nothing else is."""
    query = {"type": "string", "description": "What to look for."}

    assert wanted_parameters(tool("Search files.", [], query=query, limit={"type": "integer"})) == ("query",)


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        ("Get a payee. Use v4 instead.", "is deprecated"),
        ("[Deprecated] Get a payee.", "is deprecated"),
        ("Get a filter. The call has been replaced by list-values.", "is deprecated"),
        ("List all deprecated packages.", ""),
    ],
)
def test_nobody_asks_for_a_deprecated_tool(described: str, expected: str) -> None:
    """Another does its act, and the document says so."""
    assert left_out(Tool(name="get_it", description=described, parameters=encode({"type": "object"}))) == expected


def test_what_the_act_is_about_is_given() -> None:
    """Of a search or a look-up that requires nothing; not of one that lists all."""
    parameters = encode({"type": "object", "properties": {"word": {"type": "string"}, "limit": {"type": "integer"}}})
    about = Tool(name="list_senses", description="Lists all senses related to a word.", parameters=parameters)
    assert wanted_parameters(about) == ("word",)
    assert wanted_parameters(Tool(name="list_words", description="Lists all words.", parameters=parameters)) == ()


def test_an_update_that_can_send_nothing_is_left_out() -> None:
    """So is a list of which no document says what it holds, and a member of an unknown vocabulary."""
    empty = encode({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]})
    assert left_out(Tool(name="update_user", description="Updates a user.", parameters=empty, source="PUT /users/{id}"))
    assert not left_out(Tool(name="end_user", description="Deletes a user.", parameters=empty, source="DELETE /u/{id}"))
    listed = {"asptypes": {"type": "array", "items": {"type": "string"}}}
    unknown = encode({"type": "object", "properties": listed, "required": ["asptypes"]})
    assert left_out(Tool(name="list_airspace", description="Lists airspace.", parameters=unknown))


def test_a_body_of_which_nothing_is_known_is_not_filled() -> None:
    """`POST /users/{userId}/lifecycle/deactivate` with any text as its body deactivates the user all the same."""
    text = {"type": "string"}
    schema = {"type": "object", "properties": {"userId": text, "body": text}, "required": ["userId"]}
    for verb in ("deactivate", "ping"):
        tool = Tool(
            name=f"{verb}User",
            description=f"{verb.capitalize()} a user.",
            parameters=encode(schema),
            source=f"POST /users/{{userId}}/lifecycle/{verb}",
        )
        assert wanted_parameters(tool) == ("userId",)


def test_a_shared_parameter_beside_the_body_writes_nothing() -> None:
    """Decimals to answer with, referred to by `$ref`, are no content of a credit note."""
    note = {"type": "object", "properties": {"reference": {"type": "string", "description": "Reference"}}}
    schema = {"type": "object", "properties": {"unitdp": {"type": "integer"}, "note": note}}
    tool = Tool(
        name="createCreditNote",
        description="Create a credit note.",
        parameters=encode(schema),
        source="PUT /CreditNotes",
        raw=encode({"parameters": [{"$ref": "#/components/parameters/unitdp"}], "requestBody": {}}),
    )
    assert wanted_parameters(tool) == ("note.reference",)


def test_who_is_entered_has_a_name() -> None:
    """A person is entered by first and last name, not by the name of a thing whose identifier is given."""
    names = {name: {"type": "string"} for name in ("birthDate", "companyName", "firstName", "lastName")}
    new = tool("Add a new employee.", ["companyId"], companyId={"type": "string"}, **names)
    team = tool("Create a team.", ["companyId"], companyId={"type": "string"}, teamId=ID, teamName={"type": "string"})

    assert wanted_parameters(msgspec.structs.replace(new, source="POST /c/{companyId}/e"))[1:] == (
        "firstName",
        "lastName",
    )
    assert wanted_parameters(msgspec.structs.replace(team, source="POST /c/{companyId}/t"))[1] == "teamName"


def nested(*steps: str) -> dict[str, Any]:
    """A text inside objects of these names."""
    schema: dict[str, Any] = {"type": "string"}
    for step in reversed(steps):
        schema = {"type": "object", "properties": {step: schema}}
    return schema


def test_names_deep_inside_other_things_are_no_content() -> None:
    """What a client says of itself is not said by a person; an envelope hides nothing."""
    assert sent("POST", "Cancel a task.", client=nested("library", "name")) == ()
    assert sent("POST", "Create a task.", data=nested("attributes", "name")) == ("data.attributes.name",)


def test_a_quantity_is_of_something() -> None:
    """The identifier beside it says of what."""
    number, code = {"type": "integer"}, {"type": "string"}
    assert sent("POST", "Create a cart.", quantity=number, itemId=code, cartId=code)[:2] == ("quantity", "itemId")
    assert sent("POST", "Create a cart.", title=TITLE, itemId=code) == ("title",)


def test_a_description_may_require_what_the_schema_does_not() -> None:
    """Without a condition."""
    codes = {
        "rateCode": {"type": "string", "description": "Required. The code of the rate."},
        "ratePer": {"type": "string", "description": "Unit of the rate (required)."},
        "job": {"type": "string", "description": "Required if the rate is of a job."},
        "shift": {"type": "string", "description": "The shift."},
    }
    assert set(sent("PUT", "Update the rate of a task.", rate={"type": "number"}, **codes)) == {
        "rate",
        "rateCode",
        "ratePer",
    }


def test_a_mark_of_the_client_is_no_wish() -> None:
    """Any string would do for it, so nobody thinks of one."""
    mark = {"type": "string", "description": "Can be any arbitrary string assigned to a user."}

    assert wanted_parameters(tool("Runs a task.", ["task"], task=ID, billedUser=mark)) == ("task",)


def test_what_the_address_names_is_no_news() -> None:
    """A body that repeats the identifier of the path renames nothing."""
    whole = {"type": "object", "properties": {"task_id": {"type": "string"}, "comment": NOTE}}
    assert sent("PATCH", "Update a task.", task=whole) == ("task.comment",)


def test_a_required_copy_of_an_identifier_equals_it() -> None:
    """It stands in the path and in the body."""
    whole = {"type": "object", "properties": {"task_id": {"type": "string"}}, "required": ["task_id"]}
    parameters = {"type": "object", "properties": {"task_id": {"type": "string"}, "task": whole}}
    send = Tool(
        name="x",
        description="Update a task.",
        parameters=encode({**parameters, "required": ["task_id", "task"]}),
        source="PUT /tasks/{task_id}",
    )
    drawn = draw_values(Random(1), send, bank()[0], today=date(2026, 5, 4))
    assert drawn["task"] == {"task_id": drawn["task_id"]}


def test_what_the_path_says_is_told_once() -> None:
    """A body names the owner again as an object with an identifier; the user says it with the path."""
    owner = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    parameters = {"type": "object", "properties": {"vaultUuid": {"type": "string"}, "vault": owner}}
    send = Tool(
        name="x",
        description="Update an entry.",
        parameters=encode({**parameters, "required": ["vaultUuid", "vault"]}),
        source="PUT /vaults/{vaultUuid}/entry",
    )
    drawn = draw_values(Random(1), send, bank()[0], today=date(2026, 5, 4))

    assert drawn["vault"] == {"id": drawn["vaultUuid"]}
    known = {known.slot.name: known.value for known in known_values(send, drawn)}
    assert known == {"vaultUuid": drawn["vaultUuid"]}
    assert assemble(send, with_repeats(send, known)) == drawn


def test_a_list_of_fields_that_a_client_sends_is_no_wish() -> None:
    mask = {"type": "string", "description": "The fields to update."}
    assert sent("PATCH", "Update a task.", updateMask=mask, comment=NOTE) == ("comment",)


def test_what_no_document_tells_is_not_asked_for() -> None:
    """Of nothing but `data` no request tells what it is about."""
    assert left_out(Tool(name="get_data", description="Get data.")) == "no document tells what it is about"
    assert left_out(Tool(name="get_data", description="Get data of a lake.")) == ""


def test_nobody_asks_for_entries_of_several_lists() -> None:
    """A body of variables and modes at once is made by a program; one of the lists is fine."""
    entry = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    lists: dict[str, Any] = {name: {"type": "array", "items": entry} for name in ("variables", "modes")}

    assert left_out(tool("Create variables.", ["variables", "modes"], **lists)) == (
        "writes into several lists of things at once"
    )
    assert left_out(tool("Create variables.", ["variables"], **lists)) == ""


def test_what_is_taken_away_by_sending_nothing_is_left_out() -> None:
    """Nobody could say the value: the body holds nothing for it."""
    link = {
        "type": "object",
        "properties": {"link": {"type": "object", "properties": {}}, "task_id": {"type": "string"}},
    }
    parameters, raw = encode({**link, "required": ["task_id"]}), encode({"requestBody": {"content": {}}})
    remove = Tool(
        name="x", description="Removes a link from a task.", parameters=parameters, source="PUT /t/{task_id}", raw=raw
    )
    assert left_out(remove).startswith("takes something away")
    assert not left_out(msgspec.structs.replace(remove, source="DELETE /t/{task_id}"))


def test_a_list_that_only_its_tool_names_cannot_be_said() -> None:
    """Nothing tells what stands in it."""
    scopes = {"type": "array", "items": {"type": "string"}}
    assert left_out(tool("Get the available scopes.", ["body"], body=scopes))
    assert not left_out(tool("Get the available scopes.", ["body"], body={**scopes, "example": ["team", "all"]}))


def test_what_a_machine_reads_is_not_said() -> None:
    """A WSDL, or a policy in a language of its own; a content of words is."""
    for text in ("The WSDL content.", "The policy content, written in the policy language."):
        assert left_out(tool("Add a thing.", ["content"], content={"type": "string", "description": text}))
    assert not left_out(
        tool("Add a note.", ["content"], content={"type": "string", "description": "The note's content."})
    )


def test_an_update_without_a_path_says_which_thing_it_alters() -> None:
    """By the identifier in its body, and not by that of another thing."""
    fields = {"Rate": {"type": "number"}, "QuoteID": {"type": "string"}, "ThemeID": {"type": "string"}}
    quotes = {"type": "array", "items": {"type": "object", "properties": fields}}
    update = msgspec.structs.replace(tool("Updates quotes.", ["quotes"], quotes=quotes), source="POST /quotes")
    assert set(wanted_parameters(update)) == {"quotes.0.QuoteID", "quotes.0.Rate"}


def test_what_is_created_has_a_name_before_a_text() -> None:
    """A payment service is called something."""
    fields = {"pay_now_text": {"type": "string"}, "payment_service_name": {"type": "string"}}
    body = {"type": "array", "items": {"type": "object", "properties": fields}}
    make = msgspec.structs.replace(
        tool("Creates a payment service.", ["services"], services=body), source="PUT /services"
    )
    assert wanted_parameters(make)[0] == "services.0.payment_service_name"


@pytest.mark.parametrize(("act", "states"), [("Create", {"open"}), ("Update", {"open", "archived", "deleted"})])
def test_nobody_creates_what_has_ended(act: str, states: set[str]) -> None:
    status = {"type": "string", "enum": ["archived", "open", "deleted"]}
    made = msgspec.structs.replace(tool(f"{act} a ticket.", ["status"], status=status), name=f"{act.lower()}Ticket")
    drawn = {draw_values(Random(seed), made, bank()[0], today=date(2026, 5, 4))["status"] for seed in range(40)}
    assert drawn == states


def test_a_sign_that_nobody_can_say_is_not_chosen() -> None:
    """Unless there are only signs."""
    drawn = {
        signs: {
            draw_values(Random(seed), made, bank()[0], today=date(2026, 5, 4))["square"]
            for seed in range(20)
            for made in (tool("Set a square.", ["square"], square={"type": "string", "enum": list(signs)}),)
        }
        for signs in (".XO", ".-")
    }
    assert drawn == {".XO": {"X", "O"}, ".-": {".", "-"}}


def test_a_reply_has_words_also_where_each_kind_of_body_describes_them() -> None:
    """`body` of a request of which nothing is told is another thing."""
    kinds = [{"type": "string", "description": "The text of the reply."}, {"type": "string", "description": "A note."}]
    for body, is_wanted in (({"anyOf": kinds}, True), ({"type": "string"}, False)):
        properties = {"id": {"type": "string"}, "kind": {"type": "string", "enum": ["comment"]}, "body": body}
        schema = {"type": "object", "properties": properties, "required": ["id", "kind"]}
        reply = Tool(
            name="replyTicket", source="POST /tickets/{id}/reply", description="Reply to a ticket.",
            parameters=encode(schema),
        )  # fmt: skip
        assert ("body" in wanted_parameters(reply)) is is_wanted


def test_what_is_joined_to_something_is_named() -> None:
    """The contact that is attached, and not the admin who does it."""
    ids = {name: {"type": "string", "description": f"The ID of the {told}."} for name, told in (
        ("id", "conversation"), ("admin_id", "admin who adds"), ("member_id", "contact to add"),
    )}  # fmt: skip
    attach = Tool(
        name="attachContactToConversation",
        source="POST /conversations/{id}/members",
        description="Attach a contact to a conversation.",
        parameters=encode({"type": "object", "properties": ids, "required": ["id"]}),
    )
    assert wanted_parameters(attach) == ("id", "member_id")


PHONE = {"type": "integer", "description": "The phone of the user. Either uid or phone is required."}
UID = {"type": "integer", "description": "The number of the user. Either uid or phone is required."}


def test_of_two_parameters_of_which_either_is_needed_one_is_given() -> None:
    """Never both; also where the act finds things by either."""
    found = wanted_parameters(tool("Verify an account.", [], phone=PHONE, uid=UID))
    assert len({"phone", "uid"} & set(found)) == 1

    text = {"type": "string", "description": "A name."}
    finds = tool("Retrieve the chats of a guest by login or by address.", [], login=text, address=text)
    assert len(wanted_parameters(finds)) == 1

    told = "A list of {}. Either item_ids or item_group_ids can be given, not both."
    ids = {name: {"type": "string", "description": told.format(name)} for name in ("item_group_ids", "item_ids")}
    assert wanted_parameters(tool("Retrieve the details of items.", [], **ids)) == ("item_ids",)


@pytest.mark.parametrize(
    ("name", "described", "source", "is_asked"),
    [
        ("updateTemplate", "Deletes a template.", "POST /templates/{id}", False),
        ("patchProject", "Creates a project for a client.", "PATCH /projects/{id}", False),
        ("updateRule", "Creates or updates a rule.", "PATCH /rules/{id}", True),
        ("rules_delete", "Removes a rule.", "POST /rules.delete", True),
    ],
)
def test_a_document_that_contradicts_its_name_is_left_out(
    name: str, described: str, source: str, is_asked: bool
) -> None:
    """Nobody knows what such a tool does."""
    schema = {"type": "object", "properties": {"id": ID, "note": NOTE}, "required": ["id", "note"]}
    one = Tool(name=name, description=described, source=source, parameters=encode(schema))
    assert (left_out(one) != "its name and its description say different acts") is is_asked


def test_who_sets_a_value_says_it() -> None:
    """What nobody can know is not set."""

    def setting(name: str, **schema: Any) -> Tool:
        told = {"id": ID, "stage": {"enum": ["all", "test"]}, name: schema}
        parameters = {"type": "object", "properties": told, "required": ["id"]}
        return Tool(
            name="x",
            description=f"Updates the {name} of a variable.",
            parameters=encode(parameters),
            source="PATCH /v/{id}",
            raw=encode({"requestBody": {"required": True}}),
        )

    assert "quantity" in wanted_parameters(setting("quantity", type="integer"))
    assert left_out(setting("value", type="string", description="The value.")).startswith("sets a value")


def test_what_has_no_phrase_for_a_name_comes_late() -> None:
    """Nobody mentions `added to room sound value`, where a plainer value is open."""
    sounds = {name: {"type": "string"} for name in ("AddedToRoom.Sound", "NewMessage.Sound")}
    schema = {"type": "object", "properties": {"roomId": {"type": "string"}, **sounds}, "required": ["roomId"]}
    update = Tool(name="UpdateRoomSounds", description="Update the sounds of a room.", parameters=encode(schema))

    assert wanted_parameters(update) == ("roomId", "NewMessage.Sound")


def test_one_of_the_ways_to_find_things_is_wanted() -> None:
    """Nobody asks for the rooms of a guest without saying which: by email or by phone."""
    ways = {name: {"type": "string"} for name in ("email", "phone", "floor")}
    said = "List all rooms of a guest by email or by phone."
    rooms = Tool(name="ListGuestRooms", description=said, parameters=encode({"type": "object", "properties": ways}))
    others = Tool(
        name="ListRooms", description="List all rooms.", parameters=encode({"type": "object", "properties": ways})
    )

    assert set(wanted_parameters(rooms)) in ({"email"}, {"phone"})
    assert wanted_parameters(others) == ()


@pytest.mark.parametrize(
    "tool",
    [
        Tool(name="v1_qzferryx", description="Acme API endpoint."),
        Tool(name="tides", description="xqzvbn"),
        Tool(name="is_open_on_sunday", description="Requests to this endpoint will return `true` on Sundays."),
        Tool(name="sure_over_2_5_goals", description=""),
    ],
)
def test_a_title_that_nobody_would_say_is_not_asked_for(tool: Tool) -> None:
    """A word that no dictionary has, a clause or a decimal cut in two names no thing; a plain name does."""
    reason = "" if tool.name == "tides" else "no document tells what it is about"
    assert left_out(tool) == reason


def test_who_makes_a_thing_does_not_begin_with_a_rate() -> None:
    """Where a body requires nothing in particular, its date comes before the currency's rate."""
    item = {"properties": {"CurrencyRate": {"type": "number"}, "Date": {"type": "string", "format": "date"}}}
    schema = {"properties": {"Quotes": {"type": "array", "items": {"type": "object", **item}}}, "required": ["Quotes"]}
    tool = Tool(name="createQuotes", description="Create quotes", source="PUT /Quotes", parameters=encode(schema))

    assert wanted_parameters(tool)[0] == "Quotes.0.Date"
    assert "Quotes.0.CurrencyRate" not in wanted_parameters(tool)
