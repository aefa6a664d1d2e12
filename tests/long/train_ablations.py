"""What parts of DiaFORGE's method are worth in training: SmolLM2-135M tuned four times, each evaluated live.

    PYTHONPATH=tests .venv-foreign/bin/python tests/long/train_ablations.py --out ablations     the same command goes on

`full` has thoughts, look-alikes and the cascade; each other variant lacks one of them. All see the same number of
dialogues, and none a tool of the test dialogues, which are those of `full` and the same for all. A model that was
trained without thoughts thinks none when it is evaluated either: replies are read as they come, without a grammar.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from train_demo import MEASURES, cells, command, compact, differences, measured, train

from callwright.app.datasets import open_dataset
from callwright.formats import catalog as catalogs
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue
from callwright.store import dataset as folders

VARIANTS = {
    "full": (),
    "no-thoughts": (),
    "no-distractors": ("--no-distractors",),
    "no-cascade": ("--no-cascade",),
}
"""What `synth` is given beside the settings of all; thoughts are left out where samples are cut."""


def synthesize(out: Path, asked: argparse.Namespace) -> None:
    """Dialogues of each variant over the same tools; those of `full` are split by tools for training and test."""
    if not (out / "tools.json").is_file():
        out.mkdir(parents=True, exist_ok=True)
        command("export", "builtin/enterprise", "--format", "openai", "-o", out / "all.json", "--force")
        (out / "tools.json").write_text(json.dumps(compact(json.loads((out / "all.json").read_text()))))
    for name, less in VARIANTS.items():
        if name == "no-thoughts" or (out / "made" / name).is_dir():
            continue
        pool = less if "--no-distractors" in less else ("--distractors", 2, *less)
        style = ("--user-style", "terse", "-o", out / "made" / name)
        command("synth", "diaforge", out / "tools.json", "-n", asked.pool, "--seed", 7, *pool, *style)
    if not (out / "split").is_dir():
        command("split", out / "made" / "full", "--by", "tool", "-o", out / "split")
    if not (out / "test").is_dir():
        tools = json.loads((out / "split" / "test" / "catalog.json").read_text())["tools"]
        seen = {tool["name"] for tool in tools}
        every = json.loads((out / "tools.json").read_text())
        held = [one for one in every if (one.get("function") or one)["name"] in seen]
        (out / "test-tools.json").write_text(json.dumps(held))
        style = ("--distractors", 2, "--user-style", "terse", "-o", out / "test")
        command("synth", "diaforge", out / "test-tools.json", "-n", asked.dialogues * 11 // 10, "--seed", 8, *style)


def pick(source: Path, test: Path, longest: int) -> list[Dialogue]:
    """The dialogues with short documents that show no tool of the test."""
    seen = {tool.name for one in open_dataset(test).dialogues for tool in one.tools}
    data = open_dataset(source)
    return [
        one
        for one in data.dialogues
        if not seen & {tool.name for tool in one.tools}
        and sum(len(data.catalog.by_key[tool.key].parameters) + 200 for tool in one.tools) < (longest - 856) * 4
    ]


def prepare(out: Path, asked: argparse.Namespace) -> None:
    """The samples of each variant, of the same number of dialogues."""
    sources = {name: out / "made" / ("full" if name == "no-thoughts" else name) for name in VARIANTS}
    chosen = {name: pick(source, out / "test", asked.max_length) for name, source in sources.items()}
    count = min(asked.train, *map(len, chosen.values()))
    for name, source in sources.items():
        if (out / "sft" / name).is_dir():
            continue
        kept = chosen[name][:count]
        if not (out / "train" / name).is_dir():
            (out / "train" / name).mkdir(parents=True)
            folders.write_dataset(
                out / "train" / name,
                dialogues=map(to_line, kept),
                rejected=(),
                catalog=catalogs.write(open_dataset(source).catalog),
                funnel={"kept": len(kept)},
                card=f"# Ablation {name}: dialogues over tools that the test does not show\n",
            )
        thoughts = "--no-thoughts" if name == "no-thoughts" else "--thoughts"
        form = ("--as", "trl", "--calling", "object", "--slices", "dialogue", thoughts)
        command("export", out / "train" / name, *form, "-o", out / "sft" / name)


def evaluate(out: Path, name: str, asked: argparse.Namespace) -> None:
    """Converse about the test dialogues, or go on with it."""
    command(
        *("eval", out / "test", "--protocol", "dynamic", "--model", f"local/{out / 'models' / name}.gguf"),
        *("--calling", "object", "--temperature", 0, "--max-tokens", asked.max_tokens, "--t-max", 6),
        *("--limit", asked.dialogues, "--threads", 1, "--concurrency", 1, "--context", 4096, "-o", out / "runs" / name),
    )


def table(out: Path) -> str:
    """Each variant's shares, and its differences from `full`, dialogue by dialogue."""
    found = {name: measured(out / "runs" / name) for name in VARIANTS if (out / "runs" / name).is_dir()}
    head = f"{'variant':22}{'n':>3}" + "".join(f"{name:>22}" for name in MEASURES)
    lines = [head, *(f"{name:22}{len(one):3}" + "".join(cells(list(one.values()))) for name, one in found.items())]
    full = found.pop("full")
    for name, one in found.items():
        both = [[x - y for x, y in zip(one[key], full[key], strict=True)] for key in one if key in full]
        lines.append(f"{name} - full".ljust(22) + f"{len(both):3}" + "".join(differences(both)))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("ablations"))
    parser.add_argument("--pool", type=int, default=500, help="dialogues to synthesize for each variant")
    parser.add_argument("--train", type=int, default=150, help="most dialogues to train on")
    parser.add_argument("--dialogues", type=int, default=40, help="test dialogues")
    parser.add_argument("--max-length", type=int, default=1536)
    parser.add_argument("--max-tokens", type=int, default=160)
    parser.add_argument("--learning-rate", type=float, default=3e-4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=VARIANTS, default=list(VARIANTS), help="variants to do")
    asked = parser.parse_args()
    synthesize(asked.out, asked)
    prepare(asked.out, asked)
    for name in asked.only:
        size = ("--max-length", asked.max_length, "--batch", 1, "--learning-rate", asked.learning_rate)
        files = (asked.out / "sft" / name, asked.out / "adapters" / name, asked.out / "models" / f"{name}.gguf")
        train(*files, *size, "--threads", asked.threads)
        evaluate(asked.out, name, asked)
    found = table(asked.out)
    (asked.out / "table.txt").write_text(found + "\n")
    print(found)


if __name__ == "__main__":
    main()
