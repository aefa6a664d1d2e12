"""Decoding settings: what is sent, and what no server could take."""

from __future__ import annotations

import math

import pytest

from callwright.errors import BadInput
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.endpoint import read_endpoint
from fake_server import ask

MINE = read_endpoint("openai/any", base_url="http://127.0.0.1:9/v1")


def test_what_is_not_said_is_left_to_the_server() -> None:
    """No field is sent, and nothing stands in the run's configuration."""
    assert AS_SERVED.config == AS_SERVED.fields(MINE) == {}
    assert not {"temperature", "top_p", "max_tokens", "max_completion_tokens"} & set(ask()[1].asked[0])


def test_settings_are_sent_with_every_request() -> None:
    """Also with retries and after the first reply; 0 is a setting."""
    _, server = ask(decoding=Decoding(temperature=0, top_p=0.5, max_tokens=7), times=2)

    assert len(server.asked) > 1
    for body in server.asked:
        assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0, 0.5, 7)


def test_openai_knows_the_longest_reply_by_another_name() -> None:
    """Its newer models refuse the old one, which other servers know."""
    assert Decoding(max_tokens=7).fields(read_endpoint("openai/gpt-4o")) == {"max_completion_tokens": 7}
    assert Decoding(max_tokens=7).fields(MINE) == {"max_tokens": 7}


@pytest.mark.parametrize(
    "setting",
    [
        *({"temperature": value} for value in (-0.1, math.inf, math.nan)),
        *({"top_p": value} for value in (0, 1.1, math.nan)),
        *({"max_tokens": value} for value in (0, -1)),
    ],
)
def test_what_no_server_can_take_is_refused(setting: dict[str, float]) -> None:
    """Before anything is asked."""
    with pytest.raises(BadInput):
        Decoding(**setting)  # type: ignore[arg-type]


def test_settings_of_a_user_stand_over_those_of_a_protocol() -> None:
    paper = Decoding(temperature=0.3, top_p=0.2, max_tokens=128)
    assert AS_SERVED.over(paper) == paper
    assert Decoding(temperature=0, max_tokens=9).over(paper) == Decoding(temperature=0, top_p=0.2, max_tokens=9)
