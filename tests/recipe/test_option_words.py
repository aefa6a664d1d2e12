"""An option of a wrong form is refused in words, not with a pattern."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from callwright.errors import bad_option


class Options(msgspec.Struct):
    """Two options that are texts of a form."""

    rounds: Annotated[str, Meta(pattern="^[1-4](-[1-4])?$")] = "1-4"
    pool: Annotated[str, Meta(pattern="^(all|[0-9]+)$", extra={"metavar": "all|N"})] = "all"


def test_the_form_is_told_by_default_or_by_the_help() -> None:
    """Without a regular expression."""
    told = {}
    for given in ({"rounds": "5"}, {"pool": "none"}):
        try:
            msgspec.convert(given, Options)
        except msgspec.ValidationError as error:
            told[next(iter(given))] = str(bad_option("it", error, Options))
    assert told == {
        "rounds": "rounds: expected a value within 1-4. Options of it: rounds, pool.",
        "pool": "pool: expected all|N. Options of it: rounds, pool.",
    }
