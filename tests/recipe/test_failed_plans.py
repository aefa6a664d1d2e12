"""A recipe whose plan fails for some items: the others are published, and the failed are counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import callwright
from callwright.errors import RolloutFailed
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop


def test_what_cannot_be_planned_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third item gives up in its plan; the dataset is written, and says so."""
    plan = DialogueWorkshop.plan

    def some(self: DialogueWorkshop, item: str, index: int) -> Any:
        if index % 3 == 0:
            raise RolloutFailed("nothing fits", kind="no_value", role="author")
        return plan(self, item, index)

    monkeypatch.setattr(DialogueWorkshop, "plan", some)
    made = callwright.synthesize("diaforge", "builtin/enterprise", n=9, seed=2, out=tmp_path / "ds")

    assert made.failed == {"no_value": 3}
    assert made.kept + sum(made.rejected.values()) == 6
    assert made.coverage is not None
    assert (tmp_path / "ds" / "dialogues.jsonl").stat().st_size > 0
