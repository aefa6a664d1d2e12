"""Metrics of state tracking once more, as plainly as possible."""

from __future__ import annotations

State = dict[str, dict[str, str]]


def flat(state: State, *, without_dontcare: bool = False) -> set[tuple[str, str, str]]:
    found = {(domain, slot, value) for domain, slots in state.items() for slot, value in slots.items()}
    return {one for one in found if not (without_dontcare and one[2] == "dontcare")}


def slow_jga(dialogues: list[list[tuple[State, State]]], mode: str, domain: str = "") -> float | None:
    """Return JGA; a dialogue is pairs of predicted and gold state, one a turn."""
    hits, turns = 0, 0
    for pairs in dialogues:
        if domain and mode == "fnctod" and domain not in pairs[-1][1]:
            continue
        if domain and not any(domain in gold for _, gold in pairs):
            continue
        for predicted, gold in pairs:
            ours, theirs = flat(predicted, without_dontcare=mode == "fnctod"), flat(gold)
            if domain:
                ours, theirs = ({one for one in part if one[0] == domain} for part in (ours, theirs))
            hits += ours == theirs
            turns += 1
    return hits / turns if turns else None


def slow_f1(dialogues: list[list[tuple[State, State]]], mode: str) -> float | None:
    """Return slot F1 over all domains: micro, or the mean of one F1 a turn."""
    single, right, size = [], 0, 0
    for predicted, gold in (pair for pairs in dialogues for pair in pairs):
        ours, theirs = flat(predicted, without_dontcare=mode == "fnctod"), flat(gold)
        right += len(ours & theirs)
        size += len(ours) + len(theirs)
        single.append(2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0)
    if mode == "strict":
        return 2 * right / size if size else None
    return sum(single) / len(single) if single else None
