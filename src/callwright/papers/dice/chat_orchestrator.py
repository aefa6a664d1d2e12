"""Who says what next in a round, by rules of conversation; the words come later.

Whoever was addressed answers. Otherwise one who has not spoken in the round comes before one who has, and who holds a
value that is missing before one who does not. Who has contributed least to the calls begins. Whoever doubted is the one
who comes round. Nobody speaks twice in a row but to go on from a value: to ask for the next one, to add an own one, or
to turn to the assistant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from random import Random
from typing import Final, Literal, NamedTuple

from callwright.papers.dice.chat_plan import PlannedRound

Act = Literal[
    "open", "doubt", "case", "side", "ask", "answer", "tell", "react", "reply", "yield", "settle", "drop", "request"
]

_DOUBT: Final = {"inquiry": 0.7, "persuasion": 0.95, "eristic": 0.95}
"""How often somebody answers a wish with a doubt, which the other one meets."""
_REACT: Final = {"inquiry": 0.5, "persuasion": 0.35, "eristic": 0.4}
"""How often somebody reacts to a value of the round: asks for its source, bargains, or sneers."""
_SIDE: Final = 0.4
"""How often a third person takes sides."""
_YIELD: Final = {"inquiry": 0.0, "persuasion": 1.0, "eristic": 0.7}
"""How often whoever doubted comes round at the answer, or has the last word of the quarrel."""
_SETTLE: Final = {"inquiry": 0.6, "persuasion": 0.35, "eristic": 0.3}
"""How often somebody closes the talk: knows what was asked, sums up what was agreed, is fed up."""
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
    rng, doubter = floor.rng, ""
    if rng.random() < _DOUBT[manner]:
        doubter = floor.other()
        floor.remark(doubter, "doubt", to=opener)
        floor.remark(opener, "case", to=doubter)
        if len(floor.people) > 2 and rng.random() < _SIDE:
            floor.remark(floor.other(than=doubter), "side", to=opener)
        if rng.random() < _YIELD[manner]:
            floor.remark(doubter, "yield", to=opener)
    if round_.listens:
        floor.remark(floor.other(), "drop")
        return tuple(floor.moves)
    open_ = list(round_.holders)
    rng.shuffle(open_)
    reacts_at = rng.randrange(len(open_)) if open_ and rng.random() < _REACT[manner] else -1
    for at, name in enumerate(open_):
        _bring_out(floor, round_, name)
        if at == reacts_at:
            floor.remark(floor.other(), "react", to=round_.holders[name])
            floor.remark(round_.holders[name], "reply")
    _close(floor, manner, doubter, opener, due)
    return tuple(floor.moves)


def _opener(floor: Floor, holding: Collection[str]) -> str:
    """Who begins: of those who did not speak last the one who has contributed least, best one who holds no value."""
    free = [one for one in floor.people if one != floor.last] or list(floor.people)
    floor.rng.shuffle(free)
    return min(free, key=lambda one: (floor.given[one] > 0, one in holding, floor.given[one]))


def _close(floor: Floor, manner: str, doubter: str, opener: str, due: Collection[str]) -> None:
    for one in due:
        if all(move.speaker != one for move in floor.moves) and one != floor.last:
            floor.say(one, "side", to=opener)
    has_news = any(move.parameter for move in floor.moves) if manner == "inquiry" else floor.moves[-1].act != "yield"
    if doubter and has_news and floor.rng.random() < _SETTLE[manner]:
        floor.remark(doubter if manner == "inquiry" else floor.other(), "settle")  # nobody thanks for an own answer
    goes_on = len(floor.people) == 2 and floor.moves[-1].act != "open" and floor.rng.random() < _GOES_ON
    floor.say(floor.last if goes_on else floor.other(), "request")


def _bring_out(floor: Floor, round_: PlannedRound, parameter: str) -> None:
    """Have a value said by the one who holds it, asked by another or not."""
    holder, last = round_.holders[parameter], floor.moves[-1]
    if floor.rng.random() < _ASKED or floor.last == holder:
        asker = floor.other(than=holder)
        if asker == holder or (asker == floor.last and last.act in ("doubt", "case", "side", "yield")):
            floor.say(holder, "tell", parameter)
            return
        floor.say(asker, "ask", parameter, holder)
        floor.say(holder, "answer", parameter)
    else:
        floor.say(holder, "tell", parameter)
