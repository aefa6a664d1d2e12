"""Which things stand in which list: one that was read, made or deleted is there, or not, whenever it is listed."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.personas import bank
from callwright.environment.membership import Membership, collection_of, collections_in, lists_all
from callwright.environment.tool_world import ToolWorld
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Tool

TEXT: Json = {"type": "string"}
NOTE: Json = {"type": "object", "properties": {"id": TEXT, "text": TEXT}, "required": ["id", "text"]}
NOTES: Json = {"type": "object", "properties": {"notes": {"type": "array", "items": NOTE}}, "required": ["notes"]}
_TOOLS = (
    ("GET /files/{file_id}/notes", "listNotes", NOTES),
    ("POST /files/{file_id}/notes", "createNote", NOTE),
    ("GET /files/{file_id}/notes/{note_id}", "getNote", NOTE),
    ("DELETE /files/{file_id}/notes/{note_id}", "deleteNote", None),
)


def operation(source: str, name: str, returns: Json) -> Tool:
    names = [part[1:-1] for part in source.split("/") if part.startswith("{")]
    parameters = {"type": "object", "properties": dict.fromkeys(names, TEXT), "required": names}
    return Tool(
        name=name,
        source=source,
        parameters=encode(parameters),
        returns=None if returns is None else JsonText(encode(returns)),
    )


TOOLS = {name: operation(source, name, returns) for source, name, returns in _TOOLS}


def world() -> ToolWorld:
    return ToolWorld(seed=3, item="m", today=date(2026, 5, 4), persona=bank()[0], tools=tuple(TOOLS.values()))


def done(place: ToolWorld, name: str, **arguments: str) -> Any:
    result = place.call(TOOLS[name], arguments)
    place.keep(TOOLS[name], arguments, result)
    return None if result.value is None else decode(result.value)


def listed(place: ToolWorld, file: str) -> list[str]:
    return [one["id"] for one in done(place, "listNotes", file_id=file)["notes"]]


def test_what_was_read_and_made_is_listed_and_what_was_deleted_is_not() -> None:
    """Also in a list that was told before, whose other things stay."""
    place = world()
    done(place, "getNote", file_id="7", note_id="N-1")
    first = listed(place, "7")
    assert "N-1" in first
    made = done(place, "createNote", file_id="7")["id"]
    assert set(listed(place, "7")) == {*first, made}
    done(place, "deleteNote", file_id="7", note_id="N-1")
    assert set(listed(place, "7")) == {*first, made} - {"N-1"}
    assert "N-1" not in listed(place, "8")


def test_a_thing_that_a_whole_list_lacks_is_named_with_what_there_is() -> None:
    """Nothing is lacking before the list is told, and in the list of another file."""
    place = world()
    asked: dict[str, Json] = {"file_id": "7", "note_id": "N-9"}
    assert place.lacking(TOOLS["getNote"], asked) is None
    there = listed(place, "7")
    assert place.lacking(TOOLS["getNote"], asked) == ("note_id", there)
    assert place.lacking(TOOLS["getNote"], {"file_id": "7", "note_id": there[0]}) is None
    assert place.lacking(TOOLS["getNote"], {**asked, "file_id": "8"}) is None


@pytest.mark.parametrize(
    ("name", "arguments", "collection"),
    [
        ("listNotes", {"file_id": "7"}, " /files/7/notes"),
        ("createNote", {"file_id": "7"}, " /files/7/notes"),
        ("deleteNote", {"file_id": "7", "note_id": "3"}, " /files/7/notes"),
    ],
)
def test_list_and_thing_have_one_collection(name: str, arguments: dict[str, Json], collection: str) -> None:
    """It is the filled path before the identifier."""
    assert collection_of(TOOLS[name], arguments) == collection


def test_each_parameter_of_a_path_names_a_thing_in_a_collection() -> None:
    """With the values above it; a list with a filter is not the whole one."""
    found = list(collections_in(TOOLS["getNote"], {"file_id": "7", "note_id": "3"}))
    assert found == [("file_id", " /files", []), ("note_id", " /files/7/notes", ["7"])]
    assert lists_all(TOOLS["listNotes"], {"file_id": "7"})
    assert not lists_all(TOOLS["listNotes"], {"file_id": "7", "author": "Maya"})


KEYS = st.lists(st.integers(0, 9), max_size=6, unique=True)


@given(told=st.lists(st.tuples(KEYS, st.booleans()), max_size=5))
def test_members_are_what_was_added(told: list[tuple[list[int], bool]]) -> None:
    """Each once, whatever was told whole; a fork knows nothing of what comes later."""
    members = Membership()
    for keys, is_whole in told:
        members.add("c", keys, is_whole=is_whole)
    before = dict(members.of("c"))
    assert set(before.values()) == {key for keys, _ in told for key in keys}
    assert members.is_whole("c") == any(is_whole for _, is_whole in told)
    other = members.fork()
    other.remove("c", next(iter(before), 0))
    other.add("c", ["new"])
    assert dict(members.of("c")) == before
