"""How calls change what is known: known parameters only, later values over earlier ones, under a named policy.

open     several functions a turn; any value; an empty value clears a slot
paper    the first function of a turn; values outside a closed choice are dropped, `dontcare` too; nothing is cleared
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from callwright.match.values import arguments_of
from callwright.papers.fnctod.canonical_values import UNCONSTRAINED, canonical_time, canonical_value
from callwright.papers.fnctod.domain_functions import DONTCARE, slot_of
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

Tracked: TypeAlias = dict[str, dict[str, str]]
"""Domain to slot to value, as comparable texts; domains without a value are out."""

CLEARED: Final = ""
"""Value of a parameter that a call takes back."""


class UpdatePolicy(NamedTuple):
    """The changes that calls make to a state."""

    name: str
    several: bool
    """Whether several functions of a turn count, or the first alone."""
    clears: bool
    """Whether an empty value clears a slot."""
    closed: bool
    """Whether values outside a closed choice are dropped."""


OPEN: Final = UpdatePolicy("open", several=True, clears=True, closed=False)
PAPER: Final = UpdatePolicy("paper", several=False, clears=False, closed=True)


class StateCall(NamedTuple):
    """A call as far as states are concerned."""

    domain: str
    values: Mapping[str, str]
    """By slot, as the call has it; empty for a slot that is cleared."""

    @property
    def only_clears(self) -> bool:
        """Whether the call takes values back and sets none."""
        return bool(self.values) and not any(self.values.values())


class Updated(NamedTuple):
    """A state after a turn."""

    state: Tracked
    dropped: int
    """Values that are none of their closed choice."""


def comparable(slot: str, value: str) -> str:
    """Return a value in the one spelling that states are compared in.

    Lower case; `dontcare` however it is spelt; times as HH:MM; venues, types, food and yes/no as in the standard
    evaluation; without a leading article.
    """
    text = " ".join(value.lower().split())
    if text in UNCONSTRAINED and text != "not mentioned":
        return DONTCARE
    if slot == "booktime":
        return canonical_time(text)
    text = canonical_value(slot, text)
    return text.removeprefix("the ") if slot in ("name", "departure", "destination", "type") else text


def state_calls(calls: Iterable[Call], tools: Mapping[str, Tool]) -> list[StateCall]:
    """Return the calls of known functions, with known parameters of plain values; `tools` are by domain."""
    domains = {tool.name: domain for domain, tool in tools.items()}
    found = []
    for call in calls:
        domain, arguments = domains.get(call.tool), arguments_of(call.arguments)
        if domain is not None and arguments is not None:
            known = tools[domain].properties
            plain = ((slot_of(domain, name), plain_text(value)) for name, value in arguments.items() if name in known)
            found.append(StateCall(domain, {slot: text for slot, text in plain if text is not None}))
    return found


def plain_text(value: Json) -> str | None:
    """Return a plain value as a state has it; None for a list or an object."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return CLEARED
    return str(value).strip() if isinstance(value, str | int | float) else None


def counting(calls: Sequence[StateCall], policy: UpdatePolicy) -> Sequence[StateCall]:
    """Return the calls of a turn that count; where nothing is cleared, a call that only clears is none."""
    able = [call for call in calls if policy.clears or not call.only_clears]
    return able if policy.several else able[:1]


def updated(
    state: Tracked, calls: Sequence[StateCall], policy: UpdatePolicy, choices: Mapping[tuple[str, str], frozenset[str]]
) -> Updated:
    """Return the state after the calls of a turn; `choices` are the documented values of closed slots."""
    state = {domain: dict(slots) for domain, slots in state.items()}
    dropped = 0
    for call in counting(calls, policy):
        slots = state.setdefault(call.domain, {})
        for slot, value in call.values.items():
            if not value:
                if policy.clears:
                    slots.pop(slot, None)
            elif policy.closed and value.lower() not in choices.get((call.domain, slot), (value.lower(),)):
                dropped += 1
            else:
                slots[slot] = comparable(slot, value)
    return Updated({domain: slots for domain, slots in state.items() if slots}, dropped)
