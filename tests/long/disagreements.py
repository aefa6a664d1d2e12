"""The surface counter against the labels by hand: each mention that only one of the two finds, and F1 of each half.

    PYTHONPATH=src python tests/long/disagreements.py [FOLDER of the published dialogues]

One line each: dialogue, utterance, who finds the item, the item, and what was said. Without FOLDER, or where there is
none, the synthesised half alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from callwright.measure.item_mentions import count_mentions
from callwright.papers.dice.published_rounds import read
from callwright.papers.paper import NoOptions
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

sys.path.insert(0, str(Path(__file__).parents[1] / "papers" / "dice"))
from test_hand_labels import LABELS, f1, labelled, shares

PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "dice"


def disagreements(
    dialogues: Sequence[Dialogue], tools: Mapping[str, Tool], labels: Mapping[str, Mapping[str, list[int]]]
) -> Iterator[str]:
    """Yield a line for each item of an utterance that only one of the two finds."""
    for one in dialogues:
        mentions = count_mentions(one, {tool.name: tool for tool in shown_tools(one, tools)})
        for at, (turn, items) in enumerate(zip(mentions.turns, mentions.found, strict=True)):
            by_hand = set(labels[one.id].get(str(at), []))
            for item in sorted(by_hand ^ set(items)):
                who = "by hand" if item in by_hand else "counter"
                what = mentions.items[item]
                named = f"{what.tool}.{what.parameter} = {what.value}" if what.parameter else what.tool
                yield f"{one.id:8.8}  {at:3}  {who}  {what.task + 1}:{named}  | {one.turns[turn].text}"


def main() -> int:
    """Print the disagreements and F1 of each half."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PUBLISHED
    dialogues, tools = labelled()
    halves = {"synthesised": (dialogues, tools)}
    if folder.exists():
        corpus = read(folder, NoOptions())
        halves = {"published": (list(corpus.dialogues), {tool.key: tool for tool in corpus.catalog.tools})} | halves
    for name, (chats, known) in halves.items():
        both, alone, missed = shares(chats, known, LABELS[name])
        print(f"\n{name}: found by both {both}, by the counter alone {alone}, by hand alone {missed}, ", end="")
        print(f"F1 {f1(both, alone, missed):.3f}")
        print("\n".join(disagreements(chats, known, LABELS[name])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
