"""Small talk near what tools do: questions that anybody can answer without them, with their answers."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import NamedTuple

from callwright.author.grammar import bank_file
from callwright.lang.tokens import stem


class SmallTalk(NamedTuple):
    """A question near a theme, and its answer."""

    question: str
    answer: str


def small_talk(rng: Random, stems: frozenset[str]) -> SmallTalk | None:
    """Return a question near the theme that these stems speak of; None where no theme is known."""
    shared = [(len(words & stems), talks) for words, talks in _themes()]
    most = max(count for count, _ in shared)
    return rng.choice(rng.choice([talks for count, talks in shared if count == most])) if most else None


@cache
def _themes() -> tuple[tuple[frozenset[str], tuple[SmallTalk, ...]], ...]:
    return tuple(
        (frozenset(map(stem, name.split())), tuple(_talk(frame.source) for frame in frames))
        for name, frames in bank_file("chat_topics", home=__package__).items()
    )


def _talk(line: str) -> SmallTalk:
    question, _, answer = line.partition(" ~ ")
    return SmallTalk(question, answer)
