"""Which domains a turn of the system is about, where the state tells it: exactly one domain, the one that moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from callwright.papers.fnctod.canonical_values import State


def estimated_domains(states: Iterable[State]) -> Iterator[list[str]]:
    """Yield the domain of each turn as a list: one, or none before anything has changed.

    A domain has changed when it holds a slot and value that it had not in the reference state.
    """
    current: str | None = None
    reference: State = {}
    remembered: list[str] = []
    for state in states:
        changed = [domain for domain in state if _gained(state, reference, domain)]
        if not changed and current is None:
            yield []
            continue
        if not changed:
            others = [domain for domain in remembered if domain in state and domain != current]
            current = others[0] if len(remembered) > 1 and others else current
        elif current not in changed:
            current = max(changed, key=lambda domain: len(state[domain]))
        reference, remembered = state, changed
        yield [current] if current is not None else []


def _gained(state: State, reference: State, domain: str) -> bool:
    return bool(state[domain].items() - reference.get(domain, {}).items())
