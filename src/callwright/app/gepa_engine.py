"""GEPA as the engine of a search: a model reads conversations with their verdicts and writes better texts.

GEPA's own state is a pickle, so it is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

from callwright.app.prompt_search import DESCRIPTION, SYSTEM, JudgedTalk, PromptSearch, Texts
from callwright.errors import BadInput
from callwright.records.jsontext import encode

MINIBATCH: Final = 3


def require_gepa() -> None:
    """Raise BadInput where the package is not installed."""
    if find_spec("gepa") is None:
        raise BadInput('the engine gepa needs the package `gepa`: pip install "callwright[optimise]"')


def gepa_start(search: PromptSearch) -> int:
    """Return the replies that the first texts need at most."""
    reads = ("train", "choose") if _rewords(search) else ("choose",)
    return sum(search.most(search.parts[name]) for name in reads)


def gepa_step(search: PromptSearch) -> int:
    """Return the replies that one more candidate needs at most: two small batches, reflections, the choosing part."""
    largest = sorted((search.most([one]) for one in search.parts["train"]), reverse=True)[:MINIBATCH]
    return 2 * sum(largest) + 2 + search.most(search.parts["choose"])


def search_with_gepa(search: PromptSearch, first: str) -> tuple[Texts, int]:
    """Return the best texts, and how many candidates were scored."""
    from gepa.api import optimize

    texts = {SYSTEM: first}
    if _rewords(search):
        documents = search.data.catalog.by_name
        for name in search.confused_tools(search.judge(texts, search.parts["train"])):
            texts[DESCRIPTION + name] = documents[name].description
    result: Any = optimize(
        texts,
        trainset=list(search.parts["train"]),
        valset=list(search.parts["choose"]),
        adapter=_adapter(search),
        reflection_lm=search.reflect,
        reflection_prompt_template={name: _template(name) for name in texts},
        reflection_minibatch_size=MINIBATCH,
        module_selector=_selector(search),
        stop_callbacks=_Stop(search),
        logger=_Silent(),
        seed=search.settings.seed,
        display_progress_bar=False,
    )
    return dict(result.best_candidate), len(result.candidates)


def _rewords(search: PromptSearch) -> bool:
    return search.settings.objective == "right"


def _template(name: str) -> str:
    which = "description" if name.startswith(DESCRIPTION) else "reflection"
    text = (files("callwright.train") / "data" / f"{which}.txt").read_text("utf-8")
    return text.replace("<tool>", name.removeprefix(DESCRIPTION))


def _selector(search: PromptSearch) -> Any:
    """Say which texts to rewrite: the two tools that a batch confuses, every other time the system prompt."""
    from gepa.proposer.reflective_mutation.base import ReflectionComponentSelector

    class Selector(ReflectionComponentSelector):
        def __call__(
            self, state: Any, trajectories: list[Any], scores: list[float], at: int, candidate: dict[str, str]
        ) -> list[str]:
            confused = [DESCRIPTION + name for name in search.confused_tools(trajectories)]
            known = [name for name in confused if name in candidate][:2]
            return known if known and state.i % 2 else [SYSTEM]

    return Selector()


def _verdict(judged: JudgedTalk) -> str:
    if judged.score == 1:
        return "Right."
    due = "; ".join(f"{gold.tool} {encode(gold.values)}" for task in judged.item.tasks for gold in task.gold)
    why = " ".join(filter(None, (judged.item.error, judged.item.why)))
    return f"Wrong: {why or 'malformed'}. Due was: {due or 'no call'}."


def _adapter(search: PromptSearch) -> Any:
    """GEPA's view of a search."""
    from gepa.core.adapter import EvaluationBatch, GEPAAdapter

    class Adapter(GEPAAdapter[str, JudgedTalk, JudgedTalk]):
        propose_new_texts = None

        def evaluate(self, batch: list[str], candidate: dict[str, str], capture_traces: bool = False) -> Any:
            with search.stopping():
                judged = search.judge(candidate, batch)
            traces = judged if capture_traces else None
            return EvaluationBatch(outputs=judged, scores=[one.score for one in judged], trajectories=traces)

        def make_reflective_dataset(
            self, candidate: dict[str, str], eval_batch: Any, components_to_update: list[str]
        ) -> Mapping[str, Sequence[Mapping[str, str]]]:
            return {name: _records(search, name, eval_batch.trajectories) for name in components_to_update}

    return Adapter()


def _records(search: PromptSearch, name: str, judged: Sequence[JudgedTalk]) -> list[Mapping[str, str]]:
    """Return what a reflection reads: for a description, the conversations in which its tool was confused."""
    tool = name.removeprefix(DESCRIPTION)
    about = [one for one in judged if name == SYSTEM or tool in search.confused_tools([one])]
    return [{"Conversation": one.words, "Verdict": _verdict(one)} for one in about]


class _Stop:
    """Ends the search with its budget, or where nothing is left to mend: GEPA asks nothing about right batches."""

    def __init__(self, search: PromptSearch) -> None:
        self._search, self._needed = search, gepa_step(search)
        self._seen, self._idle = -1, 0

    def __call__(self, gepa_state: object) -> bool:
        replies = self._search.replies
        self._idle = self._idle + 1 if replies == self._seen else 0
        self._seen = replies
        return self._idle > len(self._search.parts["train"]) or not self._search.can_go_on(self._needed)


class _Silent:
    """A log that keeps nothing."""

    def log(self, *said: object, **fields: object) -> None:
        """Drop what is said."""
