"""Faults of a reply to a question for values: one that is known is denied, or none is said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from callwright.author.briefs import Known
from callwright.lang.english import ways_to_say
from callwright.lang.tokens import content_stems, stem, stem_set, words
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.diaforge.acts_said import act_of, acts_in
from callwright.papers.diaforge.listening import asked_slots
from callwright.papers.diaforge.replaced_values import replaced_values
from callwright.papers.diaforge.reply_words import (
    agrees,
    asks_meaning,
    bare_lacks,
    is_negated,
    lacking_in,
    leaves_open,
    matter,
    picks,
    plain,
    points,
    says_no,
    says_yes,
)
from callwright.papers.diaforge.said_near import (
    EXACT,
    NUMERIC,
    is_near,
    noun_stems,
    numbers_in,
    other_choice,
    plain_stems,
)
from callwright.papers.diaforge.taken_rivals import options_of
from callwright.papers.diaforge.talk_turn import Fault, TalkTurn


def asked_faults(turn: TalkTurn) -> Iterator[Fault]:
    """Yield the faults of a reply with regard to the values that were asked for."""
    if fault := _denied(turn) or _evaded(turn):
        yield fault
    yield from replaced_values(turn)


# -- denied ------------------------------------------------------------------------------------------------------------


def _denied(turn: TalkTurn) -> Fault | None:
    """A value that is known and not given, in a clause that says it is not there."""
    clauses = lacking_in(turn.text)
    missing = [one for one in turn.state.untold if not _is_given(turn, one)]
    if asks_meaning(turn.text) or not missing:
        return None
    for known in (one for one in missing if one.slot.name in turn.asks.slots):
        if any(_is_of(known, clause, turn, is_asked=False) for clause in bare_lacks(turn.text)):
            return "denial", f"the user knows the {known.slot.noun.text}"
    for known in missing:
        is_asked = known.slot.name in turn.asks.slots
        if any(_is_of(known, clause, turn, is_asked=is_asked) for clause in clauses):
            return "denial", f"the user knows the {known.slot.noun.text}"
    wanted = [one for one in turn.wanted if one in missing]
    if clauses and wanted and len(wanted) == len(turn.wanted) and not turn.said and not _is_about_others(turn, clauses):
        return "denial", f"the user knows the {wanted[0].slot.noun.text}"
    return None


def _is_given(turn: TalkTurn, known: Known) -> bool:
    if known.slot.kind == "boolean":
        return not known.slot.stems.isdisjoint(stem_set(turn.text))
    return (
        known in turn.said
        or known in turn.told
        or (known.slot.kind not in EXACT and is_near(known, turn.text, turn.state.today))
    )


def _is_of(known: Known, clause: str, turn: TalkTurn, *, is_asked: bool) -> bool:
    """Whether a clause calls a parameter by its last noun and by no word that is another's."""
    if (found := _WH.search(clause)) and known.slot.name in asked_slots(
        f"{clause[found.start() :]}?", turn.state.untold
    ):
        return True
    noun, said = noun_stems(known.slot), plain_stems(clause)
    if not noun or noun[-1] not in said:
        return (
            is_asked and noun[-1:] == ("id",) and bool(noun[:-1]) and matter(clause) - _LACKING == frozenset(noun[:-1])
        )
    slots = (*(one.slot for one in turn.state.known), *turn.state.lacking)
    given = [one.slot.name for one in (*turn.said, *turn.told)]
    rivals = [
        noun_stems(slot)
        for slot in slots
        if slot.name not in (known.slot.name, *given) and noun_stems(slot)[-1:] == noun[-1:]
    ]
    if is_asked and given:
        rivals = [one for one in rivals if any(one == noun_stems(other.slot) for other in turn.wanted)]
    telling = frozenset(noun).difference(*rivals)
    if rivals and telling and telling.isdisjoint(said):
        return False
    rest = matter(clause) - _LACKING - frozenset(noun) - turn.of_wish - frozenset(("id", "sid"))
    return not rest if not is_asked else len(rest) <= 2


_WH: Final = re.compile(r"\b(?:what|which|who|where|when|how (?:much|many|long))\b", re.IGNORECASE)


_LACKING: Final = stem_set(
    "idea clue offer quote number memory memorize anybody nobody anyone remember recall find told unfortunately"
)


