"""Usage of models by role, and its cost at prices from a file that anyone can copy and edit.

{"currency": "USD", "per_tokens": 1000000, "as_of": "2025-08",
 "models": {"openai/gpt-4o-mini": {"input": 0.15, "output": 0.6}}}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import msgspec

from callwright.errors import BadDocument, BadInput
from callwright.models.attempts import Attempt
from callwright.models.local_models import is_local

_MAX_BYTES = 4 * 1024 * 1024
_Amount = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The price of a model, in USD per `per_tokens` tokens."""

    input: _Amount
    output: _Amount


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A list of prices."""

    currency: str = "USD"
    per_tokens: Annotated[int, msgspec.Meta(ge=1)] = 1_000_000
    as_of: str = ""
    """Date of the prices, for readers."""
    models: dict[str, Price]
    """Price by full name; a name without the URL holds for every server."""

    def usd(self, name: str, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return the cost of some tokens of the model with this full name; None if its price is unknown."""
        return self.cost(self.price(name), tokens_in=tokens_in, tokens_out=tokens_out)

    def cost(self, price: Price | None, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return the cost of some tokens at a price; None without a price."""
        if price is None:
            return None
        return (price.input * tokens_in + price.output * tokens_out) / self.per_tokens

    def price(self, name: str) -> Price | None:
        """Return the price of a name, or of the name without its date; unlisted local models cost nothing."""
        bare = name.partition("@http")[0]
        for known in (name, bare):
            if known in self.models:
                return self.models[known]
        if is_local(name):
            return Price(input=0.0, output=0.0)
        stems = [stem for stem in self.models if bare.startswith(f"{stem}-") and bare[len(stem) + 1 :][:4].isdigit()]
        return self.models[max(stems, key=len)] if stems else None


def read_prices(path: Path | str | None = None) -> Prices:
    """Return the prices in a file, or the bundled ones. Raises BadInput, BadDocument."""
    if path is None:
        return _decoded((files("callwright.models") / "data" / "prices.json").read_bytes(), where="prices.json")
    try:
        with open(path, "rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from error
    return _decoded(content, where=str(path))


def _decoded(content: bytes, *, where: str) -> Prices:
    if len(content) > _MAX_BYTES:
        raise BadDocument(f"{where}: over {_MAX_BYTES:,} bytes. Give a list of prices.")
    try:
        prices = msgspec.json.decode(content, type=Prices)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadDocument(
            f"{where}: not a list of prices: {error}. "
            'Write {"models": {"openai/NAME": {"input": USD, "output": USD}}}, in USD per million tokens.'
        ) from error
    if prices.currency != "USD":
        raise BadDocument(f"{where}: prices in {prices.currency!r}. Give them in USD.")
    return prices


# -- usage -----------------------------------------------------------------------------------------------------------

BYTES_A_TOKEN: Final = 4


class RoleUsage(msgspec.Struct, kw_only=True):
    """Usage of one role."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    models: dict[str, tuple[int, int]] = {}
    """Tokens in and out by model, from which the cost is computed."""
    uncounted: int = 0
    """Replies whose tokens the server did not count."""
    usd: float | None = 0.0
    """None if a price is unknown or tokens were not counted; filled in by `UsageMeter.usage`."""


class UsageMeter:
    """Counts attempts; an observer of served models."""

    def __init__(self, prices: Prices) -> None:
        self.roles: dict[str, RoleUsage] = {}
        self.faults: Counter[str] = Counter()
        self._prices = prices
        self._by_model: dict[str, Price | None] = {}

    def on_attempt(self, outcome: Attempt) -> None:
        used = self.roles.setdefault(outcome.role, RoleUsage())
        used.calls += 1
        if outcome.failure is not None:
            self.faults[outcome.failure] += 1
        if outcome.tokens_in is None and outcome.tokens_out is None:
            used.uncounted += outcome.failure is None
            return
        tokens_in, tokens_out = outcome.tokens_in or 0, outcome.tokens_out or 0
        used.tokens_in += tokens_in
        used.tokens_out += tokens_out
        before_in, before_out = used.models.get(outcome.model, (0, 0))
        used.models[outcome.model] = (before_in + tokens_in, before_out + tokens_out)

    @property
    def usage(self) -> dict[str, RoleUsage]:
        """Usage of each role, with its cost; None if the cost is not completely known."""
        return {
            role: msgspec.structs.replace(used, usd=None if used.uncounted else self.counted_usd(role))
            for role, used in self.roles.items()
        }

    def counted_usd(self, role: str) -> float | None:
        """Return the cost of the counted tokens; None if a price is unknown."""
        models = self.roles[role].models
        return added(self.usd(name, tokens_in=put, tokens_out=got) for name, (put, got) in models.items())

    def usd(self, model: str, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return the cost of tokens of a model; None if its price is unknown."""
        if model not in self._by_model:
            self._by_model[model] = self._prices.price(model)
        return self._prices.cost(self._by_model[model], tokens_in=tokens_in, tokens_out=tokens_out)


def added(costs: Iterable[float | None]) -> float | None:
    total = 0.0
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total
