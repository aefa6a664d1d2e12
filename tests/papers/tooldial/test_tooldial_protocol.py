"""The `tooldial` protocol: runs, requests, judgements and explanations."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from cinema_corpus import SEQUENCES, corpus_of
from click.testing import CliRunner
from rich.console import Console

from callwright.app.corpora import write_corpus
from callwright.app.evaluation import evaluate_model, preview_evaluation
from callwright.app.judging import judge_dataset
from callwright.app.requests import EvaluationRequest, read_request
from callwright.app.rescoring import explain_task, judge_runs, score_again, score_runs
from callwright.app.training import verify_export
from callwright.cli import main
from callwright.engine.context import Context
from callwright.errors import BadInput, RunConflict
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.retries import Patience
from callwright.papers.tooldial.prediction_points import gold_act, gold_state, prediction_points
from callwright.papers.tooldial.state_matching import ACTS
from callwright.papers.tooldial.tooldial_options import ToolDialProtocolOptions
from callwright.papers.tooldial.tooldial_protocol import PROTOCOL, rollout
from callwright.papers.tooldial.tooldial_scoring import NO_RESPONSE
from judge_samples import Prompt, answers_of, material_of
from served_voice import serving

CORPUS = corpus_of()
RUNS = [(task, history) for task in ("state", "act", "overall") for history in ("gold", "none", "own")]


# -- runs --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Dialogues of all 23 sequences as a dataset."""
    folder = tmp_path_factory.mktemp("tooldial") / "td"
    write_corpus(folder, "tooldial", CORPUS)
    return folder


@pytest.mark.parametrize(("task", "history"), [*RUNS, *(("faithfulness", one) for one in ("gold", "none", "own"))])
def test_the_oracle_is_right(data: Path, tmp_path: Path, task: str, history: str) -> None:
    """The oracle scores 1 in each task and history, and its last response is the recorded one."""
    done = evaluate_model(data, "tooldial", model="builtin/oracle", out=tmp_path / "o", task=task, history=history)
    rows = score_runs(tmp_path / "o")
    whole = {row.metric: row.value for row in rows if not row.slice}

    assert done.done == len(SEQUENCES)
    assert done.tool_tokens == 0
    if task == "faithfulness":
        assert whole["faithfulness"] is None
        assert rows[0].n_skipped == 1
        assert NO_RESPONSE in rows[0].why
        return
    assert whole.pop("malformed_share") == 0
    assert whole
    assert set(whole.values()) == {1.0}
    f1 = {row.slice["act"]: row.value for row in rows if row.metric == "act_f1"}
    assert f1 == ({} if task == "state" else dict.fromkeys(ACTS, 1.0))
    assert {row.slice["history"] for row in rows if "history" in row.slice} == {history}
    assert all(item.right for item in judge_runs(tmp_path / "o"))


@pytest.mark.parametrize("model", ["builtin/abstain", "builtin/stated"])
def test_baselines_run_to_the_end(data: Path, tmp_path: Path, model: str) -> None:
    """Models that know no states get 0, every reply is malformed, and every wrong state is a generation error."""
    evaluate_model(data, "tooldial", model=model, out=tmp_path / "b", task="overall", limit=3)
    rows = {(row.metric, " ".join(row.slice.values())): row.value for row in score_runs(tmp_path / "b")}

    assert rows["state_match", ""] == rows["act_match", ""] == rows["turn_match", ""] == rows["dialogue_match", ""] == 0
    assert rows["malformed_share", ""] == rows["error_share", "generation"] == 1
    assert next(judge_runs(tmp_path / "b")).error == "act_none"


def test_a_constant_reply_is_in_between(data: Path, tmp_path: Path) -> None:
    """`builtin/eager` says that no API is confirmed, and requests: right as often as gold does so, and well formed."""
    evaluate_model(data, "tooldial", model="builtin/eager", out=tmp_path / "e", task="overall", history="none")
    rows = {(row.metric, " ".join(row.slice.values())): row.value for row in score_runs(tmp_path / "e")}
    points = [(one, point) for one in CORPUS.dialogues for point in prediction_points(one, "overall")]
    states = [gold_state(one, point)["api_confirmed"] == "false" for one, point in points if point.kind == "state"]
    acts = [gold_act(one, point) == "request" for one, point in points if point.kind == "act"]

    assert rows["malformed_share", ""] == 0
    assert 0 < sum(states) < len(states)
    assert rows["state_match", ""] == pytest.approx(sum(states) / len(states))
    assert 0 < sum(acts) < len(acts)
    assert rows["act_match", ""] == pytest.approx(sum(acts) / len(acts))
    assert rows["error_share", "confirmation_true"] == 1


def test_scored_again_by_the_published_normaliser(data: Path, tmp_path: Path) -> None:
    """`score RUN --normaliser paper` asks no model, and names the normaliser in the signature."""
    evaluate_model(data, "tooldial", model="builtin/oracle", out=tmp_path / "o", limit=2)
    rows = score_again(tmp_path / "o", normaliser="paper")

    assert isinstance(rows, list)
    assert rows[0].value == 1.0
    assert "|normaliser:paper|" in rows[0].signature
    assert "|normaliser:unicode|" in score_runs(tmp_path / "o")[0].signature


