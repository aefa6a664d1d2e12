"""The protocol `bfcl`: one reply a question, native or in words, judged by the leaderboard's rules or by ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from bfcl_predictions import files
from callwright.app.corpora import read_corpus
from callwright.app.datasets import open_dataset
from callwright.app.evaluation import evaluate_model, preview_evaluation
from callwright.app.requests import EvaluationRequest, read_request
from callwright.app.rescoring import score_runs
from callwright.cli import main
from callwright.errors import BadInput
from callwright.models.retries import Patience
from callwright.papers.bfcl.bfcl_options import BfclOptions
from callwright.papers.bfcl.bfcl_protocol import PROTOCOL
from callwright.papers.bfcl.transcript_scoring import score_transcripts
from callwright.protocol.run_access import open_run
from callwright.protocol.system_prompt import NEUTRAL
from callwright.records.transcript import Row, Transcript
from fake_server import FakeServer, completion, refuses, says
from made_dialogues import made

ONCE = Patience(connect_s=5, idle_s=5, total_s=10, tries=1)
TOOL = {
    "name": "shop.buy",
    "description": "Buy.",
    "parameters": {
        "type": "dict",
        "properties": {"item": {"type": "string"}, "price": {"type": "float"}},
        "required": ["item"],
    },
}
TRUTH = [{"shop.buy": {"item": ["pen"], "price": [2.0, ""]}}]
MESSAGES = [{"role": "system", "content": "Prices are in francs."}, {"role": "user", "content": "A pen for two."}]


def dataset(folder: Path, category: str = "simple", truth: Any = TRUTH) -> Path:
    """Write a dataset of one question, and return its folder."""
    name = f"BFCL_v4_{category}.json"
    (folder / "answers").mkdir()
    (folder / name).write_text(json.dumps({"id": "q_0", "question": [MESSAGES], "function": [TOOL]}))
    (folder / "answers" / name).write_text(json.dumps({"id": "q_0", "ground_truth": truth}))
    answers = None if category == "irrelevance" else folder / "answers" / name
    read_corpus("bfcl", folder / name, answers=answers, out=folder / "ds")
    return folder / "ds"


def native(*calls: tuple[str, str]) -> dict[str, Any]:
    """The body of a reply that makes calls."""
    listed = [{"id": f"c{n}", "function": {"name": name, "arguments": text}} for n, (name, text) in enumerate(calls)]
    return completion(content=None, tool_calls=[{"type": "function", **call} for call in listed])


def served(folder: Path, body: dict[str, Any], *, category: str = "simple", **options: Any) -> tuple[list[Row], Any]:
    """Put a server with one answer through the question; return the rows, and what the server was asked."""
    data = dataset(folder, category, options.pop("truth", TRUTH))
    server = FakeServer(says(body))
    with server.in_thread():
        evaluate_model(data, "bfcl", model="openai/m", base_url=server.url, out=folder / "run", **options)
    (asked,) = server.asked
    return score_runs(folder / "run"), asked


def value(rows: list[Row], metric: str, **slice_: str) -> float | None:
    """Return the value of the one row of a metric and slice."""
    (row,) = [row for row in rows if row.metric == metric and row.slice == slice_]
    return row.value


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (native(("shop_buy", '{"item": "Pen", "price": 2}')), ""),
        (native(("shop.buy", '{"item": "pen"}')), ""),
        (native(("shop_buy", '{"item": "pencil"}')), "value:string"),
        (native(("shop_buy", '{"item": "pen", "price": "2"}')), "type:simple"),
        (native(("shop_buy", '{"price": 2}')), "missing_required"),
        (native(("shop_sell", '{"item": "pen"}')), "wrong_function_name"),
        (native(("shop_buy", '{"item": "pen"}'), ("shop_buy", '{"item": "pen"}')), "wrong_count"),
        (native(("shop_buy", "[1]")), "undecodable"),
        (completion(content='<tool_call>{"name": "shop_buy", "arguments": {"item": "pen"}}</tool_call>'), ""),
        (completion(content='[shop.buy(item="pen", price=2.0)]'), ""),
        (completion(content="```python\nshop_buy(item='pen')\n```"), ""),
        (completion(content="[]"), "wrong_count"),
        (completion(content="Which pen?"), "undecodable"),
    ],
)
def test_replies_have_their_verdict(tmp_path: Path, body: dict[str, Any], error: str) -> None:
    """Calls made, tagged or written in Python's syntax are judged alike, and each fault has its class."""
    rows, _ = served(tmp_path, body)

    assert value(rows, "bfcl_acc") == value(rows, "bfcl_acc", category="simple") == (0.0 if error else 1.0)
    assert [row.slice["error"] for row in rows if row.metric == "bfcl_error"] == ([error] if error else [])
    assert value(rows, "bfcl_ceiling") == 1.0


