"""Count by kind what contradicts in the sessions of data sets that `callwright synth wild` made.

    python tests/long/sessions.py DATASET [DATASET ...] [--show KINDS] [--samples 20]

Kinds `a` to `h` are those of `tests/contradictions.py`, `i` to `q` those of `tests/session_contradictions.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from contradictions import Call, Found, contradictions
from session_contradictions import Step, session_contradictions


def calls_of(dialogue: dict[str, Any], tools: dict[str, dict[str, Any]]) -> Iterator[Step]:
    """Yield the calls of one dialogue with their results."""
    for step in (step for turn in dialogue["turns"] for step in turn.get("steps", ())):
        for call, result in zip(step.get("calls", ()), step.get("results", ()), strict=False):
            tool = tools.get(call["tool"], {})
            returns = tool.get("returns")
            returns = json.loads(returns) if isinstance(returns, str) else returns
            made = Call(call["tool"], tool.get("source", ""), json.loads(call["arguments"]), returns)
            yield Step(made, json.loads(result["value"]) if result.get("value") is not None else None)


def marks(steps: list[Step], sources: list[str], today: date) -> Iterator[tuple[int, Found]]:
    """Yield what either checker finds, with the place of the call."""
    earlier: list[tuple[Call, Any]] = []
    for at, step in enumerate(steps):
        if step.value is not None:
            found = contradictions(step.call, step.value, earlier, today=today)
            yield from ((at, one) for one in found if one.kind != "e")  # of what is new there may be nothing
            earlier.append((step.call, step.value))
    yield from session_contradictions(steps, sources, today=today)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="+", type=Path)
    parser.add_argument("--show", default="")
    parser.add_argument("--samples", type=int, default=20)
    given = parser.parse_args()
    whole: Counter[str] = Counter()
    shown: list[str] = []
    for path in given.datasets:
        tools = {one["name"]: one for one in json.loads((path / "catalog.json").read_text())["tools"]}
        sources = [one.get("source", "") for one in tools.values()]
        counts: Counter[str] = Counter()
        for line in (path / "dialogues.jsonl").read_text().splitlines():
            dialogue = json.loads(line)
            steps = list(calls_of(dialogue, tools))
            found = list(marks(steps, sources, date.fromisoformat(dialogue["scenario"]["today"])))
            counts.update({"calls": len(steps), "sessions": 1, "marked": len({at for at, _ in found})})
            counts.update(kind for _, kind in {(at, one.kind) for at, one in found})
            for at, one in found:
                if one.kind in given.show:
                    told = json.dumps(steps[at].value)[:600]
                    text = f"{json.dumps(steps[at].call.arguments)[:300]}\n    -> {told}"
                    call = f"{dialogue['id']} {steps[at].call.name} | {steps[at].call.source}"
                    shown.append(f"{path.name} {call}\n    {text}\n    {one.kind}: {one.why}")
        whole.update(counts)
    print(*Random(0).sample(shown, min(len(shown), given.samples)), sep="\n")
    kinds = str({kind: count for kind, count in sorted(whole.items()) if len(kind) == 1})
    share = whole["marked"] / max(whole["calls"], 1)
    marked = f"{whole['marked']} marked ({share:.1%})"
    print(f"{whole['sessions']} sessions, {whole['calls']} calls, {marked}; by kind: {kinds}")


if __name__ == "__main__":
    main()
