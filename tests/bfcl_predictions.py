"""Right predictions made from BFCL's answers, in both layouts of recorded outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from callwright.formats import document
from callwright.papers.bfcl.question_layout import PublishedQuestion, read
from callwright.records.dialogue import GoldCall
from callwright.records.jsontext import decode

ANSWERED = (
    "simple_python",
    "multiple",
    "parallel",
    "parallel_multiple",
    "live_simple",
    "live_parallel",
    "live_parallel_multiple",
)
"""The single-turn categories of the foreign data that have answers."""

UNANSWERABLE = {"live_simple_106-63-0", "live_simple_112-68-0"}
"""Questions with a required parameter for which no value is accepted."""


def files(shared_data: Path, category: str) -> tuple[Path, Path]:
    """Return the files of questions and of answers of a category."""
    name = f"BFCL_v4_{category}.json"
    return shared_data / "bfcl" / name, shared_data / "bfcl" / "possible_answer" / name


def read_category(shared_data: Path, category: str) -> tuple[PublishedQuestion, ...]:
    """Return the questions of a category with their answers."""
    questions, answers = files(shared_data, category)
    return read(document.load(questions), document.load(answers), source=category)


def gold_arguments(question: PublishedQuestion, gold: GoldCall) -> dict[str, Any]:
    """Return arguments that the answer accepts: the first value of each, undocumented and empty ones left out."""
    parameters = (question.document(gold.tool) or {})["parameters"]
    arguments = {}
    for argument in gold.arguments:
        values = [decode(one) for one in argument.accepted]
        filled = [value for value in values if value != ""]
        if argument.name not in parameters["properties"]:
            continue  # answered, but not documented: it may be left out
        if filled:
            arguments[argument.name] = first_choice(filled[0])
        elif values and argument.name in parameters["required"]:
            arguments[argument.name] = ""
    return arguments


def first_choice(accepted: Any) -> Any:
    """Return an accepted value with the lists of choices inside its dictionaries resolved."""
    if isinstance(accepted, dict):
        kept = {key: [one for one in choices if one != ""] for key, choices in accepted.items()}
        return {key: first_choice(choices[0]) for key, choices in kept.items() if choices}
    return [first_choice(item) for item in accepted] if isinstance(accepted, list) else accepted


def gold_calls(question: PublishedQuestion) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls that the answer accepts, each a tool's name and arguments."""
    return [(gold.tool, gold_arguments(question, gold)) for gold in question.gold]


def as_text(calls: list[tuple[str, dict[str, Any]]]) -> str:
    """Return calls in Python call syntax; a name that is no identifier goes unchanged."""
    written = (f"{tool}({', '.join(f'{name}={value!r}' for name, value in values.items())})" for tool, values in calls)
    return f"[{', '.join(written)}]"


def as_native(calls: list[tuple[str, dict[str, Any]]]) -> list[dict[str, str]]:
    """Return calls as native function calling records them, dots of names as underscores."""
    return [{tool.replace(".", "_"): json.dumps(values)} for tool, values in calls]