def _is_about_others(turn: TalkTurn, clauses: Sequence[str]) -> bool:
    """Whether what is not there is a parameter for which the user has no value."""
    said = matter(" ".join(clauses)) - _LACKING
    own = stem_set(" ".join(one.slot.noun.text for one in turn.wanted))
    lacking = stem_set(" ".join(slot.noun.text for slot in turn.state.lacking)) - own
    return own.isdisjoint(said) and not lacking.isdisjoint(said)


# -- evaded ------------------------------------------------------------------------------------------------------------


def _evaded(turn: TalkTurn) -> Fault | None:
    if turn.asks_back or turn.said or turn.told or lacking_in(turn.text):
        return None
    asking = turn.asking
    if (picks(turn.text) and _LISTED.search(turn.heard)) or _confirms(turn):
        return None
    wanted = [one for one in turn.wanted if one.slot.kind not in ("object", "other") or isinstance(one.value, str)]
    is_for_value = bool(wanted) and len(wanted) == len(turn.wanted) and not asking.wish
    if is_for_value and not _answers_otherwise(turn):
        if not any(_answers(one, turn) for one in wanted):
            return "evasion", f"the {wanted[0].slot.noun.text} was asked for and is not said"
        return None
    if asking.chat or not (asking.choice or asking.polar or asking.wish or asking.value):
        return None
    if _flatters(turn) or _leaves_choice(turn):
        return "evasion", "the question is not answered"
    if _is_of_matter(turn) and not _says_something(turn):
        return "evasion", "the question is not answered"
    return None


_FLATTERS: Final = re.compile(
    r"^\W*(?:oh |well |and |ah )?(?:(?:that|this|it|what)(?:'s| is| was)?(?: such)?(?: an?)?|those are"
    r"|these are|you(?:'re| are)"
    r"|how)(?: (?:very|so|really|quite|all|too|most|truly|an?))* (?:fair|good|great|excellent|fine|interesting"
    r"|lovely|wonderful"
    r"|kind|sweet|nice|helpful|patient|thoughtful|thorough|polite|clever|brilliant|fantastic|amazing)\b"
    r"(?! (?:to me|with me|by me|one\b|enough))(?: (?:question|point|option|idea|choice|suggestion|offer"
    r"|thought|of you|to"
    r" (?:ask|offer)|about this)s?)"
    r"|^\W*you(?:'re| are) (?:very |so |really |too |such )*(?:kind|sweet|nice|helpful|patient|thoughtful"
    r"|polite|clever|an? \w{1,30})"
    r"(?: to ask)?\W*$"
    r"|\bthank(?:s| you) (?:very much |so much )?for (?:asking|your (?:help|patience|time|kindness))\b"
    r"|\bi(?:'m| am)? (?:really |so |very )?(?:look(?:ing)? forward|appreciate|can't wait|admire)\b",
    re.I,
)
_SENTENCES: Final = re.compile(r"(?<=[.!?;])\s{1,9}")


def _flatters(turn: TalkTurn) -> bool:
    """Whether a reply is kind words, and nothing besides them shares anything with the question."""
    parts = [one for one in _SENTENCES.split(turn.text) if one.strip()]
    rest = " ".join(one for one in parts if not _FLATTERS.search(plain(one)))
    if len(rest) == len(" ".join(parts)) or agrees(rest) or is_negated(rest) or points(rest) or "?" in rest:
        return False
    return matter(rest).isdisjoint(matter(turn.heard) - _CALLED)


_CALLED: Final = stem_set("hi hello name")
_LEAVES_CHOICE: Final = re.compile(
    r"\b(?:whatever|whichever|anything|any of (?:them|those|these)|either(?: one)?)\b(?=.{0,60}\b(?:best|sense"
    r"|fine|like|think|works?"
    r"|easi\w{2,3}|suits?|good|you|fits?|right)\b|\W{0,9}$)"
    r"|\b(?:get on with it|just do it|just do something|surprise me|use your (?:judge?ment|imagination))\b"
    r"|\byou (?:choose|pick|decide|tell me|know best|'re the expert|should know)\b|\b(?:up to you"
    r"|your (?:choice|call|pick))\b"
    r"|\b(?:i )?(?:don't|do not) (?:really )?(?:mind|care)\b|\bthe (?:usual|normal) (?:one|thing)\b"
    r"|\bone of (?:them|those|these)\W*$",
    re.I,
)


