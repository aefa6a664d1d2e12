"""Review rounds: what is drawn, what is left, and when it is enough."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.app.reviewing import (
    Marker,
    Review,
    Round,
    Verdict,
    current_round,
    is_finished,
    make_mark,
    seen,
    summary,
    unmarked,
    wrong_ids,
)
from callwright.errors import BadInput, BadOption, UnknownName


def fresh(n: int) -> Review:
    return Review({f"d{number:03}": "as it was" for number in range(n)})


def drawn(review: Review, *, share: float = 0.2, seed: int = 0) -> Round:
    found = current_round(review, share=share, seed=seed)
    assert found is not None
    return found


def mark(review: Review, id_: str, verdict: Verdict = "right", note: str = "", **options: float) -> Review:
    now = drawn(review, **options)  # type: ignore[arg-type]
    rounds = review.rounds if now in review.rounds else (*review.rounds, now)
    return Review(review.digests, rounds, (*review.marks, make_mark(review, now, id_, verdict, note)))


def mark_round(review: Review, verdict: Callable[[int], Verdict] = lambda _: "right", **options: float) -> Review:
    for place, id_ in enumerate(drawn(review, **options).ids):  # type: ignore[arg-type]
        review = mark(review, id_, verdict(place), **options)
    return review


def first_wrong(place: int) -> Verdict:
    return "right" if place else "wrong"


WORDS = st.lists(st.tuples(st.sampled_from(["", "ada", "bo"]), st.integers(0, 4), st.booleans()), max_size=30)


@given(WORDS)
def test_a_dialogue_is_wrong_where_anyones_last_word_is_so(words: list[tuple[str, int, bool]]) -> None:
    """Equal to reading the marks from the last to the first; all who marked it are counted."""
    review = fresh(5)
    now = drawn(review, share=1.0)
    for by, place, is_right in words:
        made = make_mark(review, now, f"d{place:03}", "right" if is_right else "wrong", person=Marker(by))
        review = Review(review.digests, (now,), (*review.marks, made))
    last: dict[tuple[str, int], bool] = {}
    for by, place, is_right in reversed(words):
        last.setdefault((by, place), is_right)
    wrong = {f"d{place:03}" for (_, place), is_right in last.items() if not is_right}

    found = summary(review)
    assert wrong_ids(review) == {one.id for one in found.wrong} == wrong
    assert found.reviewers == Counter(by for by, _ in last)
    by_dialogue = [[right for (_, at), right in last.items() if at == place] for place in range(5)]
    shared = [len(set(said)) == 1 for said in by_dialogue if len(said) > 1]
    assert found.agreed == (sum(shared) / len(shared) if shared else None)
    assert found.agreement.n == len(shared)


@given(st.integers(1, 40), st.sampled_from([0.05, 0.1, 0.2, 0.5, 1.0]), st.integers(0, 5))
def test_with_all_right_it_is_finished_once_every_dialogue_was_seen(n: int, share: float, seed: int) -> None:
    """Never before, and after as many rounds as the share needs."""
    review = fresh(n)
    rounds = 0
    while not is_finished(review):
        assert len(seen(review)) < n
        review = mark_round(review, share=share, seed=seed)
        rounds += 1

    assert len(seen(review)) == n
    assert rounds == math.ceil(n / math.ceil(Fraction(str(share)) * n))


def test_the_size_of_a_round_is_rounded_up_from_the_share_as_typed() -> None:
    """A tenth of 30 is 3, although 0.1 is a little more in binary; a fifth of 11 is 3."""
    assert len(drawn(fresh(30), share=0.1).ids) == 3
    assert len(drawn(fresh(11)).ids) == 3


def test_a_wrong_mark_demands_another_round() -> None:
    """Every dialogue was seen, yet the round found an error; one without ends it."""
    review = mark_round(fresh(5), first_wrong, share=1.0)
    assert (len(seen(review)), is_finished(review)) == (5, False)

    review = mark_round(review)

    assert is_finished(review)
    assert [one.error_rate for one in summary(review).rounds] == [0.2, 0.0]


def test_the_same_seed_draws_the_same_round() -> None:
    """And another seed another."""
    assert drawn(fresh(50), seed=3) == drawn(fresh(50), seed=3)
    assert drawn(fresh(50), seed=3).ids != drawn(fresh(50), seed=4).ids


def test_an_unfinished_round_goes_on_whatever_share_and_seed_are_given() -> None:
    """Only what is unmarked is left of it."""
    review = fresh(20)
    ids = drawn(review).ids
    review = mark(review, ids[0])

    going_on = drawn(review, share=0.9, seed=8)

    assert unmarked(review, going_on) == ids[1:]


def test_a_dialogue_made_anew_is_unseen_and_its_wrong_mark_void() -> None:
    """The round found the error all the same, and the next one shows the new dialogue first."""
    review = mark_round(fresh(4), first_wrong, share=1.0)
    (wrong,) = summary(review).wrong

    anew = review._replace(digests={**review.digests, wrong.id: "made anew"})

    assert summary(anew).wrong == ()
    assert summary(anew).seen == 3
    assert summary(anew).rounds[0].wrong == 1
    assert drawn(anew).ids == (wrong.id,)


def test_an_error_mended_and_marked_again_in_its_round_was_found_all_the_same() -> None:
    """The round asks for another one."""
    review = fresh(2)
    review = mark(review, "d000", "wrong", share=1.0)
    review = review._replace(digests={**review.digests, "d000": "made anew"})
    review = mark(mark(review, "d000"), "d001")

    assert summary(review).rounds[0].wrong == 1
    assert not is_finished(review)


def test_the_later_mark_of_a_dialogue_in_a_round_holds() -> None:
    """A slip is corrected by marking again."""
    review = mark(mark(fresh(2), "d000", "wrong", share=1.0), "d000")

    assert summary(review).rounds[0].wrong == 0
    assert summary(review).wrong == ()


def test_dialogues_that_were_taken_out_are_not_waited_for() -> None:
    """The round is whole without them."""
    review = mark(fresh(2), "d000", share=1.0)

    assert is_finished(review._replace(digests={"d000": "as it was"}))


def test_nothing_marked_is_no_error_rate() -> None:
    """A rate over nothing is no number."""
    review = fresh(5)

    assert summary(review._replace(rounds=(drawn(review),))).rounds[0].error_rate is None


@pytest.mark.parametrize("share", [0.0, -1.0, 1.5, math.nan, math.inf])
def test_a_share_of_nothing_or_more_than_all_is_refused(share: float) -> None:
    """The error says what fits."""
    with pytest.raises(BadOption, match="above 0 and up to 1"):
        current_round(fresh(3), share=share)


def test_ids_that_cannot_be_marked_are_refused() -> None:
    """Unknown, not in the round, and fitting several: each says what to do."""
    review = fresh(10)
    now = drawn(review)
    other = next(id_ for id_ in review.digests if id_ not in now.ids)

    with pytest.raises(UnknownName, match="no id of the dataset begins with 'x'"):
        make_mark(review, now, "x", "right")
    with pytest.raises(BadInput, match="not in round 1"):
        make_mark(review, now, other, "right")
    with pytest.raises(UnknownName, match="Give more"):
        make_mark(review, now, "d", "right")
