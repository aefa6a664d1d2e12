"""The live user worded and elected by models: places stay distinct, and nothing is asked twice."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import sqlite3
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import callwright
from callwright.cli import main
from callwright.errors import BadInput, RunConflict
from callwright.models.retries import Patience
from callwright.papers.diaforge.dynamic_protocol import PROTOCOL
from callwright.papers.diaforge.scripted_roles import user_text
from callwright.protocol.items import run_items
from callwright.protocol.run_access import open_run
from served_voice import Prompt, serving
from serving import serving as served

VOTE = "You choose how a person"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few dialogues; do not change them."""
    folder = tmp_path_factory.mktemp("data") / "ds"
    callwright.synthesize("diaforge", "builtin/enterprise", n=8, seed=7, out=folder)
    return folder


def run(dataset: Path, out: Path, url: str = "", **changed: object) -> callwright.RunResult:
    options: dict[str, object] = {"model": "builtin/retriever", "out": out, "seed": 3} | changed
    if url:
        options |= {"base_url": url, "patience": Patience(tries=1)}
    return callwright.evaluate_model(dataset, "dynamic", **options)  # type: ignore[arg-type]


def places(out: Path) -> list[str]:
    with sqlite3.connect(out / "run.db") as database:
        found = [scope for (scope,) in database.execute("SELECT scope FROM replies")]
    database.close()
    return found


class Crowd:
    """Words every turn in another way, says the values it is asked for, votes for the longest; answers out of order."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.count = itertools.count()

    async def __call__(self, prompt: Prompt) -> str:
        await asyncio.sleep(self.chance.random() * 0.02)
        if prompt[0][1].startswith(VOTE):
            texts = re.findall(r"^\d\. (.*)$", prompt[1][1], re.M)
            return json.dumps({"reply": texts.index(max(texts, key=len)) + 1})
        another = "".join(chr(ord("a") + int(digit)) for digit in str(next(self.count)))  # no value of its own
        return f"{user_text(prompt[1][1])} hm{another}"


def test_samples_and_votes_have_places_of_their_own(dataset: Path, tmp_path: Path) -> None:
    """Three samples and three votes a turn, each kept once; the longest wording is the one that is said."""
    with serving(Crowd(1)) as server:
        result = run(dataset, tmp_path / "run", server.url, user="openai/u", voter="openai/v")
    assert result.failed == {}
    kept = places(tmp_path / "run")
    for number in (1, 2, 3):
        assert f"user/0/sample/{number}#diaforge/live_user.j2@user" in kept
    assert {scope for scope in kept if scope.startswith("user/0/vote")} <= {
        f"user/0/vote/{number}#diaforge/vote.j2@voter" for number in (1, 2, 3)
    }
    assert result.calls == len(server.asked)
    assert set(result.tokens) == {"user", "voter"}
    models = {body["model"] for body in server.bodies if body["messages"][0]["content"].startswith(VOTE)}
    assert models == {"v"}


def test_replies_are_given_again_in_any_order_of_completion(dataset: Path, tmp_path: Path) -> None:
    """Outcomes taken away and rolled out again: the same transcripts, and no model is asked."""
    with serving(Crowd(1)) as server:
        options = {"user": "openai/u", "voter": "openai/v"}
        run(dataset, tmp_path / "run", server.url, **options)
        first, asked = open_run(tmp_path / "run").transcripts, len(server.asked)
        with sqlite3.connect(tmp_path / "run" / "run.db") as database:
            database.execute("DELETE FROM outcomes")
        database.close()
        again = run(dataset, tmp_path / "run", server.url, concurrency=2, **options)
        assert len(server.asked) == asked
        assert open_run(tmp_path / "run").transcripts == first
        assert again.failed == {}
    assert {turn.text for transcript in first for turn in transcript.turns if turn.speaker == "user"}


def test_a_user_alone_words_each_turn_once(dataset: Path, tmp_path: Path) -> None:
    """Without a voter there is no election."""
    with serving(Crowd(2)) as server:
        run(dataset, tmp_path / "run", server.url, user="openai/u")
    kept = [scope for scope in places(tmp_path / "run") if scope.endswith("@user")]
    assert kept
    assert all(re.fullmatch(r"user/\d+#diaforge/live_user.j2@user", scope) for scope in kept)


def test_a_user_that_talks_wild_is_written_again_and_then_excluded(dataset: Path, tmp_path: Path) -> None:
    """Names of tools said aloud are faults of the user, not of the model."""
    shown = {tool.name for dialogue in callwright.open_dataset(dataset).dialogues for tool in dialogue.tools}
    with serving(lambda _: f"Please use {', '.join(sorted(shown))}.") as server:
        result = run(dataset, tmp_path / "run", server.url, user="openai/u", t_max=2)
    assert result.failed == {}
    assert all(transcript.faults for transcript in open_run(tmp_path / "run").transcripts)
    assert any("Your last message was not accepted" in prompt[1][1] for prompt in server.asked)


@pytest.mark.parametrize("voter", [None, "openai/v"])
def test_dialogues_of_a_user_that_talks_of_something_else_are_excluded(
    dataset: Path, tmp_path: Path, voter: str | None
) -> None:
    """They are in no score; the report and each item say whether the user helped or hindered the model."""
    with serving(lambda _: "I have no tool to call.") as server:
        result = run(dataset, tmp_path / "run", server.url, user="openai/u", voter=voter)
    assert result.failed == {}
    rows = callwright.score_runs(tmp_path / "run")
    acc = next(row for row in rows if row.metric == "acc" and not row.slice)
    assert (acc.value, acc.n, acc.n_excluded) == (None, 0, result.planned)
    by_name = {row.metric: row.value for row in rows if not row.slice}
    assert (by_name["user_helped"], by_name["user_hindered"]) == (0.0, 1.0)
    items = run_items(open_run(tmp_path / "run"), PROTOCOL)
    assert {item.why.partition(":")[0] for item in items} == {"a fault of the user, which hindered the model"}


def test_the_builtin_author_plays_the_user(dataset: Path, tmp_path: Path) -> None:
    """Behind a server, in every dialogue; then it is the model's turns that are scored."""
    with served("builtin/author") as (url, _):
        result = run(dataset, tmp_path / "run", url, user="openai/u", voter="openai/v")
    assert (result.done, result.failed) == (result.planned, {})
    assert not any(transcript.faults for transcript in open_run(tmp_path / "run").transcripts)


