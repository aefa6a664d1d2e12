"""What results of one session tell of things that earlier results and acts told of."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import msgspec
import pytest

from callwright.author.personas import bank
from callwright.environment.told_outcome import outcome_of
from callwright.environment.tool_world import ToolWorld
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

TEXT: Json = {"type": "string"}
TIME: Json = {"type": "string", "format": "date-time"}
NUMBER: Json = {"type": "number"}
_LIST: dict[str, Json] = {"type": "array"}


def operation(source: str, called: str, /, *given: str, **returned: Json) -> Tool:
    asked = [part[1:-1] for part in source.split("/") if part.startswith("{")] + list(given)
    parameters = {"type": "object", "properties": dict.fromkeys(asked, TEXT), "required": asked}
    returns = {"type": "object", "properties": returned, "required": list(returned)} if returned else None
    return Tool(
        name=called,
        source=source,
        parameters=encode(parameters),
        returns=None if returns is None else encode(returns),
    )


def said(place: ToolWorld, tool: Tool, **arguments: Json) -> Any:
    result = place.call(tool, arguments)
    place.keep(tool, arguments, result)
    assert result.value is not None, result.error
    return decode(result.value)


def world(*tools: Tool, seed: int = 3) -> ToolWorld:
    return ToolWorld(seed=seed, item="f", today=date(2026, 5, 4), persona=bank()[0], tools=tools)


STATE: Json = {"type": "string", "enum": ["DRAFT", "SENT", "CANCELLED", "PAID"]}
MAKE = operation("POST /bills", "createBill", id=TEXT, status=STATE)
SEND = operation("POST /bills/{bill_id}/send", "sendBill", href=TEXT)
REMIND = operation("POST /bills/{bill_id}/remind", "remindBill", href=TEXT)
READ = operation("GET /bills/{bill_id}", "getBill", id=TEXT, status=STATE)
LOOSE = Tool(
    name="getBill",
    source="GET /bills/{bill_id}",
    parameters=READ.parameters,
    returns=encode({"type": "object", "properties": {"id": TEXT, "status": STATE}, "required": ["id"]}),
)
PAY = operation("POST /bills/{bill_id}/payments", "createPayment", payment_id=TEXT)


def test_a_thing_is_in_the_state_that_the_last_act_with_one_led_to() -> None:
    """A reminder leads to none, so what was sent before it stays sent."""
    place = world(MAKE, SEND, REMIND, READ)
    bill = said(place, MAKE)["id"]
    said(place, SEND, bill_id=bill)
    said(place, REMIND, bill_id=bill)
    assert said(place, READ, bill_id=bill)["status"] == "SENT"


def test_no_state_is_told_of_a_thing_that_something_was_put_into() -> None:
    """A payment may have settled a bill; before it the state is told."""
    place = world(MAKE, LOOSE, PAY)
    made = said(place, MAKE)
    assert said(place, LOOSE, bill_id=made["id"])["status"] == made["status"]
    said(place, PAY, bill_id=made["id"])
    assert "status" not in said(place, LOOSE, bill_id=made["id"])


def test_no_draft_is_told_of_what_something_was_done_to() -> None:
    """A reminder whose result nobody documented tells of no state, and what was paid before it is no draft."""
    remind = msgspec.structs.replace(REMIND, returns_inferred=True)
    place = world(MAKE, LOOSE, PAY, remind)
    made = said(place, MAKE)
    assert said(place, LOOSE, bill_id=made["id"])["status"] == "DRAFT"
    said(place, PAY, bill_id=made["id"])
    said(place, remind, bill_id=made["id"])
    assert "status" not in said(place, LOOSE, bill_id=made["id"])


def test_what_a_list_lacked_was_made_after_it() -> None:
    """However the holder is addressed; what the list told keeps its days."""
    member: Json = {"type": "object", "properties": {"id": TEXT, "created_at": TIME}, "required": ["id", "created_at"]}
    listing = operation(
        "GET /sites/{site_id}/chats/{chat_id}/members", "listMembers", members=_LIST | {"items": member}
    )
    read = operation("GET /chats/{chat_id}/members/{member_id}", "getMember", id=TEXT, created_at=TIME)
    place = world(listing, read)
    first = said(place, listing, site_id="S-1", chat_id="C-1")["members"][0]
    assert said(place, read, chat_id="C-1", member_id=first["id"])["created_at"] == first["created_at"]
    assert said(place, read, chat_id="C-1", member_id="M-9")["created_at"].startswith("2026-05-04")


def test_identifiers_of_two_things_differ() -> None:
    """A batch of payments is not the payment, and what stands beside its identifier is none."""
    read = operation("GET /payments/{payment_id}", "getPayment", batch_payment_id=TEXT, payment_id=TEXT)
    told = said(world(read), read, payment_id="P-7")
    assert told["payment_id"] == "P-7" != told["batch_payment_id"]
    hook: Json = {"type": "object", "properties": {"context": TEXT, "context_id": TEXT}}
    listing = operation("GET /hooks", "listHooks", "context_id", hooks=_LIST | {"items": hook})
    told = said(world(listing), listing, context_id="48621")["hooks"]
    assert told[0]["context_id"] == "48621"
    assert all(one.get("context") != "48621" for one in told)


def test_a_thing_that_is_added_elsewhere_keeps_its_name() -> None:
    """A tag is the same in the list of one contact and on another."""
    tag: Json = {"type": "object", "properties": {"id": TEXT, "name": TEXT}, "required": ["id", "name"]}
    listing = operation("GET /contacts/{contact_id}/tags", "listTags", tags={"type": "array", "items": tag})
    attach = operation("POST /contacts/{contact_id}/tags", "attachTag", "id", id=TEXT, name=TEXT)
    place = world(listing, attach)
    first = said(place, listing, contact_id="C-1")["tags"][0]
    assert said(place, attach, contact_id="C-2", id=first["id"]) == first


def test_a_map_has_an_entry_for_each_thing_that_was_asked_for() -> None:
    """Each under its identifier, which an object repeats."""
    image: Json = {"type": "object", "properties": {"id": TEXT, "url": TEXT}, "required": ["id"]}
    read = operation("GET /images", "getImages", "ids", images={"type": "object", "additionalProperties": image})
    found = said(world(read), read, ids="12,15")["images"]
    assert {key: one["id"] for key, one in found.items()} == {"12": "12", "15": "15"}


@pytest.mark.parametrize("seed", range(12))
def test_what_lies_in_a_thing_is_not_older_than_the_thing(seed: int) -> None:
    """Comments of a post, and their changes."""
    comment: Json = {"type": "object", "properties": {"id": TEXT, "created_at": TIME}, "required": ["id", "created_at"]}
    post = operation("GET /posts/{post_id}", "getPost", id=TEXT, created_at=TIME)
    comments = operation("GET /posts/{post_id}/comments", "listComments", comments={"type": "array", "items": comment})
    place = world(post, comments, seed=seed)
    begun = said(place, post, post_id="P-1")["created_at"]
    found = said(place, comments, post_id="P-1")["comments"]
    assert found
    assert all(one["created_at"] >= begun for one in found)


def test_a_thing_is_called_as_its_own_parameter_says() -> None:
    """`name` in the path is that of what holds it."""
    read = operation("GET /zones/{name}/pools/{poolName}", "getPool", id=TEXT, name=TEXT)
    found = said(world(read), read, name="north", poolName="blue")
    assert found["name"] == "blue"
    assert found["id"] not in ("north", "blue")


def test_files_of_one_name_in_two_places_are_two() -> None:
    """What is asked for by a name is known by its address."""
    read = operation("GET /accounts/{account_id}/files/{fileName}", "getFile", attachment_id=TEXT, fileName=TEXT)
    place = world(read)
    one, other = (said(place, read, account_id=at, fileName="plan.pdf") for at in ("A-1", "A-2"))
    assert one["attachment_id"] != other["attachment_id"]


def test_the_form_of_a_result_does_not_change_what_it_tells() -> None:
    """The same list, written otherwise, has the same things."""
    item: Json = {"type": "object", "properties": {"id": TEXT, "name": TEXT}, "required": ["id", "name"]}
    read = operation("GET /channels", "listChannels", "format", channels={"type": "array", "items": item})
    one, other = (world(read).call(read, {"format": form}).value for form in ("json", "xml"))
    assert one == other


def test_measures_in_texts_have_units_and_totals_are_sums() -> None:
    """A distance is no name."""
    read = operation("GET /routes/{route_id}", "getRoute", id=TEXT, distance=TEXT, duration=TEXT)
    found = said(world(read), read, route_id="R-1")
    assert re.fullmatch(r"[\d.]+ km", found["distance"])
    assert re.fullmatch(r"[\d.]+ minutes", found["duration"])
    balance: Json = {
        "type": "object",
        "properties": {"fee": NUMBER, "principal": NUMBER, "total": NUMBER},
        "required": ["fee", "principal", "total"],
    }
    grant = operation("GET /grants/{grant_id}", "getGrant", id=TEXT, balances=balance)
    told = said(world(grant), grant, grant_id="G-1")["balances"]
    assert told["total"] == pytest.approx(told["fee"] + told["principal"])


def test_messages_are_numbered_one_after_the_other() -> None:
    """No two have one index."""
    message: Json = {"type": "object", "properties": {"id": TEXT, "index": {"type": "integer"}}}
    required: Json = {**message, "required": ["id", "index"]}  # type: ignore[dict-item]
    read = operation("GET /chats/{chat_id}/messages", "listMessages", messages={"type": "array", "items": required})
    numbers = [one["index"] for one in said(world(read), read, chat_id="C-1")["messages"]]
    assert len(numbers) > 1
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_the_things_of_a_map_are_told_by_name() -> None:
    """As those of a list are, also where what holds them has a name beside them."""
    thing: Json = {"type": "object", "properties": {"id": TEXT, "name": TEXT}, "required": ["id", "name"]}
    entries: Json = {"type": "object", "additionalProperties": thing}
    read = operation("GET /files/{file_id}/variables", "getVariables", variables=entries)
    result = world(read).call(read, {"file_id": "F-1"})
    names = [one["name"] for one in decode(result.value or "")["variables"].values()]
    assert len(names) > 1
    assert outcome_of(read, {"file_id": "F-1"}, result).listed == tuple(names)
    listing = operation("GET /teams/{team_id}/projects", "getProjects", name=TEXT, projects=_LIST | {"items": thing})
    result = world(listing).call(listing, {"team_id": "T-1"})
    names = [one["name"] for one in decode(result.value or "")["projects"]]
    assert outcome_of(listing, {"team_id": "T-1"}, result).listed == tuple(names)


_USER: Json = {"type": "object", "properties": {"handle": TEXT, "id": TEXT}, "required": ["handle", "id"]}


def _listed(**item: Json) -> Json:
    return {"type": "array", "items": {"type": "object", "properties": item, "required": list(item)}}


REMARK = operation("POST /files/{file_id}/comments", "postComment", "message", id=TEXT, message=TEXT, user=_USER)
REACT = operation("POST /comments/{comment_id}/reactions", "postReaction", "emoji", ok={"type": "boolean"})
REACTIONS = operation(
    "GET /comments/{comment_id}/reactions", "listReactions", reactions=_listed(emoji=TEXT, user=_USER)
)
JOIN = operation("POST /teams/{team_id}/members", "addMember", "email", id=TEXT, user=_USER)


@pytest.mark.parametrize("seed", range(3))
def test_all_that_calls_make_is_made_by_one_user(seed: int) -> None:
    """The users of two comments and of a reaction are the same person, whichever of them is told first."""
    place = world(REMARK, REACT, REACTIONS, seed=seed)
    said(place, REACT, comment_id="7", emoji="eyes")
    reactions = said(place, REACTIONS, comment_id="7")["reactions"]
    users = [said(place, REMARK, file_id="5", message=text)["user"] for text in ("one", "two")]
    assert reactions[-1] == {"emoji": "eyes", "user": users[0]}
    assert users[0] == users[1]


def test_the_user_of_a_membership_is_the_one_who_joins() -> None:
    """Two members that the caller adds are two people."""
    place = world(JOIN)
    added = [said(place, JOIN, team_id="5", email=mail)["user"] for mail in ("ann.lee@x.example", "bo.kim@x.example")]
    assert added[0] != added[1]


_MAILS: Json = {"type": "array", "items": TEXT, "minItems": 1}


def _loose(tool: Tool, **told: Json) -> Tool:
    """The tool with a result of which only the identifier is required."""
    whole: Json = {"type": "object", "properties": {"id": TEXT, **told}, "required": ["id"]}
    return msgspec.structs.replace(tool, returns=encode(whole))


BILL: dict[str, Json] = {"id": TEXT, "note": TEXT, "status": STATE, "recipients": _MAILS, "copies": NUMBER}
DRAFT = _loose(operation("POST /bills", "createBill", "note"), **{n: BILL[n] for n in ("note", "status", "recipients")})
ALL = operation("GET /bills", "listBills", bills=_listed(**{n: BILL[n] for n in ("id", "note", "status")}))


def _with_recipients(tool: Tool, *, is_needed: bool) -> Tool:
    item: Json = {"type": "object", "properties": BILL, "required": ["id", "recipients"] if is_needed else ["id"]}
    listed: Json = {"type": "array", "items": item}
    returns: Json = {"type": "object", "properties": {"bills": listed}, "required": ["bills"]}
    return msgspec.structs.replace(tool, returns=encode(returns))


@pytest.mark.parametrize("seed", range(4))
def test_what_was_made_without_something_is_listed_without_it(seed: int) -> None:
    """A bill made without recipients has none in a list; others there have some where the list tells them."""
    tool = _with_recipients(ALL, is_needed=False)
    place = world(DRAFT, tool, seed=seed)
    made = said(place, DRAFT, note="Thank you")
    listed = {one["id"]: one for one in said(place, tool)["bills"]}
    assert listed[made["id"]].get("recipients") == made.get("recipients")
    assert listed[made["id"]]["note"] == "Thank you"


def test_what_was_told_without_something_is_listed_without_it() -> None:
    """A bill that was read without recipients has none in a later list that tells those of others."""
    read = _loose(operation("GET /bills/{bill_id}", "getBill"), status=STATE, recipients=_MAILS)
    tool = _with_recipients(ALL, is_needed=False)
    given: list[dict[str, Json]] = [{"id": "77", "status": "PAID"}, {"id": "77", "recipients": ["Bo Kim"]}]
    listed = []
    for told in given:
        place = world(read, tool)
        place.keep(read, {"bill_id": "77"}, Result(value=encode(told)))
        listed += [one for one in said(place, tool)["bills"] if one["id"] == "77"]
    assert [one.get("recipients") for one in listed] == [None, ["Bo Kim"]]


_REACTION: dict[str, Json] = {"emoji": TEXT, "created_at": TIME, "user": _USER}
NOTE = operation("POST /comments", "postComment", "message", id=TEXT, reactions=_listed(**_REACTION), user=_USER)
NOTES = operation("GET /comments", "listComments", comments=_listed(id=TEXT, reactions=_listed(**_REACTION)))
REACTED = operation("GET /comments/{comment_id}/reactions", "listReactions", reactions=_listed(**_REACTION))


def test_a_thing_tells_what_was_put_into_it() -> None:
    """A comment has no reactions when it is made; then a list of comments tells the one that was added, as its own."""
    place = world(NOTE, REACT, NOTES, REACTED)
    made = said(place, NOTE, message="To be checked")
    said(place, REACT, comment_id=made["id"], emoji="eyes")
    own = said(place, REACTED, comment_id=made["id"])["reactions"]
    listed = {one["id"]: one["reactions"] for one in said(place, NOTES)["comments"]}
    assert listed[made["id"]] == own
    assert [(one["emoji"], one["user"]) for one in own] == [("eyes", made["user"])]


def test_a_thing_tells_the_tags_that_were_added_to_it() -> None:
    """A comment tells a tag that a call made for it, under the tag's identifier and name."""
    tag: dict[str, Json] = {"id": TEXT, "name": TEXT}
    make = operation("POST /comments", "postComment", "message", id=TEXT, tags=_listed(**tag))
    add = operation("POST /comments/{comment_id}/tags", "createTag", "name", **tag)
    read = operation("GET /comments/{comment_id}", "getComment", id=TEXT, tags=_listed(**tag))
    place = world(make, add, read)
    comment = said(place, make, message="To be checked")["id"]
    made = said(place, add, comment_id=comment, name="urgent")
    assert said(place, read, comment_id=comment)["tags"] == [made]


