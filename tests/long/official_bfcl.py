"""Judge changed gold answers by the leaderboard's own package and by mode `official`: the verdicts must be equal.

    pip download --no-deps bfcl-eval && unzip bfcl_eval-*.whl -d /tmp/official
    python tests/long/official_bfcl.py --package /tmp/official [--rounds 100000] [--seed 1]

Nothing of the package is installed; what it imports of model services is replaced by empty modules. Texts hold none of
what differs by decision (see `callwright.papers.bfcl.official_verdict`). Ends with 1 at the first verdicts that differ.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from callwright.formats import document
from callwright.papers.bfcl.call_errors import wanted_call
from callwright.papers.bfcl.question_layout import PublishedQuestion, decode_result, read
from callwright.papers.bfcl.result_scoring import verdict

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bfcl_predictions import ANSWERED, files, gold_calls  # found through the line above

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
MODELS = "bfcl_eval.constants.model_config"
EMPTY = ("tenacity", "tree_sitter", "tree_sitter_java", "tree_sitter_javascript")
PARSERS = ("java_parser", "js_parser", "json_parser", "xml_parser")
SPELLINGS: tuple[Any, ...] = (
    0, 1, 2, -1, 2.0, 3.5, True, False, None, "", "a", "3", "New York", [], [1], [1.0], ["a"], [[1]], {}, {"a": 1},
    {"a": [1]}, (1, 2), ("a",), [(1, 2)], [{"a": 1}],
)  # fmt: skip

Calls = list[tuple[str, dict[str, Any]]]
Judge = Callable[[Any, Any, Any, str, bool], str | None]


class Hollow(types.ModuleType):
    """A module in which every name is a decorator that changes nothing."""

    __path__: list[str] = []  # noqa: RUF012

    def __getattr__(self, name: str) -> Any:
        """Return the decorator, or what makes it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: lambda function: function


def official_judge(package: Path) -> Judge:
    """Return the leaderboard's verdict: None for right, else its class of error."""
    models = types.ModuleType(MODELS)
    names = {"prompted": False, "native": True}
    models.MODEL_CONFIG_MAPPING = {  # type: ignore[attr-defined]
        name: types.SimpleNamespace(underscore_to_dot=dots) for name, dots in names.items()
    }
    sys.modules |= {name: Hollow(name) for name in EMPTY}
    sys.modules |= {name: Hollow(name) for name in (f"bfcl_eval.model_handler.parser.{one}" for one in PARSERS)}
    sys.modules |= {MODELS: models, "bfcl_eval.utils": types.ModuleType("bfcl_eval.utils")}
    sys.path.insert(0, str(package))
    from bfcl_eval.constants.enums import Language
    from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker
    from bfcl_eval.model_handler.utils import default_decode_ast_prompting

    def judge(result: Any, functions: Any, truth: Any, category: str, is_native: bool) -> str | None:
        try:
            if is_native:
                calls = [{name: json.loads(text)} for one in result for name, text in one.items()]
            else:
                calls = default_decode_ast_prompting(result)
        except Exception:  # noqa: BLE001 - whatever its decoder raises is its verdict
            return "undecodable"
        model = "native" if is_native else "prompted"
        found = ast_checker(copy.deepcopy(functions), calls, truth, Language.PYTHON, category, model)
        return None if found["valid"] else found["error_type"]

    return judge


def changed_value(value: Any, chance: random.Random) -> Any:
    """Return a value near to the one given, or any other."""
    if chance.random() < 0.25:
        return chance.choice(SPELLINGS)
    if isinstance(value, bool):
        return chance.choice((not value, int(value), str(value)))
    if isinstance(value, int | float):
        return chance.choice((value + 1, float(value), round(value), str(value), -value, [value]))
    if isinstance(value, str):
        return chance.choice(
            (value.upper(), value.replace(" ", ""), f"{value}.", f"{value}x", value[:-1], [value], f"{value}\t")
        )
    if isinstance(value, list | tuple):
        items = [changed_value(item, chance) if chance.random() < 0.3 else item for item in value]
        return chance.choice((items, items[::-1], items[:-1], items + items[:1], tuple(items), [*items, None]))
    if isinstance(value, dict) and value:
        key = chance.choice(list(value))
        without = {name: item for name, item in value.items() if name != key}
        return chance.choice((without, value | {"extra": 1}, value | {key: changed_value(value[key], chance)}))
    return chance.choice(SPELLINGS)


def changed_calls(calls: Calls, question: PublishedQuestion, chance: random.Random) -> Calls:
    """Return the calls after a few changes of values, arguments, tools, number and order."""
    calls = copy.deepcopy(calls)
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        if not calls:
            break
        at, kind = chance.randrange(len(calls)), chance.random()
        tool, values = calls[at]
        if kind < 0.55 and values:
            name = chance.choice(list(values))
            values[name] = changed_value(values[name], chance)
        elif kind < 0.65 and values:
            values.pop(chance.choice(list(values)))
        elif kind < 0.75:
            known = (question.document(tool) or {}).get("parameters", {}).get("properties", {})
            values[chance.choice([*known, "extra"])] = chance.choice(SPELLINGS)
        elif kind < 0.82:
            chance.shuffle(calls)
        elif kind < 0.87:
            calls.append(copy.deepcopy(chance.choice(calls)))
        elif kind < 0.92:
            calls.pop(at)
        else:
            calls[at] = (chance.choice([f"{tool}x", *(one["name"] for one in question.documents)]), values)
    return calls


def written(calls: Calls, chance: random.Random) -> str:
    """Return calls as a prompted model could write them."""
    texts = (f"{tool}({', '.join(f'{name}={value!r}' for name, value in values.items())})" for tool, values in calls)
    text = f"[{', '.join(texts)}]"
    forms = (text[1:-1], f"  {text}\n", f"```\n{text}\n```", f"`{text}`", text[:-1], f"Sure: {text}", f"{text}\nDone.")
    return chance.choice(forms) if chance.random() < 0.3 else text


def main() -> None:
    """Compare, count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    judge, chance = official_judge(options.package), random.Random(options.seed)
    asked: list[tuple[str, PublishedQuestion, Any, Any]] = []
    for category in ANSWERED:
        lines, answers = (document.load(path) for path in files(DATA, category))
        questions = read(lines, answers, source=category)
        truths = {one["id"]: one["ground_truth"] for one in answers}
        asked += [(category, q, line["function"], truths[q.id]) for q, line in zip(questions, lines, strict=True)]
    counts: Counter[str] = Counter()
    for _ in range(options.rounds):
        category, question, functions, truth = chance.choice(asked)
        calls = changed_calls(gold_calls(question), question, chance)
        is_native = chance.random() < 0.4
        if is_native:
            result: Any = [{tool.replace(".", "_"): json.dumps(values)} for tool, values in calls]
        else:
            result = written(calls, chance)
        golds = [wanted_call(gold, question.document(gold.tool) or {}) for gold in question.gold]
        ours = verdict(decode_result(result), golds, mode="official", is_parallel="parallel" in category)
        theirs = judge(result, functions, truth, category, is_native)
        if (ours is None) != (theirs is None):
            raise SystemExit(f"{question.id}: official {theirs}, ours {ours}: {str(result)[:2_000]}")
        counts["right" if ours is None else "wrong"] += 1
    print(f"{options.rounds:,} verdicts equal: {dict(counts)}")


if __name__ == "__main__":
    main()
