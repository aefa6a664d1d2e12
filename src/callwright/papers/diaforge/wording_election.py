"""Which of several wordings is said: each voter sees them in an order of its own, and the mode wins (appendix C.3)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Sequence
from random import Random
from typing import Any, TypeVar

from callwright.author.step import checked_step
from callwright.engine.context import Context
from callwright.errors import Interrupted, StorageFailed
from callwright.papers.diaforge.user_agent import UserView


def _vote_faults(number: int, view: UserView, shown: tuple[str, ...]) -> list[str]:
    return [] if 1 <= number <= len(shown) else [f"{number} is none of 1 to {len(shown)}"]


@checked_step("diaforge/vote.j2", _vote_faults, home=__package__)
def vote(rng: Random, view: UserView, shown: tuple[str, ...]) -> int:
    """Choose one of the wordings shown, by its number from 1. Offline it is drawn: rules have no taste."""
    return rng.randrange(len(shown)) + 1


T = TypeVar("T")


async def elect(view: UserView, texts: Sequence[str], ctx: Context, *, voters: int) -> int:
    """Return the position of the text chosen; voter 2 votes at `vote/2` in `ctx`.

    Ties go to the lowest index of a seeded order. Where all texts are the same, or no voter is asked, that order alone
    decides. Raises RolloutFailed where a voter gives no vote.
    """
    order = list(range(len(texts)))
    ctx.at("order").rng().shuffle(order)
    if voters == 0 or len(set(texts)) == 1:
        return order[0]
    votes = await gather([_vote(view, texts, ctx.at(f"vote/{number}")) for number in range(1, voters + 1)])
    return winner(votes, order)


def winner(votes: Sequence[int], order: Sequence[int]) -> int:
    """Return the position with most votes; of several, the one that comes first in `order`."""
    counts = Counter(votes)
    return max(order, key=lambda position: counts[position])  # the first of equals


async def _vote(view: UserView, texts: Sequence[str], ctx: Context) -> int:
    shown = list(range(len(texts)))
    ctx.rng().shuffle(shown)
    number = await ctx.write(vote, view, tuple(texts[position] for position in shown))
    return shown[number - 1]


async def gather(works: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Return all results in order. All run to their end; of several failures the first in order is raised.

    So the blame does not depend on who answered first. Faults of the whole run go before.
    """
    results = await asyncio.gather(*works, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    whole = [error for error in errors if isinstance(error, (Interrupted, StorageFailed, asyncio.CancelledError))]
    for error in (*whole, *errors):
        raise error
    return [result for result in results if not isinstance(result, BaseException)]
