"""The metrics of the `tooldial` protocol against slow versions, and its published facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from cinema_corpus import SEQUENCES, corpus_of
from hypothesis import given, settings
from hypothesis import strategies as st

from callwright.papers.tooldial.prediction_points import gold_act, gold_state, notes_of, prediction_points, user_turn_of
from callwright.papers.tooldial.state_matching import ACTS, same_state
from callwright.papers.tooldial.tooldial_protocol import VERSION
from callwright.papers.tooldial.tooldial_scoring import ERRORS, NO_RESPONSE, PANELS, judge, score
from callwright.protocol.scoring import NO_JUDGE, Scoring
from callwright.records.annotations.tooldial_notes import ToolDialNotes
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.jsontext import encode
from callwright.records.transcript import Row, Transcript

CORPUS = corpus_of()


def scoring(**options: Any) -> Scoring:
    return Scoring(run="r", model="m", protocol=VERSION, seed=0, data="d", options=options, resamples=10)


def transcript_of(dialogue: Dialogue, task: Any, replies: list[str]) -> Transcript:
    assert len(replies) == len(prediction_points(dialogue, task))
    turns = tuple(Turn("assistant", reply) for reply in replies)
    return Transcript(dialogue=dialogue.id, protocol=VERSION, model="m", turns=turns, ended="script")


def rows_of(transcripts: Mapping[Dialogue, Transcript], **options: Any) -> dict[tuple[str, str], Row]:
    found = score({one.id: one for one in transcripts}, {}, transcripts.values(), scoring=scoring(**options))
    return {(row.metric, " ".join(row.slice.values())): row for row in found}


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

    assert {error: share for error, share in found.items() if share} == {"value": 1.0, kind: 1.0}


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


# -- counts, reasons and signatures ------------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(at=st.integers(0, len(SEQUENCES) - 1), task=st.sampled_from(["state", "act", "overall"]), choices=st.data())
def test_one_transcript_judged_is_what_the_rows_say(at: int, task: Any, choices: st.DataObject) -> None:
    """The sums of a judged transcript are those of the report, and its error is that of the first wrong prediction."""
    one = CORPUS.dialogues[at]
    points = prediction_points(one, task)
    wrong = choices.draw(st.sets(st.integers(0, len(points) - 1), max_size=2))
    replies = [encode(gold_state(one, p)) if p.kind == "state" else gold_act(one, p) for p in points]
    for place in wrong:
        replies[place] = "{}" if points[place].kind == "state" else "suggest" if "suggest" in SEQUENCES[at] else "x"
    transcript = transcript_of(one, task, replies)
    (found,) = judge(one, transcript, {}, {"task": task, "history": "own", "model": "m"})
    rows = rows_of({one: transcript}, task=task, history="own")

    assert {metric for metric, slice_ in rows if not slice_} == found.sums.keys()
    for metric, (top, bottom) in found.sums.items():
        assert rows[metric, ""].value == pytest.approx(top / bottom)
    first = next(
        (
            point
            for point, reply in zip(points, replies, strict=True)
            if reply in ("{}", "x", "suggest") and reply != (gold_act(one, point) if point.kind == "act" else "")
        ),
        None,
    )
    assert found.right == (first is None)
    if first is not None:
        assert found.error in (
            ("format", "confirmation_true") if first.kind == "state" else ("act_none", "act_suggest")
        )
        assert found.why == f"turn {user_turn_of(one, first)} of the user, {first.kind}"


def test_the_first_class_is_the_error() -> None:
    """Of several classes the first of A.9 names the error of a transcript; an act is named by what was said."""
    (one,) = corpus_of([next(acts for acts in SEQUENCES if "fail_inform" not in acts and "call" in acts)]).dialogues
    golds = [gold_state(one, point) for point in prediction_points(one, "state")]
    status = next(gold["api_status"] for gold in golds if gold["api_confirmed"] == "true")
    status["required_parameters"] = {"cinema_id": "Z"}
    (found,) = judge(one, transcript_of(one, "state", [encode(gold) for gold in golds]), {}, {"task": "state"})
    acts = ["clarify"] * len(prediction_points(one, "act"))
    (act,) = judge(one, transcript_of(one, "act", acts), {}, {"task": "act"})
    (words,) = judge(one, _words(one), {}, {"task": "faithfulness"})

    assert (found.error, act.error, words.error) == ("slot", "act_clarify", "")


def _words(one: Dialogue, *, malformed: tuple[str, ...] = ()) -> Transcript:
    turns = (Turn("user", "hi"), Turn("assistant", "It is on."))
    return Transcript(
        dialogue=one.id, protocol=VERSION, model="m", turns=turns, ended="script", format_errors=malformed
    )


def test_faithfulness_waits_for_judges() -> None:
    """Responses have one unmeasured row; dialogues without a response are skipped and counted."""
    one, other, third = CORPUS.dialogues[:3]
    none = msgspec.structs.replace(_words(third), turns=())
    rows = rows_of({one: _words(one), other: _words(other, malformed=("empty",)), third: none}, task="faithfulness")
    row = rows["faithfulness", ""]

    assert rows.keys() == {("malformed_share", ""), ("faithfulness", "")}
    assert rows["malformed_share", ""].value == 0.5
    assert (row.value, row.n, row.n_skipped) == (None, 0, 1)
    assert row.why == f"{NO_JUDGE}; 1 skipped: {NO_RESPONSE}"
    assert row.signature.startswith("faithfulness.v1|judge:none|history:gold|protocol:")


def test_malformed_replies_are_a_share_of_replies() -> None:
    """Two of all replies were malformed, whatever was read in them."""
    one = CORPUS.dialogues[0]
    gold = [gold_act(one, point) for point in prediction_points(one, "act")]
    made = msgspec.structs.replace(transcript_of(one, "act", gold), format_errors=("a", "b"))

    assert rows_of({one: made}, task="act")["malformed_share", ""].value == pytest.approx(2 / len(gold))


def test_skipped_transcripts_are_counted_by_reason() -> None:
    """Reasons are put together over dialogues."""
    broken = {
        one: msgspec.structs.replace(_words(one), turns=(Turn("assistant", "x"),) * 40) for one in CORPUS.dialogues[:3]
    }
    row = rows_of(broken, task="state")["state_match", ""]

    assert row.n_skipped == 3
    assert "3 skipped: replies are missing" in row.why


def test_the_normaliser_is_an_option_of_scoring() -> None:
    """A value in another script matches anything under `paper`; the signature names normaliser, task and history."""
    one = CORPUS.dialogues[0]
    points = prediction_points(one, "state")
    replies = [encode(gold_state(one, point)).replace('"K9"', '"K9東京"') for point in points]
    made = {one: transcript_of(one, "state", replies)}
    ours = rows_of(made, task="state", history="none")["state_match", ""]
    paper = rows_of(made, task="state", history="none", normaliser="paper")["state_match", ""]

    assert (ours.value or 0) < (paper.value or 0) == 1.0
    assert "|task:state|history:none|normaliser:unicode|" in ours.signature
    assert "|task:state|history:none|normaliser:paper|" in paper.signature


def test_turns_are_listed_by_number() -> None:
    """Turn 10 comes after turn 9, acts and errors by name; each slice lists states before acts."""
    one = CORPUS.dialogues[0]
    long = msgspec.structs.replace(
        one,
        turns=one.turns[:2] * 10 + one.turns,
        annotation=ToolDialNotes(turns=notes_of(one).turns[:2] * 10 + notes_of(one).turns),
    )
    replies = ["call"] * len(prediction_points(long, "act"))
    rows = list(rows_of({long: transcript_of(long, "act", replies)}, task="act"))
    turns = [int(slice_) for metric, slice_ in rows if slice_.isdigit()]
    acts = [slice_ for metric, slice_ in rows if metric == "act_f1"]

    assert len(turns) > 10
    assert turns == sorted(turns)
    assert acts == sorted(acts)


def test_shares_have_a_digit_more_than_percents() -> None:
    """All tables print tenths of a percent, as the paper does; only accuracy by turn is drawn."""
    assert {panel.digits for panel in PANELS} == {3}
    assert [panel.slice for panel in PANELS if panel.bars] == ["turn"]
