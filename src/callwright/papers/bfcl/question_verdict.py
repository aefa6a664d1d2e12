"""The verdict of BFCL on all calls of a reply.

    no gold call       irrelevance: any call is wrong; an undecodable reply counts as no call
    one gold call      exactly that call, whichever other tools are shown
    several            one call for each, in any order

For several calls, `official` gives each gold call, in order, the first call that matches it; `strict`
finds a complete pairing if one exists.
"""

from __future__ import annotations

from collections.abc import Sequence

from callwright.lang.calls import WrittenCall
from callwright.match.pairing import greedy_pairing, maximum_pairing
from callwright.papers.bfcl.bfcl_options import BfclMode
from callwright.papers.bfcl.error_kinds import BfclError
from callwright.papers.bfcl.official_verdict import official_error
from callwright.papers.bfcl.strict_verdict import strict_error
from callwright.papers.bfcl.wanted_calls import Wanted

_ERROR_OF = {"official": official_error, "strict": strict_error}
_PAIRING = {"official": greedy_pairing, "strict": maximum_pairing}


def verdict(
    calls: Sequence[WrittenCall] | None, wanted: Sequence[Wanted], *, mode: BfclMode, is_parallel: bool
) -> BfclError | None:
    """Return why a reply is wrong; None if it is right.

    `calls` is None for a reply that cannot be decoded. `is_parallel` is true in the categories of several calls, where
    a gold call without counterpart is `cannot_find_match` even if only one is wanted.
    """
    if not wanted:
        return "wrong_count" if calls else None
    if calls is None:
        return "undecodable"
    if len(calls) != len(wanted):
        return "wrong_count"
    error_of = _ERROR_OF[mode]
    if len(wanted) == 1 and not is_parallel:
        return error_of(calls[0], wanted[0])
    pairs = _PAIRING[mode](len(wanted), len(calls), lambda gold, call: error_of(calls[call], wanted[gold]) is None)
    return "cannot_find_match" if None in pairs else None
