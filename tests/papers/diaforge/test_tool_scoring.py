"""What the rows of a report count, label and leave unmeasured."""

from __future__ import annotations

import msgspec
import pytest
from evaluation_samples import BY_KEY, call, dialogue, gold, transcript

from callwright.errors import BadInput
from callwright.papers.diaforge.tool_scoring import score
from callwright.protocol.scoring import Scoring, data_digest
from callwright.records.transcript import Row, UserFault

SCORING = Scoring(run="r", model="builtin/test", protocol="diaforge-static.v1", seed=7, data="abc", resamples=200)
METRICS = ["acc", "ftr", "tar", "tcp", "tcr", "pkp", "pkr", "conv_rel", "ttr", "mattr", "ngd_2", "ngd_3", "ngd_4"]


def rows_of(rows: list[Row], **slice_: str) -> dict[str, Row]:
    """The rows of one slice by metric."""
    return {row.metric: row for row in rows if row.slice == slice_}


def test_every_metric_has_a_row() -> None:
    """The whole has thirteen rows, each domain seven, and dialogues without a fitting tool three."""
    dialogues = {
        "h": dialogue("h", gold=gold(a=5)),
        "i": dialogue("i", gold=gold("it_add", a=5)),
        "n": dialogue("n", tool_fits=False),
    }
    made = [transcript("h", (call(a=5),)), transcript("i", ()), transcript("n", ())]
    rows = score(dialogues, BY_KEY, made, scoring=SCORING)

    assert [row.metric for row in rows if not row.slice] == METRICS
    assert METRICS[:7] == list(rows_of(rows, domain="hr")) == list(rows_of(rows, domain="it"))
    assert {k: r.value for k, r in rows_of(rows, tool_fits="no").items()} == {"acc": 1.0, "ftr": 0.0, "tar": 1.0}
    assert (rows_of(rows)["acc"].value, rows_of(rows)["acc"].n) == (0.5, 2)


def test_without_a_judge_relevancy_is_skipped() -> None:
    """ConvRel has no value, counts its dialogues as skipped and says why."""
    made = [transcript("d", ())]
    row = rows_of(score({"d": dialogue(gold=gold())}, BY_KEY, made, scoring=SCORING))["conv_rel"]

    assert (row.value, row.n, row.n_skipped, row.why) == (None, 0, 1, "no judge was given")


def test_failures_and_user_faults_are_counted_apart() -> None:
    """A failed rollout and one spoilt by the user are no wrong answers: the accuracy of the rest stands."""
    dialogues = {id_: dialogue(id_, gold=gold(a=5)) for id_ in "abc"}
    fault = UserFault(0, "tool_leak", "said hr_add")
    made = [transcript("a", (call(a=5),)), transcript("b", (), faults=(fault,))]
    row = rows_of(score(dialogues, BY_KEY, made, failed=["c"], scoring=SCORING))["acc"]

    assert (row.value, row.n, row.n_failed, row.n_excluded, row.n_skipped) == (1.0, 1, 1, 1, 0)


def test_dialogues_the_metrics_are_not_defined_for_are_skipped() -> None:
    """A dialogue without a gold call, where a tool should fit, is skipped with the reason."""
    row = rows_of(score({"d": dialogue()}, BY_KEY, [transcript("d", ())], scoring=SCORING))["acc"]

    assert (row.value, row.n, row.n_skipped) == (None, 0, 1)
    assert row.why == "no dialogue was measured; 1 skipped: not one gold call"


def test_nothing_is_unmeasured() -> None:
    """No transcript gives thirteen rows without a value, each with a reason."""
    rows = score({}, BY_KEY, [], scoring=SCORING)

    assert [row.metric for row in rows] == METRICS
    assert all(row.value is None and row.why for row in rows)


def test_trials_of_one_dialogue_are_one_unit() -> None:
    """Three trials of one dialogue make one dialogue measured, at their mean."""
    made = [transcript("d", (call(a=5),), trial=0), transcript("d", (), trial=1), transcript("d", (), trial=2)]
    row = rows_of(score({"d": dialogue(gold=gold(a=5))}, BY_KEY, made, scoring=SCORING))["acc"]

    assert (pytest.approx(1 / 3), 1, None) == (row.value, row.n, row.low)


def test_rescoring_gives_the_same_rows_in_any_order() -> None:
    """Scores depend on the transcripts and not on their order."""
    dialogues = {f"d{i}": dialogue(f"d{i}", gold=gold(a=i)) for i in range(20)}
    made = [transcript(f"d{i}", (), (call(a=i % 7),), text=f"Which {i}?") for i in range(20)]

    assert score(dialogues, BY_KEY, made, scoring=SCORING) == score(dialogues, BY_KEY, made[::-1], scoring=SCORING)


def test_domains_need_a_catalogue_that_has_them() -> None:
    """Without a domain in the catalogue there are rows for the whole only."""
    plain = {key: msgspec.structs.replace(tool, domain="") for key, tool in BY_KEY.items()}
    rows = score({"d": dialogue(gold=gold(a=5))}, plain, [transcript("d", ())], scoring=SCORING)

    assert rows
    assert all(row.slice == {} for row in rows)


def test_signatures_name_everything_a_number_depends_on() -> None:
    """A signature holds the metric's version and options, the protocol, the seed, the data and this version."""
    rows = rows_of(score({"d": dialogue(gold=gold(a=5))}, BY_KEY, [transcript("d", ())], scoring=SCORING))

    assert rows["acc"].signature == (
        "acc.v1|match:coerced_near(literals=declared+strings=near_text)|bootstrap:200,0"
        "|protocol:diaforge-static.v1|seed:7|data:abc|callwright:0.1.0"
    )
    assert rows["mattr"].signature.startswith("mattr.v1|tokens:words.v1|window:50|bootstrap:200,0,linear|")


def test_free_text_may_be_near_unless_the_papers_accuracy_is_asked_for() -> None:
    """The same transcript is right by default, and wrong with `coerced`; both signatures say how it was compared."""
    dialogues = {"d": dialogue(gold=gold(b="order four new chairs for the canteen"))}
    made = [transcript("d", (call(b="order four chairs for the canteen"),))]
    rows = [
        rows_of(score(dialogues, BY_KEY, made, scoring=msgspec.structs.replace(SCORING, options=options)))["acc"]
        for options in ({}, {"match": "coerced"})
    ]

    assert [row.value for row in rows] == [1.0, 0.0]
    assert "|match:coerced(literals=declared)|" in rows[1].signature


def test_a_transcript_of_other_data_is_refused() -> None:
    """A transcript whose dialogue is not there is an error and names the dialogue."""
    with pytest.raises(BadInput, match="'d', which is not among the data"):
        score({}, BY_KEY, [transcript("d", ())], scoring=SCORING)


def test_the_digest_of_data_ignores_order_and_sees_change() -> None:
    """The same dialogues have one digest; another text has another."""
    one, two = dialogue("1", gold=gold(a=5)), dialogue("2", gold=gold(a=5))

    assert data_digest([one, two]) == data_digest([two, one])
    assert data_digest([one, two]) != data_digest([one, dialogue("2", gold=gold(a=6))])
