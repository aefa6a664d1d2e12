"""ConvRel in the report of a run: from kept judgements, and skipped without any."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.judging import judge_dataset
from callwright.cli import main
from callwright.records.transcript import Row
from judge_samples import Prompt, answers_of, by_length, by_rule, material_of
from served_voice import serving


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """A run of two trials over ten dialogues."""
    callwright.evaluate_model(made, "static", model="builtin/retriever", out=tmp_path / "run", limit=10, trials=2)
    return tmp_path / "run"


def conv_rel(run: Path, **slice_: str) -> Row:
    (row,) = [row for row in callwright.score_runs(run) if row.metric == "conv_rel" and row.slice == slice_]
    return row


def judge(run: Path, url: str, *names: str, **options: object) -> None:
    judges = [f"openai/{name}" for name in names]
    judge_dataset(run, judges=judges, criteria="conv-rel", base_url=url, **options)  # type: ignore[arg-type]


def test_without_a_judge_it_is_skipped(run: Path) -> None:
    """With the reason, and never 0."""
    row = conv_rel(run)
    assert (row.value, row.n, row.n_skipped, row.why) == (None, 0, 10, "no judge was given")


def test_it_is_the_mean_over_turns_then_over_transcripts(run: Path) -> None:
    """Grades 1, 2, 3 count 0, .5, 1; the unit of the interval is the dialogue with its trials; judges are named."""
    with serving(by_rule(by_length)) as server:
        judge(run, server.url, "a")
        url = server.url
    judged = judge_dataset(run, judges="openai/a", criteria="conv-rel", base_url=url).judgements  # all are kept
    by_transcript: dict[tuple[str, int], list[float]] = {}
    for one in judged:
        by_transcript.setdefault(one.key, []).append({"1": 0.0, "2": 0.5, "3": 1.0}[one.samples[0].answer])
    means = [sum(values) / len(values) for values in by_transcript.values()]
    row = conv_rel(run)
    assert row.value == pytest.approx(sum(means) / len(means))
    assert (row.n, row.n_failed, row.n_skipped, row.why) == (10, 0, 0, "")
    assert row.low is not None
    assert row.high is not None
    assert row.low < row.value < row.high
    for part in ("conv_rel.v1|", "conv-rel.v1|", f"judge:openai/a@{url}|", "samples:1|", "protocol:diaforge-static.v1"):
        assert part in row.signature


def test_a_panel_has_its_mean_and_each_judge_a_row(run: Path) -> None:
    """The row of the whole is over all judges."""

    def answer(prompt: Prompt) -> str:
        grades = {"a": "1", "b": "3"}
        return json.dumps({"analysis": "", "grade": grades[server.bodies[-1]["model"]]})

    with serving(answer) as server:
        judge(run, server.url, "a", "b")
        url = server.url
    assert conv_rel(run).value == 0.5
    rows = [row for row in callwright.score_runs(run) if row.metric == "conv_rel" and row.slice]
    assert {row.slice["judge"]: row.value for row in rows} == {f"openai/a@{url}": 0.0, f"openai/b@{url}": 1.0}


def test_failed_and_absent_judgements_are_no_zeros(run: Path) -> None:
    """A transcript with a turn that failed counts as failed, one not judged yet as skipped; the others are measured."""

    def answer(prompt: Prompt) -> str:
        says = str(material_of(prompt)[-1]["says"])
        return "no" if len(says) % 4 == 0 else json.dumps({"analysis": "", "grade": answers_of(prompt)[-1]})

    with serving(answer) as server:
        judged = judge_dataset(run, judges="openai/a", criteria="conv-rel", base_url=server.url, limit=6).judgements
    failed = {one.key for one in judged if one.failed}
    row = conv_rel(run)
    assert row.value == 1.0
    assert row.n == len({one.item for one in judged if one.key not in failed})
    assert row.n_failed == len(failed) > 0
    assert row.n_skipped == 2 * 4
    assert "could not be judged" in row.why
    assert "8 not judged yet" in row.why


def test_a_rubric_of_ones_own_is_told_apart(run: Path, tmp_path: Path) -> None:
    """Beside the bundled one, which is the row of the whole, it has a row of its own that names it."""
    bundled = Path(callwright.__file__).parent / "judge/data/criteria/conv-rel.toml"
    own = tmp_path / "own.toml"
    own.write_text(bundled.read_text().replace("version = 1", "version = 2").replace("value = 0.5", "value = 0.25"))
    with serving(lambda _: '{"analysis": "", "grade": "2"}') as server:
        judge_dataset(run, judges="openai/a", criteria=[str(own)], base_url=server.url)
        assert conv_rel(run).value == 0.25
        judge(run, server.url, "a")
    rows = [row for row in callwright.score_runs(run) if row.metric == "conv_rel"]
    assert conv_rel(run).value == 0.5
    assert sorted((row.slice["rubric"][:11], row.value) for row in rows if row.slice) == [
        ("conv-rel.v1", 0.5),
        ("conv-rel.v2", 0.25),
    ]


def test_runs_of_any_protocol_have_it_once_they_are_judged(tmp_path: Path) -> None:
    """Also where the protocol's own scores know nothing of it: a row, and a table of its own."""
    ds, run = tmp_path / "ds", tmp_path / "run"
    callwright.synthesize("wild", "builtin/enterprise", n=3, out=ds)
    callwright.evaluate_model(ds, "wild", model="builtin/oracle", out=run)
    assert not [row for row in callwright.score_runs(run) if row.metric == "conv_rel"]
    with serving(by_rule(by_length)) as server:
        judge(run, server.url, "a")
    row = conv_rel(run)
    assert row.n > 0
    assert row.value is not None
    assert "|protocol:wild" in row.signature
    printed = CliRunner().invoke(main, ["report", str(run)]).stdout
    assert "As judged" in printed
    assert f"{row.value:.3f}" in printed
