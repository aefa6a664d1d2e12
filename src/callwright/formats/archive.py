"""One JSON document in a zip archive: bounded, and nothing is written to disk."""

from __future__ import annotations

import zlib
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from callwright.errors import BadDocument
from callwright.formats import document
from callwright.records.jsontext import MAX_BYTES, Json


def load(path: Path) -> Json:
    """Return the value of a JSON document, also of one that is the only one in a zip archive. Raises BadDocument."""
    if not path.is_file() or not is_zipfile(path):
        return document.load(path)
    where, data = _unpacked(path)
    return document.loads(data, where=where, syntax="json")


def _unpacked(path: Path) -> tuple[str, bytes]:
    """Return name and bytes of the only document; no more than the limit is ever unpacked, whatever the header says."""
    document.read_bounded(path)
    try:
        with ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".json") and not name.startswith("__MACOSX")]
            if len(names) != 1:
                raise BadDocument(
                    f"{path}: {len(names)} JSON documents in the archive. Give one with a single document."
                )
            where = f"{path}/{names[0]}"
            with archive.open(names[0]) as file:
                data = file.read(MAX_BYTES + 1)
    except (BadZipFile, zlib.error, OSError, NotImplementedError, RuntimeError, EOFError) as error:
        raise BadDocument(f"{path}: the archive cannot be read: {error}. Pack the document again.") from error
    if len(data) > MAX_BYTES:
        raise BadDocument(f"{where}: unpacks to more than {MAX_BYTES // 1024 // 1024} MiB. Split the document.")
    return where, data
