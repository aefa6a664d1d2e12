"""Runs of models over a dataset: self-contained, repeatable, and counted."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest

import callwright
from callwright.app.evaluation import preview_evaluation
from callwright.app.requests import EvaluationRequest, read_request
from callwright.errors import BadInput, RunConflict, UnknownName
from callwright.protocol.run_access import open_run
from callwright.records.transcript import Row
from callwright.store.outcome import Outcome
from callwright.store.run import Run


def value(rows: list[Row], metric: str) -> float | None:
    return next(row.value for row in rows if row.metric == metric and not row.slice)


def evaluate(data: Path, out: Path, **changed: object) -> callwright.RunResult:
    options: dict[str, object] = {"model": "builtin/oracle", "out": out} | changed
    protocol = str(options.pop("protocol", "static"))
    return callwright.evaluate_model(data, protocol, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("protocol", ["static", "dynamic"])
def test_the_oracle_reaches_the_ceiling(made: Path, tmp_path: Path, protocol: str) -> None:
    """The model that is handed the gold has Acc 1, FTR 0 and TAR 0 in both protocols."""
    result = evaluate(made, tmp_path / "run", protocol=protocol)
    assert result.done == result.planned == len(callwright.open_dataset(made).dialogues)
    rows = callwright.score_runs([tmp_path / "run"])
    assert (value(rows, "acc"), value(rows, "ftr"), value(rows, "tar")) == (1.0, 0.0, 0.0)


def test_scores_need_no_dataset(ds: Path, tmp_path: Path) -> None:
    """The run holds dialogues and catalogue: scores are the same after the dataset is gone."""
    evaluate(ds, tmp_path / "run", model="builtin/eager")
    before = callwright.score_runs([tmp_path / "run"])
    shutil.rmtree(ds)
    assert callwright.score_runs([tmp_path / "run"]) == before


def test_a_finished_run_asks_nothing_again(made: Path, tmp_path: Path) -> None:
    """The same call again asks the model for no reply."""
    assert evaluate(made, tmp_path / "run").asked > 0
    assert evaluate(made, tmp_path / "run").asked == 0


def test_full_names_and_aliases_are_the_same_run(made: Path, tmp_path: Path) -> None:
    """`static` and `diaforge-static` name one protocol."""
    evaluate(made, tmp_path / "run", limit=3)
    assert evaluate(made, tmp_path / "run", limit=3, protocol="diaforge-static").asked == 0


@pytest.mark.parametrize(
    "changed",
    [{"model": "builtin/eager"}, {"seed": 1}, {"trials": 2}, {"limit": 4}, {"protocol": "dynamic"}],
)
def test_another_configuration_is_refused(made: Path, tmp_path: Path, changed: dict[str, object]) -> None:
    """A run folder takes no other model, seed, trials, data or protocol."""
    evaluate(made, tmp_path / "run", limit=3)
    with pytest.raises(RunConflict, match="another run"):
        evaluate(made, tmp_path / "run", **({"limit": 3} | changed))


def test_edited_data_is_another_run(ds: Path, tmp_path: Path) -> None:
    """A valid edit of the dataset can be evaluated, but not into a run of the data as it was."""
    evaluate(ds, tmp_path / "run")
    lines = (ds / "dialogues.jsonl").read_bytes().splitlines(keepends=True)
    (ds / "dialogues.jsonl").write_bytes(b"".join(lines[1:]))
    with pytest.raises(RunConflict, match="data"):
        evaluate(ds, tmp_path / "run")
    assert evaluate(ds, tmp_path / "other").planned == len(lines) - 1


def test_trials_are_rollouts_of_the_same_dialogues(made: Path, tmp_path: Path) -> None:
    """Three trials of four dialogues are twelve transcripts, and four units of measurement."""
    result = evaluate(made, tmp_path / "run", limit=4, trials=3, protocol="dynamic")
    assert result.done == 12
    assert sorted({one.trial for one in open_run(tmp_path / "run").transcripts}) == [0, 1, 2]
    rows = callwright.score_runs([tmp_path / "run"])
    assert next(row.n for row in rows if row.metric == "acc" and not row.slice) == 4


def test_failed_rollouts_are_counted_apart(made: Path, tmp_path: Path) -> None:
    """A rollout that failed is no wrong answer: it is in `n_failed`, and the accuracy stays."""
    evaluate(made, tmp_path / "run", limit=5)
    view = open_run(tmp_path / "run")
    with Run.open(tmp_path / "run", kind="eval", config=view.config) as run:
        run.put(outcomes=[Outcome(item=view.dialogues[0].id, kind="timeout", role="model", message="none came")])
    row = next(row for row in callwright.score_runs([tmp_path / "run"]) if row.metric == "acc" and not row.slice)
    assert (row.value, row.n, row.n_failed) == (1.0, 4, 1)
    assert evaluate(made, tmp_path / "run", limit=5).failed == {}


def test_rows_of_an_unfinished_run_say_so(made: Path, tmp_path: Path) -> None:
    """Rollouts that are absent are named in `why`; those that are there are scored."""
    evaluate(made, tmp_path / "run", limit=5)
    with sqlite3.connect(tmp_path / "run" / "run.db") as connection:
        connection.execute("DELETE FROM outcomes WHERE position < 2")
    connection.close()
    rows = callwright.score_runs([tmp_path / "run"])
    assert all("2 rollouts are absent" in row.why for row in rows)
    assert next(row.n for row in rows if row.metric == "acc" and not row.slice) == 3


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"protocol": "statik"}, "diaforge-dynamic, diaforge-static, "),
        ({"model": "builtin/oracel"}, "builtin/retriever"),
        ({"trials": 0}, "trials"),
        ({"limit": 0}, "limit"),
        ({"concurrency": 0}, "concurrency"),
        ({"protocol": "dynamic", "t_max": 0}, "t_max"),
        ({"protocol": "dynamic", "user_style": "loud"}, "verbose"),
    ],
)
def test_wrong_arguments_are_bad_input(made: Path, tmp_path: Path, changed: dict[str, object], message: str) -> None:
    """Unknown names are answered with the known ones, wrong numbers with the limit; nothing is written."""
    with pytest.raises(BadInput, match=message):
        evaluate(made, tmp_path / "run", **changed)
    assert not (tmp_path / "run").exists()


def test_unknown_names_are_lookup_errors(made: Path, tmp_path: Path) -> None:
    """An unknown model is an UnknownName, which is a LookupError too."""
    with pytest.raises(UnknownName):
        evaluate(made, tmp_path / "run", model="nobody/none")


def test_a_run_is_not_written_into_a_dataset(ds: Path) -> None:
    """The folder of a dataset is no place for a run."""
    with pytest.raises(BadInput, match="holds a dataset"):
        evaluate(ds, ds)


def test_data_without_a_scenario_has_no_live_user(ds: Path, tmp_path: Path) -> None:
    """The dynamic protocol refuses a dialogue whose user it cannot rebuild, before anything is asked."""
    dataset = callwright.open_dataset(ds)
    stripped = [line.split(b',"scenario":')[0] for line in (ds / "dialogues.jsonl").read_bytes().splitlines()]
    rest = [line.split(b',"provenance":')[1] for line in (ds / "dialogues.jsonl").read_bytes().splitlines()]
    lines = [b',"scenario":null,"provenance":'.join(pair) for pair in zip(stripped, rest, strict=True)]
    (ds / "dialogues.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(BadInput, match=rf"{dataset.dialogues[0].id}.*static protocol"):
        evaluate(ds, tmp_path / "run", protocol="dynamic")
    assert evaluate(ds, tmp_path / "run").failed == {}


def test_a_preview_writes_nothing(made: Path, tmp_path: Path) -> None:
    """A preview counts rollouts and replies and leaves no folder behind."""
    asked = {"dataset": made, "protocol": "dynamic", "model": "builtin/oracle", "out": tmp_path / "run"}
    request = read_request(EvaluationRequest, limit=5, trials=2, **asked)
    preview = preview_evaluation(request)
    assert (preview.planned, preview.done, preview.most_replies) == (10, 0, 100)
    assert list(tmp_path.iterdir()) == []


def test_the_greatest_number_counts_the_models_of_the_user(made: Path, tmp_path: Path) -> None:
    """Ten exchanges: the model once; three samples, each written thrice and judged, and three voters, asked thrice."""
    asked = {"dataset": made, "protocol": "dynamic", "model": "builtin/oracle", "out": tmp_path / "run"}
    served = {"user": "openai/u", "voter": "openai/v", "judge": "openai/j", "base_url": "http://127.0.0.1:1"}
    preview = preview_evaluation(read_request(EvaluationRequest, limit=2, **asked, **served))
    assert preview.most_replies == 2 * 10 * (1 + 3 * (3 * 3 * 2 + 3))
    assert preview.estimate is not None
    assert preview.estimate.calls <= preview.most_replies


def test_scores_of_something_else_are_refused(made: Path, tmp_path: Path) -> None:
    """The journal of a synthesis, and a folder without a run, have no scores."""
    with pytest.raises(BadInput, match="not an evaluation run"):
        callwright.score_runs([made / ".run"])
    with pytest.raises(BadInput, match="not a run folder"):
        callwright.score_runs([tmp_path])


def test_it_works_inside_a_running_loop(made: Path, tmp_path: Path) -> None:
    """In a notebook, where a loop runs already, the synchronous call works."""

    async def cell() -> int:
        return evaluate(made, tmp_path / "run", limit=2).done

    assert asyncio.run(cell()) == 2


def test_a_part_of_a_split_can_be_evaluated(made: Path, tmp_path: Path) -> None:
    """Each part holds the documents its dialogues need, also for the live user."""
    callwright.split(made, out=tmp_path / "split")
    assert evaluate(tmp_path / "split" / "test", tmp_path / "run", protocol="dynamic").failed == {}


def test_a_run_is_no_place_for_a_dataset(made: Path, tmp_path: Path) -> None:
    """Neither synthesis nor a split mixes its files with those of a run."""
    evaluate(made, tmp_path / "run", limit=2)
    with pytest.raises(BadInput, match="holds a run"):
        callwright.synthesize("diaforge", "builtin/enterprise", n=2, out=tmp_path / "run")
    with pytest.raises(BadInput, match="holds a run"):
        callwright.split(made, out=tmp_path / "run")
