"""Rules on a live user's message that a model wrote after hearing the assistant (section 4.1).

    helped      tool_leak         a tool or parameter identifier is said
                early_disclosure  values come before they are asked for
    hindered    value_not_gold    a value that the user does not have
                goal_drift        words that mean another tool of the pool
                off_topic         an opening that does not name the wish
                denial            the user denies what it wants or knows
                evasion           a question for a known value is not answered
                left_early        the user gives up while the assistant goes on
                role_swap         the user talks as an assistant does

In doubt there is no fault: what the rules do not hear in a question may have been asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from callwright.author.briefs import Known
from callwright.author.value_checks import TELLING, is_given_away, is_said, is_sayable
from callwright.lang.surface import forms, mentions
from callwright.lang.tokens import content_stems, stem_set
from callwright.papers.diaforge.acts_said import act_of, acts_in, other_act
from callwright.papers.diaforge.asked_values import is_question
from callwright.papers.diaforge.listening import Heard, is_refusal
from callwright.papers.diaforge.relevance import small_talk
from callwright.papers.diaforge.user_policy import UserState
from callwright.records.jsontext import decode
from callwright.records.transcript import UserFault
from callwright.validate.unsayable import AS_ASSISTANT, LACKS

_MOST_UNASKED: Final = 1
"""Required values that a user may add to an answer, as people do."""

_EXACT: Final = frozenset(("code", "email", "phone", "url", "date", "datetime", "time", "money", "number", "year"))
"""Kinds whose values cannot be paraphrased."""

_NEITHER: Final = re.compile(
    r"\b(?:neither|none of (?:th|those|it)|not th(?:at|ose|ese)|something else|nope)\b"
    r"|^no\b(?!.*\b(?:i(?:'d| would| should) (?:\w+ )?(?:like|prefer)|i (?:want|need|mean|prefer)|all|both|every)\b)",
    re.IGNORECASE,
)
_NONE_OFFERED: Final = re.compile(r"^\W*(?:no\W+)?(?:neither\b|none of (?:them|these|those)\b)", re.IGNORECASE)
_UNWANTED: Final = re.compile(
    r"\bnot what i (?:want|mean|ask|need|was)\w*|\b(?:never|did(?:n't| not)) (?:ask|want|mean|need)\w*\b(?! to say)",
    re.IGNORECASE,
)
_LEAVES: Final = re.compile(
    r"\b(?:good ?bye|bye(?= ?(?:now\b|[.!,;]|$))|never ?mind"
    r"|forget (?:it|about it|this)|i give up|cancel (?:this|my) request"
    r"|(?:i'll|i will) (?:do it myself|ask someone else|come back later|try (?:again )?later|leave it)"
    r"|no longer need (?:it|this))\b",
    re.IGNORECASE,
)


def guard_faults(state: UserState, asks: Heard | None, heard: str, text: str, turn: int) -> Iterator[UserFault]:
    """Yield the faults of a message beyond those of `user_faults`, which the whole transcript shows.

    `state` is the user's before it; `asks` what rules hear in the assistant's words `heard`, None for the opening.
    """
    if AS_ASSISTANT.search(text):
        yield UserFault(turn, "role_swap", "the words are an assistant's, not the user's")
    if not is_refusal(heard) and _LEAVES.search(text):
        yield UserFault(turn, "left_early", "the user gives up although the assistant goes on")
    if asks is None:
        yield from _opening_faults(state, text, turn)
        return
    told = [known for known in state.untold if _is_told(state, known, text)]
    yield from _early(state, asks, heard, told, turn)
    yield from _denials(state, asks, heard, text, told, turn)
    yield from _other_choices(state, asks, text, turn)
    yield from _other_names(state, asks, heard, text, turn)
    if not state.picked and (act := other_act(text, state.gold, state.others)):
        yield UserFault(
            turn, "goal_drift", f"the words ask to {act} something, and the user wants to {state.gold.verb}"
        )


def _opening_faults(state: UserState, text: str, turn: int) -> Iterator[UserFault]:
    wish = f"{state.gold.phrase} {state.request.verb} {state.request.thing}"
    if not _is_about(text, state.names | stem_set(wish)):
        yield UserFault(turn, "off_topic", "the first message does not say what it is about")
    for known in state.untold:
        if known.slot.name != state.opens_with and _is_told(state, known, text):
            yield UserFault(turn, "early_disclosure", f"{known.slot.noun.text} is said before it was asked for")


def _is_about(text: str, names: frozenset[str]) -> bool:
    """Whether a text has one of the stems, or a word of the same family: `training` of `trainer`."""
    said = stem_set(text)
    families = {one[:_OF_FAMILY] for one in said if len(one) >= _OF_FAMILY}
    is_akin = not families.isdisjoint(name[:_OF_FAMILY] for name in names)
    return not said.isdisjoint(names) or is_akin or any(f"{one}ment" in names for one in said)


_OF_FAMILY: Final = 5
"""Letters that words of one family have in common at least."""


def _is_told(state: UserState, known: Known, text: str) -> bool:
    """Whether a text says a value, and not by chance: as a part of another one or of what things are called."""
    if known.slot.kind not in TELLING and known.slot.kind != "enum":
        return False
    others = [one for one in state.known if one is not known]
    names = (state.gold.phrase, *(one.slot.noun.text for one in state.known))
    return is_given_away(text, known, others, state.today, names)


def _early(state: UserState, asks: Heard, heard: str, told: Sequence[Known], turn: int) -> Iterator[UserFault]:
    is_understood = bool(asks.slots or asks.offered or asks.again)
    if not is_understood or asks.general:
        return
    unasked = [one for one in told if one.slot.name not in (*asks.slots, *asks.again, *state.optional)]
    unheard = len(_ASKS_ONE.findall(heard)) - len(asks.slots)  # questions of which rules do not hear what they are for
    if len(unasked) > _MOST_UNASKED + max(0, unheard):
        nouns = ", ".join(one.slot.noun.text for one in unasked)
        yield UserFault(turn, "early_disclosure", f"said before it was asked for: {nouns}")


_ASKS_ONE: Final = re.compile(r"\b(?:what|which|who|whom|whose|where|when|how(?: much| many| long)?)\b", re.IGNORECASE)
"""A word with which one thing is asked for."""


def _denials(
    state: UserState, asks: Heard, heard: str, text: str, told: Sequence[Known], turn: int
) -> Iterator[UserFault]:
    wanted = [known for known in state.untold if known.slot.name in asks.slots]
    given = [known for known in wanted if is_sayable(known) and _is_given(state, known, text)]
    own = state.gold.stems.difference(*(other.stems for other in state.others))
    if wanted and not given and not is_question(text) and LACKS.search(text):
        yield UserFault(turn, "denial", f"the user knows the {wanted[0].slot.noun.text}")
    elif _is_unwished(state, heard, text):
        yield UserFault(turn, "denial", "what the assistant speaks of is what the user wants")
    elif asks.offered and own & stem_set(heard) and _NEITHER.search(text) and own.isdisjoint(stem_set(text)):
        yield UserFault(turn, "denial", "what was offered is what the user wants")
    elif (
        wanted and not given and not told and _is_evasive(state, wanted, text) and not _takes_option(state, heard, text)
    ):
        yield UserFault(turn, "evasion", f"the {wanted[0].slot.noun.text} was asked for and is not said")


def _is_given(state: UserState, known: Known, text: str) -> bool:
    """Whether a text says a value, in words or as it is written."""
    return is_said(text, known, state.today) or mentions(text, str(known.value), "code", today=None)


_GOES_ON: Final = re.compile(r"\b(?:shall|may|should) i\b", re.IGNORECASE)
_ANOTHER: Final = re.compile(r"\b(?:another|other|also|as well|too)\b", re.IGNORECASE)


def _is_unwished(state: UserState, heard: str, text: str) -> bool:
    """Whether the user takes none of several acts, one of which is wanted, or turns down what is being done."""
    acts, act = acts_in(heard), act_of(state.gold)
    if not is_question(heard):
        return False
    if not state.picked:
        is_bare = _NONE_OFFERED.search(text) is not None and state.names.isdisjoint(stem_set(text))
        return is_bare and len(acts) > 1 and act in acts
    is_about = _GOES_ON.search(heard) is not None and not _ANOTHER.search(heard)
    is_about |= not state.names.isdisjoint(stem_set(heard)) or any(_is_given(state, one, heard) for one in state.known)
    is_wrong = any(_is_given(state, one, text) for one in state.known)
    return _UNWANTED.search(text) is not None and is_about and acts <= {act, "see"} and not is_wrong


def _takes_option(state: UserState, heard: str, text: str) -> bool:
    """Whether the user takes up a choice between acts, as long as it is open which one is wanted."""
    taken = set(content_stems(text)) & stem_set(heard)
    is_choice = not state.picked and _EITHER.search(heard) is not None
    return is_choice and (bool(taken - small_talk()) or not _ASKS_ONE.search(heard))


_EITHER: Final = re.compile(r"\bor\b", re.IGNORECASE)


def _is_evasive(state: UserState, wanted: Sequence[Known], text: str) -> bool:
    """Whether a text without the values `wanted` answers in no other way: it asks nothing and names no wish.

    A value may be told in other words, unless its kind has none or nothing but small talk is said.
    """
    kinds = {known.slot.kind for known in wanted}
    is_empty = {*content_stems(text)} <= small_talk() and kinds.isdisjoint(("boolean", "object", "other"))
    return (is_empty or kinds <= _EXACT) and not is_question(text) and state.names.isdisjoint(stem_set(text))


def _other_choices(state: UserState, asks: Heard, text: str, turn: int) -> Iterator[UserFault]:
    """Yield a listed choice that is said in place of the user's own, where it was asked for."""
    for known in state.untold:
        if known.slot.kind != "enum" or known.slot.name not in asks.slots or is_said(text, known, state.today):
            continue
        said = f" {' '.join(text.lower().split())} "
        others = [choice for choice in _choices(known) if choice != known.value]
        ways = [way.lower() for choice in others for way in forms(choice, "enum")]
        if any(re.search(rf"(?<!\w){re.escape(way)}(?!\w)", said) for way in ways) and not _NEITHER.search(text):
            yield UserFault(turn, "value_not_gold", f"the {known.slot.noun.text} is another one")


