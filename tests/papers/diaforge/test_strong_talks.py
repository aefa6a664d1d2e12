"""Talks written by hand, played by a scripted strong author: what is kept, and what is asked again."""

from __future__ import annotations

from collections import Counter

import pytest

from strong_author import NativeTalkAuthor, Talk, TalkAuthor, play_talk, talks, talks_in_suite


def test_there_are_as_many_as_the_figures_say() -> None:
    """Over many tools of several catalogues."""
    assert len(talks()) == len({talk.name for talk in talks()}) == 92
    assert len({(talk.catalogue, talk.tool) for talk in talks()}) > 40


@pytest.mark.parametrize("talk", talks_in_suite(), ids=lambda talk: talk.name)
def test_a_natural_talk_is_kept(talk: Talk) -> None:
    """Though every line is said again where it is asked again; the gold call is what the script calls."""
    author = TalkAuthor(talk)
    made = play_talk(talk, author)
    assert [(issue.code, issue.message) for issue in made.issues] == []
    assert made.dialogue.turns[-1].calls[0].values == talk.assistant[-1]["call"]["arguments"]


@pytest.mark.parametrize("talk", talks_in_suite(), ids=lambda talk: talk.name)
def test_a_natural_talk_with_native_calls_is_kept(talk: Talk) -> None:
    """With the same words and thoughts; the assistant is not asked for a message that only chooses the tool."""
    author = NativeTalkAuthor(talk)
    made = play_talk(talk, author)
    assert [(issue.code, issue.message) for issue in made.issues] == []
    assert [turn.text for turn in made.dialogue.turns] == [turn.text for turn in play_talk(talk).dialogue.turns]
    assert len(author.asked["assistant"]) - author.asked_again["assistant"] == len(made.dialogue.turns) // 2


def test_the_phase_is_heard_when_it_begins_or_not_much_later() -> None:
    """In nearly every talk before the call, and in most in the same turn as the assistant's own choice."""
    heard = [(phases(NativeTalkAuthor(talk)), phases(TalkAuthor(talk))) for talk in talks()]
    assert sum(by_rule[-1] for by_rule, _ in heard) >= 70
    assert sum(by_rule == own for by_rule, own in heard) >= 54


def phases(author: TalkAuthor) -> list[bool]:
    """Whether the user was in phase two, turn by turn."""
    play_talk(author.talk, author)
    return [
        "The assistant knows now" in one.messages[1].content for one in author.asked["user"] if len(one.messages) == 2
    ]


def test_few_natural_turns_are_asked_again() -> None:
    """At most one in twelve: each costs a request, and its words."""
    asked, again = Counter[str](), Counter[str]()
    for talk in talks()[:12]:
        author = TalkAuthor(talk)
        play_talk(talk, author)
        asked.update({role: len(requests) for role, requests in author.asked.items()})
        again.update(author.asked_again)
    assert again.total() * 12 < asked.total()
    assert again["assistant"] < again["user"]


def test_an_opening_that_is_not_found_is_told_so() -> None:
    """The next first message is asked for with the reason; the assistant is not sent a word more."""
    talk = next(talk for talk in talks() if talk.name == "taxi from the station")
    author = TalkAuthor(talk)
    assert play_talk(talk, author).issues == ()
    first, second = (request.messages[1].content for request in author.asked["user"][:2])
    assert "not accepted" not in first
    assert f"not accepted: a search with the words of {talk.user[0]!r} does not find your tool" in second
    assert not any("not accepted" in request.messages[1].content for request in author.asked["assistant"])
