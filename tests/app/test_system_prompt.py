"""`--system`: what the model under test is told before the first turn, and what names it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

import callwright
from callwright.engine.context import Context
from callwright.errors import BadInput, RunConflict
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.registry import load_protocol
from callwright.protocol.evaluation_job import EvaluationJob, Setting
from callwright.protocol.system_prompt import LONGEST, NEUTRAL, read_system

COACHING = ("ask", "guess", "sure", "call nothing", "repeat", "leave out")


class Listener:
    """A model that keeps what it is told and says one sentence."""

    name = "listener"

    def __init__(self) -> None:
        self.told: list[str] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        self.told += [message.content for message in request.messages if message.role == "system"]
        return ChatReply(content="Which one?")


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sessions") / "ds"
    callwright.synthesize("wild", "builtin/enterprise", n=2, seed=7, out=folder)
    return folder


def told(data: Path, protocol: str, system: str | None) -> str:
    """Return the one system message of a rollout of the first dialogue."""
    found, listener = callwright.open_dataset(data), Listener()
    own = load_protocol(protocol)
    setting = Setting(protocol=own.version, model="builtin/abstain", system=read_system(own, system))
    job = EvaluationJob(own, setting, found.catalog, found.dialogues[:1])
    asyncio.run(job.run(0, Context.detached(job.ids[0], seed=1, models={"model": listener})))
    assert len(set(listener.told)) == 1
    return listener.told[0]


@pytest.mark.parametrize("protocol", ["static", "dynamic", "wild"])
def test_neutral_is_the_default_and_coaches_nothing(protocol: str, made: Path, sessions: Path, tmp_path: Path) -> None:
    """Only the tools and the date; the coached wording and a file's text take its place where they are asked for."""
    data = sessions if protocol == "wild" else made
    file = tmp_path / "prompt.txt"
    file.write_text("Be brief.\n")

    neutral = told(data, protocol, None)

    assert neutral.startswith(f"{NEUTRAL} Today is 202")
    assert not any(word in neutral.lower() for word in COACHING)
    assert told(data, protocol, "neutral") == neutral
    assert told(data, protocol, str(file)).startswith("Be brief. Today is 202")
    coached = told(data, protocol, "coached")
    assert coached.startswith(load_protocol(protocol).duties)
    assert any(word in coached.lower() for word in COACHING)


def test_the_signature_names_it(made: Path, tmp_path: Path) -> None:
    """`neutral`, `coached`, or the digest of the file's text; another one is another run, and the text is kept."""
    file = tmp_path / "prompt.txt"
    file.write_text("Be brief.")
    names = {"neutral": "neutral", "coached": "coached", str(file): "file:"}
    for at, (system, name) in enumerate(names.items()):
        callwright.evaluate_model(
            made, "static", model="builtin/abstain", out=tmp_path / f"r{at}", limit=2, system=system
        )
        assert all(f"|system:{name}" in row.signature for row in callwright.score_runs(tmp_path / f"r{at}"))
    with pytest.raises(RunConflict, match="system"):
        callwright.evaluate_model(
            made, "static", model="builtin/abstain", out=tmp_path / "r0", limit=2, system="coached"
        )


@pytest.mark.parametrize(
    ("content", "says"), [(b"", "empty"), (b" \n", "empty"), (b"x" * (LONGEST + 1), "over"), (b"\xff\xfe", "UTF-8")]
)
def test_a_file_that_cannot_be_used_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_bytes(content)
    with pytest.raises(BadInput, match=says):
        read_system(load_protocol("static"), tmp_path / "p.txt")


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadInput, match="neutral or coached"):
        read_system(load_protocol("static"), "coahced")
