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
from collections.abc import Iterator
from typing import Final

from callwright.author.briefs import Known
from callwright.lang.surface import mentions
from callwright.lang.tokens import stem_set
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.diaforge.acts_said import act_of, acts_in, other_act
from callwright.papers.diaforge.asked_replies import asked_faults
from callwright.papers.diaforge.asked_values import is_question
from callwright.papers.diaforge.giving_up import gives_up
from callwright.papers.diaforge.listening import Heard, is_refusal
from callwright.papers.diaforge.other_side import takes_other_side
from callwright.papers.diaforge.plain_drift import opening_drift
from callwright.papers.diaforge.reply_words import clauses, matter, taken
from callwright.papers.diaforge.said_near import NUMERIC, is_given
from callwright.papers.diaforge.taken_rivals import proposes_other
from callwright.papers.diaforge.talk_turn import TalkTurn, is_told
from callwright.papers.diaforge.turned_wish import wish_faults
from callwright.papers.diaforge.user_policy import UserState
from callwright.records.transcript import UserFault

_MOST_UNASKED: Final = 1
"""Required values that a user may add to an answer, as people do."""

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


def guard_faults(state: UserState, asks: Heard | None, heard: str, text: str, turn: int) -> Iterator[UserFault]:
    """Yield the faults of a message beyond those of `user_faults`, which the whole transcript shows.

    `state` is the user's before it; `asks` what rules hear in the assistant's words `heard`, None for the opening.
    """
    talk = TalkTurn(state, asks or Heard(), heard, text)
    tells = bool(talk.said)
    if takes_other_side(text, (state.gold, *state.others), state.known, state.lacking, heard, tells=tells):
        yield UserFault(turn, "role_swap", "the words are an assistant's, not the user's")
    answers = tells or not talk.matter.isdisjoint(talk.heard_stems)
    ends = act_of(state.gold) == "remove" or proposes_other(talk)
    if not is_refusal(heard) and gives_up(text, tells=bool(talk.told), ends=ends, answers=answers):
        yield UserFault(turn, "left_early", "the user gives up although the assistant goes on")
    if asks is None:
        yield from _opening_faults(state, text, turn)
        return
    yield from _early(talk, turn)
    yield from _denials(talk, turn)
    found = (*asked_faults(talk), *wish_faults(talk))
    yield from (UserFault(turn, kind, detail) for kind, detail in found)
    yield from _other_names(talk, turn)
    if not state.picked and not talk.said and (act := other_act(taken(text), state.gold, state.others)):
        yield UserFault(
            turn, "goal_drift", f"the words ask to {act} something, and the user wants to {state.gold.verb}"
        )


def _opening_faults(state: UserState, text: str, turn: int) -> Iterator[UserFault]:
    verbs = (word for word in (state.gold.verb.partition(" ")[0], state.request.verb) if word not in LOOKUPS)
    wish = f"{state.gold.object} {state.request.thing} {' '.join(verbs)}"
    content = matter(text) - _VAGUE
    is_named = _is_about(text, state.names | stem_set(wish)) or _is_about(" ".join(content), state.around)
    if not (content or matter(wish) <= _VAGUE) or not (is_named or _wishes_for_something(text)):
        yield UserFault(turn, "off_topic", "the first message does not say what it is about")
    if drift := opening_drift(state, text):
        yield UserFault(turn, "goal_drift", f"the words mean {drift}, not what the user wants")
    for known in state.untold:
        is_early = is_told(state, known, text) or _is_counted(known, text)
        if known.slot.name != state.opens_with and is_early:
            yield UserFault(turn, "early_disclosure", f"{known.slot.noun.text} is said before it was asked for")


_VAGUE: Final = stem_set(
    "add change make create remove delete update show see look get find list view check set put give something thing "
    "stuff question favour favor request hand matter morning afternoon evening quick quickly fast hurry able "
    "assist assistance please would like love want need run running"
)
"""What names no wish: acts of any tool, and what one says around them."""


_WISHES: Final = re.compile(
    r"\b(?:need|want|wish)\b|\bi(?:'m| am) (?:after|wondering|interested)\b|\b(?:would|should|'d) (?:like|love)\b"
    r"|\b(?:looking|hunting|searching) (?:for|at|to)\b|\bshould (?:go|be)\b|^\W*there(?:'s| is| are) (?:a|an"
    r"|some|one)\b"
    r"|(?:^\W*(?:(?:and|so|hi|hello|please)\b\W*)*|\b(?:can|could|would|will) (?:you|i)(?: please)? )"
    r"(?:show|list|find|get|look|pull|give|what(?:'s)?|which|who|where|when|how)\b",
    re.IGNORECASE,
)


def _wishes_for_something(text: str) -> bool:
    """Whether a clause that wishes or asks has a word of its own: it may be the wish in words that no document has."""
    asking = " ".join(one for one in clauses(text) if _WISHES.search(one) and not _ASKS_HELP.search(one))
    return bool(matter(_WISHES.sub(" ", asking)) - _VAGUE - _AROUND)


_ASKS_HELP: Final = re.compile(
    r"\b(?:hope|hoping|help|helper|helping|hand|favou?r|assist\w{0,5}|minute|imagine|trust|appreciate|are you)\b",
    re.IGNORECASE,
)
_AROUND: Final = stem_set(
    "done do kind kindly small chat pleasure friend folks guys bit problem issue job support someone day week today "
    "today's time busy weather lovely mind feel happy moment ask question side end team company office business "
    "world story couple information info details data list"
)
"""What is said around any request."""


