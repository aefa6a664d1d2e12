"""Users' wishes, clear, less clear and vague: the queries among which one is sought that falls in its band.

clear    verb and object of the tool's gloss             get a file in a folder
suggest  a part of it                                    a file in a folder; get a file
clarify  a topic                                         a file; something
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from callwright.catalog.gloss import Gloss, gloss
from callwright.environment.asked_parameters import asked_slots, parameters
from callwright.environment.tool_target import target_of
from callwright.lang.english import is_plural, join_with, plural, with_article
from callwright.lang.phrases import as_spelled, is_noun_phrase
from callwright.lang.tokens import content_stems
from callwright.papers.tooldial.sequence_shapes import ToolPair
from callwright.papers.tooldial.tool_pairs import is_own
from callwright.records.annotations.tooldial_notes import IntentQuery
from callwright.records.tool import Tool

SOMETHING: Final = "something"


def clear_queries(pair: ToolPair) -> Iterator[IntentQuery]:
    """Yield wishes that name what the user wants; with two tools they cover both."""
    said = gloss(pair.target)
    wish = IntentQuery(verb=said.verb or "look up", thing=said.object)
    yield from with_tails(wish, pair)


def suggest_queries(pair: ToolPair) -> Iterator[IntentQuery]:
    """Yield wishes that say a part of what the user wants; with two tools they cover both."""
    for wish in _parts(gloss(pair.target)):
        yield from with_tails(wish, pair)


def clarify_queries(tool: Tool) -> Iterator[IntentQuery]:
    """Yield wishes that hardly say anything."""
    said = gloss(tool)
    for chunk in said.chunks:
        noun = chunk.text.split()[-1]
        if noun.isalpha() and noun.islower():
            yield IntentQuery(thing=noun if is_plural(noun) else with_article(noun))
    domain = tool.domain.replace("_", " ").replace("-", " ").split()
    plain = all(word.isalpha() and (word.islower() or word.istitle() or word.isupper()) for word in domain)
    if domain and plain and is_noun_phrase([word.lower() for word in domain]):
        yield IntentQuery(thing=" ".join(word.lower() if word.istitle() else word for word in domain))
    verb = said.verb or "look up"
    yield IntentQuery(verb="look up" if verb == "list" else verb, thing=SOMETHING)  # "list something" is none
    yield IntentQuery(thing=SOMETHING)


def _parts(said: Gloss) -> Iterator[IntentQuery]:
    verb, chunks = said.verb or "look up", said.chunks
    yield IntentQuery(thing=said.object)
    if len(chunks) > 1:
        yield IntentQuery(verb=verb, thing=chunks[0].said)
        yield IntentQuery(thing=chunks[0].said)
        for chunk in chunks[1:]:
            yield IntentQuery(verb=verb, thing=f"something {chunk.said}")
            yield IntentQuery(thing=chunk.text)
    *before, noun = chunks[0].text.split()
    if len(before) > 1 and noun.isalpha():
        bare = noun if is_plural(noun) else with_article(noun)
        yield IntentQuery(verb=verb, thing=bare)
        yield IntentQuery(thing=bare)


def with_tails(wish: IntentQuery, pair: ToolPair) -> Iterator[IntentQuery]:
    """Yield the wish; with two tools, with the words for what the other one is about."""
    if pair.source is None:
        yield wish
        return
    for kind, words in _tails(pair):
        yield IntentQuery(verb=wish.verb, thing=wish.thing, tail=words, tail_kind=kind)


@lru_cache(maxsize=65536)
def _tails(pair: ToolPair) -> tuple[tuple[str, str], ...]:
    """Words for the source, each with how they are said."""
    assert pair.source is not None
    assert pair.output is not None
    target, own, known = target_of(pair.source), is_own(pair), _known(pair.source)
    named = as_spelled(" ".join(target.named), pair.source.description)
    if pair.output.is_listed:
        said = gloss(pair.source).object
        listed = said if is_plural(gloss(pair.source).chunks[0].text) else plural(named)
        kind = "item" if own else "about"
        told = f"the {listed.removeprefix('the ')}" if own else f"one of the {listed.removeprefix('the ')}"
        is_new = not set(content_stems(told)) <= gloss(pair.target).object_stems
        return ((kind, told),) if is_new or not known else known
    return known or (("about", with_article(named)),)


def _known(source: Tool) -> tuple[tuple[str, str], ...]:
    """The one or two values by which the source finds things: those the user has."""
    nouns = [slot.noun for slot in asked_slots(source, parameters(source))]
    words = [noun.text if noun.text.startswith("your ") else noun.definite for noun in nouns]
    return (("known", join_with(words).replace("your ", "my ")),) if len(nouns) in (1, 2) else ()
