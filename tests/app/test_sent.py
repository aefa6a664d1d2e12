"""What each role of a run was sent, rebuilt over the kept replies."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.sent import sent_requests
from callwright.author.prompts import prompt_source
from callwright.cli import main
from callwright.errors import BadInput, UnknownName
from callwright.papers.registry import prompt_homes
from serving import serving


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with all three roles behind a server that is gone; do not change it."""
    folder = tmp_path_factory.mktemp("sent")
    callwright.synthesize("diaforge", "builtin/enterprise", n=2, seed=7, out=folder / "ds")
    with serving("builtin/author") as (url, _):
        callwright.evaluate_model(
            folder / "ds", "dynamic", model="builtin/retriever", user="openai/u", voter="openai/v", base_url=url,
            out=folder / "run",
        )  # fmt: skip
    return folder / "run"


def ids(run: Path) -> list[str]:
    return [dialogue.id for dialogue in callwright.open_dataset(run.parent / "ds").dialogues]


def test_every_kept_reply_is_told_with_its_request(run: Path) -> None:
    """As many as the run keeps, of every role, and each request is the one that was answered."""
    sent = [one for id_ in ids(run) for one in sent_requests(run, id_)]
    with sqlite3.connect(run / "run.db") as database:
        (kept,) = database.execute("SELECT count(*) FROM replies").fetchone()
    database.close()
    roles = Counter(one.role for one in sent)
    assert sum(roles.values()) == kept
    assert roles["model"] > 0
    assert roles["user"] >= 3 * roles["model"]
    assert all(one.is_as_sent for one in sent)


def test_a_user_is_sent_what_the_model_said(run: Path) -> None:
    """The second turn's prompt holds the reply of the model under test to the first."""
    sent = sent_requests(run, ids(run)[0])
    first = next(one.reply.content for one in sent if one.role == "model")
    assert first
    assert any(first in one.request.messages[1].content for one in sent if one.place.startswith("user/1"))


def test_a_request_that_would_be_sent_otherwise_is_named(run: Path, tmp_path: Path) -> None:
    """After a change of prompts, say: here the kept digest is changed."""
    for name in ("run.db",):
        (tmp_path / name).write_bytes((run / name).read_bytes())
    with sqlite3.connect(tmp_path / "run.db") as database:
        database.execute("UPDATE replies SET request = 'other' WHERE scope LIKE 'assistant/0%'")
    database.close()
    sent = sent_requests(tmp_path, ids(run)[0])
    assert [one.role for one in sent if not one.is_as_sent] == ["model"]


def test_own_prompts_are_shown_as_they_were_sent(run: Path, tmp_path: Path) -> None:
    """The run keeps their texts, as the folder may be gone."""
    own = tmp_path / "prompts" / "diaforge" / "user.j2"
    own.parent.mkdir(parents=True)
    own.write_text(f"Speak plainly.\n{prompt_source('diaforge/user.j2', prompt_homes())}")
    with serving("builtin/author") as (url, _):
        callwright.evaluate_model(
            run.parent / "ds", "dynamic", model="builtin/retriever", user="openai/u", base_url=url,
            prompts=tmp_path / "prompts", out=tmp_path / "run",
        )  # fmt: skip
    own.unlink()
    sent = [one for one in sent_requests(tmp_path / "run", ids(run)[0]) if one.role == "user"]
    assert sent
    assert all(one.is_as_sent and one.request.messages[0].content.startswith("Speak plainly.") for one in sent)


def test_the_command_shows_requests_and_sums(run: Path) -> None:
    """Each role with its tokens; an id is needed, and one that exists."""
    shown = CliRunner().invoke(main, ["show", str(run), ids(run)[0], "--sent"])
    assert shown.exit_code == 0
    assert "not as sent: 0" in shown.stdout
    assert "user: " in shown.stdout
    assert CliRunner().invoke(main, ["show", str(run), "--sent"]).exit_code == 2
    with pytest.raises(UnknownName):
        sent_requests(run, "none")
    with pytest.raises(BadInput):
        sent_requests(run.parent / "ds", "none")
