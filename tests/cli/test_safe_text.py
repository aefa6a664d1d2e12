"""Foreign text reaches no terminal as markup or control characters, whatever command prints it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from callwright.cli import main
from callwright.cli.safe_text import escaped, safe
from callwright.formats import catalog as catalogs
from callwright.records.codec import to_line
from made_dialogues import enterprise, made

HOSTILE = "\x1b]8;;http://evil.example\x07[/red][link=http://evil.example]x\x1b[2J\u202e\x9b31m"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")

COMMANDS = (
    "show ds",
    "show ds --rejected",
    "measure ds",
    "measure ds --json",
    "review ds --list",
    "review ds --json",
    "eval ds --protocol static --model builtin/eager -o run",
    "report run --by tool",
    "report run --by domain",
    "report run --json",
    "confusions run",
    "show run",
    "lint tools.json",
    "lint tools.json --json",
    "lint tools.json --fix-plan",
    "import tools.json -o out.json --verbose",
    "export tools.json --format openai -o openai.json",
    "synth diaforge tools.json -n 2 -o made",
    "show made",
    "split ds -o parts",
)


def _hostile(document: Any, *keys: str) -> Any:
    """Put hostile text into every text under these keys."""
    if isinstance(document, dict):
        return {
            key: HOSTILE + inner if key in keys and isinstance(inner, str) else _hostile(inner, *keys)
            for key, inner in document.items()
        }
    return [_hostile(inner, *keys) for inner in document] if isinstance(document, list) else document


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset and a catalogue with hostile text in names, descriptions, goals, turns, thoughts and personas."""
    home = tmp_path_factory.mktemp("hostile")
    (home / "ds").mkdir()
    catalog = json.loads(catalogs.write(enterprise()))
    catalog["tools"] = catalog["tools"][:8]
    dialogue = json.loads(to_line(made(1)[0]))
    text = json.dumps(_hostile(dialogue, "text", "goal", "thought", "act", "persona"))
    (home / "ds" / "dialogues.jsonl").write_text(text + "\n")
    whole = json.loads(catalogs.write(enterprise()))
    (home / "ds" / "catalog.json").write_text(json.dumps(whole))
    (home / "ds" / "rejected.jsonl").write_text(
        json.dumps({"dialogue": json.loads(text), "issues": [{"code": "x", "message": HOSTILE}], "schema_version": 2})
    )
    functions = [
        {
            "name": f"{one['name']}_{HOSTILE}",
            "description": f"{HOSTILE} {one['description']}",
            "parameters": {"type": "object", "properties": {HOSTILE: {"type": "string", "description": HOSTILE}}},
        }
        for one in catalog["tools"]
    ]
    (home / "tools.json").write_text(json.dumps(functions))
    return home


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_lets_text_steer_the_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Whatever the command prints, also as an error, holds no control character and is no markup."""
    monkeypatch.chdir(folder)

    result = CliRunner().invoke(main, command.split(), color=True)

    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.output
    assert not STEERING.search(result.output)


def test_the_text_of_a_turn_is_shown_as_it_stands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Markup is printed, not obeyed."""
    monkeypatch.chdir(folder)

    assert "[/red]" in CliRunner().invoke(main, ["show", "ds"]).output


def test_documents_mean_the_same() -> None:
    """JSON keeps every character, as an escape; other text has a replacement character."""
    assert json.loads(escaped(json.dumps("a\u202eb\x9bc", ensure_ascii=False))) == "a\u202eb\x9bc"
    assert not STEERING.search(escaped('"\u202e\x9b"'))
    assert safe("a\x1b[2Jb\tc\n\u202e") == "a\ufffd[2Jb\tc\n\ufffd"
