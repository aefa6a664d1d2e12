"""The system message of the model under test: a word for one of two texts, or a file's text.

`neutral` fits any assistant; `coached` is the protocol's own wording, which tells the right behaviour in its tasks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from callwright.errors import BadInput
from callwright.protocol import EvaluationProtocol
from callwright.records.tool import digest

LONGEST: Final = 64_000
"""Most bytes of a file."""

NEUTRAL: Final = "You are an assistant with access to the tools listed."


class SystemPrompt(NamedTuple):
    """A text, and what names it in signatures: `neutral`, `coached`, or `file:` and the digest of the text."""

    name: str = "neutral"
    text: str = NEUTRAL


def read_system(protocol: EvaluationProtocol, given: str | Path | None) -> SystemPrompt:
    """Return what a user asks for by a word or a path; None: `neutral`. Raises BadInput for an unusable file."""
    if given is None or given == "neutral":
        return SystemPrompt()
    if given == "coached":
        return SystemPrompt("coached", protocol.duties)
    text = _read(Path(given))
    return SystemPrompt(f"file:{digest(text)}", text)


def _read(path: Path) -> str:
    if not path.is_file():
        raise BadInput(f"system {str(path)!r:.200}: no such file. Give a text file, or the word neutral or coached.")
    with path.open("rb") as file:
        data = file.read(LONGEST + 1)
    try:
        text = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 at byte {error.start}. Save the file as UTF-8.") from error
    if not text or len(data) > LONGEST:
        raise BadInput(
            f"{path}: {'empty' if not text else f'over {LONGEST:,} bytes'}. Give a text of 1 to {LONGEST:,}."
        )
    return text
