"""Building tool graphs: which outputs supply which inputs, what is excluded and why, and edits that stay."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from graph_catalogs import DRIVE, TEXT, listed, one_of, tool

import callwright
from callwright.app.catalogs import write_catalog
from callwright.app.graphs import read_graph
from callwright.cli import main
from callwright.formats.graph_file import write
from callwright.graph.default_criteria import sides
from callwright.graph.graph_build import Built, Exclusions, build_graph
from callwright.graph.graph_fields import fields_of
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool
from callwright.records.tool_graph import ToolEdge


def edges(built: Built) -> set[tuple[str, str, str, str]]:
    """The edges by the names of tools."""
    names = built.graph.names
    return {(names[edge.source], edge.output, names[edge.target], edge.input) for edge in built.graph.edges}


def test_an_identifier_supplies_what_needs_the_same_thing() -> None:
    """By name, by place in a path, by a type beside it; never a name, a size or another thing's identifier."""
    assert edges(build_graph(DRIVE)) == {
        ("list_files", "/entries/0/id", "get_file", "file_id"),
        ("list_files", "/entries/0/id", "delete_file", "file_id"),
        ("list_files", "/entries/0/created_by/id", "get_user", "user_id"),
        ("get_file", "/created_by/id", "get_user", "user_id"),
    }


def test_a_source_does_not_need_what_it_supplies() -> None:
    """`get_file(file_id)` returns the file's `id`, and is no source of it; such pairs are counted."""
    built = build_graph(DRIVE)

    assert ("get_file", "/id", "delete_file", "file_id") not in edges(built)
    assert built.excluded["source_needs_it"] == 1


def test_calls_that_create_are_sources_only_if_told() -> None:
    """A missing identifier must not lead to a new file."""
    more = edges(build_graph(DRIVE, creating=True)) - edges(build_graph(DRIVE))

    assert more == {
        ("create_file", "/id", "get_file", "file_id"),
        ("create_file", "/id", "delete_file", "file_id"),
        ("create_file", "/created_by/id", "get_user", "user_id"),
    }


@pytest.mark.parametrize("creating", [False, True])
def test_pairs_are_excluded_together_as_one_by_one(creating: bool) -> None:
    """Groups of alike fields are decided at once, with the same reasons and counts."""
    fields = fields_of(callwright.read_catalog("builtin/enterprise"))
    exclusions = Exclusions(fields, sides(fields), criteria="default", creating=creating)
    outputs, inputs = range(len(fields.outputs)), range(len(fields.inputs))
    together = Counter[str]()
    for output, those in exclusions.open_pairs(outputs, inputs, together):
        together.update(exclusions.why_not(output, one) for one in those)

    assert together == Counter(exclusions.why_not(output, one) for output in outputs for one in inputs)
    assert together["source_needs_it"]
    assert together["same_tool"]


def test_edges_and_excluded_pairs_are_all_pairs() -> None:
    """Nothing is left out of the counts."""
    for creating in (False, True):
        built = build_graph(DRIVE, creating=creating)

        assert built.outputs * built.inputs == len(built.graph.edges) + sum(built.excluded.values())


def test_things_of_one_head_noun_are_told_apart() -> None:
    """A `policy_id` is that of its path where a catalogue has several kinds of policies."""
    catalog = Catalog(
        tools=(
            tool("list_hold_policies", "GET /hold_policies", returns=listed({"id": TEXT})),
            tool("list_storage_policies", "GET /storage_policies", returns=listed({"id": TEXT})),
            tool("get_hold_policy", "GET /hold_policies/{hold_policy_id}", needs={"hold_policy_id": TEXT}),
        )
    )

    assert edges(build_graph(catalog)) == {("list_hold_policies", "/entries/0/id", "get_hold_policy", "hold_policy_id")}


def test_types_and_fixed_beginnings_decide_before_names() -> None:
    """A list is no value, and a code that begins with `AC` is none that begins with `MG`."""
    catalog = Catalog(
        tools=(
            tool("list_users", "GET /users", returns=listed({"id": {"type": "string", "pattern": "^AC[0-9]{4}$"}})),
            tool(
                "get_user",
                "GET /users/{user_id}",
                needs={"user_id": {"type": "string", "pattern": "^MG[0-9]{4}$"}},
                returns=one_of({"is_active": {"type": "boolean"}}),
            ),
            tool("count_users", "POST /users/count", needs={"user_ids": {"type": "array", "items": TEXT}}),
        )
    )
    built = build_graph(catalog)

    assert edges(built) == set()
    assert (built.excluded["type"], built.excluded["shape"]) == (1, 1)