def _is_about(text: str, names: frozenset[str]) -> bool:
    """Whether a text has one of the stems, or a word of the same family: `training` of `trainer`."""
    said = stem_set(text)
    families = {one[:_OF_FAMILY] for one in said if len(one) >= _OF_FAMILY}
    is_akin = not families.isdisjoint(name[:_OF_FAMILY] for name in names)
    is_akin |= any(len(one) == _OF_FAMILY - 1 and f"{one}al" in names for one in said)
    return not said.isdisjoint(names) or is_akin or any(f"{one}ment" in names for one in said)


_OF_FAMILY: Final = 5
"""Letters that words of one family have in common at least."""


# -- early -------------------------------------------------------------------------------------------------------------


def _is_counted(known: Known, text: str) -> bool:
    """Whether a text says a number as the parameter's, beside a word of its noun: `at a rate of 12`."""
    if known.slot.kind not in NUMERIC or not mentions(text, known.value, known.slot.kind, today=None):
        return False
    noun = stem_set(known.slot.noun.text)
    return any(
        not noun.isdisjoint(stem_set(clause)) and mentions(clause, known.value, known.slot.kind, today=None)
        for clause in clauses(text)
    )


def _is_switched(known: Known, text: str) -> bool:
    """Whether a text says the name of a yes or no in a clause that is about nothing else: `may read but not write`."""
    return known.slot.kind == "boolean" and known.slot.stems <= stem_set(text) and bool(known.slot.stems)


def _early(talk: TalkTurn, turn: int) -> Iterator[UserFault]:
    state, asks = talk.state, talk.asks
    is_open = talk.asking.value or talk.asking.wish
    if asks.general or (is_open and not (asks.slots or asks.offered or asks.again)):
        return
    asked = (*(() if _is_only_choice(talk) else asks.slots), *asks.again, *state.optional)
    told = [one for one in state.untold if one in talk.told or _is_counted(one, talk.text)]
    if told:
        told += [one for one in state.untold if one not in told and _is_switched(one, talk.text)]
    unasked = [one for one in told if one.slot.name not in asked]
    # questions of which rules do not hear what they are for
    unheard = 0 if _is_only_choice(talk) else len(_ASKS_ONE.findall(talk.heard)) - len(asks.slots) - len(asks.again)
    if len(unasked) > _MOST_UNASKED + max(0, unheard):
        nouns = ", ".join(one.slot.noun.text for one in unasked)
        yield UserFault(turn, "early_disclosure", f"said before it was asked for: {nouns}")


def _is_only_choice(talk: TalkTurn) -> bool:
    """Whether the message asks which thing is meant and for no value: `a single entry, or all of them?`."""
    if not talk.asking.choice or talk.state.picked or _IDENTIFIER.search(talk.heard):
        return False
    return not _ASKS_ONE.search(_WHICH_OF.sub(" ", talk.heard)) and not _REQUESTS.search(talk.heard)


_WHICH_OF: Final = re.compile(r"\b(?:which|what)\b(?=[^.?!]{0,200}(?:[:,] .{1,200}| )or\b)", re.IGNORECASE)
"""Of a question that names what there is to choose from."""
_REQUESTS: Final = re.compile(
    r"\b(?:please (?:give|tell|send|provide|share)"
    r"|(?:could|can|would|will) you (?:please )?(?:give|tell|send|provide|share)|i(?:'ll| will)? (?:also )?need)\b",
    re.IGNORECASE,
)


_IDENTIFIER: Final = re.compile(r"\b(?:ids?|numbers?|codes?|sids?|keys?|names?|references?|dates?)\b", re.IGNORECASE)
_ASKS_ONE: Final = re.compile(r"\b(?:what|which|who|whom|whose|where|when|how(?: much| many| long)?)\b", re.IGNORECASE)
"""A word with which one thing is asked for."""


# -- denied ------------------------------------------------------------------------------------------------------------


def _denials(talk: TalkTurn, turn: int) -> Iterator[UserFault]:
    state, asks, text = talk.state, talk.asks, talk.text
    own = state.gold.stems.difference(*(other.stems for other in state.others))
    if _is_unwished(talk) or (
        asks.offered and own & talk.heard_stems and _NEITHER.search(text) and own.isdisjoint(stem_set(text))
    ):
        yield UserFault(turn, "denial", "what was offered is what the user wants")


_GOES_ON: Final = re.compile(r"\b(?:shall|may|should) i\b", re.IGNORECASE)
_ANOTHER: Final = re.compile(r"\b(?:another|other|also|as well|too)\b", re.IGNORECASE)


def _is_unwished(talk: TalkTurn) -> bool:
    """Whether the user takes none of several acts, one of which is wanted, or turns down what is being done."""
    state, heard, text = talk.state, talk.heard, talk.text
    acts, act = acts_in(heard), act_of(state.gold)
    if not is_question(heard):
        return False
    if not state.picked:
        is_bare = _NONE_OFFERED.search(text) is not None and state.names.isdisjoint(stem_set(text))
        return is_bare and len(acts) > 1 and act in acts
    is_about = _GOES_ON.search(heard) is not None and not _ANOTHER.search(heard)
    is_about |= not state.names.isdisjoint(talk.heard_stems)
    is_about |= any(is_given(one, heard, state.today) for one in state.known)
    is_wrong = any(is_given(one, text, state.today) for one in state.known)
    return _UNWANTED.search(text) is not None and is_about and acts <= {act, "see"} and not is_wrong


# -- other names -------------------------------------------------------------------------------------------------------


def _other_names(talk: TalkTurn, turn: int) -> Iterator[UserFault]:
    """Yield a name that is said in place of the user's own, where that was asked for."""
    state, heard, text = talk.state, talk.heard, talk.text
    wanted = [known for known in talk.wanted if known.slot.kind in _NAMES and known not in talk.said]
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
