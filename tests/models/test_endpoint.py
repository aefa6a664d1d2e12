"""Names and addresses of served models."""

from __future__ import annotations

import pytest

from callwright.errors import BadInput
from callwright.models.endpoint import OPENAI_URL, Endpoint, read_endpoint


@pytest.mark.parametrize(
    ("name", "base_url", "endpoint"),
    [
        ("openai/gpt-4o", None, Endpoint("gpt-4o", OPENAI_URL)),
        ("openai/a/b:7b", "http://h:1/v1/", Endpoint("a/b:7b", "http://h:1/v1")),
        ("openai/a@https://h/v1", "http://other/v1", Endpoint("a", "https://h/v1")),
        ("openai/a@b", "http://h/v1/chat/completions", Endpoint("a@b", "http://h/v1")),
    ],
)
def test_a_url_in_the_name_goes_first(name: str, base_url: str | None, endpoint: Endpoint) -> None:
    """`openai/NAME@URL` overrides the base URL, which overrides OpenAI's; the full name is read as itself again."""
    assert read_endpoint(name, base_url=base_url) == endpoint
    assert read_endpoint(endpoint.name) == endpoint


@pytest.mark.parametrize(
    "url",
    [
        "http://user:s3cr3t-s3cr3t@h/v1",
        "http://s3cr3t-s3cr3t@h/v1",
        "http://h/v1?api_key=s3cr3t-s3cr3t",
        "http://h/v1#s3cr3t-s3cr3t",
        "ftp://s3cr3t-s3cr3t/v1",
        "http://[s3cr3t-s3cr3t/v1",
        "http://h:s3cr3t-s3cr3t/v1",
        "s3cr3t-s3cr3t",
        "",
    ],
)
def test_what_may_be_secret_is_refused_and_not_repeated(url: str) -> None:
    """Every part of a URL that may hold a secret is refused; no message repeats it."""
    with pytest.raises(BadInput, match="base URL") as caught:
        read_endpoint("openai/any", base_url=url)
    assert "s3cr3t" not in str(caught.value)


def test_a_name_is_needed() -> None:
    """A model without a name is an error."""
    with pytest.raises(BadInput, match="lacks a name"):
        read_endpoint("openai/")


@pytest.mark.parametrize(
    ("name", "base_url"),
    [("openai/sk-proj-0123456789abcdef", None), ("openai/any", "http://h/sk-0123456789abcdefgh/v1")],
)
def test_what_looks_like_a_key_is_refused_unsaid(name: str, base_url: str | None) -> None:
    """Names and URLs are kept with runs, and a key pasted there need not be the one in the environment."""
    with pytest.raises(BadInput, match="looks like a key") as caught:
        read_endpoint(name, base_url=base_url)
    assert "0123" not in str(caught.value)
