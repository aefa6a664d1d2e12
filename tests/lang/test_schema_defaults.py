"""What a description says of a default is taken out of it in linear time."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.schemas import without_default

_SLOW = re.compile(r"[^.;]*\bdefault[^.;]*'[^']*'|\bprefix '[^']*'", re.IGNORECASE)

_PIECES = st.sampled_from(["default", "Default", "prefix '", "prefix ", "'", "' ", "a", " ", ".", ";", "x'"])


@given(st.lists(_PIECES, max_size=24).map("".join))
def test_the_default_is_taken_out_as_one_expression_would(described: str) -> None:
    """The text left over is the one that the slow expression leaves."""
    assert without_default(described) == _SLOW.sub("", described)