def test_the_default_owner_that_a_description_names_is_one() -> None:
    """Two roles of the default service are in one service, though no tool of the session spells it out."""
    read = operation("GET /roles/{role_id}", "getRole", id=TEXT, chat_service_id=TEXT)
    told = {}
    for described in ("Fetch a role from your account's default service.", "Fetch a role."):
        one = msgspec.structs.replace(read, description=described)
        place = world(one)
        told[described] = {said(place, one, role_id=f"R-{at}")["chat_service_id"] for at in range(3)}
    assert [len(services) for services in told.values()] == [1, 3]


UNREACT = operation("DELETE /comments/{comment_id}/reactions", "deleteReaction", "emoji", ok={"type": "boolean"})


def test_what_is_taken_out_by_its_value_is_one_of_those_that_a_list_told() -> None:
    """A reaction that no list told is lacking, and those that were told are there to take."""
    place = world(NOTE, REACT, NOTES, REACTED, UNREACT)
    made = said(place, NOTE, message="To be checked")["id"]
    assert place.lacking(UNREACT, {"comment_id": made, "emoji": "tada"}) is None
    said(place, REACT, comment_id=made, emoji="eyes")
    said(place, REACTED, comment_id=made)
    assert place.lacking(UNREACT, {"comment_id": made, "emoji": "tada"}) == ("emoji", ["eyes"])
    assert place.lacking(UNREACT, {"comment_id": made, "emoji": "eyes"}) is None


def test_what_was_taken_out_by_its_value_is_told_no_more() -> None:
    """Neither by the list nor by what held it; another that is there stays."""
    place = world(NOTE, REACT, NOTES, REACTED, UNREACT)
    made = said(place, NOTE, message="To be checked")["id"]
    for emoji in ("eyes", "wave"):
        said(place, REACT, comment_id=made, emoji=emoji)
    said(place, REACTED, comment_id=made)
    said(place, UNREACT, comment_id=made, emoji="eyes")
    told = said(place, REACTED, comment_id=made)["reactions"]
    held = {one["id"]: one["reactions"] for one in said(place, NOTES)["comments"]}[made]
    assert [[one["emoji"] for one in several] for several in (told, held)] == [["wave"], ["wave"]]
    said(place, UNREACT, comment_id=made, emoji="wave")
    assert said(place, REACTED, comment_id=made)["reactions"] == []
    assert {one["id"]: one["reactions"] for one in said(place, NOTES)["comments"]}[made] == []
