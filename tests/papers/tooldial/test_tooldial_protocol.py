"""The `tooldial` protocol, its metrics and its published facts."""

from __future__ import annotations

import asyncio
import io
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from cinema_corpus import SEQUENCES, corpus_of
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from callwright.app.corpora import write_corpus
from callwright.app.evaluation import evaluate_model, preview_evaluation
from callwright.app.judging import judge_dataset
from callwright.app.requests import EvaluationRequest, read_request
from callwright.app.rescoring import explain_task, judge_runs, score_again, score_runs
from callwright.engine.context import Context
from callwright.errors import BadInput, RunConflict
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.retries import Patience
from callwright.papers.tooldial.prediction_points import gold_act, gold_state, prediction_points, user_turn_of
from callwright.papers.tooldial.state_matching import ACTS, same_state
from callwright.papers.tooldial.tooldial_options import ToolDialProtocolOptions
from callwright.papers.tooldial.tooldial_protocol import PROTOCOL, VERSION, rollout
from callwright.papers.tooldial.tooldial_scoring import ERRORS, NO_RESPONSE, score
from callwright.protocol.scoring import Scoring
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.jsontext import encode
from callwright.records.transcript import Row, Transcript
from judge_samples import Prompt, material_of
from served_voice import serving

CORPUS = corpus_of()
RUNS = [(task, history) for task in ("state", "act", "overall") for history in ("gold", "none", "own")]


def scoring(**options: Any) -> Scoring:
    return Scoring(run="r", model="m", protocol=VERSION, seed=0, data="d", options=options, resamples=10)


def transcript_of(dialogue: Dialogue, task: Any, replies: list[str]) -> Transcript:
    assert len(replies) == len(prediction_points(dialogue, task))
    turns = tuple(Turn("assistant", reply) for reply in replies)
    return Transcript(dialogue=dialogue.id, protocol=VERSION, model="m", turns=turns, ended="script")


def rows_of(transcripts: Mapping[Dialogue, Transcript], **options: Any) -> dict[tuple[str, str], Row]:
    found = score({one.id: one for one in transcripts}, {}, transcripts.values(), scoring=scoring(**options))
    return {(row.metric, " ".join(row.slice.values())): row for row in found}


# -- runs --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Dialogues of all 23 sequences as a dataset."""
    folder = tmp_path_factory.mktemp("tooldial") / "td"
    write_corpus(folder, "tooldial", CORPUS)
    return folder


@pytest.mark.parametrize(("task", "history"), [*RUNS, ("faithfulness", "none"), ("faithfulness", "gold")])
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


@pytest.mark.parametrize("model", ["builtin/abstain", "builtin/eager", "builtin/retriever"])
def test_baselines_run_to_the_end(data: Path, tmp_path: Path, model: str) -> None:
    """Models that know no states get 0, every reply is malformed, and every wrong state is a generation error."""
    evaluate_model(data, "tooldial", model=model, out=tmp_path / "b", task="overall", limit=3)
    rows = {(row.metric, " ".join(row.slice.values())): row.value for row in score_runs(tmp_path / "b")}

    assert rows["state_match", ""] == rows["act_match", ""] == rows["turn_match", ""] == rows["dialogue_match", ""] == 0
    assert rows["malformed_share", ""] == rows["error_share", "generation"] == 1
    assert next(judge_runs(tmp_path / "b")).error == "act_none"


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


def test_what_cannot_be_predicted_is_refused(data: Path, tmp_path: Path) -> None:
    """No own history for responses, and no dialogue without notes."""
    with pytest.raises(BadInput, match="no earlier predictions"):
        evaluate_model(data, "tooldial", model="builtin/oracle", out=tmp_path, task="faithfulness", history="own")
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


# -- metrics -----------------------------------------------------------------------------------------------------------

REPLIES = st.sampled_from([*(encode({"action": act}) for act in ACTS), "request", "what?", '{"action": 3}'])


@settings(max_examples=30, deadline=None)
@given(picks=st.lists(st.integers(0, len(SEQUENCES) - 1), min_size=1, max_size=4, unique=True), choices=st.data())
def test_act_metrics_equal_a_slow_version(picks: list[int], choices: st.DataObject) -> None:
    """Accuracy and F1 of each act equal counts made one by one."""
    dialogues = [CORPUS.dialogues[at] for at in picks]
    pairs: list[tuple[str, str]] = []
    transcripts: dict[Dialogue, Transcript] = {}
    for one in dialogues:
        points = prediction_points(one, "act")
        replies = choices.draw(st.lists(REPLIES, min_size=len(points), max_size=len(points)))
        transcripts[one] = transcript_of(one, "act", replies)
        told = [next((act for act in ACTS if reply in (act, encode({"action": act}))), "") for reply in replies]
        pairs += [(gold_act(one, point), act) for point, act in zip(points, told, strict=True)]
    rows = rows_of(transcripts, task="act", history="gold")

    assert rows["act_match", ""].value == pytest.approx(sum(gold == told for gold, told in pairs) / len(pairs))
    golds, tolds = Counter(gold for gold, _ in pairs), Counter(told for _, told in pairs if told)
    for act in ACTS:
        right = sum(gold == told == act for gold, told in pairs)
        if golds[act] + tolds[act]:
            f1 = 2 * right / (golds[act] + tolds[act])
            assert rows["act_f1", act].value == pytest.approx(f1)
        else:
            assert ("act_f1", act) not in rows


