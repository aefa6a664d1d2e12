"""The cinema dialogues as records."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from cinema_dialogues import record_of, text_of

from callwright.papers.paper import Corpus, NoOptions
from callwright.papers.tooldial.act_grammar import sequences
from callwright.papers.tooldial.released_layout import read

SEQUENCES = tuple(sequences())


def corpus_of(acts: Iterable[Sequence[str]] = SEQUENCES, *, text: bool = False) -> Corpus:
    """Return dialogues with these act sequences, read from either layout."""
    records = [record_of(one) for one in acts]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cinema.json"
        path.write_text(json.dumps([text_of(one) for one in records] if text else records), encoding="utf-8")
        return read(path, NoOptions())
