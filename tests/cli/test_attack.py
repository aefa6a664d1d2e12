"""A short form of `tests/long/attack.py`: hostile input for every command ends in one error or a right result."""

from __future__ import annotations

import random
import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "long"))

import attack  # found through the line above
import attack_keys
import hostile

from callwright.cli import main


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that checks start from."""
    folder = tmp_path_factory.mktemp("attack")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        attack.make_fixture(folder)
    return folder


@pytest.mark.parametrize("area", attack.AREAS)
def test_no_hostile_input_breaks_a_command(home: Path, monkeypatch: pytest.MonkeyPatch, area: str) -> None:
    """No traceback, no control character, no secret, and no file that was there before is changed."""
    monkeypatch.chdir(home)
    monkeypatch.setenv("OPENAI_API_KEY", attack.SECRET)
    before = signal.signal(signal.SIGALRM, attack.ring)
    try:
        counts, faults = attack.attack([area], 40, home, seed=7)
    finally:
        signal.signal(signal.SIGALRM, before)

    assert not faults
    assert sum(counts.values()) == 40
    assert counts[area, "clean"] > 0


def test_every_command_is_attacked() -> None:
    """The attack names what to give to each command that exists."""
    found = {path for path, _ in attack.leaves(main, ())}

    assert ("graph", "build") in found
    assert found == attack.COMMANDS.keys()


def test_every_key_of_every_record_is_attacked(home: Path) -> None:
    """Each key that a record has by its type stands in a record of the fixture, or is added to one."""
    found = {(target.kind, target.key) for target in attack_keys.all_targets(home)}

    assert ("dataset", "Task.goal") in found
    assert ("transcript", "Transcript.turns") in found
    assert found == attack_keys.wanted(home)


def test_every_place_is_changed_in_every_way() -> None:
    """Each key of a document is removed, null, of another type and empty, also inside a text of JSON."""
    document = {"a": [{"b": "x"}], "c": '{"d": 1}'}
    pool = hostile.Mutations(document, random.Random(1))

    said = {pool.next()[0] for _ in range(200)}

    assert set(hostile.places(document)) == {("a",), ("a", 0), ("a", 0, "b"), ("c",), ("c", "d")}
    for place in ("a", "a/0", "a/0/b", "c", "c/d"):
        assert {f"{place} := removed", f"{place} := None"} <= said
