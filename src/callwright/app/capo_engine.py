"""CAPO as the engine of a search, through `promptolution`: prompts are crossed, reworded and raced against each other.

The prompts begin as rewordings of the first one, and carry up to five examples of openings with their calls. The
library draws from the global streams of `random` and `numpy`; they are seeded here, and given back as they were.
"""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from callwright.app.prompt_search import SYSTEM, PromptSearch, Texts
from callwright.errors import BadInput
from callwright.records.jsontext import encode

POPULATION: Final = 10
CROSSOVERS: Final = 4
SHOTS: Final = 5
BLOCK: Final = 30
BLOCKS: Final = 10
ITERATIONS: Final = 10
ALPHA: Final = 0.2
LENGTH_PENALTY: Final = 0.05
_INPUT: Final = "Input:"
_TASK: Final = "An assistant with tools talks with a user, asks for what it lacks, and calls the right tool."


def require_capo() -> None:
    """Raise BadInput where the package is not installed."""
    if find_spec("promptolution") is None:
        raise BadInput(
            "the engine capo needs the package `promptolution`, which exists for Python 3.11 and 3.12: "
            'pip install "callwright[capo]"'
        )


def capo_start(_search: PromptSearch) -> int:
    """Return the replies that the first prompts need: a rewording each."""
    return POPULATION - 1


def capo_step(search: PromptSearch) -> int:
    """Return the replies that an iteration needs at most: new prompts, and a race of all."""
    return 2 * CROSSOVERS + (POPULATION + CROSSOVERS) * search.most(search.parts["choose"])


def search_with_capo(search: PromptSearch, first: str) -> tuple[Texts, int]:
    """Return the best prompt, and how many were scored. The examples in prompts come from the training part."""
    from promptolution.optimizers.capo import CAPO

    with _seeded(search.settings.seed):
        meta, task, predictor = _parts(search)
        optimizer = CAPO(
            predictor,
            task,
            meta,
            initial_prompts=[first],
            crossovers_per_iter=CROSSOVERS,
            upper_shots=min(SHOTS, len(search.parts["train"])),
            max_n_blocks_eval=min(BLOCKS, task.n_blocks),
            alpha=ALPHA,
            length_penalty=LENGTH_PENALTY,
            create_fs_reasoning=False,
            df_few_shots=_examples(search),
        )
        _reword(optimizer, search)
        _iterate(optimizer, search)
    scored = {name for name, _, _ in task.eval_cache}
    return {SYSTEM: _as_system(str(optimizer.prompts[0]))}, len(scored)


def _as_system(prompt: str) -> str:
    """A prompt without its end, where the library expects what a user says: here users have turns of their own."""
    return prompt.removesuffix(_INPUT).rstrip()


def _reword(optimizer: Any, search: PromptSearch) -> None:
    """Fill the first population: each prompt is a rewording of the one before."""
    from promptolution.utils.formatting import extract_from_tag
    from promptolution.utils.prompt import Prompt

    for _ in range(POPULATION - 1):
        last = optimizer.prompts[-1].instruction
        reply = search.reflect(optimizer.mutation_template.replace("<instruction>", last))
        optimizer.prompts.append(Prompt(extract_from_tag(reply, "<prompt>", "</prompt>")))
    optimizer.population_size = POPULATION


def _iterate(optimizer: Any, search: PromptSearch) -> None:
    """Go on while the budget suffices. The library's own loop takes any error for the end of the search."""
    optimizer._pre_optimization_loop()
    for _ in range(ITERATIONS):
        optimizer.prompts = optimizer._step()
        if not search.can_go_on(capo_step(search)):
            return


def _examples(search: PromptSearch) -> Any:
    import pandas

    rows = []
    for one in (search.by_id[name] for name in search.parts["train"]):
        opening = next((turn.text for turn in one.turns if one.role(turn) == "user"), "")
        due = "; ".join(f"{gold.tool} {encode(gold.values)}" for task in one.tasks for gold in task.gold)
        rows.append((opening, f"In the end the due call is: {due or 'none'}"))
    return pandas.DataFrame(rows, columns=["id", "due"])


def _parts(search: PromptSearch) -> tuple[Any, Any, Any]:
    """Return the search as the library's model that writes, its task and its predictor."""
    import numpy
    import pandas
    from promptolution.llms.base_llm import BaseLLM
    from promptolution.predictors.base_predictor import BasePredictor
    from promptolution.tasks.base_task import BaseTask

    class Writer(BaseLLM):  # type: ignore[misc]
        def _get_response(self, prompts: list[str], system_prompts: list[str]) -> list[str]:
            return [search.reflect(one) for one in prompts]

    class Rollouts(BasePredictor):  # type: ignore[misc]
        def predict(self, prompts: list[str], xs: list[str], system_prompts: Any = None) -> tuple[list[str], list[str]]:
            scores: list[str] = []
            for prompt, pairs in groupby(zip(prompts, xs, strict=True), key=itemgetter(0)):
                with search.stopping():
                    judged = search.judge({SYSTEM: _as_system(prompt)}, [name for _, name in pairs])
                scores += [str(one.score) for one in judged]
            return scores, [""] * len(scores)

        def _extract_preds(self, preds: list[str]) -> list[str]:
            return preds

    class Talks(BaseTask):  # type: ignore[misc]
        def _evaluate(self, xs: list[str], ys: list[str], preds: list[str]) -> Any:
            return numpy.array([float(one) for one in preds])

    ids = search.parts["choose"]
    rows = pandas.DataFrame({"id": ids, "due": [""] * len(ids)})
    size = min(BLOCK, len(ids))
    task = Talks(rows, "id", "due", task_description=_TASK, n_subsamples=size, eval_strategy="sequential_block")
    meta = Writer()
    return meta, task, Rollouts(meta)


@contextlib.contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Inside, the global streams begin at a seed, and the library does not warn: a race of equals divides by zero."""
    import logging

    import numpy

    before = random.getstate(), numpy.random.get_state()
    random.seed(seed)
    numpy.random.seed(seed % 2**32)
    logger = logging.getLogger("promptolution")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        logger.setLevel(level)
        random.setstate(before[0])
        numpy.random.set_state(before[1])
