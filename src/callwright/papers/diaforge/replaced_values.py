"""Values in a reply that are not the user's: another one in place of its own, agreed to, made up, or quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from callwright.author.briefs import Known
from callwright.author.value_checks import is_sayable
from callwright.lang.surface import forms
from callwright.lang.tokens import stem, stem_set, words
from callwright.papers.diaforge.asked_values import asked
from callwright.papers.diaforge.foreign_values import foreign_values
from callwright.papers.diaforge.question_kinds import QuestionKinds
from callwright.papers.diaforge.reply_words import (
    agrees,
    is_negated,
    lacking_in,
    matter,
    plain,
    says_no,
    says_yes,
    taken,
    without_quotes,
)
from callwright.papers.diaforge.said_near import (
    NAMING,
    NUMERIC,
    choices_of,
    is_other_number,
    is_turned_round,
    numbers_in,
    other_choice,
)
from callwright.papers.diaforge.taken_rivals import proposal_in
from callwright.papers.diaforge.talk_turn import Fault, TalkTurn


def replaced_values(turn: TalkTurn) -> Iterator[Fault]:
    """Yield the faults of a reply that says or agrees to a value of somebody else's."""
    yield from _others_said(turn)
    if (
        fault := _wrong_agreed(turn)
        or _given_for_none(turn)
        or _made_up(turn)
        or _invented(turn)
        or _all_switched(turn)
    ):
        yield fault
    yield from _quoted_others(turn)


def _others_said(turn: TalkTurn) -> Iterator[Fault]:
    """Yield a value that is said in place of the user's own, where it was asked for or is called by its noun."""
    text, today = turn.text, turn.state.today
    for known in turn.state.untold:
        is_asked = known.slot.name in turn.asks.slots
        if not is_asked and not _is_labelled(known, text):
            continue
        if known.slot.kind == "boolean":
            is_wrong = (is_asked or turn.state.picked) and is_turned_round(known, text)
        elif known in turn.said or (not is_asked and turn.asking.choice):
            continue
        elif known.slot.kind == "enum":
            is_wrong = is_asked and bool(other_choice(known, text, today)) and not says_no(text)
        elif known.slot.kind in NUMERIC:
            others = [one for one in turn.state.known if one is not known and one.slot.kind in NUMERIC]
            is_wrong = is_asked and not _has_moment(turn) and is_other_number(known, others, text)
        else:
            is_wrong = (
                known.slot.kind in NAMING
                and isinstance(known.value, str)
                and _is_another(known, turn, is_asked=is_asked)
            )
        if is_wrong:
            yield "value_not_gold", f"the {known.slot.noun.text} is another one"
            return


def _has_moment(turn: TalkTurn) -> bool:
    """Whether a number may belong to a code, which is not looked at."""
    return any(one.slot.kind == "code" for one in turn.wanted)


def _is_labelled(known: Known, text: str) -> bool:
    """Whether a text calls a parameter by all words of its noun, or by the last where that is a plain one."""
    noun = known.slot.noun.text
    last = words(noun)[-1:]
    said = stem_set(taken(text))
    stems = stem_set(noun)
    return bool(stems) and (stems <= said or bool(last and last[0] in ("name", "title") and _NAMED.search(text)))


_NAMED: Final = re.compile(r"\b(?:name|title)\b|\bcall (?:it|this)\b|\b(?:named|called)\b", re.IGNORECASE)
_CAPITALISED: Final = re.compile(r"(?<=[\w,] )[A-Z][a-z]{2,}\b(?<!day)")


def _is_another(known: Known, turn: TalkTurn, *, is_asked: bool) -> bool:
    """Whether a name is said that has words which are neither its own nor those of anything known."""
    text = taken(turn.text)
    if "?" in turn.text:
        return False
    own = stem_set(str(known.value))
    known_words = turn.heard_stems | turn.of_wish | turn.of_values | turn.state.names | stem_set(turn.state.persona)
    alien = matter(text) - own - known_words
    missing = own - stem_set(text)
    if not own or not missing or not alien:
        return False
    if not is_asked:
        names = [one for one in _CAPITALISED.findall(text) if stem_set(one) & alien]
        return bool(names)
    return bool(own & stem_set(text))


# -- agreed ------------------------------------------------------------------------------------------------------------


