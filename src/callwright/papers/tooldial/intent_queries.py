"""Users' wishes, clear, less clear and vague: the queries among which one is sought that falls in its band.

clear    verb and object of the tool's gloss             get a file in a folder
suggest  a part of it                                    a file in a folder; get a file
clarify  a topic                                         a file; something
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from callwright.author.wish_words import SOMETHING, partial_wishes, vague_wishes
from callwright.catalog.gloss import gloss
from callwright.environment.asked_parameters import asked_slots, parameters
from callwright.environment.tool_target import target_of
from callwright.graph.tool_pairs import ToolPair
from callwright.lang.english import is_plural, join_with, plural
from callwright.lang.phrases import as_spelled
from callwright.lang.tokens import content_stems
from callwright.records.annotations.tooldial_notes import IntentQuery
from callwright.records.tool import Tool


def clear_queries(pair: ToolPair) -> Iterator[IntentQuery]:
    """Yield wishes that name what the user wants; with two tools they cover both."""
    said = gloss(pair.target)
    wish = IntentQuery(verb=said.verb or "look up", thing=said.object)
    yield from with_tails(wish, pair)


def suggest_queries(pair: ToolPair) -> Iterator[IntentQuery]:
    """Yield wishes that say a part of what the user wants; with two tools they cover both.

    Nobody who only names a thing is offered to delete it; last comes the thing that a suggestion would only repeat.
    """
    said = gloss(pair.target)
    for verb, thing in sorted(partial_wishes(said), key=lambda wish: wish == ("", said.object)):
        if verb or target_of(pair.target).act != "delete":
            yield from with_tails(IntentQuery(verb=verb, thing=thing), pair)


def clarify_queries(tool: Tool) -> Iterator[IntentQuery]:
    """Yield wishes that hardly say anything, but not nothing."""
    yield from (IntentQuery(verb=verb, thing=it) for verb, it in vague_wishes(tool) if (verb, it) != ("", SOMETHING))


def with_tails(wish: IntentQuery, pair: ToolPair) -> Iterator[IntentQuery]:
    """Yield the wish; with two tools, with the words for what the other one is about."""
    if pair.source is None:
        yield wish
        return
    for kind, words in _tails(pair):
        yield IntentQuery(verb=wish.verb, thing=wish.thing, tail=words, tail_kind=kind)


@lru_cache(maxsize=65536)
def _tails(pair: ToolPair) -> tuple[tuple[str, str], ...]:
    """Words for the source, each with how they are said; none where the wish says them."""
    assert pair.source is not None
    assert pair.output is not None
    said, known = gloss(pair.source), _known(pair.source)
    if not pair.output.is_listed:
        return known or (("own", said.chunks[0].text.split(" ")[-1]),)
    named = as_spelled(" ".join(target_of(pair.source).named), pair.source.description)
    listed = said.chunks[0].text if is_plural(said.chunks[0].text) else plural(named)
    told = f"the {listed.removeprefix('the ')}"
    is_new = not set(content_stems(told)) <= gloss(pair.target).object_stems
    return (("item", told),) if is_new else known or (("", ""),)


def _known(source: Tool) -> tuple[tuple[str, str], ...]:
    """The one or two values by which the source finds things: those the user has."""
    nouns = [slot.noun for slot in asked_slots(source, parameters(source))]
    words = [noun.text if noun.text.startswith("your ") else noun.definite for noun in nouns]
    return (("known", join_with(words).replace("your ", "my ")),) if len(nouns) in (1, 2) else ()
