"""The checks of a finished `wild` session: turns, calls and path, then what is said, hidden and missing."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from callwright.papers.wild.call_checks import call_issues, path_issues, turn_issues
from callwright.papers.wild.change_checks import change_issues
from callwright.papers.wild.hidden_place_checks import hiding_issues, missing_issues, saying_issues
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.tool import Tool

MOST_ISSUES = 20


def check_wild(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[Issue, ...]:
    """Return every fault found; none means that the session is kept. `tools` are the documents by shown name."""
    found = (
        tuple(turn_issues(dialogue))
        or (*call_issues(dialogue, tools), *path_issues(dialogue))
        or (*hiding_issues(dialogue, tools), *saying_issues(dialogue, tools), *missing_issues(dialogue, tools))
        or change_issues(dialogue, tools)
    )
    return tuple(islice(found, MOST_ISSUES))
