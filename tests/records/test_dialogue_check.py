"""What a dialogue's types cannot tell is checked when the file is opened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from callwright.app.datasets import open_dataset
from callwright.app.evaluation import evaluate_model
from callwright.errors import BadInput
from callwright.formats import catalog as catalogs
from callwright.records.codec import to_line
from made_dialogues import enterprise, made


def edited(folder: Path, path: tuple[Any, ...], new: Any) -> Path:
    """Write a dataset of one dialogue with one field changed."""
    document = json.loads(to_line(made(1)[0]))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = new
    folder.mkdir()
    (folder / "dialogues.jsonl").write_text(json.dumps(document))
    (folder / "catalog.json").write_bytes(catalogs.write(enterprise()))
    return folder


GOLD = ("gold", 0, "arguments", 0)
EDITS: list[tuple[tuple[Any, ...], Any]] = [
    (("today",), "soon"),
    (("scenario", "today"), "2026-02-31"),
    (("scenario", "participants"), []),
    (("scenario", "tasks"), []),
    (("scenario", "tasks", 0, *GOLD, "accepted", 0), "{oops"),
    (("tasks", 0, *GOLD, "accepted", 0), "Oslo"),
    (("tasks", 0, "gold", 0, "result"), {"value": "{"}),
    (("tasks", 0, "gold", 0, "after"), [7]),
    (("tasks", 0, "turn"), 400),
    (("tasks", 0, "turn"), 1),
    (("turns", -1, "steps", 0, "calls", 0, "arguments"), "{"),
    (("turns", 0, "steps", 0, "results"), [{"value": "nothing"}]),
    (("provenance", "options"), "x"),
]


@pytest.mark.parametrize(("path", "new"), EDITS)
def test_an_edit_is_refused_by_line_and_field(tmp_path: Path, path: tuple[Any, ...], new: Any) -> None:
    """One error names the file, the line and the field."""
    folder = edited(tmp_path / "ds", path, new)
    field = next(str(key) for key in reversed(path) if isinstance(key, str))

    with pytest.raises(BadInput, match=rf"dialogues\.jsonl:1: [a-z_.\[\]0-9]*{field}"):
        open_dataset(folder)


@pytest.mark.parametrize(
    ("path", "new", "said"),
    [
        (("scenario", "tasks", 0, *GOLD, "accepted"), [], "arguments.0..accepted: no value is left"),
        (("scenario", "tasks", 0, *GOLD, "name"), "nonsense", "documents no parameter 'nonsense'"),
        (("scenario", "tasks", 0, "gold"), [], "no gold call"),
    ],
)
def test_a_user_without_values_is_refused_before_the_run(
    tmp_path: Path, path: tuple[Any, ...], new: Any, said: str
) -> None:
    """Live evaluation needs the gold values of the plan; nothing is written where they are gone."""
    folder = edited(tmp_path / "ds", path, new)

    with pytest.raises(BadInput, match=said):
        evaluate_model(folder, "dynamic", model="builtin/eager", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_an_opening_with_an_unknown_value_is_one_without(tmp_path: Path) -> None:
    """A plan may name a parameter that the gold call does not give: the user then opens without a value."""
    folder = edited(tmp_path / "ds", ("scenario", "annotation", "opens_with"), "soon")

    run = evaluate_model(folder, "dynamic", model="builtin/eager", out=tmp_path / "run")
    assert not run.failed


def test_half_a_surrogate_pair_is_refused(tmp_path: Path) -> None:
    """Text that no file can hold is named when it is read, not when it is written."""
    folder = edited(tmp_path / "ds", ("turns", 0, "text"), "\ud800")

    with pytest.raises(BadInput, match=r"dialogues\.jsonl:1: .*surrogate"):
        open_dataset(folder)


def test_a_dialogue_as_it_was_made_is_opened(tmp_path: Path) -> None:
    """Nothing is refused that Callwright writes."""
    assert len(open_dataset(edited(tmp_path / "ds", ("today",), "")).dialogues) == 1
