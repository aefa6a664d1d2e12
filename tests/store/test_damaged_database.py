"""A run's database that was damaged, or left by a process that was killed, is one clear error for every reader."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from callwright.errors import BadInput
from callwright.protocol.run_access import open_run
from callwright.store.outcome import Outcome
from callwright.store.run import Run

CONFIG = {"protocol": "diaforge-static.v1", "model": "m", "seed": 1, "data": "d", "trials": 1}

DAMAGES = (
    "DELETE FROM meta",
    "DELETE FROM meta WHERE key = 'kind'",
    "DELETE FROM meta WHERE key = 'config'",
    "UPDATE meta SET value = '{' WHERE key = 'config'",
    "UPDATE meta SET value = '[]' WHERE key = 'config'",
    "UPDATE meta SET value = '{}' WHERE key = 'config'",
    "UPDATE meta SET value = replace(value, '\"trials\":1', '\"trials\":\"x\"') WHERE key = 'config'",
    "UPDATE meta SET value = replace(value, '\"trials\":1', '\"trials\":9999999999999') WHERE key = 'config'",
    "UPDATE meta SET value = x'ff00' WHERE key = 'config'",
    "UPDATE meta SET value = CAST(x'ff00' AS TEXT) WHERE key = 'config'",
    "DROP TABLE meta",
    "DROP TABLE items",
    "DROP TABLE outcomes",
    "DROP TABLE replies",
    "DROP TABLE blobs",
    "ALTER TABLE items RENAME TO things",
    "ALTER TABLE outcomes RENAME COLUMN value TO worth",
    "DROP TABLE items; CREATE VIEW items AS SELECT 0 AS position, 'a' AS id, y AS item",
    "CREATE VIEW more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
    "CREATE TRIGGER t AFTER INSERT ON outcomes BEGIN DELETE FROM items; END",
    "UPDATE items SET item = 'text'",
    "UPDATE items SET id = x'00'",
    "UPDATE outcomes SET value = 5",
    "UPDATE outcomes SET message = x'00'",
    "UPDATE outcomes SET trial = 'x'",
)


def run_with(folder: Path, damage: str) -> Path:
    """Make a run of one failed rollout, and damage its database."""
    with Run.open(folder, kind="eval", config=CONFIG) as run:
        run.put_items([("a", b"{}")])
        run.put_blob("catalog.json", b"{}")
        run.put(outcomes=[Outcome("a", kind="timeout", role="model", message="late")])
    connection = sqlite3.connect(folder / "run.db")
    connection.executescript(damage)
    connection.close()
    return folder


@pytest.mark.parametrize("damage", DAMAGES)
def test_readers_say_what_is_wrong(tmp_path: Path, damage: str) -> None:
    """The error names the folder; nothing else is raised."""
    folder = run_with(tmp_path / "run", damage)

    with pytest.raises(BadInput, match=str(folder)):
        open_run(folder)


@pytest.mark.parametrize("damage", [one for one in DAMAGES if "TABLE" in one or "meta" in one])
def test_writers_say_what_is_wrong(tmp_path: Path, damage: str) -> None:
    """So does the command that would go on with the run; one that was never begun is begun."""
    folder = run_with(tmp_path / "run", damage)
    if damage == "DELETE FROM meta":
        Run.open(folder, kind="eval", config=CONFIG).close()
        return

    with pytest.raises(BadInput, match=str(folder)):
        Run.open(folder, kind="eval", config=CONFIG).close()
