"""Which tools a person would ask for one after the other, as the first result has what the second call needs (3.3).

The edges are those of the tool graph over the whole catalogue (`graph.value_flows`), less those along which nobody
asks in one breath:

    source_changes   what is changed or deleted is known to the user already
    just_made        nobody reads, changes or deletes what he makes in the same message
    unseen           nobody has something removed that he has not looked at
    same_again       the second call would look up the very thing that the first one did
    not_its_own      an item of a list stands for itself; what belongs to it has no short name
    no_thing         the value is no thing that one can refer to
    ambiguous        the result has several such things
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of
from callwright.environment.told_outputs import is_own
from callwright.environment.tool_target import target_of
from callwright.graph.value_flows import Flow, flows
from callwright.lang.tokens import identifier_words, stem
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS
from callwright.papers.wild.session_memory import is_identifier
from callwright.records.tool import Catalog, Tool

ChainEdges = Mapping[str, tuple[Flow, ...]]
"""By the key of the source."""


def chain_edges(catalog: Catalog) -> tuple[ChainEdges, Counter[str]]:
    """Return the edges along which people ask, and the numbers of the others by reason."""
    refused: Counter[str] = Counter()
    found: dict[str, list[Flow]] = defaultdict(list)
    for flow in _unambiguous(flows(catalog, refused), refused):
        why = why_not_asked(flow)
        refused[why] += bool(why)
        if not why:
            found[flow.source.key].append(flow)
    return {key: tuple(those) for key, those in found.items()}, +refused


@lru_cache(maxsize=65536)
def flows_between(source: Tool, target: Tool) -> tuple[Flow, ...]:
    """Return the edges between two tools alone."""
    return chain_edges(Catalog(tools=(source, target)))[0].get(source.key, ())


def _unambiguous(those: Iterable[Flow], refused: Counter[str]) -> Iterator[Flow]:
    """Yield of each source and parameter the flow of the source's own identifier, or the only one."""
    groups: dict[tuple[str, str, str], list[Flow]] = defaultdict(list)
    for one in those:
        groups[one.source.key, one.target.key, one.parameter].append(one)
    for group in groups.values():
        own = [one for one in group if is_own(one.source, one.output)]
        refused["ambiguous"] += len(group) if len(group) > 1 and not own else 0
        if own or len(group) == 1:
            yield (own or group)[0]


def why_not_asked(flow: Flow) -> str:
    """Return why nobody asks for the two calls in one breath; empty where people do."""
    source, target = target_of(flow.source), target_of(flow.target)
    own = is_own(flow.source, flow.output)
    is_same = stem(source.noun) == stem(target.noun)
    if source.act in ("change", "delete"):
        return "source_changes"
    if source.act == "create":
        if removes(flow.target) or (is_same and _only_keeps(flow.target) and not _awaits(flow.source, flow.target)):
            return "just_made"
    elif removes(flow.target) and (source.act == "list" or not own):
        return "unseen"
    elif source.act == target.act == "read" and is_same and own:
        return "same_again"
    is_its = own or source.act == "read" or flow.source.returns_inferred or _awaits(flow.source, flow.target)
    return "not_its_own" if not is_its else "" if _is_thing(flow) else "no_thing"


def removes(tool: Tool) -> bool:
    """Return whether a call ends something or takes it away."""
    return target_of(tool).act == "delete" or tool.source.startswith("DELETE ") or target_of(tool).verb in _ENDS


_ENDS = frozenset("delete remove cancel erase destroy detach revoke".split())


def _only_keeps(tool: Tool) -> bool:
    """Whether a tool reads or edits a thing; what else it does, such as to send or to approve it, is a use of it."""
    about = target_of(tool)
    return about.act == "list" or about.verb in LOOKUPS | CHANGES


def _awaits(source: Tool, target: Tool) -> bool:
    """Whether the target reads what comes of what the source starts: both have one name but for their verbs."""
    begun, read = (frozenset(map(stem, identifier_words(one.name)[1:])) for one in (source, target))
    reads = target_of(target).act in ("read", "list")
    return target_of(source).verb in _STARTS and reads and bool(begun) and begun <= read


_STARTS = frozenset("start begin launch run submit initiate trigger".split())


def _is_thing(flow: Flow) -> bool:
    """Whether what flows is a thing, or the name of a thing in a list; nothing is created from its own kind."""
    kind, made = slots(flow.target)[flow.parameter].kind, target_of(flow.target)
    if kind != "code":
        return flow.output.is_listed and kind in ("title", "person")
    identity = identity_of(flow.target, flow.parameter)
    is_another = made.act == "create" and made.verb in CREATES and stem(made.noun) in identity[0]
    return is_identifier(kind, identity) and not is_another
