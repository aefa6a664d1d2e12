"""Words of the other side in a user's mouth: it offers to act, asks for the user's values, reports what was done.

What a message quotes, and the user's own values, are nobody's role: a note may read "Let me know how it went".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from callwright.author.briefs import Known
from callwright.catalog.chunks import Gloss
from callwright.catalog.slots import Slot
from callwright.lang.english import base_verb, past_participle, ways_to_say
from callwright.lang.surface import forms
from callwright.lang.tokens import stem_set, words
from callwright.papers.diaforge.reply_words import without_quotes
from callwright.papers.diaforge.said_near import noun_stems, plain_stems
from callwright.validate.unsayable import AS_ASSISTANT

_SERVES: Final = frozenset(
    "add adjust apply approve archive arrange assign assist book cancel change close configure convert create delete "
    "disable display download enable export fetch file generate handle help import insert install issue list "
    "load locate open pay prepare process publish pull register remove rename replace reset resolve restore "
    "retrieve run save schedule compile gather collect assemble produce print return draw filter proceed "
    "summarize search set show submit sort transfer update upload walk guide assist".split()
)
"""What an assistant does for somebody."""
_OWN: Final = frozenset(
    "give tell wait check say spell read send get need take be go leave do find look see hear have "
    "provide share confirm repeat explain answer think guess ask try call use add know log sign remember "
    "paste type copy live manage talk thank imagine love understand stay wish describe start stop choose "
    "decide mean work".split()
)
"""What people also do themselves around a request."""

_MODAL: Final = (
    r"(?:i|we)(?: can| could| will|'ll| shall|'d be (?:\w{1,30} )?(?:glad|happy|delighted|pleased) to"
    r"|(?:'m| am)(?: \w{1,30})? (?:glad|happy|delighted|pleased) to|(?:'m| am) going to|(?:'m| am) able to)"
)
_BEFORE: Final = (
    r"(?<!that )(?<!so )(?<!before )(?<!if )(?<!whether )(?<!when )(?<!how )(?<!what )(?<!until )(?<!once )"
)
_OFFER: Final = re.compile(
    rf"{_BEFORE}\b{_MODAL} (?:(?:also|certainly|gladly|easily|just|now|then|of course|definitely|only"
    rf"|quickly) ){{0,4}}(\w{{1,30}})",
    re.I,
)
_FOR_YOU: Final = re.compile(
    rf"{_BEFORE}\b(?:(?:i|we)(?: can| could| will|'ll| shall|'ve| have|'d| would)|let me)\b[^.!?]{{0,90}}"
    r"\b(?:(?:to|for) you\b(?! to\b)|take care of (?:it|that|this|the rest|everything)|get (?:you|it"
    r"|that) (?:started|done))",
    re.I,
)
_WAITING: Final = re.compile(
    r"\b(?:please (?:hold|stand by|be patient)|bear with me(?=[^.!?]{0,90}\bwhile\b| {0,3}[.!]?$)|hold on while i"
    r"|just say the word|we(?:'ll"
    r"| can| will) get started"
    r"|(?:one|a) moment while i)\b",
    re.I,
)
_REPORTS: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)(?: now| just| successfully)? (?:found|pulled up|located|fetched|retrieved"
    r"|looked up|gone ahead)\b"
    r"|\b(?:i(?:'m| am)|we(?:'re| are))(?: now)? (?:fetching|retrieving|looking up|pulling up|processing"
    r"|getting you|loading)\b"
    r"|\byou(?:'re| are) all set\b|\byour (?:\w{1,30} ){1,4}(?:has|have) been\b|\bha(?:s"
    r"|ve) been successfully\b|\bsuccessfully \w{1,30}ed\b"
    r"|^\W*(?:fetching|retrieving|looking up|pulling up|processing|loading|getting)\b[^.!?]{0,90}\b(?:now"
    r"|for you|right away)\b",
    re.I,
)
_SERVICE_TALK: Final = re.compile(
    r"\b(?:^|[.!?] )\W*(?:need|want) anything else\?|\banything else (?:that )?i can\b"
    r"|\bis there anything else you(?:'d| would) like\b"
    r"|\bwhat (?:would you like|do you want|can i) (?:me )?(?:to|do)\b|\bwhich (?:one |\w{1,30} )?(?:would"
    r"|do) you (?:like|want) (?:me )?to\b"
    r"|\b(?:tell me|let me know|say) which (?:one |\w{1,30} )?you (?:need|want|would like|prefer|'d like)\b"
    r"|\bdoes (?:that|this) (?:help|answer)\b|\bi (?:apologi[sz]e|understand) (?:for|your)\b|\byour request\b"
    r"|\b(?:happy|glad|delighted|pleased|here) to (?:help|assist|look into)\b|\bwelcome to\b"
    r"|\bhow (?:else )?(?:can|may) i\b",
    re.I,
)
_ASKS_ITS_TASK: Final = re.compile(
    r"\b(?:which|what|shall|should)\b[^.?!]{0,60}\b(?:for you|on your behalf)\?"
    r"|\b(?:which|what|how)\b[^.?!]{0,60}\b(?:should|shall) i (?!give|tell|send|say|use|choose|pick|look|enter"
    r"|type|write|put"
    r"|take|know|read|check|find|have|do\b|go|be|call|name|answer|provide|mention|add|include|expect"
    r"|spell)\w{1,30}\b[^.?!]{0,60}\?"
    r"|\b(?:i|we) can (?:certainly |easily |gladly |of course )?do (?:both|either|all|any)\b"
    r"|\bi(?:'m| am)(?: now| currently| just)? (?:listing|compiling|gathering|collecting|searching|preparing"
    r"|creating|deleting"
    r"|updating|cancell?ing|adding|rendering|generating) your\b",
    re.I,
)
_SHALL: Final = re.compile(
    r"\b(?:(?:shall|should) i|(?:would you like|do you want) me to|would you like to)(?: now| then| also)? (\w{1,30})",
    re.I,
)
_DONE: Final = re.compile(
    r"\b(?:the|that|it|this|everything|all)\b(?: [\w'-]{1,30}){0,5}? (?:has|have) (?:now |just "
    r"|already )?been (\w{1,30})",
    re.I,
)
_HERE: Final = re.compile(
    r"\bhere(?:'s| is| are)(?: all)? (?:the|your|its|their|a|all)\b(?: [\w'-]{1,30}){0,4}? (?:details?|list"
    r"|results?|information|info"
    r"|overview|summary|records?|entries|data)\b|\bhere(?:'s| is| are) your\b",
    re.I,
)
_FIRST_PERSON: Final = re.compile(r"\b(?:my|our|mine|ours|me|us)\b", re.I)


def takes_other_side(
    text: str, glosses: Sequence[Gloss], known: Sequence[Known], lacking: Sequence[Slot], heard: str, *, tells: bool
) -> bool:
    """Whether the words are an assistant's. `tells` is whether the user says a value of its own with them.

    `glosses` are the tools that an assistant might offer, `heard` is what the assistant said last.
    """
    said = _without_values(without_quotes(text), known)
    if AS_ASSISTANT.search(said) or _SERVICE_TALK.search(said) or _asks_for_own(said, known, lacking, glosses):
        return True
    if _offers(said, glosses) or _ASKS_ITS_TASK.search(said) or _asks_which(said, heard):
        return True
    if tells:
        return False
    is_report = (
        _REPORTS.search(said) or (_HERE.search(said) and not _FIRST_PERSON.search(said)) or _is_done(said, glosses)
    )
    return bool(_FOR_YOU.search(said) or _WAITING.search(said) or is_report)


def _without_values(text: str, known: Sequence[Known]) -> str:
    """The text without the user's own texts, which may say anything."""
    for one in known:
        if isinstance(one.value, str) and len(one.value.split()) > 1:
            for form in forms(one.value, one.slot.kind):
                text = re.sub(re.escape(form), '""', text, flags=re.IGNORECASE)
    return text


