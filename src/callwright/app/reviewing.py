"""Review rounds: which dialogues people look at next, and when they have looked enough (WildToolBench, section 3.4).

Several people can mark the same round, each under a name; a dialogue is wrong where the last word of anyone is so.

A round is a random sample, of those never seen first, until one finds no error and every dialogue was seen. Marks of a
dialogue that was made anew do not count, but its round still found an error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from hashlib import blake2b
from typing import Final, Literal, NamedTuple

import msgspec

from callwright.engine.randomness import stream
from callwright.errors import BadInput, BadOption, UnknownName
from callwright.records.codec import to_line
from callwright.records.dialogue import SCHEMA_VERSION, Dialogue
from callwright.stats.agreement import Alpha, krippendorff_alpha

Verdict = Literal["right", "wrong"]


class Round(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dialogues drawn for one round, and what they were drawn with."""

    round: int
    """From 1."""
    ids: tuple[str, ...]
    """In the order they are shown."""
    share: float
    seed: int
    schema_version: int = SCHEMA_VERSION


class Mark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's mark on one dialogue in one round."""

    round: int
    id: str
    verdict: Verdict
    note: str = ""
    turns: tuple[int, ...] = ()
    """The turns that are wrong, from 0; empty where the whole dialogue is."""
    digest: str
    """Of the dialogue as it was then."""
    by: str = ""
    """Who said it; empty where no name was given."""
    at: str = ""
    """When, in UTC (ISO 8601)."""
    schema_version: int = SCHEMA_VERSION


class Review(NamedTuple):
    """All that is known of the review of a dataset."""

    digests: Mapping[str, str]
    """Of the dialogues as they are now, by id."""
    rounds: tuple[Round, ...] = ()
    """Those begun, in their order."""
    marks: tuple[Mark, ...] = ()
    """In the order they were made: of a person's two about the same dialogue in the same round the later one holds."""


class RoundCount(msgspec.Struct, frozen=True, kw_only=True):
    """How one round went."""

    round: int
    size: int
    marked: int
    wrong: int
    error_rate: float | None
    """Share of the marked ones that are wrong; None where none is marked."""


class WrongDialogue(msgspec.Struct, frozen=True):
    """A dialogue that was last marked wrong and is as it was."""

    id: str
    note: str
    turns: tuple[int, ...] = ()


class ReviewSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Where a review stands."""

    dialogues: int
    seen: int
    rounds: tuple[RoundCount, ...]
    wrong: tuple[WrongDialogue, ...]
    finished: bool
    reviewers: dict[str, int]
    """Dialogues that each person marked as they are now, by name."""
    agreement: Alpha
    """Krippendorff's alpha of right and wrong, over the dialogues that at least two people marked."""
    agreed: float | None
    """Share of those about which all said the same."""


def dialogue_digests(dialogues: Iterable[Dialogue]) -> dict[str, str]:
    """Return what tells a dialogue from one made anew under its id, by id."""
    return {dialogue.id: blake2b(to_line(dialogue), digest_size=16).hexdigest() for dialogue in dialogues}


def current_round(review: Review, *, share: float = 0.2, seed: int = 0, by: str = "") -> Round | None:
    """Return the round being marked, or a new one by `share` and `seed`; None if finished. Raises BadOption.

    For a person with a name, `by`, that is the last round until this person has marked it whole too.
    """
    if review.rounds and unmarked(review, review.rounds[-1], by=by):
        return review.rounds[-1]
    return None if is_finished(review) else _draw(review, share, seed)


def _draw(review: Review, share: float, seed: int) -> Round:
    if not 0 < share <= 1:
        raise BadOption(f"share is {share}; give a number above 0 and up to 1.")
    number = review.rounds[-1].round + 1 if review.rounds else 1
    size = math.ceil(Fraction(str(share)) * len(review.digests))  # as typed: 0.1 * 30 is above 3 in binary
    shuffled = sorted(review.digests)
    stream(seed, "review", f"round/{number}").shuffle(shuffled)
    before = seen(review)
    drawn = sorted(shuffled, key=before.__contains__)[:size]
    return Round(round=number, ids=tuple(drawn), share=share, seed=seed)


def unmarked(review: Review, drawn: Round, *, by: str = "") -> tuple[str, ...]:
    """Return the dialogues of a round that nobody, or not the person `by`, marked in it.

    Those no longer in the dataset are left out.
    """
    marked = {mark.id for mark in review.marks if mark.round == drawn.round and (not by or mark.by == by)}
    return tuple(id_ for id_ in drawn.ids if id_ in review.digests and id_ not in marked)


