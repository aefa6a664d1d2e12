"""What a synthesis will do: names resolved, options complete, before anything is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from callwright.app.catalogs import read_catalog
from callwright.app.synthesis_roles import Author, Critics, read_author, read_critics
from callwright.errors import BadInput, BadOption, RunConflict
from callwright.models.decoding import Decoding
from callwright.papers.registry import find_recipe, owners_of
from callwright.protocol.kept_judgements import JUDGEMENTS
from callwright.recipe import Recipe
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, digest
from callwright.store import dataset
from callwright.store.links import folder_inside
from callwright.store.run import Run

KIND = "synth"
"""What a run of a synthesis is called in its folder."""

AUTHOR = "offline"
"""Who writes where no model is named: a seeded grammar, no language model."""


class SynthesisPlan(msgspec.Struct, frozen=True):
    """Everything that decides which dialogues come out."""

    recipe: Recipe
    catalog: Catalog
    options: dict[str, Json]
    seed: int
    n: int
    author: Author | None = None
    """None: offline."""
    critics: Critics | None = None
    """None: the rules alone decide."""

    @property
    def author_name(self) -> str:
        return AUTHOR if self.author is None else self.author.endpoint.name

    @property
    def config(self) -> dict[str, Json]:
        """What makes the run another run."""
        tools = digest(*(part for tool in self.catalog.tools for part in (tool.key, tool.domain)))
        if self.catalog.lists:
            tools = digest(tools, self.catalog.digest)
        fixed: dict[str, Json] = {"recipe": self.recipe.version, "catalog": tools, "author": self.author_name}
        fixed |= {"seed": self.seed, "n": self.n}
        if self.author is not None:
            fixed["prompts"] = self.author.prompts.digest(*self.recipe.prompts)
            fixed |= self.author.decoding.config
        if self.critics is not None:
            fixed["judge"] = self.critics.judge.name
            fixed["criteria"] = {rubric.label: rubric.digest for rubric in self.critics.rubrics}
        return {**self.options, **fixed}

    @property
    def payload(self) -> bytes:
        return self.recipe.payload(self.catalog, self.options, self.seed, self.n)


def plan_synthesis(
    recipe: str,
    catalog: Catalog | str | Path,
    options: Mapping[str, Json],
    *,
    n: int,
    seed: int,
    author: str | None,
    base_url: str | None,
    prompts: str | Path | None,
    judge: str | None,
    criteria: str | Sequence[str] | None,
    decoding: Decoding,
) -> SynthesisPlan:
    """Return the plan of `synthesize` with these arguments. Raises BadInput where it cannot be done."""
    writer = read_author(author, base_url=base_url, prompts=prompts, decoding=decoding, is_judged=judge is not None)
    critics = read_critics(judge, criteria, recipe=recipe, base_url=base_url, options=options)
    if n < 1:
        raise BadInput(f"n is {n}; plan at least 1 dialogue.")
    found = find_recipe(recipe)
    tools = catalog if isinstance(catalog, Catalog) else read_catalog(catalog)
    if not tools.tools:
        raise BadInput("the catalogue has no tools. Import a document that has some.")
    _refuse_foreign(recipe, found, options)
    return SynthesisPlan(found, found.prepare(tools), found.complete(options), seed, n, writer, critics)


def _refuse_foreign(name: str, recipe: Recipe, options: Mapping[str, Json]) -> None:
    """Raise BadInput for an option that only another recipe has."""
    for option in options:
        owners = [] if option in recipe.options else owners_of(option)
        if owners:
            raise BadOption(
                f"option {option} belongs to the recipe {' and '.join(owners)}, not to {name}. "
                f"Drop it; {name} has: {', '.join(recipe.options)}."
            )


def check_target(folder: Path, plan: SynthesisPlan) -> None:
    """Raise BadInput unless the dataset may be made in `folder`; where its journal is gone, its funnel must agree."""
    dataset.check_target(folder)
    if plan.critics is not None:
        folder_inside(folder, JUDGEMENTS)
    if (folder / dataset.FUNNEL).is_file() and not (folder / dataset.RUN).is_dir():
        _check_config(folder, dataset.read_funnel(folder).get("config"), plan)


def _check_config(folder: Path, config: Json, plan: SynthesisPlan) -> None:
    if config == plan.config:
        return
    there = config if isinstance(config, dict) else {}
    names = sorted(name for name in there | plan.config if there.get(name) != plan.config.get(name))
    raise RunConflict(
        f"{folder}: holds a dataset made with other settings ({', '.join(names)}). "
        "Give the same options as before, or choose another folder."
    )


def done_so_far(folder: Path, plan: SynthesisPlan) -> int:
    """Return how many dialogues an earlier session left in the folder."""
    journal = folder_inside(folder, dataset.RUN)
    if not (journal / "run.db").is_file():
        return 0
    with Run.read(journal) as run:
        run.match(kind=KIND, config=plan.config)
        return len(run.done())
