"""Verbs by the kind of act: what makes, changes, checks, searches or looks something up."""

from __future__ import annotations

CREATES = frozenset(
    "create add post book place buy order register schedule upload submit apply send store import share subscribe save "
    "generate plan process withdraw report make reserve open start enrol enroll".split()
)
CHANGES = frozenset(
    "update modify edit set delete remove cancel customize manage change rename close archive sync move".split()
)
CHECKS = frozenset("check verify validate authenticate is has confirm".split())
SEARCHES = frozenset("search list find filter discover locate query browse".split())
LOOKS = frozenset("get retrieve obtain access fetch show find view read query list provide look see pull".split())
LOOKUPS = LOOKS | SEARCHES | {"check", "receive", "track"}
"""Verbs of wishes to know something; all others change something or work something out."""
