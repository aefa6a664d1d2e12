"""Words of a user who gives up: the matter is dropped, put off, done elsewhere, or the conversation ends.

`Leave it empty` and `drop the description` speak of a value, and a farewell after an answer is polite.
"""

from __future__ import annotations

import re
from typing import Final

from callwright.papers.diaforge.reply_words import agrees, without_quotes

_WHOLE: Final = (
    r"(?:(?:about )?(?:it all|all (?:of )?(?:it|this|that)|the (?:whole|entire) \w{1,30}|everything|the matter"
    r"|this (?:matter|whole thing)"
    r"|the (?:request|conversation|chat)|this (?:request|conversation|chat)))"
)
_IT: Final = rf"(?:{_WHOLE}|(?:about )?(?:it|this|that))"
_ENDS: Final = (
    r"(?= {0,3}(?:[.,;:!?–—-]|$|(?:for now|then|now|here|there|after all|please|altogether|entirely|instead"
    r"|today|alone|at that"
    r"|and|i|we|ok|okay|this time|once and for all|be)\b))"
)
_MYSELF: Final = (
    r"(?:my ?self|ourselves|by hand|manually|on my own|elsewhere|some ?where else|(?:another|some other) way|in person"
    r"|(?:(?:some|an)? ?other|another) (?:day|time|moment)|some (?:day|time)|one day|later(?! than\b)"
    r"|without you|when i have (?:more )?time)"
)
_WHEN: Final = (
    r"(?:tomorrow|tonight|next (?:week|time|month)|(?:on|this|next) \w{1,30}day|in the (?:morning|evening|afternoon)"
    r"|after \w{1,30})"
)
_OTHERS: Final = (
    r"(?:(?:some|any) ?(?:one|body)(?: else)?|(?:a|an|the|my|our) (?:\w{1,30} )?(?:colleague|person|human|boss"
    r"|manager|team|assistant|desk|office"
    r"|department|support|supervisor|secretary|helpdesk)|(?:it )?support|the it (?:people|team|folks"
    r"|department)|it instead)"
)
_I_SHALL: Final = (
    r"\b(?:i(?:'ll| will| shall|'d rather|'d sooner|'m going to|'m gonna| think i'll| can| could| might"
    r"| prefer to)|let me|we(?:'ll| can| will))"
    r" (?:(?:just|then|rather|probably|simply|maybe|better|go and) ){0,4}"
)
_DROPS: Final = (
    rf"\b(?:forget|drop|scrap|scratch|abandon|call off) {_IT}{_ENDS}",
    rf"\b(?:leave|stop|end|quit|cancel|finish|close) {_WHOLE}",
    (
        r"\bleave (?:it|this|that)(?: (?:be|there|here|for (?:now|today)|at that|then))?(?= {0,3}(?:[.,;!–—-]|$"
        r"|i\b|and i\b|we\b))"
    ),
    (
        r"\b(?:let's|let us|we can|we could|we should|i'd rather|i'll|better) (?:stop(?! (?:it|the)\b)|leave it|quit"
        r"|end (?:it|this)|drop (?:it|this|that)|forget (?:it|this|that|about)|call it (?:a day|off|quits)"
        r"|give up|not (?:do|bother))\b"
        r"(?! (?:as|to|at|in|like|with|that|empty|open|out|blank|off|on|the)\b)"
    ),
    r"\b(?:changed|change|changing) my mind\b(?! (?:about|on)\b)",
)
"""Of what the wish itself may be: `stop it`."""
_STOPS: Final = (
    r"\bforget (?:about )?(?:it|this|that|the whole)\b",
    (
        r"\bwe(?:'re| are) (?:done|finished|through|over)(?: here| now)?(?= {0,3}(?:[.,!]|$))(?! ,? ?(?:thank|once"
        r"|when|after))"
    ),
    r"\bstop (?:here|right there|it here|this here)\b|\bend (?:it|this) here\b",
    (
        r"\bi(?: just)? (?:give up|quit|surrender)\b|\bi(?:'m| am) (?:giving up|out(?! of)|leaving"
        r"|off(?= {0,3}(?:[.,!;]|$|now|then))|through"
        r"|done with (?:this|it)|fed up|no longer interested|not interested)\b"
    ),
    r"\b(?:cancel|withdraw|drop) (?:this|my) (?:whole )?(?:request|question|wish)\b",
    (
        r"\b(?:don't|do not|no need to) (?:bother|worry)\b(?= {0,3}(?:[.,!;]|$|with (?:it|this|that|the)\b"
        r"|about (?:it|this|that)\b|any|after|then|now))"
    ),
    r"\benough (?:of (?:this|it|that)|for (?:today|now|me))\b|\bi(?:'ve| have) had enough\b|\bnot today\b",
    r"^\W*(?:(?:some|an) ?other|another) (?:time|day)\b|\bmaybe (?:later|tomorrow|another (?:time|day))\b",
)
_UNNEEDED: Final = (
    (
        r"(?:\bnot|n't)(?: really)? (?:need|needs|want|wants|require|care about) (?:it|this|that|them|(?:the"
        r"|your|my|an?) [\w' -]{1,40}?)"
        r" (?:any ?more|any longer|after all)\b"
    ),
    (
        r"(?:\bnot|n't) (?:\w{1,30} )?(?:needed|necessary|required|important|relevant|urgent|worth (?:it"
        r"|the \w{1,30}|my time))"
        r" (?:any ?more|any longer|after all|anyway)\b|(?:\bnot|n't) worth (?:it|the \w{1,30}|my time)\b"
    ),
    (
        r"\b(?:it|this|that)(?:'s| is| was)(?:n't| not)(?: that| so| really| all that)? (?:important|urgent"
        r"|worth \w{1,30})\b"
    ),
    r"\bno longer (?:need|want|require|interested|care|needed|necessary|required|important|relevant)\w{0,30}\b",
    (
        r"\b(?:it|this|that|the (?:whole )?(?:thing|matter|problem))(?:'s| is| has)(?: been)?(?: already| all"
        r"| just| now)? (?:resolved|sorted|solved|settled"
        r"|taken care of|dealt with|moot|off the table)\b"
    ),
)
_TOO_MUCH: Final = (
    (
        r"\b(?:too|so) (?:complicated|many questions|much (?:trouble|hassle|work|effort|bother|fuss|for me)"
        r"|tedious|tiresome"
        r"|cumbersome|long-winded|annoying)\b"
    ),
    r"\b(?:this|that|it)(?:'s| is)? (?:takes|taking|took) (?:too long|forever|ages|far too long|way too long)\b",
    (
        r"\b(?:haven't|have not|don't have|do not have|got no|have no|no) (?:any )?(?:more )?(?:time|patience"
        r"|energy) (?:for|left)\b|\bout of patience\b"
    ),
)
_PUTS_OFF: Final = (
    rf"{_I_SHALL}(?!be\b|need|have|want|get)[a-z]{{1,30}}\b[^.!?]{{0,90}}?\b{_MYSELF}(?![\w-])",
    (
        rf"{_I_SHALL}(?!need|want|have|be\b|get)[a-z]{{1,30}} (?:\w{{1,30}} )?(?:it|this|that|back|again|with it"
        rf"|to it)(?: up)? {_WHEN}\b"
    ),
    r"\bi(?:'ll| will| shall)(?: just| rather| simply)? (?:come|be) back\b(?! (?:to|in|from|at|on) )",
    (
        rf"{_I_SHALL}(?:ask|call|phone|ring|write to|email|ask at|talk to|speak to|go to|try|turn to|check with"
        rf"|contact) {_OTHERS}\b"
    ),
    rf"{_I_SHALL}[a-z]{{1,30}} (?:it|this|that) (?:up )?(?:with|to) {_OTHERS}\b",
    (
        rf"{_I_SHALL}(?:manage|pass(?= {{0,3}}(?:[.,!;]|$|on this|then))|figure it out|sort it out|take it from here"
        rf"|do without|leave it)\b"
        r"(?! (?:as|to|at|in|with|empty|open|out|blank)\b)"
    ),
    (
        r"\bi(?:'ve| have)? (?:got to|gotta|have to|need to|must|should) (?:go|run|dash|head (?:off"
        r"|out))(?= {0,3}(?:[.,;!–—-]|$|now|and|then))"
    ),
)
_FAREWELL: Final = (
    (
        r"\b(?:farewell|see (?:you|ya)|take care(?! of)|(?:ciao|chao|tschüss|adiós|adios|au revoir)(?=\W*(?:$"
        r"|ciao|chao))|so long(?= {0,3}[.!]|$)|until next time"
        r"|have a (?:\w{1,30} )?(?:day|evening|one|weekend|night|afternoon|morning|time)|good ?night|good ?bye"
        r"|signing off|over and out)\b"
    ),
)

