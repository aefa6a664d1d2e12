"""Change modules of matching, statistics and scoring one small piece at a time, and see whether their tests notice.

    python tests/long/mutate.py [--module match/pairing.py] [--sample 40] [--seed 1]

Works in a copy of the tree. Each mutant is judged by the module's doctests and the tests that `MODULES` names, up to
the first that fails; random examples are the same each time. Prints every survivor with its place and the changed
line, and a score for each module.
`--sample` takes so many mutants of each module by chance; without it all are tried. What is killed by time ran ten
times as long as the tests of the unchanged module.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants import Mutant, mutants

ROOT = Path(__file__).parents[2]
PACKAGE = "src/callwright"
BFCL = ("papers/bfcl/test_official_verdict.py", "papers/bfcl/test_strict_verdict.py")
BFCL_SCORES = ("papers/bfcl/test_bfcl_protocol.py", "cli/test_score.py", *BFCL)
CALLS = ("match/test_values.py", "match/test_arguments.py", "match/test_leniency.py")
GRAPHS = ("match/test_orchestration.py",)
_WILD = ("wild_scoring", "wild_scoring_extras", "task_verdict", "wild_facts")
_TOOLDIAL = ("tooldial_scoring", "state_matching", "recomputed_states", "history_text", "value_origins")
TOOLDIAL = tuple(f"papers/tooldial/test_{name}.py" for name in _TOOLDIAL)
WILD = tuple(f"papers/wild/test_{name}.py" for name in _WILD)

MODULES: dict[str, tuple[str, ...]] = {
    "match/arguments.py": CALLS,
    "papers/bfcl/call_errors.py": BFCL_SCORES,
    "papers/bfcl/official_verdict.py": BFCL,
    "papers/bfcl/strict_verdict.py": BFCL,
    "match/call_graph.py": GRAPHS,
    "match/leniency.py": CALLS,
    "match/likeness.py": ("match/test_likeness.py", *CALLS),
    "match/orchestration.py": GRAPHS,
    "match/orchestration_search.py": GRAPHS,
    "match/pairing.py": ("match/test_pairing.py",),
    "match/schema.py": ("match/test_schema.py",),
    "match/task_stages.py": ("match/test_stages.py",),
    "match/values.py": CALLS,
    "stats/agreement.py": ("stats/test_agreement.py",),
    "stats/intervals.py": ("stats/test_intervals.py",),
    "protocol/scoring.py": ("papers/diaforge/test_tool_scoring.py", "papers/diaforge/test_tool_metrics.py"),
    "protocol/episode_rewards.py": ("protocol/test_episode_rewards.py",),
    "papers/diaforge/tool_metrics.py": ("papers/diaforge/test_tool_metrics.py", "papers/diaforge/test_tool_scoring.py"),
    "papers/tooldial/tooldial_scoring.py": TOOLDIAL,
    "papers/tooldial/state_matching.py": TOOLDIAL,
    "match/plain_text.py": TOOLDIAL,
    "papers/tooldial/value_origins.py": TOOLDIAL,
    "papers/tooldial/recomputed_states.py": TOOLDIAL,
    "papers/wild/wild_scoring.py": WILD,
    "papers/wild/task_verdict.py": WILD,
    "papers/bfcl/result_scoring.py": BFCL_SCORES,
    "papers/bfcl/bfcl_protocol.py": BFCL_SCORES,
    "papers/bfcl/transcript_scoring.py": BFCL_SCORES,
}
"""The modules and, below `tests`, what should notice a change of each."""

HEAVY = ("pytest", "hypothesis.strategies", "numpy", "scipy.sparse", "jsonschema_rs", "rapidfuzz", "msgspec", "yaml")
"""Loaded once, before the processes that run tests are forked."""
SLOWER, LEAST_S = 10, 20


def main() -> None:
    """Try the mutants and print what survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", action="append", choices=MODULES, help="only this one; may be given again")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in HEAVY:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        tree = copied(Path(folder))
        for module in options.module or MODULES:
            run_module(tree, module, options.sample, options.seed)


def copied(folder: Path) -> Path:
    """Return a copy of what the tests need: tests beside the source, foreign data where they look for it."""
    tree = folder / "tree"
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    if (ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to((ROOT.parent / "shared").resolve())
    return tree


def run_module(tree: Path, module: str, sample: int | None, seed: int) -> None:
    """Try the mutants of one module; print survivors as they are found, and the score."""
    path = tree / PACKAGE / module
    source = path.read_text(encoding="utf-8")
    began = time.perf_counter()
    tests = (f"{PACKAGE}/{module}", *(f"tests/{name}" for name in MODULES[module]))  # its doctests first
    if not passes(tree, tests, limit_s=3600):
        raise SystemExit(f"{module}: its tests fail without any change; run them first")
    limit_s = LEAST_S + SLOWER * (time.perf_counter() - began)
    found = list(drawn(source, sample, Random(f"{seed} {module}")))
    survived = 0
    for mutant in found:
        path.write_text(mutant.applied(source), encoding="utf-8")
        if passes(tree, tests, limit_s):
            survived += 1
            was = source.splitlines()[mutant.line - 1].strip()
            print(f"{PACKAGE}/{module}:{mutant.line}: {mutant.kind}\n  - {was}\n  + {mutant.shown(source)}", flush=True)
    path.write_text(source, encoding="utf-8")
    took = time.perf_counter() - began
    print(f"{module}: {len(found) - survived} of {len(found)} killed, {took:.0f} s", flush=True)


def drawn(source: str, sample: int | None, chance: Random) -> Iterator[Mutant]:
    """Yield the mutants to try, by place."""
    every = mutants(source)
    places = range(len(every)) if sample is None else sorted(chance.sample(range(len(every)), min(sample, len(every))))
    yield from (every[place] for place in places)


def passes(tree: Path, tests: tuple[str, ...], limit_s: float) -> bool:
    """Return whether the tests pass in time, in a process of their own; one that takes too long fails."""
    child = os.fork()
    if child == 0:
        os.setsid()
        os._exit(in_child(tree, tests))
    ends = time.monotonic() + limit_s
    while time.monotonic() < ends:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def in_child(tree: Path, tests: tuple[str, ...]) -> int:
    """Run the tests; no bytecode is kept, since a mutant may be as long and as old as the one before."""
    import hypothesis
    import pytest

    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)  # a failure need not be made small
    hypothesis.settings.register_profile("mutants", deadline=None, derandomize=True, database=None, phases=phases)
    os.chdir(tree)
    sys.path[:0] = [str(tree / "src"), str(tree / "tests")]
    sys.path.remove(str(ROOT / "tests"))
    sys.dont_write_bytecode = True
    os.environ |= {"CI": "true", "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options += ["--hypothesis-profile=mutants", "--doctest-modules", "--rootdir", str(tree)]
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    try:
        return int(pytest.main([*options, *tests]))
    except BaseException:  # noqa: BLE001 — whatever a mutant does to the run, it was noticed
        return 1


if __name__ == "__main__":
    main()
