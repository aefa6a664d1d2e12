"""Which processes a killed or interrupted command leaves behind."""

from __future__ import annotations

import time
from pathlib import Path


def session_members(leader: int) -> list[int]:
    """Processes of a session that run still; none where the system does not tell."""
    found: list[int] = []
    if not Path("/proc/self/stat").exists():
        return found
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split() if entry.name.isdigit() else []
        except OSError:
            continue
        if fields and int(fields[3]) == leader and fields[0] != "Z":
            found.append(int(entry.name))
    return found


def all_ended(leader: int) -> bool:
    """True once no process of the session is left; the last to go notices a little after the others."""
    deadline = time.monotonic() + 10
    while session_members(leader) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not session_members(leader)