def _leaves_choice(turn: TalkTurn) -> bool:
    """Whether a reply leaves to the other side what the user wants."""
    state = turn.state
    if state.picked or not (turn.asking.choice or turn.asking.wish) or turn.asks.slots or turn.asks.lacks:
        return False
    if not _LEAVES_CHOICE.search(plain(turn.text)) or says_yes(turn.text) or says_no(turn.text):
        return False
    options = [matter(one) for one in options_of(turn.heard)]
    shared = frozenset[str]().union(*options).intersection(*options) if options else frozenset()
    rest = turn.matter & matter(turn.heard) - shared - stem_set(state.request.thing)
    wishes = frozenset[str]().union(state.gold.stems, *(one.stems for one in state.others))
    is_of_wish = turn.asking.wish or len(acts_in(turn.heard)) > 1 or any((one - shared) & wishes for one in options)
    return not rest and is_of_wish


_LISTED: Final = re.compile(
    r"(?:^|[\s(*])(?:[1-9]|[a-h])[).:]\s|\bor\b|\bwhich (?:one|of)\b|[:,] .{1,200},", re.I | re.M
)
"""Options among which one can be picked by its place."""
_TO_CONFIRM: Final = re.compile(
    r"\b(?:confirm\w{0,5}|correct\w{0,3}|right|recap\w{0,5}|summ\w{2,10}|accurate|shall i|should i|go ahead"
    r"|ok(?:ay)?\?)",
    re.I,
)


def _confirms(turn: TalkTurn) -> bool:
    """Whether a reply begins with yes, or says that all is right, where that was asked besides."""
    return _TO_CONFIRM.search(turn.heard) is not None and says_yes(turn.text)


def _answers_otherwise(turn: TalkTurn) -> bool:
    """Whether a question is for a choice or for yes or no too, and gets that."""
    if not turn.state.picked and _says_wish(turn):
        return True
    if not (turn.asking.choice or turn.asking.polar):
        return False
    if agrees(turn.text) or says_no(turn.text):
        return turn.asking.polar or not turn.asking.value
    shared = turn.matter & (matter(turn.heard) | turn.state.names | turn.of_wish)
    return bool(shared) or points(turn.text)


def _says_wish(turn: TalkTurn) -> bool:
    """Whether a reply says the whole wish: what is to be done, and to what."""
    gold = turn.state.gold
    ways = {stem(way.split(" ")[0]) for way in (gold.verb, *ways_to_say(gold.verb)) if way}
    things = gold.object_stems & stem_set(turn.text)
    is_act = not ways.isdisjoint(map(stem, words(turn.text))) or (gold.verb in LOOKUPS and "see" in acts_in(turn.text))
    return is_act and 2 * len(things) > len(gold.object_stems)


def _answers(known: Known, turn: TalkTurn) -> bool:
    """Whether a reply says a value, nearly or, for yes and no, in any way."""
    if known.slot.kind == "boolean":
        is_named = not stem_set(known.slot.noun.text).isdisjoint(stem_set(turn.text))
        return is_named or agrees(turn.text) or is_negated(turn.text) or points(turn.text)
    if known.slot.kind == "enum" and other_choice(known, turn.text, turn.state.today):
        return True  # said in its place
    if known.slot.kind in NUMERIC and numbers_in(turn.text):
        return True
    if known.slot.kind == "list" and not isinstance(known.value, list):
        return True
    return is_near(known, turn.text, turn.state.today)


def _is_of_matter(turn: TalkTurn) -> bool:
    """Whether what was said is about the wish or what was said before."""
    about = turn.state.names | turn.of_wish | turn.of_values | turn.state.spoken
    return not matter(turn.heard).isdisjoint(about) or _ANAPHORIC.search(turn.heard) is not None


_ANAPHORIC: Final = re.compile(
    r"\b(?:it|one|that|this|these|those|them|they|go ahead|right|correct|ready|shall i)\b", re.IGNORECASE
)


_FAMILY: Final = 5
"""Letters that words of one family have in common at least."""


def _says_something(turn: TalkTurn) -> bool:
    """Whether a reply shares anything with the question, the wish or the values, or says yes, no or whichever."""
    text = turn.text
    if agrees(text) or says_no(text) or (points(text) and not turn.asking.value) or leaves_open(text):
        return True
    if (act := act_of(turn.state.gold)) not in (None, "see") and act in acts_in(text):
        return True
    about = matter(turn.heard) | turn.state.names | turn.of_wish | turn.of_values
    if any(len(one) > _FAMILY and one[:_FAMILY] in {name[:_FAMILY] for name in about} for one in turn.matter):
        return True
    is_quantity = bool(numbers_in(text)) and turn.asking.value
    return not about.isdisjoint(frozenset(content_stems(text))) or is_quantity or is_negated(text)
