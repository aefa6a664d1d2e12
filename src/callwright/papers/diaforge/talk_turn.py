"""One message of a live user with what its faults are looked for in: the state before it and the words it answers."""

from __future__ import annotations

from functools import cached_property

import msgspec

from callwright.author.briefs import Known
from callwright.author.value_checks import TELLING, is_given_away, is_sayable
from callwright.lang.tokens import stem_set
from callwright.papers.diaforge.listening import Heard
from callwright.papers.diaforge.question_kinds import QuestionKinds, asking
from callwright.papers.diaforge.reply_words import asks_back, matter
from callwright.papers.diaforge.said_near import is_given
from callwright.papers.diaforge.user_policy import UserState

Fault = tuple[str, str]
"""Kind and detail."""


class TalkTurn(msgspec.Struct, frozen=True, dict=True):
    """A user's message `text` after the assistant's words `heard`, in which rules hear `asks`."""

    state: UserState
    asks: Heard
    heard: str
    text: str

    @cached_property
    def asking(self) -> QuestionKinds:
        """What kind of question it answers."""
        return asking(self.heard)

    @cached_property
    def heard_stems(self) -> frozenset[str]:
        """Stems of the question."""
        return stem_set(self.heard)

    @cached_property
    def said(self) -> tuple[Known, ...]:
        """Gold values that it says, said before or not."""
        return tuple(one for one in self.state.known if is_sayable(one) and is_given(one, self.text, self.state.today))

    @cached_property
    def told(self) -> tuple[Known, ...]:
        """Gold values that it says for the first time, and not by chance."""
        return tuple(one for one in self.state.untold if is_told(self.state, one, self.text))

    @cached_property
    def wanted(self) -> tuple[Known, ...]:
        """Gold values that were asked for and not said before."""
        return tuple(one for one in self.state.untold if one.slot.name in self.asks.slots)

    @cached_property
    def asks_back(self) -> bool:
        """Whether it asks what is meant."""
        return asks_back(self.text, self.heard_stems)

    @cached_property
    def of_wish(self) -> frozenset[str]:
        """Stems of the wish in the words of the goal and the tool."""
        wish = f"{self.state.request.verb} {self.state.request.thing}"
        return self.state.gold.stems | stem_set(wish)

    @cached_property
    def of_values(self) -> frozenset[str]:
        """Stems of the gold values and of what they are called."""
        texts = (f"{one.slot.noun.text} {one.text}" for one in self.state.known)
        return stem_set(" ".join(texts))

    @cached_property
    def matter(self) -> frozenset[str]:
        """Its stems without what is said in any conversation."""
        return matter(self.text)


def is_told(state: UserState, known: Known, text: str) -> bool:
    """Whether a text says a value, and not by chance: as a part of another one or of what things are called."""
    if known.slot.kind not in TELLING and known.slot.kind != "enum":
        return False
    others = [one for one in state.known if one is not known]
    names = (state.gold.phrase, *(one.slot.noun.text for one in state.known))
    return is_given_away(text, known, others, state.today, names)
