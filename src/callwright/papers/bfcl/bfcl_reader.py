"""Questions of the Berkeley Function-Calling Leaderboard, with their answers, as a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from callwright.errors import BadInput
from callwright.formats import document
from callwright.formats.described import as_list
from callwright.papers.bfcl import multi_turn_layout, question_dialogues, question_layout, question_tools
from callwright.papers.paper import Corpus, CorpusReader
from callwright.records.jsontext import Json

_FILE: Final = {"metavar": "FILE"}


class BfclReadOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The other files of a category, and its name."""

    answers: Annotated[
        str | None,
        Meta(
            description="The accepted answers; `irrelevance` has none.  [default: possible_answer/ beside QUESTIONS]",
            extra=_FILE,
        ),
    ] = None
    category: Annotated[str, Meta(description="Category of the questions.  [default: from the file's name]")] = ""
    functions: Annotated[
        str | None,
        Meta(
            description="Multi-turn only.  [default: multi_turn_func_doc beside QUESTIONS]", extra={"metavar": "FOLDER"}
        ),
    ] = None


def read(path: Path, options: BfclReadOptions) -> Corpus:
    """Return the questions of a file as dialogues with their tools.

    The category is the option's, or that of the file's name (`BFCL_v4_live_simple.json`); ids never tell it. Without
    answers nothing is known of what is right, but in `irrelevance`, where nothing is. Raises BadInput.
    """
    given, answers = options.category, options.answers or _published_answers(path)
    category = question_layout.known_category(given or path.name)
    if not category and (given or path.name.startswith("BFCL_")):
        known = ", ".join(question_layout.CATEGORIES)
        raise BadInput(f"{given or path.name}: not a known category. Known: {known}.")
    lines = document.load(path)
    listed = as_list(lines)
    truths = None if answers is None else document.load(Path(answers))
    if listed and all(map(multi_turn_layout.is_multi_turn, listed)):
        documents = _functions(Path(options.functions or path.parent / "multi_turn_func_doc"))
        catalog = multi_turn_layout.read_tools(documents, source=path.name)
        answered = None if truths is None else as_list(truths)
        dialogues = multi_turn_layout.to_dialogues(listed, answered, documents, catalog, category=category)
    else:
        if options.functions is not None:
            raise BadInput(f"{path}: these questions contain their own functions. Leave out the folder of functions.")
        asked = question_layout.read(lines, truths, source=str(path))
        catalog = question_tools.read(lines, source=path.name)
        is_answered = answers is not None or category.endswith(question_layout.IRRELEVANCE)
        dialogues = question_dialogues.to_dialogues(asked, catalog, category=category, has_answers=is_answered)
    files = (path.name, *([Path(answers).name] if answers else []))
    return Corpus(catalog, tuple(dialogues), files, category)


def _published_answers(questions: Path) -> str | None:
    """The answers where the leaderboard keeps them; None where that place has no such file."""
    file = questions.parent / "possible_answer" / questions.name
    return str(file) if file.is_file() else None


def _functions(folder: Path) -> dict[str, Sequence[Json]]:
    files = multi_turn_layout.CLASS_FILES
    found = {name: folder / file for name, file in files.items() if (folder / file).is_file()}
    if not found:
        raise BadInput(
            f"{folder}: the function documents of multi-turn questions are missing. Name the folder with "
            f"{next(iter(files.values()))} and the like with --functions."
        )
    return {name: as_list(document.load(file)) for name, file in found.items()}


READER: Final = CorpusReader(
    "Read QUESTIONS of the Berkeley Function-Calling Leaderboard, with their answers.\n\n"
    "Questions of several turns are read with their gold calls; nothing in them is ever run.",
    "QUESTIONS",
    BfclReadOptions,
    read,
)
