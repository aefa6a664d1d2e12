"""Sessions in the published layout of WildToolBench as a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import msgspec

from callwright.formats import document
from callwright.papers.paper import Corpus, CorpusReader
from callwright.papers.wild import published_layout


class ReadOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which half of each record is read."""

    language: Annotated[published_layout.Language, msgspec.Meta(description="Language of the half that is read.")] = (
        "english"
    )


def read(path: Path, options: ReadOptions) -> Corpus:
    """Return one half of the records of a file. Raises BadInput for what cannot be read."""
    catalog, dialogues = published_layout.read(document.load(path), source=path.name, language=options.language)
    return Corpus(catalog, dialogues, (path.name,), f"the {options.language} half")


READER: Final = CorpusReader(
    "Read PUBLISHED, sessions in the layout of WildToolBench, one record a line.\n\n"
    "A record holds a session in both languages; one of them is read.",
    "PUBLISHED",
    ReadOptions,
    read,
)
