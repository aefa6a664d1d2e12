"""Encodes records as JSON lines with a schema version, and decodes them strictly."""

from __future__ import annotations

from typing import Final, TypeVar

import msgspec

from callwright.errors import BadDocument, BadRecord
from callwright.records.dialogue import SCHEMA_VERSION
from callwright.records.jsontext import refuse_long_numbers

Record = TypeVar("Record")

_VERSION: Final = f'"schema_version":{SCHEMA_VERSION}'
_VERSION_BYTES: Final = _VERSION.encode()

_encoder = msgspec.json.Encoder()


class _Versioned(msgspec.Struct):
    schema_version: int | None = None


_version = msgspec.json.Decoder(_Versioned)
_decoders: dict[type, msgspec.json.Decoder] = {}  # type: ignore[type-arg]


def to_line(record: object) -> bytes:
    """Return a record as one line of JSON, without line end. Raises BadRecord for half of a surrogate pair."""
    try:
        return _encoder.encode(record)
    except UnicodeEncodeError as error:
        raise BadRecord(f"text that is not Unicode: {error}. Replace the broken character.") from error


def from_line(line: bytes | str, kind: type[Record], *, where: str) -> Record:
    """Decode one line written by `to_line`. Raises BadRecord, naming `where`, also for other schema versions."""
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.json.Decoder(kind)
    try:
        refuse_long_numbers(line, where=where)
        record: Record = decoder.decode(line)
    except BadDocument as error:
        raise BadRecord(str(error)) from error
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        _check_version(line, where)  # another version explains all other errors
        raise BadRecord(f"{where}: {error}. The line was damaged or edited; restore or regenerate it.") from error
    if not _says_version(line):
        _check_version(line, where)  # missing or written differently: too rare to check in every line
    return record


def _says_version(line: bytes | str) -> bool:
    return (line.rfind(_VERSION) if isinstance(line, str) else line.rfind(_VERSION_BYTES)) >= 0  # it stands at the end


def _check_version(line: bytes | str, where: str) -> None:
    """Raise BadRecord for a line of another schema version; return normally if the line is damaged."""
    try:
        version = _version.decode(line).schema_version
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return
    if version != SCHEMA_VERSION:
        raise BadRecord(
            f"{where}: schema_version is {version!r}; this version of callwright reads {SCHEMA_VERSION}. "
            "Make the data again with the command that made it, in a new folder."
        )
