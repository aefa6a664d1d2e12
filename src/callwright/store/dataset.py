"""A dataset folder: checked dialogues, tool documents, rejected dialogues with reasons, and a dataset card.

    ds/
    ├── dialogues.jsonl   one dialogue a line, in planned order
    ├── rejected.jsonl    one rejected dialogue a line, with the reasons
    ├── catalog.json      the documents of all tools
    ├── README.md         the card
    ├── funnel.json       counts, and the SHA-256 of the files above
    └── .run/             the journal it came from

All files are written completely before the first is moved into place. `funnel.json` is removed first and moved into
place last: a folder with a `.run` but without `funnel.json` is an unfinished dataset.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from callwright.errors import BadInput, BadRecord
from callwright.records.codec import from_line
from callwright.records.dialogue import SCHEMA_VERSION, Dialogue
from callwright.records.dialogue_check import check_dialogue
from callwright.records.issue import Issue
from callwright.records.jsontext import MAX_BYTES, Json, parse
from callwright.store.files import Prepared, discard, file_sha256, prepare, publish, reporting_files
from callwright.store.links import refuse_link

DIALOGUES = "dialogues.jsonl"
REJECTED = "rejected.jsonl"
CATALOG = "catalog.json"
CARD = "README.md"
FUNNEL = "funnel.json"
RUN = ".run"

_RECORDED = (DIALOGUES, REJECTED, CATALOG, CARD)


class Rejected(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A dialogue that failed a check, with every reason: one line of `rejected.jsonl`."""

    dialogue: Dialogue
    issues: tuple[Issue, ...]
    schema_version: int = SCHEMA_VERSION


def write_dataset(
    folder: Path | str,
    *,
    dialogues: Iterable[bytes],
    rejected: Iterable[bytes],
    catalog: bytes,
    funnel: Mapping[str, Json],
    card: str,
) -> None:
    """Write a dataset: lines without line ends, `catalog` unchanged, `funnel` with the digests added as `files`.

    Raises BadInput as `check_target` does, StorageFailed if the disk refuses; the folder's files are then unchanged.
    """
    folder = Path(folder)
    check_target(folder)
    contents: dict[str, Iterable[bytes]] = {
        DIALOGUES: (part for line in dialogues for part in (line, b"\n")),
        REJECTED: (part for line in rejected for part in (line, b"\n")),
        CATALOG: [catalog],
        CARD: [card.encode()],
    }
    prepared: list[Prepared] = []
    try:
        for name, chunks in contents.items():
            prepared.append(prepare(folder / name, chunks))
        digests = {file.path.name: file.sha256 for file in prepared}
        summary = {**funnel, "files": digests, "schema_version": SCHEMA_VERSION}
        prepared.append(prepare(folder / FUNNEL, [json.dumps(summary, indent=2).encode() + b"\n"]))
        with reporting_files(folder / FUNNEL):
            (folder / FUNNEL).unlink(missing_ok=True)
        for file in prepared:
            publish(file)
    finally:
        for file in prepared:
            discard(file.temporary)


