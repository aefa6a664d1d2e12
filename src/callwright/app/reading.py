"""Public benchmarks as datasets: read once, then shown, measured and evaluated like our own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from callwright import __version__
from callwright.errors import BadInput
from callwright.formats import catalog as catalogs
from callwright.formats import document
from callwright.measure.shape import shape
from callwright.papers.bfcl import multi_turn_layout as bfcl_multi_turn
from callwright.papers.bfcl import question_dialogues as bfcl_dialogues
from callwright.papers.bfcl import question_layout as bfcl
from callwright.papers.bfcl import question_tools as bfcl_tools
from callwright.papers.wild import published_layout as wild
from callwright.recipe.card import corpus_card
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog
from callwright.store import dataset as folders


class ReadResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was read and written."""

    format: str
    dialogues: int
    gold_calls: int
    tools: int
    left_out: int
    """Tools of the files that are in no dialogue."""
    category: str = ""


def read_bfcl(
    questions: str | Path,
    *,
    answers: str | Path | None = None,
    category: str = "",
    functions: str | Path | None = None,
    out: str | Path,
) -> ReadResult:
    """Write questions of the Berkeley Function-Calling Leaderboard, with their answers, as the dataset `out`.

    The category is `category`, or that of the file's name (`BFCL_v4_live_simple.json`); ids never tell it. Without
    `answers` nothing is known of what is right, but in `irrelevance`, where nothing is. `functions` is the folder of
    documents for multi-turn questions, by default `multi_turn_func_doc` beside the questions.
    Raises BadInput for what cannot be read, and for a folder that holds something else.
    """
    path = Path(questions)
    folders.check_target(out)
    named = bfcl.known_category(category or path.name)
    if not named and (category or path.name.startswith("BFCL_")):
        raise BadInput(f"{category or path.name}: not a known category. Known: {', '.join(bfcl.CATEGORIES)}.")
    lines = document.load(path)
    listed = lines if isinstance(lines, list) else [lines]
    truths = None if answers is None else document.load(Path(answers))
    if listed and all(map(bfcl_multi_turn.is_multi_turn, listed)):
        documents = _functions(Path(functions) if functions else path.parent / "multi_turn_func_doc")
        catalog = bfcl_multi_turn.read_tools(documents, source=path.name)
        dialogues = bfcl_multi_turn.to_dialogues(listed, _listed(truths), documents, catalog, category=named)
    else:
        if functions is not None:
            raise BadInput(f"{path}: these questions contain their own functions. Leave out the folder of functions.")
        asked = bfcl.read(lines, truths, source=str(path))
        catalog = bfcl_tools.read(lines, source=path.name)
        is_answered = answers is not None or named.endswith(bfcl.IRRELEVANCE)
        dialogues = bfcl_dialogues.to_dialogues(asked, catalog, category=named, has_answers=is_answered)
    files = [path.name, *([Path(answers).name] if answers else [])]
    return write_corpus(out, dialogues, catalog, format_="bfcl", files=files, category=named)


def read_wild(published: str | Path, *, language: wild.Language = "english", out: str | Path) -> ReadResult:
    """Write sessions in the published layout of WildToolBench, one record a line, as the dataset `out`.

    `language` is the half of each record that is read. Raises BadInput for what cannot be read, and for a folder that
    holds something else.
    """
    path = Path(published)
    folders.check_target(out)
    catalog, dialogues = wild.read(document.load(path), source=path.name, language=language)
    return write_corpus(out, dialogues, catalog, format_="wild", files=[path.name], category=f"the {language} half")


def write_corpus(
    out: str | Path,
    dialogues: Sequence[Dialogue],
    catalog: Catalog,
    *,
    format_: str,
    files: Sequence[str],
    category: str,
) -> ReadResult:
    """Write dialogues that were read from `files` as the dataset `out`, with the tools they show."""
    folders.check_target(out)
    keys = {shown.key for dialogue in dialogues for shown in dialogue.tools}
    shown = msgspec.structs.replace(catalog, tools=tuple(tool for tool in catalog.tools if tool.key in keys))
    source: dict[str, Json] = {"format": format_, "files": list(files), "category": category}
    folders.write_dataset(
        out,
        dialogues=map(to_line, dialogues),
        rejected=(),
        catalog=catalogs.write(shown),
        funnel={"kept": len(dialogues), "read": source, "callwright": __version__},
        card=corpus_card(format_, files, len(dialogues), shown, shape(dialogues, shown.by_key)),
    )
    return ReadResult(
        format=format_,
        dialogues=len(dialogues),
        gold_calls=sum(len(task.gold) for dialogue in dialogues for task in dialogue.tasks),
        tools=len(shown.tools),
        left_out=len(catalog.tools) - len(shown.tools),
        category=category,
    )


def _functions(folder: Path) -> dict[str, Sequence[Json]]:
    """The documents of each class whose file is there."""
    found = {name: folder / file for name, file in bfcl_multi_turn.CLASS_FILES.items() if (folder / file).is_file()}
    if not found:
        raise BadInput(
            f"{folder}: the function documents of multi-turn questions are missing. Name the folder with "
            f"{next(iter(bfcl_multi_turn.CLASS_FILES.values()))} and the like with --functions."
        )
    return {name: _listed(document.load(file)) or [] for name, file in found.items()}


def _listed(lines: Json) -> list[Json] | None:
    return lines if lines is None or isinstance(lines, list) else [lines]
