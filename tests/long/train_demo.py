"""Fine-tune SmolLM2-135M on dialogues over some tools and evaluate it live on others: before, after, and a control.

    .venv-foreign/bin/python tests/long/train_demo.py --out demo-train     `make train-demo`; the same command goes on

The control learns the same replies with the name of another tool of its pool in each call: what it gains is the form.
A whole dialogue is one row, which costs a third of a row for each reply: the base's template marks no replies, so it is
trained under one that renders the same text with marks.
All models have 8 bits a weight. `free`: the reply is read as it comes; `held`: a grammar of its schema enforces it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec

import callwright
from callwright.app.datasets import open_dataset
from callwright.app.rescoring import judge_runs
from callwright.formats import catalog as catalogs
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue
from callwright.stats.intervals import Interval, mean_interval
from callwright.stats.paired import p_text, paired_test
from callwright.store import dataset as folders
from smollm import weights

MEASURES = ("calls a tool", "calls the gold tool", "right (Acc)")
PAPER = (
    "Not measured here, DiaFORGE's Table 5 (other models and data), Acc under a live user: Gemma-3 4B .24 -> .81, "
    "12B .37 -> .86, 27B .21 -> .89, Nemotron 49B .72 -> .89, Llama-3.3 70B .11 -> .71"
)


HEAD = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' }}"
BODY = "{{ message['content'] + '<|im_end|>\n' }}"
END = "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
MARKED = (
    HEAD
    + "{% if message['role'] == 'assistant' %}{% generation %}"
    + BODY
    + "{% endgeneration %}{% else %}"
    + BODY
    + "{% endif %}"
    + END
)
"""ChatML as SmolLM2 has it where a dialogue begins with a system message, with replies marked."""


def compact(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Functions without the descriptions of their parameters: a pool of three then fits 1,024 tokens."""
    for tool in tools:
        function = tool.get("function", tool)
        for schema in function["parameters"].get("properties", {}).values():
            schema.pop("description", None)
    return tools


def with_wrong_tools(source: Path, out: Path) -> None:
    """Write the dataset with another tool of the pool in each call."""
    data, rng = open_dataset(source), Random(7)

    def spoilt(one: Dialogue) -> Dialogue:
        names = [tool.name for tool in one.tools]
        turns = []
        for turn in one.turns:
            steps = []
            for step in turn.steps:
                calls = [
                    msgspec.structs.replace(call, tool=rng.choice([n for n in names if n != call.tool] or names))
                    for call in step.calls
                ]
                steps.append(msgspec.structs.replace(step, calls=tuple(calls)))
            turns.append(msgspec.structs.replace(turn, steps=tuple(steps)))
        return msgspec.structs.replace(one, turns=tuple(turns))

    out.mkdir(parents=True)
    folders.write_dataset(
        out,
        dialogues=(to_line(spoilt(one)) for one in data.dialogues),
        rejected=(),
        catalog=catalogs.write(data.catalog),
        funnel={"kept": len(data.dialogues), "control": "tools of calls replaced"},
        card="# Control: each call names another tool of its pool\n",
    )


def command(*arguments: object) -> None:
    """Run a command of the package, shown first; it resumes by itself."""
    print("$ callwright", *arguments, flush=True)
    subprocess.run([sys.executable, "-m", "callwright", *map(str, arguments)], check=True)


def prepare(out: Path, samples: int, longest: int) -> None:
    """Data of disjoint tools, cut into samples that fit."""
    if (out / "sft-control").is_dir():
        return
    out.mkdir(parents=True, exist_ok=True)
    command("export", "builtin/enterprise", "--format", "openai", "-o", out / "all.json", "--force")
    tools = compact(json.loads((out / "all.json").read_text()))
    (out / "tools.json").write_text(json.dumps(tools))
    if not (out / "split").is_dir():
        command(
            *("synth", "diaforge", out / "tools.json", "-n", samples, "--seed", 7),
            *("--distractors", 2, "--user-style", "terse", "-o", out / "ds"),
        )
        command("split", out / "ds", "--by", "tool", "-o", out / "split")
    train = short(out / "split" / "train", out / "train", longest, samples)
    print(f"{train:,} dialogues to train on", flush=True)
    with_wrong_tools(out / "train", out / "train-control")
    for name in ("train", "train-control"):
        command(
            *("export", out / name, "--as", "trl", "--no-thoughts", "--calling", "object", "--slices", "dialogue"),
            *("-o", out / ("sft" if name == "train" else "sft-control")),
        )


def short(source: Path, out: Path, longest: int, samples: int) -> int:
    """Keep the dialogues whose documents are short, until they give about as many samples as wanted."""
    data = open_dataset(source)
    kept, count = [], 0
    for one in data.dialogues:
        size = sum(len(data.catalog.by_key[tool.key].parameters) + 200 for tool in one.tools)
        if size < (longest - 450) * 4 and count < samples:
            kept.append(one)
            count += sum(one.role(turn) == "assistant" for turn in one.turns)
    out.mkdir(parents=True)
    folders.write_dataset(
        out,
        dialogues=map(to_line, kept),
        rejected=(),
        catalog=catalogs.write(data.catalog),
        funnel={"kept": len(kept)},
        card="# Dialogues whose tools have short documents\n",
    )
    return len(kept)