_WHICH: Final = re.compile(
    r"\bwhich ((?:\w{1,30} ){0,3}?)(?:do|would|should) you (?:need|want|like|prefer|mean)\b",
    re.I,
)


def _asks_which(said: str, heard: str) -> bool:
    """Whether the speaker asks which thing is needed, of which the other side did not speak."""
    found = _WHICH.search(said)
    return found is not None and (
        not heard or (stem_set(found[1]).isdisjoint(stem_set(heard)) and bool(stem_set(found[1])))
    )


@lru_cache(maxsize=256)
def _verbs_of(glosses: tuple[Gloss, ...]) -> frozenset[str]:
    """Verbs of the tools, also in other words, but for what people do themselves."""
    ways = (way for one in glosses for way in (one.verb, *ways_to_say(one.verb)) if way)
    return frozenset(way.split()[0] for way in ways) - _OWN


def _offers(said: str, glosses: Sequence[Gloss]) -> bool:
    """Whether the speaker offers to do what an assistant does, or asks whether to."""
    serving = _SERVES | _verbs_of(tuple(glosses))
    verbs = [match[1] for match in (*_OFFER.finditer(said), *_SHALL.finditer(said))]
    return any(base_verb(verb.lower()) in serving - _OWN for verb in verbs)


def _is_done(said: str, glosses: Sequence[Gloss]) -> bool:
    """Whether something is reported as done that one of the tools does; what is the speaker's own was done before."""
    done = {past_participle(verb) for verb in _verbs_of(tuple(glosses)) | {"update", "create", "change", "delete"}}
    return any(match[1].lower() in done for match in _DONE.finditer(said)) and not _FIRST_PERSON.search(said)


