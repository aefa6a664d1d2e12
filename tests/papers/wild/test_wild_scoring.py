"""The rows of the wild protocol: metrics, slices, and the identities that hold in every report."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean

import pytest

from callwright.errors import BadInput
from callwright.papers.wild.task_verdict import ERRORS
from callwright.records.dialogue import Dialogue
from callwright.records.transcript import Transcript
from hand_sessions import (
    AIR,
    CHAIN,
    CHAT,
    CLARIFY,
    DETAIL,
    FORECAST,
    MIXED,
    PARALLEL,
    PORTO,
    SINGLE,
    Plan,
    Scripted,
    builtin,
    call,
    gold,
    rolled_out,
    rows_of,
    say,
    session,
    values,
)


def test_one_transcript_is_scored_both_ways() -> None:
    """What strict matching takes for wrong, lenient matching may take for right, from the same transcript."""
    dialogue = session(SINGLE)
    transcript = rolled_out(Scripted([call((AIR[0], {"city": "porto"})), say()]), dialogue)

    strict, lenient = (rows_of([dialogue], [transcript], match=match) for match in ("strict", "lenient"))

    assert (values(strict, "task_acc"), values(lenient, "task_acc")) == ({"": 0.0}, {"": 1.0})
    assert "match:strict(schema)" in strict[0].signature
    assert "match:lenient(" in lenient[0].signature


def test_free_text_may_be_near_unless_matching_is_strict() -> None:
    """By default, and the signature says so; a name is exact."""
    told = ("send_message", {"message": "The concert in Porto begins at eight"})
    dialogue = session(Plan("single", "Tell them that the concert in Porto begins at eight.", gold(told)))
    near = rolled_out(
        Scripted([call((told[0], {"message": "the concert in Porto starts at eight!"})), say()]), dialogue
    )

    found = [rows_of([dialogue], [near], **match) for match in ({}, {"match": "strict"})]

    assert [values(rows, "task_acc") for rows in found] == [{"": 1.0}, {"": 0.0}]
    assert "match:near(schema+strings=near_text)" in found[0][0].signature


def balanced() -> list[Dialogue]:
    """Return four sessions in which every kind stands once at every position."""
    kinds = (SINGLE, MIXED, CLARIFY, CHAT)
    return [session(*kinds[turn:], *kinds[:turn], id_=f"s{turn}") for turn in range(4)]


def random_transcripts(dialogues: Sequence[Dialogue], seed: int) -> list[Transcript]:
    """Return transcripts of a model that is right by chance."""
    chance = Random(seed)
    return [builtin(chance.choice(["builtin/oracle", "builtin/abstain", "builtin/eager"]), one) for one in dialogues]


@pytest.mark.parametrize("seed", range(6))
def test_the_identities_hold(seed: int) -> None:
    """Mean of kinds = mean of positions = task accuracy; no session accuracy above that of a position."""
    dialogues = balanced()
    rows = rows_of(dialogues, random_transcripts(dialogues, seed))

    whole, session_acc = values(rows, "task_acc")[""], values(rows, "session_acc")[""]
    by_position = values(rows, "task_acc", "position")
    assert whole is not None
    assert session_acc is not None
    assert fmean(value or 0 for value in values(rows, "task_acc", "kind").values()) == pytest.approx(whole)
    assert fmean(value or 0 for value in by_position.values()) == pytest.approx(whole)
    assert all(session_acc <= (value or 0) for value in by_position.values())
    shares = [value for value in values(rows, "error_share", "error").values() if value is not None]
    assert not shares or sum(shares) == pytest.approx(1)


def test_every_class_has_its_row_in_order() -> None:
    """Error shares are of failed tasks, in the order of the classes; None where none failed."""
    dialogue = session(CHAT, SINGLE, SINGLE)
    rows = rows_of([dialogue], [rolled_out(Scripted([call(AIR), say("no"), call(AIR), say()]), dialogue)])
    perfect = rows_of([dialogue], [builtin("builtin/oracle", dialogue)])

    assert list(values(rows, "error_share", "error")) == list(ERRORS)
    assert {error: share for error, share in values(rows, "error_share", "error").items() if share} == {
        "refusal": 0.5, "wrong_refusal": 0.5,
    }  # fmt: skip
    assert set(values(perfect, "error_share", "error").values()) == {None}


def test_path_rates_have_their_denominators() -> None:
    """OP is over P and S+P tasks; AP is over the gold calls of S and S+P tasks, without closing actions."""
    dialogue = session(PARALLEL, CHAIN, MIXED, SINGLE)
    model = Scripted(
        [call(AIR), call(FORECAST), say(), call(PORTO), say(), call(FORECAST), call(PORTO), call(PORTO), say("no")]
    )

    rows = rows_of([dialogue], [rolled_out(model, dialogue)])

    assert values(rows, "op_rate") == {"": 0.0}
    assert values(rows, "ap_rate")[""] == pytest.approx(3 / 5)
    assert values(rows, "ap_rate", "topology") == {"S": 0.5, "S+P": pytest.approx(2 / 3)}
    assert values(rows, "task_acc", "topology") == {"P": 1.0, "S": 0.0, "S+P": 0.0}
    assert values(rows, "op_rate", "topology") == {"P": 0.0, "S+P": 0.0}


def test_slices() -> None:
    """Tasks are sliced by hiding, changes of kind, the previous task's kind, and what the model did in it."""
    dialogue = session(SINGLE, PARALLEL, CHAIN, CHAT)
    model = Scripted([say("no"), call(AIR, FORECAST), say(), call(PORTO), call(DETAIL), say(), say()])

    rows = rows_of([dialogue], [rolled_out(model, dialogue)])

    assert values(rows, "task_acc", "hiding") == {"coreference": 1.0, "none": 0.5, "partial": 1.0}
    assert values(rows, "task_acc", "transitions") == {"2": 0.75}
    assert values(rows, "session_acc", "transitions") == {"2": 0.0}
    assert values(rows, "task_acc", "previous_kind") == {"first": 0.0, "multi": 1.0, "single": 1.0}
    assert values(rows, "task_acc", "previous_own") == {"call": 1.0, "first": 0.0, "parallel": 1.0, "words": 1.0}


