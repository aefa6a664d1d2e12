"""Who says what next in a round, by rules of conversation; the words come later.

Whoever was addressed answers. Otherwise one who has not spoken in the round comes before one who has, and who holds a
value that is missing before one who does not. Nobody speaks twice in a row but to add a value of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Final, Literal, NamedTuple

from callwright.papers.dice.chat_plan import PlannedRound

Act = Literal["open", "doubt", "case", "ask", "answer", "tell", "settle", "request"]

_DOUBT: Final = {"inquiry": 0.5, "persuasion": 1.0, "eristic": 1.0}
_CASE: Final = {"inquiry": 0.6, "persuasion": 0.9, "eristic": 0.9}
_SETTLE: Final = {"inquiry": 0.5, "persuasion": 0.9, "eristic": 0.8}
"""How often a dialogue of a type has such a turn in a round."""
_ASKED: Final = 0.6
"""How often a value is asked for before it is told."""

_GOES_ON: Final = 0.3
"""How often one of two people speaks on and asks the assistant."""


class Move(NamedTuple):
    """One turn before it is worded."""

    speaker: str
    act: Act
    parameter: str = ""
    """The value that it asks for or tells."""
    to: str = ""
    """Id of the one addressed."""


class _Floor:
    """Who spoke last, and who has not spoken."""

    def __init__(self, people: Sequence[str], rng: Random, last: str) -> None:
        self.people, self.rng, self.last = people, rng, last
        self.moves: list[Move] = []

    def say(self, speaker: str, act: Act, parameter: str = "", to: str = "") -> None:
        self.moves.append(Move(speaker, act, parameter, to))
        self.last = speaker

    def other(self, *, than: str = "") -> str:
        """Someone else than the last speaker and `than`; one who has not spoken in the round comes first."""
        free = [one for one in self.people if one not in (self.last, than)] or [self.last]
        silent = [one for one in free if all(move.speaker != one for move in self.moves)]
        return self.rng.choice(silent or free)


def moves_of(
    round_: PlannedRound, people: Sequence[str], manner: str, rng: Random, *, last: str, due: Collection[str]
) -> tuple[Move, ...]:
    """Return the turns of a round up to the request to the assistant.

    `last` spoke before the assistant; those in `due` say something in this round, whatever they know.
    """
    floor = _Floor(people, rng, last)
    floor.say(floor.other(), "open")
    opener = floor.last
    if rng.random() < _DOUBT[manner]:
        floor.say(floor.other(), "doubt", to=opener)
        if rng.random() < _CASE[manner]:
            floor.say(opener, "case")
    open_ = list(round_.holders)
    rng.shuffle(open_)
    while open_:
        _bring_out(floor, round_, open_.pop(0))
    can_settle = bool(round_.holders) or manner != "inquiry"  # who asked must have heard something
    for one in due:
        if all(move.speaker != one for move in floor.moves):
            floor.say(one, "settle" if can_settle else "doubt")
    if can_settle and rng.random() < _SETTLE[manner]:
        floor.say(floor.other(than=opener), "settle")
    floor.say(floor.last if len(people) == 2 and rng.random() < _GOES_ON else floor.other(), "request")
    return tuple(floor.moves)


def _bring_out(floor: _Floor, round_: PlannedRound, parameter: str) -> None:
    """Have a value said by the one who holds it, asked by another or not."""
    holder = round_.holders[parameter]
    is_asked = floor.rng.random() < _ASKED or (floor.last == holder and len(floor.people) > 2)
    if is_asked:
        floor.say(floor.other(than=holder), "ask", parameter, holder)
        floor.say(holder, "answer", parameter)
    else:
        floor.say(holder, "tell", parameter)
