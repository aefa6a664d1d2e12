"""Run the commands that need no model, and compare the digests of all they write with recorded ones.

    python tests/long/behaviour.py record FILE [--quick] [--only CHAIN]
    python tests/long/behaviour.py compare FILE [--quick] [--only CHAIN] [--projected]

`tests/long/behaviour.json` is the record of this version. A change that must keep all behaviour compares after each
step. One that means to change behaviour records anew, and the difference of the two files shows what it changed.
`record` replaces the chains that it runs, each when it is done, and keeps the others.
`--quick` takes the bundled catalogue and one seed. `--projected` forgives what `digests.project` leaves out.
Ends with 1 at any difference. Foreign data is looked for in `../shared/data`; chains over absent data are skipped.

Only the command line, the files of a dataset and the table of outcomes in `run.db` are used. A chain is a sequence of
commands over one catalogue, in a folder of its own where it is given relative names: no output has a path of this
machine. No output tells a time.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import runpy
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import NamedTuple

from digests import Digest, compare, digest, is_same, lines, read, replaced, write

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
SEEDS = (7, 11)
ENTERPRISE = "builtin/enterprise"
BOX, SLACK, WILD = "openapi/box.json", "openapi/slack_v2.json", "wild/tools_en.jsonl"
BFCL = "bfcl/BFCL_v4_{}.json"
BFCL_ANSWERS = "bfcl/possible_answer/BFCL_v4_{}.json"
FUNCTIONS = "bfcl/multi_turn_func_doc"
READ_ONLY = ("parallel_multiple", "irrelevance", "live_simple", "multi_turn_base")
LAYOUTS = ("openai", "anthropic", "mcp", "openapi")
EXTRAS = ("--minefields", "--tool-failures", "--value-changes", ".5")
DIAFORGE_MODELS = ("retriever", "eager", "oracle")
WILD_MODELS = ("oracle", "retriever", "abstain")
ONE = ("retriever",)
"""Of large catalogues, which every command reads anew, and of chains that differ in their dialogues alone."""

Output = tuple[str, bytes]
"""A name, whose ending tells JSON, JSON lines and text apart, and what was written."""


class Failed(Exception):
    """A command ended as none here should."""


class Chain(NamedTuple):
    """Commands over one catalogue."""

    name: str
    make: Callable[[], Iterator[Output]]
    """Runs the commands in the current folder, and yields their outputs."""
    inputs: tuple[str, ...] = ()
    """What is copied there first, by its place in the foreign data."""


class Made(NamedTuple):
    """What running a chain gave."""

    chain: str
    digests: dict[str, Digest]
    seconds: float
    why: str
    """Why it stopped early; empty where it did not."""


def call(*arguments: object) -> tuple[bytes, bytes]:
    """Run `callwright` with these arguments in this process: its standard output and error. Raises Failed."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    sys.argv = ["callwright", *map(str, arguments)]
    code: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_module("callwright", run_name="__main__", alter_sys=True)
        except SystemExit as end:
            code = end.code
    written = []
    for stream in (out, err):
        stream.flush()
        written.append(stream.buffer.getvalue())  # type: ignore[attr-defined]
    if code not in (0, None):
        raise Failed(f"callwright {' '.join(sys.argv[1:])} ended with {code}: {written[1].decode()[-500:]}")
    return written[0], written[1]


def said(*arguments: object) -> bytes:
    """Return the standard output of a command."""
    return call(*arguments)[0]


def folder(place: str, name: str) -> Iterator[Output]:
    """All files of a dataset; the journal is no part of it."""
    for path in sorted(Path(place).iterdir()):
        if path.is_file():
            yield f"{name}/{path.name}", path.read_bytes()


