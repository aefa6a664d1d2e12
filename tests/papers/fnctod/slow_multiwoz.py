"""The standard MultiWOZ evaluation once more, after its description alone: lists, loops, no memory.

It shares the tables of names with the package, and no code.
"""

from __future__ import annotations

import json
import math
import re
from difflib import SequenceMatcher
from importlib.resources import files
from typing import Any

from sacremoses import MosesDetokenizer, MosesTokenizer

Data = dict[str, Any]

TABLES = json.loads((files("callwright.papers.fnctod") / "data" / "multiwoz_names.json").read_text())
NO_CONSTRAINT = ("dontcare", "don't care", "dont care", "do n't care", "do not care", "not mentioned")
FUZZY = {("restaurant", "name"), ("restaurant", "food"), ("hotel", "name"), ("attraction", "name")}
FUZZY |= {("train", "departure"), ("train", "destination")}
DOMAINS = ("restaurant", "hotel", "attraction", "train", "taxi", "police", "hospital")
PROVIDES = {"phone": "PHONE", "address": "ADDRESS", "postcode": "POST", "trainID": "TRAINID"}


# -- spelling --------------------------------------------------------------------------------------------------------


def slow_slot(name: str) -> str:
    name = name.lower().replace(" ", "")
    return {"arriveby": "arrive", "leaveat": "leave"}.get(name, name)


def slow_time(text: str) -> str:
    text = text.strip().lower()
    if text in TABLES["time_words"]:
        return str(TABLES["time_words"][text])
    for begin, time in TABLES["time_prefixes"].items():
        if text[: len(begin)] == begin:
            return str(time)
    if text[:2] == "by":
        text = text[3:]
    for word in ("after", "afer"):
        if text[: len(word)] == word:
            text = text[len(word) :].strip()
    for ending in ("am", "a.m."):
        if text.endswith(ending):
            text = text[: -len(ending)].strip()
    evening = re.fullmatch(r"(.*?)\s*(pm|p\.m\.)", text, re.DOTALL)
    if evening:
        text = evening[1]
        if re.fullmatch(r"\d+", text):
            return f"{int(text) + 12}:00"
        if hours := re.fullmatch(r"\s*(\d+)\s*:([^:]*)", text):
            return f"{int(hours[1]) + 12}:{hours[2]}"
    if not text:
        return "00:00"
    if text[-1] in (".", ",", "?"):
        text = text[:-1]
    if re.fullmatch(r"\d{4}", text):
        return text[0] + text[1] + ":" + text[2] + text[3]
    if re.fullmatch(r"\d+", text):
        return ("0" + text if len(text) == 1 else text) + ":00"
    text = text.replace(" ", "") if ":" in text else text
    return "0" + text if len(text) == 4 and text[1] == ":" else text


