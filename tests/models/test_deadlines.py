"""Deadlines: silence and length end a block, bytes keep it going, and a cancel from elsewhere stays one."""

from __future__ import annotations

import asyncio

import pytest

from callwright.models.transport import Deadlines, TimedOut


def test_silence_ends_the_block() -> None:
    """And the task can go on waiting for other things afterwards."""

    async def work() -> None:
        with (
            pytest.raises(TimedOut, match=r"silent for 0\.02 s"),
            Deadlines(asyncio.get_running_loop()).within(idle_s=0.02, total_s=60),
        ):
            await asyncio.sleep(60)
        await asyncio.sleep(0.05)

    asyncio.run(work())


def test_bytes_keep_it_going_until_the_whole_takes_too_long() -> None:
    """Each byte begins a new silence."""

    async def work() -> None:
        with Deadlines(asyncio.get_running_loop()).within(idle_s=30, total_s=0.2) as one:
            while True:
                one.heard()
                await asyncio.sleep(0.005)

    with pytest.raises(TimedOut, match=r"no whole reply within 0\.2 s"):
        asyncio.run(work())


def test_each_block_has_its_own_deadline() -> None:
    """A late one ends no other, and what has ended in time is not looked at again."""

    async def block(deadlines: Deadlines, idle_s: float, seconds: float) -> str:
        try:
            with deadlines.within(idle_s=idle_s, total_s=60):
                await asyncio.sleep(seconds)
        except TimedOut:
            return "late"
        await asyncio.sleep(0.1)
        return "in time"

    async def work() -> list[str]:
        deadlines = Deadlines(asyncio.get_running_loop())
        return await asyncio.gather(block(deadlines, 0.02, 60), block(deadlines, 60, 0.1), block(deadlines, 60, 0))

    assert asyncio.run(work()) == ["late", "in time", "in time"]


def test_a_cancel_from_elsewhere_stays_one() -> None:
    """Also where the block is late at the same moment."""

    async def block(deadlines: Deadlines) -> None:
        with deadlines.within(idle_s=0.01, total_s=60) as one:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            one.look(deadlines.now() + 1)
            await asyncio.sleep(60)

    async def work() -> None:
        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(block(Deadlines(asyncio.get_running_loop())))

    asyncio.run(work())
