"""The picture of a graph: one file that loads nothing and takes names for text; used in a real browser where one is."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from callwright.cli import main
from callwright.graph.graph_page import page_of, page_of_links
from callwright.records.tool_graph import EdgeScore, GraphTool, ToolEdge, ToolGraph

EVIL = "</script><script>document.title = 'run'</script><img src=x onerror=\"document.title='run'\">"
GRAPH = ToolGraph(
    nodes=("a", "b", "c", "d"),
    tools=(
        GraphTool("a", "list_files", "files"),
        GraphTool("b", "get_file", "files"),
        GraphTool("c", EVIL, "users"),
        GraphTool("d", "lonely", "users"),
    ),
    edges=(
        ToolEdge(
            source="a",
            target="b",
            output="/entries/0/id",
            input="file_id",
            scores=(EdgeScore("name", 0.9), EdgeScore("description", 0.5)),
            evidence=f"both are {EVIL}",
            confidence=0.9,
        ),
        ToolEdge(source="a", target="c", output="/x", input="y", evidence="weak", confidence=0.4, inferred=True),
        ToolEdge(source="b", target="c", output="/gone", input="y", confidence=0.0, edited=True),
    ),
)
USE = """
const told = {};
const text = id => document.getElementById(id).textContent;
const say = name => { told[name] = [text("counts"), text("details")]; };
const change = (id, value, event) => {
  const it = document.getElementById(id); it.value = value; it.dispatchEvent(new Event(event)); };
const press = (x, y) => { for (const kind of ["pointerdown", "pointerup"]) {
  const event = new MouseEvent(kind, {bubbles: true});
  Object.defineProperties(event, {offsetX: {value: x}, offsetY: {value: y}}); canvas.dispatchEvent(event); } };
const on = node => [node.x * view.scale + view.x, node.y * view.scale + view.y];
say("all");
change("least", "0.5", "input"); say("sure"); change("least", "0", "input");
change("domain", "users", "change"); say("users"); change("domain", "", "change");
change("search", "get_f", "input"); say("found"); change("search", "", "input");
press(...on(nodes[0])); say("tool");
press(5, 5); say("nothing");
const [one, two] = [on(nodes[0]), on(nodes[1])];
press((one[0] + two[0]) / 2, (one[1] + two[1]) / 2); say("edge");
const before = view.scale; document.getElementById("in").click(); told.zoomed = view.scale > before;
told.title = document.title; told.images = document.images.length;
document.body.append(Object.assign(document.createElement("pre"), {id: "told", textContent: JSON.stringify(told)}));
"""


def test_the_page_loads_nothing_and_holds_names_as_text() -> None:
    """No address, and no name ends the block of data."""
    page = page_of(GRAPH)

    assert page.count("</script>") == 2
    assert EVIL not in page
    assert not re.search(r"https?:|@import|url\(|<link|<(?:img|script)[^>]* src", page)
    assert "/gone" not in page


def test_links_without_fields_have_a_page_too() -> None:
    """Published graphs tell no fields."""
    page = page_of_links(["x", "y"], [("x", "y"), ("x", "y")])

    assert '"links":[[0,1,[]]]' in page


def test_the_command_writes_a_new_file_only(tmp_path: Path) -> None:
    """It refuses to overwrite."""
    graph = tmp_path / "links.json"
    graph.write_text(json.dumps({"nodes": [{"id": "x"}, {"id": "y"}], "links": [{"source": "x", "target": "y"}]}))
    command = ["graph", "show", str(graph), "--html", str(tmp_path / "g.html")]

    assert [CliRunner().invoke(main, command).exit_code for _ in range(2)] == [0, 2]


@pytest.mark.parametrize("other", [("--json",), ("--explain", "x", "y")])
def test_a_picture_is_all_that_is_written(tmp_path: Path, other: tuple[str, ...]) -> None:
    """With --json there would be no JSON document, and no explanation with --explain."""
    command = ["graph", "show", "graph.json", "--html", str(tmp_path / "g.html"), *other]

    done = CliRunner().invoke(main, command)

    assert (done.exit_code, "Leave --json and --explain out" in done.output) == (2, True)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the page tells while it is used in Chromium."""
    return used(page_of(GRAPH), USE, tmp_path_factory.mktemp("page"))


def used(html: str, script: str, folder: Path) -> Any:
    """What a page tells in Chromium after a script."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium here")
    page = folder / "graph.html"
    page.write_text(html.replace("</script>\n</body>", f"{script}</script>\n</body>"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--dump-dom"]
    done = subprocess.run(
        [browser, *options, "--window-size=1200,800", page.as_uri()], capture_output=True, text=True, timeout=120
    )
    found = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr
    return json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The names that the page of a graph with 250 tools draws, as left edge, height and width, and the canvas."""
    names = [f"get_thing_of_some_kind_{at}" for at in range(250)]
    told = """draw(); document.body.append(Object.assign(document.createElement("pre"), {id: "told",
      textContent: JSON.stringify({labels, width: canvas.clientWidth})}));"""
    page = page_of_links(names, [(names[at], names[at * 7 % 250]) for at in range(1, 250) if at != at * 7 % 250])
    return used(page, told, tmp_path_factory.mktemp("labels"))


def test_no_name_lies_over_another_or_beyond_the_edge(labels: Any) -> None:
    """Those for which there is no room are left out until one zooms in."""
    drawn = labels["labels"]

    assert 30 < len(drawn) < 250
    assert all(left >= 0 and left + width <= labels["width"] for left, _, width in drawn)
    for at, (left, high, width) in enumerate(drawn):
        near = [one for one in drawn[:at] if abs(one[1] - high) < 16]
        assert not any(left < one[0] + one[2] and one[0] < left + width for one in near)


def test_the_list_follows_the_domain(told: Any) -> None:
    """Tools of another domain are listed only where a shown line leads to them."""
    assert "lonely" in told["users"][1]
    assert "get_file" not in told["users"][1]
    assert "get_file" in told["all"][1]


def test_the_page_is_filtered_by_score_domain_and_name(told: Any) -> None:
    """The counts follow; pairs below the confidence and removed ones are gone."""
    assert told["all"][0] == "4 of 4 tools, 2 pairs joined by 2 fields"
    assert told["sure"][0] == "4 of 4 tools, 1 pairs joined by 1 fields"
    assert told["users"][0] == "3 of 4 tools, 1 pairs joined by 1 fields"
    assert told["found"][0] == "2 of 4 tools, 1 pairs joined by 1 fields"


def test_tools_and_edges_are_told_when_clicked(told: Any) -> None:
    """A tool with what it supplies, an edge with its evidence and scores; a click on nothing chooses nothing."""
    assert "supplies 2" in told["tool"][1]
    assert "Click a tool" in told["nothing"][1]
    assert "/entries/0/id → file_id" in told["edge"][1]
    assert "name 0.90 · description 0.50" in told["edge"][1]
    assert told["zoomed"] is True


def test_names_are_never_run(told: Any) -> None:
    """Markup in names and evidence stays text."""
    assert (told["title"], told["images"]) == ("Tool graph", 0)
    assert EVIL in told["edge"][1]
