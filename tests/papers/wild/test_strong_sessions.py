"""Sessions written by hand, played by a scripted strong author."""

from __future__ import annotations

import pytest

from strong_author import (
    NativeSessionAuthor,
    Session,
    SessionAuthor,
    play_session,
    sessions,
    sessions_in,
    sessions_in_suite,
)


def test_there_are_as_many_as_the_figures_say() -> None:
    """With tasks of all kinds, topologies and hidings."""
    tasks = [task for session in sessions() for task in session.tasks]
    assert len(sessions()) == len({session.name for session in sessions()}) == 50
    assert {task.kind for task in tasks} == {"single", "multi", "clarify", "chat"}
    assert {task.topology for task in tasks} == {"", "P", "S", "S+P"}
    assert {task.hiding for task in tasks} == {"", "partial", "coreference", "long_range"}


@pytest.mark.parametrize("session", sessions_in_suite(), ids=lambda session: session.name)
def test_a_natural_session_is_kept(session: Session) -> None:
    """Though every line is said again where it is asked again; each task is kept from its first proposal."""
    author = SessionAuthor(session)
    made = play_session(session, author)
    assert [(issue.code, issue.message) for issue in made.issues] == []
    assert len(made.dialogue.tasks) == len(session.tasks)
    assert len([one for one in author.asked["author"] if len(one.messages) == 2]) == len(session.tasks)


@pytest.mark.parametrize("session", sessions_in_suite(), ids=lambda session: session.name)
def test_a_natural_session_with_native_calls_is_kept(session: Session) -> None:
    """With the same calls, results and gold."""
    author = NativeSessionAuthor(session)
    made, usual = play_session(session, author), play_session(session)
    assert [(issue.code, issue.message) for issue in made.issues] == []
    assert all(one.tools for one in author.asked["assistant"])
    assert made.dialogue.turns == usual.dialogue.turns
    assert made.dialogue.tasks == usual.dialogue.tasks


def test_a_session_with_a_call_outside_the_schema_is_rejected() -> None:
    """Its writer gave a quantity of 32 where 20 is the most."""
    (session,) = (one for one in sessions_in("_fresh_g") if one.name == "kerb one, rim nil")
    assert [issue.code for issue in play_session(session).issues] == ["type_error"]
