"""`callwright import`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from callwright.app.catalogs import read_catalog
from callwright.cli import main

_DATA = Path(__file__).parents[2] / "../shared/data/openapi"

SPEC: dict[str, Any] = {
    "openapi": "3.0.0",
    "paths": {
        "/a": {"get": {"operationId": "get a"}, "post": {"parameters": [{"$ref": "https://x.org/p"}]}},
        "/b": {"get": {"operationId": "get b"}, "post": {"parameters": [{"$ref": "https://x.org/p"}]}},
    },
}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["import", *map(str, arguments)])


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(SPEC))
    return path


def test_json_account(spec: Path, tmp_path: Path) -> None:
    """`--json` prints the account and nothing else."""
    result = run(spec, "-o", tmp_path / "c.json", "--json")
    assert result.exit_code == 0
    account = json.loads(result.stdout)
    assert list(account) == ["tools", "left_out", "altered"]
    assert account["tools"] == 2
    assert [entry["where"] for entry in account["left_out"]] == ["POST /a", "POST /b"]
    assert all(set(entry) == {"where", "reason"} for entry in account["left_out"])
    assert account["altered"] == [
        {"tool": "get_a", "what": "renamed from `get a`, which is no valid name"},
        {"tool": "get_b", "what": "renamed from `get b`, which is no valid name"},
    ]


def test_what_was_altered_is_grouped_by_kind(tmp_path: Path) -> None:
    """One line a kind, with how often, in how many tools, and one example; what differs inside a kind is left out."""
    fields = {name: {"type": "string", "readOnly": True} for name in ("id", "rank")}
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": fields}}}}
    paths = {
        f"/{name}": {"post": {"operationId": f"make_{name}", "requestBody": body, "responses": {}}} for name in "abc"
    }
    (tmp_path / "spec.json").write_text(json.dumps({"openapi": "3.0.0", "info": {}, "paths": paths}))
    short = run(tmp_path / "spec.json", "-o", tmp_path / "c.json").stdout
    whole = run(tmp_path / "spec.json", "-o", tmp_path / "c.json", "--verbose").stdout
    assert short.count("read-only") == 1
    assert "is read-only and was dropped (6 in 3 tools), such as `id` of make_a" in " ".join(short.split())
    assert "make_c" not in short
    assert whole.count("read-only") == 2
    assert "make_a, make_b, make_c" in whole


def test_human_account_names_everything(spec: Path, tmp_path: Path) -> None:
    """Every operation left out is named, and with `--verbose` every tool altered; reasons are said once."""
    result = run(spec, "-o", tmp_path / "c.json", "--verbose")
    assert result.stdout.startswith("2 tools read, 2 left out, 2 altered")
    assert result.stdout.count("POST /a, POST /b") == 1
    assert "get_a" in result.stdout
    brief = run(spec, "-o", tmp_path / "c.json", "--brief")
    assert len(brief.stdout.splitlines()) == 1


def test_catalogue_is_written_whole(spec: Path, tmp_path: Path) -> None:
    """The catalogue is written under its name, with nothing temporary left, and can be imported again."""
    out = tmp_path / "c.json"
    run(spec, "-o", out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "spec.json"]
    first = out.read_bytes()
    assert run(out, "-o", tmp_path / "d.json").exit_code == 0
    assert (tmp_path / "d.json").read_bytes() == first
    assert len(read_catalog(out).tools) == 2


def test_builtin_source(tmp_path: Path) -> None:
    """The bundled catalogue can be imported by name."""
    assert run("builtin/enterprise", "-o", tmp_path / "c.json").exit_code == 0


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100_000_000)


_ALIASES = "\n".join(
    ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"] + [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
)

_BAD: dict[str, tuple[str, str]] = {
    "broken.json": ('{"openapi": "3.0.0",', "line 1"),
    "broken.yaml": ("openapi: 3.0.0\npaths: [", "line 3"),
    "missing_ref.json": (json.dumps({"openapi": "3.0.0", "paths": {"/a": {"$ref": "#/no"}}}), "leads nowhere"),
    "remote_ref.json": (json.dumps({"openapi": "3.0.0", "paths": {"/a": {"$ref": "https://x.org"}}}), "never fetched"),
    "deep.json": ("[" * 10_000 + "]" * 10_000, "levels deep"),
    "deep.yaml": ("- " * 10_000 + "a", "levels deep"),
    "bomb.yaml": (_ALIASES, "aliases"),
    "no_tool.json": (json.dumps({"openapi": "3.0.0", "paths": {}}), "no usable tools"),
    "no_layout.json": ('{"a": 1}', "Tried"),
    "old.json": ('{"swagger": "1.2", "paths": {}}', "version"),
    "empty.json": ("", "empty"),
    "empty.yaml": ("", "empty"),
    "binary.json": ("\x00\x01\x02", "line 1"),
    "nan.json": ("[NaN]", "NaN"),
}


@pytest.mark.parametrize("name", _BAD)
def test_bad_input_is_one_error(tmp_path: Path, name: str) -> None:
    """Each bad document is one line on standard error that names it, exit code 2, and nothing written."""
    text, message = _BAD[name]
    (tmp_path / name).write_text(text)
    out = tmp_path / "out.json"
    out.write_text("before")
    _check_refused(run(tmp_path / name, "-o", out, "--json"), name, message)
    assert out.read_text() == "before"


def _check_refused(result: Result, name: str, message: str) -> None:
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("callwright: ")
    assert name in result.stderr
    assert message in result.stderr


def test_unreadable_sources(tmp_path: Path) -> None:
    """A folder, a missing file, a huge file and an unknown bundled name are each one error."""
    out = tmp_path / "out.json"
    huge(tmp_path / "huge.yaml")
    _check_refused(run(tmp_path, "-o", out), tmp_path.name, "folder")
    _check_refused(run(tmp_path / "none.json", "-o", out), "none.json", "no such file")
    _check_refused(run(tmp_path / "huge.yaml", "-o", out), "huge.yaml", "64 MiB")
    _check_refused(run("builtin/none", "-o", out), "builtin/none", "builtin/enterprise")
    assert not out.exists()


def test_unwritable_targets(spec: Path, tmp_path: Path) -> None:
    """A folder as target and the source as target are refused, and lose nothing."""
    _check_refused(run(spec, "-o", tmp_path), tmp_path.name, "this is a folder")
    before = spec.read_bytes()
    _check_refused(run(spec, "-o", spec), "spec.json", "this file is the source")
    assert spec.read_bytes() == before


@pytest.mark.skipif(not _DATA.is_dir(), reason="the real documents are not here")
def test_real_documents_lose_nothing_on_disk(tmp_path: Path) -> None:
    """What is written for a real document reads back as it was."""
    for name in ("uber.json", "tictactoe.yaml", "slack_v2.json"):
        assert run(_DATA / name, "-o", tmp_path / "c.json", "--json").exit_code == 0
        again = read_catalog(tmp_path / "c.json")
        fresh = read_catalog(_DATA / name)
        assert (again.tools, again.left_out, again.altered) == (fresh.tools, fresh.left_out, fresh.altered)


def test_nothing_is_fetched(tmp_path: Path) -> None:
    """A URL is told as it was given, with what to do instead."""
    _check_refused(run("https://a.example/api.json", "-o", tmp_path / "o"), "https://a.example/api.json", "Download")
