"""Write dialogues for strict readers: ours and human ones in one form, shuffled, with the key kept apart.

    reading_sample.py OUT --ours FOLDER [FOLDER ...] --human FILE [...] --count 100 [--seed N]

OUT.md is for the readers, OUT.key.json says which dialogues are whose. A third of the dialogues are human, from files
in the layout of Schema-Guided Dialogue (.json) and of MultiWOZ 2.1 (.json.zip), as many of each file. Readers mark
every turn that no one would say, every gold call that is wrong and every result that contradicts the request or an
earlier result.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

LONGEST = 700


def shown(value: Any) -> str:
    """A value as JSON text; records hold arguments and results as such text already."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ... (cut)"


def ours(folder: Path) -> list[list[str]]:
    """The dialogues of a dataset, as lines."""
    documents = {}
    for tool in json.loads((folder / "catalog.json").read_text())["tools"]:
        documents[tool["name"]] = tool
    return [as_lines(json.loads(line), documents) for line in (folder / "dialogues.jsonl").read_text().splitlines()]


def as_lines(dialogue: dict[str, Any], documents: dict[str, Any]) -> list[str]:
    lines = []
    gold = [call for task in dialogue["tasks"] for call in task.get("gold", ())]
    for name in dict.fromkeys(call["tool"] for call in gold):
        document = documents[name]
        required = (document.get("parameters") or {}).get("required", [])
        lines.append(f"TOOL {name}: {' '.join(document.get('description', '').split())[:300]} (required: {required})")
    roles = {who["id"]: who["role"] for who in dialogue["participants"]}
    for turn in dialogue["turns"]:
        if roles[turn["speaker"]] == "tool":
            continue
        for step in turn.get("steps", ()):
            calls, results = step.get("calls", ()), step.get("results", ())
            lines += [f"  CALL {call['tool']} {shown(call.get('arguments', {}))}" for call in calls]
            lines += [f"  RESULT {shown(result.get('value', result))}" for result in results]
        if turn.get("text"):
            lines.append(f"{roles[turn['speaker']].upper()}: {turn['text']}")
    for call in gold:
        given = {one["name"]: json.loads(one["accepted"][0]) for one in call.get("arguments", ())}
        lines.append(f"GOLD {call['tool']} {shown(given)}")
    return lines


def human(path: Path) -> list[list[str]]:
    """The dialogues of one file, as lines; calls and results as the services of Schema-Guided Dialogue have them."""
    if path.suffix == ".zip":
        return multiwoz(path)
    intents = {
        intent["name"]: (intent["description"], intent["required_slots"])
        for service in json.loads((path.parent / "schema.json").read_text())
        for intent in service["intents"]
    }
    found = []
    for dialogue in json.loads(path.read_text()):
        lines, called = [], []
        for turn in dialogue["turns"]:
            for frame in turn["frames"]:
                if call := frame.get("service_call"):
                    lines.append(f"  CALL {call['method']} {shown(call['parameters'])}")
                    lines.append(f"  RESULT {shown(frame.get('service_results', [])[:1])}")
                    called.append(f"GOLD {call['method']} {shown(call['parameters'])}")
            lines.append(f"{'USER' if turn['speaker'] == 'USER' else 'ASSISTANT'}: {turn['utterance']}")
        names = dict.fromkeys(line.split()[1] for line in called)
        tools = [f"TOOL {name}: {intents[name][0]} (required: {intents[name][1]})" for name in names]
        found.append(tools + lines + called)
    return found


def multiwoz(path: Path) -> list[list[str]]:
    """The dialogues of one archive of MultiWOZ 2.1, as lines; it has no calls."""
    with ZipFile(path) as archive:
        made = json.loads(archive.read(archive.namelist()[0]))
    spoken = [[" ".join(turn["text"].split()) for turn in one["log"]] for one in made.values()]
    return [[f"{'ASSISTANT' if at % 2 else 'USER'}: {text}" for at, text in enumerate(texts)] for texts in spoken]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--ours", type=Path, nargs="+", required=True)
    parser.add_argument("--human", type=Path, nargs="+", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng = Random(asked.seed)
    third = asked.count // 3
    each, more = divmod(third, len(asked.human))
    sample = [
        (f"human {path.name}", lines)
        for nth, path in enumerate(asked.human)
        for lines in rng.sample(human(path), each + (nth < more))
    ]
    share, more = divmod(asked.count - third, len(asked.ours))
    for nth, folder in enumerate(asked.ours):
        made = [(folder.name, lines) for lines in ours(folder)]
        sample += rng.sample(made, min(len(made), share + (nth < more)))
    rng.shuffle(sample)
    pages = ["\n".join((f"## {nth}", *lines)) for nth, (_, lines) in enumerate(sample, start=1)]
    asked.out.with_suffix(".md").write_text("\n\n".join(pages) + "\n")
    key = {str(nth): source for nth, (source, _) in enumerate(sample, start=1)}
    asked.out.with_suffix(".key.json").write_text(json.dumps(key, indent=1))


if __name__ == "__main__":
    main()