def test_dry_run_counts_every_prediction(data: Path, tmp_path: Path) -> None:
    """The preview counts and estimates one reply for each prediction."""
    asked = {"dataset": data, "protocol": "tooldial", "model": "openai/x@http://localhost:1/v1", "out": tmp_path / "x"}
    request = read_request(EvaluationRequest, **asked, task="overall", history="own")
    preview = preview_evaluation(request)

    n_points = sum(len(prediction_points(one, "overall")) for one in CORPUS.dialogues)
    assert preview.most_replies == n_points
    assert preview.estimate is not None
    assert preview.estimate.calls == n_points
    assert preview.tool_tokens == 0
    assert not (tmp_path / "x").exists()


def test_a_run_goes_on_and_is_told_apart(data: Path, tmp_path: Path) -> None:
    """After a failure in the middle of a dialogue the same command asks only what is left; another task is refused."""
    asked: list[str] = []

    def answer(prompt: Prompt) -> str:
        asked.append(prompt[1][1])
        if len(asked) == 5:
            raise ConnectionResetError
        return '{"action": "request"}'

    options: dict[str, Any] = {"model": "openai/a", "out": tmp_path / "r", "limit": 2, "concurrency": 1, "task": "act"}
    with serving(answer) as server:
        made = evaluate_model(data, "tooldial", base_url=server.url, patience=Patience(tries=1), **options)
        again = evaluate_model(data, "tooldial", base_url=server.url, patience=Patience(tries=1), **options)
        with pytest.raises(RunConflict):
            evaluate_model(data, "tooldial", base_url=server.url, history="own", **options)

    n_points = sum(len(prediction_points(one, "act")) for one in CORPUS.dialogues[:2])
    assert (made.done, again.done) == (1, 2)
    assert len(asked) == n_points + 1


@pytest.mark.parametrize(
    ("task", "history", "target"),
    [("state", "none", '"api_confirmed"'), ("act", "gold", '"action"'), ("faithfulness", "none", "Playtime")],
)
def test_predictions_are_training_data(data: Path, tmp_path: Path, task: Any, history: Any, target: str) -> None:
    """`export --as` writes what the protocol asks and of which turn, with the right reply as the only target."""
    arguments = ["--protocol", "tooldial", "--set", f"task={task}", "--set", f"history={history}"]
    out = tmp_path / "sft"
    done = CliRunner().invoke(main, ["export", str(data), "--as", "trl", *arguments, "-o", str(out)])
    rows = [json.loads(line) for line in (out / "train.jsonl").read_text(encoding="utf-8").splitlines()]

    assert done.exit_code == 0, done.output
    assert len(rows) == sum(len(prediction_points(one, task)) for one in CORPUS.dialogues)
    turns = [(one.id, point.turn) for one in CORPUS.dialogues for point in prediction_points(one, task)]
    assert [(row["dialogue"], row["turn"]) for row in rows] == turns
    assert [[one["role"] for one in row["prompt"]] for row in rows] == [["system", "user"]] * len(rows)
    assert all(target in row["completion"][0]["content"] for row in rows)
    assert json.loads((out / "export.json").read_text())["options"] == {"task": task, "history": history}
    assert {check.code: check.state for check in verify_export(out).checks}["E1"] == "passed"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--protocol", "diaforge-static"], "asks for calls"),
        (["--set", "task=act"], "Name the protocol"),
        (["--protocol", "tooldial", "--set", "task"], "such as task=act"),
        (["--protocol", "tooldial", "--set", "task=dance"], "task"),
        (["--protocol", "tooldial", "--slices", "turn"], "Leave --slices"),
    ],
)
def test_wrong_settings_of_training_data_are_told(data: Path, tmp_path: Path, arguments: list[str], told: str) -> None:
    """One line says what is wrong, and nothing is written."""
    out = tmp_path / "sft"
    done = CliRunner().invoke(main, ["export", str(data), "--as", "trl", *arguments, "-o", str(out)])

    assert done.exit_code == 2
    assert told in done.stderr
    assert not out.exists()


def test_a_dialogue_explained(data: Path, tmp_path: Path) -> None:
    """Every prediction with its gold and error, or one with exactly the history that the model saw."""
    evaluate_model(data, "tooldial", model="builtin/abstain", out=tmp_path / "a", task="act", history="none", limit=1)
    id_ = CORPUS.dialogues[0].id
    whole: Any = explain_task(tmp_path / "a", id_).document
    one: Any = explain_task(tmp_path / "a", f"{id_}/2").document
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(explain_task(tmp_path / "a", f"{id_}/2").view())

    assert [found.gold for found in whole.predictions] == [
        step.act for turn in CORPUS.dialogues[0].turns for step in turn.steps if step.act in ACTS
    ]
    assert [found.right for found in whole.predictions] == [False] * len(whole.predictions)
    assert one.predictions[0].history.splitlines()[:2] == ["User: What is on at the cinema?", "System:"]
    assert "- Retriever status:" in one.predictions[0].history
    assert "act, turn 1 of the user: wrong" in console.export_text()
    for wrong in (f"{id_}/99", "no-such", f"{id_}/x"):
        with pytest.raises(BadInput):
            explain_task(tmp_path / "a", wrong)


