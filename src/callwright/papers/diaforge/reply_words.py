"""What a reply takes, turns down, agrees to, lacks and asks, clause by clause: rules over words that name no tool.

"No, not the blog. The glossary, please"    takes "The glossary, please", turns down "the blog"
"Skip the commit and just archive it"       takes "archive it", turns down "the commit"
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from callwright.lang.tokens import STOP_WORDS, stem, stem_set, words

_QUOTED: Final = re.compile(r'"[^"]*"|“[^“”]*”|(?<!\w)\'[^\']{3,}\'(?!\w)')


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return a text with straight apostrophes."""
    return text.replace("’", "'")


@lru_cache(maxsize=4096)
def without_quotes(text: str) -> str:
    """Return a text without what it quotes: somebody's values, not the speaker's own words."""
    return _QUOTED.sub('""', plain(text))


_CLAUSE: Final = re.compile(
    r"[.,;:!?()\n–—]{1,9}\s{0,9}|\s-{1,9}\s|\b(?:but|though|although|whereas|because|instead(?! of)"
    r"|(?<!not )(?:just|only))\b",
    re.I,
)
_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nothing|nobody|without|except|rather than|instead of|other than|cannot"
    r"|\w{1,30}n't|skip|forget|ignore|never mind)\b(?! (?:mind|problem|worries|doubt))",
    re.I,
)


