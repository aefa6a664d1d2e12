"""Faults of a reply with regard to the wish: another one is taken, or what is right is turned down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from callwright.lang.tokens import stem_set
from callwright.papers.diaforge.foreign_values import foreign_values
from callwright.papers.diaforge.plain_drift import plain_drift
from callwright.papers.diaforge.reply_words import agrees, matter, plain, says_no, taken
from callwright.papers.diaforge.taken_rivals import asks_against, options_of, other_way, taken_rival
from callwright.papers.diaforge.talk_turn import Fault, TalkTurn


def wish_faults(turn: TalkTurn) -> Iterator[Fault]:
    """Yield the fault of a reply that means another wish, or turns down the right one."""
    if rival := taken_rival(turn) or plain_drift(turn):
        yield "goal_drift", f"the words mean {rival}, not what the user wants"
    elif _is_rejection(turn):
        yield "denial", "what the assistant speaks of is what the user wants"


def _own(turn: TalkTurn) -> frozenset[str]:
    return turn.of_wish | turn.of_values


_CONFIRMS: Final = re.compile(
    r"\b(?:right|correct|ok(?:ay)?|good|fine|ready|so|yes|agreed)\?\W{0,20}$|\b(?:shall|should|may"
    r"|can) i\b(?! (?:have|ask|get))|\bis (?:that|this|it) (?:right|correct|so|ok(?:ay)?|what)\b"
    r"|\b(?:do|did) you (?:mean|want me|say)\b|\bgo ahead\b|^\W{0,9}(?:[^?:]{0,40}:\s{1,9})?(?:so|then)?,? ?(?:you"
    r"|i|we)(?:'d|'ll)? (?:want|like|am|\w{1,30})\b.{0,200}\?",
    re.IGNORECASE | re.MULTILINE,
)
_EXTRA: Final = re.compile(
    r"\b(?:another|other|also|as well|too|afterwards|additionally|then|besides|plus|else|optional|if)\b", re.IGNORECASE
)
_ACCOUNT: Final = (
    r"\b(?:your|that|this|the) (?:(?:\w{1,30} )?(?:number|name|id|date|code|address|key)"
    r"|summary|recap|understanding|account|overview|list|note|wrap-up|description)\b(?: (?:you|that you|there"
    r"|here)(?:'ve| have)?(?: \w{1,30})?)? "
)
"""What the assistant has summed up."""
_UNWANTED: Final = re.compile(
    r"\bnot (?:at all |quite |really )?what i(?:'m| am| was|'d| had| have)? (?:\w{1,30} )?(?:want|mean|ask|need"
    r"|after|look|wish|request|have in mind|hope|want)\w{0,30}"
    r"|\bnot (?:at all )?(?:what i'm after|it|so|right|correct|that|this one|this)(?= {0,3}(?:[.,!]|$|at all))"
    r"|\b(?:isn't|wasn't|is not|was not) (?:at all )?(?:it|right|correct|so|what i \w{1,30}|what i'm after)\b"
    rf"|{_ACCOUNT}(?:[^.,!?]{{0,40}} )?(?:is|was|has it)(?: all| quite| completely)?"
    r" (?:wrong|mistaken|incorrect|false|not (?:right|correct|accurate|true|what i))"
    rf"|{_ACCOUNT}(?:isn't|wasn't|doesn't (?:match|fit)|does not (?:match|fit))|^\W*(?:no\W+)?wrong \w{{1,30}}\W*$"
    rf"|{_ACCOUNT}(?:is|was) (?:all |quite |way )?off(?= {{0,3}}(?:[.,!]|$))"
    r"|\b(?:that's|it's|this is|that is) (?:not (?:my|the right|our)|the wrong) \w{1,30}(?= {0,3}(?:[.,!]|$))"
    r"|\byou(?:'ve| have)? mixed (?:it|that|this|them|something|things) up\b"
    r"|\byou(?:'ve| have)? (?:got|noted|misread|misunderstood|misheard|mixed|confused) (?:it|that|this|me"
    r"|something|them|the"
    r" \w{1,30})(?: (?:all )?(?:wrong|up|down wrong\w{0,3}))?(?= {0,3}(?:[.,!;]|$))"
    r"|\b(?:that's|it's|this is|that is) (?:all )?(?:wrong|incorrect|false|a mistake|mistaken|something else)\b",
    re.IGNORECASE,
)


def _is_rejection(turn: TalkTurn) -> bool:
    """Whether a reply turns down what is right and puts nothing in its place."""
    if "?" in turn.text:
        return False
    is_wrong = _UNWANTED.search(plain(turn.text)) is not None
    if is_wrong and _ACCOUNTS.search(turn.heard) and not turn.said and not _is_corrected(turn):
        return _is_right_account(turn)
    if not (turn.asking.polar or turn.asking.choice):
        return False
    rejects = says_no(turn.text) or is_wrong
    if not rejects or turn.told or agrees(taken(turn.text)) or _is_corrected(turn):
        return False
    if turn.asking.choice:
        return _denies_choice(turn)
    return _is_right(turn)


def _is_corrected(turn: TalkTurn) -> bool:
    """Whether a reply says something of its own besides the refusal."""
    said = _SUMMED_UP.sub(" ", taken(turn.text)) if _UNWANTED.search(plain(turn.text)) else taken(turn.text)
    return bool(matter(_NO_MORE.sub(" ", said)) - _REJECTING)


_SUMMED_UP: Final = re.compile(rf"{_ACCOUNT.rstrip()}|\b(?:wrong|my|mixed) \w{{1,30}}\W*$", re.IGNORECASE)
_REJECTING: Final = stem_set(
    "all quite wrong incorrect false mistake mistaken right correct sort kind case sadly other two three options"
)
_NO_MORE: Final = re.compile(r"\b(?:oh|sorry|no|nope)\b", re.IGNORECASE)


def _denies_choice(turn: TalkTurn) -> bool:
    """Whether none of several options is taken, one of which is right by a word of its own that is no rival's."""
    options = [matter(one) for one in options_of(turn.heard)]
    shared = frozenset[str]().union(*options).intersection(*options) if options else frozenset()
    things = turn.state.gold.object_stems
    if _BARE_NONE.search(plain(turn.text)) and any((one - shared) & turn.state.names for one in options):
        return True
    rivals = frozenset[str]().union(*(one.stems for one in turn.state.others)) - things
    telling = things.difference(*(one.stems for one in turn.state.others))
    if telling & turn.heard_stems or any(
        one & things and not (one - shared) & rivals for one in options if one != shared
    ):
        return True
    return any((one - shared) & things for one in options)


