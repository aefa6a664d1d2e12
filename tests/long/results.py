"""Count by kind what contradicts in results drawn over public API documents (`tests/contradictions.py`).

    python tests/long/results.py FILE.json [FILE.json ...] [--per 8] [--seed 1] [--show KIND] [--samples 20]

Of each document a few operations are called with drawn arguments, in one session, and each read once more at the end.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from callwright.app.catalogs import read_catalog
from callwright.author.personas import bank
from callwright.author.value_bank import general
from callwright.author.value_drawing import draw_values
from callwright.author.wanted import wanted_parameters
from callwright.environment.returns import with_returns
from callwright.environment.tool_world import ToolWorld
from callwright.errors import CallwrightError
from callwright.records.jsontext import decode, encode
from callwright.records.tool import Tool
from contradictions import Call, Found, contradictions

TODAY = date(2026, 5, 4)


class Answer(NamedTuple):
    tool: Tool
    call: Call
    value: Any
    found: list[Found]


def session(path: Path, per: int, seed: int) -> Iterator[Answer]:
    """Yield the results of one session over a document."""
    tools = with_returns(read_catalog(path)).tools
    rng, persona = Random(seed), bank()[seed % len(bank())]
    world = ToolWorld(seed=seed, item=path.stem, today=TODAY, persona=persona, tools=tools[:60])
    earlier: list[tuple[Call, Any]] = []
    for tool in rng.sample(tools, min(per, len(tools))):
        try:
            given = draw_values(rng, tool, persona, today=TODAY, also=wanted_parameters(tool))
        except CallwrightError:
            continue
        result = world.call(tool, given)
        if result.value is None:
            continue
        world.keep(tool, given, result)
        call = Call(tool.name, tool.source, given, decode(tool.returns) if tool.returns else None)
        value = decode(result.value)
        found = list(contradictions(call, value, earlier, today=TODAY, fillers=set(general("titles"))))
        earlier.append((call, value))
        yield Answer(tool, call, value, found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--per", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", default="")
    parser.add_argument("--samples", type=int, default=20)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    calls = marked = 0
    shown: list[str] = []
    for path in given.files:
        try:
            for answer in session(path, given.per, given.seed):
                calls += 1
                kinds = {one.kind for one in answer.found}
                marked += bool(kinds)
                counts.update(kinds)
                if any(one.kind in given.show for one in answer.found):
                    why = "; ".join(f"{one.kind}: {one.why}" for one in answer.found)
                    text = f"{encode(dict(answer.call.arguments))[:300]}\n    -> {encode(answer.value)[:500]}"
                    shown.append(f"{path.stem[:40]} {answer.tool.name} | {answer.tool.source}\n    {text}\n    {why}")
        except CallwrightError as error:
            print(f"{path.stem}: {str(error)[:80]}", file=sys.stderr)
    print(*Random(0).sample(shown, min(len(shown), given.samples)), sep="\n")
    print(f"{calls} calls, {marked} marked ({marked / max(calls, 1):.1%}); by kind: {dict(sorted(counts.items()))}")


if __name__ == "__main__":
    main()