def transcripts(run: Path) -> bytes:
    """Return the outcomes of a run as lines, in the order of its items and not of their ends."""
    with contextlib.closing(sqlite3.connect(f"{run.absolute().as_uri()}/run.db?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT status, value, kind, message FROM outcomes ORDER BY position, trial").fetchall()
    return b"".join((json.dumps(row[2:]).encode() if row[0] == "failed" else row[1]) + b"\n" for row in rows)


def evaluated(protocol: str, model: str, seed: int, *options: str) -> Iterator[Output]:
    """An evaluation on `ds`, its transcripts, and every view of them."""
    name = "/".join(("eval", protocol, model, *(option for option in options if option[0] != "-")))
    run = Path(name)
    asked = ("--protocol", protocol, "--model", f"builtin/{model}", "--seed", seed, *options)
    yield f"{name}/account.json", said("eval", "ds", *asked, "-o", run, "--json")
    yield f"{name}/transcripts.jsonl", transcripts(run)
    yield f"{name}/report.json", said("report", run, "--json")
    yield f"{name}/report.txt", said("report", run)
    yield f"{name}/show.txt", said("show", run)
    if protocol == "wild":
        yield from explained(run)
    if protocol == "bfcl":
        for mode in ("official", "strict"):
            yield f"{name}/score-{mode}.json", said("score", "bfcl", run, "--mode", mode, "--json")


def explained(run: Path) -> Iterator[Output]:
    """The scores of a wild run, and what became of two tasks of its first dialogue."""
    with Path("ds/dialogues.jsonl").open("rb") as dialogues:
        first = json.loads(next(dialogues))["id"]
    for match in ("strict", "lenient"):
        yield f"{run}/score-{match}.json", said("score", "wild", run, "--match", match, "--json")
    yield f"{run}/explain.json", said("explain", run, f"{first}/2", "--json")
    yield f"{run}/explain.txt", said("explain", run, f"{first}/3", "--match", "lenient")


def synthesized(recipe: str, catalog: str, n: int, seed: int, *options: str) -> Iterator[Output]:
    """A dataset in `ds`, and what is told of it."""
    made = said("synth", recipe, catalog, "-n", n, "--seed", seed, "-o", "ds", *options, "--json")
    yield "synth/account.json", made
    yield from folder("ds", "synth")
    yield "measure.json", said("measure", "ds", "--json")
    yield "show.txt", said("show", "ds")
    yield "show-rejected.txt", said("show", "ds", "--rejected")


def diaforge(catalog: str, n: int, models: tuple[str, ...], seed: int, *options: str) -> Iterator[Output]:
    """A DiaFORGE dataset, its parts by tool, and both protocols on it."""
    yield from synthesized("diaforge", catalog, n, seed, *options)
    yield "split/account.json", said("split", "ds", "--by", "tool", "--seed", seed, "-o", "parts", "--json")
    for place in ("", "train", "test"):
        yield from folder(f"parts/{place}", f"split/{place}".rstrip("/"))
    for protocol in ("static", "dynamic"):
        for model in models:
            yield from evaluated(protocol, model, seed)


def wild(catalog: str, n: int, models: tuple[str, ...], seed: int, *options: str) -> Iterator[Output]:
    """A dataset of wild sessions, and the protocol on it."""
    yield from synthesized("wild", catalog, n, seed, *options)
    for model in models:
        yield from evaluated("wild", model, seed)


def imported(source: str) -> Iterator[Output]:
    """A catalogue as read, and in every layout with what the layout has no place for."""
    yield "import/account.json", said("import", source, "-o", "tools.json", "--json")
    yield "import/catalog.json", Path("tools.json").read_bytes()
    for layout in LAYOUTS:
        tools, notes = call("export", "tools.json", "--format", layout)
        yield f"export/{layout}.json", tools
        yield f"export/{layout}-notes.txt", notes


def linted(source: str) -> Iterator[Output]:
    """A catalogue as read, what lint finds in it, and the plan of fixes with the catalogue after them."""
    yield from imported(source)
    yield "lint/lint.json", said("lint", source, "--json")
    yield "lint/lint.txt", said("lint", source)
    yield "lint/fix-plan.json", said("lint", source, "--fix-plan", "--json", "-o", "fixed.json")
    yield "lint/fixed.json", Path("fixed.json").read_bytes()


def bfcl_read(category: str, has_answers: bool) -> Iterator[Output]:
    """The questions of a category as a dataset."""
    answers = ("--answers", BFCL_ANSWERS.format(category)) if has_answers else ()
    yield "read/account.json", said("read", "bfcl", BFCL.format(category), *answers, "-o", "ds", "--json")
    yield from folder("ds", "read")


def bfcl(category: str, seed: int) -> Iterator[Output]:
    """The questions of a category, and their protocol with both ways of judging."""
    yield from bfcl_read(category, True)
    for match in ("official", "strict"):
        yield from evaluated("bfcl", "retriever", seed, "--match", match)


def quick_chains(seed: int) -> Iterator[Chain]:
    """The chains that `--quick` runs: over the bundled catalogue."""
    yield Chain(f"diaforge/enterprise/{seed}", partial(diaforge, ENTERPRISE, 60, DIAFORGE_MODELS, seed))
    yield Chain(f"wild/enterprise/{seed}", partial(wild, ENTERPRISE, 30, WILD_MODELS, seed))


def long_chains(seed: int) -> Iterator[Chain]:
    """The other chains of a seed, the cheap ones first."""
    yield Chain(f"wild/tools/{seed}", partial(wild, WILD, 40, ONE, seed), (WILD,))
    yield Chain(f"diaforge/slack/{seed}", partial(diaforge, SLACK, 40, ONE, seed), (SLACK,))
    yield Chain(f"wild/extras/{seed}", partial(wild, ENTERPRISE, 30, WILD_MODELS, seed, *EXTRAS))
    ablation = ("--no-distractors", "--no-tool-share", ".1")
    yield Chain(f"diaforge/no-distractors/{seed}", partial(diaforge, ENTERPRISE, 40, DIAFORGE_MODELS, seed, *ablation))
    yield Chain(f"diaforge/t-max/{seed}", partial(diaforge, ENTERPRISE, 40, ONE, seed, "--t-max", "4"))
    simple = (BFCL.format("simple_python"), BFCL_ANSWERS.format("simple_python"))
    yield Chain(f"bfcl/simple_python/{seed}", partial(bfcl, "simple_python", seed), simple)
    yield Chain(f"diaforge/box/{seed}", partial(diaforge, BOX, 40, ONE, seed), (BOX,))
    yield Chain(f"wild/box/{seed}", partial(wild, BOX, 20, ONE, seed), (BOX,))


def reading_chains() -> Iterator[Chain]:
    """Chains without a seed over foreign files."""
    for path in (*sorted((DATA / "openapi").glob("*.*")), DATA / WILD):
        source = path.relative_to(DATA).as_posix()
        yield Chain(f"catalogs/{path.name}", partial(imported, source), (source,))
    for category in READ_ONLY:
        answers = (BFCL_ANSWERS.format(category),) if category != "irrelevance" else ()
        functions = (FUNCTIONS,) if "multi_turn" in category else ()
        inputs = (BFCL.format(category), *answers, *functions)
        yield Chain(f"bfcl/{category}", partial(bfcl_read, category, bool(answers)), inputs)


def chosen_chains(is_quick: bool) -> list[Chain]:
    """Return the chains to run; those whose foreign data is absent are left out, and said."""
    seeds = SEEDS[:1] if is_quick else SEEDS
    long = () if is_quick else (chain for seed in seeds for chain in long_chains(seed))
    quick = (chain for seed in seeds for chain in quick_chains(seed))
    bundled = Chain("catalogs/enterprise", partial(linted, ENTERPRISE))
    chosen = []
    for chain in (*quick, bundled, *long, *(() if is_quick else reading_chains())):
        absent = [place for place in chain.inputs if not (DATA / place).exists()]
        if absent:
            print(f"skipped {chain.name}: no {', '.join(absent)} in {DATA}")
        else:
            chosen.append(chain)
    return chosen


def make(chain: Chain) -> Made:
    """Run a chain in a new folder."""
    begun, digests, why, home = time.monotonic(), {}, "", Path.cwd()
    os.environ |= {"COLUMNS": "100", "NO_COLOR": "1"}  # tables are as wide as the terminal says
    with tempfile.TemporaryDirectory() as place:
        for source in chain.inputs:
            target = Path(place, source)
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (DATA / source).is_dir() else shutil.copyfile)(DATA / source, target)
        os.chdir(place)
        try:
            for name, output in chain.make():
                if place.encode() in output:
                    raise Failed(f"{name} holds the path of its folder")
                digests[f"{chain.name}/{name}"] = digest(name, output)
        except Failed as error:
            why = str(error)
        finally:
            os.chdir(home)
    return Made(chain.name, digests, time.monotonic() - begun, why)