_BARE_NONE: Final = re.compile(
    r"^\W*(?:no\W+)?(?:(?:it|that)(?:'s| is) |i (?:want|need|mean|meant) )?(?:none|neither)(?: of (?:th\w{1,3}"
    r"|it|the \w{1,30}))?"
    r"(?:\W+(?:please|thanks|thank you|i'm afraid|sorry|really|actually))?\W*$",
    re.IGNORECASE,
)


def _is_right(turn: TalkTurn) -> bool:
    """Whether what is to be confirmed is all the user's: its act, its things and its values."""
    return _CONFIRMS.search(plain(turn.heard)) is not None and _is_right_account(turn)


_ACCOUNTS: Final = re.compile(
    r"\b(?:to (?:summari[sz]e|recap|sum up|confirm)|let me (?:summari[sz]e|recap|sum up|repeat|confirm|check)"
    r"|so far|in short"
    r"|just to (?:be sure|confirm|check)|i (?:have|'ve got|understand)|recap|summary|shall i|should i|is (?:that|this"
    r"|everything|all (?:of )?(?:this|that)|it) (?:right|correct)|correct\?|right\?)",
    re.IGNORECASE,
)
"""What says back what was understood."""


def _is_right_account(turn: TalkTurn) -> bool:
    """Whether what the assistant says is all the user's: its act, its things and its values."""
    heard = plain(turn.heard)
    if _EXTRA.search(taken(heard)) or asks_against(heard):
        return False
    if any(
        one.slot.kind == "boolean" and one.slot.name in (*turn.asks.slots, *turn.asks.again) for one in turn.state.known
    ):
        return False
    today = date.fromisoformat(turn.state.today) if turn.state.today else None
    if any(foreign_values(heard, turn.state.known, [], today=today, corrects="")) or _has_foreign_code(turn):
        return False
    kept = matter(taken(heard))
    is_about = bool(kept & turn.of_wish) or any(str(one.value).lower() in heard.lower() for one in turn.state.known)
    rivals = frozenset[str]().union(*(one.stems for one in turn.state.others)) - _own(turn) - turn.state.names
    return is_about and kept.isdisjoint(rivals) and not other_way(turn, taken(heard))


_CODE: Final = re.compile(r"\b(?=\w{0,30}\d)[\w-]{3,}\b")


def _has_foreign_code(turn: TalkTurn) -> bool:
    own = " ".join(one.text for one in turn.state.known).lower()
    return any(code.lower() not in own for code in _CODE.findall(turn.heard)) and not any(
        one.slot.kind in ("date", "datetime", "time") for one in turn.state.known
    )