def test_outputs_that_no_document_has_are_marked() -> None:
    """Without a schema of results the fields are inferred, at a lower confidence."""
    catalog = Catalog(
        tools=(
            tool("list_songs", description="List all songs."),
            tool("play_song", needs={"song_id": {"type": "string", "description": "ID of the song"}}),
        )
    )
    (edge,) = build_graph(catalog).graph.edges

    assert edge.inferred
    assert edge.input == "song_id"
    assert edge.confidence is not None
    assert edge.confidence < 0.7


def test_the_order_of_tools_decides_the_order_of_edges_only() -> None:
    """The same edges come of a catalogue in another order."""
    turned = Catalog(tools=tuple(reversed(DRIVE.tools)))

    assert sorted(build_graph(turned).graph.edges, key=repr) == sorted(build_graph(DRIVE).graph.edges, key=repr)


def test_edits_survive_a_rebuild(tmp_path: Path) -> None:
    """An edge added and an edge removed by hand stay so, also where a tool's document changed."""
    drive, out = tmp_path / "drive.json", tmp_path / "graph.json"
    write_catalog(DRIVE, drive)
    command = ["graph", "build", str(drive), "-o", str(out)]
    assert CliRunner().invoke(main, command).exit_code == 0
    made = read_graph(out)
    keys = {name: key for key, name in made.names.items()}
    removed = msgspec.structs.replace(made.edges[0], edited=True, confidence=0.0)
    added = ToolEdge(source=keys["get_user"], target=keys["create_file"], output="/email", input="name", edited=True)
    out.write_bytes(write(msgspec.structs.replace(made, edges=(removed, *made.edges[1:], added))))
    changed = msgspec.structs.replace(DRIVE.tools[0], description="Lists files.")
    write_catalog(Catalog(tools=(changed, *DRIVE.tools[1:])), drive)

    said = CliRunner().invoke(main, command)

    again = read_graph(out)
    assert "2 edited edges kept" in said.output
    assert len(again.edges) == len(made.edges) + 1
    assert {edge.ends[1:] for edge in again.standing} == {edge.ends[1:] for edge in (*made.edges[1:], added)}


def test_an_edit_of_a_tool_that_is_gone_is_told(tmp_path: Path) -> None:
    """It cannot stay in the file, so the command names it."""
    drive, out = tmp_path / "drive.json", tmp_path / "graph.json"
    write_catalog(DRIVE, drive)
    command = ["graph", "build", str(drive), "-o", str(out)]
    CliRunner().invoke(main, command)
    made = read_graph(out)
    edited = tuple(msgspec.structs.replace(edge, edited=True) for edge in made.edges)
    out.write_bytes(write(msgspec.structs.replace(made, edges=edited)))
    write_catalog(Catalog(tools=DRIVE.tools[1:]), drive)

    said = CliRunner().invoke(main, command).output

    assert "edited, but a tool is gone: list_files /entries/0/id -> get_file file_id" in said


def test_an_edit_of_an_unknown_field_is_told(tmp_path: Path) -> None:
    """The line, the tool that lacks it, and what it has; edits of known fields, also optional ones, are not named."""
    drive, out = tmp_path / "drive.json", tmp_path / "graph.json"
    find = Tool(name="find_file", source="GET /find", parameters=encode(one_of({"owner": TEXT})))
    write_catalog(Catalog(tools=(*DRIVE.tools, find)), drive)
    command = ["graph", "build", str(drive), "-o", str(out)]
    CliRunner().invoke(main, command)
    made = read_graph(out)
    keys = {name: key for key, name in made.names.items()}
    ends = {"source": keys["get_user"], "edited": True}
    added = (
        ToolEdge(target=keys["get_file"], output="/mail", input="files_id", **ends),
        ToolEdge(target=keys["find_file"], output="/id", input="owner", **ends),
        ToolEdge(target=keys["find_file"], **ends),
    )
    out.write_bytes(write(msgspec.structs.replace(made, edges=(*made.edges, *added))))

    said = CliRunner().invoke(main, command).output.splitlines()
    lines = out.read_text().splitlines()

    at = next(number for number, line in enumerate(lines, 1) if "/mail" in line)
    assert [line for line in said if line.startswith("line ")] == [
        f"line {at}, edited by hand: {told}. Correct the edge, or remove its line."
        for told in (
            "get_user has no output /mail (nearest: /email, /id)",
            "get_file has no input files_id (nearest: file_id)",
        )
    ]


