"""Who says what next in a round, by rules of conversation; the words come later.

Whoever was addressed answers. Otherwise one who has not spoken in the round comes before one who has, and who holds a
value that is missing before one who does not. Who has contributed least to the calls begins. Nobody speaks twice in a
row but to go on from a value: to ask for the next one, to add an own one, or to turn to the assistant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from random import Random
from typing import Final, Literal, NamedTuple

from callwright.papers.dice.chat_plan import PlannedRound

Act = Literal["open", "doubt", "case", "ask", "answer", "tell", "settle", "drop", "request"]

_DOUBT: Final = {"inquiry": 0.3, "persuasion": 0.7, "eristic": 0.8}
_CASE: Final = {"inquiry": 0.4, "persuasion": 0.8, "eristic": 0.6}
_BETWEEN: Final = {"inquiry": 0.05, "persuasion": 0.05, "eristic": 0.2}
_SETTLE: Final = {"inquiry": 0.4, "persuasion": 0.8, "eristic": 0.6}
"""How often a dialogue of a type has such a turn in a round; remarks may also stand between two values."""
_ASKED: Final = 0.6
"""How often a value is asked for before it is told."""
_GOES_ON: Final = 0.3
"""How often one of two people speaks on where both could."""


class Move(NamedTuple):
    """One turn before it is worded."""

    speaker: str
    act: Act
    parameter: str = ""
    """The value that it asks for or tells."""
    to: str = ""
    """Id of the one addressed."""


class Floor:
    """Who spoke last, who has not spoken, and what each has contributed so far."""

    def __init__(self, people: Sequence[str], rng: Random, last: str, given: Counter[str]) -> None:
        self.people, self.rng, self.last, self.given = people, rng, last, given
        self.moves: list[Move] = []

    def say(self, speaker: str, act: Act, parameter: str = "", to: str = "") -> None:
        """Give the floor to somebody."""
        self.moves.append(Move(speaker, act, parameter, to))
        self.last = speaker
        self.given[speaker] += act in ("open", "answer", "tell")

    def remark(self, speaker: str, act: Act, to: str = "") -> None:
        """Let somebody remark on what was said, unless the last words were the same person's."""
        if speaker != self.last:
            self.say(speaker, act, to=to)

    def other(self, *, than: str = "") -> str:
        """Someone else than the last speaker and `than`; one who has not spoken in the round comes first."""
        free = [one for one in self.people if one not in (self.last, than)] or [self.last]
        silent = [one for one in free if all(move.speaker != one for move in self.moves)]
        return self.rng.choice(silent or free)


def moves_of(
    round_: PlannedRound, manner: str, floor: Floor, *, due: Collection[str] = (), holders_due: Collection[str] = ()
) -> tuple[Move, ...]:
    """Return the turns of a round up to the request to the assistant, or in one that it only listens to, up to its end.

    Those in `due` say something in this round, whatever they know; those in `holders_due` leave its beginning to
    others, as they will contribute a value.
    """
    opener = _opener(floor, {*round_.holders.values(), *holders_due})
    floor.say(opener, "open")
    rng = floor.rng
    if rng.random() < _DOUBT[manner]:
        floor.remark(floor.other(), "doubt", to=opener)
        if rng.random() < _CASE[manner]:
            floor.remark(opener, "case")
    if round_.listens:
        floor.remark(floor.other(), "drop")
        return tuple(floor.moves)
    open_ = list(round_.holders)
    rng.shuffle(open_)
    for at, name in enumerate(open_):
        if at and len(floor.people) > 2 and rng.random() < _BETWEEN[manner]:
            floor.remark(floor.other(than=round_.holders[name]), "doubt")
        _bring_out(floor, round_, name)
    _close(floor, round_, manner, opener, due)
    return tuple(floor.moves)


def _opener(floor: Floor, holding: Collection[str]) -> str:
    """Who begins: of those who did not speak last the one who has contributed least, best one who holds no value."""
    free = [one for one in floor.people if one != floor.last] or list(floor.people)
    floor.rng.shuffle(free)
    return min(free, key=lambda one: (floor.given[one] > 0, one in holding, floor.given[one]))


def _close(floor: Floor, round_: PlannedRound, manner: str, opener: str, due: Collection[str]) -> None:
    # who asked must have heard something, and nobody gives in where nobody doubted
    can_settle = bool(round_.holders) if manner == "inquiry" else any(move.act == "doubt" for move in floor.moves)
    for one in due:
        if all(move.speaker != one for move in floor.moves):
            floor.remark(one, "settle" if can_settle else "doubt")
    if can_settle and floor.rng.random() < _SETTLE[manner]:
        floor.remark(floor.other(than=opener) if len(floor.people) > 2 else floor.other(), "settle")
    goes_on = len(floor.people) == 2 and floor.moves[-1].act != "open" and floor.rng.random() < _GOES_ON
    floor.say(floor.last if goes_on else floor.other(), "request")


def _bring_out(floor: Floor, round_: PlannedRound, parameter: str) -> None:
    """Have a value said by the one who holds it, asked by another or not."""
    holder, last = round_.holders[parameter], floor.moves[-1]
    if floor.rng.random() < _ASKED or floor.last == holder:
        asker = floor.other(than=holder)
        if asker == holder or (asker == floor.last and last.act in ("doubt", "case")):
            floor.say(holder, "tell", parameter)
            return
        floor.say(asker, "ask", parameter, holder)
        floor.say(holder, "answer", parameter)
    else:
        floor.say(holder, "tell", parameter)