@pytest.mark.parametrize(
    ("body", "right"), [(completion(content="None fits."), 1.0), (native(("shop_buy", '{"item": "pen"}')), 0.0)]
)
def test_no_call_is_right_in_irrelevance(tmp_path: Path, body: dict[str, Any], right: float) -> None:
    """Words are right where no tool fits, and any call is wrong."""
    rows, _ = served(tmp_path, body, category="irrelevance")

    assert value(rows, "bfcl_acc", category="irrelevance") == right


@pytest.mark.parametrize("calling", ["native", "prompted"])
def test_the_model_sees_the_question_and_no_answer(tmp_path: Path, calling: Any) -> None:
    """The tools go along under names that servers take, with the question's own instructions; nothing of the answer."""
    _, asked = served(tmp_path, completion(content="?"), calling=calling, truth=[{"shop.buy": {"item": ["secret"]}}])

    told, said = asked["messages"]
    assert told["content"].startswith(f"{NEUTRAL}\n\nPrices are in francs.")
    assert said == {"role": "user", "content": "A pen for two."}
    assert ("tools" in asked) == (calling == "native")
    assert "shop_buy" in json.dumps(asked)
    assert "secret" not in json.dumps(asked)


def test_strict_is_a_choice(tmp_path: Path) -> None:
    """Our own verdicts are asked for by name, and named in the signature."""
    rows, _ = served(tmp_path, native(("shop_buy", '{"item": "pen", "price": 2}')), match="strict")

    assert value(rows, "bfcl_acc") == 1.0
    assert all("|mode:strict|" in row.signature for row in rows)


def test_several_calls_go_in_any_order(tmp_path: Path) -> None:
    """Two calls in one reply answer a parallel question, whichever comes first."""
    truth = [{"shop.buy": {"item": ["pen"]}}, {"shop.buy": {"item": ["ink"]}}]
    body = native(("shop_buy", '{"item": "ink"}'), ("shop_buy", '{"item": "pen"}'))

    rows, _ = served(tmp_path, body, category="parallel", truth=truth)

    assert value(rows, "bfcl_acc", category="parallel") == 1.0


def test_failed_rollouts_are_not_wrong(tmp_path: Path) -> None:
    """A server that gives no reply makes a failed rollout, which no accuracy counts."""
    data = dataset(tmp_path)
    server = FakeServer(refuses(500))
    with server.in_thread():
        evaluate_model(data, "bfcl", model="openai/m", base_url=server.url, out=tmp_path / "run", patience=ONCE)

    (row,) = [row for row in score_runs(tmp_path / "run") if row.metric == "bfcl_acc" and not row.slice]
    assert (row.value, row.n, row.n_failed) == (None, 0, 1)


@pytest.mark.parametrize(
    ("category", "right"), [("live_simple", 256 / 258), ("parallel_multiple", 1.0), ("irrelevance", 1.0)]
)
def test_the_oracle_reaches_the_ceiling(shared_data: Path, tmp_path: Path, category: str, right: float) -> None:
    """Gold answers get all that can be got, which is printed as the ceiling."""
    rows = builtin(shared_data, tmp_path, category, "builtin/oracle")

    assert value(rows, "bfcl_acc") == value(rows, "bfcl_ceiling") == pytest.approx(right)
    assert value(rows, "bfcl_acc", category=category) == pytest.approx(right)


@pytest.mark.parametrize(("category", "right"), [("live_parallel", 0.0), ("irrelevance", 1.0)])
def test_abstaining_is_right_where_nothing_fits(shared_data: Path, tmp_path: Path, category: str, right: float) -> None:
    """A model that never calls gets 0, and 1 in irrelevance."""
    assert value(builtin(shared_data, tmp_path, category, "builtin/abstain"), "bfcl_acc") == right


