"""Documents in zip archives."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from callwright.errors import BadDocument
from callwright.formats import archive


def pack(path: Path, text: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("one.json", text)
    return path


def test_a_document_is_read_plain_and_zipped(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": 1}')
    assert archive.load(tmp_path / "a.json") == archive.load(pack(tmp_path / "a.zip", b'{"a": 1}')) == {"a": 1}


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 1000)
    with pytest.raises(BadDocument, match="unpacks to more"):
        archive.load(pack(tmp_path / "bomb.zip", b" " * 5000))


@pytest.mark.parametrize("text", [b'{"a": "\xff"}', b"[" * 5000, b"{"])
def test_a_broken_document_is_one_error(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(BadDocument, match=r"one\.json"):
        archive.load(pack(tmp_path / "bad.zip", text))


def test_a_broken_archive_is_one_error(tmp_path: Path) -> None:
    path = pack(tmp_path / "cut.zip", b'{"a": 12345678901234567890123}' * 50)
    data = bytearray(path.read_bytes())
    data[40:60] = b"\xff" * 20
    path.write_bytes(data)
    with pytest.raises(BadDocument, match=r"cut\.zip"):
        archive.load(path)


def test_half_an_archive_is_said(tmp_path: Path) -> None:
    path = pack(tmp_path / "half.zip", b'{"a": 12345678901234567890123}' * 50)
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(BadDocument, match="a zip archive that is damaged"):
        archive.load(path)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadDocument, match="no such file"):
        archive.load(tmp_path / "none.zip")
