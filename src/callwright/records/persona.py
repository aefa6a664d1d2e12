"""Personas: who a simulated user is."""

from __future__ import annotations

import msgspec


class Persona(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A person at work: the properties that wording and values depend on."""

    id: str
    name: str
    """Given and family name, such as `Priya Raman`."""
    job: str
    """Such as `payroll specialist`."""
    seniority: str = ""
    """`new`, `experienced`, `manager` or `executive`; empty when unknown."""
    domain: str = ""
    """Line of business, in the catalogue's words where they agree."""
    tone: str = "plain"
    """`plain`, `brisk`, `warm`, `formal` or `chatty`."""
    city: str = ""
    country: str = ""
    text: str = ""
    """A sentence or two about the person; the only field that PersonaHub's layout has."""
