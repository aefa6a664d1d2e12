"""States and acts of a dialogue: the values known after a turn, and the moves made in it."""

from __future__ import annotations

import msgspec

from callwright.records.jsontext import JsonText


class SlotValue(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A slot and the accepted spellings of its value; none if the corpus lists the slot without a value."""

    slot: str
    values: tuple[str, ...] = ()


class DomainState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The state of one domain (or service) after a turn."""

    domain: str
    slots: tuple[SlotValue, ...] = ()
    booking: tuple[SlotValue, ...] = ()
    """Slots of the booking, if the corpus separates them (MultiWOZ's `book`)."""
    booked: tuple[JsonText, ...] = ()
    """The bookings, in the corpus's layout."""
    intent: str = ""
    requested: tuple[str, ...] = ()
    """Slots the user has asked for."""


class ParameterValue(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A parameter and its value so far; empty while unknown."""

    name: str
    value: JsonText


class ApiState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The API that a dialogue aims at, and the values known for it so far (ToolDial, A.4)."""

    api: str = ""
    """Shown name; empty while no API is confirmed."""
    required: tuple[ParameterValue, ...] = ()
    optional: tuple[ParameterValue, ...] = ()


class ActLabel(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A dialogue act with at most one slot, in the corpus's words."""

    act: str
    slot: str = ""
    values: tuple[str, ...] = ()
    canonical: tuple[str, ...] = ()
    """The values in the service's form."""
