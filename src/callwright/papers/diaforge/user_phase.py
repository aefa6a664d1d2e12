"""Which of its two phases a user is in, where only words tell: rules hear them, and no thought or choice is read.

The same rules follow a live user that a model plays, and the dialogue of models whose assistant calls natively.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from callwright.author.briefs import UserAct
from callwright.author.value_checks import is_said, is_sayable
from callwright.lang.tokens import stem_set
from callwright.papers.diaforge.listening import Heard, names_alone
from callwright.papers.diaforge.said_in_groups import as_written
from callwright.papers.diaforge.user_policy import UserState, advance, heard_by
from callwright.records.dialogue import Turn


def after_words(state: UserState, asks: Heard | None, text: str) -> tuple[UserState, tuple[str, ...]]:
    """Return the state after a message of the user, and the names of the values that it says for the first time.

    `asks` is what rules hear in the words that it answers; None for the first message.
    """
    words = as_written(text, state.known)
    told = tuple(
        known.slot.name
        for known in state.untold
        if (is_said(words, known, state.today) if is_sayable(known) else _answers(known.slot.name, asks))
    )
    own = state.gold.stems.difference(*(other.stems for other in state.others))
    picks = bool(asks) and (bool(told) or not own.isdisjoint(stem_set(text)) or state.insists > 0)
    user = advance(state, UserAct("answer", picks=picks, slots=told), text)
    # the second answer that tells nothing apart is the last one that is told to say little
    return msgspec.structs.replace(user, insists=user.insists + 1 if asks else user.insists), told


def is_known_to_assistant(state: UserState, turns: Sequence[Turn], speaker: str, alien: Collection[str]) -> bool:
    """Whether the words so far tell the assistant's side which tool is meant: rules hear it, no thought is read.

    `state` is the user's before the first word, `alien` names the slots of the look-alikes. The tool is known once the
    user has told it apart, or the assistant names it alone, or asks for a value that only it takes; once the user has
    answered a question, for any value of it. What is known stays known.
    """
    asks: Heard | None = None
    for turn in turns:
        if turn.speaker == speaker:
            state, _ = after_words(state, asks, turn.text)
        else:
            has_answered = asks is not None
            asks = heard_by(state, turn.text)
            is_asked = bool(asks.slots) and not asks.offered and (has_answered or not {*asks.slots} <= {*alien})
            if state.picked or is_asked or names_alone(turn.text, state.gold, state.others):
                return True
    return state.picked


def _answers(slot: str, asks: Heard | None) -> bool:
    """Whether a value that cannot be looked for was asked for, and so is taken for said."""
    return asks is not None and (slot in asks.slots or asks.general == "all")