_DROPS_IT: Final = re.compile("|".join(_DROPS), re.I)
_GIVES_UP: Final = re.compile("|".join((*_STOPS, *_UNNEEDED, *_TOO_MUCH, *_PUTS_OFF)), re.I)
_SAYS_GOODBYE: Final = re.compile("|".join(_FAREWELL), re.I)
_AT_ONCE: Final = re.compile(
    r"\b(?:good ?bye|bye(?= ?(?:now\b|[.!,;]|$))|never ?mind|forget (?:it|about it|this)|i give up"
    r"|cancel (?:this|my) request"
    r"|(?:i'll|i will) (?:do it myself|ask someone else|come back later|try (?:again )?later|leave it)"
    r"|no longer need (?:it|this))\b",
    re.I,
)
"""Nobody says these with an answer."""


def gives_up(text: str, *, tells: bool, ends: bool = False, answers: bool = False) -> bool:
    """Whether a user drops the matter. `tells` is whether the user gives a value with it, and so goes on.

    `ends` is whether what is wanted is to end something, `answers` whether the words are about what was asked.

    >>> gives_up("Leave it, I'll ask at the desk.", tells=False), gives_up("Leave it empty.", tells=False)
    (True, False)
    """
    said = without_quotes(text)
    if _AT_ONCE.search(said):
        return True
    if tells:
        return False
    if _GIVES_UP.search(said) or (not ends and _DROPS_IT.search(said)):
        return True
    return (
        not answers
        and _SAYS_GOODBYE.search(said) is not None
        and not agrees(_SAYS_GOODBYE.sub(" ", said))
        and "?" not in said
    )
