"""What a result tells of ends, parts and owners is what the call and earlier results said of them."""

from __future__ import annotations

import msgspec
import pytest
from test_agreeing_sessions import TEXT, Session, several, thing, tool

from callwright.environment.echoes import Edit
from callwright.environment.settling import ends_apart, parts_of_name
from callwright.environment.tool_target import ToldPlace, target_of
from callwright.records.jsontext import Json, encode

SEEDS = range(4)
TIME: Json = {"type": "string", "format": "date-time"}
BEGINS = "2026-05-04T09:00:00Z"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("source", "first", "last", "whole"),
    [
        ("GET /users/{id}", "first_name", "last_name", "full_name"),
        ("GET /members/{id}", "firstName", "familyName", "name"),
        ("GET /contacts/{id}", "given_name", "surname", "display_name"),
    ],
)
def test_parts_of_a_name_make_up_the_whole(source: str, first: str, last: str, whole: str, seed: int) -> None:
    session = Session(tool(source, "getOne", thing(id=TEXT, **dict.fromkeys((first, last, whole), TEXT))), seed=seed)
    told = session.do("getOne", id="5")
    assert told[first] != told[last]
    assert told[whole] == f"{told[first]} {told[last]}"


def test_a_whole_name_that_is_known_decides_its_parts() -> None:
    """Also one of three words; the name of a company is left as it is."""
    fields: dict[str, Json] = {"first_name": "Lars", "last_name": "Berg", "name": "Ana Maria Ruiz"}
    edits = list(parts_of_name(ToldPlace("thing", "contact", fields, {}), {("name",): "Ana Maria Ruiz"}, []))
    assert edits == [Edit(fields, "first_name", "Ana Maria"), Edit(fields, "last_name", "Ruiz")]
    assert not list(parts_of_name(ToldPlace("thing", "company", fields, {}), {}, []))


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_goes_from_a_thing_to_itself(seed: int) -> None:
    """The two ends of a transfer, and the records that a third one links."""
    end = thing(AccountID=TEXT)
    link = thing(LinkedRecordID=TEXT, SourceRecordID=TEXT, TargetRecordID=TEXT)
    session = Session(
        tool("POST /Transfers/{TransferID}", "deleteTransfer", thing(TransferID=TEXT, FromAccount=end, ToAccount=end)),
        tool("POST /LinkedRecords/{LinkedRecordID}", "updateLinkedRecord", thing(LinkedRecords=several(link))),
        seed=seed,
    )
    moved = session.do("deleteTransfer", TransferID="7")
    assert moved["FromAccount"] != moved["ToAccount"]
    linked = session.do("updateLinkedRecord", LinkedRecordID="9c")["LinkedRecords"][0]
    assert linked["LinkedRecordID"] == "9c"
    assert len(set(linked.values())) == 3


def test_what_the_call_gave_stays_where_ends_are_kept_apart() -> None:
    fields: dict[str, Json] = {"id": "a7f", "parent_id": "a7f", "user_id": "a7f", "from": {"id": 4}, "to": {"id": 4}}
    place = ToldPlace("thing", "move", fields, {})
    source, target = fields["from"], fields["to"]
    assert isinstance(source, dict)
    assert isinstance(target, dict)
    assert list(ends_apart(place, [])) == [Edit(target, "id", 7), Edit(fields, "parent_id", "a0f")]
    assert next(ends_apart(place, [Edit(target, "id", 4)])) == Edit(source, "id", 7)
    given = [Edit(target, "id", 4), Edit(source, "id", 4), Edit(fields, "parent_id", "a7f")]
    assert not list(ends_apart(place, given))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_told_of_a_file_as_a_whole_is_told_of_the_file(seed: int) -> None:
    """It was last touched after its versions were made, also where its path ends in what is told of it."""
    versions = several(thing(id=TEXT, created_at=TIME))
    session = Session(
        tool("GET /files/{file_key}/meta", "getFileMeta", thing(name=TEXT, last_touched_at=TIME)),
        tool("GET /files/{file_key}/versions", "getFileVersions", thing(versions=versions)),
        seed=seed,
    )
    told = session.do("getFileVersions", file_key="7")["versions"]
    assert max(one["created_at"] for one in told) <= session.do("getFileMeta", file_key="7")["last_touched_at"]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_attached_is_the_thing_that_the_body_identifies(seed: int) -> None:
    """Of two parameters called `id` the reader of a document names the second after its place."""
    attach = tool("POST /contacts/{id}/companies", "attachContact", thing(id=TEXT, name=TEXT), id_body=TEXT)
    told: dict[str, Json] = {
        name: {"type": "string", "description": f"The unique identifier for the {noun} which is given by the service"}
        for name, noun in (("id", "contact"), ("id_body", "company"))
    }
    schema: Json = {"type": "object", "properties": told, "required": list(told)}
    attach = msgspec.structs.replace(attach, parameters=encode(schema))
    companies = tool("GET /contacts/{id}/companies", "listCompanies", thing(companies=several(thing(id=TEXT))))
    session = Session(attach, companies, seed=seed)
    assert session.do("attachContact", id="7b", id_body="38")["id"] == "38"
    assert "38" in [one["id"] for one in session.do("listCompanies", id="7b")["companies"]]