@pytest.mark.parametrize("role", ["user", "voter"])
def test_failures_are_blamed_on_their_role(dataset: Path, tmp_path: Path, role: str) -> None:
    """A reply that never fits fails the rollout of who gave it."""
    crowd = Crowd(3)

    async def answer(prompt: Prompt) -> str:
        is_vote = prompt[0][1].startswith(VOTE)
        return "" if is_vote == (role == "voter") else await crowd(prompt)

    with serving(answer) as server:
        result = run(dataset, tmp_path / "run", server.url, user="openai/u", voter="openai/v")
    assert result.failed == {"bad_reply": result.planned}
    with sqlite3.connect(tmp_path / "run" / "run.db") as database:
        roles = {found for (found,) in database.execute("SELECT role FROM outcomes")}
    database.close()
    assert roles == {role}


def test_the_live_user_is_part_of_the_run_and_of_the_signature(dataset: Path, tmp_path: Path) -> None:
    """Another user, voter or number of samples is another run; each row says who took part."""
    with serving(Crowd(4)) as server:
        run(dataset, tmp_path / "run", server.url, user="openai/u", voter="openai/v")
        for other in ({"user": "openai/w"}, {"voter": None}, {"samples": 2}, {"user": None}):
            options = {"user": "openai/u", "voter": "openai/v"} | other
            with pytest.raises(RunConflict):
                run(dataset, tmp_path / "run", server.url, **options)
        rows = callwright.score_runs([tmp_path / "run"])
        assert all(f"|user:openai/u@{server.url}|voter:openai/v@{server.url}|" in row.signature for row in rows)
    with pytest.raises(RunConflict):
        run(dataset, tmp_path / "run")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"user": "builtin/eager"}, "openai/NAME"),
        ({"user": "openai/u", "samples": 3}, "model that votes"),
        ({"voter": "openai/v", "samples": 1}, "samples"),
        ({"voter": "openai/v", "voters": 0}, "voters"),
        ({"voter": "openai/v", "voters": 17}, "voters"),
        ({"prompts": "."}, "prompts need a model"),
        ({"base_url": "http://127.0.0.1:1/v1"}, "apply only to served models"),
    ],
)
def test_what_would_change_nothing_is_refused(
    dataset: Path, tmp_path: Path, options: dict[str, object], message: str
) -> None:
    """And so are numbers out of range."""
    with pytest.raises(BadInput, match=message):
        run(dataset, tmp_path / "run", **options)


def test_recorded_users_have_no_model(dataset: Path, tmp_path: Path) -> None:
    """In the static protocol."""
    with pytest.raises(BadInput, match="recorded"):
        callwright.evaluate_model(
            dataset, "static", model="builtin/eager", out=tmp_path / "run", user="openai/u@http://127.0.0.1:1/v1"
        )


def test_the_command_line_names_user_and_voter(dataset: Path, tmp_path: Path) -> None:
    """`--base-url` holds for both; `--json` counts by role; in the static protocol they are refused."""
    with serving(Crowd(5)) as server:
        arguments = ["eval", str(dataset), "--model", "builtin/eager", "--base-url", server.url, "-o"]
        live = ["--protocol", "dynamic", "--user", "openai/u", "--voter", "openai/v", "--samples", "2", "--voters", "1"]
        shown = CliRunner().invoke(main, [*arguments, str(tmp_path / "run"), *live, "--json"])
        static = CliRunner().invoke(
            main, [*arguments, str(tmp_path / "other"), "--protocol", "static", "--voter", "openai/v"]
        )
    assert shown.exit_code == 0
    assert set(json.loads(shown.stdout)["tokens"]) == {"user", "voter"}
    assert not [scope for scope in places(tmp_path / "run") if re.search(r"sample/3|vote/2", scope)]
    assert static.exit_code == 2
    assert "--voter" in static.stderr
