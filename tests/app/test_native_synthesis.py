"""`synth --calling native`: what is sent, kept, counted and resumed where the assistant calls natively."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import callwright
import native_jobs
from callwright.app.sent import sent_requests
from callwright.engine.budget import Budget
from callwright.errors import BadInput, BudgetSpent, RunConflict
from callwright.models.prompted import call_in_words
from callwright.records.jsontext import encode
from callwright.store.dataset import read_dialogues
from native_jobs import NATIVE, calling_of, dry_run
from room_talks import CATALOG, CLEAN, SEED, VALUES, ScriptedAuthor
from served_voice import serving as answering
from serving import serving

N = 6
synth = partial(native_jobs.synth, "diaforge", n=N)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of `builtin/author`; do not change it."""
    folder = tmp_path_factory.mktemp("native") / "ds"
    with serving("builtin/author") as (url, _):
        synth(folder, url)
    return folder


def test_builtin_author_plays_the_assistant(made: Path) -> None:
    """Its reasoning is the thought of every turn, and the card and the settings say how it called."""
    kept = list(read_dialogues(made))
    assert len(kept) >= N - 1
    thoughts = [turn.thought for dialogue in kept for turn in dialogue.turns[1::2]]
    assert len(thoughts) > N
    assert all(thoughts)
    assert "The assistant called natively: its reasoning is the thought." in (made / "README.md").read_text()
    assert calling_of(made) == "native"


def test_what_it_was_sent_is_rebuilt(made: Path) -> None:
    """With the tools of the request, as they were sent."""
    sent = [one for dialogue in read_dialogues(made) for one in sent_requests(made, dialogue.id)]
    assert all(one.is_as_sent for one in sent)
    with_tools = [one for one in sent if one.request.tools]
    assert with_tools
    assert {one.role for one in with_tools} == {"assistant"}


def test_another_way_of_calling_is_another_dataset(tmp_path: Path) -> None:
    """The folder refuses it and names the setting; a dataset of objects has no such setting, as before."""
    with serving("builtin/author") as (url, _):
        synth(tmp_path / "native", url, n=1)
        with pytest.raises(RunConflict, match="calling"):
            synth(tmp_path / "native", url, n=1, calling="object")
        synth(tmp_path / "object", url, n=1, calling="object")
        assert synth(tmp_path / "object", url, n=1, calling=None).planned == 1
    assert calling_of(tmp_path / "object") is None


def test_a_model_without_reasoning_is_rejected_and_counted(tmp_path: Path) -> None:
    """Asked once more for each dialogue; the funnel has the reason as a step."""
    with serving("builtin/author") as (author, _), serving("builtin/retriever") as (plain, tally):
        result = synth(tmp_path / "ds", author, n=3, assistant=f"openai/plain@{plain}")
    assert (result.kept, result.rejected, result.failed) == (0, {"no_reasoning": 3}, {})
    assert tally.summary().replies == 6
    assert "| rejected: no_reasoning | -3 |" in (tmp_path / "ds" / "README.md").read_text()


def test_a_thought_in_tags_and_a_call_as_text_are_read(tmp_path: Path) -> None:
    """As servers leave them that read neither."""
    texts = [
        "<think>Several tools fit.</think>Do you want to get a room, or give one up?",
        "<think>I suppose it is book_room.</think>Which room would you like, and for how many people?",
        "It is book_room.</think>And which cost code should it go to?",
        f"<think>It is book_room.</think>I am booking it now.\n{call_in_words('book_room', encode(VALUES))}",
    ]
    author = ScriptedAuthor({**CLEAN, "assistant": texts})
    with answering(author.answer) as server:
        given: dict[str, Any] = {"author": "openai/a", "base_url": server.url, "calling": "native"}
        result = callwright.synthesize("diaforge", CATALOG, n=1, seed=SEED, out=tmp_path, **given)
    assert (result.kept, result.rejected, result.failed) == (1, {}, {})
    (dialogue,) = read_dialogues(tmp_path)
    assert [turn.thought for turn in dialogue.turns[1::2]][::2] == ["Several tools fit.", "It is book_room."]
    assert dialogue.turns[-1].calls[0].values == VALUES


@pytest.mark.parametrize(
    ("recipe", "changed", "message"),
    [
        ("diaforge", {"author": None, "base_url": None}, "calling says how a model calls, and needs an author"),
        ("diaforge", {"calling": "schema"}, "by `native` tools, or in the `object`.*`eval` has the others"),
        ("tooldial", {}, "in tooldial no assistant calls natively"),
        ("dice", {}, "in dice no assistant calls natively"),
    ],
)
def test_a_way_of_calling_without_effect_is_refused(
    tmp_path: Path, recipe: str, changed: dict[str, Any], message: str
) -> None:
    """In words, before anything is written."""
    given = {"author": "openai/a", "base_url": "http://127.0.0.1:1/v1", "calling": "native"} | changed
    with pytest.raises(BadInput, match=message):
        callwright.synthesize(recipe, "builtin/enterprise", n=1, out=tmp_path / "ds", **given)
    assert not (tmp_path / "ds").exists()


def test_the_dry_run_says_how_the_assistant_calls() -> None:
    """And estimates its requests: no message is dropped, so at most one reply a dialogue is asked for less often."""
    words, native = dry_run("diaforge", *NATIVE)
    _, usual = dry_run("diaforge")
    assert "The assistant calls natively: its reasoning is the thought." in words
    assert (native["calling"], usual["calling"]) == ("native", "object")
    assert usual["most_calls"] - native["most_calls"] == 4 * 3
    assert 0 < native["estimate"]["calls"] < usual["estimate"]["calls"]


def test_a_budget_ends_the_synthesis_and_a_higher_one_goes_on(made: Path, tmp_path: Path) -> None:
    """Nothing answered is asked again, and the dialogues are those of one go."""
    out = tmp_path / "ds"
    with serving("builtin/author") as (url, tally):
        with pytest.raises(BudgetSpent, match="budget is spent"):
            synth(out, url, budget=Budget(tokens=15_000), concurrency=2)
        asked = tally.summary().requests
        result = synth(out, url, budget=Budget(tokens=100_000_000))
        assert tally.summary().asked_after_reply == 0
        assert result.calls == tally.summary().requests > asked > 0
    turns, whole = ([one.turns for one in read_dialogues(folder)] for folder in (out, made))
    assert turns == whole
