"""Where a model is asked: `openai/NAME`, `openai/NAME@URL` for any server with the same API, or `local/PATH.gguf`."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

import msgspec

from callwright.errors import BadInput
from callwright.models.local_models import AS_IN_FILE, LocalSettings, is_local, open_local

PREFIX: Final = "openai/"
OPENAI_URL: Final = "https://api.openai.com/v1"

STRUCK: Final = "[key]"

_KEY: Final = re.compile(r"\bsk-[\w-]{16,}", re.ASCII)
"""Prefixes of the keys of OpenAI and similar providers."""


def without_likely_keys(text: str) -> str:
    """Return `text` with anything that looks like an API key redacted; for error messages only."""
    return _KEY.sub(STRUCK, text)


class Endpoint(msgspec.Struct, frozen=True):
    """A model on a server."""

    model: str
    """The server's name for the model, such as `gpt-4o-mini` or `meta-llama/Llama-3.1-8B`."""
    url: str = OPENAI_URL
    local: str = ""
    """Full name of a model of this machine (see `local_models`), which has no other URL; empty for a server's."""

    @property
    def name(self) -> str:
        """Full name: `openai/NAME` at OpenAI itself, else `openai/NAME@URL`. The URL is part of the identity."""
        if self.local:
            return self.local
        return f"{PREFIX}{self.model}" if self.is_openai else f"{PREFIX}{self.model}@{self.url}"

    @property
    def is_openai(self) -> bool:
        """Whether the server is OpenAI's own, which requires a key."""
        return self.url == OPENAI_URL and not self.local


def is_served(name: str) -> bool:
    """Return whether this is the full name of a model that is asked over HTTP: a server's, or one of this machine."""
    return name.startswith(PREFIX) or is_local(name)


def read_endpoint(name: str, *, base_url: str | None = None, local: LocalSettings = AS_IN_FILE) -> Endpoint:
    """Return the endpoint of `openai/NAME`, `openai/NAME@URL` or `local/PATH.gguf`.

    A URL in the name takes precedence over `base_url`; `local` applies to models of this machine alone.

    Raises BadInput for an empty name, an unusable file, and an unusable URL, without repeating parts of the URL that
    may be secret.

    >>> read_endpoint("openai/any", base_url="http://127.0.0.1:8123/v1/").name
    'openai/any@http://127.0.0.1:8123/v1'
    """
    if is_local(name):
        return Endpoint("local", local=open_local(name, local).name)
    model, url = name.removeprefix(PREFIX), base_url
    for scheme in ("@http://", "@https://"):  # a model's name may contain an `@`
        if scheme in model:
            model, _, rest = model.partition(scheme)
            url = scheme[1:] + rest
            break
    if _KEY.search(name) or (url is not None and _KEY.search(url)):
        raise BadInput(
            "the model's name or base URL contains text that looks like a key and would be saved with the "
            "run. Give the key as OPENAI_API_KEY in the environment only."
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
        raise BadInput("the base URL is not a web address. Write it as http://HOST:PORT/v1.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise BadInput(
            "the base URL holds a user name, a password, a query or a fragment, which may be secret and would be saved "
            "with the run. Give the bare URL, and the key as OPENAI_API_KEY in the environment."
        )
    return url.rstrip("/").removesuffix("/chat/completions")
