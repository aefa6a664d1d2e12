"""What to add to a tool's description so that it is not taken for another: a pointer such as "To ..., use NAME."

Nothing is taken away. All words come from the two documents; where they do not differ, a person has to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from callwright.catalog.gloss import gloss
from callwright.lang.english import sentence_case
from callwright.lang.tokens import identifier_words, stem_set
from callwright.records.tool import Tool

_MOST_LISTED = 3
_RETIRED = re.compile(r"\b(?:deprecated|legacy|obsolete|retired|no longer supported)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


def is_retired(tool: Tool) -> bool:
    """Whether the description says that the tool should not be used any more."""
    return bool(_RETIRED.search(tool.description))


def addition(tool: Tool, rival: Tool) -> tuple[str, str]:
    """Return the sentence to add to `tool`'s description, and why; empty for a retired rival or one named already."""
    if is_retired(rival) or re.search(rf"(?<![\w-]){re.escape(rival.name)}(?![\w-])", tool.description):
        return "", ""
    own, other = gloss(tool), gloss(rival)
    if other.verb and other.chunks and stem_set(own.phrase) != stem_set(other.phrase):
        return f"To {other.phrase}, use {rival.name}.", f"{rival.name} is easily taken for it"
    needed = _only(rival.required, tool.properties)
    if needed:
        return f"With {_listed(needed)}, use {rival.name}.", f"{rival.name} requires {_listed(needed)}"
    return "", ""


def with_addition(tool: Tool, sentence: str) -> str:
    """Return the description with one more sentence; a missing one is made from the gloss first."""
    text = tool.description.strip() or sentence_case(gloss(tool).phrase)
    return f"{text}{'' if text.endswith(('.', '!', '?')) else '.'} {sentence}"


def keeps(given: str, text: str) -> bool:
    """Whether a text still says all that another does after its first sentence, word for word.

    There stand deprecation, limits, errors, conditions and units. The first sentence may be rephrased, its numbers not.
    """
    first, *rest = _SENTENCE_END.split(" ".join(given.split()))
    said = " ".join(text.split())
    facts = re.findall(r"\d[\w.,:%-]*", first) + _RETIRED.findall(first)
    return all(sentence.rstrip(".!? ") in said for sentence in rest) and all(fact in said for fact in facts)


def _only(own: Iterable[str], others: Iterable[str]) -> list[str]:
    lacking = set(others)
    return [name for name in own if name not in lacking and identifier_words(name)]


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_MOST_LISTED])