_ASKS_FOR: Final = re.compile(
    r"\b(?:(?:could|can|would|will|may|might) (?:you(?: please| kindly)? (?:give|tell|provide|share|send"
    r"|confirm|supply|specify"
    r"|let me (?:know|have))|i(?: please| kindly)? (?:have|get|ask))"
    r"|(?:please|just|kindly) (?:give|provide|share|send|tell|enter|specify|supply|pop|type|paste|drop|confirm)"
    r"|(?:i|we)(?:'ll| will| would|'d)?(?: just| only| also| still)? (?:need|require)|what(?:'s| is| are| was)"
    r"|do you have|have you got|which)\b([^.!?\n]{0,300})",
    re.I,
)
_OF_MEANING: Final = re.compile(
    r"\b(?:mean\w{0,30}|for\?|look(?:s)? like|where|find|stand|format|kind|sort|example|difference"
    r"|do you need|is needed"
    r"|(?:you(?:'d)?|would you) (?:normally|usually)|need it|exactly|left out|leave)\b",
    re.I,
)
_YOURS: Final = re.compile(r"\byour\b|\bfrom you\b", re.I)


def _asks_for_own(said: str, known: Sequence[Known], lacking: Sequence[Slot], glosses: Sequence[Gloss]) -> bool:
    """Whether the speaker asks for a value that the user gives: one called the other's, or an identifier."""
    own = [one.slot for one in known]
    things = {word for gloss in glosses for word in words(gloss.object)}  # `a hosted number order` is no number
    for match in _ASKS_FOR.finditer(said):
        rest = match[1]
        end = said[match.end() : match.end() + 1]
        if _OF_MEANING.search(rest + end) or _OF_MEANING.search(match[0]):
            continue
        stems = plain_stems(" ".join(word for word in words(rest) if word not in things or word == "id"))
        is_own = any(_names(slot, stems) for slot in own)
        is_lacking = any(_names(slot, stems) for slot in lacking)
        if _YOURS.search(rest) and (is_own or is_lacking):
            return True
        is_question = end == "?" or not match[0].lower().startswith(("what", "which", "do you", "have you"))
        is_wish = match[0].lower().startswith(("i need", "i'd need", "i would", "we need", "i just", "which"))
        if is_own and is_question and not is_wish and "id" in stems:
            return True
    return False


@lru_cache(maxsize=4096)
def _names(slot: Slot, stems: frozenset[str]) -> bool:
    """Whether words call a parameter by its last noun."""
    return noun_stems(slot)[-1:] != () and noun_stems(slot)[-1] in stems
