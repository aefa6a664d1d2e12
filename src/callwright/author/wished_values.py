"""Signs that a person would give an optional value: it names the thing, is what is changed, or is said aloud."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from callwright.author.mention_order import LATE, MAKES, SAID_NAMES, SETTING, label_words, mention_rank
from callwright.author.sent_places import outside_body
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots, tool_leaves
from callwright.catalog.thing_nouns import thing_noun
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import content_stems, stem, stem_set
from callwright.records.tool import Tool


def is_changed_value(slot: Slot, tool: Tool) -> bool:
    """Whether a value is the very thing that an act changes: the `value` where the value of a variable is set."""
    chunks = gloss(tool).chunks
    head = stem(singular(chunks[0].text.rpartition(" ")[2].lower())) if chunks else ""
    return "." not in slot.name and name_words(slot.name) == (head,) and head in _THINGS_SET


_THINGS_SET = frozenset("value name description quantity rate limit price level role icon".split())


def is_joined(slot: Slot, tool: Tool, wanted: Sequence[str]) -> bool:
    """Whether a value identifies what an act joins to something, and no wanted value does: the contact to attach."""
    head = stem(singular(gloss(tool).chunks[0].text.split()[-1].lower()))

    def tells(one: Slot) -> bool:
        return head in stem_set(f"{' '.join(name_words(one.name))} {one.description}")

    return slot.kind == "code" and tells(slot) and not any(tells(slots(tool)[path]) for path in wanted)


JOINS = frozenset("add assign associate attach connect invite link".split())


def is_own_id(slot: Slot, tool: Tool) -> bool:
    """Whether a value near the top of a body identifies the thing that an act alters: `QuoteID` of quotes."""
    words = name_words(slot.name.rpartition(".")[2])
    head = singular(thing_noun(tool).rpartition(" ")[2].lower())
    is_id = bool(words) and words[-1] in ID_WORDS and slot.name.count(".") <= _NEAR
    return is_id and (len(words) == 1 or stem(words[-2]) == stem(head))


_NEAR = 2
"""Most steps into a body of what the body itself is: `Quotes.0.QuoteID`."""


def is_said_to_be_required(slot: Slot) -> bool:
    """Whether its description begins with the word, without a condition, though its schema does not say so."""
    return "." not in slot.name and _REQUIRED.search(slot.description[:80]) is not None


_REQUIRED = re.compile(
    r"^\W{0,2}(?:required|mandatory)(?=[.:)\]]|\.?$)|^[^.]{0,50}[(\[](?:required|mandatory)[)\]]", re.IGNORECASE
)
MOST_REQUIRED = 4
"""Most values that only descriptions require."""


def counted_things(tool: Tool, wanted: Collection[str], spare: Sequence[Slot]) -> list[str]:
    """Return the thing that a quantity is of, where the act says neither: `itemId` beside `quantity`."""
    by_path, outside = slots(tool), outside_body(tool)
    inside = [by_path[path] for path in wanted if path not in outside]
    if not inside or not all(slot.kind in ("count", "number") for slot in inside):
        return []
    owner, new = inside[0].name.rpartition(".")[0], gloss(tool).object_stems if gloss(tool).act in MAKES else ()
    things = [slot for slot in spare if slot.kind == "code" and not ID_WORDS.isdisjoint(label_words(slot)[-1:])]
    named = {one.name: [stem(word) for word in label_words(one)[:-1]] for one in things}
    return [name for name, of in named.items() if name.rpartition(".")[0] == owner and set(of).difference(new)][:1]


def identifiers_beside(tool: Tool, wanted: Collection[str]) -> list[str]:
    """Return the identifiers of things of which only the type is known: it says little alone."""
    open_ = [path for path, leaf in tool_leaves(tool).items() if not leaf.is_fixed and "." in path]
    found = []
    for owner in dict.fromkeys(path.rpartition(".")[0] for path in wanted if path in open_):
        given = {path.rpartition(".")[2] for path in wanted if path.rpartition(".")[0] == owner}
        found += [f"{owner}.id"] if given <= {"type", "kind"} and f"{owner}.id" in open_ else []
    return found


def is_named_in_act(slot: Slot, tool: Tool) -> bool:
    """Whether the act has no sense without the value: `all senses related to a word`, `balances of an account`.

    Its name stands, as one thing, after a preposition of the first two sentences.
    """
    words = tuple(word for word in label_words(slot) if word not in ID_WORDS)
    if not words or slot.kind in ("boolean", "enum") or mention_rank(slot, tool) >= SETTING:
        return False
    said = " ".join(tool.description.lower().split(". ")[:2])
    return re.search(rf"{_OF_ONE}{re.escape(' '.join(words))}\b", said) is not None


_OF_ONE = r"\b(?:for|of|by|to|with|about|from|in|on) (?:an?|the|this|one|given|each) (?:\w{1,30} )?"


def is_said_aloud(slot: Slot) -> bool:
    """Whether the value is what somebody wants to say, and lies near enough to be thought of."""
    return slot.kind == "text" and SAID_NAMES.issuperset(label_words(slot)[-1:]) and slot.name.count(".") < 2


def identifies_thing(slot: Slot, tool: Tool) -> bool:
    """Whether the value names the thing that the tool acts on, by its name, its noun or how its description begins."""
    told = slot.description.split(". ")[0]
    if len(slot.description) >= _SHORT and ID_WORDS.isdisjoint(told.lower().split()):
        told = ""
    words = {stem(word) for word in label_words(slot)} | set(content_stems(f"{slot.noun.text} {told}"))
    is_due = mention_rank(slot, tool) < LATE or (
        mention_rank(slot, tool) < SETTING and ID_WORDS.issuperset(label_words(slot))
    )
    is_moment = slot.kind == "datetime" and label_words(slot)[-1:] in (("ts",), ("timestamp",))
    is_reference = is_due and (is_moment or slot.kind in ("code", "title", "person", "email"))
    return is_reference and not words.isdisjoint(gloss(tool).object_stems)


_SHORT = 60
"""Characters of a description that only says what the parameter is."""