def seen(review: Review) -> set[str]:
    """Return the dialogues that were marked as they are now."""
    return {mark.id for mark in review.marks if review.digests.get(mark.id) == mark.digest}


def is_finished(review: Review) -> bool:
    """Return whether the last round is marked, found no error, and every dialogue was seen."""
    if not review.rounds or unmarked(review, review.rounds[-1]):
        return False
    count = _count(review, review.rounds[-1])
    return count.marked > 0 and count.wrong == 0 and len(seen(review)) == len(review.digests)


def wrong_ids(review: Review) -> frozenset[str]:
    """Return the dialogues that are as they were when a person, at the last word, marked them wrong."""
    return frozenset(mark.id for mark in _last_words(review) if mark.verdict == "wrong")


def wrong_turns(review: Review) -> dict[str, frozenset[int]]:
    """Return the turns that are wrong of the dialogues of which nobody marked the whole wrong."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for mark in _last_words(review):
        if mark.verdict == "wrong":
            found.setdefault(mark.id, []).append(mark.turns)
    return {id_: frozenset(turn for one in marked for turn in one) for id_, marked in found.items() if all(marked)}


def _last_words(review: Review) -> list[Mark]:
    """Each person's last mark of each dialogue as it is now."""
    last = {(mark.by, mark.id): mark for mark in review.marks if review.digests.get(mark.id) == mark.digest}
    return list(last.values())


def summary(review: Review) -> ReviewSummary:
    """Return where a review stands."""
    last = _last_words(review)
    grades: dict[str, dict[str, float]] = {}
    said: dict[str, set[str]] = {}
    for mark in last:
        grades.setdefault(mark.by, {})[mark.id] = float(mark.verdict == "right")
        said.setdefault(mark.id, set()).add(mark.verdict)
    shared = [id_ for id_ in said if sum(id_ in one for one in grades.values()) > 1]
    wrong = {mark.id: WrongDialogue(mark.id, mark.note, mark.turns) for mark in last if mark.verdict == "wrong"}
    return ReviewSummary(
        dialogues=len(review.digests),
        seen=len(seen(review)),
        rounds=tuple(_count(review, drawn) for drawn in review.rounds),
        wrong=tuple(wrong.values()),
        finished=is_finished(review),
        reviewers={by: len(one) for by, one in grades.items()},
        agreement=krippendorff_alpha(list(grades.values()), "nominal"),
        agreed=sum(len(said[id_]) == 1 for id_ in shared) / len(shared) if shared else None,
    )


def _count(review: Review, drawn: Round) -> RoundCount:
    # By digest too: an error that was found and mended within the round was found all the same.
    verdicts = {(mark.by, mark.id, mark.digest): mark for mark in review.marks if mark.round == drawn.round}
    marked = len({mark.id for mark in verdicts.values()})
    wrong = len({mark.id for mark in verdicts.values() if mark.verdict == "wrong"})
    return RoundCount(
        round=drawn.round,
        size=len(drawn.ids),
        marked=marked,
        wrong=wrong,
        error_rate=wrong / marked if marked else None,
    )


class Marker(NamedTuple):
    """Who marks, and when."""

    name: str = ""
    at: str = ""


NOBODY: Final = Marker()


def make_mark(
    review: Review,
    drawn: Round,
    wanted: str,
    verdict: Verdict,
    note: str = "",
    *,
    turns: tuple[int, ...] = (),
    person: Marker = NOBODY,
) -> Mark:
    """Return the mark of the dialogue of a round whose id begins with `wanted`. Raises UnknownName, BadInput."""
    there = [id_ for id_ in drawn.ids if id_ in review.digests]
    found = [id_ for id_ in there if id_ == wanted] or [id_ for id_ in there if id_.startswith(wanted)]
    if len(found) > 1:
        raise UnknownName(
            f"{len(found):,} ids of round {drawn.round} begin with {wanted!r}, such as {found[0]} and {found[1]}. "
            "Give more."
        )
    if not found and any(id_.startswith(wanted) for id_ in review.digests):
        raise BadInput(f"{wanted}: not in round {drawn.round}. --list prints the ids of the round.")
    if not found:
        raise UnknownName(f"no id of the dataset begins with {wanted!r}. --list prints the ids to mark.")
    return Mark(
        round=drawn.round,
        id=found[0],
        verdict=verdict,
        note=note,
        turns=turns,
        digest=review.digests[found[0]],
        by=person.name,
        at=person.at,
    )