@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of a text."""
    return tuple(filter(None, map(str.strip, _CLAUSE.split(plain(text)))))


@lru_cache(maxsize=4096)
def taken(text: str) -> str:
    """Return what a text does not turn down: each clause up to the word that negates it."""
    return "; ".join(_NEGATED.split(clause, maxsplit=1)[0] for clause in clauses(text))


@lru_cache(maxsize=4096)
def turned_down(text: str) -> str:
    """Return what a text turns down: each clause from the word that negates it."""
    found = ((clause, _NEGATED.search(clause)) for clause in clauses(text))
    return "; ".join(clause[match.start() :] for clause, match in found if match)


def is_negated(text: str) -> bool:
    """Whether a text turns anything down."""
    return _NEGATED.search(plain(text)) is not None


_OPENING: Final = r"(?:oh|och|ah|aw|hm+|well|haha|thanks|thank you|actually|so|and|hey|now)"
_OPENERS: Final = rf"^\W{{0,9}}(?:{_OPENING}\b\W{{0,9}}){{0,6}}"
_OPENER: Final = re.compile(rf"\W{{0,9}}(?:{_OPENING}\b\W{{0,9}}){{1,6}}", re.I)
_YES: Final = (
    r"(?:yes|yeah|yep|yup|ya|aye|s[ií]|oui|ja|sure|exactly|precisely|ok(?:ay)?|go (?:ahead|on)|please do"
    r"|do (?:it|that|so|both)|of course|absolutely|definitely|certainly|indeed|by all means|go for it|why not|agreed"
    r"|confirmed|spot on|bingo|you(?:'ve)? got it|gladly|works for me|carry on|proceed|that works|that will do"
    r"|will do|you can|you may"
    r"|that's (?:the one|it|so)"
    r"|if you (?:would|could|like)|(?:that|it) is(?= {0,3}$)|i do|i am)"
)
_WELL: Final = (
    r"(?:(?:that|it|this|everything|all|both)(?:'s| is| are| was|'d be| would be| looks?| sounds?)?"
    r"|sounds?|looks?|all)?"
    r" ?(?:all |just |quite |perfectly |absolutely )?(?:right|correct|fine|good|perfect|great|lovely|grand"
    r"|wonderful|ready|true|accurate"
    r"|splendid|excellent|brilliant|super|go)"
    r"(?= {0,3}$| (?:to|with|for|by) (?:me|go)| (?:then|now|thanks|thank|enough|please|idea|so|like that"
    r"|as it is|that way)\b)"
)
_STARTS_YES: Final = re.compile(rf"{_OPENERS}(?:{_YES}\b(?! (?:me|now|then)\b)|{_WELL})", re.I)
_AGREES: Final = re.compile(rf"\b{_YES}\b|^{_WELL}", re.I)
_STARTS_NO: Final = re.compile(
    rf"{_OPENERS}(?:no|nope|nah|nay|not|(?:(?:it|that)(?:'s| is)|i (?:want|need|mean"
    rf"|meant) )?\W{{0,3}}(?:neither|none))\b",
    re.I,
)
_POINTS: Final = re.compile(
    r"\b(?:first|second|third|former|latter|last|1st|2nd|3rd|both|either|neither|any|all|every(?:thing)?|none|each|only"
    r"|the other|the (?:left|right)|default|same|one)\b",
    re.I,
)


def says_yes(text: str) -> bool:
    """Whether a reply begins with agreement and turns nothing down."""
    said = plain(text)
    first = next((one for one in clauses(said) if not _OPENER.fullmatch(one)), "")
    return _STARTS_YES.search(first) is not None and not is_negated(said) and "?" not in said


def agrees(text: str) -> bool:
    """Whether a text has a word of agreement that is not negated."""
    return any(_AGREES.search(one) for one in taken(text).split("; "))


def says_no(text: str) -> bool:
    """Whether a reply begins with a refusal."""
    return _STARTS_NO.search(plain(text)) is not None


def points(text: str) -> bool:
    """Whether a reply points at something that was offered, or at all or nothing of it."""
    return any(_POINTS.search(one) and len(matter(_POINTS.sub(" ", one))) <= _FEW for one in clauses(text))


_PLACE: Final = (
    r"(?:first|second|third|fourth|fifth|sixth|former|latter|last|middle|other|1st|2nd|3rd|[4-9]th|[a-h]|[1-9]|one|two"
    r"|three|four|five|six)"
)
_PICK: Final = re.compile(
    rf"^\W*(?:(?:yes|ok(?:ay)?|sure|well|that(?:'s| would be| is)|it(?:'s| is)|i(?:'d| would) (?:say|like"
    rf"|go for|choose|take)"
    rf"|i (?:want|need|mean|meant|choose|pick|take)|let's (?:take|say|go with)|go with|take)\b\W*)*"
    rf"(?:the |option |number |letter |choice |point |item |no\.? ?|#){{0,3}}{_PLACE}\b(?: (?:one|option|choice"
    rf"|of (?:those"
    rf"|these|them|the \w{{1,30}})|on (?:the|your) list|you (?:named|listed|mentioned)))*"
    rf"(?:\W+(?:please|thanks?|thank you|then|that is|i think|if you (?:would|please|could)|will do))*\W*$",
    re.I,
)


def picks(text: str) -> bool:
    """Whether a reply is no more than the place or the letter of an option.

    >>> picks("The third one, please."), picks("B."), picks("The third floor is cold.")
    (True, True, False)
    """
    return _PICK.search(plain(text)) is not None


_FEW: Final = 2
"""Other words beside those with which one points at something."""


_NOT: Final = r"(?:no(?: one|body)?|not|never|neither|nor|none|nothing|without|hardly|cannot|\w{1,30}n't|ain't)"
_HAVING: Final = (
    r"(?:ha(?:ve|s|d|ving)|got|know|known|knew|knows|given|gave|gives|told|tell|tells|find|found"
    r"|remember\w{0,30}|recall\w{0,30}"
    r"|receiv\w{1,30}|see|seen|sure|certain|idea|clue|aware|exists?|mention\w{0,30}|provid\w{1,30}|say|said|guess"
    r"|think of|sent|notion)"
)
_LACKS: Final = re.compile(
    rf"\b{_NOT}\b(?: \S{{1,30}}){{0,4}}? {_HAVING}\b|\b(?:'ve|have|has|had|got|is|was|are|'s"
    rf"|there's) (?:got )?(?:no|none|neither)\b"
    r"|\b(?:isn't|aren't|wasn't|is not|was not) (?:any|one|a)\b|\bno (?:idea|clue|inkling)\b|\bunsure\b|\bbeats me\b"
    r"|\bescapes me\b|\bdrawing a blank\b|\bforgot(?:ten)?\b|\b(?:i )?lost (?:it|that|the)\b|\bunknown to me\b"
    r"|\bunavailable\b|\bat a loss\b"
    r"|\bno \w{1,30}(?: \w{1,30})? (?:to (?:name|give|offer|quote|speak of)|at hand)\b|\b(?:'ve"
    r"|have) (?:\w{1,30} )?(?:given|told"
    r"|sent) (?:\w{1,30} )?(?:neither|none|nothing|no)\b"
    r"|\b(?:given|told|sent|shown) (?:me |us )?(?:no|none|neither|nothing)\b",
    re.I,
)
_ONLY_MANNER: Final = re.compile(
    r"\b(?:do(?:n't| not) (?:need|want|have) to\b|no need|not? (?:problem|worries)|(?:can't|don't) wait"
    r"|sure (?:thing|enough)|not (?:only|just))",
    re.I,
)


def lacking_in(text: str) -> tuple[str, ...]:
    """Return the clauses that say of something that the speaker does not have or know it.

    >>> lacking_in("It's Quarry. I was never given a number for it.")
    ('I was never given a number for it',)
    """
    return tuple(one for one in clauses(text) if _LACKS.search(one) and not _ONLY_MANNER.search(one))


def bare_lacks(text: str) -> tuple[str, ...]:
    """Return the clauses that are no more than `no map ID`."""
    return tuple(one for one in clauses(text) if _NO_ONE.search(one))


_NO_ONE: Final = re.compile(
    r"^(?:and |or |but )?(?:no|without) (?!problem|need|worries|thanks|thank|hurry|rush|matter)(?:\w{1,30} ?){1,3}$",
    re.I,
)


_TAG: Final = re.compile(
    r",?\s{0,3}\b(?:(?:is|are|was|were|do|does|did|has|have|can|could|would|will|wo|ca)n't|right|eh|huh|ok(?:ay)?"
    r"|you know|(?:is|are|do|does|has|can|will)) ?(?:it|they|you|he|she|we|that|i|there)?\?",
    re.I,
)
_OF_WORDS: Final = re.compile(
    r"\b(?:mean|meant|explain|that|this|it|its|one|ones|these|those|them|they|sort|kind|format|where|which|sorry|pardon"
    r"|do you need|looks? like|left out|need)\b",
    re.I,
)
_SMALL_QUESTION: Final = re.compile(
    r"\b(?:how are (?:you|things)|how(?:'s| is| has) (?:it|your|life|everything|the (?:day|week|weather))"
    r"|what(?:'s| is) the weather|who (?:comes|came) up|isn't (?:it|that)|aren't they)\b",
    re.I,
)


def asks_back(text: str, heard: frozenset[str]) -> bool:
    """Whether a reply asks about what was asked, of which `heard` are the stems; `aren't they?` asks nothing."""
    said = _TAG.sub(".", plain(text))
    questions = [one for one in _QUESTIONS.findall(said) if not (_SMALL_QUESTION.search(one) or _BEGS.search(one))]
    return any(_OF_WORDS.search(one) or not heard.isdisjoint(stem_set(one)) for one in questions)


_QUESTIONS: Final = re.compile(
    r"[^.!?\n]{1,300}\?|(?:^|(?<=[.!?\n] ))\W*(?:what'?s?|which|where|how|who|why)\b[^.!?\n]{1,300}",
    re.I,
)
_BEGS: Final = re.compile(
    r"^\W*(?:(?:and|so|but|sorry|oh|hm+)\W+)*(?:can|could|can't|couldn't|won't|will|would|don't) you\b"
    r"|^\W*(?:(?:and|so|but|well)\W+)*why (?:don't|can't|won't) you\b"
    r"(?!.{0,200}\b(?:explain|mean|tell me what|say what|where|spell|rephrase|clarify|repeat)\b)",
    re.I,
)
"""A question that leaves it to the other side: `can't you look it up?`."""
_OF_MEANING: Final = re.compile(
    r"\b(?:mean\w{0,30}|explain\w{0,30}|where|what'?s?|which|looks? like|find (?:it|that|this|one)|is that"
    r"|do you need)\b",
    re.I,
)


def asks_meaning(text: str) -> bool:
    """Whether a reply asks what a word means, or where its thing is found."""
    return any(_OF_MEANING.search(one) for one in _QUESTIONS.findall(_TAG.sub(".", plain(text))))


_LEAVES_OPEN: Final = re.compile(
    r"\b(?:leave|keep|skip|omit) (?:it|that|this|them|those|the \w{1,30})\b|\bleft (?:out|open|empty"
    r"|blank)\b|\bup to you\b"
    r"|\b(?:your|you) (?:choice|choose|pick|decide)\b|\b(?:whatever|whichever|anything|default|usual|any|empty|blank)\b"
    r"|\b(?:doesn't|does not|don't|do not|didn't) (?:really )?(?:matter|mind|care)\b|\bno preference\b|\bwithout\b"
    r"|\bnot (?:needed|necessary|required)\b|\b(?:don't|do not) need\b|\bno\b|\bnone\b|\bas (?:it is|you like)\b",
    re.I,
)


def leaves_open(text: str) -> bool:
    """Whether a reply says that a value can be left out or chosen."""
    return _LEAVES_OPEN.search(plain(text)) is not None


_CHAT: Final = stem_set(
    "yes no not please thank thanks sorry hi hello hey oh haha friend mate dear kind kindly well good great "
    "fine lovely nice perfect okay ok sure right course really actually honestly just only now today moment "
    "minute thing things bit lot way case guess think know say said mean hope wish like want need help use "
    "get go come let make take put see look here there one ones something anything everything everyone "
    "somebody someone always never still already again also too much more most little first next last time "
    "day week afraid name called call give given have tell told should got up out off over down away back in "
    "on"
)


@lru_cache(maxsize=4096)
def matter(text: str) -> frozenset[str]:
    """Return the stems of a text without what is said in any conversation."""
    return frozenset(stem(word) for word in words(plain(text)) if not _is_empty(word)) - _CHAT


def _is_empty(word: str) -> bool:
    return word in STOP_WORDS or word.endswith(("n't", "'ll", "'ve", "'re", "'d", "'m"))
