"""Who the simulated users are: a bundled bank of people at work, and the choice of one for a tool.

The bank was made from a grammar, read and corrected by hand; it is the data file, and no model is asked. Any other
tuple of personas, such as one read from PersonaHub's layout, is chosen from in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from heapq import nsmallest
from importlib.resources import files
from math import log, sqrt
from random import Random
from zlib import crc32

import msgspec

from callwright.lang.tokens import content_stems, identifier_words, stem
from callwright.records.dialogue import Participant
from callwright.records.persona import Persona
from callwright.records.tool import Tool

DOMAIN_WEIGHT = 4.0
JOB_WEIGHT = 2.0
TEXT_WEIGHT = 1.0


@cache
def bank() -> tuple[Persona, ...]:
    """Return the bundled personas, always the same and in the same order."""
    data = files("callwright.author").joinpath("data/personas.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[Persona, ...])


def choose(rng: Random, tool: Tool, personas: tuple[Persona, ...], *, k: int) -> Persona:
    """Return one of the `k` personas nearest to the tool, each as likely as the others (DiaFORGE, section 3.1).

    Near is who shares rare words with the tool: line of business first, then job, then text. Where several are
    equally near, other tools get others of them. The ranking of a tool is kept, so choosing again is cheap.

    Raises ValueError when there is nobody to choose from, or `k` is less than 1.
    """
    if not personas or k < 1:
        raise ValueError(
            f"cannot choose from {len(personas)} personas with k={k}; give at least one persona and k >= 1"
        )
    nearest = _ranking(personas).nearest(tool, k)
    return personas[nearest[rng.randrange(len(nearest))]]


def works_with(persona: Persona, tool: Tool) -> bool:
    """Whether the tool belongs to a persona's work: of one line of business, and a word of the work is the tool's.

    >>> works_with(bank()[0], Tool(name="show_payslip", description="Shows a payslip of the payroll.", domain="people"))
    True
    >>> works_with(bank()[0], Tool(name="find_people", description="Finds people in a film.", domain="people"))
    False
    """
    is_of_trade = bool(persona.domain) and set(content_stems(persona.domain)) == set(content_stems(tool.domain))
    words = {*map(stem, identifier_words(tool.name)), *content_stems(tool.description)}
    return is_of_trade and not words.isdisjoint(content_stems(f"{persona.job} . {persona.text}"))


def people(persona: Persona) -> tuple[Participant, Participant]:
    """Return the participants of a dialogue of this persona with the assistant."""
    user = Participant("user", "user", name=persona.name, persona=persona.text)
    return user, Participant("assistant", "assistant")


class _Ranking:
    """An inverted index over one tuple of personas, and the rankings asked of it so far."""

    def __init__(self, personas: tuple[Persona, ...]) -> None:
        self.personas = personas
        self._seeds = [crc32(persona.id.encode()) for persona in personas]
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for position, persona in enumerate(personas):
            weights = _persona_weights(persona)
            length = sqrt(len(weights))
            for word, weight in weights.items():
                self._postings.setdefault(word, []).append((position, weight / length))
        self._known: dict[tuple[str, str, int], tuple[int, ...]] = {}

    def nearest(self, tool: Tool, k: int) -> tuple[int, ...]:
        key = (tool.key, tool.domain, k)
        if key not in self._known:
            self._known[key] = self._rank(tool, k)
        return self._known[key]

    def _rank(self, tool: Tool, k: int) -> tuple[int, ...]:
        scores = [0.0] * len(self.personas)
        for word, weight in _tool_weights(tool).items():
            postings = self._postings.get(word, ())
            rarity = log(1 + len(self.personas) / (1 + len(postings)))
            for position, share in postings:
                scores[position] += weight * share * rarity
        tool_seed = crc32(tool.key.encode())
        return tuple(
            nsmallest(k, range(len(scores)), key=lambda i: (-round(scores[i], 9), self._seeds[i] ^ tool_seed, i))
        )


_last: list[_Ranking] = []


def _ranking(personas: tuple[Persona, ...]) -> _Ranking:
    """The index of this very tuple: told by identity, as hashing thousands of records at each choice would be slow."""
    if not _last or _last[0].personas is not personas:
        _last[:] = [_Ranking(personas)]
    return _last[0]


def _persona_weights(persona: Persona) -> dict[str, float]:
    return _heaviest(
        (content_stems(persona.domain), DOMAIN_WEIGHT),
        (content_stems(persona.job), JOB_WEIGHT),
        (content_stems(persona.text), TEXT_WEIGHT),
    )


def _tool_weights(tool: Tool) -> dict[str, float]:
    name = (stem(word) for word in identifier_words(tool.name))
    return _heaviest(
        (content_stems(tool.domain), DOMAIN_WEIGHT),
        (name, JOB_WEIGHT),
        (content_stems(tool.description), TEXT_WEIGHT),
    )


def _heaviest(*parts: tuple[Iterable[str], float]) -> dict[str, float]:
    """Each word with the weight of the weightiest part that it stands in."""
    weights: dict[str, float] = {}
    for words, weight in parts:
        for word in words:
            weights[word] = max(weight, weights.get(word, 0.0))
    return weights
