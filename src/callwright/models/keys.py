"""The key of a server: read from the environment, sent in one header, and struck out wherever it might come back."""

from __future__ import annotations

import base64
import os
from typing import Final
from urllib.parse import quote

from callwright.errors import BadInput
from callwright.models.endpoint import STRUCK, Endpoint
from callwright.models.striking import Secret, cut_secret, strike, whole_secret

VARIABLE: Final = "OPENAI_API_KEY"

_LONG_SECRET = 24
"""Of keys this long, parts are struck too: those of shorter ones may be ordinary words."""
_SHORTEST_SECRET = 8
"""Shorter values are fillers such as `EMPTY` or `none`, and ordinary words must not be struck from replies."""


class ApiKey:
    """A key that shows itself nowhere but in the header it is sent in."""

    __slots__ = ("_key", "_secret")

    def __init__(self, key: str) -> None:
        """`key` may be empty: then nothing is sent. Raises BadInput for one that fits in no header."""
        key = key.strip()
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise BadInput(f"{VARIABLE} holds characters that no key has, such as a line break. Set it anew.")
        self._key = key
        self._secret: Secret | None = None
        if len(key) >= _LONG_SECRET:
            self._secret = cut_secret(key, _whole_forms(key))
        elif len(key) >= _SHORTEST_SECRET:
            self._secret = whole_secret(_whole_forms(key))

    @classmethod
    def from_environment(cls, endpoint: Endpoint) -> ApiKey:
        """Return the key in OPENAI_API_KEY. Raises BadInput where the endpoint needs one and there is none."""
        key = cls(os.environ.get(VARIABLE, ""))
        if endpoint.needs_key and not key:
            raise BadInput(
                f"{endpoint.name} needs a key: set {VARIABLE} in the environment, "
                "or give --base-url for a server of your own."
            )
        if key.strike(endpoint.name) != endpoint.name:
            raise BadInput(f"the model's name or base URL holds the key. Give it as {VARIABLE} alone.")
        return key

    def __bool__(self) -> bool:
        """Whether there is a key."""
        return bool(self._key)

    def __repr__(self) -> str:
        return f"ApiKey({STRUCK if self._key else ''})"

    def headers(self) -> dict[str, str]:
        """Return the header that carries the key; none without a key."""
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def strike(self, text: str) -> str:
        """Return `text` without the key, in whatever common form a server may have written it.

        A long key is struck in any letter case, and where only its beginning or its end stands, as in a line that was
        cut.
        """
        return text if self._secret is None else strike(self._secret, text, STRUCK)


def _whole_forms(key: str) -> set[str]:
    plain = key.encode()
    encoded = [base64.b64encode(prefix + plain).decode().rstrip("=") for prefix in (b"", b"Bearer ")]
    return {key, quote(key, safe=""), key[::-1], plain.hex(), *encoded}
