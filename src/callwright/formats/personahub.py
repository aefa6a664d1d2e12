"""PersonaHub's layout: JSON lines with a `persona` each, read into personas that have only a text.

Lines may carry more (`input persona`, `synthesized text` and the like); only `persona` is used.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from callwright.errors import BadDocument
from callwright.formats.document import read_bounded
from callwright.records.persona import Persona
from callwright.records.tool import digest

MAX_TEXT = 4000
"""Longest persona text accepted, in characters."""


class _Line(msgspec.Struct):
    persona: str


_decoder = msgspec.json.Decoder(_Line)


def read(path: Path) -> tuple[Persona, ...]:
    """Return the personas of a PersonaHub file, each once; their ids are digests of the texts. Raises BadDocument."""
    lines = read_bounded(path).removeprefix(b"\xef\xbb\xbf").splitlines()
    texts = [_text(line, where=f"{path}: line {number}") for number, line in enumerate(lines, 1)]
    if not texts:
        raise BadDocument(
            f'{path}: no personas. Give one JSON object a line, such as {{"persona": "A nurse who ..."}}.'
        )
    return tuple(Persona(id=digest(text), name="", job="", text=text) for text in dict.fromkeys(texts))


def _text(line: bytes, *, where: str) -> str:
    if not line.strip():
        raise BadDocument(f"{where}: blank. Remove the line.")
    try:
        text = " ".join(_decoder.decode(line).persona.split())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadDocument(f'{where}: {error}. Expected one JSON object with a text under "persona".') from error
    if not text or len(text) > MAX_TEXT:
        raise BadDocument(f"{where}: `persona` has {len(text):,} characters; expected 1 to {MAX_TEXT:,}.")
    return text
