"""A model infers what tools return: its replies are checked, kept, and used by graphs; what people edit stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from graph_catalogs import TEXT, tool

from callwright.app.catalogs import read_catalog, write_catalog
from callwright.cli import main
from callwright.errors import BadInput
from callwright.graph.graph_build import build_graph
from callwright.graph.returns_authoring import checked_schema
from callwright.records.tool import Catalog
from served_voice import Prompt, serving

BARE = Catalog(
    tools=(
        tool("list_rooms", "GET /rooms", description="List all rooms."),
        tool("book", "POST /bookings", description="Book a place to meet.", needs={"roomRef": TEXT}),
    )
)
ROOMS = {
    "type": "object",
    "properties": {
        "rooms": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"roomRef": {"type": "string", "description": "ID of the room"}, "name": TEXT},
            },
        }
    },
}


def run(*args: str) -> tuple[int, str]:
    """Exit code and output of a command."""
    done = CliRunner().invoke(main, list(args))
    return done.exit_code, done.output


def test_a_model_is_asked_once_for_each_tool(tmp_path: Path) -> None:
    """It sees the document and what others ask for; the catalogue that is written joins the tools."""

    def answer(prompt: Prompt) -> str:
        shown = json.loads(prompt[1][1])
        if shown["operation"]["name"] == "list_rooms":
            assert shown["identifiers that other operations ask for"] == ["roomRef"]
            return json.dumps(ROOMS)
        return json.dumps({"type": "object", "properties": {"status": {"type": "string", "enum": ["booked"]}}})

    write_catalog(BARE, tmp_path / "bare.json")
    with serving(answer) as server:
        command = ["returns", str(tmp_path / "bare.json"), "--author", "openai/a", "--base-url", server.url, "--json"]
        code, said = run(*command, "-o", str(tmp_path / "full.json"))
        asked = len(server.asked)
        run(*command, "-o", str(tmp_path / "again.json"))

        assert (code, asked, len(server.asked)) == (0, 2, 2)
    told = json.loads(said)
    made = read_catalog(tmp_path / "full.json")
    assert (told["written"], told["documented"], told["failed"]) == (2, 0, {})
    assert all(one.returns_inferred for one in made.tools)
    assert [edge.output for edge in build_graph(made).graph.edges] == ["/rooms/0/roomRef"]
    assert (tmp_path / "full.json").read_bytes() == (tmp_path / "again.json").read_bytes()
    assert run(*command, "-o", str(tmp_path / "full.json"))[0] == 2


def test_replies_that_never_fit_leave_tools_as_they_were(tmp_path: Path) -> None:
    """They are counted, and the command ends with 1."""
    write_catalog(BARE, tmp_path / "bare.json")
    with serving(lambda prompt: '{"type": "string"}') as server:
        command = ["returns", str(tmp_path / "bare.json"), "--author", "openai/a", "--base-url", server.url, "--json"]
        code, said = run(*command, "-o", str(tmp_path / "full.json"))

    assert code == 1
    assert '"bad_reply": 2' in said
    assert all(one.returns is None for one in read_catalog(tmp_path / "full.json").tools)


def test_rules_infer_without_a_model(tmp_path: Path) -> None:
    """What they infer is written down and marked."""
    write_catalog(BARE, tmp_path / "bare.json")

    assert run("returns", str(tmp_path / "bare.json"), "-o", str(tmp_path / "full.json"))[0] == 0
    assert all(one.returns and one.returns_inferred for one in read_catalog(tmp_path / "full.json").tools)


def test_each_result_is_counted_once(tmp_path: Path) -> None:
    """Documented and kept, inferred before, missing, or replaced since no field of the document could answer."""
    said_ok = tool("list_desks", "GET /desks", returns={"type": "object", "properties": {"ok": {"type": "boolean"}}})
    told = tool("list_halls", "GET /halls", returns=ROOMS)
    before = tool("list_cars", "GET /cars", returns=ROOMS, returns_inferred=True)
    write_catalog(Catalog(tools=(*BARE.tools, said_ok, told, before)), tmp_path / "some.json")

    counts = json.loads(run("returns", str(tmp_path / "some.json"), "-o", str(tmp_path / "full.json"), "--json")[1])
    again = json.loads(run("returns", str(tmp_path / "full.json"), "-o", str(tmp_path / "again.json"), "--json")[1])

    names = ("tools", "documented", "inferred_before", "written", "replaced")
    assert [counts[name] for name in names] == [5, 1, 1, 3, 1]
    assert [again[name] for name in names] == [5, 1, 4, 0, 0]


def nested(depth: int) -> dict[str, Any]:
    """A schema of objects within objects."""
    return {"type": "object", "properties": {"inner": nested(depth - 1)}} if depth else TEXT


@pytest.mark.parametrize(
    "reply",
    [
        "no idea",
        "[]",
        "{}",
        '{"type": "object"}',
        '{"type": "object", "properties": {"a": {}}}',
        '{"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}}',
        json.dumps({"type": "object", "properties": {f"field_{n}": TEXT for n in range(61)}}),
        json.dumps(nested(40)),
    ],
)
def test_what_is_no_schema_of_a_result_is_refused(reply: str) -> None:
    """Without fields, with too many, without types, too deep."""
    with pytest.raises(BadInput):
        checked_schema(reply, BARE.tools[0])
