"""How often speakers say the same thing, against an independent count."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from msgspec.structs import replace

from callwright.measure.repetition import masker, repetition
from callwright.records.dialogue import Dialogue, Turn
from diaforge_builders import bundled, kept, with_text

TOOLS = bundled().by_key


def slow(dialogues: list[Dialogue], role: str) -> tuple[int, float, float, int]:
    """Turns, the two largest shares, and distinct openings, counted turn by turn."""
    texts, openings = [], set()
    for dialogue in dialogues:
        mask = masker(dialogue, TOOLS)
        said = [mask(turn.text) for turn in dialogue.turns if dialogue.role(turn) == role]
        texts += said
        openings |= set(said[:1])
    runs = [re.findall(r"<v>|[\w']+", text) for text in texts]
    grams = Counter(gram for run in runs for gram in {" ".join(run[i : i + 4]) for i in range(len(run) - 3)})
    return (
        len(texts),
        max(Counter(texts).values()) / len(texts),
        max(grams.values()) / len(texts),
        len(openings),
    )


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_counts_are_those_of_a_slow_count(role: str) -> None:
    """For either side."""
    dialogues = list(kept()[:200])
    found = repetition(dialogues, TOOLS, role=role)

    assert (found.turns, found.utterance_share, found.four_gram_share, found.openings) == slow(dialogues, role)


def test_values_and_what_holds_a_digit_are_masked() -> None:
    """In every form of a value, so that two users with other values say the same."""
    dialogue = next(one for one in kept() if any(gold.name == "order_id" for gold in one.tasks[0].gold[0].arguments))
    value = dialogue.tasks[0].gold[0].values["order_id"]
    mask = masker(dialogue, TOOLS)

    assert mask(f"It's {value}.") == "it's <v>."
    assert mask("Order 1/2 at 17:30, X-12.").count("<v>") == 3
    assert mask("Nothing to hide.") == "nothing to hide."


def test_one_line_said_by_all_is_all_there_is() -> None:
    """Shares of one."""
    dialogues = [with_text(replace(one, turns=one.turns[:2]), 0, "May I ask you something?") for one in kept()[:10]]
    found = repetition(dialogues, TOOLS)

    assert (found.turns, found.utterance_share, found.four_gram_share, found.openings) == (10, 1.0, 1.0, 1)
    assert found.utterance == "may i ask you something?"
    assert found.four_gram in ("may i ask you", "i ask you something")


def test_a_run_counts_once_a_turn() -> None:
    """However often one turn says it."""
    one, other = kept()[:2]
    twice = with_text(one, 0, "can you do that, can you do that")
    dialogues = [replace(twice, turns=twice.turns[:1]), replace(other, turns=(Turn("user", "something else"),))]

    assert repetition(dialogues, TOOLS).four_gram_share == 0.5


def test_without_turns_there_are_no_shares() -> None:
    """None, not zero."""
    found = repetition([], TOOLS)

    assert (found.turns, found.utterance_share, found.four_gram_share, found.openings) == (0, None, None, 0)
    short = replace(kept()[0], turns=(Turn("user", "hi"),))
    assert repetition([short], TOOLS).four_gram_share is None


def test_an_argument_may_have_no_accepted_value() -> None:
    """A gold argument that every answer may leave out masks nothing."""
    dialogue = kept()[0]
    (task, *others) = dialogue.tasks
    (gold,) = task.gold
    bare = tuple(replace(argument, accepted=(), optional=True) for argument in gold.arguments)
    spoilt = replace(dialogue, tasks=(replace(task, gold=(replace(gold, arguments=bare),)), *others))

    assert masker(spoilt, TOOLS)("Hello there.") == "hello there."


def test_of_equally_frequent_4_grams_the_first_is_named() -> None:
    """Not one that the order of a set decides, which differs from process to process."""
    words = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa"
    dialogue = with_text(replace(kept()[0], turns=kept()[0].turns[:1]), 0, words)

    assert repetition([dialogue], {}).four_gram == "alpha bravo charlie delta"
