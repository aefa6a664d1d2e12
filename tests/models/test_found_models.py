"""What runs on this machine: files, servers and the builtin models, as they are found and listed."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import pytest
from click.testing import CliRunner

from callwright.app.model_checks import list_models
from callwright.cli import main
from callwright.errors import BadInput
from fake_server import FakeServer
from serving import serving


def gguf(path: Path, title: str = "") -> Path:
    """A file that begins as a model file does."""
    name = b"general.name" + struct.pack("<I", 8) + struct.pack("<Q", len(title)) + title.encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"GGUF" + (struct.pack("<Q", 12) + name if title else b""))
    return path


def test_files_are_named_as_a_command_takes_them(tmp_path: Path) -> None:
    """Also in folders below, with the title that the file gives itself; other files are none."""
    deep, plain = gguf(tmp_path / "a" / "b" / "x.gguf", "Small Model"), gguf(tmp_path / "y.GGUF")
    (tmp_path / "z.bin").write_bytes(b"GGUF")
    found = list_models([tmp_path], ports=()).files
    assert [(one.name, one.title) for one in found] == [(f"local/{deep}", "Small-Model"), (f"local/{plain}", "")]
    assert found[1].size == 4


def test_a_file_is_listed_once(tmp_path: Path) -> None:
    """A link to it and a folder given twice add nothing; a link to nowhere is no file."""
    file = gguf(tmp_path / "x.gguf")
    os.symlink(file, tmp_path / "link.gguf")
    os.symlink(tmp_path / "gone", tmp_path / "gone.gguf")
    assert len(list_models([tmp_path, tmp_path], ports=()).files) == 1


def test_servers_are_found_by_the_models_they_list() -> None:
    """`callwright serve` is one; a port that answers otherwise, or not at all, is none."""
    with serving("builtin/retriever") as (url, _), FakeServer().in_thread() as other:
        ports = [int(one.split(":")[2].split("/")[0]) for one in (url, other.url)]
        servers = list_models([Path.cwd()], ports=[*ports, 9]).servers
    assert [(one.url, one.models) for one in servers] == [(url, ("builtin/retriever",))]


def test_the_command_lists_all(tmp_path: Path) -> None:
    """For people, and as JSON."""
    file = gguf(tmp_path / "x.gguf", "Small")
    shown = CliRunner().invoke(main, ["models", "list", str(tmp_path)])
    told = json.loads(CliRunner().invoke(main, ["models", "list", str(tmp_path), "--json"]).stdout)
    assert f"local/{file}  0 MB, Small" in shown.stdout
    assert "builtin/retriever" in shown.stdout
    assert "builtin/schema" in shown.stdout
    assert [one["title"] for one in told["files"]] == ["Small"]


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    """With what to give instead."""
    with pytest.raises(BadInput, match="no such folder"):
        list_models([tmp_path / "none"])
