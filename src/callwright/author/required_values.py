"""The values that a call needs, and those that a required object needs to say anything."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from callwright.author.mention_order import ENVELOPES, NEVER, mention_rank
from callwright.author.repeated_values import repeated_in_path
from callwright.author.unknown_values import is_untold_list
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Leaf, needed, slots, tool_leaves
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json
from callwright.records.tool import Tool


def required_paths(tool: Tool, given: Collection[str] = ()) -> tuple[str, ...]:
    """Return the paths of the values that a call needs beside those given.

    Of a required object nothing in which is required that is its identifier where it is a thing of its own (the invoice
    of an allocation), else its most telling value.
    """
    return _required_paths(tool, tuple(given))


@lru_cache(maxsize=65536)
def _required_paths(tool: Tool, given: tuple[str, ...]) -> tuple[str, ...]:
    paths = list(needed(tool, given))
    leaves = tool_leaves(tool)
    open_ = [path for path, leaf in leaves.items() if leaf.needed[0] and not all(leaf.needed) and not leaf.is_fixed]
    for path in sorted(open_, key=lambda path: _order_in_required(path, tool)):
        owner = leaves[path].steps[: leaves[path].needed.index(False)]
        if not any(leaves[other].steps[: len(owner)] == owner for other in (*paths, *given) if other in leaves):
            paths.append(path)
    return tuple(dict.fromkeys((*paths, *needed(tool, (*given, *paths)))))


def _order_in_required(path: str, tool: Tool) -> tuple[bool, bool, float]:
    """Order the values of a required object: first its identifier, last what nobody can tell."""
    slot = slots(tool)[path]
    rank = mention_rank(slot, tool)
    is_own_id = rank < NEVER and _identifies_owner(tool_leaves(tool)[path], tool)
    return not is_own_id, is_untold_list(slot), rank


def _identifies_owner(leaf: Leaf, tool: Tool) -> bool:
    """Whether a value identifies the object that it lies in, which is not what the act is about: `Invoice.InvoiceID`.

    An `id` beside a `type` says nothing alone.
    """
    *_, owner, last = ("", *leaf.steps)
    if leaf.needed.index(False) + 1 != len(leaf.steps) or not isinstance(owner, str) or owner.lower() in ENVELOPES:
        return False
    named, held = name_words(str(last)), name_words(owner)
    beside = {one.steps[-1] for one in tool_leaves(tool).values() if one.steps[:-1] == leaf.steps[:-1]}
    is_its = named == (*held, *named[-1:]) or (len(named) == 1 and beside.isdisjoint(("type", "kind")))
    is_about = {stem(singular(word)) for word in held[-1:]} <= gloss(tool).object_stems
    return is_its and not is_about and not ID_WORDS.isdisjoint(named[-1:])


def with_repeats(tool: Tool, values: Mapping[str, Json]) -> dict[str, Json]:
    """Return the values by path with those that a call needs and that repeat one of them."""
    by_path = slots(tool)
    lacking = {path: repeated_in_path(by_path[path], tool) for path in required_paths(tool, values.keys())}
    return {**values, **{path: values[of] for path, of in lacking.items() if of in values and path not in values}}
