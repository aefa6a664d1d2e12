"""The things that a chat has told of: `the same collection` and `that invoice` mean one thing only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

import callwright
from callwright.app.catalogs import read_catalog
from callwright.papers.dice.chat_chains import context_of
from callwright.papers.dice.chat_design import leads_on
from callwright.papers.dice.chat_things import are_apart, means_one, told_things
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, Tool


def tool(name: str, description: str, *parameters: str, returns: tuple[str, ...] = ()) -> Tool:
    """A tool with parameters of text, all required."""
    shapes = [{key: {"type": "string"} for key in names} for names in (parameters, returns)]
    given, told = (encode({"type": "object", "properties": one, "required": list(one)}) for one in shapes)
    return Tool(name=name, description=description, parameters=given, returns=told)


LIST = tool("list_project_files", "List the files of a project.", "project_id")
RENAME = tool("rename_file", "Rename a file.", "id_body", "name")
SHARE = tool("share_album", "Share an album.", "album_id", "file_id")
ADD = tool("create_file", "Create a file.", "file_name")


@pytest.mark.parametrize(
    ("one", "values", "result", "is_one"),
    [
        (LIST, {"project_id": "P7"}, {"files": [{"key": "F1", "name": "a"}]}, True),
        (LIST, {"project_id": "P7"}, {"files": [{"key": "F1"}, {"key": "F2"}]}, False),
        (LIST, {"project_id": "P7"}, {"meta": {"files": [{"id": "F2"}]}}, False),
        (LIST, {"project_id": "P7"}, {"files": ["F2"]}, False),
        (SHARE, {"album_id": "A1", "file_id": "F2"}, {"id": "A1"}, False),
        (SHARE, {"album_id": "A1", "file_id": "F1"}, {"id": "A1"}, True),
        (ADD, {"file_name": "plan"}, None, False),
        (ADD, {"file_name": "plan"}, {"id": "F1"}, True),
    ],
)
def test_another_thing_of_the_noun(one: Tool, values: dict[str, Json], result: Json, is_one: bool) -> None:
    """It is in an argument or a result, one of a list, or made without being told."""
    assert means_one("file", "F1", one, values, result) == is_one


def test_a_plain_identifier_is_of_what_holds_it() -> None:
    """The user of a listed file is no file."""
    found = told_things(LIST, {"id": 4, "files": [{"id": "F1", "user": {"id": "U1"}}]})
    assert [(one.noun, one.value, one.is_listed) for one in found] == [
        ("file", "4", False),
        ("file", "F1", True),
        ("user", "U1", True),
    ]


def test_an_invoice_to_a_customer_is_no_supplier_invoice() -> None:
    """One of no kind may be either."""
    known = read_catalog("builtin/enterprise").by_name
    assert are_apart(known["issue_invoice"], known["block_invoice"], "invoic")
    plain = tool("find_invoice", "Find an invoice.", "customer_name")
    assert not are_apart(plain, known["block_invoice"], "invoic")


UPDATE = tool("update_collection", "Update a collection.", "collection_id", "collection_name", returns=("state",))
CREATE = tool("create_collection", "Create a collection.", "collection_name", returns=("state",))
SHOW = tool("show_collection", "Show a collection.", "collection_id", returns=("state",))


def chats_of(tools: Sequence[Tool], tmp_path: Path) -> list[Dialogue]:
    """Chats that go through these tools in this order."""
    links = [{"source": one.name, "target": after.name} for one, after in pairwise(tools)]
    graph = tmp_path / "graph.json"
    graph.write_text(json.dumps({"nodes": [{"id": one.name} for one in tools], "links": links}))
    folder, rounds = tmp_path / "ds", str(len(tools))
    callwright.synthesize(
        "dice", Catalog(tools=tuple(tools)), n=12, seed=1, out=folder, rounds=rounds, graph=str(graph)
    )
    chats = list(callwright.open_dataset(folder).dialogues)
    assert len(chats) > 8
    return chats


@pytest.mark.parametrize("tools", [(UPDATE, SHOW), (UPDATE, CREATE, SHOW)])
def test_the_same_collection_is_the_nearest(tmp_path: Path, tools: tuple[Tool, ...]) -> None:
    """After another one was made, somebody says which one is meant; without one in between nobody does."""
    for chat in chats_of(tools, tmp_path):
        value = chat.tasks[-1].gold[0].values["collection_id"]
        is_same = any("the same collection" in turn.text for turn in chat.turns)
        said = [turn.text for turn in chat.turns if str(value) in turn.text]
        assert value == chat.tasks[0].gold[0].values["collection_id"]
        assert (is_same, len(said)) == ((True, 1) if CREATE not in tools else (False, 2)), said


STYLES = encode({"type": "array", "items": {"type": "object", "properties": {"style_id": {"type": "string"}}}})
TEAM = replace(tool("list_team_styles", "List the styles of a team.", "team_id"), returns=STYLES)
SITE = replace(tool("list_site_styles", "List the styles of a site.", "site_id"), returns=STYLES)
STYLE = tool("show_style", "Show a style.", "style_id", returns=("state",))


@pytest.mark.parametrize("tools", [(SITE, STYLE), (TEAM, SITE, STYLE)])
def test_the_first_of_two_lists_is_not_named(tmp_path: Path, tools: tuple[Tool, ...]) -> None:
    """Somebody says which style is meant; of one list it is the first."""
    for chat in chats_of(tools, tmp_path):
        told = [turn.text.lower() for turn in chat.turns if "the first style" in turn.text.lower()]
        assert bool(told) == (TEAM not in tools), told


@pytest.mark.parametrize(
    ("name", "description", "source"),
    [
        ("callOffRinging", "End a ringing before its day.", "DELETE /ringings/{ringing_id}"),
        ("call_off_ringing", "Call off a ringing.", ""),
        ("strike_ringing", "Strike a ringing off the register.", ""),
        ("strike_off_ringing", "Strike off a ringing.", ""),
        ("reject_ringing", "Reject a ringing.", ""),
        ("cancel_ringing", "Cancel a ringing.", ""),
    ],
)
def test_nobody_goes_on_with_what_is_gone(name: str, description: str, source: str) -> None:
    """Ended by the method of its operation, or by a verb; what was only put off is still there."""
    ended = replace(tool(name, description, "ringing_id"), source=source)
    later = tool("postpone_ringing", "Postpone a ringing.", "ringing_id", "new_date")
    look = tool("show_ringing", "Show a ringing.", "ringing_id", returns=("ringing_id",))
    assert not leads_on(ended, later)
    assert not leads_on(ended, look)
    assert leads_on(look, ended)
    assert leads_on(later, look)


def test_another_matter_may_end_a_thing_of_which_nothing_told() -> None:
    """After a result with its identifier that would be a thing which the round before only mentions."""
    device, other = (
        tool(f"show_{one}", f"Show a {one}.", "serial", returns=("group_id",)) for one in ("device", "van")
    )
    ended = tool("delete_group", "Delete a group.", "group_id")
    found = context_of([device, other, ended], akin=False, flows={("show_device", "delete_group")})
    assert "delete_group" not in found["show_device"]
    assert "delete_group" in found["show_van"]
    assert "delete_group" not in found


def test_what_is_postponed_comes_later_than_it_was_planned(tmp_path: Path) -> None:
    """In chats that first make a milestone and then postpone it."""
    two = ("create_milestone", "postpone_milestone")
    few = Catalog(tools=tuple(one for one in read_catalog("builtin/enterprise").tools if one.name in two))
    callwright.synthesize("dice", few, n=27, seed=3, out=tmp_path / "ds", rounds="2")
    golds = [[task.gold[0] for task in one.tasks] for one in callwright.open_dataset(tmp_path / "ds").dialogues]
    assert len(golds) > 20
    assert {tuple(one.tool for one in pair) for pair in golds} == {two}
    assert all(str(first.values["due_date"]) < str(later.values["due_date"]) for first, later in golds)