@pytest.mark.parametrize("there", ["{}", "[]", '{"nodes": 1}', "text"])
def test_a_file_that_is_no_graph_is_not_overwritten(tmp_path: Path, there: str) -> None:
    """Building refuses it and leaves it as it is."""
    out = tmp_path / "graph.json"
    out.write_text(there)

    said = CliRunner().invoke(main, ["graph", "build", "builtin/enterprise", "-o", str(out)])

    assert said.exit_code == 2
    assert out.read_text() == there


@pytest.mark.parametrize(
    ("needs", "output"),
    [
        ({"file_id": TEXT}, {"file": one_of({"id": TEXT})}),
        ({"fileId": TEXT}, {"fileId": TEXT}),
        ({"file": TEXT}, {"file_id": TEXT}),
    ],
)
def test_identifiers_are_recognised_in_any_spelling(needs: dict[str, Any], output: dict[str, Any]) -> None:
    """By their holder, in camel case, and where only the thing is named."""
    catalog = Catalog(
        tools=(
            tool("show_desk", "GET /desk", returns=one_of(output)),
            tool("open_file", "POST /open", needs=needs),
        )
    )

    assert len(edges(build_graph(catalog))) == 1


def supplied(*tools: Tool) -> set[tuple[str, str]]:
    """Outputs and inputs that are joined in a catalogue of these tools."""
    return {(edge.output, edge.input) for edge in build_graph(Catalog(tools=tools)).graph.edges}


@pytest.mark.parametrize(
    ("description", "output"),
    [
        ("The name of the deployment for this request.", "/entries/0/name"),
        ("Required. The name of the requested deployment.", "/entries/0/name"),
        ("The identifier of the deployment.", "/entries/0/id"),
        ("", "/entries/0/id"),
    ],
)
def test_a_description_says_which_attribute_is_meant(description: str, output: str) -> None:
    """A parameter called like its thing takes the name where its description says so, else the identifier."""
    catalog = Catalog(
        tools=(
            tool("list_deployments", "GET /deployments", returns=listed({"id": TEXT, "name": TEXT})),
            tool(
                "get_deployment",
                "GET /deployments/{deployment}",
                needs={"deployment": {"type": "string", "description": description}},
            ),
        )
    )

    assert edges(build_graph(catalog)) == {("list_deployments", output, "get_deployment", "deployment")}


def test_an_identifier_of_another_scheme_is_another_value() -> None:
    """A contact's `external_id` is not its `id`, and the `type` of one thing is none of another."""
    fields = {"id": TEXT, "external_id": TEXT, "type": TEXT}
    needs = {"contact_id": TEXT, "type": TEXT}

    assert supplied(
        tool("list_contacts", "GET /contacts", returns=listed(fields)),
        tool("show_contact", "GET /contacts/{contact_id}", needs=needs, returns=one_of({})),
    ) == {("/entries/0/id", "contact_id")}


def test_what_is_known_within_another_thing_stays_there() -> None:
    """The attachments of a receipt are no attachments of an invoice."""
    kinds = ("invoice", "receipt")
    listing = [
        tool(
            f"list_{kind}_files",
            f"GET /{kind}s/{{{kind}_id}}/attachments",
            needs={f"{kind}_id": TEXT},
            returns=listed({"id": TEXT}),
        )
        for kind in kinds
    ]
    shown = [
        tool(
            f"show_{kind}_file",
            f"GET /{kind}s/{{{kind}_id}}/attachments/{{attachment_id}}",
            needs={f"{kind}_id": TEXT, "attachment_id": TEXT},
            returns=one_of({}),
        )
        for kind in kinds
    ]
    built = build_graph(Catalog(tools=(*listing, *shown)))

    assert {(source, target) for source, _, target, _ in edges(built)} == {
        (f"list_{kind}_files", f"show_{kind}_file") for kind in kinds
    }
    assert built.excluded["another_parent"] == 2


