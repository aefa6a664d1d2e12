"""Episodes: a protocol driven from outside."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

import callwright
from callwright.app.episodes import open_episodes
from callwright.baselines import model_factory
from callwright.errors import BadInput, CallwrightError, UnknownName
from callwright.protocol.episode import Episode


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A dataset for each protocol."""
    folder = tmp_path_factory.mktemp("episodes")
    catalog = callwright.read_catalog("builtin/enterprise")
    callwright.synthesize("diaforge", catalog, n=8, seed=3, out=folder / "diaforge")
    callwright.synthesize("wild", catalog, n=3, seed=3, out=folder / "wild")
    return {"dynamic": folder / "diaforge", "static": folder / "diaforge", "wild": folder / "wild"}


def play(episode: Episode, name: str, data: Path) -> dict[str, float]:
    """Let a builtin model reply until the episode is over."""
    opened = callwright.open_dataset(data)
    model = model_factory(name)(episode.dialogue, opened.catalog.by_key)
    episode.start()
    while not episode.is_over:
        episode.reply(asyncio.run(model.reply(episode.request, Random(0))))
    return episode.rewards()


@pytest.mark.parametrize("protocol", ["dynamic", "static", "wild"])
def test_gold_is_the_ceiling_and_silence_gains_nothing(data: dict[str, Path], protocol: str) -> None:
    """The gold calls earn 1 in every episode; a policy that only asks earns 0 where a call is due."""
    episodes = open_episodes(data[protocol], protocol)
    assert len(episodes.ids) >= 3
    assert {play(episodes.open(one), "builtin/oracle", data[protocol])["right"] for one in episodes.ids} == {1.0}
    assert {play(episodes.open(one), "builtin/abstain", data[protocol])["right"] for one in episodes.ids} == {0.0}


@pytest.mark.parametrize("protocol", ["dynamic", "wild"])
def test_an_episode_is_a_rollout_of_the_evaluation(data: dict[str, Path], protocol: str, tmp_path: Path) -> None:
    """The same model gives the same turns in an episode and in an evaluation."""
    callwright.evaluate_model(data[protocol], protocol, model="builtin/eager", out=tmp_path / "run")
    from callwright.protocol.run_access import open_run

    evaluated = {one.dialogue: one.turns for one in open_run(tmp_path / "run").transcripts}
    episodes = open_episodes(data[protocol], protocol)
    played = {}
    for one in episodes.ids:
        episode = episodes.open(one)
        play(episode, "builtin/eager", data[protocol])
        assert episode.transcript is not None
        played[one] = episode.transcript.turns
    assert len(played) >= 3
    assert played == evaluated


def test_words_and_calls_come_back_as_text(data: dict[str, Path]) -> None:
    """The user answers what is said; a call that ends the episode returns nothing."""
    episodes = open_episodes(data["dynamic"], "dynamic")
    episode = episodes.open(episodes.ids[0])
    assert episode.start()
    assert episode.say("Which one do you mean?")
    assert episode.tools()[0].keys() == {"name", "description", "parameters"}
    assert episode.call("no_such_tool", {}) is None
    assert episode.rewards()["right"] == 0.0
    assert (episode.scores()["ftr"], episode.rewards()["ftr"]) == (1.0, -1.0)


def test_the_order_of_steps_is_kept(data: dict[str, Path]) -> None:
    """Nothing can be said before the start or after the end, and there is no reward before the end."""
    episodes = open_episodes(data["dynamic"], "dynamic")
    episode = episodes.open(episodes.ids[0])
    with pytest.raises(CallwrightError, match="has not started"):
        episode.say("Hello?")
    episode.start()
    with pytest.raises(CallwrightError, match="has started"):
        episode.start()
    with pytest.raises(CallwrightError, match="is not over"):
        episode.rewards()
    episode.call("no_such_tool", {})
    with pytest.raises(CallwrightError, match="or is over"):
        episode.say("Hello?")


def test_unknown_names_and_unfit_data_are_refused(data: dict[str, Path]) -> None:
    """Protocol, option, dialogue, and data of another recipe."""
    with pytest.raises(UnknownName):
        open_episodes(data["dynamic"], "no-such-protocol")
    with pytest.raises(BadInput, match="speed"):
        open_episodes(data["dynamic"], "dynamic", speed=1)
    with pytest.raises(UnknownName):
        open_episodes(data["dynamic"], "dynamic").open("no-such-dialogue")
    with pytest.raises(BadInput, match="dialogue"):
        open_episodes(data["wild"], "dynamic")
