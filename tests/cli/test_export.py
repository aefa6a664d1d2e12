"""`callwright export`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import callwright
from callwright.cli import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["export", *map(str, arguments)])


@pytest.mark.parametrize("layout", ["openai", "anthropic", "mcp", "openapi"])
def test_export_and_import_again(tmp_path: Path, layout: str) -> None:
    """What is written for the bundled catalogue can be imported, and has the same tools."""
    out = tmp_path / "out.json"
    result = run("builtin/enterprise", "--format", layout, "-o", out)
    bundled = callwright.read_catalog("builtin/enterprise")
    assert result.exit_code == 0
    assert result.stdout == f"{len(bundled.tools)} tools written to {out}.\n"
    again = callwright.read_catalog(out)
    assert [(tool.name, tool.description, tool.parameters) for tool in again.tools] == [
        (tool.name, tool.description, tool.parameters) for tool in bundled.tools
    ]


def test_standard_output(tmp_path: Path) -> None:
    """Without `-o` standard output holds the document alone, the same bytes; losses are on standard error."""
    out = tmp_path / "out.json"
    written = run("builtin/enterprise", "--format", "openai", "-o", out)
    printed = run("builtin/enterprise", "--format", "openai")
    assert printed.stdout == out.read_text()
    assert json.loads(printed.stdout)[0]["type"] == "function"
    assert printed.stderr == written.stderr
    assert "no place for its domain" in printed.stderr


def test_bad_input_is_one_error(tmp_path: Path) -> None:
    """A missing catalogue, the catalogue itself as target, and an unknown layout are refused, and lose nothing."""
    catalog = tmp_path / "c.json"
    callwright.write_catalog(callwright.read_catalog("builtin/enterprise"), catalog)
    before = catalog.read_bytes()
    for arguments in ((tmp_path / "none.json", "--format", "mcp"), (catalog, "--format", "mcp", "-o", catalog)):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("callwright: ")
        assert len(result.stderr.splitlines()) == 1
    assert run(catalog, "--format", "yaml").exit_code == 2
    assert catalog.read_bytes() == before


def test_from_python(tmp_path: Path) -> None:
    """`export_catalog` returns the document and the losses, and writes it where it is told to."""
    found = callwright.export_catalog("builtin/enterprise", "mcp", tmp_path / "m.json")
    assert json.loads((tmp_path / "m.json").read_text()) == found.document
    assert {loss.what for loss in found.losses} == {"no place for its domain"}
