"""`callwright eval` and what `callwright report` then prints."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from callwright.cli import main


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, [*arguments])
    return result.exit_code, result.stdout, result.stderr


def evaluate(data: Path, out: Path, *arguments: str, protocol: str = "static") -> tuple[int, str, str]:
    return run("eval", str(data), "--protocol", protocol, "--model", "builtin/oracle", "-o", str(out), *arguments)


def test_a_run_is_made_and_reported(made: Path, tmp_path: Path) -> None:
    """After eval, report prints the rows with all documented fields as JSON."""
    assert evaluate(made, tmp_path / "run")[0] == 0
    code, out, _ = run("report", str(tmp_path / "run"), "--json")
    rows = json.loads(out)
    assert code == 0
    assert {row["metric"] for row in rows if not row["slice"]} == {
        *("acc", "ftr", "tar", "tcp", "tcr", "pkp", "pkr", "conv_rel", "ttr", "mattr", "ngd_2", "ngd_3", "ngd_4")
    }
    acc = next(row for row in rows if row["metric"] == "acc" and not row["slice"])
    assert (acc["value"], acc["model"], acc["protocol"]) == (1.0, "builtin/oracle", "diaforge-static.v1")


def test_the_report_says_what_its_letters_mean(made: Path, tmp_path: Path) -> None:
    """Each short name of a metric of tool calls stands in the note below the tables."""
    assert evaluate(made, tmp_path / "run")[0] == 0
    _, out, _ = run("report", str(tmp_path / "run"))
    note = " ".join(out.rpartition("Below each value")[2].split())
    assert [one for one in ("Acc:", "FTR:", "TAR:", "TCP, TCR:", "PKP, PKR:") if one not in note] == []


def test_tokens_of_tools_are_told_of_models_that_read_tokens(made: Path, tmp_path: Path) -> None:
    """Of a served model before the run, and not of a builtin one."""
    assert "tokens of each request" not in evaluate(made, tmp_path / "run", "--limit", "2")[1]
    asked = ("--model", "openai/x", "--base-url", "http://127.0.0.1:1", "--dry-run", "-o", str(tmp_path / "no"))
    assert "tokens of each request" in run("eval", str(made), "--protocol", "static", *asked)[1]


def test_json_counts_rollouts(made: Path, tmp_path: Path) -> None:
    """`--json` prints one document with what was planned, done and failed."""
    code, out, _ = evaluate(made, tmp_path / "run", "--limit", "4", "--trials", "2", "--json")
    assert code == 0
    found = json.loads(out)
    assert found.pop("tool_tokens") > 100
    assert found == {
        "planned": 8,
        "done": 8,
        "failed": {},
        "protocol": "diaforge-static.v1",
        "model": "builtin/oracle",
        "calls": 0,
        "tokens": {},
        "usd": {},
        "faults": {},
        "resumed": 0,
        "unmeasured": {},
    }


def test_dialogues_that_the_metrics_cannot_measure_are_named_before_the_run(tmp_path: Path) -> None:
    """Sessions of several tasks under a protocol for one call: told first, and counted."""
    ds = tmp_path / "ds"
    assert run("synth", "wild", "builtin/enterprise", "-n", "8", "--seed", "1", "-o", str(ds))[0] == 0
    code, out, told = evaluate(ds, tmp_path / "run", "--json")
    counts = json.loads(out)["unmeasured"]
    assert code == 0
    assert 0 < counts["not one gold call"] < 8
    assert told == f"{counts['not one gold call']} of the dialogues cannot be measured by static: not one gold call.\n"


def test_the_same_command_again_prints_the_same(made: Path, tmp_path: Path) -> None:
    """A finished run gives the same counts again, with exit code 0."""
    assert evaluate(made, tmp_path / "run") == evaluate(made, tmp_path / "run")


def test_a_dry_run_writes_nothing(made: Path, tmp_path: Path) -> None:
    """`--dry-run` tells rollouts and replies, and leaves no folder behind."""
    code, out, _ = evaluate(made, tmp_path / "run", "--dry-run", "--limit", "5", protocol="dynamic")
    assert code == 0
    assert "at most 50 replies" in out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--protocol", "statik"), "diaforge-static"),
        (("--model", "builtin/oracel"), "builtin/retriever"),
        (("--t-max", "3"), "--t-max is not an option of diaforge-static"),
        (("--user-style", "terse"), "--user-style is not an option of diaforge-static"),
        (("--limit", "0"), "limit"),
    ],
)
def test_bad_input_exits_with_2(made: Path, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """Unknown names, options without a meaning and wrong numbers are one error each; nothing is written."""
    code, out, error = evaluate(made, tmp_path / "run", *arguments)
    assert (code, out) == (2, "")
    assert message in error
    assert not (tmp_path / "run").exists()


def test_a_broken_line_is_named_with_its_number(made: Path, tmp_path: Path) -> None:
    """A dataset with a damaged line is an error that names file and line."""
    data = Path(shutil.copytree(made, tmp_path / "ds"))
    lines = (data / "dialogues.jsonl").read_bytes().splitlines(keepends=True)
    (data / "dialogues.jsonl").write_bytes(b"".join([*lines[:2], lines[2][:-20] + b"\n", *lines[3:]]))
    code, _, error = evaluate(data, tmp_path / "run")
    assert code == 2
    assert "dialogues.jsonl:3" in error


def test_another_run_is_refused(made: Path, tmp_path: Path) -> None:
    """The folder of another run is an error that names what differs."""
    evaluate(made, tmp_path / "run", "--limit", "3")
    code, _, error = evaluate(made, tmp_path / "run", "--limit", "3", "--seed", "4")
    assert code == 2
    assert "seed: 0 there, 4 now" in error


def test_another_dataset_is_told_as_one(made: Path, tmp_path: Path) -> None:
    """Not as digests, and not as another option."""
    evaluate(made, tmp_path / "run", "--limit", "3")
    code, _, error = evaluate(made, tmp_path / "run", "--limit", "2")
    assert code == 2
    assert "its dialogues differ). Give the same dialogues as before" in error


def test_a_dataset_without_results_is_no_wild_session(made: Path, tmp_path: Path) -> None:
    """The error says what makes such sessions."""
    code, _, error = evaluate(made, tmp_path / "run", "--protocol", "wild")
    assert code == 2
    assert "callwright read wild" in error
