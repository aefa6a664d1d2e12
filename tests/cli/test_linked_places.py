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


FILES = (
    "import small.json -o OUT",
    "export small.json --format anthropic -o OUT",
    "export ds --format diaforge -o OUT",
    "lint small.json --fix-plan -o OUT",
    "graph build small.json -o OUT",
    "graph export graph.json --as dot -o OUT",
    "graph show graph.json --html OUT",
    "returns small.json -o OUT",
    "report run --items OUT",
)
"""Commands that write a file."""
FOLDERS = (
    "synth diaforge small.json -n 1 -o OUT",
    "synth wild small.json -n 1 -o OUT",
    "eval ds --protocol static --model builtin/eager --limit 1 -o OUT",
    "export ds --as trl -o OUT",
    "export-env ds --as inspect -o OUT",
)
"""Commands that write a folder."""


@pytest.fixture(scope="module")
def home(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something for every command to read."""
    home = tmp_path_factory.mktemp("linked")
    shutil.copytree(made, home / "ds")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        for command in (
            "export builtin/enterprise --format openai -o small.json",
            "graph build small.json -o graph.json",
            "eval ds --protocol static --model builtin/eager --limit 1 -o run",
        ):
            assert CliRunner().invoke(main, command.split()).exit_code == 0
    return home


@pytest.mark.parametrize("command", FILES)
def test_no_file_is_written_over_or_through_a_link(command: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of somebody else, and a link to it, under the name given."""
    monkeypatch.chdir(home)
    victim, link = home / "victim", home / "link"
    victim.write_bytes(WORDS)
    link.unlink(missing_ok=True)
    link.symlink_to(victim)
    for place in ("link", "victim"):
        assert CliRunner().invoke(main, command.replace("OUT", place).split()).exit_code == 2
        assert victim.read_bytes() == WORDS
    assert link.is_symlink()


@pytest.mark.parametrize("command", FOLDERS)
def test_nothing_in_a_folder_is_written_through_a_link(
    command: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file and each folder that the command writes is a link in turn."""
    monkeypatch.chdir(home)
    result = CliRunner().invoke(main, command.replace("OUT", str(tmp_path / "first")).split())
    assert result.exit_code == 0
    places = [path.relative_to(tmp_path / "first") for path in (tmp_path / "first").rglob("*")]
    assert places
    for number, place in enumerate(places):
        own = tmp_path / str(number)
        (own / "elsewhere").mkdir(parents=True)
        (own / "victim").write_bytes(WORDS)
        link = own / "out" / place
        link.parent.mkdir(parents=True)
        link.symlink_to(own / ("elsewhere" if (tmp_path / "first" / place).is_dir() else "victim"))
        result = CliRunner().invoke(main, command.replace("OUT", str(own / "out")).split())
        assert result.exit_code == 2
        assert (own / "victim").read_bytes() == WORDS
        assert not list((own / "elsewhere").iterdir())