def builtin(shared_data: Path, folder: Path, category: str, model: str) -> list[Row]:
    """Put a builtin model through a category; return the rows."""
    questions, answers = files(shared_data, category)
    read_corpus("bfcl", questions, **({"answers": answers} if answers.exists() else {}), out=folder / "ds")
    evaluate_model(folder / "ds", "bfcl", model=model, out=folder / "run")
    return score_runs(folder / "run")


def test_questions_of_several_turns_are_skipped(shared_data: Path, tmp_path: Path) -> None:
    """They are counted apart with the reason, and the model is not asked."""
    questions, answers = files(shared_data, "multi_turn_base")
    read_corpus("bfcl", questions, answers=answers, out=tmp_path / "ds")

    request = read_request(
        EvaluationRequest, dataset=tmp_path / "ds", protocol="bfcl", model="builtin/oracle", out=tmp_path / "run"
    )
    preview = preview_evaluation(request)
    evaluate_model(tmp_path / "ds", "bfcl", model="builtin/oracle", out=tmp_path / "run", limit=5)

    row = next(row for row in score_runs(tmp_path / "run") if row.metric == "bfcl_acc" and not row.slice)
    assert preview.most_replies == 0
    assert (row.value, row.n, row.n_skipped) == (None, 0, 5)
    assert "several turns" in row.why
    assert not any(one.turns[-1].speaker == "assistant" for one in open_run(tmp_path / "run").transcripts)


def test_questions_without_answers_are_skipped(tmp_path: Path) -> None:
    """Where what is right is not known nothing is right or wrong."""
    dataset(tmp_path)
    read_corpus("bfcl", tmp_path / "BFCL_v4_simple.json", out=tmp_path / "bare")
    evaluate_model(tmp_path / "bare", "bfcl", model="builtin/eager", out=tmp_path / "run")

    row = next(row for row in score_runs(tmp_path / "run") if row.metric == "bfcl_acc")
    assert (row.value, row.n_skipped) == (None, 1)


def test_other_dialogues_are_refused() -> None:
    """A dialogue that is no question of BFCL is bad input, before anything is asked."""
    dialogue = made(1)[0]
    with pytest.raises(BadInput, match="callwright read bfcl"):
        PROTOCOL.check(dialogue, (), BfclOptions())


def test_the_report_shows_categories_and_errors(tmp_path: Path) -> None:
    """`eval` and `report` work from the command line; `--match` takes two values."""
    data = dataset(tmp_path)
    run = CliRunner()
    asked = ["eval", str(data), "--protocol", "bfcl", "--model", "builtin/abstain", "-o", str(tmp_path / "run")]

    assert run.invoke(main, asked).exit_code == 0
    table = run.invoke(main, ["report", str(tmp_path / "run"), "--by", "category"]).stdout
    refused = run.invoke(main, [*asked, "--match", "lenient"])

    assert "undecodable" in table
    assert "simple" in table
    assert refused.exit_code == 2
    assert "'official', 'strict'" in refused.stderr


def test_runs_are_judged_item_by_item(tmp_path: Path) -> None:
    """`score bfcl` takes a run, in either mode, and says which replies were wrong and why."""
    rows, _ = served(tmp_path, native(("shop_buy", '{"item": "pen", "price": 2.0}')), match="strict")
    run = CliRunner()

    printed = json.loads(run.invoke(main, ["score", "bfcl", str(tmp_path / "run"), "--json"]).stdout)
    refused = run.invoke(main, ["score", "bfcl", str(tmp_path / "run"), "--category", "simple"])

    assert printed["items"] == [{"id": "q_0", "valid": True, "error": None}]
    assert (printed["accuracy"], printed["n"]) == (value(rows, "bfcl_acc"), 1)
    assert "mode:official|category:simple|" in printed["signature"]
    assert refused.exit_code == 2
    assert "Leave those" in refused.stderr


def test_verdicts_of_a_run_come_in_the_order_of_its_questions(tmp_path: Path) -> None:
    """The tenth after the second, as they stand in the data."""
    data = open_dataset(dataset(tmp_path))
    dialogues = {id_: msgspec.structs.replace(data.dialogues[0], id=id_) for id_ in ("q_2", "q_10")}
    transcripts = [
        Transcript(dialogue=id_, protocol="bfcl.v1", model="m", turns=dialogue.turns, ended="script")
        for id_, dialogue in reversed(dialogues.items())
    ]
    found = score_transcripts(dialogues, data.catalog.by_key, transcripts, mode="official")

    assert [item.id for item in found.items] == ["q_2", "q_10"]
