"""Rewards of episodes: 0 for doing nothing, the ceiling for the right replies, in every part of every protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import callwright
from callwright.app.corpora import read_corpus
from callwright.app.episodes import Episodes, open_episodes
from callwright.models.chat import ChatReply
from callwright.papers.registry import protocol_names
from callwright.protocol import Panel
from callwright.protocol.episode import Episode
from callwright.protocol.episode_rewards import RewardScale, reward_parts, signs_of

CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("dynamic", "diaforge", {}),
    ("static", "diaforge", {}),
    ("wild", "wild", {}),
    ("dice", "dice", {}),
    ("tooldial", "tooldial", {"task": "state", "history": "gold"}),
    ("tooldial", "tooldial", {"task": "overall", "history": "own"}),
    ("fnctod", "multiwoz", {}),
    ("fnctod", "multiwoz", {"one_step": True}),
    ("tod", "multiwoz", {"db": "db"}),
    ("bfcl", "bfcl", {}),
    ("bfcl", "irrelevant", {}),
]
IDLE = ("", "Sorry, I cannot help with that.", "Which one do you mean?")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a dataset for each protocol."""
    folder = tmp_path_factory.mktemp("rewards")
    catalog = callwright.read_catalog("builtin/enterprise")
    for name in ("wild", "dice", "tooldial"):
        callwright.synthesize(name, catalog, n=4, seed=3, out=folder / name)
    callwright.synthesize("diaforge", catalog, n=8, seed=3, no_tool_share=0.3, out=folder / "diaforge")
    _write_multiwoz(folder)
    _write_bfcl(folder)
    return folder


def _write_multiwoz(folder: Path) -> None:
    state = {"hotel": {"semi": {"area": "east"}, "book": {"booked": []}}}
    said = ("a hotel in the east", "Old Mill , call 0123456 .", "thanks", "Have a nice day .")
    log = [
        {"text": text, "metadata": state if at % 2 else {}, "dialog_act": {}, "span_info": []}
        for at, text in enumerate(said)
    ]
    log[1]["dialog_act"] = {"Hotel-Inform": [["Phone", "0123456"]]}
    goal = {"hotel": {"info": {"area": "east"}, "reqt": ["phone"]}}
    (folder / "data.json").write_text(json.dumps({"D0": {"goal": goal, "log": log}}))
    read_corpus("multiwoz", folder / "data.json", out=folder / "multiwoz")
    rows = {"hotel": {"id": "h1", "name": "old mill", "area": "east", "phone": "0123456"}}
    (folder / "db").mkdir()
    for domain in ("hotel", "restaurant", "attraction", "train"):
        row = rows.get(domain, {"id": "x", "name": "x", "trainID": "T", "day": "monday"})
        (folder / "db" / f"{domain}_db.json").write_text(json.dumps([row]))


def _write_bfcl(folder: Path) -> None:
    item = {"type": "dict", "properties": {"item": {"type": "string"}}, "required": ["item"]}
    tool = {"name": "shop.buy", "description": "Buy.", "parameters": item}
    for category, name in (("simple", "bfcl"), ("irrelevance", "irrelevant")):
        asked = {"id": "q_0", "question": [[{"role": "user", "content": "A pen."}]], "function": [tool]}
        (folder / f"BFCL_v4_{category}.json").write_text(json.dumps(asked))
        (folder / "answers.json").write_text(
            json.dumps({"id": "q_0", "ground_truth": [{"shop.buy": {"item": ["pen"]}}]})
        )
        answers = folder / "answers.json" if name == "bfcl" else None
        read_corpus("bfcl", folder / f"BFCL_v4_{category}.json", answers=answers, out=folder / name)


def opened(data: Path, protocol: str, name: str, options: dict[str, Any]) -> Episodes:
    """The episodes of a case."""
    here = {key: str(data / "db") if key == "db" else value for key, value in options.items()}
    return open_episodes(data / name, protocol, **here)


def said(episode: Episode, text: str) -> dict[str, float]:
    """The rewards of a policy that says the same until the end, and calls nothing."""
    episode.start()
    while not episode.is_over:
        episode.reply(ChatReply(content=text))
    return episode.rewards()


def test_every_protocol_is_among_the_cases() -> None:
    """A new paper has to be added."""
    assert {protocol for protocol, _, _ in CASES} == set(protocol_names())


@pytest.mark.parametrize(("protocol", "name", "options"), CASES)
def test_doing_nothing_earns_0_and_gold_the_ceiling(
    data: Path, protocol: str, name: str, options: dict[str, Any]
) -> None:
    """In each part; without words or with some. The ceiling is 1, or 0 where idle policies score the same."""
    episodes = opened(data, protocol, name, options)
    gains = set()
    for one in episodes.ids:
        episode = episodes.open(one)
        scale = episode.measured_scale()
        signs = signs_of(episodes.protocol.panels)
        gold = reward_parts(scale.gold, scale, signs)
        level = {part for part in gold if scale.gold[part] in [score.get(part) for score in scale.idle]}
        assert gold == {part: float(part not in level) for part in gold}
        gains |= gold.keys() - level
        for text in IDLE:
            assert set(said(episodes.open(one), text).values()) == {0.0}, (one, text)
        episode.close()
    assert ("right" in gains) == (name != "irrelevant")
    assert set(episodes.parts) >= gains


def test_a_call_that_should_not_be_made_is_a_penalty(data: Path) -> None:
    """Where gold calls nothing, a call earns less than silence; elsewhere a wrong call does so in its own part."""
    for protocol, name, part in (("bfcl", "irrelevant", "right"), ("dynamic", "diaforge", "ftr")):
        episodes = opened(data, protocol, name, {})
        episode = episodes.open(episodes.ids[0])
        episode.start()
        while not episode.is_over:
            episode.call("shop.buy", {"item": "pen"})
        assert episode.rewards()[part] == -1.0


share = st.floats(0, 1)


@given(
    st.dictionaries(st.sampled_from("abc"), share), st.lists(st.dictionaries(st.sampled_from("abc"), share), min_size=1)
)
def test_the_ends_of_every_part_are_fixed(gold: dict[str, float], idle: list[dict[str, float]]) -> None:
    """Whatever a metric gives: no idle policy gains or loses, and the right replies get 1 or lose nothing."""
    scale, signs = RewardScale(gold, tuple(idle)), {"a": 1, "b": -1, "c": 1}
    assert all(value in (0.0, 1.0) for value in reward_parts(gold, scale, signs).values())
    for one in idle:
        assert set(reward_parts(one, scale, signs).values()) <= {0.0}
    assert reward_parts(gold, scale, signs).keys() == gold.keys()


def test_arrows_say_what_is_better() -> None:
    """Metrics with an arrow are rewards; those without one describe data."""
    panels = (Panel("one", (("a", "A ↑"), ("b", "share ↓"))), Panel("two", (("c", "ceiling"), ("a", "A ↑"))))
    assert signs_of(panels) == {"right": 1, "a": 1, "b": -1}
