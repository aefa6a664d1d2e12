"""What an assistant's message asks for: a choice, yes or no, a wish, a value, or nothing but small talk.

"Is it a page, or a post?"            choice
"Page 12. Shall I go ahead?"          polar
"What would you like to do with it?"  wish
"What's the page called?"             value
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from callwright.papers.diaforge.asked_values import is_question, sentences
from callwright.papers.diaforge.reply_words import plain

_AUX: Final = (
    r"(?:is|are|was|were|do|does|did|should|shall|can|could|may|will|would|has|have|had|am|must|isn't"
    r"|aren't|don't|doesn't"
    r"|didn't|won't|wouldn't|shouldn't|can't)"
)
_POLAR: Final = re.compile(
    rf"^\W{{0,9}}(?:[^?:]{{0,40}}:\s{{1,9}})?(?:(?:and|so|but|then|ok|okay|great|now|also|or|fine|thanks|perfect"
    rf"|just to (?:be sure|confirm|check)|to confirm)\b[,:]?\s+)*{_AUX}\b"
    r"|^\W{0,9}(?:[^?:]{0,40}:\s{1,9})?(?:(?:so|then|and|just)\b,? )*(?:you|i|we|it|this|that|they|everyone)(?:'s"
    r"|'re|'ll|'d|'m)?\b(?! need\b).*\?"
    r"|(?:\bright|\bcorrect|\bok(?:ay)?|\byes|\bgood|\bfine|\bready|n't (?:you|it|they)|\bso)\?\W{0,20}$",
    re.I,
)
_ASKS_FOR_VALUE: Final = re.compile(
    r"\b(?:(?:could|can|would|will|may|might) (?:you|i|we) (?:please |kindly |also )?(?:tell|give|provide"
    r"|share|send|have|get|ask|know|let)"
    r"|do you (?:have|know|remember)|have you got|would you have|please|let me know|tell me|give me"
    r"|i(?:'ll)? (?:still |also |just )?need)\b",
    re.I,
)
_WH: Final = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.I)
_OPEN_WH: Final = re.compile(r"\b(?:(?<!exactly )what|which|whose?|when|where|how (?:much|many|long|often))\b", re.I)
_WISH: Final = re.compile(
    r"\bwhat (?:exactly )?(?:(?:would|do|did) you (?:\w{1,30} )?(?:like|want|mean|wish|need|prefer"
    r"|plan)(?! (?:it|the|this|that|your|as|for)\b)"
    r"(?! (?:to |me to )?(?:call|name))|are you (?:\w{1,30} )?(?:after|looking|trying|doing|working)|(?:can|may"
    r"|could) i (?:do|help)"
    r"|should (?:i do|be done|happen|change|we do))|\bwhat (?:exactly|kind of (?:thing|request|help))\b"
    r"|\bwhich (?:one|of (?:these|those|them|the following))\b(?! of)|\bwhat(?:'s| is) (?:it|this|that) about\b"
    r"|\b(?:tell me|say|know|hear) (?:\w{1,30} ){0,3}more\b|\bin mind\b|\bmore (?:detail|specific|precise)",
    re.I,
)
_CHATS: Final = re.compile(
    r"\bhow (?:are|is|was|has|have|did|'s|were)\b[^?]{0,60}\?|\bhow(?:'s| are) (?:you|things|your|life"
    r"|the)\b|\bweather\b|\bisn't it\b",
    re.I,
)
_OR: Final = re.compile(r"\bor\b(?! not\b)|;", re.I)


class QuestionKinds(NamedTuple):
    """What a message asks, all its questions together."""

    choice: bool = False
    polar: bool = False
    wish: bool = False
    value: bool = False
    chat: bool = False
    """Nothing else than how somebody is."""


@lru_cache(maxsize=4096)
def asking(heard: str) -> QuestionKinds:
    """Return what a message asks.

    >>> asking("Is it a page, or a post?").choice, asking("What's the page called?").value, any(asking("Hi."))
    (True, True, False)
    """
    found = QuestionKinds()
    questions = [plain(one) for one in sentences(heard) if is_question(one) and ("?" in one or not is_offer(one))]
    for one in questions:
        found = QuestionKinds(*(a or b for a, b in zip(found, _of_one(one), strict=True)))
    return found._replace(chat=found.chat and not (found.choice or found.polar or found.wish or found.value))


def _of_one(question: str) -> QuestionKinds:
    if _CHATS.search(question):
        return QuestionKinds(chat=True)
    for_value = _ASKS_FOR_VALUE.search(question) is not None
    is_wish = _WISH.search(question) is not None
    is_polar = _POLAR.search(question) is not None and not (for_value and not _WH.search(question) and "?" in question)
    is_choice = _OR.search(question) is not None
    opens = _OPEN_WH.search(question) is not None and not (is_polar and is_choice)
    is_value = not is_wish and (opens or for_value or not (is_polar or is_choice))
    return QuestionKinds(choice=is_choice, polar=is_polar and not opens, wish=is_wish, value=is_value)


_OFFER: Final = re.compile(
    r"^\W*(?:(?:great|okay|ok|sure|so|then|now|fine|good)\b\W*)*(?:i|we)(?:'ll| will| can|'m| am)\b", re.I
)


def is_offer(sentence: str) -> bool:
    """Whether a sentence says what its speaker is about to do."""
    return _OFFER.search(plain(sentence)) is not None