def train(sft: Path, adapter: Path, gguf: Path, *settings: object) -> None:
    """Train, and write tuned model and base for llama.cpp; nothing where it is done."""
    if gguf.with_name(f"{gguf.stem}-base.gguf").is_file():  # the last file that is written
        return
    template = adapter.parent / "marked.jinja"
    template.parent.mkdir(parents=True, exist_ok=True)
    template.write_text(MARKED)
    base = ("--base", weights(), "--template", template, "--lora")
    command("train", sft, *base, "-o", adapter, "--merge", "--gguf", gguf, *settings)


def evaluate(out: Path, dialogues: int, longest_reply: int, threads: int) -> None:
    """Six live evaluations on tools that no training showed."""
    for name, file in (("base", "tuned-base"), ("tuned", "tuned"), ("control", "control")):
        for how, calling in (("free", "object"), ("held", "schema")):
            command(
                *("eval", out / "split" / "test", "--protocol", "dynamic", "--model", f"local/{out / file}.gguf"),
                *("--calling", calling, "--temperature", 0, "--max-tokens", longest_reply, "--t-max", 6),
                *("--limit", dialogues, "--threads", threads, "--context", 4096, "-o", out / "runs" / f"{name}-{how}"),
            )


def table(out: Path) -> str:
    """The results as text: shares with intervals, and differences of the same dialogues."""
    found = {run.name: measured(run) for run in sorted((out / "runs").iterdir())}
    lines = [f"{'run':14}{'n':>3}" + "".join(f"{name:>22}" for name in MEASURES)]
    lines += [f"{name:14}{len(one):3}" + "".join(cells(list(one.values()))) for name, one in found.items()]
    lines.append("\npaired differences")
    for how in ("free", "held"):
        for after, before in (("tuned", "base"), ("control", "base"), ("tuned", "control")):
            new, old = found.get(f"{after}-{how}", {}), found.get(f"{before}-{how}", {})
            both = [[x - y for x, y in zip(new[one], old[one], strict=True)] for one in new if one in old]
            lines.append(f"{after} - {before}, {how}".ljust(25) + f"{len(both):3}" + "".join(differences(both)))
    return "\n".join([*lines, "", *learnt(out), PAPER])


def learnt(out: Path) -> list[str]:
    """How each training went: its size, and the loss on dialogues that were held out, before and after."""
    lines = []
    for name in ("tuned", "control"):
        if (path := out / name / "training.json").is_file():
            one = json.loads(path.read_text())
            how, losses = one["trained"], [measured["loss"] for measured in one["trained"]["held_out"]]
            lines.append(
                f"{name}: {one['rows']} dialogues in {how['steps']} steps, {how['seconds'] / 60:.0f} min on "
                f"{how['threads']} threads; loss on {one['held_out_rows']} held out {losses[0]:.3f} -> {losses[-1]:.3f}"
            )
    return lines


def measured(run: Path) -> dict[str, list[float]]:
    """The measures of each scored dialogue of a run."""
    found = {}
    for one in judge_runs(run):
        if one.state == "scored":
            called = [call.tool for task in one.tasks for call in task.calls]
            gold = {call.tool for task in one.tasks for call in task.gold}
            found[one.dialogue] = [float(bool(called)), float(bool(gold & set(called))), float(one.right is True)]
    return found


def cells(rows: list[list[float]]) -> list[str]:
    """Means of the measures, each with its interval."""
    return [f"{written(mean_interval(list(column))):>22}" for column in zip(*rows, strict=True)]


def differences(rows: list[list[float]]) -> list[str]:
    """Mean differences of the measures, each with its interval and an exact test."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    return [f"{written(mean_interval(one)) + ', ' + p_text(paired_test(one).p):>32}" for one in columns]


def written(one: Interval) -> str:
    """A share with its interval."""
    return "-" if one.value is None else f"{one.value:.2f} [{one.low or 0:.2f}, {one.high or 0:.2f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("demo-train"))
    parser.add_argument("--samples", type=int, default=800)
    parser.add_argument("--dialogues", type=int, default=40)
    parser.add_argument("--max-length", type=int, default=1024)
    parser.add_argument("--max-tokens", type=int, default=96, help="of a reply; no right one of the test has over 85")
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    prepare(asked.out, asked.samples, asked.max_length)
    size = ("--max-length", asked.max_length * 5 // 4, "--batch", 4, "--learning-rate", 5e-4)
    for name, sft in (("tuned", "sft"), ("control", "sft-control")):
        train(asked.out / sft, asked.out / name, asked.out / f"{name}.gguf", *size, "--threads", asked.threads)
    evaluate(asked.out, asked.dialogues, asked.max_tokens, asked.threads)
    found = table(asked.out)
    (asked.out / "table.txt").write_text(found + "\n")
    print(found)


if __name__ == "__main__":
    assert callwright.__version__
    main()
