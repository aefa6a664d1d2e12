"""The tools that questions of the Berkeley Function-Calling Leaderboard offer: `function`, a list in each question.

Files of tool documents on their own (`multi_turn_func_doc`) are lists of functions and read as such. Python's types are
read as JSON Schema's; `raw` keeps the document that official verdicts need.
"""

from __future__ import annotations

from collections.abc import Iterator

from callwright.errors import BadDocument
from callwright.formats.described import Described, as_list, collect
from callwright.formats.functions import described
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, LeftOut

LAYOUT = "BFCL (lines with `id`, `question` and `function`)"


def fits(document: Json) -> bool:
    """True for questions, also for those that offer no tools of their own."""
    return any(isinstance(line, dict) and {"id", "question"} <= line.keys() for line in as_list(document))


def read(document: Json, *, source: str) -> Catalog:
    """Return the tools of all questions, equal documents merged. Raises BadDocument when there is no usable one."""
    lines = as_list(document)
    if not any(isinstance(line, dict) and "function" in line for line in lines):
        raise BadDocument(
            f"{source}: these questions contain no tools. Import the files of `multi_turn_func_doc` instead."
        )
    return collect(_entries(lines), source=source)


def _entries(lines: list[Json]) -> Iterator[Described | LeftOut]:
    for number, line in enumerate(lines, 1):
        if not isinstance(line, dict):
            yield LeftOut(f"question {number}", "no question: it is no object")
            continue
        where = line["id"] if isinstance(line.get("id"), str) else f"question {number}"
        documents = line.get("function", [])
        if not isinstance(documents, list | dict):
            yield LeftOut(where, "`function` is no list of tool documents")
            continue
        yield from (described(one, f"{where}, tool {position}") for position, one in enumerate(as_list(documents), 1))
