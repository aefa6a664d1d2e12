"""The place, people and days that the values of one call share, so that they agree with one another."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from callwright.author.value_bank import draw_name, known_countries
from callwright.lang.gazetteer import Country, countries, regions
from callwright.records.persona import Persona

DOMAINS = ("northgate.example", "larkfield.example", "mailbox.example", "ostrom.example", "harbour.example")
"""Mail domains for people without a given one; reserved names that reach nobody."""

NO_FORMS: Mapping[str, str] = MappingProxyType({})
HOME_SHARE = 0.6
"""Share of calls that are about the persona's own country."""


class Person(NamedTuple):
    """Somebody whom a call is about."""

    given: str
    family: str

    @property
    def full(self) -> str:
        """Given and family name."""
        return f"{self.given} {self.family}".strip()


class Scene:
    """The things drawn so far for one call, drawn when first asked for."""

    def __init__(self, rng: Random, persona: Persona, today: date, ids: Mapping[str, str] = NO_FORMS) -> None:
        self.rng = rng
        self.persona = persona
        self.today = today
        self.ids = ids
        """The form of identifiers in this catalogue (`value_ids`)."""
        self.asked: tuple[str, ...] = ()
        """The things that the call asks for by several identifiers: a map in its result has one entry for each."""
        self.country = self._home()
        self.town = ""
        """The one city that all is about, where there is one."""
        self._told_town = ""
        """The city that was drawn last."""
        self._awaited = ""
        """The city whose region was told first."""
        self.people: dict[str, Person] = {}
        self.start: date | None = None
        """The day from which the call's other days are counted, once drawn."""
        self._spot: dict[str, float] = {}
        self._near: tuple[float, float] | None = None
        """The place that all other places of the call are near, once drawn."""

    def _home(self) -> Country:
        home = known_countries().get(self.persona.country)
        away = self.rng.random() >= HOME_SHARE
        return self.rng.choice(countries()) if home is None or away else home

    def city(self) -> str:
        """Return a city of the scene's country."""
        if self.town:
            return self.town
        self._told_town, self._awaited = self._awaited or self.rng.choice(self.country.cities), ""
        return self._told_town

    def region(self) -> str:
        """Return the state, province or county of the city that was told last, else of the one told next."""
        if not (self.town or self._told_town):
            self._told_town = self._awaited = self.city()
        return regions()[self.town or self._told_town]

    def person(self, role: str, *, is_self: bool) -> Person:
        """Return who plays a role in this call, the same whenever asked; the user's own role is the persona."""
        if is_self and self.persona.name:
            given, _, family = self.persona.name.rpartition(" ")
            return Person(given or family, family if given else "")
        if role not in self.people:
            self.people[role] = Person(*draw_name(self.rng, self.country if self.rng.random() < 0.5 else None))
        return self.people[role]

    def coordinate(self, axis: str) -> float:
        """Return `latitude` or `longitude` in the scene's country; the other axis, asked for next, is of that place."""
        if axis not in self._spot:
            away = 0.0 if self._near is None else self.rng.randint(-9, 9) / 100
            self._near = self._near or self.country.spot
            self._spot = {"latitude": round(self._near[0] + away, 2), "longitude": round(self._near[1] - away, 2)}
        return self._spot.pop(axis)

    def workday(self, day: date) -> date:
        """Return the day itself, or one of the first days of the week after a weekend."""
        return day + timedelta(7 - day.weekday() + day.day % 4 if day.weekday() >= 5 else 0)


def email_of(person: Person, domain: str) -> str:
    """Return a mail address made of the person's name, in ASCII.

    >>> email_of(Person("Zoë", "Núñez"), "larkfield.example")
    'zoe.nunez@larkfield.example'
    """
    parts = [ascii_letters(part) for part in (person.given, person.family) if part]
    return f"{'.'.join(part for part in parts if part)}@{domain}"


_SPELLED = str.maketrans({"ß": "ss", "ł": "l", "ø": "o", "æ": "ae", "ı": "i", "đ": "d", "ð": "d", "þ": "th"})


def ascii_letters(text: str) -> str:
    """Return a name as small ASCII letters, accents dropped."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_SPELLED))
    return "".join(c for c in plain if c.isascii() and c.isalnum())
