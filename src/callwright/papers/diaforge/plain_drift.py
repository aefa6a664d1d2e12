"""Another wish in plain words: an opening, an order, an option, or an agreement that no word of the user's own softens.

The right option is the one with words of the wanted tool that no other option has. In doubt nothing is found.
"""

from __future__ import annotations

import re
from typing import Final

from callwright.catalog.chunks import Gloss
from callwright.lang.english import ways_to_say
from callwright.lang.tokens import stem_set
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.diaforge.acts_said import act_of, acts_in
from callwright.papers.diaforge.goal_drift import drifts_to
from callwright.papers.diaforge.listening import way
from callwright.papers.diaforge.reply_words import is_negated, matter, picks, plain, says_yes, taken
from callwright.papers.diaforge.taken_rivals import asks_against, options_of, proposal_in, takes_all, wants_many
from callwright.papers.diaforge.talk_turn import TalkTurn
from callwright.papers.diaforge.user_policy import UserState

_FAMILY: Final = 5
"""Letters that words of one family have in common at least."""


def opening_drift(state: UserState, text: str) -> str:
    """Return what a first message asks for in place of the wish; empty where it does not.

    Plainly another act than the wanted one, or words that only the document of another tool has.
    """
    gold, said = act_of(state.gold), taken(text)
    asked = acts_in(said)
    if is_negated(text) or gold is None or gold in asked - {"see"}:
        return ""
    others = {act_of(one) for one in state.others}
    if "remove" in asked and gold != "remove" and "remove" in others:
        return "to remove something"
    if gold == "see" and (found := _WANTS_TO.search(said)) and (acts := acts_in(found[1]) & others - {"see"}):
        return f"to {sorted(map(str, acts))[0]} something"
    return _apart(state, matter(said))


_WANTS_TO: Final = re.compile(
    r"\b(?:need|want|wish|like|have|going|mean) to (?:\w{1,30}ly )?"
    r"((?:create|add|write|change|update|edit|rename|alter|modify)\b)",
    re.IGNORECASE,
)


def _apart(state: UserState, said: frozenset[str]) -> str:
    """A word that only one look-alike's document has, where no word tells the wanted tool from that one."""
    own = state.gold.stems.difference(*(one.stems for one in state.others)) | stem_set(
        " ".join(f"{one.slot.noun.text} {one.text}" for one in state.known)
    )
    if said & own or not state.apart:
        return ""
    found = [word for its, ours in state.apart if said.isdisjoint(ours) for word in sorted(said & its)]
    return next((word for word in found if not any(name.startswith(word[:_ROOT]) for name in state.names)), "")


_ROOT: Final = 4
"""Letters of a word that the wanted tool's document may go on from: `rent` of `rental`."""


def plain_drift(turn: TalkTurn) -> str:
    """Return the words of a reply that plainly mean another wish; empty where none do."""
    if "?" in turn.text:
        return ""
    return _takes_option(turn) or _agrees(turn) or _orders(turn) or _adds(turn) or _turns(turn)


# -- an option ---------------------------------------------------------------------------------------------------------


def _takes_option(turn: TalkTurn) -> str:
    """A word of a wrong option that the reply repeats, with none of the right one and none of the user's own."""
    if turn.state.picked or not (turn.asking.choice or turn.asking.wish) or turn.said or asks_against(turn.heard):
        return ""
    if takes_all(turn):
        return ""
    reply = matter(taken(turn.text))
    options = [matter(one) for one in options_of(turn.heard)]
    own = [one - frozenset[str]().union(*(other for other in options if other is not one)) for one in options]
    right = _right_option(turn, own)
    if right is not None and len(own) == len(_PLACES) and picks(turn.text):
        places = [place for place, said in enumerate(_PLACES) if said.search(turn.text)]
        return "the other one" if places and right not in places else ""
    if right is None:
        return "" if turn.asking.value else _apart(turn.state, reply - turn.heard_stems)
    if _akin(reply, own[right]) or reply & _telling(turn):
        return ""
    wrong = frozenset[str]().union(*(one for place, one in enumerate(own) if place != right))
    taken_up = reply & wrong
    if taken_up & _SINGLE and wants_many(turn.state.gold):
        return "one of them"
    return next(iter(sorted(taken_up - turn.of_wish - _SINGLE - _EVERY)), "") or _apart(turn.state, reply)


