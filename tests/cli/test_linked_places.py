"""Commands write through no link that a folder from elsewhere may hold."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from callwright.cli import main

WORDS = b"the only copy of somebody's work\n"
PROTOCOL = ("--protocol", "static", "--model", "builtin/eager")
JUDGE = ("--judge", "openai/a@http://127.0.0.1:9", "--criteria", "relevancy")


@pytest.fixture
def ds(made: Path, tmp_path: Path) -> Path:
    """A copy of the dataset that a test may change."""
    return Path(shutil.copytree(made, tmp_path / "ds"))


def refused(*arguments: str | Path) -> bool:
    """Whether the command ends with the code for wrong input and says how to mend it."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return result.exit_code == 2 and "Remove the link" in result.stderr


def linked(place: Path) -> Path:
    """Put a link in that place; returns the file it leads to."""
    victim = place.parent.with_name("victim")
    victim.write_bytes(WORDS)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(Path("..", "victim"))
    return victim


def test_eval_writes_through_no_link(ds: Path, tmp_path: Path) -> None:
    """Neither the lock's nor the database's."""
    for name in ("run.lock", "run.db"):
        victim = linked(tmp_path / name.replace(".", "-") / name)
        assert refused("eval", ds, *PROTOCOL, "--limit", "1", "-o", tmp_path / name.replace(".", "-"))
        assert victim.read_bytes() == WORDS


@pytest.mark.parametrize("name", [".judge/run.lock", ".review/lock"])
def test_a_shared_dataset_empties_nothing(name: str, ds: Path) -> None:
    """A link at the lock of judgements or of a review."""
    victim = linked(ds / name)
    command = ["judge", ds, *JUDGE] if "judge" in name else ["review", ds, "--mark", "any", "right"]
    assert refused(*command)
    assert victim.read_bytes() == WORDS


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_a_linked_folder_of_judgements_is_refused(dry: tuple[str, ...], ds: Path, tmp_path: Path) -> None:
    """Nothing is put where it leads."""
    (tmp_path / "elsewhere").mkdir()
    (ds / ".judge").symlink_to(tmp_path / "elsewhere")
    assert refused("judge", ds, *JUDGE, *dry)
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_linked_journal_is_refused(ds: Path, tmp_path: Path) -> None:
    """`synth` goes on in the dataset's own folder only, also where the dataset is finished."""
    (ds / ".run").rename(tmp_path / "elsewhere")
    (ds / ".run").symlink_to(tmp_path / "elsewhere")
    assert refused("synth", "diaforge", "builtin/enterprise", "-n", "40", "--seed", "7", "-o", ds)
    assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == ["run.db", "run.lock"]


def test_split_refuses_linked_parts(ds: Path, tmp_path: Path) -> None:
    """Before any part is written."""
    (tmp_path / "elsewhere").mkdir()
    for name in ("test", "split.json"):
        out = tmp_path / f"split-{name}"
        out.mkdir()
        (out / name).symlink_to(tmp_path / "elsewhere")
        assert refused("split", ds, "-o", out)
        assert [path.name for path in out.iterdir()] == [name]
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_linked_file_is_not_written(ds: Path, tmp_path: Path) -> None:
    """A catalogue and an export, under the name given."""
    catalog = shutil.copy(ds / "catalog.json", tmp_path / "real.json")
    before = Path(catalog).read_bytes()
    (tmp_path / "out.json").symlink_to(catalog)
    out = tmp_path / "out.json"
    assert refused("import", "builtin/enterprise", "-o", out)
    assert refused("export", "builtin/enterprise", "--format", "openai", "-o", out)
    assert refused("lint", "builtin/enterprise", "--fix-plan", "-o", out)
    assert Path(catalog).read_bytes() == before
