"""What each role of a synthesis was sent, rebuilt over the replies kept in a dataset's run."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

import callwright
from callwright.app.sent import sent_requests
from callwright.cli import main
from callwright.errors import BadInput, UnknownName
from callwright.recipe.kept_job import KEPT_JOB, decode_kept_job, encode_kept_job
from callwright.records.jsontext import parse
from callwright.store.run import Run
from served_voice import Prompt, builtin_author, serving


async def answer(prompt: Prompt) -> str:
    if "it is what you judge" in prompt[0][1]:
        return '{"analysis": "It fits.", "grade": "accept"}'
    return await builtin_author(prompt)


def made(recipe: str, folder: Path, **options: Any) -> Path:
    """A dataset of two dialogues whose server is gone."""
    with serving(answer) as server:
        callwright.synthesize(
            recipe, "builtin/enterprise", n=2, seed=7, out=folder, author="openai/a", base_url=server.url, **options
        )
        asked = {tuple((role, text) for role, text in one) for one in server.asked}
    with Run.read(folder / ".run") as run:
        sent = [one for item in run.item_ids() for one in sent_requests(folder, item)]
    told = {tuple((one.role, one.content) for one in each.request.messages) for each in sent}
    assert all(each.is_as_sent for each in sent)
    assert told == asked
    return folder


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of `wild`; do not change it."""
    return made("wild", tmp_path_factory.mktemp("wild") / "ds")


def test_all_roles_of_wild_are_told(wild: Path) -> None:
    """As many requests as replies are kept, word for word what the server got."""
    with Run.read(wild / ".run") as run:
        items = run.item_ids()
    sent = [one for item in items for one in sent_requests(wild, item)]
    with sqlite3.connect(wild / ".run" / "run.db") as database:
        (kept,) = database.execute("SELECT count(*) FROM replies").fetchone()
    database.close()
    roles = Counter(one.role for one in sent)
    assert {"author", "checker", "annotator", "assistant", "tools"} <= set(roles)
    assert sum(roles.values()) == kept


def test_all_roles_of_diaforge_are_told_with_own_prompts(tmp_path: Path) -> None:
    """The run keeps the texts of the prompts, so that no file is needed; the judge's are told too."""
    bundled = Path(callwright.__file__).parent / "papers/diaforge/data/prompts/diaforge/user.j2"
    own = tmp_path / "prompts" / "diaforge" / "user.j2"
    own.parent.mkdir(parents=True)
    own.write_text("Nobody is in a hurry. " + bundled.read_text())
    folder = made("diaforge", tmp_path / "ds", prompts=own.parent.parent, judge="openai/j")
    own.unlink()
    with Run.read(folder / ".run") as run:
        sent = sent_requests(folder, run.item_ids()[0])
    assert {one.role for one in sent} == {"author", "user", "assistant", "judge"}
    assert all("in a hurry" in one.request.messages[0].content for one in sent if one.role == "user")


def test_a_request_that_would_be_sent_otherwise_is_named(wild: Path, tmp_path: Path) -> None:
    """Here the kept digest is changed; all others are as they were sent."""
    (tmp_path / ".run").mkdir()
    (tmp_path / ".run" / "run.db").write_bytes((wild / ".run" / "run.db").read_bytes())
    with sqlite3.connect(tmp_path / ".run" / "run.db") as database:
        database.execute("UPDATE replies SET request = 'other' WHERE scope LIKE '%/pick/%'")
    database.close()
    with Run.read(tmp_path / ".run") as run:
        sent = sent_requests(tmp_path, run.item_ids()[0])
    assert {one.role for one in sent if not one.is_as_sent} == {"checker"}


@pytest.mark.parametrize("lacks", [{"models": "checker"}, {"prompts": "wild/pick.j2"}])
def test_a_dataset_of_a_version_with_fewer_roles_is_refused(wild: Path, tmp_path: Path, lacks: dict[str, str]) -> None:
    """What its version did not ask cannot be rebuilt; the message names it."""
    shutil.copytree(wild / ".run", tmp_path / ".run")
    ((field, name),) = lacks.items()
    with Run.read(wild / ".run") as run:
        config = run.config
    with Run.open(tmp_path / ".run", kind="synth", config=config) as run:
        blob = run.get_blob(KEPT_JOB)
        assert blob is not None
        kept = decode_kept_job(blob, where="here")
        fewer = {key: value for key, value in getattr(kept, field).items() if key != name}
        run.put_blob(KEPT_JOB, encode_kept_job(msgspec.structs.replace(kept, **{field: fewer})))
        item = run.item_ids()[0]
    with pytest.raises(BadInput, match=rf"did not ask {name}"):
        sent_requests(tmp_path, item)


def test_the_command_shows_a_dataset(wild: Path) -> None:
    """Each role with its tokens; another id and a dataset without models are named."""
    with Run.read(wild / ".run") as run:
        item = run.item_ids()[0]
    shown = CliRunner().invoke(main, ["show", str(wild), item, "--sent"])
    assert shown.exit_code == 0
    assert "not as sent: 0" in shown.stdout
    assert "checker: " in shown.stdout
    with pytest.raises(UnknownName):
        sent_requests(wild, "none")


def test_a_dataset_that_asked_no_model_is_refused(tmp_path: Path) -> None:
    """Offline nothing is sent; a folder without a journal cannot tell."""
    callwright.synthesize("diaforge", "builtin/enterprise", n=1, out=tmp_path / "ds")
    with pytest.raises(BadInput, match="no model was asked"):
        sent_requests(tmp_path / "ds", "")
    with pytest.raises(BadInput, match="neither a run nor a dataset"):
        sent_requests(tmp_path, "")
    assert parse((tmp_path / "ds" / "funnel.json").read_bytes())