def main() -> int:
    """Run the chains, two at a time; record their digests, or print what differs from those recorded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--quick", action="store_true", help="the bundled catalogue and one seed")
    parser.add_argument("--only", default="", help="the chains whose names begin with this, such as wild/box")
    parser.add_argument("--projected", action="store_true", help="forgive what the projection leaves out")
    options = parser.parse_args()
    recorded = read(options.file) if options.job == "compare" or options.file.exists() else {}
    chains = [chain for chain in chosen_chains(options.quick) if chain.name.startswith(options.only)]
    found: dict[str, Digest] = {}
    has_failed = False
    with ProcessPoolExecutor(2) as workers:
        for ended in as_completed([workers.submit(make, chain) for chain in chains]):
            made = ended.result()
            print(f"{made.seconds:6.1f} s {made.chain} {made.why}", flush=True)
            has_failed |= bool(made.why)
            found |= made.digests
            if options.job == "record" and not made.why:
                recorded = replaced(recorded, made.chain, made.digests)
                write(options.file, recorded)
    if options.job == "record":
        return int(has_failed)
    comparison = compare(recorded, found, [chain.name for chain in chains])
    print(*lines(comparison), sep="\n")
    return int(has_failed or not is_same(comparison, forgives_form=options.projected))


if __name__ == "__main__":
    sys.exit(main())
