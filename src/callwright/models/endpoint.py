"""Where a served model lives: `openai/NAME`, or `openai/NAME@URL` for any server that speaks the same protocol."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

import msgspec

from callwright.errors import BadInput

PREFIX: Final = "openai/"
OPENAI_URL: Final = "https://api.openai.com/v1"

STRUCK: Final = "[key]"

_KEY: Final = re.compile(r"\bsk-[\w-]{16,}", re.ASCII)
"""How the keys of OpenAI and of those who copy it begin."""


def without_likely_keys(text: str) -> str:
    """Return `text` without what looks like a key, whosever it is: for words of errors, which nobody computes with."""
    return _KEY.sub(STRUCK, text)


class Endpoint(msgspec.Struct, frozen=True):
    """A model on a server."""

    model: str
    """Name the server knows it by, such as `gpt-4o-mini` or `meta-llama/Llama-3.1-8B`."""
    url: str = OPENAI_URL
    """Where its routes begin, without a slash at the end."""

    @property
    def name(self) -> str:
        """Full name: `openai/NAME` at OpenAI itself, else `openai/NAME@URL`. Another server is another model."""
        return f"{PREFIX}{self.model}" if self.is_openai else f"{PREFIX}{self.model}@{self.url}"

    @property
    def is_openai(self) -> bool:
        """Whether the server is OpenAI's own."""
        return self.url == OPENAI_URL

    @property
    def needs_key(self) -> bool:
        """Whether nothing can be asked without a key."""
        return self.is_openai


def is_served(name: str) -> bool:
    """Return whether this full name is that of a model behind a server."""
    return name.startswith(PREFIX)


def read_endpoint(name: str, *, base_url: str | None = None) -> Endpoint:
    """Return where `openai/NAME` or `openai/NAME@URL` lives; a URL in the name goes before `base_url`.

    Raises BadInput for an empty name and for a URL that cannot be used. What may be secret in a URL is never repeated.

    >>> read_endpoint("openai/any", base_url="http://127.0.0.1:8123/v1/").name
    'openai/any@http://127.0.0.1:8123/v1'
    """
    model, url = name.removeprefix(PREFIX), base_url
    for scheme in ("@http://", "@https://"):  # a model's own name may hold an `@`
        if scheme in model:
            model, _, rest = model.partition(scheme)
            url = scheme[1:] + rest
            break
    if _KEY.search(name) or (url is not None and _KEY.search(url)):
        raise BadInput(
            "the model's name or base URL holds what looks like a key, which would be kept with the run. Give it as "
            "OPENAI_API_KEY in the environment alone."
        )
    if not model or not model.isprintable():
        raise BadInput(f"model {PREFIX!r} lacks a name. Write openai/NAME, or openai/NAME@http://HOST:PORT/v1.")
    return Endpoint(model, OPENAI_URL if url is None else _checked(url))


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise BadInput("the base URL cannot be read. Write it as http://HOST:PORT/v1.") from error
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise BadInput("the base URL is none of a web server. Write it as http://HOST:PORT/v1.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise BadInput(
            "the base URL holds a user name, a password, a query or a fragment, which may be secret and would be kept "
            "with the run. Give the bare URL, and the key as OPENAI_API_KEY in the environment."
        )
    return url.rstrip("/").removesuffix("/chat/completions")
