"""A short form of `tests/long/attack.py`: hostile input for every command ends in one error or a right result."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import signal
import sqlite3
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


HALF = "\ud800"
FOUND = {
    "a goal that is a number": (
        "mds",
        "dialogues.jsonl",
        ("annotation", "goal"),
        "0",
        "eval m --protocol tod --model builtin/oracle -o out --db db",
        "goal: expected an object by domain",
    ),
    "a gold tool that is none": (
        "ds",
        "dialogues.jsonl",
        ("scenario", "annotation", "gold_tool"),
        "0",
        "eval m --protocol static --model builtin/oracle -o out --pool 3",
        "its gold tool is not in the catalogue",
    ),
    "a round behind the last turn": (
        "chats",
        "dialogues.jsonl",
        ("annotation", "rounds", 0, "first"),
        1_000_000,
        "export m --format dice -o out",
        "annotation.rounds: rounds without turns",
    ),
    "a format that is a list": (
        "wds",
        "catalog.json",
        ("tools", 0, "parameters", "properties", "x"),
        {"type": "string", "format": [[]]},
        "synth diaforge m/catalog.json -n 14 -o out",
        "no valid values could be drawn for",  # of this tool; the other dialogues are about others
    ),
    "no notes on turns": (
        "sets/woz",
        "dialogues.jsonl",
        ("annotation", "turns"),
        [],
        "eval m --protocol fnctod --model builtin/stated -o out",
        "annotation.turns: notes on 0 turns for",
    ),
    "no gold value": (
        "ds",
        "dialogues.jsonl",
        ("tasks", 0, "gold", 0, "arguments", 0, "accepted"),
        [],
        "eval m --protocol dynamic --model builtin/retriever -o out",
        "tasks[0].gold[0].arguments[0].accepted: no value is left",
    ),
    "half of a pair in a call": (
        "mds",
        "dialogues.jsonl",
        ("turns", 1, "steps", 0, "calls", 0, "arguments"),
        json.dumps({"area": HALF}),
        "judge m --judge openai/x --base-url http://127.0.0.1:9/v1 --dry-run",
        "",
    ),
    "half of a pair as a field's name": (
        "ds",
        "catalog.json",
        ("tools", 14, "returns", "required", 0),
        HALF,
        "synth wild m/catalog.json -n 1 -o out",
        "1 of 1 planned dialogues kept",
    ),
}
"""Once tracebacks: dataset, file, place, new value, command, and part of the right answer."""


@pytest.mark.parametrize("name", FOUND)
def test_what_once_broke_a_command_no_longer_does(home: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Each case ends in one clear error or a right result."""
    source, file, path, value, command, said = FOUND[name]
    monkeypatch.chdir(home)
    files = {f"m/{one}": (home / source / one).read_bytes() for one in ("dialogues.jsonl", "catalog.json")}
    text = (home / source / file).read_text().splitlines()[0] if file == "dialogues.jsonl" else files[f"m/{file}"]
    files[f"m/{file}"] = hostile.line(hostile.changed(json.loads(text), path, value))
    hostile_check = hostile.Check("found", tuple(command.split()), files, name)
    attack.write(home, files)
    try:
        _, output, raised = attack.in_process(hostile_check)
    finally:
        attack.clean_up(home)

    assert not raised
    assert "bug:" not in output
    assert said in output


def test_a_run_whose_model_is_half_of_a_pair_is_damaged(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`show --sent` says that the configuration is damaged."""
    monkeypatch.chdir(home)
    shutil.copytree(home / "brun", home / "m")
    with contextlib.closing(sqlite3.connect(home / "m" / "run.db")) as rows, rows:
        (config,) = rows.execute("SELECT value FROM meta WHERE key = 'config'").fetchone()
        held = json.dumps(json.loads(config) | {"model": HALF})
        rows.execute("UPDATE meta SET value = ? WHERE key = 'config'", (held,))
    try:
        check = hostile.Check("found", ("show", "m", "q_1", "--sent"), {}, "model")
        _, output, raised = attack.in_process(check)
    finally:
        attack.clean_up(home)

    assert not raised
    assert "the run's configuration is damaged" in output


def test_a_transcript_that_lacks_a_turn_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`report` says which dialogue, and what to do."""
    monkeypatch.chdir(home)
    shutil.copytree(home / "drun", home / "m")
    with contextlib.closing(sqlite3.connect(home / "m" / "run.db")) as rows, rows:
        (value,) = rows.execute("SELECT value FROM outcomes WHERE position = 0").fetchone()
        cut = hostile.changed(json.loads(value), ("turns", 1), hostile.REMOVED)
        rows.execute("UPDATE outcomes SET value = ? WHERE position = 0", (hostile.line(cut).rstrip(),))
    try:
        _, output, raised = attack.in_process(hostile.Check("found", ("report", "m", "--json"), {}, "turns"))
    finally:
        attack.clean_up(home)

    assert not raised
    assert "its transcript lacks turns" in output
