"""The counts that dialogues of any source have."""

from __future__ import annotations

from callwright.measure.shape import exchange_statistics, exchanges
from callwright.records.dialogue import Dialogue, Participant, Provenance, Turn


def dialogue(users: int) -> Dialogue:
    """Return a dialogue of so many user turns, each answered."""
    return Dialogue(
        id=f"{users}",
        recipe="made",
        participants=(Participant("u", "user"), Participant("a", "assistant")),
        turns=(Turn("u", "Hi."), Turn("a", "Yes?")) * users,
        provenance=Provenance(author="made", callwright="0.1.0"),
    )


def test_exchanges_are_user_turns() -> None:
    """Turns of the assistant do not count."""
    assert [exchanges(dialogue(users)) for users in (0, 1, 3)] == [0, 1, 3]


def test_the_card_of_any_dialogues_tells_their_exchanges() -> None:
    """Each number of exchanges stands with the number of dialogues that have it."""
    found = exchange_statistics([dialogue(3), dialogue(1), dialogue(3)], {})

    assert found.rows == (("exchanges per dialogue", "1 × 1, 3 × 2"),)
    assert found.note
    assert exchange_statistics([], {}).rows == (("exchanges per dialogue", "-"),)
