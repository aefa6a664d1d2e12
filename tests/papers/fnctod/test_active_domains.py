"""The domain of a turn from changes of the state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_multiwoz import slow_estimate

from callwright.papers.fnctod.active_domains import estimated_domains

HOTEL, HOTEL2, TRAIN = {"area": "east"}, {"area": "east", "stars": "4"}, {"day": "monday"}
STATES = st.dictionaries(
    st.sampled_from(["hotel", "train", "taxi"]),
    st.dictionaries(st.sampled_from("abc"), st.sampled_from("xy"), max_size=3),
)


@pytest.mark.parametrize(
    ("states", "found"),
    [
        ([{}, {"hotel": HOTEL}], [[], ["hotel"]]),
        ([{"hotel": HOTEL}, {"hotel": HOTEL}], [["hotel"], ["hotel"]]),
        ([{"hotel": HOTEL2, "train": TRAIN}], [["hotel"]]),
        ([{"hotel": HOTEL, "train": TRAIN}], [["hotel"]]),
        # Both changed and the current one stayed: without a further change the other one's turn comes, once.
        (
            [{"hotel": HOTEL}, {"hotel": HOTEL2, "train": TRAIN}, *[{"hotel": HOTEL2, "train": TRAIN}] * 2],
            [["hotel"], ["hotel"], ["train"], ["train"]],
        ),
        ([{"hotel": HOTEL2}, {"hotel": HOTEL}, {}], [["hotel"], ["hotel"], ["hotel"]]),
    ],
)
def test_the_domain_is_the_one_that_moved(states: list[dict[str, dict[str, str]]], found: list[list[str]]) -> None:
    assert list(estimated_domains(states)) == found


@given(st.lists(STATES, max_size=6))
def test_the_estimate_equals_the_slow_one(states: list[dict[str, dict[str, str]]]) -> None:
    assert list(estimated_domains(states)) == slow_estimate(states)
