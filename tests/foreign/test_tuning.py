"""Fine-tuning a two-layer model with TRL and PEFT; skipped where they are not installed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from foreign_forks import ENV, Forks
from foreign_server import BIN, HERE

import callwright
from callwright.app.training import export_training, read_export
from callwright.store.files import file_sha256

pytestmark = [
    pytest.mark.skipif(
        not list(BIN.parent.glob("lib/*/site-packages/peft")), reason="no PEFT in .venv-foreign; make foreign"
    ),
    pytest.mark.xdist_group("foreign"),
]

SETTINGS = "--max-length 8192 --batch 2 --epochs 2 --learning-rate 0.02 --alpha 64 --precision float32 --threads 1"

MARKED = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' %}"
    "{% generation %}{{ m.content }}<|im_end|>\n{% endgeneration %}{% else %}{{ m.content }}<|im_end|>\n{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""A template that marks replies."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, forks: Forks) -> Path:
    """A folder with an export, `sft`, and a tiny model, `base`."""
    folder = tmp_path_factory.mktemp("tuning")
    tools = callwright.read_catalog("builtin/enterprise")
    callwright.synthesize("diaforge", tools, n=4, seed=3, out=folder / "ds", distractors=1)
    export_training(folder / "ds", "trl", out=folder / "sft", thoughts=False, calling="object")
    rows = folder / "sft" / "train.jsonl"
    forks.run(HERE / "make_tiny_base.py", folder / "base", rows)
    return folder


WATCH = """
import socket
def refuse(*host, **more):
    open({!r}, "a").write(f"{{host}}\\n")
    raise OSError("no network")
socket.getaddrinfo = refuse
"""


@pytest.fixture(scope="module")
def tuned(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an adapter, `tuned.gguf`, `tuned-base.gguf`, and `asked.txt` if anything asked the network."""
    folder = tmp_path_factory.mktemp("tuned")
    asked = folder / "asked.txt"
    (folder / "sitecustomize.py").write_text(WATCH.format(str(asked)))
    env = {name: value for name, value in ENV.items() if not name.startswith("HF_")}
    env["PYTHONPATH"] = os.pathsep.join((str(folder), ENV["PYTHONPATH"]))
    probe = "import socket\ntry: socket.getaddrinfo('example.invalid', 80)\nexcept OSError: pass"
    subprocess.run([BIN / "python", "-c", probe], env=env, check=True)
    assert "example.invalid" in asked.read_text()
    asked.unlink()

    written = ("--merge", "--gguf", str(folder / "tuned.gguf"), "--epochs", "1")
    process = [BIN / "python", *command(place, folder / "adapter", *written)]
    subprocess.run(process, env=env, check=True, capture_output=True)
    time.sleep(1)
    return folder


def test_training_asks_nothing_of_the_network(tuned: Path) -> None:
    """TRL tells its makers of every use, if nobody says no."""
    assert (tuned / "adapter" / "training.json").exists()
    assert not (tuned / "asked.txt").exists()


def test_a_base_in_a_folder_becomes_gguf_beside_the_tuned_model(tuned: Path, place: Path, forks: Forks) -> None:
    """Both have the same kinds of weights and the template; training changed the weights of one."""
    files = (tuned / "tuned.gguf", tuned / "tuned-base.gguf")
    read = forks.run(HERE / "read_gguf.py", *files)
    after, before = map(json.loads, read.stdout.splitlines())
    assert after["kinds"] == before["kinds"]
    assert set(before["kinds"].values()) == {"Q8_0", "F32"}
    assert after["query"] != pytest.approx(before["query"], abs=0.01)
    assert after["template"] == before["template"] == (place / "base" / "chat_template.jinja").read_text()


def command(place: Path, out: Path, *more: str) -> list[str]:
    """The command that trains, after `python`."""
    where = (str(place / "sft"), "--base", str(place / "base"), "--lora", "-o", str(out))
    return ["-m", "callwright", "train", *where, *SETTINGS.split(), *more]


def test_batches_train_the_replies_alone(place: Path, tmp_path: Path, forks: Forks) -> None:
    """What loss is taken on is each reply with its end, once. Passes of one row train as passes of a step do."""
    done = forks.run(HERE / "tuning_batches.py", place / "sft", place / "base", tmp_path)
    made = json.loads(done.stdout.splitlines()[-1])
    texts, samples = made["texts"], read_export(place / "sft")[2]
    assert sorted(texts) == sorted(f"{one.messages[-1].content}<|im_end|>\n" for one in samples)
    assert made["single"] == pytest.approx(made["whole"], rel=1e-4)
    assert made["whole"][-1] < 0.99 * made["whole"][0]
    assert len(texts) > 5


