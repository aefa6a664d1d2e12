"""Plans: values that really come from results, usable edges, queries in their bands, a graph of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs

from callwright.cli import main
from callwright.environment.tool_target import target_of
from callwright.errors import BadInput
from callwright.formats import graph_file
from callwright.graph.graph_build import build_graph
from callwright.graph.tool_pairs import is_own
from callwright.papers.tooldial.banded_retriever import band_of
from callwright.papers.tooldial.recomputed_states import state_issues
from callwright.records.annotations.tooldial_notes import ToolDialNotes
from callwright.records.jsontext import decode, encode
from callwright.records.pointer import follow
from callwright.records.tool_graph import ToolGraph
from tooldial_workshop import catalog, dialogues, plan, tools_of, workshop

COUNT = 42


def test_the_missing_value_comes_from_the_first_result() -> None:
    """With two tools the chained argument is what the pointer names in the source's result."""
    linked = [one for one in map(plan, range(COUNT)) if one.plan.source]

    assert len(linked) > 10
    for one in linked:
        assert one.drawn.source_result is not None
        assert one.drawn.source_result.value is not None
        assert follow(decode(one.drawn.source_result.value), one.plan.output) == one.drawn.values[one.plan.input]


def test_best_scores_lie_in_the_bands_of_their_acts() -> None:
    """Each recorded search is followed by the act of its band, and names the target unless it is vague."""
    seen = set()
    for one in map(plan, range(COUNT)):
        following = [act for at, act in enumerate(one.plan.acts[1:]) if one.plan.acts[at] == "retriever_call"]
        searches = [step.retriever.apis for turn in one.plan.turns for step in turn.steps if step.retriever.apis]
        for act, found in zip(following, searches, strict=False):
            band = act if act in ("clarify", "suggest") else "clear"
            seen.add(band)
            assert band_of(found[0].score) == band
            assert band == "clarify" or found[0].name == one.pair.target.name
    assert seen == {"clear", "clarify", "suggest"}


def test_planned_states_are_those_that_turns_tell() -> None:
    """States equal those recomputed from words, calls and results."""
    for dialogue in dialogues(COUNT):
        assert isinstance(dialogue.annotation, ToolDialNotes)
        assert all(turn.state is not None for turn in dialogue.annotation.turns)
        assert list(state_issues(dialogue, tools_of(dialogue))) == []


def test_sources_only_look_things_up() -> None:
    """Every usable pair has a source that reads, and one that looks up the very thing is preferred."""
    pairs = workshop().pairs

    assert pairs
    assert {target_of(pair.source).act for pair in pairs if pair.source} <= {"read", "list"}
    mixed = {(pair.target.key, pair.parameter, is_own(pair)) for pair in pairs}
    assert not any((target, name, not own) in mixed for target, name, own in mixed)


def test_a_graph_file_is_used(tmp_path: Path) -> None:
    """The pairs are those of the file; a graph of another catalogue is refused."""
    graph = build_graph(catalog()).graph
    (tmp_path / "graph.json").write_bytes(graph_file.write(graph))
    (tmp_path / "other.json").write_bytes(graph_file.write(ToolGraph(nodes=("k",))))

    assert workshop(graph=str(tmp_path / "graph.json")).pairs == workshop().pairs
    with pytest.raises(BadInput, match="none of its tools is in the catalogue"):
        workshop(graph=str(tmp_path / "other.json"))


def test_an_edited_edge_of_unknown_fields_is_refused(tmp_path: Path) -> None:
    """It could supply nothing: the line, the tool and the nearest fields are named."""
    made = build_graph(catalog()).graph
    wrong = structs.replace(made.edges[0], output="/e_mail", edited=True)
    (tmp_path / "graph.json").write_bytes(graph_file.write(structs.replace(made, edges=(wrong, *made.edges[1:]))))

    with pytest.raises(BadInput, match=r"graph\.json: line 2, .* has no output /e_mail \(nearest: /email, .*Correct"):
        workshop(graph=str(tmp_path / "graph.json"))


DICE = {"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b"}]}


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        (b"hello", "bad.json: JSON is malformed"),
        (b'{"a": 1}', "bad.json: holds no tool graph with fields"),
        (encode(DICE).encode(), "bad.json: holds no tool graph with fields"),
        (graph_file.write(ToolGraph(nodes=("k",))), "bad.json: none of its tools is in the catalogue"),
        (
            graph_file.write(ToolGraph(nodes=("k",))).replace(b'"edges":[', b'"edges":[{"source":"k","target":"x"}'),
            "has the target 'x', which is no node",
        ),
        (None, "bad.json: no such file"),
    ],
    ids=["text", "JSON", "published", "other catalogue", "unknown end", "absent"],
)
def test_a_graph_that_does_not_fit_is_refused_before_anything_is_written(
    graph: bytes | None, said: str, tmp_path: Path
) -> None:
    """The command ends with 2, says what is wrong, and leaves no folder."""
    if graph is not None:
        (tmp_path / "bad.json").write_bytes(graph)
    command = ["synth", "tooldial", "builtin/enterprise", "--graph", str(tmp_path / "bad.json"), "-n", "3"]

    done = CliRunner().invoke(main, [*command, "-o", str(tmp_path / "out")])

    assert (done.exit_code, said in done.output) == (2, True), done.output
    assert not (tmp_path / "out").exists()
