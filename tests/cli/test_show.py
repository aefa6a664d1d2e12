"""`callwright show`: dialogues and transcripts in the terminal, whatever they contain."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.rescoring import judge_runs
from callwright.cli import main


def show(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["show", *arguments])
    return result.exit_code, result.stdout, result.stderr


def flat(text: str) -> str:
    """Printed text without its line breaks and alignment."""
    return " ".join(text.split())


def test_a_dialogue_is_shown_whole(made: Path) -> None:
    """Turns, thoughts, the call, the gold and the tools shown are all there."""
    dialogue = callwright.open_dataset(made).dialogues[1]
    code, out, _ = show(str(made), dialogue.id)
    printed = flat(out)
    assert code == 0
    assert all(flat(turn.text)[:30] in printed for turn in dialogue.turns)
    assert all(shown.name in printed for shown in dialogue.tools)
    assert "(gold)" in printed
    assert f"→ {dialogue.turns[-1].calls[0].tool}" in printed
    assert flat(dialogue.turns[1].thought)[:20] in printed


def test_without_an_id_the_first_is_shown_and_others_are_listed(made: Path) -> None:
    """The first dialogue comes whole, the next with id and first words, and the rest as a number."""
    dialogues = callwright.open_dataset(made).dialogues
    code, out, _ = show(str(made), "--limit", "3")
    assert code == 0
    assert all(dialogue.id in out for dialogue in dialogues[:4])
    assert dialogues[4].id not in out
    assert f"and {len(dialogues) - 4} more" in out


def test_the_beginning_of_an_id_is_enough(made: Path) -> None:
    """A prefix that fits one id shows it; the empty hand says what to do."""
    dialogue = callwright.open_dataset(made).dialogues[0]
    assert show(str(made), dialogue.id[:10])[:2] == show(str(made), dialogue.id)[:2]


def test_unknown_and_ambiguous_ids_are_errors(made: Path) -> None:
    """An id that fits none, or many, is bad input."""
    code, _, error = show(str(made), "zzz")
    assert (code, "no id begins with 'zzz'" in error) == (2, True)
    firsts = [dialogue.id[0] for dialogue in callwright.open_dataset(made).dialogues]
    many = next(first for first in firsts if firsts.count(first) > 1)
    code, _, error = show(str(made), many)
    assert (code, "Give more" in error) == (2, True)


def test_rejected_dialogues_are_shown_with_their_reasons(tmp_path: Path) -> None:
    """`--rejected` shows what failed a check, and which."""
    callwright.synthesize("diaforge", "builtin/enterprise", n=80, seed=3, out=tmp_path / "ds")
    code, out, _ = show(str(tmp_path / "ds"), "--rejected")
    assert code == 0
    assert "rejected" in out


def test_transcripts_of_a_run_are_shown(made: Path, tmp_path: Path) -> None:
    """The folder of a run shows what the model did, and how it ended."""
    callwright.evaluate_model(made, "static", model="builtin/oracle", out=tmp_path / "run", limit=3)
    code, out, _ = show(str(tmp_path / "run"))
    assert code == 0
    assert "builtin/oracle" in out
    assert "a call was made" in out


def test_two_transcripts_stand_side_by_side(made: Path, tmp_path: Path) -> None:
    """What two models did on the same request, in two columns; other pairs are refused."""
    runs = [tmp_path / name for name in ("oracle", "eager")]
    for run in runs:
        callwright.evaluate_model(made, "static", model=f"builtin/{run.name}", out=run, limit=2)
    one, _ = callwright.open_dataset(made).dialogues[:2]
    code, out, _ = show(str(runs[0]), one.id, "--beside", str(runs[1]))
    assert code == 0
    assert any(0 <= line.find("builtin/oracle") < line.find("builtin/eager") for line in out.splitlines())
    assert show(str(runs[0]), "--beside", str(runs[1]))[0] == 2
    assert "no run" in show(str(made), one.id, "--beside", str(runs[1]))[2]


@pytest.mark.parametrize("trick", ["[red]loud[/red]", "[/]", "\\u001b[31mred", "\\u202eback"])
def test_text_is_neither_markup_nor_escape_sequence(made: Path, tmp_path: Path, trick: str) -> None:
    """What a dialogue says is printed as it stands, without the characters that could steer a terminal."""
    data = Path(shutil.copytree(made, tmp_path / "ds"))
    lines = (data / "dialogues.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    lines[0] = lines[0].replace('"text":"', f'"text":"{trick} ', 1)
    (data / "dialogues.jsonl").write_text("".join(lines), encoding="utf-8")
    code, out, _ = show(str(data))
    assert code == 0
    assert "\x1b" not in out
    assert "\u202e" not in out
    if trick.startswith("["):
        assert trick in out


def test_something_else_is_an_error(tmp_path: Path) -> None:
    """A folder without a dataset or run says so."""
    code, _, error = show(str(tmp_path))
    assert code == 2
    assert "not a dataset" in error


def test_an_empty_dataset_is_an_error_as_for_every_command(made: Path, tmp_path: Path) -> None:
    """But that nothing was rejected is an answer."""
    ds = Path(shutil.copytree(made, tmp_path / "ds"))
    (ds / "dialogues.jsonl").write_bytes(b"")
    (ds / "rejected.jsonl").write_bytes(b"")
    code, out, error = show(str(ds))
    assert (code, out) == (2, "")
    assert "the dataset has no dialogues" in error
    assert show(str(ds), "--rejected") == (0, "No dialogue was rejected.\n", "")


def test_right_and_wrong_transcripts_are_told_apart(made: Path, tmp_path: Path) -> None:
    """Each has its verdict in the list and under its turns; `--wrong` leaves only the wrong ones."""
    run = tmp_path / "run"
    callwright.evaluate_model(made, "dynamic", model="builtin/retriever", out=run)
    items = list(judge_runs(run))
    right, wrong = ([item for item in items if item.right is flag] for flag in (True, False))
    assert right
    assert wrong

    code, out, _ = show(str(run), "--limit", "200")
    assert code == 0
    assert flat(out).endswith(f"{len(right)} right, {len(wrong)} wrong")
    assert out.count(f"wrong: {wrong[0].error}") >= 1

    code, out, _ = show(str(run), "--wrong", "--limit", "200")
    assert (code, flat(out).endswith(f"{len(wrong)} wrong")) == (0, True)
    assert all(item.dialogue in out for item in wrong)
    assert not any(item.dialogue in out for item in right)
    assert f"verdict wrong: {wrong[0].error}" in flat(show(str(run), wrong[0].dialogue)[1])
    assert "verdict right" in flat(show(str(run), right[0].dialogue)[1])


def test_a_dataset_has_nothing_wrong(made: Path, tmp_path: Path) -> None:
    """Only a run has verdicts; a run of the oracle has nothing to show as wrong."""
    assert show(str(made), "--wrong")[0] == 2
    callwright.evaluate_model(made, "static", model="builtin/oracle", out=tmp_path / "run", limit=3)
    assert show(str(tmp_path / "run"), "--wrong") == (0, "Nothing that was scored is wrong.\n", "")
