"""Evaluating edges: rates by labels, and by a judge who is asked in two steps and never twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from graph_catalogs import DRIVE
from hypothesis import given
from hypothesis import strategies as st

from callwright.app.catalogs import write_catalog
from callwright.cli import main
from callwright.errors import BadRecord
from callwright.formats.edge_labels import read
from callwright.graph.edge_evaluation import SAMPLED, evaluate_edges, evaluate_judge, evaluate_sample, matthews
from served_voice import Prompt, serving

FIELDS = ("from", "output", "to", "input", "valid")
SAME = '{"from":"a","output":"","to":"b","input":"","valid":%s}'
PAIRS = st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from("cd"), st.sampled_from("pq"))
LABELS = st.dictionaries(PAIRS, st.booleans(), max_size=16)


@given(LABELS, st.sets(PAIRS))
def test_rates_are_those_counted_by_hand(labels: dict[Any, bool], edges: set[Any]) -> None:
    """Precision, recall and NPV of the labelled pairs; nothing is counted twice or lost."""
    found = evaluate_edges(labels.items(), edges).fields
    valid = {ends for ends, told in labels.items() if told}
    invalid = labels.keys() - valid

    assert found.valid_edges == len(valid & edges)
    for rate, those, of in (
        (found.precision, valid & edges, labels.keys() & edges),
        (found.recall, valid & edges, valid),
        (found.npv, invalid - edges, labels.keys() - edges),
    ):
        assert rate.value == (pytest.approx(len(those) / len(of)) if of else None)


def test_correlation_is_that_of_the_textbook() -> None:
    """Pearson's correlation of two columns of zeros and ones."""
    assert matthews(6, 1, 2, 3) == pytest.approx(0.4780914437337574)


def test_a_pair_of_tools_is_valid_where_one_of_its_fields_is() -> None:
    """And an edge where one of its labelled fields is."""
    found = evaluate_edges([(("a", "x", "b", "p"), False), (("a", "y", "b", "p"), True)], {("a", "x", "b", "p")})

    assert (found.fields.valid_edges, found.fields.invalid_edges, found.fields.missing_edges) == (0, 1, 1)
    assert (found.tools.valid_edges, found.tools.invalid_edges) == (1, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no labels"),
        ("{}", "labels.jsonl:1"),
        (SAME % "1", "labels.jsonl:1"),
        (f"{SAME % 'true'}\n{SAME % 'false'}", "labels.jsonl:2: contradicts"),
    ],
)
def test_wrong_labels_are_refused(text: str, said: str) -> None:
    """With their line."""
    with pytest.raises(BadRecord, match=said):
        read(text.encode(), source="labels.jsonl")


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """The graph of a small catalogue, beside it."""
    write_catalog(DRIVE, tmp_path / "drive.json")
    made = CliRunner().invoke(
        main, ["graph", "build", str(tmp_path / "drive.json"), "-o", str(tmp_path / "graph.json")]
    )
    assert made.exit_code == 0
    return tmp_path / "graph.json"


def test_labels_are_compared_with_the_graph(graph: Path) -> None:
    """By the names of tools; labels of other tools are counted apart."""
    rows = [
        ("list_files", "/entries/0/id", "get_file", "file_id", True),
        ("list_files", "/entries/0/name", "get_file", "file_id", False),
        ("no_such", "", "get_file", "file_id", True),
    ]
    labels = graph.parent / "labels.jsonl"
    labels.write_text("\n".join(json.dumps(dict(zip(FIELDS, row, strict=True))) for row in rows))

    done = CliRunner().invoke(main, ["graph", "evaluate", str(graph), "--labels", str(labels), "--json"])
    told = json.loads(done.output)

    assert (told["fields"]["valid_edges"], told["fields"]["rightly_none"], told["unknown"]) == (1, 1, 1)
    assert told["fields"]["mcc"]["value"] == 1.0


def test_a_judge_is_asked_twice_for_each_pair_and_once_for_all(graph: Path) -> None:
    """First it plays the source, then it sees that result and decides; again, nothing is asked."""

    def answer(prompt: Prompt) -> str:
        shown = json.loads(prompt[1][1])
        if "parameter" not in shown:
            return '{"id": "made-up"}'
        assert shown["example of a result"] == '{"id": "made-up"}'
        return json.dumps({"analysis": "as named", "compatible": shown["field"].endswith("/id")})

    with serving(answer) as server:
        command = ["graph", "evaluate", str(graph), "--judge", "openai/a", "--base-url", server.url, "--sample", "4"]
        first = CliRunner().invoke(main, [*command, "--json"])
        asked = len(server.asked)
        again = CliRunner().invoke(main, [*command, "--json"])

        assert len(server.asked) == asked == 16
    told = json.loads(first.output)
    assert first.exit_code == 0
    assert told["judged"] == 8
    assert told["evaluation"]["fields"]["precision"]["value"] == 1.0
    assert told["against_labels"] is None
    assert json.loads(again.output)["evaluation"] == told["evaluation"]


def test_a_sample_has_no_recall_and_no_correlation() -> None:
    """As many edges as other pairs are judged, whatever their shares are; precision and NPV stay as they are."""
    verdicts = [(("a", "x", "b", "p"), True), (("a", "y", "b", "p"), True), (("c", "y", "b", "p"), False)]
    found = evaluate_sample(verdicts, {("a", "x", "b", "p")})

    for rates in (found.fields, found.tools):
        assert (rates.recall.value, rates.mcc.value) == (None, None)
        assert rates.recall.why == rates.mcc.why == SAMPLED
    assert (found.fields.precision.value, found.fields.npv.value) == (1.0, 0.5)


