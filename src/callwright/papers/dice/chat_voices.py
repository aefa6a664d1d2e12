"""How each person of a chat writes: four voices, each told by marks that stand in nearly every turn.

plain    whole sentences with a full stop
formal   as plain, without short forms such as `it's`
lively   statements end with an exclamation mark
casual   no capital at the beginning, no full stop at the end
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, Literal

Voice = Literal["plain", "formal", "lively", "casual"]

VOICES: Final[dict[Voice, str]] = {
    "plain": "Writes in plain sentences.",
    "formal": 'Writes formally, without short forms such as "it\'s".',
    "lively": "Ends what is no question with an exclamation mark.",
    "casual": "Writes without capitals at the beginning and without full stops.",
}
"""How a description says it."""

_ENDINGS: Final = {"'m": " am", "'d": " would", "'ll": " will", "'ve": " have", "'re": " are", "'s": " is"}
_SHORT: Final = re.compile(
    r"\b(?P<who>I|you|we|they|it|that|this|what|where|who|how|when|here|there|(?:every|some|any|no)(?:thing|body|one)|"
    r"coffee|lunch|dinner|cake|breakfast|tea)(?P<end>'(?:m|d|ll|ve|re|s))\b(?! sake)|\blet's\b|"
    r"\b(?P<verb>[a-z]+)n't\b(?P<asked> (?:I|you|we|they|it|there|that)\b)?",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r'("[^"]*")')


def voice_in(description: str) -> Voice | None:
    """Return the voice that a description names; None for none."""
    return next((voice for voice, told in VOICES.items() if told in description), None)


def voiced(text: str, voice: Voice | None, proper: Collection[str]) -> str:
    """Return a turn as somebody of this voice writes it; what begins with one of `proper` keeps its capital.

    >>> voiced("Let's go, it's late!", "formal", ()), voiced("Let's go.", "lively", ())
    ('Let us go, it is late.', "Let's go!")
    >>> voiced("Can't that wait?", "formal", ()), voiced("It isn't that hard.", "formal", ())
    ('Can that not wait?', 'It is not that hard.')
    """
    if voice is None:
        return text
    ends = text[-1] in ".!"
    if voice == "formal":
        text = "".join(part if at % 2 else _SHORT.sub(_whole, part) for at, part in enumerate(_QUOTED.split(text)))
    if voice == "casual" and not text.startswith((*filter(None, proper), "AI", "I ", "I'")):
        text = text[:1].lower() + text[1:]
    return text if not ends else text[:-1] + {"lively": "!", "casual": ""}.get(voice, ".")


def _whole(short: re.Match[str]) -> str:
    if short["end"]:
        return short["who"] + _ENDINGS[short["end"].lower()]
    if not short["verb"]:
        return "Let us" if short[0][0] == "L" else "let us"
    verb, asked = short["verb"], short["asked"] or ""
    if verb.lower() in ("ca", "wo"):
        verb = {"ca": "can", "wo": "will", "Ca": "Can", "Wo": "Will"}[verb]
    if asked == " that" and short.start():  # `it isn't that hard` asks nothing
        return f"{verb} not{asked}"
    return "cannot" if verb == "can" and not asked else f"{verb}{asked} not"


def fits(text: str, voice: Voice) -> bool:
    """Whether somebody of this voice may write so."""
    mark = text[-1:]
    if voice == "formal" and any(_SHORT.search(part) for part in _QUOTED.split(text)[::2]):
        return False
    if mark == "?":
        return True
    return mark == "!" if voice == "lively" else mark not in ".!?" if voice == "casual" else mark == "."


def shortened(text: str) -> str:
    """Return a text with the commonest short forms, which tell more than the whole ones."""
    for whole, short in _CONTRACTED:
        text = whole.sub(short, text)
    return text


_CONTRACTED: Final = tuple(
    (re.compile(rf"\b{whole}\b", re.IGNORECASE), short)
    for whole, short in {
        "I would": "I'd",
        "I am": "I'm",
        "let us": "let's",
        "what is": "what's",
        "do not": "don't",
        "we would": "we'd",
    }.items()
)
