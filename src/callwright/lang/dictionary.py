"""The dictionary of `lemminflect`, whose entries are read when they are looked up.

The library reads all 120,000 of them at the first word, which takes half a second in every process.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

_Entry = dict[str, Any]


class _Table:
    """One file of lines `word,category,...` in place of the library's mapping, of which it only uses `get`."""

    def __init__(self, file: str, read: Callable[[str], _Entry], fixed: dict[str, _Entry]) -> None:
        self._lines = sorted(gzip.decompress(Path(file).read_bytes()).decode().splitlines())
        self._read = read
        self._fixed = fixed

    def get(self, word: str, default: _Entry) -> _Entry:
        """Return the entry of a word by part of speech or tag; `default` where there is none."""
        if word in self._fixed:
            return self._fixed[word]
        start = f"{word},"
        place = bisect_left(self._lines, start)
        found: _Entry = {}
        while place < len(self._lines) and self._lines[place].startswith(start):
            found |= self._read(self._lines[place])
            place += 1
        return found or default


@cache
def inflections() -> Any:
    """Return the library's `Inflections`."""
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
    from lemminflect.core.Inflections import Inflections

    found = Inflections()
    auxiliaries = InflectionLUCodec.updateForAuxMod({})
    found.infl_dict = _Table(found.infl_lu_fn, lambda line: InflectionLUCodec.fromString(line)[2], auxiliaries)
    return found


@cache
def lemmatizer() -> Any:
    """Return the library's `Lemmatizer`."""
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec
    from lemminflect.core.Lemmatizer import Lemmatizer
    from lemminflect.core.LexicalUtils import categoryToUPos

    def read(line: str) -> _Entry:
        _, category, lemmas = LemmaLUCodec.fromString(line)
        return {categoryToUPos(category): lemmas}

    found = Lemmatizer()
    found.lemma_dict = _Table(found.lemma_lu_fn, read, {})
    return found
