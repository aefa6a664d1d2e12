"""The faults of one call, as data."""

from __future__ import annotations

from typing import Literal

import msgspec

IssueCode = Literal[
    "unknown_tool",
    "wrong_tool",
    "not_an_object",
    "missing",
    "unexpected",
    "wrong_value",
    "type",
    "enum",
    "constraint",
    "bad_schema",
]
"""Kinds of fault.

`unknown_tool`, `wrong_tool`: the name is not among the tools shown, or is not the gold tool's. `not_an_object`: the
arguments are not a JSON object. `missing`, `unexpected`: a key. `wrong_value`: differs from all accepted values.
`type`, `enum`, `constraint`: breaks the tool's schema. `bad_schema`: the schema itself cannot be used.
"""


class CallIssue(msgspec.Struct, frozen=True):
    """One fault of one call."""

    code: IssueCode
    path: str
    """Where in the arguments, such as `filter.size` or `ids[2]`; empty for the call as a whole."""
    message: str
