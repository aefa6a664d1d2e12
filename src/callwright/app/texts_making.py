"""Texts of a catalogue's fields that a model writes before its tool graph is built, kept beside the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from callwright.app.requests import Asking
from callwright.app.roles import served_writer
from callwright.app.run_end import RunUsage, failure_examples, resumable, told_when_stopped, usage
from callwright.engine.roll_out import AS_USUAL, Execution, Tally, check_priced, roll_out
from callwright.graph.field_texts import ToolWords
from callwright.graph.graph_fields import fields_of
from callwright.graph.texts_authoring import TEXTS_KIND, TextsAuthoring, TextsPart, text_parts, words_by_tool
from callwright.models.prices import read_prices
from callwright.records.tool import Catalog
from callwright.store.links import folder_inside
from callwright.store.run import Run

_KEPT: Final = ".graph-texts"
"""Folder beside a graph in which replies are kept."""


class TextsAuthor(msgspec.Struct, frozen=True, kw_only=True):
    """The author of the texts, and how it is asked."""

    author: str
    asking: Asking = Asking()
    execution: Execution = AS_USUAL


class AuthoredTexts(RunUsage, frozen=True, kw_only=True):
    """How many texts are a model's."""

    author: str
    fields: int
    """Output fields and needed inputs of each tool, by their places."""
    written: int
    """Fields with a description and a phrase of the model; the others keep those of the documents."""
    tools: int
    """Tools with such fields."""
    keywords: int
    """Tools with keywords of the model."""
    failed: dict[str, int] = msgspec.field(default_factory=dict)
    """Requests without any reply of the form, by class of error."""


def author_texts(catalog: Catalog, graph: Path, asked: TextsAuthor) -> tuple[dict[int, ToolWords], AuthoredTexts]:
    """Return the texts that a model writes, by the positions of tools; what was asked for before is not asked again.

    Raises BadInput, and Interrupted where the budget is spent.
    """
    model = served_writer(asked.author, asked.asking)
    execution = asked.execution
    check_priced([model], execution.prices or read_prices(), execution.budget)
    parts = text_parts(fields_of(catalog), model.name)
    job = TextsAuthoring(parts, model)
    folder = folder_inside(graph.resolve().parent, _KEPT)
    with resumable(folder), Run.open(folder, kind=TEXTS_KIND, config={}, durable=execution.durable) as run:
        run.add_items((name, b"{}") for name in job.ids)

        def result(tally: Tally) -> AuthoredTexts:
            words, failed = _words(run, parts)
            return AuthoredTexts(
                **_counts(words, parts),
                author=model.name,
                failed=failed,
                examples=failure_examples(run),
                **usage(tally.bill),
            )

        with told_when_stopped(result):
            tally = roll_out(job, run, seed=0, trials=1, execution=execution)
        return _words(run, parts)[0], result(tally)


def kept_words(catalog: Catalog, graph: Path, author: str) -> dict[int, ToolWords] | None:
    """Return the texts of this author that are kept beside a graph; None where there are none any more."""
    folder = graph.resolve().parent / _KEPT
    if not (folder / "run.db").is_file():
        return None
    with Run.read(folder) as run:
        return _words(run, text_parts(fields_of(catalog), author))[0]


def _words(run: Run, parts: Sequence[TextsPart]) -> tuple[dict[int, ToolWords], dict[str, int]]:
    """The texts of these requests, and the number of failures by class."""
    asked, replies, failed = {part.id for part in parts}, dict[str, bytes](), Counter[str]()
    for outcome in run.outcomes():
        if outcome.item in asked and outcome.value is not None:
            replies[outcome.item] = outcome.value
        elif outcome.item in asked:
            failed[outcome.kind] += 1
    return words_by_tool(parts, replies), dict(sorted(failed.items()))


def _counts(words: dict[int, ToolWords], parts: Sequence[TextsPart]) -> dict[str, Any]:
    return {
        "fields": sum(len(part.asked) for part in parts),
        "written": sum(len(one.fields) for one in words.values()),
        "tools": len({part.tool for part in parts}),
        "keywords": sum(bool(one.keywords) for one in words.values()),
    }
