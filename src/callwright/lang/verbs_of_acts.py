"""Verbs by the kind of act: what makes, changes, checks, searches or looks something up."""

from __future__ import annotations

from callwright.lang.lexicon import lexicon

CREATES, CHANGES, CHECKS, SEARCHES, LOOKS = (frozenset(verbs.split()) for verbs in lexicon()["acts"].values())
LOOKUPS = LOOKS | SEARCHES | {"check", "receive", "track"}
"""Verbs of wishes to know something; all others change something or work something out."""