def _wrong_agreed(turn: TalkTurn) -> Fault | None:
    """Yes to a value that the assistant proposes and that is none of the user's."""
    if not (turn.asking.polar or not turn.asking.value) or turn.asking.chat or "?" in turn.text:
        return None
    if not _takes_over(turn):
        return None
    today = date.fromisoformat(turn.state.today) if turn.state.today else None
    foreign = list(foreign_values(proposal_in(turn.heard), turn.state.known, [], today=today, corrects=""))
    foreign = [one for one in foreign if not one.isdigit() or int(one) > _SMALL]
    if foreign and not _own_said_in_place(turn):
        return "value_not_gold", f"{foreign[0]!r} is not the user's value"
    for known in turn.state.untold:
        is_asked = known.slot.kind == "enum" and known.slot.name in (*turn.asks.slots, *turn.asks.again)
        if is_asked and not turn.asking.choice and (other := other_choice(known, turn.heard, turn.state.today)):
            return "value_not_gold", f"{other!r} is not the user's {known.slot.noun.text}"
    if _INSTEAD.search(turn.heard):
        for known in turn.state.known:
            if isinstance(known.value, str) and known not in turn.said and _is_declined(known, turn.heard):
                return "value_not_gold", f"the user's {known.slot.noun.text} is another one"
    return None


_SMALL: Final = 12
_INSTEAD: Final = re.compile(r"\binstead\b|\brather\b|\balternative", re.IGNORECASE)


def _own_said_in_place(turn: TalkTurn) -> bool:
    """Whether the reply says values of its own that the question did not have."""
    return any(str(one.value).lower() not in turn.heard.lower() for one in turn.said)


def _takes_over(turn: TalkTurn) -> bool:
    return says_yes(turn.text) or (agrees(turn.text) and not is_negated(turn.text) and not says_no(turn.text))


def _is_declined(known: Known, heard: str) -> bool:
    """Whether the assistant says of the user's value that it does not do."""
    own = str(known.value).lower()
    return any(own in part.lower() and is_negated(part) for part in re.split(r"[.?!]\s", heard))


_DELEGATES: Final = re.compile(
    r"\b(?:either|both|any|whatever|whichever|default|usual\w{0,30}|standard|normal\w{0,30}|whole|matter|mind|skip"
    r"|nothing|none|leave|best|suggest"
    r"|recommend|up to you|you (?:choose|pick|decide|think|like)|enough|only (?:have|know)|all i)\b",
    re.IGNORECASE,
)


def _asks_for_none(turn: TalkTurn) -> bool:
    """Whether a question is for parameters for which the user has no value, and for no other."""
    own = [one.slot for one in turn.state.known]
    slots = [*own, *turn.state.lacking]
    places = asked(turn.heard, slots, [True] * len(slots)).places
    return bool(places) and min(places) >= len(own)


def _counts_none(turn: TalkTurn) -> bool:
    """Whether a number is asked for, and the user has none to say."""
    is_open = any(one.slot.kind in NUMERIC for one in turn.state.known) or turn.asks.slots or turn.asks.again
    return not is_open and _HOW_MANY.search(turn.heard) is not None


def _given_for_none(turn: TalkTurn) -> Fault | None:
    """A value for a parameter for which the user has none."""
    is_none = turn.asks.lacks or _counts_none(turn) or (turn.state.picked and _asks_for_none(turn))
    if not is_none or turn.asking.polar or not turn.asking.value or "?" in turn.text:
        return None
    text = without_quotes(turn.text)
    if is_negated(text) or _DELEGATES.search(text) or turn.said or lacking_in(text):
        return None
    names = stem_set(" ".join(slot.noun.text for slot in turn.state.lacking))
    offered = matter(turn.heard) & turn.matter - names
    is_counted = _HOW_MANY.search(turn.heard) is not None and bool(numbers_in(text))
    if (
        is_counted
        or (turn.asking.choice and offered)
        or _CAPITALISED.search(text)
        or re.search(r"\d", text)
        or '""' in text
    ):
        return "value_not_gold", "the user has no value for what was asked"
    return None


