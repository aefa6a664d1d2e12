"""The faults that a check finds in a record, as data: bad data does not raise."""

from __future__ import annotations

import msgspec


class Issue(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One fault of one dialogue."""

    code: str
    where: str = ""
    """Path in the dialogue, such as `turns[3].calls[0]`."""
    message: str = ""
