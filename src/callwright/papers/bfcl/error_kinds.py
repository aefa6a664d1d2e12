"""The error classes of BFCL: an item gets the first class of this list that applies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, get_args

BfclError = Literal[
    "undecodable",
    "wrong_count",
    "cannot_find_match",
    "wrong_function_name",
    "missing_required",
    "unexpected_parameter",
    "type:simple",
    "type:nested",
    "value:string",
    "value:list",
    "value:dict_key",
    "value:dict_value",
    "value:list_of_dict_count",
    "value:others",
    "missing_optional",
]
"""Classes of errors.

`undecodable`: the reply is not a list of calls. `wrong_count`: more or fewer calls than wanted.
`cannot_find_match`: several calls are wanted, and one of them has no counterpart. The other classes concern one call;
`unexpected_parameter` is outside the document or the answer, `missing_optional` is answered and may not be left out.
"""


_RANK: Final = {error: rank for rank, error in enumerate(get_args(BfclError))}


def first_of(errors: Iterable[BfclError]) -> BfclError | None:
    """Return the error that comes first in the list of classes; None without errors."""
    return min(errors, key=_RANK.__getitem__, default=None)
