"""`callwright read msr-e2e`: the corpora of Microsoft's dialogue challenge, `movie_all.tsv` and its like.

Lines of tab-separated columns: session, message, time, `user` or `agent`, text, and then acts, one a column, such as
`request(taxi;date=tomorrow)`. The domain is the file's name up to `_`. Values that the user informs or requests with
hold from then on; what the agent says holds nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from callwright.errors import BadInput
from callwright.formats import document
from callwright.papers.fnctod.annotated_turns import Said, SlotLabel, annotated_corpus
from callwright.papers.paper import Corpus, CorpusReader, NoOptions

_COLUMNS: Final = ("session.id", "message.id", "message.timestamp", "message.from", "message.text")
_ACT: Final = re.compile(r"(\w+)\((.*?)\)?")
_NO_SLOTS: Final = frozenset(("greeting", "closing", "other", "result", "mc_list", "taskcomplete"))
"""What acts hold that is no wish."""


def read(path: Path, options: NoOptions) -> Corpus:
    """Return the dialogues of a file. Raises BadInput, with file, dialogue and turn."""
    del options
    try:
        lines = document.read_bounded(path).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 at byte {error.start}. Save the file as UTF-8.") from error
    header = [name.strip().lower() for name in lines[0].split("\t")] if lines else []
    if tuple(header[: len(_COLUMNS)]) != _COLUMNS:
        raise BadInput(f"{path}: the first line does not name {', '.join(_COLUMNS)}. Give a file such as taxi_all.tsv.")
    domain = path.stem.partition("_")[0].lower()
    dialogues: dict[str, list[Said]] = {}
    for at, line in enumerate(lines[1:], 2):
        cells = [_plain(cell) for cell in line.split("\t")]
        if not any(cells):
            continue
        where = f"{path}: dialogue {cells[0]}, turn {cells[1] if len(cells) > 1 else '?'} (line {at})"
        if len(cells) < len(_COLUMNS) or not cells[0]:
            raise BadInput(f"{where}: {len(cells)} columns. A line has at least {len(_COLUMNS)}, separated by tabs.")
        if cells[3] not in ("user", "agent"):
            raise BadInput(f"{where}: {cells[3]!r:.40} speaks. The speakers are user and agent.")
        labels = _labels(domain, cells[len(_COLUMNS) :], where) if cells[3] == "user" else ()
        dialogues.setdefault(cells[0], []).append(Said(cells[3] == "user", cells[4], tuple(labels)))
    if not dialogues:
        raise BadInput(f"{path}: no dialogues. Give a file such as taxi_all.tsv.")
    return annotated_corpus(path, "msr-e2e", dialogues)


def _plain(cell: str) -> str:
    """Return a cell without the quotes that stand around text with commas."""
    cell = cell.strip()
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if quoted else cell


def _labels(domain: str, acts: list[str], where: str) -> Iterator[SlotLabel]:
    for act in filter(None, acts):
        found = _ACT.fullmatch(act)
        if found is None:
            raise BadInput(f"{where}: {act!r:.80} is no act such as inform(date=today). Mend the column.")
        if found[1] not in ("inform", "request"):
            continue
        for part in found[2].split(";"):
            slot, given, value = part.partition("=")
            if given and value.strip() and slot.strip() and slot.strip() not in _NO_SLOTS:
                yield SlotLabel(domain, slot.strip(), value.strip().strip("{}"))


READER: Final = CorpusReader(
    "Read FILE of Microsoft's dialogue challenge (MSR-E2E), such as movie_all.tsv. There is no schema: the domain, "
    "which the file is named for, is a function of the slots that occur.",
    "FILE",
    NoOptions,
    read,
)