def slow_value(slot: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if slot in ("name", "departure", "destination"):
        value = value.strip().lower().replace(" & ", " and ").replace("&", " and ").replace(" '", "'")
        return TABLES["venue"].get(value, value)
    if slot == "food":
        return TABLES["food"].get(value.strip().lower(), value.strip().lower())
    if slot in ("arrive", "leave", "time"):
        return slow_time(value)
    table = {"type": "type", "parking": "yes_no", "internet": "yes_no"}.get(slot)
    return TABLES[table].get(value, value) if table else value


def slow_state(state: Data) -> Data:
    found: Data = {}
    for domain in state:
        found[domain] = {}
        for slot in state[domain]:
            found[domain][slow_slot(slot)] = slow_value(slow_slot(slot), state[domain][slot])
    return found


def clock(text: str) -> int:
    ok = len(text) >= 5 and text[:2].isdigit() and text[2] == ":" and text[3:5].isdigit()
    return 60 * int(text[:2]) + int(text[3:5]) if ok else 0


# -- responses -------------------------------------------------------------------------------------------------------


class SlowResponses:
    """Normalises responses; `unknown` counts names that no table has."""

    def __init__(self) -> None:
        self.unknown: dict[str, int] = {}
        self.split = MosesTokenizer(lang="en")
        self.join = MosesDetokenizer(lang="en")

    def __call__(self, text: str) -> str:
        text, made, at = text.lower(), "", 0
        while at < len(text):
            end = text.find("]", at)
            name = text[at + 1 : end]
            if (
                text[at] != "["
                or end <= at + 1
                or not all(one.isalnum() or one.isspace() or one == "_" for one in name)
            ):
                made, at = made + text[at], at + 1
                continue
            at = end + 1
            for plural in ("es", "s", "-s", "-es"):
                if text.startswith(plural, at):
                    at += len(plural)
                    break
            made += self.word(name)
        made = made.replace("-s", "").replace("-ly", "")
        return str(self.join.detokenize(self.split.tokenize(made)))

    def word(self, name: str) -> str:
        for word, names in TABLES["placeholders"].items():
            if name in names or name.replace(" ", "_") in names:
                return str(word)
        self.unknown[name] = self.unknown.get(name, 0) + 1
        return ""


def slow_prefixes(text: str) -> list[str]:
    names = re.findall(r"\[([\w\s]+)\]", text.lower())
    return [domain for domain in DOMAINS if any(name.split("_")[0] == domain for name in names)]


# -- database --------------------------------------------------------------------------------------------------------


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


def slow_table(domain: str, rows: list[Data]) -> list[dict[str, str]]:
    """Return the rows of a database file with canonical columns and values."""
    ignored = TABLES["database_columns_ignored"].get(domain, ())
    return [
        {
            slow_slot(name): held if held == "?" else slow_value(slow_slot(name), held)
            for name, held in row.items()
            if name not in ignored
        }
        for row in rows
    ]


def slow_query(rows: list[dict[str, str]], domain: str, wanted: Data) -> list[str]:
    found = []
    for row in rows:
        good = True
        for key, value in wanted.items():
            if not good or key not in rows[0] or value in NO_CONSTRAINT or value is None or row[key] == "?":
                continue
            value, held = slow_value(key, value), slow_value(key, row[key])
            if not isinstance(value, str):
                good = False
            elif key == "arrive":
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


# -- dialogues -------------------------------------------------------------------------------------------------------


def slow_estimate(states: list[Data]) -> list[list[str]]:
    now: str | None = None
    before: Data = {}
    last: list[str] = []
    found: list[list[str]] = []
    for state in states:
        changed = []
        for domain in state:
            known = before.get(domain, {})
            if any(slot not in known or known[slot] != value for slot, value in state[domain].items()):
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


class SlowOutcome:
    """One dialogue: `matched` and `served` by domain."""

    def __init__(self, goal: Data, turns: list[Data], tables: Data) -> None:
        offered, provided = _offered_and_provided(goal, turns, tables)
        self.matched: dict[str, bool] = {}
        self.served: dict[str, bool] = {}
        for domain, (informable, requestable) in goal.items():
            free = "name" in informable or domain in ("taxi", "police", "hospital")
            free |= domain == "train" and not offered[domain] and "TRAINID" not in requestable
            right = [] if free or not offered[domain] else slow_query(tables[domain], domain, informable)
            self.matched[domain] = free or (offered[domain] != [] and all(one in right for one in offered[domain]))
        self.informed = all(self.matched.values())
        for domain, (_, requestable) in goal.items():
            self.served[domain] = self.informed and all(word in provided[domain] for word in requestable)
        self.succeeded = self.informed and all(self.served.values())


def _offered_and_provided(goal: Data, turns: list[Data], tables: Data) -> tuple[dict[str, list[str]], Data]:
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
    return offered, provided


def slow_goal(goal: Data, turns: list[Data], tables: Data) -> tuple[bool, bool]:
    """Return Inform and Success; `goal` is domain to (informable, requestable), responses are normalised."""
    found = SlowOutcome(goal, turns, tables)
    return found.informed, found.succeeded


def goal_of(document: Data) -> Data:
    """Return domain to informable and requestable slots of a goal in ConvLab-2's layout."""
    found = {}
    for domain in DOMAINS:
        wanted = document.get(domain)
        if wanted:
            informable = {slow_slot(slot): value.lower() for slot, value in wanted.get("info", {}).items()}
            asked = {PROVIDES[slot] for slot in wanted.get("reqt", []) if slot in PROVIDES}
            found[domain] = informable, asked | ({"REFERENCE"} if wanted.get("book") else set())
    return found


def gold_state(metadata: Data) -> Data:
    state: Data = {}
    for domain, parts in metadata.items():
        slots = dict(parts["semi"])
        slots |= {"book" + slot: value for slot, value in parts["book"].items() if slot != "booked"}
        for slot, value in slots.items():
            first = value.split("|")[0].strip()
            if first not in ("", "none", *NO_CONSTRAINT):
                state.setdefault(domain, {})[slot] = first
    return slow_state(state)


# -- whole files -----------------------------------------------------------------------------------------------------


def slow_score(outputs: Data, data: Data, database: Data, domains: str) -> Data:
    """Return the numbers of the evaluation; `database` has the rows of the files by domain, `domains` is the source."""
    tables = {domain: slow_table(domain, rows) for domain, rows in database.items()}
    plain = {name.lower().removesuffix(".json"): turns for name, turns in outputs.items()}
    gold = {name.lower().removesuffix(".json"): one for name, one in data.items()}
    recorded = all("state" in turn for turns in plain.values() for turn in turns)
    normalise = SlowResponses()
    said: list[str] = []
    outcomes, turns_scored, missing, extra = [], 0, {}, {}
    for name, turns in plain.items():
        metadata = [turn["metadata"] for turn in gold[name]["log"][1::2]] if name in gold else []
        responses = [normalise(turn["response"]) for turn in turns]
        said += responses
        if recorded:
            states = [slow_state(turn["state"]) for turn in turns]
        else:
            states = [gold_state(metadata[at]) if at < len(metadata) else {} for at in range(len(turns))]
        if domains == "estimated":
            active = slow_estimate(states)
        else:
            active = [
                turn["active_domains"] if domains == "given" else slow_prefixes(turn["response"]) for turn in turns
            ]
        if len(turns) > len(metadata):
            extra[name] = len(turns) - len(metadata)
        if name not in gold:
            continue
        if len(turns) < len(metadata):
            missing[name] = len(metadata) - len(turns)
        paired = []
        for at in range(min(len(turns), len(metadata))):
            booked = [domain for domain, parts in metadata[at].items() if parts["book"].get("booked")]
            paired.append({"response": responses[at], "state": states[at], "active": active[at], "booked": booked})
        turns_scored += len(paired)
        outcomes.append(SlowOutcome(goal_of(gold[name]["goal"]), paired, tables))
    missing |= {name: len(one["log"]) // 2 for name, one in gold.items() if name not in plain}
    return {
        "inform": _share([one.informed for one in outcomes]),
        "success": _share([one.succeeded for one in outcomes]),
        "by_domain": {
            domain: (
                _share([one.matched[domain] for one in outcomes if domain in one.matched]),
                _share([one.served[domain] for one in outcomes if domain in one.matched]),
                sum(domain in one.matched for one in outcomes),
            )
            for domain in DOMAINS
            if any(domain in one.matched for one in outcomes)
        },
        "turns": turns_scored,
        "missing": missing,
        "extra": extra,
        "unknown": normalise.unknown,
        "richness": slow_richness(said),
    }


def _share(found: list[bool]) -> float | None:
    return 100 * sum(found) / len(found) if found else None


def slow_richness(responses: list[str]) -> Data:
    """Return the numbers of the richness by name; empty where nothing was said."""
    split = []
    for text in responses:
        for sign in ("``", "'", ".", ",", "?", "!", ")", "(", "%", "/", "-", "_", "-LRB-", "-RRB-", ":", ";"):
            text = text.replace(sign, "")
        split.append(re.sub(r"\s+", " ", text).lower().split(" "))
    every = [word for words in split for word in words]
    if not every:
        return {}
    grams: list[list[tuple[str, ...]]] = [[], [], []]
    for words in split:
        for size in (1, 2, 3):
            grams[size - 1] += [tuple(words[at : at + size]) for at in range(len(words) - size + 1)]
    counts = {word: every.count(word) for word in set(every)}
    pairs = {pair: grams[1].count(pair) for pair in set(grams[1])}
    segments = [every[at : at + 50] for at in range(0, len(every) - 49, 50)] if len(every) > 50 else [every]
    return {
        "avg_length": len(every) / len(split),
        "unique_1": len(counts),
        "unique_2": len(pairs),
        "unique_3": len(set(grams[2])),
        "entropy": -sum(n / len(every) * math.log(n / len(every), 2) for n in counts.values()),
        "cbe": -sum(n / len(every) * math.log(n / counts[pair[0]], 2) for pair, n in pairs.items()),
        "msttr": sum(len(set(one)) / len(one) for one in segments) / len(segments),
    }
