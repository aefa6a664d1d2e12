"""Callwright: multi-turn tool-calling dialogues over your own tools, made, checked, measured and evaluated.

    catalog = callwright.read_catalog("builtin/enterprise")
    callwright.synthesize("diaforge", catalog, n=200, seed=7, out="ds")
    callwright.evaluate_model("ds", "dynamic", model="builtin/retriever", out="runs/retriever")
    rows = callwright.score_runs(["runs/retriever"])

Importing loads nothing; each name is loaded when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` takes half of the time before Ctrl-C is understood
if TYPE_CHECKING:
    from callwright.app.catalogs import export_catalog, lint, read_catalog, write_catalog
    from callwright.app.corpora import ReadResult, read_corpus
    from callwright.app.datasets import Dataset, SplitResult, open_dataset, split
    from callwright.app.episodes import Episodes, open_episodes
    from callwright.app.evaluation import RunResult, evaluate_model
    from callwright.app.fixing import AuthoredPlan, PairScoring, suggest_fixes
    from callwright.app.judging import JudgingResult, judge_dataset
    from callwright.app.measuring import measure_dataset
    from callwright.app.rescoring import score_runs
    from callwright.app.synthesis import SynthesisResult, synthesize
    from callwright.errors import BadInput, CallwrightError, Interrupted
    from callwright.match.orchestration import Orchestration, score_orchestration

__version__ = "0.1.0"

__all__ = [
    "AuthoredPlan",
    "BadInput",
    "CallwrightError",
    "Dataset",
    "Episodes",
    "Interrupted",
    "JudgingResult",
    "Orchestration",
    "PairScoring",
    "ReadResult",
    "RunResult",
    "SplitResult",
    "SynthesisResult",
    "__version__",
    "evaluate_model",
    "export_catalog",
    "judge_dataset",
    "lint",
    "measure_dataset",
    "open_dataset",
    "open_episodes",
    "read_catalog",
    "read_corpus",
    "score_orchestration",
    "score_runs",
    "split",
    "suggest_fixes",
    "synthesize",
    "write_catalog",
]

_HOMES = {
    "callwright.app.catalogs": ("export_catalog", "lint", "read_catalog", "write_catalog"),
    "callwright.app.datasets": ("Dataset", "SplitResult", "open_dataset", "split"),
    "callwright.app.episodes": ("Episodes", "open_episodes"),
    "callwright.app.evaluation": ("RunResult", "evaluate_model"),
    "callwright.app.rescoring": ("score_runs",),
    "callwright.app.fixing": ("AuthoredPlan", "PairScoring", "suggest_fixes"),
    "callwright.app.judging": ("JudgingResult", "judge_dataset"),
    "callwright.app.measuring": ("measure_dataset",),
    "callwright.app.corpora": ("ReadResult", "read_corpus"),
    "callwright.app.synthesis": ("SynthesisResult", "synthesize"),
    "callwright.errors": ("BadInput", "CallwrightError", "Interrupted"),
    "callwright.match.orchestration": ("Orchestration", "score_orchestration"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name from the module that has it."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'callwright' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, also those not loaded yet."""
    return sorted({*globals(), *__all__})
