"""Whether a reply takes another wish than the user's: a wrong option, one for all, another act."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from callwright.catalog.chunks import Gloss
from callwright.catalog.slot_names import keys_of
from callwright.lang.english import base_verb, is_plural, ways_to_say
from callwright.lang.tokens import stem, stem_set, words
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.diaforge.acts_said import act_of, acts_in
from callwright.papers.diaforge.asked_values import sentences
from callwright.papers.diaforge.listening import way
from callwright.papers.diaforge.question_kinds import asking, is_offer
from callwright.papers.diaforge.reply_words import agrees, is_negated, matter, plain, says_no, says_yes, taken
from callwright.papers.diaforge.talk_turn import TalkTurn


def taken_rival(turn: TalkTurn) -> str:
    """Return the words in a reply that mean another wish; empty where none do."""
    return (
        _takes_rival(turn)
        or _takes_other_number(turn)
        or _takes_other_act(turn)
        or _agrees_to_other(turn)
        or _asks_for_other(turn)
    )


# -- a rival in a choice -----------------------------------------------------------------------------------------------


def _takes_rival(turn: TalkTurn) -> str:
    """The rival's word that a reply takes up from the question without any of the user's own; empty where none."""
    if "?" in turn.text or not (turn.asking.choice or turn.asking.polar):
        return ""
    reply = matter(taken(turn.text)) & turn.heard_stems
    if not reply or turn.said:
        return ""
    if word := _of_other_option(turn, reply):
        return word
    if asks_against(turn.heard) and (agrees(turn.text) or not is_negated(turn.text)):
        rest = reply - _telling(turn)
        return "all of them" if rest and rest == reply and not says_no(turn.text) else ""
    return ""


def _telling(turn: TalkTurn) -> frozenset[str]:
    """Stems of the wish that no rival has, and of the values."""
    return turn.of_wish.difference(*(one.stems for one in turn.state.others)) | turn.of_values


def _of_other_option(turn: TalkTurn, reply: frozenset[str]) -> str:
    """A word that the reply shares with wrong options alone, where another option is right by a word of its own."""
    options = [matter(one) for one in options_of(turn.heard)]
    if len(options) < 2:
        return ""
    gold, others = turn.state.gold, turn.state.others
    if takes_all(turn) or not reply.isdisjoint(gold.verb_stems):
        return ""
    heads = gold.chunks[0].stems if gold.chunks else frozenset[str]()
    shared = options[0].intersection(*options)
    is_headed = any(one & heads - shared for one in options)  # `one item, or the whole order?` of an order's item
    things = heads if is_headed else gold.object_stems | stem_set(turn.state.request.thing)
    telling = things.difference(*(one.stems for one in others))
    rivals = frozenset[str]().union(*(one.object_stems for one in others)) - things
    acts = frozenset(key for one in others if way(one) != way(gold) for key in _act_keys(one)) - _act_keys(gold)
    for option in options:
        own = option - frozenset[str]().union(*(one for one in options if one is not option))
        word = next(iter(sorted(own & reply)), "")
        if not word or own & things or reply & telling or (word in turn.of_wish and word not in rivals):
            continue
        right = [one - option for one in options if one is not option and (one - option) & things]
        is_telling = any(one & telling for one in right)
        if right and not any(one & reply for one in right) and (is_telling or word in rivals):
            return word
        if right and not any(one & reply for one in right) and not acts.isdisjoint(keys_of(word)):
            return word
        if not right and word in rivals and word not in turn.state.names:
            return word
    return ""


def _act_keys(gloss: Gloss) -> frozenset[str]:
    """The keys of a tool's verb: those of `replace` are also those of a replacement."""
    return frozenset(keys_of(gloss.act)) if gloss.act and gloss.act not in LOOKUPS else frozenset()


@lru_cache(maxsize=2048)
def options_of(heard: str) -> tuple[str, ...]:
    """The parts of the questions that offer several things, at `or`, `rather than`, `not` and commas."""
    found: list[str] = []
    for sentence in sentences(plain(heard)):
        if "?" in sentence and _BETWEEN.search(sentence):
            body = sentence.rsplit(":", 1)[-1] if "or" in words(sentence) else sentence
            found += [part for part in _PARTS.split(body) if stem_set(part)]
    return tuple(found)


