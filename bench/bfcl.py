"""Time and memory of scoring recorded outputs of single-turn BFCL, reading included.

    python bench/bfcl.py [--items 1000] [--data ../shared/data/bfcl]

The questions are the foreign ones (repeated under new ids where they are too few), the outputs gold answers in call
syntax, each third one spoilt. Made-up questions stand in where the data is absent. Prints one line a figure.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from callwright.formats import document
from callwright.papers.bfcl import question_layout as bfcl
from callwright.papers.bfcl.result_scoring import BfclMode, score_results
from callwright.records.jsontext import decode

DATA = Path(__file__).parents[1] / "../shared/data/bfcl"
CATEGORIES = ("simple_python", "multiple", "parallel", "parallel_multiple", "live_simple")
MODES: tuple[BfclMode, ...] = ("official", "strict")


def real_items(data: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return lines of questions with lines of answers, of all categories in turn."""
    found = []
    for name in (f"BFCL_v4_{category}.json" for category in CATEGORIES):
        found += list(zip(document.load(data / name), document.load(data / "possible_answer" / name), strict=True))
    return found[::7] + found[3::7] + found[5::7] + found[1::7]


def made_item() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return one question of two calls with its answer."""
    properties = {"city": {"type": "string"}, "days": {"type": "array", "items": {"type": "integer"}}}
    tool = {"name": "get.weather", "parameters": {"type": "dict", "properties": properties, "required": ["city"]}}
    golds = [{"get.weather": {"city": [city], "days": [[1, 2, 3], ""]}} for city in ("Oslo, Norway", "Rome")]
    question = {"id": "made", "question": [[{"role": "user", "content": "?"}]], "function": [tool]}
    return question, {"id": "made", "ground_truth": golds}


def first_choice(accepted: Any) -> Any:
    """Return an accepted value with the choices inside its dictionaries resolved."""
    if isinstance(accepted, dict):
        return {key: first_choice(choices[0]) for key, choices in accepted.items() if choices and choices[0] != ""}
    return [first_choice(item) for item in accepted] if isinstance(accepted, list) else accepted


def output(question: bfcl.Question, *, is_spoilt: bool) -> str:
    """Return the answer of a question in call syntax."""
    written = []
    for gold in question.gold:
        values = {one.name: first_choice(decode(one.accepted[0])) for one in gold.arguments if one.accepted}
        written.append(
            f"{gold.tool}({', '.join(f'{name}={value!r}' for name, value in values.items() if value != '')})"
        )
    return f"[{', '.join(written)}{', nothing()' if is_spoilt else ''}]"


def write_files(items: int, data: Path, folder: Path) -> None:
    """Write questions, answers and outputs of `items` items."""
    pairs = islice(cycle(real_items(data) if data.is_dir() else [made_item()]), items)
    numbered = [(q | {"id": f"item_{n}"}, a | {"id": f"item_{n}"}) for n, (q, a) in enumerate(pairs)]
    asked = bfcl.read([q for q, _ in numbered], [a for _, a in numbered], source="bench")
    results = [{"id": one.id, "result": output(one, is_spoilt=n % 3 == 0)} for n, one in enumerate(asked)]
    columns = {"questions": [q for q, _ in numbered], "answers": [a for _, a in numbered], "results": results}
    for name, lines in columns.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(options.items, options.data, folder)
        start = time.perf_counter()
        questions, answers, results = (
            document.load(folder / f"{one}.jsonl") for one in ("questions", "answers", "results")
        )
        asked = bfcl.read(questions, answers, source="bench")
        recorded = bfcl.read_results(results, source="bench", known=asked)
        print(f"{f'{options.items:,} items read':<34}{time.perf_counter() - start:8.3f} s")
    for mode in MODES:
        start = time.perf_counter()
        score = score_results(asked, recorded, mode=mode)
        took = time.perf_counter() - start
        print(f"{f'{score.n:,} items scored, {mode}':<34}{took:8.3f} s   accuracy {score.accuracy:.3f}")
    print(f"{'peak memory':<34}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MiB")


if __name__ == "__main__":
    main()
