"""Tools that do something with a text of the user's: what they are asked for, and what the text is called.

The chatbot endpoint.         message    send a message to the chatbot
Detects spam in a comment     q          check a comment for spam, and the comment is "..."
"""

from __future__ import annotations

import re

from callwright.catalog.chunks import DETERMINERS, Chunk, Gloss
from callwright.lang.english import article
from callwright.lang.tokens import identifier_words
from callwright.records.tool import Tool

_TEXTS = "message text sentence question prompt comment paragraph phrase essay review content".split()
_OPEN = frozenset(("q", "query"))
"""Names of what is searched for, or of any other text."""
_SEARCHES = re.compile(
    r"search|find|look(?:s|ing)? ?up|keyword|suggest|match|filter|browse|autocomplet|quer(?:y|ies) (?:for|the)", re.I
)
_HELD = re.compile(
    rf"\b(?:in|of|from|for|to|on|whether|if|asks?|analy[sz]es?|checks?|translates?|rewrites?) "
    rf"(?:(?:a|an|the|your|this|given|any|some|user|piece of|block of) ){{0,3}}({'|'.join(_TEXTS)})\b",
    re.I,
)
_TALKER = re.compile(r"\b(chatbot|chat bot|bot|assistant|language model)\b", re.I)
_DETECTS = frozenset("detect recognize identify spot".split())


def text_noun(tool: Tool, name: str) -> str:
    """Return what the text is called that a `q` or `query` holds; empty where it is searched for.

    >>> text_noun(Tool(name="x", description="Detects spam in a comment"), "q")
    'comment'
    >>> text_noun(Tool(name="x", description="Search for a text"), "q")
    ''
    """
    said = f"{tool.description[:300]} {tool.properties.get(name, {}).get('description', '')}"
    if name.lower() not in _OPEN or _SEARCHES.search(f"{tool.name} {said}"):
        return ""
    held = _HELD.search(said)
    return held[1].lower() if held else ""


def text_act(found: Gloss, tool: Tool) -> Gloss:
    """Return the gloss as people ask it who have a text: nobody looks up a chat, or detects a hate speech."""
    told = next(
        (words[-1] for name in tool.required if (words := identifier_words(name))[-1:] and words[-1] in _TEXTS), ""
    )
    talker = _TALKER.search(tool.description[:300])
    if told and talker and not found.verb:
        return Gloss("send", (Chunk("", f"{article(told)} {told}"), Chunk("to", f"the {talker[1].lower()}")))
    told = told or next((noun for name in tool.required if (noun := text_noun(tool, name))), "")
    if not told or found.verb not in _DETECTS or not found.chunks or found.chunks[0].preposition:
        return found
    first, _, rest = found.chunks[0].text.partition(" ")
    sought = rest if rest and first in DETERMINERS else found.chunks[0].text
    return Gloss("check", (Chunk("", f"{article(told)} {told}"), Chunk("for", sought)))
