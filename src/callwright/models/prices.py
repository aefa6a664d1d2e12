"""Prices of models, from a file that anyone can copy and edit.

{"currency": "USD", "per_tokens": 1000000, "as_of": "2025-08",
 "models": {"openai/gpt-4o-mini": {"input": 0.15, "output": 0.6}}}
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import msgspec

from callwright.errors import BadDocument, BadInput

_MAX_BYTES = 4 * 1024 * 1024
_Amount = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model costs, in USD per `per_tokens` tokens."""

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
        """Return the price of this name, or of the name without its date: `gpt-4o` for `gpt-4o-2024-08-06`."""
        bare = name.partition("@http")[0]
        for known in (name, bare):
            if known in self.models:
                return self.models[known]
        stems = [stem for stem in self.models if bare.startswith(f"{stem}-") and bare[len(stem) + 1 :][:4].isdigit()]
        return self.models[max(stems, key=len)] if stems else None


def read_prices(path: Path | str | None = None) -> Prices:
    """Return the prices in a file, or the bundled ones. Raises BadInput, BadDocument."""
    if path is None:
        return _decoded((files("callwright.models") / "data" / "prices.json").read_bytes(), where="prices.json")
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from error
    return _decoded(content, where=str(path))


def _decoded(content: bytes, *, where: str) -> Prices:
    if len(content) > _MAX_BYTES:
        raise BadDocument(f"{where}: {len(content):,} bytes; a list of prices has at most {_MAX_BYTES:,}.")
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
