"""Words that no person would say: identifiers, doubled words, articles that clash; and words of the other side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from callwright.lang.english import article
from callwright.records.tool import Tool


@lru_cache(maxsize=16384)
def is_identifier(name: str) -> bool:
    """Whether a name is one that no person would say: joined by signs, or in camel case."""
    return bool(_JOINED.search(name))


_JOINED = re.compile(r"[A-Za-z0-9][_.][A-Za-z0-9]|[a-z][A-Z]")

IDENTIFIERS = re.compile(r"[A-Za-z0-9]+(?:[_\-.][A-Za-z0-9]+)+|[A-Za-z0-9]+")
"""Finds words, and names joined by signs."""
DOUBLED = re.compile(
    r"(?i:\b(the|an?|of|for|to|is|in|on|and|with|it|my|your) \1\b)|"
    r"(?<![\w'\"-])(?!(?:that|had|no|very)\b)([a-z]{2,}) \2(?![\w'-])"
)
"""Names such as Bora Bora are no doubled words, nor is what people do say twice."""
ARTICLE = re.compile(r"(?<![\w.-])([Aa]n?) ([a-z]{3,})\b")
LACKS: Final = re.compile(
    r"\b(?:no idea|no clue|not sure|unsure|(?:have|has|got|there is) no"
    r"|(?:can(?:no|'|)t|could(?: not|n'?t)) (?:find|remember|recall|say|tell)"
    r"|(?:don'?t|do not|didn'?t|haven'?t|never) (?:\w+ )?(?:know|have|got|remember|recall|need|want))\b",
    re.IGNORECASE,
)
"""Words of somebody who does not have a value."""
AS_ASSISTANT: Final = re.compile(
    r"\b(?:how (?:can|may|could) i (?:help|assist|be of)|(?:happy|glad|here) to (?:help|assist)"
    r"|i(?:'ll| will| can) (?:help|assist) you|let me know (?:if|how) (?:you|there)|as an ai\b"
    r"|can(?:'t|not) (?:help|assist) (?:you|with)|i(?:'m| am) an? (?:ai|virtual|language)"
    r"|provide (?:me with|the following))",
    re.IGNORECASE,
)
"""Words that only an assistant says."""
_MACHINE = re.compile(r"\b(?:required parameters?|parameter values?|tool call|function call|api endpoint|null)\b")
_QUOTED = re.compile(r'"[^"]*"')


def wording_faults(text: str, tools: Mapping[str, Tool]) -> list[str]:
    """Return what no person would say in this text. Text in quotes is a value and is not checked.

    A capitalised name that descriptions use in a sentence, such as `AlphaSender`, is the thing's name.

    A model that plays a role reads these faults before it writes again.
    """
    bare = _QUOTED.sub('""', text)
    names = {*tools, *(name for tool in tools.values() for name in tool.properties)}
    prose = " ".join(f"{tool.description} {tool.parameters}" for tool in tools.values())
    names -= {name for name in names if name[:1].isupper() and f" {name} " in prose}
    leaked = sorted({word for word in IDENTIFIERS.findall(bare) if word in names and is_identifier(word)})
    faults = [f"{name} is a name for machines" for name in leaked]
    if found := DOUBLED.search(bare):
        faults.append(f"{found.group()!r} is said twice")
    faults += [f"{a.group()!r} clashes" for a in ARTICLE.finditer(bare) if a[1].lower() != article(a[2])]
    if found := _MACHINE.search(bare.lower()):
        faults.append(f"{found.group()!r} is a machine's word")
    return faults


def without_identifiers(text: str, values: Iterable[str]) -> str:
    """Return a text without those of the values that are names for machines: they may be told."""
    for value in filter(is_identifier, values):
        text = text.replace(value, '""')
    return text
