"""The people of a talk about tools: who they are comes from personas, what is told of them fits the tools.

A bundled persona whose work is the tool's keeps its text. Of any other only name, home and tone are taken, and the text
is made of what the tools are about; so boats are no matter for payroll clerks. Personas of a file keep their texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from random import Random
from typing import Final

import msgspec

from callwright.author.grammar import Frame, bank_file
from callwright.author.personas import bank, choose, works_with
from callwright.author.tool_subjects import subject
from callwright.errors import RolloutFailed
from callwright.lang.kinds import Kind
from callwright.lang.surface import mentions
from callwright.records.jsontext import Json
from callwright.records.persona import Persona
from callwright.records.tool import Tool

_NEAREST: Final = 24
"""Personas near to a tool of which one is chosen."""
_TRIES: Final = 100


def cast(rng: Random, tools: Sequence[Tool], personas: tuple[Persona, ...], count: int) -> list[Persona]:
    """Return so many people of different first names, each near to one of the tools; who has no name is given one.

    Raises RolloutFailed where there are not enough.
    """
    found: list[Persona] = []
    for _ in range(_TRIES):
        one = choose(rng, rng.choice(tools), personas, k=_NEAREST)
        named = one if one.name else msgspec.structs.replace(one, name=rng.choice(bank()).name)
        if all(_first_name(named) != _first_name(other) and one.id != other.id for other in found):
            found.append(named)
        if len(found) == count:
            return found
    raise RolloutFailed(f"fewer than {count} people of different names", kind="no_people", role="author")


def _first_name(who: Persona) -> str:
    return who.name.split()[0]


def suited(
    rng: Random, people: Iterable[Persona], tools: Sequence[Tool], secrets: Sequence[tuple[Json, Kind]], today: date
) -> list[Persona]:
    """Return bundled personas with texts that fit the tools, no two alike, and others as they are.

    No text says one of the `secrets`, which are the values of calls. Who has a text of the tools has no job.
    """
    bundled = {who.id: who for who in bank()}
    subjects = list(dict.fromkeys(filter(None, map(subject, tools))))
    rng.shuffle(subjects)
    told = _Told(rng, secrets, today)
    found: list[Persona] = []
    for at, who in enumerate(people):
        is_kept = bundled.get(who.id) != who or (
            any(works_with(who, tool) for tool in tools) and told.is_open(who.text)
        )
        things = [*subjects[at % len(subjects) :], *subjects[: at % len(subjects)]] if subjects else []
        text = who.text if is_kept else told.person(things, who.tone)
        found.append(who if is_kept else msgspec.structs.replace(who, job="", domain="", seniority="", text=text))
    return found


class _Told:
    """What is told of the people of one talk: no frame twice, and nothing that gives a secret away."""

    def __init__(self, rng: Random, secrets: Sequence[tuple[Json, Kind]], today: date) -> None:
        self._rng, self._secrets, self._today = rng, secrets, today
        self._used: set[Frame] = set()

    def is_open(self, text: str) -> bool:
        """Whether a text says none of the secrets."""
        return not any(mentions(text, value, kind, today=self._today) for value, kind in self._secrets)

    def person(self, things: Sequence[str], tone: str) -> str:
        """A sentence about the first of the things that can be told, and one about how somebody is and talks."""
        first = next((said for one in things if (said := self._sentence("things", one))), "")
        return f"{first} {self._sentence(tone, '', unlike=first)}".strip()

    def _sentence(self, name: str, things: str, *, unlike: str = "") -> str:
        """A sentence that begins with another word than `unlike`; empty where each would tell a secret."""
        frames = [one for one in bank_file("personas")[name] if one not in self._used]
        for frame in self._rng.sample(frames, len(frames)):
            text = frame.render(self._rng, {"things": things})
            if self.is_open(text) and text.split()[:1] != unlike.split()[:1]:
                self._used.add(frame)
                return text
        return ""
