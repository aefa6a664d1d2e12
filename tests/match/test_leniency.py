"""Leniencies by name, and the names of leniencies."""

from __future__ import annotations

import pytest

from callwright.errors import BadInput
from callwright.match.leniency import (
    COERCED,
    COERCED_NEAR,
    LENIENT,
    NEAR,
    PRESETS,
    STRICT,
    UNTYPED,
    Leniency,
    leniency_of,
    signature,
)


@pytest.mark.parametrize(
    ("leniency", "name"),
    [
        (STRICT, "match:strict(schema)"),
        (LENIENT, "match:lenient(schema+literals=declared+strings=near+sets+missing_optional)"),
        (NEAR, "match:near(schema+strings=near_text)"),
        (COERCED_NEAR, "match:coerced_near(literals=declared+strings=near_text)"),
        (COERCED, "match:coerced(literals=declared)"),
        (UNTYPED, "match:untyped(literals=any+strings=folded)"),
        (Leniency(schema=False), "match:custom(values)"),
    ],
)
def test_every_leniency_is_named_in_the_signature(leniency: Leniency, name: str) -> None:
    """A signature names the preset and each option that is on."""
    assert signature(leniency) == name


def test_users_name_presets_and_change_them() -> None:
    """A preset stands alone or is followed by options."""
    assert all(leniency_of(name) == preset for name, preset in PRESETS.items())
    assert leniency_of("lenient,sets=no,strings=normalised") == Leniency(
        literals="declared", strings="normalised", missing_optional=True
    )


@pytest.mark.parametrize("text", ["", "stric", "strict,", "strict,set", "strict,strings=nearly", "strict,sets=maybe"])
def test_unknown_names_are_refused(text: str) -> None:
    """A name that is not known is an error that lists the known ones."""
    with pytest.raises(BadInput, match=r"[Kk]nown"):
        leniency_of(text)
