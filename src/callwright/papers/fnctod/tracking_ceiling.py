"""The ceiling of state tracking: how often the state is right where every call is right, under a policy.

Where a policy lets one function a turn through and several domains changed, the one with most changed slots is called,
of equals the first in the gold state (the tie rule). A policy that repairs calls a domain that was missed in the next
turn in which nothing changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from callwright.papers.fnctod.belief_states import Belief
from callwright.papers.fnctod.domain_functions import parameter_of
from callwright.papers.fnctod.state_updates import StateCall, Tracked, UpdatePolicy, counting, updated
from callwright.records.tool import Tool

TIE_RULE = "most-changed-slots,first"


def gold_values(belief: Belief, tools: Mapping[str, Tool]) -> Tracked:
    """Return the part of a gold belief that calls can give, with the first accepted spelling as it stands."""
    found = {}
    for domain in belief.keys() & tools.keys():
        known = tools[domain].properties
        found[domain] = {slot: all_[0] for slot, all_ in belief[domain].items() if parameter_of(domain, slot) in known}
    return {domain: found[domain] for domain in belief if found.get(domain)}


def gold_state_calls(before: Tracked, after: Tracked) -> list[StateCall]:
    """Return the calls that lead from one gold state to the next: most changed slots first, then those that clear."""
    changed = {domain: len(slots.items() - before.get(domain, {}).items()) for domain, slots in after.items()}
    gone = {name: [slot for slot in slots if slot not in after.get(name, {})] for name, slots in before.items()}
    order = sorted(filter(changed.get, changed), key=lambda domain: -changed[domain])
    order += [domain for domain, slots in gone.items() if slots and not changed.get(domain)]
    said = {name: after.get(name, {}) if changed.get(name) else {} for name in order}
    return [StateCall(name, {**said[name], **dict.fromkeys(gone.get(name, ()), "")}) for name in order]


def best_states(
    golds: Sequence[Tracked],
    policy: UpdatePolicy,
    choices: Mapping[tuple[str, str], frozenset[str]],
    *,
    repairs: bool = False,
) -> Iterator[Tracked]:
    """Yield the state after each turn where every call is right; `golds` are values as they stand."""
    state: Tracked = {}
    before: Tracked = {}
    missed: list[str] = []
    for gold in golds:
        due = gold_state_calls(before, gold)
        late = [name for name in missed if repairs and name in gold and name not in {call.domain for call in due}]
        calls = [*due, *(StateCall(name, gold[name]) for name in late)]
        state = updated(state, calls, policy, choices).state
        done = {call.domain for call in counting(calls, policy)}
        missed = [name for name in dict.fromkeys((*missed, *(call.domain for call in due))) if name not in done]
        before = gold
        yield state
