"""Counts over group chats made over documents: what the design promises, and the cascade against ten planted defects.

    PYTHONPATH=src python tests/long/chats.py CATALOG [CATALOG ...] [--graph FILE] [--per-cell 10]

For each catalogue: dialogues kept; DICE-SCORE by length, and the cells of people and type in which it does not rise;
strictly rotating rounds of three and four people, double turns of two; dialogues in which each participant contributes
something needed; values that are never said or told; the most frequent phrase of four words that holds no word of a
tool or a value; and of each defect the share that the cascade rejects. Ends with status 1 beyond a limit.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from random import Random

import callwright
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.environment.told_outputs import outputs
from callwright.lang.english import ways_to_say
from callwright.lang.nouns import slot_noun
from callwright.lang.tokens import STOP_WORDS, words
from callwright.measure.item_mentions import count_mentions
from callwright.measure.speaker_order import is_rotation
from callwright.papers.dice.chat_cascade import issues_of
from callwright.papers.dice.chat_filter import known_as
from callwright.papers.dice.dice_measures import scored
from callwright.papers.dice.dice_protocol import rounds_of
from callwright.papers.dice.dice_recipe import needs_result
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

sys.path.insert(0, str(Path(__file__).parents[1] / "papers" / "dice"))
from chat_defects import DEFECTS

ENOUGH_FOR_PHRASES = 50
"""Dialogues of a cell from which on shares of phrases are no chance."""
LEAST_CAUGHT, MOST_CLEAN, MOST_ROTATING, MOST_PHRASE, LEAST_CONTRIBUTED = 0.95, 0.1, 0.1, 0.05, 0.5


def people(chat: Dialogue) -> list[str]:
    return [who.id for who in chat.participants if who.role == "user"]


def cell(chat: Dialogue) -> tuple[int, str]:
    assert isinstance(chat.annotation, DiceNotes)
    return len(people(chat)), chat.annotation.dialogue_type


def _notes(chat: Dialogue) -> DiceNotes:
    assert isinstance(chat.annotation, DiceNotes)
    return chat.annotation


def rotation(chats: Sequence[Dialogue]) -> tuple[float, float]:
    """Strictly rotating rounds of three and four people; of two people turns that the last speaker has again."""
    rotating, doubles = [], []
    for chat in chats:
        for said in rounds_of(chat):
            order = [turn.speaker for turn in said]
            if len(people(chat)) > 2:
                rotating.append(is_rotation(order, len(people(chat))))
            else:
                doubles += [a == b for a, b in pairwise(order)]
    return sum(rotating) / max(1, len(rotating)), sum(doubles) / max(1, len(doubles))


def contributed(chats: Sequence[Dialogue], tools: Mapping[str, Tool]) -> float:
    """Dialogues in which each participant is the first to say some item of the calls: what to do, or a value."""
    found = []
    for chat in chats:
        said, seen = set(), set()
        mentions = count_mentions(chat, tools)
        for turn, items in zip(mentions.turns, mentions.found, strict=True):
            if set(items) - seen:
                said.add(chat.turns[turn].speaker)
            seen |= set(items)
        found.append(said >= set(people(chat)))
    return sum(found) / max(1, len(found))


def phrases(chats: Sequence[Dialogue]) -> tuple[float, str]:
    """The most frequent phrase of four words that is not of a tool's words or of a value, within one type."""
    found = phrase_shares(chats, 1)
    return max(((share, f"{phrase} ({name})") for name in found for share, phrase in found[name]), default=(0.0, ""))


def phrase_shares(chats: Sequence[Dialogue], most: int) -> dict[str, list[tuple[float, str]]]:
    """The most frequent phrases of four words of each type, with the share of its dialogues that have them."""
    by_type: dict[str, list[set[tuple[str, ...]]]] = defaultdict(list)
    for chat in chats:
        by_type[cell(chat)[1]].append(set(_grams(chat)))
    return {
        name: [
            (count / len(found), " ".join(gram))
            for gram, count in Counter(gram for one in found for gram in one).most_common(most)
        ]
        for name, found in sorted(by_type.items())
    }


CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MONTHS = frozenset(date(2026, month, 1).strftime("%B").lower() for month in range(1, 13))
"""Words in which the assistant tells days."""
GLOSSED: dict[str, frozenset[str]] = {}


def own_words(tool: Tool) -> frozenset[str]:
    """The words of what a tool does, and of what its parameters and the fields of its results are."""
    nouns = [known_as(slot) for slot in slots(tool).values()]
    nouns += [slot_noun(output.name, "").text for output in outputs(tool)]  # `arrival time` for `arrive_at`
    verbs = ways_to_say(gloss(tool).verb) if gloss(tool).verb else ()
    return frozenset(word for text in (gloss(tool).phrase, *verbs, *nouns) for word in words(text))


def _grams(chat: Dialogue) -> Iterator[tuple[str, ...]]:
    own = {word for task in chat.tasks for gold in task.gold for word in GLOSSED.get(gold.tool, ())}
    own |= {
        word for task in chat.tasks for gold in task.gold for one in gold.values.values() for word in words(str(one))
    }
    returned = [one.value or "" for turn in chat.turns for step in turn.steps for one in step.results]
    own |= {word for one in returned for word in (*words(one), *words(CAMEL.sub(" ", one)))}
    own |= MONTHS if any(DAY.search(one) for one in returned) else set()
    own |= {word for who in chat.participants if who.role == "user" for word in words(who.name)}
    own |= {form for word in own for form in (f"{word}s", word.removesuffix("s"))}  # a list of dates tells `the dates`
    own -= STOP_WORDS  # `any idea for the` is a phrase of the generator
    for turn in chat.turns:
        for part in turn.text.split('"')[::2]:  # what is quoted is a value
            said = words(part)
            yield from (gram for gram in zip(said, said[1:], said[2:], said[3:], strict=False) if not own & set(gram))


