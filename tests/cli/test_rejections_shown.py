"""`synth` says why dialogues were rejected, by an example of each reason."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from callwright.cli import main


def test_a_graph_without_long_paths_is_named(tmp_path: Path) -> None:
    tools = [
        {
            "name": "find_shelf",
            "description": "Find the shelf of a book.",
            "parameters": {
                "type": "object",
                "properties": {"title": {"type": "string", "description": "Title of the book."}},
                "required": ["title"],
            },
        }
    ]
    (tmp_path / "tools.json").write_text(json.dumps(tools))

    done = CliRunner().invoke(
        main,
        ["synth", "dice", str(tmp_path / "tools.json"), "--rounds", "2", "--per-cell", "1", "-o", str(tmp_path / "ds")],
    )

    assert "rejected: no_plan (there is no chain of 2 tools." in done.output
