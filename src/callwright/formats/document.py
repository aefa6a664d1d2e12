"""Foreign documents in JSON, JSON lines or YAML, as JSON values: bounded, never executed, never fetched.

In JSON the last of two equal keys wins, as in Python; in YAML (see `yaml_events`) a duplicate key is an error.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from callwright.errors import BadDocument
from callwright.formats.yaml_events import parse_yaml
from callwright.records.jsontext import MAX_BYTES, Json, parse

Syntax = Literal["json", "jsonl", "yaml"]

_ZIP = b"PK\x03\x04"
_TOOLS_OF_FOLDERS = ("catalog.json", "tools.json", "openapi.json", "openapi.yaml")

_SUFFIXES: dict[str, Syntax] = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".yaml": "yaml", ".yml": "yaml"}


def load(path: Path) -> Json:
    """Return the value of the document at `path`; of JSON lines, the list of values.

    The syntax follows the suffix, or else the first character. Raises BadDocument, with file, line and column.
    """
    data = read_bounded(path)
    if data.startswith(_ZIP):
        raise BadDocument(f"{path}: a zip archive that is damaged or not expected here. Unpack it first.")
    return loads(data, where=str(path), syntax=_SUFFIXES.get(path.suffix.lower()) or _sniff(data))


def loads(text: bytes, *, where: str, syntax: Syntax) -> Json:
    """Return the value of `text` (bounds and errors as in `load`)."""
    if len(text) > MAX_BYTES:
        raise _too_large(where)
    if not text.strip():
        raise BadDocument(f"{where}: the file is empty. Give a document.")
    if syntax == "json":
        return _parse_json(text, where)
    if syntax == "jsonl":
        return _parse_lines(text, where)
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadDocument(f"{where}: not UTF-8 at byte {error.start}. Save the file as UTF-8.") from error
    return parse_yaml(decoded, where=where)


def _parse_json(text: bytes, where: str) -> Json:
    try:
        return parse(text, where=where)
    except BadDocument as error:
        if "Extra data" not in str(error) or len(text.splitlines()) == 1:
            raise
        return _parse_lines(text, where)


def _parse_lines(text: bytes, where: str) -> list[Json]:
    return [_parse_line(line, f"{where}:{number}") for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def _parse_line(line: bytes, where: str) -> Json:
    try:
        return parse(line, where=where)
    except BadDocument as error:
        fault = str(error).removeprefix(f"{where}: line 1, ")
        if fault == str(error):
            raise
        raise BadDocument(f"{where}: {fault}. Fix the line; every line must be one JSON value.") from error


def read_bounded(path: Path) -> bytes:
    """Return the bytes of a file of at most 64 MiB; the size is checked before reading."""
    try:
        if path.is_dir():
            example = next((f", such as {path / name}" for name in _TOOLS_OF_FOLDERS if (path / name).is_file()), "")
            raise BadDocument(f"{path}: this is a folder. Give a file in it{example}.")
        if path.stat().st_size > MAX_BYTES:
            raise _too_large(str(path))
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)  # a pipe has no size
    except BadDocument:
        raise
    except FileNotFoundError as error:
        raise BadDocument(f"{path}: no such file. Check the path.") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadDocument(f"{path}: cannot be read: {reason}.") from error
    if len(data) > MAX_BYTES:
        raise _too_large(str(path))
    return data


def parts(path: Path, pattern: str) -> list[Path]:
    """Return a file, or the files of a folder whose names match, in their order. Raises BadDocument without any."""
    files = sorted(path.glob(pattern)) if path.is_dir() else [path]
    if not files:
        raise BadDocument(f"{path}: no file in this folder is called {pattern}. Give another folder, or a file.")
    return files


def _too_large(where: str) -> BadDocument:
    return BadDocument(f"{where}: larger than {MAX_BYTES // 1024 // 1024} MiB. Split the document.")


def _sniff(data: bytes) -> Syntax:
    return "json" if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else "yaml"