_PLACES: Final = (
    re.compile(r"\b(?:first|former|a|1|1st)\b", re.IGNORECASE),
    re.compile(r"\b(?:second|latter|last|b|2|2nd)\b", re.IGNORECASE),
)
_SEARCHES: Final = frozenset("search count export".split())
_SINGLE: Final = stem_set("single specific particular individual certain")
_EVERY: Final = stem_set("all every everything whole full complete entire both each one regular normal usual existing")
"""What many things or a plain one are called."""


def _telling(turn: TalkTurn) -> frozenset[str]:
    return turn.of_wish.difference(*(one.stems for one in turn.state.others))


def _right_option(turn: TalkTurn, own: list[frozenset[str]]) -> int | None:
    """The place of the only option with words that tell the wanted tool, or with words of it or its values at all."""
    gold = turn.state.gold
    acts = frozenset[str]() if gold.verb in LOOKUPS - _SEARCHES else gold.verb_stems
    for words_of in (_telling(turn) | acts, turn.of_wish):
        places = [place for place, one in enumerate(own) if _akin(one, words_of)]
        if len(places) == 1 and len(own) > 1:
            return places[0]
    return None


def _akin(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two sets share a stem, or words of one family: `react` and `reaction`."""
    families = {one[:_FAMILY] for one in some if len(one) >= _FAMILY}
    return not some.isdisjoint(others) or not families.isdisjoint(one[:_FAMILY] for one in others)


# -- agreed to, ordered, added -----------------------------------------------------------------------------------------


def _agrees(turn: TalkTurn) -> str:
    """The thing of another tool that the assistant proposes and the reply agrees to."""
    if not turn.asking.polar or turn.asking.choice or not says_yes(turn.text):
        return ""
    text = f"{taken(proposal_in(turn.heard))} {turn.text}"
    state = turn.state
    return next((one.object for one in state.others if drifts_to(text, state.gold, one, state.known)), "")


def _verbs(turn: TalkTurn, other: Gloss) -> list[str]:
    """The verbs of a rival that are none of the wanted tool's."""
    if way(other) == way(turn.state.gold):
        return []
    own = _ways(turn.state.gold)
    return sorted(_ways(other) - own - LOOKUPS - _COMMON)


def _ways(gloss: Gloss) -> frozenset[str]:
    return frozenset(one.split(" ")[0] for one in (gloss.verb, *ways_to_say(gloss.verb)) if one)


_COMMON: Final = frozenset("get use make let do have see look know take give put".split())
_OBJECT: Final = r"(?:the|an?|my|this|that|it|them|all|every|everything|one|those|these|our|its|both)\b"
_STARTS: Final = r"(?:^|[.!;]\s{1,3})\W{0,3}(?:(?:please|just|yes|now|then|so|well|and|ok(?:ay)?)\b\W{0,3}){0,3}"


def _orders(turn: TalkTurn) -> str:
    """The verb of a rival with which a sentence begins: `Renew the lot of them.`"""
    text, gold = plain(turn.text), act_of(turn.state.gold)
    if gold not in (None, "see") and gold in acts_in(taken(text)):
        return ""
    for other in turn.state.others:
        for verb in _verbs(turn, other):
            if re.search(rf"{_STARTS}{re.escape(verb)} {_OBJECT}", text, re.IGNORECASE):
                return other.verb
    return ""


_ADDED: Final = re.compile(
    r"\b(?:and|but|then)\b((?: \w[\w']{0,30}){1,14}),? (?:while you're at it|as well|too|also|at the same time)\b"
    r"|^\W*(?:yes|yeah|sure|ok(?:ay)?|go ahead|please do)\b[^.!?]{0,20}\b(?:and|but)(?: also| then| please){0,2}"
    r"((?: \w[\w']{0,30}){1,14})",
    re.IGNORECASE,
)


def _adds(turn: TalkTurn) -> str:
    """Another tool's act that is asked for besides what the assistant is about to do."""
    gold = act_of(turn.state.gold)
    found = _ADDED.search(plain(turn.text))
    if found is None or is_negated(turn.text) or gold is None:
        return ""
    acts = acts_in(found[1] or found[2]) - {"see", gold}
    return next((f"to {act} something" for act in map(act_of, turn.state.others) if act in acts), "")


_TURNS: Final = re.compile(
    r"\b(?:instead|rather|actually|on second thoughts?|changed my mind|make it)\b", re.IGNORECASE
)


def _turns(turn: TalkTurn) -> str:
    """The thing of another tool to which a reply turns."""
    text = plain(turn.text)
    if not _TURNS.search(text) or is_negated(text) or turn.said:
        return ""
    said = matter(text) - turn.of_wish - turn.of_values - turn.state.names
    return next((word for one in turn.state.others for word in sorted(one.object_stems & said)), "")
