"""Every file and every public type has a name of its own, so that a name found anywhere leads to one place."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "callwright"
SAME_BY_DESIGN = frozenset(("__init__", "paper"))
"""Each paper's folder has a `paper.py`, which the registry imports; `papers/paper.py` defines what it offers."""


def repeated(names: Counter[str]) -> list[str]:
    return sorted(name for name, times in names.items() if times > 1)


def test_every_module_has_a_name_of_its_own() -> None:
    names = Counter(path.stem for path in SOURCE.rglob("*.py"))
    assert len(names) > 250
    assert set(repeated(names)) <= SAME_BY_DESIGN


def test_every_public_type_has_a_name_of_its_own() -> None:
    names = Counter(
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert len(names) > 300
    assert repeated(names) == []


def test_a_repeated_name_is_found() -> None:
    assert repeated(Counter(("Slot", "Call", "Slot"))) == ["Slot"]