def test_a_name_for_something_new_is_not_supplied() -> None:
    """What is made gets a new name; what is there is found by it."""
    users = tool("list_users", "GET /users", returns=listed({"name": TEXT}))

    assert supplied(users, tool("add_user", "POST /users", needs={"name": TEXT})) == set()
    assert supplied(users, tool("find_user", "GET /find_user", needs={"user_name": TEXT})) == {
        ("/entries/0/name", "user_name")
    }


@pytest.mark.parametrize("name", ["parent_id", "source_id", "previous_id"])
def test_a_part_that_a_thing_plays_is_no_thing(name: str) -> None:
    """The parent of a node is no parent of a folder."""
    assert (
        supplied(
            tool("list_nodes", "GET /nodes", returns=listed({name: TEXT})),
            tool("copy_folder", "POST /folders/copy", needs={name: TEXT}, returns=one_of({})),
        )
        == set()
    )


def supplied_by(output: str, schema: dict[str, Any], input_: str, wanted: dict[str, Any]) -> bool:
    """Whether a field of listed streams supplies a parameter of a path under streams."""
    source = tool("list_streams", "GET /streams", returns=listed({output: schema}))
    return supplied(source, tool("get_part", f"GET /parts/{{{input_}}}", needs={input_: wanted})) != set()


@pytest.mark.parametrize(
    ("output", "schema", "input_", "wanted", "is_edge"),
    [
        ("id", TEXT, "STREAM_ID", TEXT, True),
        ("stream_id", TEXT, "id", {"type": "string", "description": "The ID of the stream."}, True),
        ("class_id", TEXT, "class", {"type": "string", "description": "Unique identifier of the class."}, True),
        ("id", {"type": "string", "description": "Row ID"}, "id", {"type": "string", "description": "Row ID"}, False),
        ("postal_code", TEXT, "postal_code", TEXT, False),
        ("season", {"type": "integer"}, "season", TEXT, True),
        ("country_code", TEXT, "country", TEXT, True),
        ("lon", {"type": "number"}, "lon", {"type": "number"}, True),
        ("home_season", {"type": "integer"}, "season", TEXT, False),
        ("format", TEXT, "format", TEXT, False),
        ("start_date", TEXT, "start_date", {"type": "string", "format": "date"}, False),
        ("page", {"type": "integer"}, "page", {"type": "integer"}, False),
        ("scheme", {"type": "string", "description": "Scheme of the identifier"}, "scheme", TEXT, False),
        ("kind_id", TEXT, "kind_id", {"type": "string", "description": 'Should always be "iso"'}, False),
        ("user_title", TEXT, "username", TEXT, False),
        ("username", TEXT, "username", TEXT, True),
        ("snapshot_id", {"type": "string", "description": "Version ID of the stream"}, "stream_id", TEXT, False),
    ],
)  # fmt: skip
def test_what_fields_identify(
    output: str, schema: dict[str, Any], input_: str, wanted: dict[str, Any], is_edge: bool
) -> None:
    """Things that tools act on keep their identifiers; parts of addresses, choices and versions join nothing."""
    assert supplied_by(output, schema, input_, wanted) is is_edge


@pytest.mark.parametrize(("field", "is_edge"), [("team_id", False), ("icao", True)])
def test_services_share_no_identifiers(field: str, is_edge: bool) -> None:
    """An airport's ICAO code is the same everywhere; a team's ID is that of one service."""
    source = tool("list_teams", returns=listed({field: TEXT}), service="Basketball")
    target = tool("get_team", needs={field: TEXT})
    near, far = (msgspec.structs.replace(target, service=one) for one in ("Basketball", "Baseball"))

    assert supplied(source, near) != set()
    assert (supplied(source, far) != set()) is is_edge
    built = build_graph(Catalog(tools=(source, far)))
    assert built.excluded["another_service"] == int(not is_edge)