_BETWEEN: Final = re.compile(r"\b(?:or|rather than|instead of|not an?|not the)\b", re.IGNORECASE)
_PARTS: Final = re.compile(r"[,;]|\b(?:or|rather than|instead of|not)\b", re.IGNORECASE)


# -- one or all --------------------------------------------------------------------------------------------------------

_EVERY: Final = re.compile(
    r"\b(?:all|every|each|everything|(?:full|whole|complete|entire) (?:list|set)|list of)\b",
    re.IGNORECASE,
)
_SINGLE: Final = re.compile(r"\b(?:one|single|specific|particular|individual|certain)\b", re.IGNORECASE)
_ONE_ONLY: Final = re.compile(
    r"\b(?:single|specific|particular|individual|certain|just one|only one|one \w{1,30}'s)\b|^\W*one\b|; one\b",
    re.IGNORECASE,
)


def takes_all(turn: TalkTurn) -> bool:
    """Whether a reply takes all or the whole of what the user wants several things of."""
    said = taken(turn.text)
    return wants_many(turn.state.gold) and (_EVERY.search(said) is not None or _ENTIRE.search(said) is not None)


_ENTIRE: Final = re.compile(r"\b(?:whole|entire|complete)\b", re.IGNORECASE)


def wants_many(gold: Gloss) -> bool:
    """Whether a tool returns several things."""
    head = gold.chunks[0].text.split()[-1:] if gold.chunks else []
    return gold.verb in _OF_MANY or bool(head and is_plural(head[0]) and head[0] not in _OF_ONE)


def _takes_other_number(turn: TalkTurn) -> str:
    """`all of them` of one who wants a single one, or the other way round, where both were offered."""
    if not turn.asking.choice or not (_EVERY.search(turn.heard) and _SINGLE.search(turn.heard)):
        return ""
    reply, gold = taken(turn.text), turn.state.gold
    if wants_many(gold):
        return "one of them" if _ONE_ONLY.search(reply) and not _EVERY.search(reply) else ""
    is_all = _EVERY.search(reply) is not None and not _SINGLE.search(reply)
    return "all of them" if is_all and gold.verb in LOOKUPS else ""


_OF_ONE: Final = frozenset(
    "details settings data information info contents properties statistics metadata values results".split()
)
_OF_MANY: Final = frozenset("list search find browse query count export".split())


# -- acts in a choice --------------------------------------------------------------------------------------------------

_LOOKS_ONLY: Final = re.compile(
    r"^\W*(?:(?:just|only|i(?:'d| would) (?:rather|like to)|i want to|to) )*(?:see|look|list|show|view"
    r"|read|display)\b",
    re.I,
)


def _takes_other_act(turn: TalkTurn) -> str:
    """An act that the reply takes from a choice of acts in which the user's own is offered too."""
    act, offered = act_of(turn.state.gold), acts_in(turn.heard)
    if not turn.asking.choice or act is None or act not in offered or len(offered) < 2 or turn.said:
        return ""
    reply = acts_in(taken(turn.text))
    if not reply or act in reply or not reply <= offered or _names_own_act(turn, taken(turn.text)):
        return ""
    if reply == {"see"} and not _LOOKS_ONLY.search(turn.text):
        return ""
    return str(next(iter(sorted(reply))))


def own_words(text: str, heard: str) -> str:
    """Return what a reply says itself, without what it turns down, asks, or repeats of a question for a value."""
    said = taken(re.sub(r"[^.!?\n]{0,300}\?", " ", plain(text)))
    asked = asking(heard)
    if not asked.value or asked.choice or asked.polar:
        return said
    return " ".join(word for word in words(said) if stem(word) not in stem_set(heard))


def repeats_right_option(text: str, heard: str, gold: Gloss) -> bool:
    """Whether a text repeats, and no more, one of several options that has words of the wanted tool alone.

    `A package.` to `the status of a package, or of an article?` means no other tool for packages.
    """
    said = matter(text)
    options = [stem_set(one) for one in options_of(heard)]
    right = [one for one in options if one & gold.stems]
    return len(options) > 1 and bool(right) and len(right) < len(options) and any(said <= one for one in right)


