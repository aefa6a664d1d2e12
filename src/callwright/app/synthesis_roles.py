"""Who takes part in a synthesis beside the rules: a model that writes, and one that judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from callwright.app.judges import Judge, read_criteria, read_judges, served_judges
from callwright.author.prompts import Prompts
from callwright.engine.job import Job
from callwright.errors import BadInput
from callwright.judge.rubric import Rubric
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.endpoint import Endpoint, is_served, read_endpoint
from callwright.models.keys import ApiKey
from callwright.models.openai import ServedModel
from callwright.models.retries import Patience
from callwright.papers.registry import find_recipe, read_prompts
from callwright.recipe import RecipeJobMaker
from callwright.recipe.critics import CriticisedJob, check_critics
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog

AUTHOR_ROLE: Final = "author"


class Author(msgspec.Struct, frozen=True):
    """A model that writes, and the prompts it is asked with."""

    endpoint: Endpoint
    key: ApiKey
    prompts: Prompts
    decoding: Decoding


class Critics(msgspec.Struct, frozen=True):
    """A model that judges what the rules keep, and by which criteria."""

    judge: Judge
    rubrics: tuple[Rubric, ...]


def read_author(
    name: str | None, *, base_url: str | None, prompts: str | Path | None, decoding: Decoding, is_judged: bool
) -> Author | None:
    """Return who writes. Raises BadInput for a name that is no served model's, and for what would change nothing."""
    if name is None:
        if prompts is not None or decoding != AS_SERVED or (base_url is not None and not is_judged):
            raise BadInput(
                "a base URL, prompts and decoding settings need a model. Name the author: openai/NAME."
            )
        return None
    if not is_served(name):
        raise BadInput(f"author {name!r}: this model cannot write. Give openai/NAME, or leave it out to write offline.")
    endpoint = read_endpoint(name, base_url=base_url)
    return Author(endpoint, ApiKey.from_environment(endpoint), read_prompts(prompts), decoding)


def read_critics(
    judge: str | None,
    criteria: str | Sequence[str] | None,
    *,
    recipe: str,
    base_url: str | None,
    options: Mapping[str, Json],
) -> Critics | None:
    """Return who judges. Raises BadInput for what would change nothing, and for criteria that reject nothing."""
    if judge is None:
        if criteria is not None:
            raise BadInput("criteria need a model that judges. Name the judge: openai/NAME.")
        return None
    if options.get("no_cascade"):
        raise BadInput("a judge needs the cascade. Leave out the judge, or keep the cascade.")
    (found,) = read_judges([judge], base_url=base_url)
    if criteria is None and not (criteria := find_recipe(recipe).critics):
        raise BadInput(f"recipe {recipe} has no default criteria. Name the criteria, such as relevancy.")
    rubrics = read_criteria(criteria)
    check_critics(rubrics)
    return Critics(found, rubrics)


def with_roles(
    make: RecipeJobMaker,
    payload: bytes,
    *,
    author: Author | None,
    critics: Critics | None,
    catalog: Catalog,
    patience: Patience | None,
) -> Job:
    """Return a recipe's job, worded by the author's model or offline, with its critics."""
    if author is None:
        job = make(payload)
    else:
        model = ServedModel(
            author.endpoint, key=author.key, role=AUTHOR_ROLE, decoding=author.decoding, patience=patience
        )
        job = make(payload, models={AUTHOR_ROLE: model})
    if critics is None:
        return job
    judge = served_judges([critics.judge], patience)[critics.judge.name]
    return CriticisedJob(job, critics.rubrics, judge, catalog)