def check_target(folder: Path | str) -> None:
    """Raise BadInput unless a dataset may be written to `folder` without losing anything.

    It may in an empty folder, over an unfinished dataset, and over files as they were written, never through a link.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder}: not a folder. Choose another name.")
    if folder.resolve().parent == folder.resolve():
        raise BadInput(f"{folder}: this is the root of all folders. Give a folder of its own.")
    for name in (*_RECORDED, FUNNEL, RUN):
        refuse_link(folder / name)
    if (folder / "run.db").is_file():
        raise BadInput(f"{folder}: this folder holds a run. Choose another folder for the dataset.")
    if (folder / FUNNEL).is_file() and (changed := changed_by_hand(folder)):
        raise BadInput(
            f"{folder}: {', '.join(changed)} changed since the dataset was written, and would be overwritten. "
            "Write to another folder, or move the changed files away."
        )
    ours = (folder / FUNNEL).is_file() or (folder / RUN).is_dir()
    if foreign := [] if ours else [name for name in _RECORDED if (folder / name).exists()]:
        raise BadInput(f"{folder}: not a dataset; this would overwrite {', '.join(foreign)}. Choose another folder.")


def changed_by_hand(folder: Path | str) -> list[str]:
    """Return the names of files that differ from what `funnel.json` records. Missing files are not named."""
    folder = Path(folder)
    recorded = read_funnel(folder).get("files")
    if not isinstance(recorded, dict):
        return [FUNNEL]
    present = [name for name in _RECORDED if name in recorded and (folder / name).is_file()]
    with _reading(folder):
        return [name for name in present if file_sha256(folder / name) != recorded[name]]


def read_funnel(folder: Path | str) -> dict[str, Json]:
    """Return the counts of a finished dataset. Raises BadInput, BadRecord for another schema version."""
    path = _dataset_file(Path(folder), FUNNEL)
    funnel = parse(_bytes(path), where=str(path))
    if not isinstance(funnel, dict):
        raise BadInput(f"{path}: not a JSON object. The file was edited; make the dataset again in another folder.")
    if (version := funnel.get("schema_version")) != SCHEMA_VERSION:
        raise BadRecord(
            f"{path}: schema_version is {version!r}; this version of callwright reads {SCHEMA_VERSION}. "
            "Make the dataset again with the command that made it, in a new folder."
        )
    return funnel


def read_dialogues(folder: Path | str) -> Iterator[Dialogue]:
    """Yield the dialogues of a dataset, one at a time. Raises BadInput, BadRecord with file and line."""
    path = _dataset_file(Path(folder), DIALOGUES)
    return (_checked(from_line(line, Dialogue, where=where), where) for where, line in read_lines(path))


def _checked(dialogue: Dialogue, where: str) -> Dialogue:
    check_dialogue(dialogue, where=where)
    return dialogue


def read_rejected(folder: Path | str) -> Iterator[Rejected]:
    """Yield the rejected dialogues of a dataset, with their reasons. Raises BadInput, BadRecord with file and line."""
    path = _dataset_file(Path(folder), REJECTED)
    return (from_line(line, Rejected, where=where) for where, line in read_lines(path))


def read_catalog_bytes(folder: Path | str) -> bytes:
    """Return `catalog.json` as it is. Raises BadInput."""
    return _bytes(_dataset_file(Path(folder), CATALOG))


def _dataset_file(folder: Path, name: str) -> Path:
    """Return the path of a required file; a handmade folder, without a `.run`, may lack `funnel.json`."""
    if folder.is_file():
        raise BadInput(f"{folder}: this is a file. Give the folder of a dataset.")
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder. Give the folder of a dataset.")
    if (folder / "run.db").is_file():
        raise BadInput(f"{folder}: this is a run. Give the folder of a dataset, such as the one it was made from.")
    if (folder / RUN).is_dir() and not (folder / FUNNEL).is_file():
        raise BadInput(f"{folder}: the dataset is unfinished. Run the command that began it again.")
    if not (folder / name).is_file():
        raise BadInput(f"{folder}: not a dataset: it has no {name}.")
    return folder / name


def read_lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield each non-blank line without its line end, with its place (`path:number`)."""
    with _reading(path), open(path, "rb") as file:
        number = 0
        while line := file.readline(MAX_BYTES + 1):
            number += 1
            if len(line) > MAX_BYTES:
                raise BadInput(f"{path}:{number}: a line of over {MAX_BYTES:,} bytes. Remove it, or split the record.")
            if line := line.strip():
                yield f"{path}:{number}", line


def _bytes(path: Path) -> bytes:
    with _reading(path), open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadInput(f"{path}: over {MAX_BYTES:,} bytes. Restore it, or make the dataset again.")
    return data


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}). Check the file and its permissions.") from error
