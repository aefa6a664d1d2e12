"""Wishes for a tool that say less than its name: a part of it, or hardly anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callwright.catalog.chunks import Chunk, Gloss
from callwright.catalog.gloss import gloss
from callwright.lang.english import is_adjective, is_plural, with_article
from callwright.lang.phrases import is_noun_phrase
from callwright.records.tool import Tool

SOMETHING: Final = "something"


def partial_wishes(said: Gloss) -> Iterator[tuple[str, str]]:
    """Yield verbs and things of wishes that say a part of what is wanted; the verb may be empty."""
    verb, chunks = said.verb or "look up", said.chunks
    yield ("", said.object)
    if len(chunks) > 1:
        yield (verb, chunks[0].said)
        yield ("", chunks[0].said)
        for chunk in filter(_is_thing, chunks[1:]):
            if chunk.preposition != "of":  # nobody adds something of a list
                yield (verb, f"something {chunk.said}")
            yield ("", chunk.text)
    *before, noun = chunks[0].text.split()
    if len(before) > 1 and noun.isalpha():
        bare = noun if is_plural(noun) else with_article(noun)
        yield (verb, bare)
        yield ("", bare)


def _is_thing(chunk: Chunk) -> bool:
    """Whether a part of a wish names a thing: `in full` is how something is done."""
    return not (chunk.preposition and " " not in chunk.text and is_adjective(chunk.text))


def vague_wishes(tool: Tool) -> Iterator[tuple[str, str]]:
    """Yield verbs and things of wishes for a tool that hardly say anything."""
    said = gloss(tool)
    for chunk in filter(_is_thing, said.chunks):
        noun = chunk.text.split()[-1]
        if noun.isalpha() and noun.islower() and is_noun_phrase([noun]):  # time off is no "off"
            yield ("", noun if is_plural(noun) else with_article(noun))
    domain = tool.domain.replace("_", " ").replace("-", " ").split()
    plain = all(word.isalpha() and (word.islower() or word.istitle() or word.isupper()) for word in domain)
    if domain and plain and is_noun_phrase([word.lower() for word in domain]) and not is_adjective(domain[-1].lower()):
        yield ("", " ".join(word.lower() if word.istitle() else word for word in domain))
    verb = said.verb or "look up"
    yield ("look up" if verb == "list" else verb, SOMETHING)  # "list something" is none
    yield ("", SOMETHING)
