"""`callwright synth`: counts, exit codes, and what happens when it is stopped, doubled or refused."""

from __future__ import annotations

import io
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from synth_processes import FILES, begin, command, contents, finish, kill_until_done, wait_until_at_work

from callwright.cli import main
from callwright.cli.progress_line import describe, describe_tuning, progress_line, tuning_line
from callwright.engine.progress import Progress
from callwright.train.tuning_progress import TuningProgress

N = 400


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset made without a break."""
    out = tmp_path_factory.mktemp("whole") / "ds"
    finish(out, n=N)
    return out


def synth(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["synth", "diaforge", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_json_has_exactly_the_documented_keys(tmp_path: Path) -> None:
    """`--json` prints one document with eleven keys, and nothing else on standard output."""
    code, out, _ = synth("builtin/enterprise", "-n", "5", "-o", str(tmp_path / "ds"), "--json")
    assert code == 0
    assert set(json.loads(out)) == {
        *("planned", "kept", "rejected", "failed", "author"),
        *("calls", "tokens", "usd", "faults", "resumed", "coverage"),
    }


def test_the_same_command_again_prints_the_same(tmp_path: Path) -> None:
    """A finished folder gives the same counts again, with exit code 0."""
    arguments = ("builtin/enterprise", "-n", "5", "-o", str(tmp_path / "ds"))
    assert synth(*arguments) == synth(*arguments)


def test_failed_rollouts_exit_with_1(tmp_path: Path) -> None:
    """Where values cannot be drawn for a tool, the class and an example are printed, and the code is 1."""
    broken = {
        "type": "object",
        "properties": {"shops": {"type": "integer", "minimum": 5, "maximum": 4}},
        "required": ["shops"],
    }
    functions = [
        {"name": "list_orders", "description": "List all orders.", "parameters": {}},
        {"name": "cancel_order", "description": "Cancel orders of some shops.", "parameters": broken},
    ]
    (tmp_path / "functions.json").write_text(json.dumps(functions))
    code, out, _ = synth(str(tmp_path / "functions.json"), "-n", "4", "-o", str(tmp_path / "ds"))
    assert code == 1
    assert "2 failed: values" in out
    assert "cancel_order" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("builtin/enterprize", "-n", "5"), "builtin/enterprise"),
        (("absent.json", "-n", "5"), "no such file"),
        (("builtin/enterprise", "-n", "0"), "-n"),
        (("builtin/enterprise", "-n", "5", "--distractors", "0"), "distractors"),
        (("builtin/enterprise", "-n", "5", "--user-style", "loud"), "verbose"),
        (("builtin/enterprise", "-n", "5", "--no-tool-share", "2"), "--no-tool-share: expected"),
        (("builtin/enterprise", "-n", "5", "--encoder", "nowhere"), "encoder"),
    ],
)
def test_bad_input_exits_with_2(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """Wrong names and numbers are one error each, and nothing is written."""
    code, out, error = synth(*arguments, "-o", str(tmp_path / "ds"))
    assert (code, out) == (2, "")
    assert message in error
    assert not (tmp_path / "ds").exists()


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    """`--dry-run` tells dialogues, tools and size, and leaves no folder behind."""
    code, out, _ = synth("builtin/enterprise", "-n", "5000", "-o", str(tmp_path / "ds"), "--dry-run")
    assert code == 0
    assert all(word in out for word in ("5,000 dialogues", "tools", "MB", "Nothing was written"))
    assert list(tmp_path.iterdir()) == []


def test_no_progress_line_without_a_terminal(tmp_path: Path) -> None:
    """Standard error stays empty where it is no terminal."""
    assert synth("builtin/enterprise", "-n", "5", "-o", str(tmp_path / "ds"))[2] == ""


def test_long_work_says_how_long_it_has_been_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, until the engine tells of progress; the line is cleared at the end."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr("callwright.cli.progress_line._TICK_S", 0.01)
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_line("dialogues") as tell:
        deadline = time.monotonic() + 30
        while "preparing dialogues, 0 s" not in screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert tell is not None
        tell(Progress(total=20, ok=12, failed=0, rate=480.0, left_s=1.0))
        told = screen.getvalue()
        time.sleep(0.05)
        assert screen.getvalue() == told
    assert "preparing dialogues, 0 s" in told
    assert "12 of 20 dialogues" in told
    assert screen.getvalue().endswith("\r\033[K")


def test_the_progress_line_tells_how_far_and_how_long() -> None:
    """The line has counts, failures, rate and time left."""
    line = describe(Progress(total=2000, ok=1200, failed=3, rate=480.4, left_s=61.0), "dialogues")
    assert line == "1,203 of 2,000 dialogues, 3 failed, 480/s, 1 min 1 s left"


def test_the_line_of_a_training_tells_loss_and_time() -> None:
    """Rows, loss, loss on what is held out, and time left; at the start what is known."""
    at = TuningProgress(rows=120, of=200, loss=0.7123, held_out=0.92, measured=True, left_s=190.0)
    assert describe_tuning(at) == "120 of 200 rows, loss 0.712, held-out loss 0.920, 3 min 10 s left"
    begun = TuningProgress(rows=0, of=200, loss=None, held_out=1.5, measured=True, left_s=None)
    assert describe_tuning(begun) == "0 of 200 rows, held-out loss 1.500"


def test_without_a_terminal_a_training_writes_a_line_for_each_loss(capsys: pytest.CaptureFixture[str]) -> None:
    """Steps in between say nothing."""
    with tuning_line() as tell:
        for rows in range(1, 5):
            tell(TuningProgress(rows=rows, of=4, loss=None, held_out=1.0, measured=rows % 2 == 0, left_s=1.0))
    assert capsys.readouterr().err == "2 of 4 rows, held-out loss 1.000, 1 s left\n4 of 4 rows, held-out loss 1.000\n"


def test_the_progress_line_says_that_it_stops() -> None:
    """After Ctrl-C the line says what is waited for, within 80 columns."""
    line = describe(Progress(total=2000, ok=1200, failed=3, rate=1.0, left_s=9.0, is_stopping=True), "dialogues")
    assert line == "stopping at 1,203 of 2,000 dialogues; Ctrl-C again drops the calls in flight"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_work_goes_on(tmp_path: Path, whole: Path, number: signal.Signals) -> None:
    """Ctrl-C and SIGTERM end with 130, count what was made and say how to go on; then the bytes are the same."""
    process = begin(tmp_path / "ds", n=N)
    wait_until_at_work(process, tmp_path / "ds")
    process.send_signal(number)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out)["planned"] == N > json.loads(out)["kept"] > 0
    assert "Run the same command again to resume" in error
    finish(tmp_path / "ds", n=N)
    assert contents(tmp_path / "ds") == contents(whole)


@pytest.mark.parametrize("workers", [1, 2])
def test_killed_work_goes_on(tmp_path: Path, whole: Path, workers: int) -> None:
    """After SIGKILL at random moments the same command gives the same bytes (more in tests/long/kills.py)."""
    chance = random.Random(workers)
    kill_until_done(tmp_path / "ds", n=N, workers=workers, chance=chance, most_kills=2)
    assert contents(tmp_path / "ds") == contents(whole)


def test_a_second_command_says_already_running(tmp_path: Path) -> None:
    """Two identical commands at once: the second ends with 2 and says so, the first goes on."""
    process = begin(tmp_path / "ds", n=5000)
    try:
        wait_until_at_work(process, tmp_path / "ds")
        second = subprocess.run(command(tmp_path / "ds", n=5000), capture_output=True, text=True, timeout=60)
        assert second.returncode == 2
        assert "already running" in second.stderr
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()


def limited(out: Path, most_bytes: int) -> subprocess.CompletedProcess[str]:
    """The command where no file can grow beyond a size, as on a full disk."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY))

    return subprocess.run(command(out, n=N), capture_output=True, text=True, timeout=60, preexec_fn=limit)


def test_a_full_disk_loses_nothing(tmp_path: Path, whole: Path) -> None:
    """Where the journal cannot grow, one error ends with 2 and says how to go on; then the bytes are the same."""
    done = limited(tmp_path / "ds", 300_000)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "again" in done.stderr
    finish(tmp_path / "ds", n=N)
    assert contents(tmp_path / "ds") == contents(whole)


def test_a_disk_that_fills_up_at_the_end_loses_nothing(tmp_path: Path, whole: Path) -> None:
    """Where only the dataset cannot be written, the journal is kept and no half-written file is left."""
    shutil.copytree(whole, tmp_path / "ds")
    for name in FILES:
        (tmp_path / "ds" / name).unlink()
    done = limited(tmp_path / "ds", 300_000)
    assert (done.returncode, done.stdout) == (2, "")
    assert "again" in done.stderr
    assert [path.name for path in (tmp_path / "ds").iterdir()] == [".run"]
    finish(tmp_path / "ds", n=N)
    assert contents(tmp_path / "ds") == contents(whole)
