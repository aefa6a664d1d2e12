"""The standard MultiWOZ evaluation once more, written as plainly as possible: lists, loops, no memory."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

from callwright.papers.fnctod.canonical_values import canonical_value

NO_CONSTRAINT = ("dontcare", "don't care", "dont care", "do n't care", "do not care", "not mentioned")
FUZZY = {("restaurant", "name"), ("restaurant", "food"), ("hotel", "name"), ("attraction", "name")}
FUZZY |= {("train", "departure"), ("train", "destination")}


def slow_ratio(one: str, other: str) -> int:
    if one == other:
        return 100
    if one == "" or other == "":
        return 0
    if len(other) < len(one):
        one, other = other, one
    scores = []
    for a, b, _ in SequenceMatcher(None, one, other).get_matching_blocks():
        window = other[max(0, b - a) :][: len(one)]
        ratio = SequenceMatcher(None, one, window).ratio()
        scores.append(1.0 if ratio > 0.995 else ratio)
    return round(100 * max(scores))


def clock(text: str) -> int:
    ok = len(text) >= 5 and text[:2].isdigit() and text[2] == ":" and text[3:5].isdigit()
    return 60 * int(text[:2]) + int(text[3:5]) if ok else 0


def slow_query(rows: list[dict[str, str]], domain: str, wanted: dict[str, str]) -> list[str]:
    found = []
    for row in rows:
        good = True
        for key, value in wanted.items():
            if key not in rows[0] or value in NO_CONSTRAINT or row[key] == "?":
                continue
            value, held = canonical_value(key, value), canonical_value(key, row[key])
            if key == "arrive":
                good &= clock(held) <= clock(value)
            elif key == "leave":
                good &= clock(held) >= clock(value)
            elif (domain, key) in FUZZY:
                good &= slow_ratio(held, value) >= 90
            else:
                good &= held == value
        if good:
            found.append(row["trainid" if domain == "train" else "id"])
    return found


def slow_estimate(states: list[dict[str, dict[str, str]]]) -> list[list[str]]:
    now, before, last = None, {}, []
    found: list[list[str]] = []
    for state in states:
        changed = []
        for domain in state:
            if any(before.get(domain, {}).get(slot) != value for slot, value in state[domain].items()):
                changed.append(domain)
        if not changed and now is None:
            found.append([])
            continue
        if changed:
            if now not in changed:
                most = max(len(state[domain]) for domain in changed)
                now = next(domain for domain in changed if len(state[domain]) == most)
        elif len(last) > 1:
            for domain in last:
                if domain in state and domain != now:
                    now = domain
                    break
        before, last = state, changed
        found.append([str(now)])
    return found


def slow_goal(goal: dict[str, Any], turns: list[dict[str, Any]], tables: dict[str, Any]) -> tuple[bool, bool]:
    """Return Inform and Success; `goal` is domain to (informable, requestable), responses are normalised."""
    offered: dict[str, list[str]] = {domain: [] for domain in goal}
    provided: dict[str, list[str]] = {domain: [] for domain in goal}
    for turn in turns:
        for domain in goal:
            if domain not in turn["active"]:
                continue
            word = {"train": "TRAINID", "restaurant": "NAME", "hotel": "NAME", "attraction": "NAME"}.get(domain)
            if word and word in turn["response"]:
                state = turn["state"]
                new = slow_query(tables[domain], domain, state[domain]) if domain in state else []
                if not offered[domain] or [one for one in offered[domain] if one not in new]:
                    offered[domain] = new
            for word in ("PHONE", "ADDRESS", "POST", "TRAINID", "REFERENCE"):
                if word in turn["response"] and (word != "REFERENCE" or domain in turn["booked"]):
                    provided[domain].append(word)
    for domain, (informable, requestable) in goal.items():
        free = "name" in informable or domain in ("taxi", "police", "hospital")
        free |= domain == "train" and not offered[domain] and "TRAINID" not in requestable
        if free:
            continue
        right = slow_query(tables[domain], domain, informable)
        if not offered[domain] or any(one not in right for one in offered[domain]):
            return False, False
    return True, all(word in provided[domain] for domain, (_, words) in goal.items() for word in words)
