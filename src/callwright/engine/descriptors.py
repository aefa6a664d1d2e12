"""The number of connections that this process may open."""

from __future__ import annotations

import sys
from typing import Final

_KEPT_BACK: Final = 64
"""Descriptors for everything else: the database, the terminal, pipes, modules being imported."""
_WINDOWS: Final = 2_048


def connections_allowed() -> int:
    """Return the number of connections that the limit on file descriptors allows; at least 1."""
    if sys.platform == "win32":
        return _WINDOWS
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return sys.maxsize
    return max(1, soft - _KEPT_BACK)