def _other_names(state: UserState, asks: Heard, heard: str, text: str, turn: int) -> Iterator[UserFault]:
    """Yield a name that is said in place of the user's own, where that was asked for."""
    asked = [known for known in state.untold if known.slot.name in asks.slots and known.slot.kind in _NAMES]
    wanted = [known for known in asked if not _is_given(state, known, text)]
    if not wanted:
        return
    told = stem_set(" ".join((heard, state.persona, *(str(one.value) for one in state.known)))) | state.names
    quoted = [one for one in _QUOTED.findall(text) if one.casefold() not in heard.casefold()]
    capitalised = [] if _NOTHING.search(text) else _CAPITALISED.findall(text)
    if names := quoted or [name for name in capitalised if told.isdisjoint(stem_set(name))]:
        yield UserFault(turn, "value_not_gold", f"{names[0]!r} is not the user's {wanted[0].slot.noun.text}")


_NAMES: Final = frozenset(("title", "person", "city", "country"))
_CAPITALISED: Final = re.compile(r"(?<=[\w,] )[A-Z][a-z]{3,}\b(?<!day)")
"""Names inside a sentence, but for days of the week."""
_QUOTED: Final = re.compile(r'"([^"]{2,60})"')
_NOTHING: Final = re.compile(r"\b(?:no|not|none|never|\w+n't)\b", re.IGNORECASE)


def _choices(known: Known) -> list[str]:
    schema = decode(known.slot.schema)
    listed = schema.get("enum") if isinstance(schema, dict) else None
    return [choice for choice in listed if isinstance(choice, str)] if isinstance(listed, list) else []