def test_what_cannot_be_predicted_is_refused() -> None:
    """No dialogue without notes."""
    bare = msgspec.structs.replace(CORPUS.dialogues[0], annotation=None)
    with pytest.raises(BadInput, match="no states and acts"):
        PROTOCOL.check(bare, (), ToolDialProtocolOptions())


def test_faithfulness_is_what_judges_say(data: Path, tmp_path: Path) -> None:
    """The mean over samples, responses and dialogues with a response; the judge sees the model's words and results."""

    def grade(prompt: Prompt) -> str:
        said, done = material_of(prompt)[-1], str(material_of(prompt))
        return json.dumps(
            {"analysis": "", "grade": "yes" if "20:15" in str(said["says"]) and "results" in done else "no"}
        )

    evaluate_model(data, "tooldial", model="builtin/oracle", out=tmp_path / "o", task="faithfulness", history="none")
    evaluate_model(data, "tooldial", model="builtin/abstain", out=tmp_path / "b", task="faithfulness", history="none")
    with serving(grade) as server:
        for run in ("o", "b"):
            judge_dataset(tmp_path / run, judges="openai/a", criteria="faithfulness", samples=2, base_url=server.url)
        assert len(server.asked) == 2 * 2 * 22
    (oracle,), (abstain,) = (
        [row for row in score_runs(tmp_path / run) if row.metric == "faithfulness"] for run in ("o", "b")
    )

    assert (oracle.value, abstain.value) == (1.0, 0.0)
    assert (oracle.n, oracle.n_skipped) == (22, 1)
    assert "|samples:2|" in oracle.signature


def test_two_people_stand_beside_a_judge(tmp_path: Path) -> None:
    """Means and agreement by the four criteria of table 3; who answered no call is not asked about faithfulness."""
    grades = {"naturalness": "2", "context-coherence": "3", "efficiency": "3", "faithfulness": "yes"}
    write_corpus(tmp_path / "td", "tooldial", corpus_of([SEQUENCES[0], SEQUENCES[-1]]))
    names = ",".join(grades)
    with serving(lambda prompt: json.dumps({"analysis": "", "grade": answers_of(prompt)[-1]})) as server:
        judge_dataset(tmp_path / "td", judges="openai/a", criteria=names, base_url=server.url)
    command = ["review", str(tmp_path / "td"), "--share", "1"]
    for name, grade in grades.items():
        for who in ("Ann", "Bob"):
            for one in corpus_of([SEQUENCES[0], SEQUENCES[-1]]).dialogues:
                given = [*command, "--criteria", name, "--by", who, "--grade", one.id, grade]
                assert CliRunner().invoke(main, given).exit_code in ((0, 2) if name == "faithfulness" else (0,))
    told = json.loads(CliRunner().invoke(main, [*command, "--criteria", names, "--by", "Ann", "--json"]).output)
    means = {
        (row["criterion"], row["judge"].split("@")[0]): (row["interval"]["value"], row["n"]) for row in told["scores"]
    }
    pairs = {(row["criterion"], pair["a"], pair["b"]) for row in told["agreement"] for pair in row["pairs"]}

    for name, grade in grades.items():
        whole = (1.0, 1) if grade == "yes" else (float(grade), 2)
        assert means[name, "person/Ann"] == means[name, "person/Bob"] == whole
        assert (name, "openai/a") in means
        assert (name, "person/Ann", "person/Bob") in pairs


class Asked:
    """Keeps every request, and names the same act each time."""

    name = "test/asked"

    def __init__(self) -> None:
        self.requests: list[ChatRequest] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        self.requests.append(request)
        return ChatReply(content='{"action": "clarify"}', thought="hm")


def test_requests_of_a_rollout() -> None:
    """Each request has the duties, a schema and no tools; each reply is kept as a turn after the user's."""
    model, dialogue = Asked(), CORPUS.dialogues[0]
    context = Context.detached(dialogue.id, models={"model": model})
    made = asyncio.run(rollout(dialogue, (), context, ToolDialProtocolOptions(task="act"), duties="Be exact."))

    assert len(model.requests) == len(prediction_points(dialogue, "act"))
    assert all(one.messages[0].content.startswith("Be exact.") and not one.tools for one in model.requests)
    assert all('"retriever_call"' in (one.reply_schema or "") for one in model.requests)
    assert [dialogue.role(turn) for turn in made.turns][:3] == ["user", "assistant", "assistant"]
    assert made.turns[1].thought == "hm"
