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

from callwright.papers.tooldial.prediction_points import gold_act, gold_state, prediction_points, user_turn_of
from callwright.papers.tooldial.state_matching import ACTS, same_state
from callwright.papers.tooldial.tooldial_protocol import VERSION
from callwright.papers.tooldial.tooldial_scoring import ERRORS, score
from callwright.protocol.scoring import Scoring
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
