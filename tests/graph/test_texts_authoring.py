"""A model writes the texts that criteria compare: its replies are checked and kept, and graphs say whose they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from graph_catalogs import TEXT, one_of, tool
from hypothesis import given
from hypothesis import strategies as st

from callwright.app.catalogs import write_catalog
from callwright.app.graphs import read_graph
from callwright.cli import main
from callwright.graph.field_texts import FieldWords, ToolWords, texts_of
from callwright.graph.graph_build import build_graph
from callwright.graph.graph_fields import fields_of
from callwright.graph.texts_authoring import (
    WrittenField,
    WrittenTexts,
    fitting_words,
    text_faults,
    text_parts,
    words_by_tool,
)
from callwright.records.tool import Catalog
from served_voice import Prompt, builtin_author, serving

ROOMS = Catalog(
    tools=(
        tool("list_rooms", "GET /rooms", description="List all rooms.", returns=one_of({"ref": TEXT, "size": TEXT})),
        tool(
            "book",
            "POST /bookings",
            description="Book a place to meet.",
            needs={"place": TEXT},
            returns=one_of({"went_well": {"type": "boolean"}}),
        ),
    )
)
"""Of two fields that are one value, which no name tells."""
ASKED = ("returns /ref", "takes place")
ROOM = "unique reference code of a room"


def entry(field: str, phrase: str = ROOM) -> dict[str, str]:
    """The texts of one field."""
    return {"field": field, "description": f"The {phrase} in the building.", "phrase": phrase}


def written(prompt: Prompt, keywords: Sequence[str] = ("room", "building")) -> str:
    """A reply that fits: the two fields have the same words, and others have their own."""
    shown = [one["field"] for one in json.loads(prompt[1][1])["fields"]]
    others = {"returns /size": "floor area of one meeting room", "returns /went_well": "success flag of the whole call"}
    fields = [entry(name, others.get(name, ROOM)) for name in shown]
    return json.dumps({"keywords": list(keywords), "fields": fields})


def build(folder: Path, url: str, *more: str) -> tuple[int, str]:
    """Exit code and output of the command."""
    write_catalog(ROOMS, folder / "rooms.json")
    command = ["graph", "build", str(folder / "rooms.json"), "-o", str(folder / "graph.json"), "--criteria", "paper"]
    done = CliRunner().invoke(main, [*command, *(["--author", "openai/a", "--base-url", url] if url else []), *more])
    return done.exit_code, done.output


def test_a_models_texts_join_what_the_documents_do_not(tmp_path: Path) -> None:
    """It is asked once for each tool; the graph names it, and a rebuild asks nothing and writes the same."""
    assert not build_graph(ROOMS, criteria="paper").graph.edges
    with serving(written) as server:
        code, said = build(tmp_path, server.url, "--json")
        asked, first = len(server.asked), (tmp_path / "graph.json").read_bytes()
        again = build(tmp_path, server.url)

        assert (code, again[0], asked, len(server.asked)) == (0, 0, 2, 2)
    graph = read_graph(tmp_path / "graph.json")
    assert [(edge.output, edge.input) for edge in graph.edges] == [("/ref", "place")]
    assert graph.made is not None
    assert graph.made.author.startswith("openai/a")  # type: ignore[union-attr]
    told = json.loads(said)["texts"]
    assert [told[name] for name in ("fields", "written", "tools", "keywords", "failed")] == [4, 4, 2, 2, {}]
    assert "4 of 4 fields" in again[1]
    assert (tmp_path / "graph.json").read_bytes() == first


def test_the_builtin_author_writes_texts_that_fit(tmp_path: Path) -> None:
    """Of each field of the bundled catalogue, at the first try."""
    command = ["graph", "build", "builtin/enterprise", "-o", str(tmp_path / "graph.json"), "--json"]
    with serving(builtin_author) as server:
        done = CliRunner().invoke(main, [*command, "--author", "openai/a", "--base-url", server.url])
        asked = len(server.asked)

    told = json.loads(done.output)["texts"]
    assert (done.exit_code, told["written"], told["keywords"], asked) == (
        0,
        told["fields"],
        told["tools"],
        told["tools"],
    )
    assert told["fields"] > 300


def test_explanations_use_the_kept_texts(tmp_path: Path) -> None:
    """Without asking; where they are gone, only what the graph itself holds is told."""
    with serving(written) as server:
        build(tmp_path, server.url)
    command = ["graph", "show", str(tmp_path / "graph.json"), "--explain", "list_rooms", "book", "--json"]
    found = json.loads(CliRunner().invoke(main, command).output)
    (tmp_path / ".graph-texts" / "run.db").unlink()
    less = json.loads(CliRunner().invoke(main, command).output)

    assert [(one["output"], one["is_edge"], one["name"] == 1) for one in found["pairs"]] == [
        ("/ref", True, True),
        ("/size", False, False),
    ]
    assert (found["is_complete"], less["is_complete"], len(less["pairs"])) == (True, False, 1)


def test_texts_that_never_fit_stay_those_of_the_documents(tmp_path: Path) -> None:
    """Asked for three times with the reason; those of the same reply that fit are taken."""

    def answer(prompt: Prompt) -> str:
        if "list_rooms" not in prompt[1][1]:
            return written(prompt)
        return json.dumps({"keywords": ["one two", "room"], "fields": [entry("returns /size", "too short")]})

    with serving(answer) as server:
        code, said = build(tmp_path, server.url, "--json")
        asked = [prompt for prompt in server.asked if "list_rooms" in prompt[1][1]]

    told = json.loads(said)["texts"]
    assert (code, len(asked), told["fields"], told["written"], told["keywords"]) == (0, 3, 4, 2, 2)
    for reason in ("'one two' is not one word", "'returns /ref' has 0 entries", "its phrase has 2 words"):
        assert reason in asked[1][3][1]
    assert not read_graph(tmp_path / "graph.json").edges


def test_replies_of_another_form_are_counted(tmp_path: Path) -> None:
    """The graph is built of the documents' texts; the command ends with 1."""
    with serving(lambda _: "Sure!") as server:
        code, said = build(tmp_path, server.url)

    assert code == 1
    assert "2 failed: bad_reply" in said
    assert (tmp_path / "graph.json").exists()