PAYMENT = thing(PaymentID=TEXT, BatchPaymentID=TEXT, Amount={"type": "number"})
RECORDS: Json = several({"type": "object", "properties": {"Changes": TEXT, "DateUTC": TIME}})
PAY = tool("PUT /Payments", "createPayment", thing(Payments=several(PAYMENT)), Amount={"type": "number"})
_HISTORY = "/BatchPayments/{BatchPaymentID}/History"
HISTORY = tool(f"GET {_HISTORY}", "getBatchPaymentHistory", thing(HistoryRecords=RECORDS))
NOTE = tool(f"PUT {_HISTORY}", "createBatchPaymentHistoryRecord", thing(HistoryRecords=RECORDS), HistoryRecords=RECORDS)


def test_a_put_to_where_things_stand_creates_one() -> None:
    """A payment, and a record in the history of another thing; a settings page is written."""
    written = tool("PUT /sites/{site_id}/settings", "createSiteSettings", thing(theme=TEXT), theme=TEXT)
    assert [target_of(one).act for one in (PAY, NOTE, written)] == ["create", "create", "change"]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_history_of_what_was_just_made_holds_what_the_session_wrote(seed: int) -> None:
    session = Session(PAY, HISTORY, NOTE, seed=seed)
    batch = session.do("createPayment", Amount=130)["Payments"][0]["BatchPaymentID"]
    assert session.do("getBatchPaymentHistory", BatchPaymentID=batch)["HistoryRecords"] == []
    session.do("createBatchPaymentHistoryRecord", BatchPaymentID=batch, HistoryRecords=[{"Changes": "it was paid"}])
    (told,) = session.do("getBatchPaymentHistory", BatchPaymentID=batch)["HistoryRecords"]
    assert told["Changes"] == "it was paid"
    assert told["DateUTC"] >= BEGINS


@pytest.mark.parametrize("seed", SEEDS)
def test_a_record_just_made_is_the_newest_of_a_history(seed: int) -> None:
    session = Session(PAY, HISTORY, NOTE, seed=seed)
    session.do("createBatchPaymentHistoryRecord", BatchPaymentID="old", HistoryRecords=[{"Changes": "it was paid"}])
    told = session.do("getBatchPaymentHistory", BatchPaymentID="old")["HistoryRecords"]
    assert max(told, key=lambda one: one["DateUTC"])["Changes"] == "it was paid"
    assert len(told) > 1


@pytest.mark.parametrize("seed", SEEDS)
def test_what_belongs_to_a_new_thing_is_no_older_than_the_call_that_made_it(seed: int) -> None:
    """Though the call told no time."""
    session = Session(
        tool("POST /lamps", "createLamp", thing(id=TEXT), title=TEXT),
        tool("GET /lamps/{lamp_id}/picture", "getPicture", thing(url=TEXT, created_at=TIME)),
        seed=seed,
    )
    lamp = session.do("createLamp", title="Desk")["id"]
    assert session.do("getPicture", lamp_id=lamp)["created_at"] >= BEGINS


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thing_keeps_its_title_when_it_is_cancelled(seed: int) -> None:
    """Also where the two tools call what they are about by different nouns, and one does not tell its identifier."""
    session = Session(
        tool("", "GetJobResult_at_once", thing(title=TEXT, traceId=TEXT), job_id=TEXT),
        tool("", "CancelJob_free_of_use", thing(job_id=TEXT, title=TEXT, traceId=TEXT), job_id=TEXT),
        seed=seed,
    )
    read = session.do("GetJobResult_at_once", job_id="126")
    assert session.do("CancelJob_free_of_use", job_id="126") == {"job_id": "126", **read}


@pytest.mark.parametrize("seed", SEEDS)
def test_calls_by_the_same_words_and_person_are_about_one_thing(seed: int) -> None:
    """Also where paths have no parameters and results no identifier that was asked for."""
    profile = thing(ok={"type": "boolean"}, profile=thing(title=TEXT, phone=TEXT, status_text=TEXT))
    asked = {"type": "string", "description": "ID of the user"}
    session = Session(
        tool("GET /users.profile.get", "users_profile_get", profile, user_id=asked),
        tool("POST /users.profile.set", "users_profile_set", profile, user_id=asked, title=TEXT),
        seed=seed,
    )
    before = session.do("users_profile_get", user_id="U7")["profile"]
    assert session.do("users_profile_set", user_id="U7", title="Baker")["profile"] == {**before, "title": "Baker"}
    assert session.do("users_profile_get", user_id="U7")["profile"] == {**before, "title": "Baker"}


@pytest.mark.parametrize("seed", SEEDS)
def test_an_answer_repeats_the_stamp_of_what_was_sent(seed: int) -> None:
    sent = thing(ok={"type": "boolean"}, ts=TEXT, message=thing(text=TEXT, ts=TEXT))
    session = Session(tool("POST /chat.postMessage", "chat_postMessage", sent, text=TEXT), seed=seed)
    told = session.do("chat_postMessage", text="Hello")
    assert told["ts"] == told["message"]["ts"]
