"""Public benchmarks as datasets."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from callwright import __version__
from callwright.app.datasets import Dataset, open_dataset
from callwright.app.reviews import without_wrong
from callwright.errors import BadInput, BadRecord
from callwright.formats import catalog as catalogs
from callwright.formats import graph_file
from callwright.measure.shape import exchange_statistics
from callwright.papers.paper import Corpus, CorpusWriter
from callwright.papers.registry import load_mixer, load_reader, load_writer
from callwright.protocol import options_from
from callwright.recipe.card import corpus_card
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.store import dataset as folders
from callwright.store.files import write_atomically


class ReadResult(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of a corpus that was read, and the folder it was written to."""

    format: str
    dialogues: int
    gold_calls: int
    tools: int
    left_out: int
    """Tools of the files that are in no dialogue."""
    unanswered: int
    """Dialogues without tasks: nothing is known of what is right."""
    category: str = ""


def read_corpus(name: str, path: str | Path, *, out: str | Path, **options: Any) -> ReadResult:
    """Write the corpus in the file `path`, read by the reader `name` under its options, as the dataset `out`.

    Raises UnknownName, and BadInput for unknown options, for what cannot be read, and for a folder that holds something
    else.
    """
    reader = load_reader(name)
    folders.check_target(out)
    given = {key: os.fspath(value) if isinstance(value, os.PathLike) else value for key, value in options.items()}
    return write_corpus(out, name, reader.read(Path(path), options_from(name, reader.options, given)))


def mix_datasets(
    name: str, paths: Sequence[str | Path], *, out: str | Path, seed: int = 0, **options: Any
) -> ReadResult:
    """Write what the recipe `name` makes of the datasets in these folders, under its options, as the dataset `out`.

    Raises UnknownName, and BadInput for unknown options, for a folder that cannot be read, and for an `out` that holds
    something else.
    """
    mixer = load_mixer(name)
    folders.check_target(out)
    corpus = mixer.mix([Path(path) for path in paths], options_from(name, mixer.options, options), seed)
    return write_corpus(out, name, corpus)


def export_dialogues(
    folder: str | Path, layout: str, path: str | Path | None = None, *, reviewed: bool = False
) -> list[bytes]:
    """Return the dialogues of a dataset as JSON lines in a layout that a paper writes, such as `diaforge`.

    Where `path` is given, they are written there too; `reviewed` leaves out those that people marked wrong. Raises
    UnknownName for another layout, BadInput for a folder that is no dataset and for dialogues that do not fit into the
    layout, and StorageFailed.
    """
    writer = load_writer(layout)
    opened = without_wrong(open_dataset(folder)) if reviewed else open_dataset(folder)
    lines = [_record(writer, one, opened) for one in opened.dialogues]
    if path is not None:
        write_atomically(path, lines)
    return lines


def _record(writer: CorpusWriter, dialogue: Dialogue, opened: Dataset) -> bytes:
    try:
        return to_line(writer.record(dialogue, opened.catalog.by_key)) + b"\n"
    except BadRecord as error:
        raise BadRecord(f"{opened.folder}: dialogue {dialogue.id}: {error}") from error


def write_corpus(out: str | Path, name: str, corpus: Corpus) -> ReadResult:
    """Write a corpus, read by the reader `name`, as the dataset `out`, with the tools its dialogues show."""
    dialogues, catalog = corpus.dialogues, corpus.catalog
    (twice, count), *_ = [*Counter(dialogue.id for dialogue in dialogues).most_common(1), ("", 0)]
    if count > 1:
        raise BadInput(f"{', '.join(corpus.files)}: {count} dialogues have the id {twice!r}. Rename or remove them.")
    keys = {shown.key for dialogue in dialogues for shown in dialogue.tools}
    shown = msgspec.structs.replace(catalog, tools=tuple(tool for tool in catalog.tools if tool.key in keys))
    source: dict[str, Json] = {"format": name, "files": list(corpus.files), "category": corpus.category}
    folders.write_dataset(
        out,
        dialogues=map(to_line, dialogues),
        rejected=(),
        catalog=catalogs.write(shown),
        funnel={"kept": len(dialogues), "read": source, "callwright": __version__},
        card=corpus_card(name, corpus.files, len(dialogues), shown, exchange_statistics(dialogues, shown.by_key)),
    )
    if corpus.graph is not None:
        write_atomically(Path(out) / graph_file.GRAPH, [graph_file.write(corpus.graph)])
    return ReadResult(
        format=name,
        dialogues=len(dialogues),
        gold_calls=sum(len(task.gold) for dialogue in dialogues for task in dialogue.tasks),
        tools=len(shown.tools),
        left_out=len(catalog.tools) - len(shown.tools),
        unanswered=sum(not dialogue.tasks for dialogue in dialogues),
        category=corpus.category,
    )
