"""`callwright split`: parts, shares and what is left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from callwright.cli import main


def split(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["split", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_parts_and_what_is_left_out_are_printed(made: Path, tmp_path: Path) -> None:
    """Each part is named with its counts, and so are the dialogues in none."""
    code, out, _ = split(str(made), "--by", "domain", "-o", str(tmp_path / "split"))
    assert code == 0
    assert all(f"split/{name}" in out for name in ("train", "test"))
    assert "left out" in out


def test_json_adds_up(made: Path, tmp_path: Path) -> None:
    """`--json` has the dialogues of each part and those left out; together they are all."""
    code, out, _ = split(
        str(made), "--by", "tool", "--part", "a=0.5", "--part", "b=0.5", "-o", str(tmp_path / "s"), "--json"
    )
    counts = json.loads(out)
    assert code == 0
    assert set(counts) == {"parts", "left_out", "tools"}
    lines = (made / "dialogues.jsonl").read_bytes().count(b"\n")
    assert sum(counts["parts"].values()) + counts["left_out"] == lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--part", "train"), "train=0.8"),
        (("--part", "train=0.5", "--part", "test=0.4"), "0.9"),
        (("--by", "colour"), "domain"),
    ],
)
def test_bad_input_exits_with_2(made: Path, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """Wrong shares and properties are one error each."""
    code, _, error = split(str(made), *arguments, "-o", str(tmp_path / "split"))
    assert code == 2
    assert message in error
