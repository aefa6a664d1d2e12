"""What a training refuses before anything heavy is loaded; trainings themselves are in `tests/foreign`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

import callwright
from callwright.app.fine_tuning import (
    TuningRequest,
    _begin,
    _config,
    estimate_training,
    train_model,
    write_merged,
)
from callwright.app.training import export_training, read_export
from callwright.cli import main
from callwright.errors import BadInput, RunConflict
from callwright.train.tuning import Tuning, _last_whole

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export, and a base without weights: a tokenizer of single bytes and a template."""
    folder = tmp_path_factory.mktemp("fine")
    callwright.synthesize("diaforge", callwright.read_catalog("builtin/enterprise"), n=3, seed=3, out=folder / "ds")
    export_training(folder / "ds", "trl", out=folder / "sft", thoughts=False, calling="object")
    export_training(folder / "ds", "openai", out=folder / "openai")
    base = folder / "base"
    base.mkdir()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = Tokenizer(models.BPE(vocab={char: at for at, char in enumerate(alphabet)}, merges=[]))
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = decoders.ByteLevel()
    tokens.add_special_tokens(["<|im_start|>", "<|im_end|>"])
    tokens.save(str(base / "tokenizer.json"))
    (base / "chat_template.jinja").write_text(TEMPLATE)
    (base / "config.json").write_text("{}")
    return folder


def test_rows_that_a_check_faults_are_not_trained(place: Path, tmp_path: Path) -> None:
    """The error names the check, its rows and the cure, and leaves nothing: the cure goes into the same folder."""
    request = TuningRequest(
        export=place / "sft", base=place / "base", out=tmp_path / "out", settings=Tuning(max_length=300)
    )
    for length in (300, 400):
        with pytest.raises(BadInput, match=rf"E8 \(rows fit the length\) in \d+ rows.* of {length}: .*greater length"):
            train_model(msgspec.structs.replace(request, settings=Tuning(max_length=length)))
        assert list(tmp_path.iterdir()) == []


def test_a_refusal_keeps_files_of_others(place: Path, tmp_path: Path) -> None:
    """A folder goes only where nothing else is in it, and a training that has a checkpoint stays."""
    request = TuningRequest(export=place / "sft", base=place / "base", out=tmp_path, settings=Tuning(max_length=300))
    begin(request)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="E8"):
        train_model(request)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    (tmp_path / "notes.txt").unlink()
    begin(request)
    (tmp_path / "checkpoints" / "checkpoint-2").mkdir(parents=True)
    with pytest.raises(BadInput, match="E8"):
        train_model(request)
    assert (tmp_path / "train.json").is_file()


def begin(request: TuningRequest) -> None:
    """Leave the folder of a training that was killed at its start."""
    _begin(Path(request.out), _config(request, read_export(Path(request.export))[0]))


def test_a_template_in_the_tokenizer_s_settings_is_found(place: Path, tmp_path: Path) -> None:
    """Older models keep their template there; a base without any is refused."""
    base = tmp_path / "base"
    base.mkdir()
    for name in ("tokenizer.json", "config.json"):
        (base / name).write_bytes((place / "base" / name).read_bytes())
    settings = Tuning(max_length=300)
    with pytest.raises(BadInput, match="no chat template"):
        train_model(TuningRequest(export=place / "sft", base=base, out=tmp_path / "none", settings=settings))
    (base / "tokenizer_config.json").write_text(json.dumps({"chat_template": TEMPLATE}))
    told = TuningRequest(export=place / "sft", base=base, out=tmp_path / "told", settings=settings)
    with pytest.raises(BadInput, match="E8"):
        train_model(told)
    begin(told)
    (base / "tokenizer_config.json").write_text(json.dumps({"chat_template": TEMPLATE + " "}))
    with pytest.raises(RunConflict, match="another training"):  # another template makes another base
        train_model(told)


def test_what_is_no_training_is_refused(place: Path, tmp_path: Path) -> None:
    """Rows of another trainer, a base that is none, a folder of another training, and merging before the end."""
    with pytest.raises(BadInput, match="--as trl"):
        train_model(TuningRequest(export=place / "openai", base=place / "base", out=tmp_path / "a"))
    for run in (train_model, estimate_training):
        with pytest.raises(BadInput, match="neither a GGUF file nor a folder"):
            run(TuningRequest(export=place / "sft", base=tmp_path, out=tmp_path / "a"))
    assert not (tmp_path / "a").exists()
    request = TuningRequest(
        export=place / "sft", base=place / "base", out=tmp_path / "b", settings=Tuning(max_length=300)
    )
    begin(request)
    other = TuningRequest(export=place / "sft", base=place / "base", out=tmp_path / "b", settings=Tuning(seed=1))
    with pytest.raises(RunConflict, match="another training"):
        train_model(other)
    with pytest.raises(BadInput, match="no training that is done"):
        write_merged(tmp_path / "b", place / "base")


def test_a_cut_checkpoint_is_passed_over(tmp_path: Path) -> None:
    """A training goes on from the newest checkpoint whose state is whole; by number, not by name."""
    for name, text in (
        ("checkpoint-9", "{}"),
        ("checkpoint-10", "{}"),
        ("checkpoint-11", '{"a": '),
        ("checkpoint-12", ""),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "trainer_state.json").write_text(text)
    (tmp_path / "checkpoint-13").mkdir()
    assert _last_whole(tmp_path) == str(tmp_path / "checkpoint-10")
    assert _last_whole(tmp_path / "none") is None


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_a_folder_of_another_kind_gives_no_gguf(place: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    """That is said before anything is trained or written, with what to do."""
    base, out = tmp_path / "base", tmp_path / "out"
    shutil.copytree(place / "base", base)
    (base / "config.json").write_text('{"model_type": "gemma3"}')
    words = ["train", str(place / "sft"), "--base", str(base), "-o", str(out)]
    done = CliRunner().invoke(main, [*words, "--merge", "--gguf", str(tmp_path / "tuned.gguf"), *more])
    assert done.exit_code == 2
    assert f"{base}: a model of the kind gemma3" in done.stderr
    assert "Leave --gguf out, and run convert_hf_to_gguf.py of llama.cpp on the merged model" in done.stderr
    assert list(tmp_path.iterdir()) == [base]
