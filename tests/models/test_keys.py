"""Keys: used in one header, seen nowhere."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.errors import BadInput
from callwright.models.endpoint import Endpoint
from callwright.models.keys import PIECE, STRUCK, VARIABLE, ApiKey, pieces_of, strike_parts

KEY = "sk-planted/0123456789+abc"


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        KEY.replace("/", "%2F").replace("+", "%2B"),
        base64.b64encode(KEY.encode()).decode(),
        base64.b64encode(f"Bearer {KEY}".encode()).decode(),
        KEY[::-1],
        KEY.upper(),
        KEY[:13],
        KEY[-13:],
    ],
)
def test_a_key_is_struck_in_every_common_form(form: str) -> None:
    """Plain, quoted, in base64, reversed, shouted or cut, all of it is struck."""
    assert ApiKey(KEY).strike(f"bad key {form}!").replace("=", "") == f"bad key {STRUCK}!"


@given(
    st.text("abcd01", min_size=24, max_size=60), st.data(), st.text("xyz ", max_size=40), st.text("xyz ", max_size=40)
)
def test_the_middle_of_a_key_is_struck(key: str, data: st.DataObject, before: str, after: str) -> None:
    """Any stretch of two pieces' length, wherever it stands and in any case; shorter ones stay."""
    start = data.draw(st.integers(0, len(key) - 2 * PIECE))
    stop = data.draw(st.integers(start + 2 * PIECE, len(key)))
    part = data.draw(st.sampled_from((key[start:stop], key[start:stop].upper())))
    assert strike_parts(pieces_of(key), before + part + after, STRUCK) == before + STRUCK + after
    short = key[start : start + 2 * PIECE - 1]
    assert strike_parts(pieces_of(key), before + short + after, STRUCK) == before + short + after


@given(st.text("ab", min_size=24, max_size=40), st.text("abx", max_size=80))
def test_what_is_left_holds_no_long_part(key: str, text: str) -> None:
    """No stretch of two pieces that the key holds is left, and nothing is struck where there is none."""
    left = strike_parts(pieces_of(key), text, "#")
    parts = {key[at : at + 2 * PIECE] for at in range(len(key) - 2 * PIECE + 1)}
    assert not any(part in left for part in parts)
    alien = all(text[at : at + PIECE] not in key for at in range(len(text) - PIECE + 1))
    assert left == text if alien else True


def test_a_filler_is_not_struck() -> None:
    """What stands in for a key with servers that want none is an ordinary word."""
    assert ApiKey("EMPTY").strike("EMPTY") == "EMPTY"
    assert ApiKey("").strike("anything") == "anything"


def test_a_key_does_not_show_itself() -> None:
    """Neither `repr` nor `str` tells the key."""
    assert KEY not in repr(ApiKey(KEY)) + str(ApiKey(KEY))


def test_openai_needs_a_key_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a base URL a missing key is an error that names the variable; with one there is simply no header."""
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(BadInput, match=VARIABLE):
        ApiKey.from_environment(Endpoint("gpt-4o"))
    assert ApiKey.from_environment(Endpoint("any", "http://h/v1")).headers() == {}


@pytest.mark.parametrize("key", ["sk-planted\nX-Other: 1", "sk planted", "sk-plantéd"])
def test_a_key_that_fits_in_no_header_is_refused(key: str) -> None:
    """Line breaks would add headers; the message does not repeat the key."""
    with pytest.raises(BadInput) as caught:
        ApiKey(key)
    assert "plant" not in str(caught.value)


def test_a_key_in_the_name_or_url_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names and URLs are kept with runs, so a key in one is an error that does not repeat it."""
    monkeypatch.setenv(VARIABLE, "sk-planted-0123456789")
    for endpoint in (Endpoint("sk-planted-0123456789", "http://h"), Endpoint("m", "http://h/sk-planted-0123456789/v1")):
        with pytest.raises(BadInput) as caught:
            ApiKey.from_environment(endpoint)
        assert "planted" not in str(caught.value)