@settings(max_examples=30, deadline=None)
@given(at=st.integers(0, len(SEQUENCES) - 1), choices=st.data())
def test_overall_equals_a_slow_version(at: int, choices: st.DataObject) -> None:
    """An exchange is right if its states and acts all are, a dialogue if its exchanges are; turns are counted apart."""
    one = CORPUS.dialogues[at]
    points = prediction_points(one, "overall")
    wrong = choices.draw(st.sets(st.integers(0, len(points) - 1), max_size=3))
    gold = [encode(gold_state(one, p)) if p.kind == "state" else encode({"action": gold_act(one, p)}) for p in points]
    replies = ["{}" if nth in wrong else reply for nth, reply in enumerate(gold)]
    rows = rows_of({one: transcript_of(one, "overall", replies)}, task="overall", history="none")

    exchanges: dict[int, list[bool]] = {}
    for nth, point in enumerate(points):
        exchanges.setdefault(user_turn_of(one, point), []).append(nth not in wrong)
    right = [all(found) for found in exchanges.values()]
    assert len(right) == sum(one.role(turn) == "user" for turn in one.turns)
    assert rows["turn_match", ""].value == pytest.approx(sum(right) / len(right))
    assert rows["dialogue_match", ""].value == float(all(right))
    for turn, found in exchanges.items():
        states = [
            ok
            for ok, point in zip(found, [p for p in points if user_turn_of(one, p) == turn], strict=True)
            if point.kind == "state"
        ]
        assert rows["state_match", str(turn)].value == pytest.approx(sum(states) / len(states))


def test_missing_replies_are_skipped_and_failures_counted() -> None:
    """A transcript without all replies is no wrong answer, nor is a failed rollout."""
    one, other = CORPUS.dialogues[:2]
    broken = Transcript(dialogue=one.id, protocol=VERSION, model="m", turns=(), ended="script")
    both = {one.id: one, other.id: other}
    rows = score(both, {}, [broken], failed=[other.id], scoring=scoring(task="state", history="gold"))

    assert (rows[0].metric, rows[0].value, rows[0].n) == ("state_match", None, 0)
    assert (rows[0].n_failed, rows[0].n_skipped) == (1, 1)
    assert "replies are missing" in rows[0].why


def wrong_value(one: Dialogue, slot: str, value: str, *, filled: bool) -> dict[str, float | None]:
    """Shares of the classes where one slot of one state is wrong: the first state in which it is filled, or not."""
    points = prediction_points(one, "state")
    golds = [gold_state(one, point) for point in points]
    spots = [g["api_status"]["required_parameters"] for g in golds if g["api_confirmed"] == "true"]
    spot = next(found for found in spots if slot in found and bool(found[slot]) == filled)
    spot[slot] = value
    rows = rows_of({one: transcript_of(one, "state", [encode(gold) for gold in golds])}, task="state", history="gold")
    return {error: rows["error_share", error].value for error in ERRORS}


@pytest.mark.parametrize(
    ("acts", "slot", "filled", "kind"),
    [
        ("request_multi", "cinema_id", False, "value_multiple"),
        ("inform_intent_clear_add", "date", True, "value_added"),
        ("fail_inform", "date", True, "value_other"),
    ],
)
def test_kinds_of_value_errors(acts: str, slot: str, filled: bool, kind: str) -> None:
    """A value of several results, one given with the intent, and any other are told apart (A.9)."""
    (one,) = corpus_of([next(found for found in SEQUENCES if acts in found)]).dialogues
    found = wrong_value(one, slot, "Z", filled=filled)

    assert {error for error, share in found.items() if share} == {"value", kind}


# -- published facts ---------------------------------------------------------------------------------------------------

ANSWERED = next(acts for acts in SEQUENCES if len(acts) == min(len(one) for one in SEQUENCES if "call" in one))
FAILED = next(acts for acts in SEQUENCES if "response_fail" in acts)


@pytest.mark.parametrize(("predicted", "published"), [(998, 97.2), (1_031, 95.5), (1_084, 93.0)])
def test_system_bye_follows_from_943_golds(predicted: int, published: float) -> None:
    """1,166 test dialogues of which 943 are answered and 223 are not: F1 = 2 x 943 / (943 + predicted) (Table 5)."""
    yes, no = corpus_of([ANSWERED, FAILED]).dialogues
    transcripts: dict[Dialogue, Transcript] = {}
    for number in range(1_166):
        base = yes if number < 943 else no
        one = msgspec.structs.replace(base, id=str(number))
        replies = [gold_act(one, point) for point in prediction_points(one, "act")]
        if 943 <= number < predicted:
            replies[-1] = "system_bye"
        transcripts[one] = transcript_of(one, "act", replies)
    found = rows_of(transcripts, task="act", history="gold")["act_f1", "system_bye"]

    assert found.value == pytest.approx(2 * 943 / (943 + predicted))
    assert round(100 * (found.value or 0), 1) == published
    assert Counter(one.turns == yes.turns for one in transcripts) == {True: 943, False: 223}


def test_states_match_as_the_report_says() -> None:
    """A state is right exactly where it equals gold in every name and value."""
    one = CORPUS.dialogues[0]
    points = prediction_points(one, "state")
    guess = gold_state(one, points[0])
    rows = rows_of({one: transcript_of(one, "state", [encode(guess)] * len(points))}, task="state", history="gold")

    expected = [same_state(guess, gold_state(one, point)) for point in points]
    assert True in expected
    assert False in expected
    assert rows["state_match", ""].value == pytest.approx(sum(expected) / len(expected))
