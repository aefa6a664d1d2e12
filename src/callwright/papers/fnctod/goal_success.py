"""Inform and Success of one dialogue: venues offered and slots provided, against the user's goal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from callwright.papers.fnctod.canonical_values import Scalar, State
from callwright.papers.fnctod.venue_database import VenueDatabase

REQUESTABLE: Final = {"phone": "PHONE", "address": "ADDRESS", "postcode": "POST", "trainid": "TRAINID"}
"""The slots that a goal may ask for, and the placeholders that provide them."""

REFERENCE: Final = "REFERENCE"
"""Placeholder of a booking's number."""

_WITHOUT_TABLE: Final = ("taxi", "police", "hospital")


class DomainGoal(NamedTuple):
    """The goal of the user of a dialogue in one domain."""

    informable: Mapping[str, Scalar]
    """Constraints, under canonical slots."""
    requestable: frozenset[str]
    """Placeholders that the user asks for."""


class GoalTurn(NamedTuple):
    """One turn of the system, as far as goals are concerned."""

    response: str
    """Normalised: placeholders are upper-case words, the rest is lower-case."""
    state: State
    active: Collection[str]
    booked: Collection[str]
    """Domains with a booking up to this turn, by the annotation."""


class GoalOutcome(NamedTuple):
    """The outcome of a goal, by domain."""

    offered: Mapping[str, frozenset[str]]
    """Ids of the venues that stand offered at the end."""
    provided: Mapping[str, frozenset[str]]
    matched: Mapping[str, bool]
    served: Mapping[str, bool]
    """Whether all that was asked for was provided; it counts only where the goal is informed."""

    @property
    def informed(self) -> bool:
        """Whether every domain matched."""
        return all(self.matched.values())

    @property
    def succeeded(self) -> bool:
        """Whether every domain matched, and all that was asked for was provided."""
        return self.informed and all(self.served.values())


def outcome(goal: Mapping[str, DomainGoal], turns: Iterable[GoalTurn], database: VenueDatabase) -> GoalOutcome:
    """Return what became of a goal over the turns of a dialogue."""
    offered: dict[str, frozenset[str]] = dict.fromkeys(goal, frozenset())
    provided: dict[str, set[str]] = {domain: set() for domain in goal}
    for turn in turns:
        for domain in goal.keys() & set(turn.active):
            if _names_venue(domain, turn.response):
                found = database.query(domain, turn.state[domain]) if domain in turn.state else frozenset()
                if not offered[domain] <= found or not offered[domain]:
                    offered[domain] = found
            provided[domain] |= {word for word in REQUESTABLE.values() if word in turn.response}
            if REFERENCE in turn.response and domain in turn.booked:
                provided[domain].add(REFERENCE)
    return GoalOutcome(
        offered,
        {domain: frozenset(words) for domain, words in provided.items()},
        {domain: _matches(domain, wanted, offered[domain], database) for domain, wanted in goal.items()},
        {domain: wanted.requestable <= provided[domain] for domain, wanted in goal.items()},
    )


def _names_venue(domain: str, response: str) -> bool:
    if domain == "train":
        return REQUESTABLE["trainid"] in response
    return domain not in _WITHOUT_TABLE and "NAME" in response


def _matches(domain: str, wanted: DomainGoal, offered: frozenset[str], database: VenueDatabase) -> bool:
    if "name" in wanted.informable or domain in _WITHOUT_TABLE:
        return True
    if not offered:
        return domain == "train" and REQUESTABLE["trainid"] not in wanted.requestable
    return offered <= database.query(domain, wanted.informable)