def test_characters_that_no_file_can_hold_are_replaced(tmp_path: Path) -> None:
    """A half of a surrogate pair, in a text that is taken; a keyword counts once."""

    def answer(prompt: Prompt) -> str:
        return written(prompt, ("room", "room", "\ud800")).replace("in the building", "\\ud800")

    with serving(answer) as server:
        code, said = build(tmp_path, server.url, "--json")

    told = json.loads(said)["texts"]
    assert (code, told["written"], told["keywords"], len(server.asked)) == (0, 4, 2, 2)


def test_a_spent_budget_stops_before_the_graph(tmp_path: Path) -> None:
    """Nothing is written; a higher budget goes on from there."""
    with serving(written) as server:
        code, _ = build(tmp_path, server.url, "--budget-tokens", "300", "--concurrency", "1")
        stopped, exists = len(server.asked), (tmp_path / "graph.json").exists()
        resumed, _ = build(tmp_path, server.url, "--budget-tokens", "100000")

        assert (code, exists, resumed) == (1, False, 0)
        assert stopped <= len(server.asked) <= 3


def test_settings_of_a_model_need_one(tmp_path: Path) -> None:
    """Nothing is built."""
    code, said = build(tmp_path, "", "--temperature", "0.5")
    assert (code, "Name the author" in said, (tmp_path / "graph.json").exists()) == (2, True, False)


def test_tools_with_many_fields_are_asked_about_in_parts() -> None:
    """Each field once; the first keywords count."""
    wide = tool("get_all", "GET /all", returns=one_of({f"field_{n}": TEXT for n in range(95)}))
    parts = text_parts(fields_of(Catalog(tools=(wide,))), "m")
    replies = {
        part.id: msgspec.json.encode(ToolWords((f"key{at}",), {part.asked[0]: FieldWords("d", ROOM)}))
        for at, part in enumerate(parts)
    }

    found = words_by_tool(parts, replies)[0]

    assert [len(part.asked) for part in parts] == [40, 40, 15]
    assert len({name for part in parts for name in part.asked}) == 95
    assert (found.keywords, len(found.fields)) == (("key0",), 3)


@pytest.mark.parametrize(
    ("reply", "codes"),
    [
        (WrittenTexts(["room"], [WrittenField(name, "A code.", ROOM) for name in ASKED]), set()),
        (WrittenTexts([], [WrittenField(name, "A code.", ROOM) for name in ASKED]), {"keywords"}),
        (WrittenTexts(list("abcde"), [WrittenField(name, "A code.", ROOM) for name in ASKED]), {"keywords"}),
        (WrittenTexts(["room"], [WrittenField("takes place", "A code.", ROOM)]), {"missing_field"}),
        (
            WrittenTexts(["room"], [WrittenField(name, "A code.", ROOM) for name in (*ASKED, "takes other")]),
            {"unknown_field"},
        ),
        (
            WrittenTexts(["room"], [WrittenField(name, "A code.", f"{ROOM} in a house") for name in ASKED]),
            {"text_unfit"},
        ),
        (WrittenTexts(["room"], [WrittenField(name, "", ROOM) for name in ASKED]), {"text_unfit"}),
    ],
)
def test_each_rule_has_its_fault(reply: WrittenTexts, codes: set[str]) -> None:
    """Counts, lengths and names."""
    assert {fault.code for fault in text_faults(reply, ASKED)} == codes


words = st.text(alphabet="ab ", max_size=18)
fields = st.builds(WrittenField, st.sampled_from([*ASKED, "takes other"]), words, words)


@given(st.builds(WrittenTexts, st.lists(words, max_size=6), st.lists(fields, max_size=4)))
def test_what_is_taken_keeps_the_rules(reply: WrittenTexts) -> None:
    """Whatever a reply holds: known fields, five to seven words, four keywords; all of it where it has no fault."""
    taken = fitting_words(reply, ASKED)

    assert set(taken.fields) <= set(ASKED)
    assert all(5 <= len(one.phrase.split()) <= 7 and one.description for one in taken.fields.values())
    assert len(taken.keywords) <= 4
    if not list(text_faults(reply, ASKED)):
        assert (len(taken.fields), list(taken.keywords)) == (len(ASKED), reply.keywords)


def test_texts_without_words_of_a_model_are_the_documents() -> None:
    """Of other tools, of other fields, and keywords where it gave none."""
    catalog_fields: Any = fields_of(ROOMS)
    plain = texts_of(catalog_fields)
    some = texts_of(catalog_fields, {0: ToolWords((), {"returns /ref": FieldWords("The code.", "Room Code")})})

    assert plain == texts_of(catalog_fields, {})
    assert some.inputs == plain.inputs
    assert some.outputs[1] == plain.outputs[1]
    assert (some.outputs[0].name, some.outputs[0].description) == ("room code", "The code.")
    assert (
        some.outputs[0].keywords
        == f"The code. {plain.outputs[0].keywords.removeprefix(plain.outputs[0].description).strip()}"
    )
