"""The cycle collector's settings around rollouts."""

from __future__ import annotations

import gc

from callwright.engine.collecting import collecting_rarely


def test_the_settings_come_back() -> None:
    """Also where one block is inside another."""
    before = gc.get_threshold(), gc.get_freeze_count()
    with collecting_rarely():
        with collecting_rarely():
            assert gc.get_threshold()[0] > before[0][0]
        assert gc.get_freeze_count() > 0
    assert (gc.get_threshold(), gc.get_freeze_count()) == before


def test_what_someone_else_froze_stays_frozen() -> None:
    """A server that froze its objects before forking goes on sharing them."""
    gc.freeze()
    try:
        with collecting_rarely():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
