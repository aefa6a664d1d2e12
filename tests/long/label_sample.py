"""A sample of group chats to be labelled by hand, and how the surface counter does on labels of it.

    PYTHONPATH=src python tests/long/label_sample.py write FOLDER DATASET ...
    PYTHONPATH=src python tests/long/label_sample.py score FOLDER

`write` takes one chat of each number of rounds and type, in turn from the datasets and of three and four people, and
writes them with their items into FOLDER/chats.txt, as a labeller reads them. `score` compares FOLDER/labels.json
with the counter: F1, and each disagreement on a line.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path

import callwright
from callwright.measure.item_mentions import Mentions, count_mentions
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "papers" / "dice"))
from disagreements import disagreements
from test_hand_labels import f1, shares


def _chosen(folders: list[str]) -> list[tuple[str, str]]:
    """Of each cell of rounds and type a dataset and the id of its chat; datasets and parties take turns."""
    pools = [(folder, callwright.open_dataset(folder).dialogues) for folder in folders]
    chosen: list[tuple[str, str]] = []
    types = sorted(
        {one.annotation.dialogue_type for _, pool in pools for one in pool if isinstance(one.annotation, DiceNotes)}
    )
    for n, (rounds, type_) in enumerate(product(range(1, 5), types)):
        turned = pools[n % len(pools) :] + pools[: n % len(pools)]
        fits = [
            (_people(one) != 3 + n // len(pools) % 2, at, folder, one.id)
            for at, (folder, pool) in enumerate(turned)
            for one in pool
            if len(one.tasks) == rounds
            and isinstance(one.annotation, DiceNotes)
            and one.annotation.dialogue_type == type_
        ]
        if fits:
            best = min(fits, key=lambda fit: (fit[1], fit[0]))
            chosen.append((best[2], best[3]))
    return chosen


def _people(dialogue: Dialogue) -> int:
    return sum(who.role == "user" for who in dialogue.participants)


def _sheet(dialogue: Dialogue, tools: dict[str, Tool], mentions: Mentions) -> str:
    lines = [f"=== {dialogue.id}", "", "Items:"]
    for at, item in enumerate(mentions.items):
        told = f"{item.tool} . {item.parameter} = {json.dumps(item.value, ensure_ascii=False)}"
        what = told if item.parameter else f"CALL {item.tool}: {' '.join(tools[item.tool].description.split())[:200]}"
        lines.append(f"  {at:2}  (round {item.task + 1}) {what}")
    numbers = {turn: n for n, turn in enumerate(mentions.turns)}
    lines += ["", "Utterances:"]
    names = {who.id: who.name or who.id for who in dialogue.participants}
    for at, turn in enumerate(dialogue.turns):
        mark = f"{numbers[at]:2}" if at in numbers else "--"
        lines.append(f"  {mark}  {names.get(turn.speaker, turn.speaker)}: {turn.text}")
    return "\n".join((*lines, "", ""))


def _opened(folder: Path) -> tuple[list[Dialogue], dict[str, Tool]]:
    dialogues, tools = [], {}
    for dataset, id_ in json.loads((folder / "chosen.json").read_text()):
        data = callwright.open_dataset(dataset)
        dialogues.append(next(one for one in data.dialogues if one.id == id_))
        tools |= data.catalog.by_key
    return dialogues, tools


def main() -> None:
    """Write a sample, or score its labels."""
    what, folder = sys.argv[1], Path(sys.argv[2])
    if what == "write":
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "chosen.json").write_text(json.dumps(_chosen([str(Path(one).resolve()) for one in sys.argv[3:]])))
    dialogues, tools = _opened(folder)
    if what == "write":
        sheets = []
        for one in dialogues:
            shown = {tool.name: tool for tool in shown_tools(one, tools)}
            sheets.append(_sheet(one, shown, count_mentions(one, shown)))
        (folder / "chats.txt").write_text("\n".join(sheets))
        print(f"{len(dialogues)} chats in {folder / 'chats.txt'}")
        return
    labels = json.loads((folder / "labels.json").read_text())
    both, alone, missed = shares(dialogues, tools, labels)
    print(f"by both {both}, by the counter alone {alone}, by hand alone {missed}, F1 {f1(both, alone, missed):.3f}")
    print("\n".join(disagreements(dialogues, tools, labels)))


if __name__ == "__main__":
    main()
