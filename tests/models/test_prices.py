"""Prices from a file, and what calls cost by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from callwright.errors import BadDocument, BadInput
from callwright.models.attempts import Attempt
from callwright.models.prices import Price, Prices, UsageMeter, added, read_prices

PRICES = Prices(
    models={"openai/a": Price(2.0, 8.0), "openai/a-mini": Price(1.0, 4.0), "openai/b@http://h": Price(0, 0)}
)


@pytest.mark.parametrize(
    ("name", "usd"),
    [
        ("openai/a", 10.0),
        ("openai/a@http://h/v1", 10.0),
        ("openai/a-2024-08-06", 10.0),
        ("openai/a-mini-2024-08-06", 5.0),
        ("openai/a-large", None),
        ("openai/b@http://h", 0.0),
        ("openai/b", None),
    ],
)
def test_a_price_is_found_by_name(name: str, usd: float | None) -> None:
    """With or without URL and date; a name that is not listed has no price rather than none to pay."""
    assert PRICES.usd(name, tokens_in=1_000_000, tokens_out=1_000_000) == usd


def test_the_bundled_file_is_an_example(tmp_path: Path) -> None:
    """A copy of the bundled file reads as the same prices."""
    import callwright.models.prices as module

    bundled = Path(module.__file__).parent / "data" / "prices.json"
    (tmp_path / "mine.json").write_bytes(bundled.read_bytes())
    assert read_prices(tmp_path / "mine.json") == read_prices()
    assert read_prices().usd("openai/gpt-4o-mini", tokens_in=1_000_000, tokens_out=0) == 0.15


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b'{"models": {"openai/a": {"input": -1, "output": 1}}}', b'{"models": {"openai/a": {"in": 1}}}',
     b'{"models": {}, "currency": "EUR"}', b'{"models": {}, "per_tokens": 0}', b"\xff"],
)  # fmt: skip
def test_a_broken_file_is_named(tmp_path: Path, content: bytes) -> None:
    """What is no list of prices is an error with the file's name."""
    (tmp_path / "mine.json").write_bytes(content)
    with pytest.raises(BadDocument, match=r"mine\.json"):
        read_prices(tmp_path / "mine.json")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A file that is not there is an error."""
    with pytest.raises(BadInput, match=r"none\.json"):
        read_prices(tmp_path / "none.json")


def attempt(model: str = "openai/a", role: str = "model", **fields: object) -> Attempt:
    return Attempt(model=model, role=role, seconds=0.1, **fields)  # type: ignore[arg-type]  # varied by tests


def test_usage_counts_by_role_also_what_failed() -> None:
    """Tokens of replies that could not be used are paid for too; faults are counted by kind."""
    meter = UsageMeter(PRICES)
    meter.on_attempt(attempt(tokens_in=500_000, tokens_out=0))
    meter.on_attempt(attempt(tokens_in=0, tokens_out=125_000, failure="bad_reply", will_retry=True))
    meter.on_attempt(attempt(failure="rate_limited"))
    meter.on_attempt(attempt(role="user"))
    assert (meter.usage["model"].calls, meter.usage["model"].usd) == (3, 2.0)
    assert meter.roles["user"].uncounted == 1
    assert meter.faults == {"bad_reply": 1, "rate_limited": 1}
    assert meter.counted_usd("user") == 0.0
    assert meter.usage["user"].usd is None  # what the server did not count is not free


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    """A cost that is not known is never taken for 0."""
    meter = UsageMeter(PRICES)
    meter.on_attempt(attempt(tokens_in=1, tokens_out=1))
    meter.on_attempt(attempt(model="openai/local", tokens_in=1, tokens_out=1))
    assert meter.usage["model"].usd is None
    assert added([1.0, None]) is None