_HOW_MANY: Final = re.compile(r"\bhow (?:many|much|long|often|far|big)\b", re.IGNORECASE)
_WHO: Final = re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)
_FULL_NAME: Final = re.compile(r"\b(?!Please\b|The\b|It\b|Yes\b)[A-Z][^\W\d_]{1,30} [A-Z][^\W\d_]{1,30}\b")
_LABELLED: Final = re.compile(r"(?:^|[.!] )\W{0,3}(?:the |my |yes, )?(\w{3,30})(?::| is| are) ([^.!?]{2,60})")
_DAYS: Final = frozenset(("date", "datetime", "time", "phone", "year"))
_DIGITS: Final = re.compile(r"(?<![\w-])\d{4,}(?![\w-])")
_YEARS: Final = re.compile(r"(?:19|20)\d\d")


def _made_up(turn: TalkTurn) -> Fault | None:
    """A person, a number or a word that was asked for, and that the user has not."""
    state, text = turn.state, plain(turn.text)
    if "?" in text:
        return None
    around = f"{turn.heard} {state.persona} {' '.join(one.text for one in state.known)}".casefold()
    if _WHO.search(turn.heard) and not any(one.slot.kind in NAMING or one.slot.kind == "text" for one in turn.wanted):
        names = [one for one in _FULL_NAME.findall(text) if not any(part.casefold() in around for part in one.split())]
        if names:
            return "value_not_gold", f"{names[0]!r} is nobody of the user's"
    if turn.asking != QuestionKinds() and not any(one.slot.kind in _DAYS for one in state.known):
        digits = re.sub(r"[^\d\n]", "", around.replace(" ", "\n"))
        made = [one for one in _DIGITS.findall(text) if one not in digits and stem(one) not in state.spoken]
        made = [one for one in made if not _YEARS.fullmatch(one)]
        if made:
            return "value_not_gold", f"{made[0]!r} is not a value of the user's"
    if not state.known and turn.asking != QuestionKinds() and not is_negated(text):
        for label, value in _LABELLED.findall(text):
            said = matter(value)
            if stem(label.lower()) in turn.heard_stems and said and said.isdisjoint(turn.heard_stems | turn.of_wish):
                return "value_not_gold", f"the user has no {label.lower()}"
    return None


_CODE: Final = re.compile(r"\b(?=\w{0,30}\d)[\w-]{3,}\b")


def _invented(turn: TalkTurn) -> Fault | None:
    """A number or a code of a user who has none at all."""
    own = " ".join(one.text for one in turn.state.known)
    if re.search(r"\d", own) or is_negated(turn.text) or turn.asking == QuestionKinds():
        return None
    heard = f"{turn.heard} {turn.state.persona}"
    found = [one for one in _CODE.findall(turn.text) if one not in heard and stem(one.lower()) not in turn.state.spoken]
    return ("value_not_gold", f"{found[0]!r} is not a value of the user's") if found else None


_ALL: Final = re.compile(r"\b(?:all|everything|both|each)\b", re.IGNORECASE)


def _all_switched(turn: TalkTurn) -> Fault | None:
    """All of several yes or no questions answered alike, where the values differ from that."""
    switches = [one for one in turn.wanted if one.slot.kind == "boolean"]
    if len(switches) < 2 or any(one.slot.stems & stem_set(turn.text) for one in switches):
        return None
    is_all = _ALL.search(taken(turn.text)) is not None
    is_none = re.search(r"\b(?:none|neither|nothing)\b", turn.text, re.IGNORECASE) is not None
    if (is_all and not all(one.value for one in switches)) or (is_none and any(one.value for one in switches)):
        return "value_not_gold", "the user's answers are not the same for all"
    return None


# -- quoted ------------------------------------------------------------------------------------------------------------

_QUOTED: Final = re.compile(r'"([^"]{2,80})"|“([^”]{2,80})”')


def _quoted_others(turn: TalkTurn) -> Iterator[Fault]:
    """Yield a quoted text that is none of the user's values and that nobody spoke of."""
    texts = [one for one in turn.state.known if isinstance(one.value, str) and is_sayable(one)]
    if not texts or not turn.wanted:
        return
    own = " ".join(way for one in texts for way in (*forms(one.value, one.slot.kind), *choices_of(one))).casefold()
    for match in _QUOTED.finditer(turn.text):
        said = (match[1] or match[2]).strip(" .,!")
        spoken = turn.heard_stems | turn.state.names | turn.state.spoken | turn.of_wish
        if said.casefold() not in own and said.casefold() not in turn.heard.casefold() and not stem_set(said) <= spoken:
            yield "value_not_gold", f"{said!r} is none of the user's values"
            return
