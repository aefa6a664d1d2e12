"""Whether two values stand for the same sort of thing."""

from __future__ import annotations

import pytest

from callwright.environment.told_outputs import is_same_thing


@pytest.mark.parametrize(
    ("kind", "one", "other", "same"),
    [
        ("code", "id", "", True),
        ("code", "id", "id", True),
        ("code", "url", "id", False),
        ("title", "id", "", False),
    ],
)
def test_a_code_called_like_a_thing_is_its_identifier(kind: str, one: str, other: str, same: bool) -> None:
    """`channel` takes the `id` of a channel; a title does not."""
    owner = frozenset({"channel"})
    assert is_same_thing(kind, (owner, one), (owner, other)) is same  # type: ignore[arg-type]
    assert not is_same_thing(kind, (owner, one), (frozenset({"user"}), other))  # type: ignore[arg-type]
