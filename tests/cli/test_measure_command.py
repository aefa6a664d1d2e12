"""`callwright measure`: rows, tables and what it refuses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from callwright.cli import main
from fake_server import FakeServer, refuses
from judge_samples import by_length, by_rule
from served_voice import serving


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["measure", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_everything_is_printed(made: Path) -> None:
    """A table a group; what was not measured says why."""
    code, out, _ = run(str(made))
    assert code == 0
    for words in ("exchanges per dialogue", "MATTR, user", "most frequent turn, assistant", "ConvRel"):
        assert words in out
    assert "ConvRel: no judge was given" in out


def test_json_prints_the_rows(made: Path) -> None:
    """One list, each row with its signature; the same command prints the same."""
    code, out, _ = run(str(made), "--only", "conv-rel,ttr", "--json")
    rows = json.loads(out)
    assert code == 0
    assert [(row["metric"], row["slice"]) for row in rows] == [
        ("ttr", {"role": "user"}),
        ("ttr", {"role": "assistant"}),
        ("conv_rel", {}),
    ]
    assert all(row["signature"] for row in rows)
    assert run(str(made), "--only", "conv-rel,ttr", "--json")[1] == out


def test_a_judge_is_asked_for_what_is_missing(made: Path, tmp_path: Path) -> None:
    """The judgements are kept: without a judge the same number is printed afterwards, and nothing is asked."""
    ds = str(shutil.copytree(made, tmp_path / "ds"))
    with serving(by_rule(by_length)) as server:
        arguments = [ds, "--only", "conv-rel", "--judge", f"openai/a@{server.url}"]
        code, out, _ = run(*arguments, "--json")
        asked = len(server.asked)
        assert (code, asked > 0) == (0, True)
        assert f"judge: {asked:,} requests" in run(*arguments)[1]
        assert len(server.asked) == asked
    assert run(ds, "--only", "conv-rel", "--json")[1] == out
    assert json.loads(out)[0]["value"] > 0


def test_failed_judgements_exit_with_1(made: Path, tmp_path: Path) -> None:
    """And are no part of the number."""
    ds = str(shutil.copytree(made, tmp_path / "ds"))
    with FakeServer(refuses(400)).in_thread() as server:
        code, out, _ = run(ds, "--only", "conv-rel", "--judge", f"openai/a@{server.url}", "--limit", "2", "--json")
    (row,) = json.loads(out)
    assert (code, row["value"], row["n_failed"]) == (1, None, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "duplicates"), "no measure is called 'duplicates'"),
        (("--samples", "3"), "--samples needs --judge"),
        (("--base-url", "http://127.0.0.1:1/v1"), "--base-url needs --judge"),
        (("--judge", "openai/x@http://127.0.0.1:1/v1", "--only", "shape"), "ConvRel is not measured"),
        (("--judge", "builtin/oracle"), "not a model that can judge"),
        (("--limit", "0"), "limit"),
    ],
)
def test_bad_input_exits_with_2(made: Path, arguments: tuple[str, ...], message: str) -> None:
    """One error, nothing printed, nothing written."""
    code, out, error = run(str(made), *arguments)
    assert (code, out) == (2, "")
    assert message in error
    assert not (made / ".judge").exists()