def test_oracles() -> None:
    """The oracle is right everywhere and optimal; one that makes a call a step is right and never optimal."""
    dialogues = balanced()
    both = [
        rows_of(dialogues, [builtin(name, one) for one in dialogues])
        for name in ("builtin/oracle", "builtin/oracle-sequential")
    ]

    for rows in both:
        assert [values(rows, metric)[""] for metric in ("task_acc", "session_acc", "ap_rate")] == [1.0] * 3
    assert [values(rows, "op_rate")[""] for rows in both] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("name", "kinds", "errors"),
    [
        ("builtin/abstain", {"chat"}, {"refusal"}),
        ("builtin/eager", {"single"}, {"wrong_name", "wrong_refusal", "param_value", "call_error"}),
    ],
)
def test_baselines_fail_as_they_are_built(name: str, kinds: set[str], errors: set[str]) -> None:
    """One that never calls refuses; one that always calls errs in chats, and where it must ask."""
    dialogues = balanced()

    rows = rows_of(dialogues, [builtin(name, one) for one in dialogues])

    assert {kind for kind, value in values(rows, "task_acc", "kind").items() if value} == kinds
    assert {error for error, share in values(rows, "error_share", "error").items() if share} <= errors


def test_trials_of_one_session_are_drawn_together() -> None:
    """Two trials are two sessions and one dialogue."""
    dialogue = session(SINGLE, CHAT)
    first, second = builtin("builtin/oracle", dialogue), builtin("builtin/abstain", dialogue)

    rows = rows_of([dialogue], [first, second])

    assert values(rows, "session_acc") == {"": 0.5}
    assert rows[0].n == 1


def test_transcripts_of_other_data_are_refused() -> None:
    """A transcript whose dialogue is not among the data is named."""
    dialogue = session(CHAT)

    with pytest.raises(BadInput, match="not among the data"):
        rows_of([], [builtin("builtin/oracle", dialogue)])