def rising(chats: Sequence[Dialogue], tools: Mapping[str, Tool]) -> tuple[dict[int, float], list[str]]:
    """DICE-SCORE by length, and the cells in which it does not rise from one length to the next."""
    where = {chat.id: cell(chat) for chat in chats}
    by: dict[tuple[int, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    lengths: dict[int, list[float]] = defaultdict(list)
    for one in scored(chats, tools):
        by[where[one.id]][one.length].append(one.score)
        lengths[one.length].append(one.score)
    means = {name: [sum(at[n]) / len(at[n]) for n in sorted(at)] for name, at in by.items()}
    falling = [f"{name} {[round(one, 2) for one in found]}" for name, found in means.items() if found != sorted(found)]
    return {n: sum(found) / len(found) for n, found in sorted(lengths.items())}, falling


def by_length(chats: Sequence[Dialogue], tools: Mapping[str, Tool]) -> dict[str, str]:
    """Means by length: utterances, items T, and utterances that mention each item."""
    found: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for one in scored(chats, tools):
        found[one.length].append((len(one.counts), one.total, sum(one.counts) / one.total))
    means = [[sum(column) / len(rows) for column in zip(*rows, strict=True)] for _, rows in sorted(found.items())]
    names = ("utterances", "T", "mentions an item")
    return {name: ", ".join(f"{each[at]:.1f}" for each in means) for at, name in enumerate(names)}


def unsaid(chats: Sequence[Dialogue], tools: Mapping[str, Tool]) -> int:
    """Gold values that the counter does not find in anything that was said or told."""
    missing = 0
    for chat in chats:
        mentions = count_mentions(chat, tools, assistant=True)
        found = {item for one in mentions.found for item in one}
        missing += sum(at not in found for at, item in enumerate(mentions.items) if item.parameter)
    return missing


def caught(chats: Sequence[Dialogue], tools: Mapping[str, Tool], seed: int) -> dict[str, tuple[int, int]]:
    """For each defect how many of the chats that have place for it are rejected with it."""
    found = {}
    for name, plant in DEFECTS.items():
        planted = [one for at, chat in enumerate(chats) if (one := plant(chat, tools, Random(f"{seed}/{name}/{at}")))]
        found[name] = (sum(bool(issues_of(one, tools)) for one in planted), len(planted))
    return found


def report(name: str, graph: str | None, per_cell: int) -> bool:
    """Print the counts of one catalogue; return whether all are within their limits."""
    catalog = callwright.read_catalog(name)
    with tempfile.TemporaryDirectory() as scratch:
        options = {} if graph is None else {"graph": graph}
        made = callwright.synthesize("dice", catalog, per_cell=per_cell, seed=7, out=Path(scratch) / "ds", **options)
        data = callwright.open_dataset(Path(scratch) / "ds")
        funnel = json.loads((Path(scratch) / "ds" / "funnel.json").read_text())
    chats, tools = list(data.dialogues), data.catalog.by_name
    GLOSSED.update({tool.name: own_words(tool) for tool in data.catalog.tools})
    lengths, falling = rising(chats, data.catalog.by_key)
    rotating, doubles = rotation(chats)
    all_contribute, (share, phrase), missing = contributed(chats, tools), phrases(chats), unsaid(chats, tools)
    print(f"\n{Path(name).name}: {made.kept} of {made.planned} kept, rejected {made.rejected}, failed {made.failed}")
    print(f"  kept by length {Counter(len(chat.tasks) for chat in chats)}; stages {funnel['stages']}")
    for what, means in by_length(chats, data.catalog.by_key).items():
        print(f"  {what} {means}")
    print(f"  DICE-SCORE { ({n: round(one, 2) for n, one in lengths.items()}) }; not rising in {falling or 'no cell'}")
    print(f"  rotating {rotating:.1%}, double turns {doubles:.1%}; all contribute in {all_contribute:.1%}")
    print(f"  values never said {missing}; most frequent phrase {share:.1%}: {phrase}")
    taking = [(chat, at) for chat in chats for at, one in enumerate(_notes(chat).rounds) if one.taken]
    needed = sum(needs_result(chat, at, data.catalog.by_key) for chat, at in taking)
    later = sum(len(chat.tasks) - 1 for chat in chats)
    print(f"  {len(taking)} of {later} later rounds use a returned value; {needed} calls cannot be made without it")
    shares = caught(chats[:300], tools, 7)
    for defect, (rejected, planted) in shares.items():
        print(f"  {defect:20} {rejected:4} of {planted:4} {rejected / max(1, planted):.1%}")
    return (
        sum(made.rejected.values()) <= MOST_CLEAN * made.planned
        and all(rejected >= LEAST_CAUGHT * planted for rejected, planted in shares.values())
        and rotating < MOST_ROTATING
        and all_contribute >= LEAST_CONTRIBUTED
        and (share <= MOST_PHRASE or per_cell < ENOUGH_FOR_PHRASES)
        and not missing
        and not falling
    )


def main() -> int:
    """Report each catalogue."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("catalog", nargs="+")
    parser.add_argument("--graph")
    parser.add_argument("--per-cell", type=int, default=10)
    given = parser.parse_args()
    fine = [report(name, given.graph, given.per_cell) for name in given.catalog]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
