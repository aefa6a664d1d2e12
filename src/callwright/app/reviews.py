"""Reviews as they are kept, in `.review/` of a dataset: `rounds.jsonl` and `marks.jsonl`, to which lines are added."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from callwright.app.datasets import Dataset
from callwright.app.reviewing import Mark, Review, Round, dialogue_digests, wrong_ids, wrong_turns
from callwright.errors import BadInput
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import MAX_BYTES
from callwright.store.files import reporting_files, write_atomically
from callwright.store.links import folder_inside, refuse_link
from callwright.store.lock import FolderLock

REVIEW: Final = ".review"

_ROUNDS: Final = "rounds.jsonl"
_MARKS: Final = "marks.jsonl"
_LOCK: Final = "lock"

_Line = TypeVar("_Line", bound=msgspec.Struct)


def read_review(data: Path, dialogues: Iterable[Dialogue]) -> Review:
    """Return what is kept of the review of a dataset. Raises BadInput, BadRecord with file and line."""
    return Review(dialogue_digests(dialogues), read_lines(data, _ROUNDS, Round), read_lines(data, _MARKS, Mark))


def keep_mark(data: Path, review: Review, drawn: Round, mark: Mark) -> Review:
    """Keep a mark, and the round with its first one; return the review with both. To be called under `review_lock`."""
    if drawn not in review.rounds:
        add_line(data, _ROUNDS, drawn)
        review = review._replace(rounds=(*review.rounds, drawn))
    add_line(data, _MARKS, mark)
    return review._replace(marks=(*review.marks, mark))


def with_wrong_turns(data: Dataset) -> tuple[Dataset, dict[str, frozenset[int]]]:
    """Return a dataset without the dialogues that are wrong as a whole, and the wrong turns of the others by id.

    A turn is wrong where a person marked it or a judge refused it. Raises BadInput where nobody marked or judged any.
    """
    from callwright.judge.subject import Talk
    from callwright.protocol.kept_judgements import refused_turns

    judged = refused_turns(data.folder, [Talk(one, one.turns, data.catalog.by_key) for one in data.dialogues])
    review = read_review(data.folder, data.dialogues)
    marked = wrong_turns(review)
    if judged is None and not review.marks:
        raise BadInput(f"{data.folder}: nobody has marked a dialogue yet. `callwright review` asks people to.")
    wrong = wrong_ids(review) - marked.keys()
    dialogues = tuple(one for one in data.dialogues if one.id not in wrong)
    turns = {one.id: marked.get(one.id, frozenset()) | (judged or {}).get(one.id, set()) for one in dialogues}
    return msgspec.structs.replace(data, dialogues=dialogues), {id_: found for id_, found in turns.items() if found}


def without_wrong(data: Dataset) -> Dataset:
    """Return a dataset without the dialogues that people marked wrong. Raises BadInput where nobody marked any."""
    review = read_review(data.folder, data.dialogues)
    if not review.marks:
        raise BadInput(f"{data.folder}: nobody has marked a dialogue yet. `callwright review` asks people to.")
    wrong = wrong_ids(review)
    return msgspec.structs.replace(data, dialogues=tuple(one for one in data.dialogues if one.id not in wrong))


@contextlib.contextmanager
def review_lock(data: Path) -> Iterator[None]:
    """Inside, no other process marks this dataset. Raises RunConflict where one does, StorageFailed."""
    path = _place(data, _LOCK)
    with reporting_files(path):
        path.parent.mkdir(exist_ok=True)
    lock = FolderLock(path)
    try:
        yield
    finally:
        lock.release()


def read_lines(data: Path, name: str, kind: type[_Line]) -> tuple[_Line, ...]:
    """Return the lines of a file of the review. Raises BadInput, BadRecord with file and line."""
    path = _place(data, name)
    lines = _bytes(path).split(b"\n")
    return tuple(from_line(line, kind, where=f"{path}:{n}") for n, line in enumerate(lines, 1) if line.strip())


def add_line(data: Path, name: str, record: msgspec.Struct) -> None:
    """Add a line to a file of the review. To be called under `review_lock`."""
    path = _place(data, name)
    before = _bytes(path)
    end = b"" if not before or before.endswith(b"\n") else b"\n"
    write_atomically(path, [before, end, to_line(record), b"\n"])


def _bytes(path: Path) -> bytes:
    if not path.exists():
        return b""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"{path}: over {MAX_BYTES:,} bytes. Move the folder away to start a new review.")
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}). Check the file and its permissions.") from error


def _place(data: Path, name: str) -> Path:
    path = folder_inside(data, REVIEW) / name
    refuse_link(path)
    return path
