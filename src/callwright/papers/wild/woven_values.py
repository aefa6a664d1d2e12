"""Values that stand in the phrase of a wish itself, as people say them, and not in a sentence of their own.

a new thing's name          create a site called "Harbour"
what an update sets         change the name of site 57582 to "Harbour"
what a change is of         move the due date of that task to 30 June
an order or a grouping      list the points grouped by team
what a list is asked by     list jobs with status open
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.chunks import DETERMINERS, Chunk, Gloss
from callwright.catalog.slots import Slot
from callwright.lang.english import article, base_verb, is_plural, join_with, singular
from callwright.lang.kinds import Kind
from callwright.lang.nouns import Noun
from callwright.lang.schemas import name_words
from callwright.lang.spotting import is_spotted
from callwright.lang.tokens import stem
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS
from callwright.papers.wild.task_briefs import Mention, Wish, entity_of


class SaidValue(NamedTuple):
    """A value that the object of a wish does not have, with its noun."""

    slot: Slot
    noun: str
    words: str
    is_plural: bool = False


class Woven(NamedTuple):
    """The parts of a phrase with values in it, and the values that it does not have."""

    verb: str
    body: str
    left: tuple[SaidValue, ...]


_LONGEST: Final = 60
"""Characters of a value that a phrase can hold."""
_MOST_CHARACTERS: Final = 190
"""Characters of a phrase after which values follow in sentences of their own."""
_OWN_SENTENCE: Final[frozenset[Kind]] = frozenset(("text", "url", "object", "boolean"))
"""Kinds of values that no phrase holds: sentences, addresses and what has no noun beside it."""
_ALTERS: Final = frozenset("update edit modify change".split())
_SETS: Final = frozenset("set move change update rename postpone reschedule shift extend adjust".split())
_NAMED: Final = (("name",), ("title",))
_ORDERS: Final = {"group": "grouped", "grouping": "grouped", "sort": "sorted", "sorting": "sorted", "order": "sorted"}
_TYPES: Final = (("type",), ("kind",))
_SHORT: Final[frozenset[Kind]] = frozenset(("enum", "count", "number", "code", "money", "percent", "year"))
"""Kinds of values that a phrase about an act holds: `with quantity 3`."""
_MOST_BESIDE: Final = 3
_FROM: Final = frozenset("source from origin base".split())
_TO: Final = frozenset("target to destination".split())
_CALENDAR: Final = tuple((word,) for word in "day month year week season".split())
_PAGES: Final = (("page",), ("page", "num"), ("page", "number"), ("page", "no"))
_OF_TIME: Final = frozenset(map(stem, "date time timestamp day ts value".split()))
_GRANTED: Final = frozenset("issue request grant create make order record add".split())
"""Acts that make what has an amount: `issue an invoice of 20`; to pay an invoice of 20 is to pay all of it."""
_NUMBERED: Final = frozenset("page season episode chapter version round week".split())
"""What is called by its number: `page 3`."""


def woven(act: str, verb: str, gloss: Gloss, chunks: Sequence[str], values: Sequence[SaidValue]) -> Woven:
    """Return the phrase with the values that it can hold; `chunks` are its parts, the object first."""
    head, *others = chunks or ("",)
    left = [one for one in values if not _may_stand(one)]
    beside: list[SaidValue] = []
    for one in (value for value in values if _may_stand(value)):
        if counted := _counted([head, *others], one):
            head, *others = counted
        elif put := _beside_head(act, gloss, one):
            head = f"{_one_of(head) if put.startswith('called ') else head} {put}"
        elif put := _at_end(act, gloss, one):
            others.append(put)
        else:
            beside.append(one)
    body = " ".join([head, *others]).strip()
    if act in _ALTERS and not left and len(others) == len(chunks) - 1 and _is_one(gloss):
        changed = _changes(body, gloss, beside)
        if changed and len(changed) < _MOST_CHARACTERS:
            return Woven("change", changed, ())
    is_held = act in LOOKUPS or not (left or any(one.slot.kind not in _SHORT for one in beside))
    said = _beside(beside)
    if is_held and len(beside) <= _MOST_BESIDE and len(body) + len(said) < _MOST_CHARACTERS and " with " not in body:
        return Woven(verb, f"{body}{said}", tuple(left))
    pages = [one for one in beside if name_words(one.slot.label or one.slot.name) in _PAGES]
    return Woven(verb, body + _beside(pages), (*(one for one in beside if one not in pages), *left))


def _one_of(several: str) -> str:
    """One of the things that a tool makes, which has a name: `a contact` of `contacts`."""
    if not is_plural(several) or several.partition(" ")[0].lower() in DETERMINERS:
        return several
    return f"{article(singular(several))} {singular(several)}"


def _counted(parts: Sequence[str], one: SaidValue) -> list[str]:
    """The parts with a number before the thing that it counts: `log 3 hours of work`, `the price for 400 words`."""
    _, is_number, thing = one.noun.partition("number of ")
    said, counted = " ".join(parts), rf"(?:^|\b(?:a number of|the number of|a|the) ){re.escape(thing)}\b"
    found = re.search(counted, said) if is_number else None
    return [f"{said[: found.start()]}{one.words} {thing}{said[found.end() :]}"] if found else []


def _changes(body: str, gloss: Gloss, values: Sequence[SaidValue]) -> str:
    """What an update makes of a thing: `the name of site 3 to "A" and the size to 5`; empty for many values.

    What an update of `information about a call` changes is the call's.
    """
    body = _GIVEN.sub("", body)
    changes = [
        f"the {_own_noun(one.noun, gloss)}{'' if at else f' of {body}'} to {one.words}" for at, one in enumerate(values)
    ]
    return " and ".join(changes) if len(changes) < _MOST_BESIDE else ""


_GIVEN = re.compile(r"^(?:the )?(?:information|info|details|data) (?:about|of|on|for) (?=\w)")


def _beside(values: Sequence[SaidValue]) -> str:
    """Values at the end of a phrase: ` with a page size of 100 (page 3)`, ` for month 07 and day 21`."""
    pages = [one for one in values if name_words(one.slot.label or one.slot.name) in _PAGES]
    others = [one for one in values if one not in pages]
    is_when = all(name_words(one.slot.name)[-1:] in _CALENDAR for one in others)
    said = f" {'for' if is_when else 'with'} {join_with([_with(one) for one in others])}" if others else ""
    return said + "".join(f" (page {one.words})" for one in pages)


def _with(one: SaidValue) -> str:
    """A value with its noun, as people say it after `with`: `a page size of 100`, `3 nights`, `role owner`."""
    if one.noun.startswith("number of "):
        return f"{one.words} {one.noun.removeprefix('number of ')}"
    is_amount = one.slot.kind in ("count", "number", "money", "percent") and one.noun not in _NUMBERED
    if not is_amount or one.is_plural or is_plural(one.noun):
        return f"{one.noun} {one.words}"
    return f"{article(one.noun)} {one.noun} of {one.words}"


def _may_stand(one: SaidValue) -> bool:
    label, said = name_words(one.slot.label or one.slot.name), f"{one.noun} {one.words}"
    if one.slot.kind == "enum" and not is_spotted(said, said.lower(), one.words, "enum"):
        return False  # `low` is heard only where a sentence says so
    if label[-1:] == ("reason",):  # to replace a cup with damaged
        return False
    return one.slot.kind not in _OWN_SENTENCE and len(one.words) <= _LONGEST and one.words[-1:] not in ".?!"


def _beside_head(act: str, gloss: Gloss, one: SaidValue) -> str:
    """What is said of the thing itself: its name where it is new, or its type."""
    label = name_words(one.slot.label or one.slot.name)
    if gloss.chunks[:1] and gloss.chunks[0].preposition:
        return ""
    if act in CREATES and one.slot.kind in ("title", "other", "person") and label[-1:] in _NAMED:
        return f"called {one.words}" if not one.is_plural and _is_of_head(label[:-1], gloss) else ""
    is_amount = label == ("amount",) and one.slot.kind in ("money", "number", "count")
    if is_amount and act in _GRANTED and _is_one(gloss):
        return f"of {one.words}"
    if one.slot.kind == "enum" and label[-1:] in _TYPES and act in CREATES | LOOKUPS:
        return f"of type {one.words}" if _is_of_head(label[:-1], gloss) else ""
    return ""


def _at_end(act: str, gloss: Gloss, one: SaidValue) -> str:
    """What stands at the end of a phrase with a preposition of its own."""
    label, first = name_words(one.slot.label or one.slot.name), gloss.chunks[0] if gloss.chunks else Chunk("", "")
    if one.slot.kind in ("currency", "language") and not one.words.startswith('"'):
        return f"{'from' if _FROM & set(label) else 'to' if _TO & set(label) else 'in'} {one.words}"
    order = next((_ORDERS[word] for word in label if word in _ORDERS), "")
    if one.slot.kind == "enum" and order and label[-1:] in (("by",), *((word,) for word in _ORDERS)):
        return f"{order} by {one.words}"
    if (
        act in _SETS
        and not first.preposition
        and _is_set(one, first)
        and not one.words.startswith(("in ", "on ", "next "))
    ):
        return f"to {one.words}"
    return ""


def _is_set(one: SaidValue, first: Chunk) -> bool:
    """Whether an act is the change of a value: `move the due date to 3 May`, `postpone the delivery to 3 May`."""
    noun, head = _stems(one.noun), _stems(_bare(first.text))
    is_moved = noun[:1] == ("new",) and one.slot.kind in ("date", "datetime", "time")
    return noun == head or (noun[:-1] == head and noun[-1] in _OF_TIME) or is_moved


def _is_one(gloss: Gloss) -> bool:
    """Whether the object is a single thing whose values can be changed."""
    first = gloss.chunks[0] if gloss.chunks else Chunk("of", "")
    return not first.preposition and not is_plural(first.text)


def _is_of_head(owner: Sequence[str], gloss: Gloss) -> bool:
    """Whether a label names a value of the object: `name`, or `site name` of a site."""
    said = _stems(_bare(gloss.chunks[0].text)) if gloss.chunks else ()
    return bool(said) and [stem(singular(word)) for word in owner] in ([], list(said[-len(owner) :]))


def _own_noun(noun: str, gloss: Gloss) -> str:
    """The noun without the thing that it is of: `name` for the `site name` of a site.

    >>> _own_noun("site name", Gloss("update", (Chunk("", "a site"),)))
    'name'
    >>> _own_noun("User Group name", Gloss("update", (Chunk("", "a User Group"),)))
    'name'
    """
    things = [_bare(chunk.text).lower() for chunk in gloss.chunks]
    owners = (*things, *(thing.rpartition(" ")[2] for thing in things[:1]))
    return next((noun[len(one) + 1 :] for one in owners if noun.lower().startswith(f"{one} ")), noun)


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(singular(word)) for word in text.lower().split())


def _bare(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if rest and first in DETERMINERS else text


# -- a type and what it is the type of -------------------------------------------------------------------------------


def with_typed_things(wish: Wish) -> Wish:
    """Return the wish in which a thing is called by its type: `folder 6718` for an item ID and the item type folder."""
    said = [one for one in wish.mentions if one.way == "said"]
    for kind in said:
        thing = next((one for one in said if _is_typed(kind.known, one.known)), None) if not kind.words else None
        if thing is not None:
            noun = Noun(f"{str(kind.known.value).lower()} ID")
            slot = msgspec.structs.replace(thing.known.slot, noun=noun)
            named = msgspec.structs.replace(thing, known=msgspec.structs.replace(thing.known, slot=slot))
            mentions = tuple(named if one is thing else one for one in wish.mentions if one is not kind)
            return msgspec.structs.replace(wish, mentions=mentions)
    return wish


def _is_typed(kind: Known, thing: Known) -> bool:
    value = kind.value
    if kind.slot.kind != "enum" or thing.slot.kind != "code" or not isinstance(value, str) or not value.isalpha():
        return False
    (of, _, last), (owner, _, own) = kind.slot.name.rpartition("."), thing.slot.name.rpartition(".")
    type_, id_ = name_words(last), name_words(own)
    is_pair = type_[-1:] in _TYPES and id_[-1:] == ("id",) and type_[:-1] == id_[:-1] and of == owner
    return is_pair and not is_plural(value) and bool(of or type_[:-1])


def chosen_act_of(known: Known, gloss: Gloss) -> str:
    """Return an action that is chosen, as an act: `pay it` for the action `pay`; empty for any other value.

    A tool that has an act of its own, as to generate a code, does not do the chosen one.
    """
    value, thing = str(known.value).lower(), gloss.chunks[0].text if gloss.chunks else ""
    if gloss.act not in _ANY_ACT:
        return ""
    is_act = known.slot.kind == "enum" and name_words(known.slot.label or known.slot.name)[-1:] in (
        ("action",),
        ("operation",),
    )
    return f"{value} {'them' if is_plural(thing) else 'it'}" if is_act and base_verb(value) == value else ""


_ANY_ACT: Final = _ALTERS | frozenset("do perform execute run apply manage handle process take".split())
"""Verbs of tools that do what is chosen."""


def is_altering(act: str) -> bool:
    """Return whether an act changes something that is there already."""
    return act in (CHANGES - CREATES) or act in _ALTERS


def named_thing(mention: Mention, act: str) -> str:
    """Return the thing whose name a look-up is asked by: `channel` of a channel name; empty for any other value."""
    slot = mention.known.slot
    is_name = slot.kind in ("title", "other") and name_words(slot.label or slot.name)[-1:] == ("name",)
    entity = entity_of(slot)
    return (
        entity if act in LOOKUPS and is_name and entity != slot.noun.text and len(entity.split()) < _MOST_BESIDE else ""
    )
