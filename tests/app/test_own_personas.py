"""`synth --personas`: the users of a dataset come from a file in PersonaHub's layout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import callwright
from callwright.errors import BadDocument, BadOption, RunConflict
from callwright.recipe import Recipe

TEXTS = (
    "A night nurse who reads every form twice.",
    "A shop owner who does the books on Sundays.",
    "A caretaker of a school with three boilers.",
)


def written(path: Path, texts: tuple[str, ...]) -> Path:
    path.write_text("".join(json.dumps({"persona": text, "source": "x"}) + "\n" for text in texts), encoding="utf-8")
    return path


def lines(folder: Path) -> list[dict[str, object]]:
    found = [json.loads(line) for line in (folder / "dialogues.jsonl").read_text().splitlines()]
    assert found
    return found


@pytest.mark.parametrize("recipe", ["diaforge", "wild"])
def test_users_come_from_the_file(recipe: str, tmp_path: Path) -> None:
    """Only its texts occur, more than one of them, and the card and the funnel name the digest of the file's texts."""
    file = written(tmp_path / "p.jsonl", TEXTS)

    callwright.synthesize(recipe, "builtin/enterprise", n=12, seed=3, out=tmp_path / "ds", personas=file)

    people = [dialogue["participants"][0] for dialogue in lines(tmp_path / "ds")]  # type: ignore[index]
    assert {person["persona"] for person in people} <= set(TEXTS)
    assert len({person["persona"] for person in people}) > 1
    assert all("name" not in person for person in people)
    digest = json.loads((tmp_path / "ds" / "funnel.json").read_text())["config"]["personas"]
    assert f'`personas` "{digest}"' in (tmp_path / "ds" / "README.md").read_text()


def test_other_personas_are_another_dataset(tmp_path: Path) -> None:
    """The texts decide, not the path: a moved file goes on, another is refused and gives other ids."""
    first = written(tmp_path / "p.jsonl", TEXTS)
    made = callwright.synthesize("diaforge", "builtin/enterprise", n=6, out=tmp_path / "ds", personas=first)

    moved = first.rename(tmp_path / "q.jsonl")
    again = callwright.synthesize("diaforge", "builtin/enterprise", n=6, out=tmp_path / "ds", personas=moved)
    assert again == made
    fewer = written(tmp_path / "fewer.jsonl", TEXTS[:2])
    with pytest.raises(RunConflict, match="personas"):
        callwright.synthesize("diaforge", "builtin/enterprise", n=6, out=tmp_path / "ds", personas=fewer)
    callwright.synthesize("diaforge", "builtin/enterprise", n=6, out=tmp_path / "other", personas=fewer)
    assert not {one["id"] for one in lines(tmp_path / "ds")} & {one["id"] for one in lines(tmp_path / "other")}


def test_two_workers_make_the_same(tmp_path: Path) -> None:
    """The personas travel to every process."""
    file = written(tmp_path / "p.jsonl", TEXTS)
    for workers in (1, 2):
        out = tmp_path / f"w{workers}"
        callwright.synthesize("diaforge", "builtin/enterprise", n=40, out=out, personas=file, workers=workers)

    assert (tmp_path / "w1" / "dialogues.jsonl").read_bytes() == (tmp_path / "w2" / "dialogues.jsonl").read_bytes()


def test_what_cannot_be_used_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken file with its line; a file for a recipe whose users have no personas."""
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"persona": "A nurse."}\n{"person": "?"}\n', encoding="utf-8")
    with pytest.raises(BadDocument, match="line 2"):
        callwright.synthesize("diaforge", "builtin/enterprise", n=2, out=tmp_path / "ds", personas=broken)

    def without(name: str) -> Recipe:
        return callwright.papers.registry.find_recipe(name)._replace(with_personas=False)

    monkeypatch.setattr("callwright.app.synthesis.find_recipe", without)
    file = written(tmp_path / "p.jsonl", TEXTS)
    with pytest.raises(BadOption, match="no effect in diaforge"):
        callwright.synthesize("diaforge", "builtin/enterprise", n=2, out=tmp_path / "ds", personas=file)