_AGAINST: Final = re.compile(
    r"\b(?:don't|do not|didn't|wouldn't|not) (?:want|need|mean|wish|like)\b|\bnot (?:the|all|every)\b", re.IGNORECASE
)


def asks_against(heard: str) -> bool:
    """Whether the last question asks to confirm that something is not wanted."""
    last = sentences(plain(heard))[-1:]
    return bool(last) and _AGAINST.search(last[0]) is not None and "or" not in words(last[0])


# -- another act -------------------------------------------------------------------------------------------------------


def _ways(gloss: Gloss) -> frozenset[str]:
    """The verbs by which a tool's act goes."""
    return frozenset(one.split(" ")[0] for one in (gloss.verb, *ways_to_say(gloss.verb)) if one)


def proposal_in(heard: str) -> str:
    """What the assistant proposes to do: its last question, or what it says it is about to do."""
    said = sentences(plain(heard))
    asked = [one for one in said if "?" in one]
    offers = [one for one in said if is_offer(one)]
    return " ".join((*offers, *asked[-1:]))


_PROPOSES: Final = re.compile(
    r"\b(?:shall|should|may|can|could|will|do you want|would you like|i|i'll|we|let me|you want|so)\b", re.IGNORECASE
)


def _verbs_in(text: str) -> frozenset[str]:
    """The base forms of the words of a text that may be verbs."""
    return frozenset(base for word in words(text) if (base := base_verb(word)))


def proposes_other(turn: TalkTurn) -> bool:
    """Whether the assistant asks whether to do what the user does not want."""
    return turn.asking.polar and bool(other_way(turn, taken(proposal_in(turn.heard))))


def _agrees_to_other(turn: TalkTurn) -> str:
    """The act of another tool that the assistant proposes and the reply agrees to; empty where none."""
    proposed = taken(proposal_in(turn.heard))
    if not proposed or turn.asking.choice or turn.asking.value or turn.asking.wish or "?" in turn.text:
        return ""
    if not _PROPOSES.search(proposed):
        return ""
    if is_negated(turn.text) or says_no(turn.text) or not (says_yes(turn.text) or agrees(turn.text)):
        return ""
    return other_way(turn, proposed) if not _names_own_act(turn, turn.text) else ""


def other_way(turn: TalkTurn, text: str) -> str:
    """The verb or the act of a rival in a text that has none of the user's."""
    verbs = _verbs_in(text)
    if _names_own_act(turn, text):
        return ""
    gold = act_of(turn.state.gold)
    for other in turn.state.others:
        if way(other) != way(turn.state.gold) and verbs & _ways(other) - LOOKUPS - _ways(turn.state.gold) - _COMMON:
            return other.verb
    acts = acts_in(text) - {"see"}
    others = {act_of(one) for one in turn.state.others}
    alien = acts & others - {gold} if gold else frozenset()
    return str(next(iter(sorted(map(str, alien))))) if alien and gold not in acts else ""


_COMMON: Final = frozenset("get use make let do have see look know take give set put".split())


def _names_own_act(turn: TalkTurn, text: str) -> bool:
    gold = turn.state.gold
    return bool(_verbs_in(text) & (_ways(gold) - _COMMON)) or (
        act_of(gold) not in (None, "see") and act_of(gold) in acts_in(text)
    )


_WISHES: Final = (
    r"(?:^|[.,;:!?]\s{0,9}|\b(?:please|just|rather|instead|and|then|let's|to|you)\s{1,9})"
    r"(?:(?:please|just|rather|simply|then)\s{1,9}){0,4}"
)


def _asks_for_other(turn: TalkTurn) -> str:
    """The verb of a rival that the reply asks for, as an order or a wish, in place of the user's own act."""
    text = taken(turn.text)
    if "?" in turn.text or _names_own_act(turn, text) or not _TURNS.search(plain(turn.text)):
        return ""
    for other in turn.state.others:
        for verb in sorted(_ways(other) - LOOKUPS - _ways(turn.state.gold) - _COMMON):
            if way(other) != way(turn.state.gold) and re.search(rf"{_WISHES}{re.escape(verb)}\b", text, re.IGNORECASE):
                return other.verb
    return ""


_TURNS: Final = re.compile(
    r"\b(?:instead|rather|skip|forget|actually|you know what|on second thoughts?|just|better|changed)\b", re.IGNORECASE
)
