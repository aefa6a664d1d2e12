"""A paper can be deleted: the others go on without it (`tests/long/delete_paper.py` is the long form)."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "long"))

from delete_paper import check_rest, copy_without


def test_the_rest_runs_without_a_paper(tmp_path: Path) -> None:
    """Without BFCL every module imports, and both recipes synthesise, evaluate and report."""
    source = copy_without("bfcl", tmp_path)

    assert not (source / "callwright" / "papers" / "bfcl").exists()
    assert {"diaforge", "wild"} <= {*check_rest(source, tmp_path)}