def test_loss_falls_and_the_seed_decides_the_adapter(place: Path, tmp_path: Path, forks: Forks) -> None:
    """Loss on dialogues that are not trained falls; a training that is killed and goes on gives the same bytes."""
    run = forks.run(*command(place, tmp_path / "first"))
    first = (tmp_path / "first" / "adapter_model.safetensors").read_bytes()
    lines = run.stderr.splitlines()
    assert all(re.fullmatch(r"\d+ of \d+ rows(, .*loss \d+\.\d{3})+(, .* left)?", line) for line in lines), lines
    assert len(lines) > 3
    assert re.fullmatch(r"\d+ rows trained .*\nLoss on \d+ held-out rows: .*\n", run.stdout)
    done = json.loads((tmp_path / "first" / "training.json").read_text())
    losses = [one["loss"] for one in done["trained"]["held_out"]]
    assert done["trained"]["held_out"][0]["step"] == 0
    assert losses[-1] < losses[0]
    card = (tmp_path / "first" / "README.md").read_text()
    assert "loss on held-out rows" in card
    assert re.search(r"It took \d.* on cpu with 1 thread\.", card)
    template, tokens = (place / "base" / name for name in ("chat_template.jinja", "tokenizer.json"))
    assert f"template `{file_sha256(template)}`, tokenizer `{file_sha256(tokens)}`" in card
    trained = sum(done["parts"][name]["total"] for name in ("thought", "call", "reply"))
    assert trained > done["trained"]["trained_tokens"] > done["parts"]["call"]["total"] > 0
    assert f"| call | {done['parts']['call']['median']:,} |" in card
    assert not (tmp_path / "first" / "checkpoints").exists()
    out = tmp_path / "second"
    killed = forks.run(*command(place, out), check=False, until=f"{out}/checkpoints/checkpoint-*/trainer_state.json")
    assert killed.returncode == -signal.SIGKILL
    forks.run(*command(place, out))
    assert (out / "adapter_model.safetensors").read_bytes() == first


def test_nothing_is_trained_on_rows_with_a_fault(place: Path, tmp_path: Path, forks: Forks) -> None:
    """Rows that would be cut are refused with their check, and no adapter is written."""
    done = forks.run(*command(place, tmp_path / "out", "--max-length", "512"), check=False)
    assert done.returncode == 2
    assert "E8 (rows fit the length)" in done.stderr
    assert not (tmp_path / "out" / "adapter_model.safetensors").exists()


def test_a_dry_run_counts_and_writes_nothing(place: Path, tmp_path: Path, forks: Forks) -> None:
    """Tokens are those of the rows that are trained; memory and time are above zero."""
    found = json.loads(forks.run(*command(place, tmp_path / "out", "--dry-run", "--json")).stdout)
    assert 0 < found["rows"] < len(read_export(place / "sft")[1])
    assert found["tokens"] > found["rows"] * 100
    assert found["memory_gb"] > 0 < found["parameters"]
    assert not (tmp_path / "out").exists()


def test_other_kinds_of_models_give_no_gguf(place: Path, tmp_path: Path, forks: Forks) -> None:
    """A base of a kind that is not written as GGUF, and one that would be overwritten, are refused at the start."""
    made = "import sys, gguf; w = gguf.GGUFWriter(sys.argv[1], sys.argv[2])\n"
    made += "for write in (w.write_header_to_file, w.write_kv_data_to_file, w.close): write()"
    for kind in ("gpt2", "llama"):
        forks.run("-c", made, tmp_path / f"{kind}.gguf", kind)
    refused = []
    for kind, out in (("gpt2", "tuned"), ("llama", "llama")):
        files = ("--base", str(tmp_path / f"{kind}.gguf"), "--merge", "--gguf", str(tmp_path / f"{out}.gguf"))
        done = forks.run(*command(place, tmp_path / "out", *files), "--dry-run", check=False)
        refused.append((done.returncode, done.stderr))
    assert [code for code, _ in refused] == [2, 2]
    assert "a model of the kind gpt2" in refused[0][1]
    assert "this file is the base" in refused[1][1]


def test_base_and_tuned_become_gguf_at_one_precision(place: Path, tmp_path: Path, forks: Forks) -> None:
    """Both have the same kinds of weights; the base is the file it came from, and the template that was trained goes
    into the tuned one without its marks. What is no file of ours is not overwritten."""
    export_training(place / "ds", "trl", out=tmp_path / "sft", thoughts=False, calling="object", slices="dialogue")
    source, tuned, base = (tmp_path / name for name in ("tiny.gguf", "tuned.gguf", "tuned-base.gguf"))
    forks.run(HERE / "make_tiny_gguf.py", source)
    (tmp_path / "marked.jinja").write_text(MARKED)
    files = ("--base", str(source), "--template", str(tmp_path / "marked.jinja"), "--gguf", str(tuned), "--merge")
    run = [*command(tmp_path, tmp_path / "out", *files), "--epochs", "1"]
    base.write_text("mine")
    refused = forks.run(*run, check=False)
    assert (refused.returncode, "holds something else" in refused.stderr) == (2, True)
    assert not (tmp_path / "out").exists()
    base.unlink()

    for _ in range(2):
        forks.run(*run)

    read = forks.run(HERE / "read_gguf.py", source, tuned, base)
    first, after, before = map(json.loads, read.stdout.splitlines())
    assert after["kinds"] == before["kinds"] != first["kinds"]
    assert set(before["kinds"].values()) == {"Q8_0", "F32"}
    assert before["query"] == pytest.approx(first["query"], abs=0.01)
    assert after["query"] != pytest.approx(first["query"], abs=0.01)
    assert before["template"] == first["template"]
    assert after["template"] == MARKED.replace("{% endgeneration", "{% endif").replace("{% generation", "{% if true")
    assert (tmp_path / "out" / "merged" / "chat_template.jinja").read_text() == MARKED


def test_auto_is_a_precision_that_the_processor_computes_with(forks: Forks) -> None:
    """With AVX2 alone `auto` is float32; with instructions for bfloat16 it is bfloat16; a chosen one stays."""
    program = (
        "import torch; from callwright.train.tuning import Tuning, with_precision as made\n"
        "for has in (False, True):\n"
        "    torch.cuda.is_available = lambda: False\n"
        "    torch.cpu._is_amx_tile_supported = torch.cpu._is_avx512_bf16_supported = lambda: has\n"
        "    print(made(Tuning()).precision, made(Tuning(precision='bfloat16')).precision)\n"
    )
    assert forks.run("-c", program).stdout.split() == ["float32", "bfloat16", "bfloat16", "bfloat16"]
