"""The numbers of a dataset: they agree with the card's and the report's, and ConvRel is never made up."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean

import pytest

import callwright
from callwright.app.catalogs import read_catalog
from callwright.errors import BadInput, UnknownName
from callwright.measure.shape import histogram
from callwright.papers.diaforge.diaforge_shape import shape_values
from callwright.papers.registry import measures
from callwright.protocol.dataset_measures import chosen_metrics, measure_groups
from callwright.records.measurement import Measurement
from judge_samples import by_length, by_rule
from served_voice import serving

GROUPS = {group.name: tuple(group.labels) for group in measures()}


def by_name(rows: list[Measurement], **slice_: str) -> dict[str, Measurement]:
    return {row.metric: row for row in rows if row.slice == slice_}


def test_shape_is_that_of_the_card(made: Path) -> None:
    """Means and spreads are those of `shape`, with an interval around each."""
    rows = by_name(callwright.measure_dataset(made, only="shape"))
    data = callwright.open_dataset(made)
    known = shape_values(data.dialogues, data.catalog.by_key)
    assert set(rows) == set(GROUPS["shape"])
    for metric in ("distractors", "overlap", "near_duplicate_share", "required_share"):
        assert rows[metric].value == pytest.approx(mean(getattr(known, metric)))
    for metric in ("exchanges", "parameters", "selection_turns", "filling_turns"):
        found = {int(number): count for number, count in rows[metric].spread.items()}
        assert found == histogram(getattr(known, metric))
    for row in rows.values():
        assert row.low is not None
        assert row.high is not None
        assert row.value is not None
        assert row.low <= row.value <= row.high
        assert row.n + row.n_skipped == len(known.exchanges)


def test_every_row_names_what_made_it(made: Path) -> None:
    """Metric and version, options, digest of the data and version of the program; the same rows each time."""
    rows = callwright.measure_dataset(made)
    digest = callwright.open_dataset(made).digest
    for row in rows:
        assert row.signature.startswith(f"{row.metric}.v1|")
        assert f"|data:{digest}|callwright:{callwright.__version__}" in row.signature
        assert row.data == str(made)
    assert callwright.measure_dataset(made) == rows
    assert {row.metric for row in rows} == {metric for group in GROUPS.values() for metric in group}


def test_words_are_measured_by_role(made: Path) -> None:
    """As the report measures those of the oracle, which says what the recorded assistant says."""
    rows = callwright.measure_dataset(made, only=["diversity", "repetition"])
    user, assistant = by_name(rows, role="user"), by_name(rows, role="assistant")
    assert set(user) == set(assistant) == {*GROUPS["diversity"], *GROUPS["repetition"]}
    assert user["ttr"].value != assistant["ttr"].value
    assert user["utterance_share"].detail
    assert user["openings"].low is None  # a maximum or a count of kinds has no interval


def test_conv_rel_is_skipped_without_a_judge_and_read_where_one_was(ds: Path) -> None:
    """With the reason, and never 0; then the mean of what was judged, with judge and rubric in its signature."""
    (before,) = callwright.measure_dataset(ds, only="conv-rel")
    assert (before.value, before.n, before.why) == (None, 0, "no judge was given")
    with serving(by_rule(by_length)) as server:
        judged = callwright.judge_dataset(ds, judges="openai/a", criteria="conv-rel", base_url=server.url)
    (after,) = callwright.measure_dataset(ds, only="conv_rel")
    (score,) = judged.scores
    assert (after.value, after.low, after.high) == (score.interval.value, score.interval.low, score.interval.high)
    assert (after.n, after.n_failed, after.n_skipped) == (score.n, 0, 0)
    assert "judge:openai/a@http" in after.signature
    assert after.signature.count("callwright:") == 1


def test_dialogues_that_were_not_judged_are_skipped(ds: Path) -> None:
    """Those absent from the judgements are counted and said."""
    with serving(by_rule(by_length)) as server:
        callwright.judge_dataset(ds, judges="openai/a", criteria="conv-rel", base_url=server.url, limit=5)
    (row,) = callwright.measure_dataset(ds, only="conv-rel")
    dialogues = len(callwright.open_dataset(ds).dialogues)
    assert (row.n, row.n_skipped) == (5, dialogues - 5)
    assert f"{dialogues - 5} not judged yet" in row.why
    (few,) = callwright.measure_dataset(ds, only="conv-rel", limit=5)
    assert (few.n, few.n_skipped, few.why) == (5, 0, "")


def test_dialogues_of_other_recipes_have_what_they_have(ds: Path) -> None:
    """Without notes of the recipe there are exchanges and words, and the rest is skipped with a reason."""
    lines = [json.loads(line) for line in (ds / "dialogues.jsonl").read_bytes().splitlines()]
    for line in lines:
        line["annotation"] = line["scenario"] = None
    (ds / "dialogues.jsonl").write_text("\n".join(map(json.dumps, lines)))
    rows = by_name(callwright.measure_dataset(ds, only="shape"))
    assert rows["exchanges"].n == len(lines)
    assert rows["exchanges"].value is not None
    assert (rows["overlap"].value, rows["overlap"].n_skipped) == (None, len(lines))
    assert rows["overlap"].why


def test_names_are_metrics_or_groups_in_either_spelling() -> None:
    """In the order of the groups, whatever the order given; unknown ones are said."""
    assert chosen_metrics(["mattr", "conv-rel"], measures()) == ("mattr", "conv_rel")
    assert chosen_metrics(["shape"], measures()) == GROUPS["shape"]
    assert len(chosen_metrics([], measures())) == sum(map(len, GROUPS.values()))
    with pytest.raises(UnknownName, match="near_duplicate_share"):
        chosen_metrics(["duplicates"], measures())


def test_without_papers_a_shape_is_its_exchanges() -> None:
    """What a paper counts comes with the paper: it joins the group of the same name, in its place."""
    (shape, *others) = measure_groups()
    assert (shape.name, list(shape.labels)) == ("shape", ["exchanges"])
    shared = [group.name for group in (shape, *others)]
    assert [group.name for group in measures()][: len(shared)] == shared
    assert set(GROUPS["shape"]) > {"exchanges"}


def test_what_cannot_be_measured_is_refused(made: Path, tmp_path: Path) -> None:
    """Runs have their report; folders that are nothing, and no dialogues, are said."""
    callwright.evaluate_model(made, "static", model="builtin/abstain", out=tmp_path / "run", limit=1)
    with pytest.raises(BadInput, match="callwright report"):
        callwright.measure_dataset(tmp_path / "run")
    with pytest.raises(BadInput, match="not a dataset"):
        callwright.measure_dataset(tmp_path)
    with pytest.raises(BadInput, match="limit"):
        callwright.measure_dataset(made, limit=0)
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "dialogues.jsonl").write_text("")
    callwright.write_catalog(read_catalog("builtin/enterprise"), empty / "catalog.json")
    with pytest.raises(BadInput, match="no dialogues"):
        callwright.measure_dataset(empty)
