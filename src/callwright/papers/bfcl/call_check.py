"""Compares one call with one BFCL gold call: the checks that both modes share, in the order of the error classes."""

from __future__ import annotations

from collections.abc import Callable

from callwright.papers.bfcl.error_kinds import BfclError, first_of
from callwright.papers.bfcl.wanted_calls import Wanted, schema_of
from callwright.records.jsontext import Json

ValueCheck = Callable[[Json, dict[str, Json], list[Json]], BfclError | None]
"""Takes a value, its parameter's schema and the accepted values; returns the error class, or None."""


def call_error(tool: str, arguments: dict[str, Json], wanted: Wanted, check: ValueCheck) -> BfclError | None:
    """Return the first error class of a call; None if it is the wanted one.

    Classes are ranked over all parameters: a wrong type of any parameter comes before a wrong value of another.
    """
    if not wanted.is_called(tool):
        return "wrong_function_name"
    if any(name not in arguments for name in wanted.required):
        return "missing_required"
    if any(name not in wanted.properties or name not in wanted.accepted for name in arguments):
        return "unexpected_parameter"
    checks = (check(value, schema_of(wanted, name), wanted.accepted[name]) for name, value in arguments.items())
    if found := first_of(error for error in checks if error):
        return found
    left_out = (accepted for name, accepted in wanted.accepted.items() if name not in arguments)
    return "missing_optional" if any("" not in accepted for accepted in left_out) else None