@given(LABELS, LABELS)
def test_a_judge_is_compared_on_what_both_decided(verdicts: dict[Any, bool], labels: dict[Any, bool]) -> None:
    """Precision, and Cohen's kappa by its definition: the agreement beyond chance, over that which is possible."""
    found = evaluate_judge(verdicts, labels)
    pairs = [(verdicts[ends], labels[ends]) for ends in labels if ends in verdicts]
    taken = [valid for told, valid in pairs if told]

    assert found.n == len(pairs)
    assert found.precision.value == (pytest.approx(sum(taken) / len(taken)) if taken else None)
    yes, valid = (sum(column) / len(pairs) for column in zip(*pairs, strict=True)) if pairs else (0.0, 0.0)
    chance = yes * valid + (1 - yes) * (1 - valid)
    if not pairs or chance > 1 - 1e-9:
        assert (found.kappa.value, found.kappa.why) == (None, "verdicts or labels are all alike")
    else:
        agreed = sum(told == valid for told, valid in pairs) / len(pairs)
        assert found.kappa.value == pytest.approx((agreed - chance) / (1 - chance))


LABELLED = (
    ("list_files", "/entries/0/id", "get_file", "file_id", True),
    ("list_files", "/entries/0/id", "delete_file", "file_id", True),
    ("list_files", "/entries/0/created_by/id", "get_file", "file_id", False),
    ("list_files", "/entries/0/name", "get_file", "file_id", False),
    ("no_such", "", "get_file", "file_id", True),
)


def test_a_judge_is_compared_with_labels(graph: Path) -> None:
    """It decides on the labelled pairs alone; its precision, MCC and kappa stand beside the graph's own rates."""
    labels = graph.parent / "labels.jsonl"
    labels.write_text("\n".join(json.dumps(dict(zip(FIELDS, row, strict=True))) for row in LABELLED))

    def answer(prompt: Prompt) -> str:
        shown = json.loads(prompt[1][1])
        verdict = {"analysis": "as named", "compatible": shown["field"].endswith("/id")}
        return json.dumps(verdict if "parameter" in shown else {})

    with serving(answer) as server:
        command = ["graph", "evaluate", str(graph), "--labels", str(labels)]
        command += ["--judge", "openai/a", "--base-url", server.url]
        told = json.loads(CliRunner().invoke(main, [*command, "--json"]).output)
        said = CliRunner().invoke(main, command).output

    assert (told["judged"], len(server.asked)) == (4, 8)
    against = told["against_labels"]
    assert (against["n"], against["precision"]["value"], against["kappa"]["value"]) == (4, pytest.approx(2 / 3), 0.5)
    assert against["mcc"]["value"] == pytest.approx(matthews(2, 1, 0, 1))
    assert (told["evaluation"]["fields"]["mcc"]["value"], told["evaluation"]["unknown"]) == (1.0, 1)
    assert "against 4 labels: precision 0.667" in said
    assert "pairs of fields: 2 labelled edges, 2 valid; 2 others, 0 valid" in said


def test_the_offline_judge_asks_nobody(graph: Path) -> None:
    """`builtin/schema` judges a sample, or the labelled pairs; the same seed gives the same verdicts."""
    labels = graph.parent / "labels.jsonl"
    labels.write_text("\n".join(json.dumps(dict(zip(FIELDS, row, strict=True))) for row in LABELLED))
    command = ["graph", "evaluate", str(graph), "--judge", "builtin/schema", "--json"]
    drawn, again = (json.loads(CliRunner().invoke(main, [*command, "--sample", "4"]).output) for _ in range(2))
    told = json.loads(CliRunner().invoke(main, [*command, "--labels", str(labels)]).output)

    assert (drawn["judged"], drawn["calls"], drawn["evaluation"]["fields"]["precision"]["value"]) == (8, 0, 1.0)
    assert drawn == again
    assert (told["judge"], told["against_labels"]["n"], told["calls"]) == ("builtin/schema", 4, 0)
    assert not (graph.parent / ".graph-judge").exists()


def test_a_judge_that_never_fits_fails_and_is_no_verdict(graph: Path) -> None:
    """Its pairs are counted as failed, and the command ends with 1."""
    with serving(lambda prompt: "no idea") as server:
        done = CliRunner().invoke(
            main,
            [
                "graph",
                "evaluate",
                str(graph),
                "--judge",
                "openai/a",
                "--base-url",
                server.url,
                "--sample",
                "1",
                "--json",
            ],
        )

    assert done.exit_code == 1
    assert '"bad_reply": 2' in done.output


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "Give --labels FILE, --judge MODEL, or both"),
        (
            ("--labels", "labels.jsonl", "--judge", "openai/a", "--sample", "3"),
            "--sample is for a judge without labels",
        ),
        (("--labels", "labels.jsonl", "--judge", "openai/a"), "no label is of tools of the graph"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    graph: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], said: str
) -> None:
    """Nothing to evaluate by, a sample of labelled pairs, and labels of other tools."""
    monkeypatch.chdir(graph.parent)
    Path("labels.jsonl").write_text(json.dumps(dict(zip(FIELDS, LABELLED[-1], strict=True))))

    done = CliRunner().invoke(main, ["graph", "evaluate", str(graph), *given])

    assert (done.exit_code, said in done.output) == (2, True)
