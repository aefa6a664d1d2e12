"""The registry: one name a paper, and what all papers offer together.

A paper's module `paper` is small; the modules that it names are imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, cast

import msgspec

from callwright.author.prompts import SHARED, Prompts
from callwright.errors import unknown_name
from callwright.formats.layouts import Layout
from callwright.papers.paper import (
    CallingAuthor,
    CorpusMixer,
    CorpusReader,
    CorpusWriter,
    Explainer,
    Listing,
    NoOptions,
    OutputScorer,
    Paper,
    RunScorer,
    ScriptedAuthor,
)
from callwright.protocol import EvaluationProtocol
from callwright.recipe import Recipe
from callwright.records.transcript import Row

if TYPE_CHECKING:
    from callwright.protocol.dataset_measures import MeasureGroup
    from callwright.protocol.run_access import RunView
    from callwright.records.dialogue import Dialogue
    from callwright.records.tool import Tool

PAPERS: Final = ("diaforge", "wild", "tooldial", "dice", "bfcl", "fnctod")
"""Folders of the papers, in the order in which their offers are listed."""


@cache
def papers() -> dict[str, Paper]:
    """Return each paper by the name of its folder."""
    return {name: _module(name, "paper").PAPER for name in PAPERS}


def names_of(kind: str) -> list[str]:
    """Return the names of all that papers offer of a kind, which is a table of `Paper` such as `readers`."""
    return list(_offers(kind))


def find_recipe(name: str) -> Recipe:
    """Return the recipe of this name; raises UnknownName, which lists them."""
    recipe: Recipe = _load("recipe", "recipes", name).RECIPE
    return recipe


@cache
def recipe_of(version: str) -> Recipe | None:
    """Return the recipe of this name with version, such as `diaforge.v1`; None where no paper has it."""
    return next((recipe for recipe in map(find_recipe, names_of("recipes")) if recipe.version == version), None)


def recipe_options() -> dict[str, type[msgspec.Struct]]:
    """Return the option structs of all recipes by name."""
    return {name: struct for module in _option_modules() for name, struct in module.RECIPES.items()}


def protocol_options() -> dict[str, type[msgspec.Struct]]:
    """Return the option structs of all protocols by name."""
    return {name: struct for module in _option_modules() for name, struct in module.PROTOCOLS.items()}


def owners_of(option: str) -> list[str]:
    """Return the names of the recipes that have an option of this name."""
    return [name for name, struct in recipe_options().items() if option in struct.__struct_fields__]


def protocol_names() -> list[str]:
    """Return the names of all protocols as users type them: the short one where there is one."""
    short = {full: alias for alias, full in _aliases().items()}
    return [short.get(name, name) for name in names_of("protocols")]


def _aliases() -> dict[str, str]:
    return {short: full for paper in papers().values() for short, full in paper.aliases.items()}


def find_protocol(name: str) -> str:
    """Return the full name of a protocol, its alias or its name with version; raises UnknownName, which lists them."""
    aliases = _aliases()
    full = aliases.get(name, name.rpartition(".v")[0] or name)
    if full not in _offers("protocols"):
        raise unknown_name("protocol", name, [*_offers("protocols"), *aliases])
    return full


def load_protocol(name: str) -> EvaluationProtocol:
    """Return the protocol of this name, alias or name with version. Raises UnknownName."""
    protocol: EvaluationProtocol = _load("protocol", "protocols", find_protocol(name)).PROTOCOL
    return protocol


def load_scorer(name: str) -> RunScorer:
    """Return how a protocol scores a run again; without a way of its own it gives the rows of its report."""
    full = find_protocol(name)
    if full not in _offers("scorers"):
        return RunScorer("", NoOptions, _report_rows)
    scorer: RunScorer = _load("scorer", "scorers", full).SCORER
    return scorer


def load_output_scorer(name: str) -> OutputScorer:
    """Return how a benchmark scores outputs that others recorded. Raises UnknownName, which lists them."""
    scorer: OutputScorer = _load("benchmark", "output_scorers", name).OUTPUT_SCORER
    return scorer


def load_explainer(name: str) -> Explainer:
    """Return how a protocol explains a task of a run. Raises UnknownName, which lists the protocols that do."""
    explainer: Explainer = _load("protocol that explains tasks", "explainers", find_protocol(name)).EXPLAINER
    return explainer


def load_listing(name: str) -> Listing:
    """Return what a command of a paper prints. Raises UnknownName, which lists them."""
    listing: Listing = _load("listing", "listings", name).LISTING
    return listing


def load_reader(name: str) -> CorpusReader:
    """Return the reader of a corpus; raises UnknownName, which lists them."""
    reader: CorpusReader = _load("corpus", "readers", name).READER
    return reader


def load_mixer(name: str) -> CorpusMixer:
    """Return the recipe of this name that puts datasets together; raises UnknownName, which lists them."""
    mixer: CorpusMixer = _load("recipe", "mixers", name).MIXER
    return mixer


def load_writer(name: str) -> CorpusWriter:
    """Return the writer of a layout of dialogues; raises UnknownName, which lists them."""
    writer: CorpusWriter = _load("layout of dialogues", "writers", name).WRITER
    return writer


def protocols_of(rows: Iterable[Row]) -> dict[str, EvaluationProtocol]:
    """Return the protocols that the rows of reports come from, by name with version."""
    return {name: load_protocol(name) for name in dict.fromkeys(row.protocol for row in rows)}


def layouts() -> tuple[Layout, ...]:
    """Return the layouts that papers read tools from."""
    return tuple(Layout((name,), module) for name, module in _offers("layouts").items())


def measures() -> tuple[MeasureGroup, ...]:
    """Return the measures of datasets: those that all dialogues have, and those of the papers."""
    from callwright.protocol.dataset_measures import measure_groups

    offered = {folder: paper.measures for folder, paper in papers().items() if paper.measures}
    return measure_groups(_module(folder, module).MEASURES for folder, module in offered.items())


def turn_marks(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[int, str]:
    """Return what papers say about the turns of a dialogue, by place; tools are by key."""
    offered = [_module(folder, paper.marks) for folder, paper in papers().items() if paper.marks]
    return {place: mark for module in offered for place, mark in module.turn_marks(dialogue, tools).items()}


def read_prompts(folder: str | Path | None = None) -> Prompts:
    """Return the prompts, shared ones and those of the papers, with the files of `folder` in their places."""
    renamed = {old: new for paper in papers().values() for old, new in paper.renamed_prompts.items()}
    return Prompts(folder, homes=prompt_homes(), renamed=renamed)


def prompt_homes() -> tuple[str, ...]:
    """Return the packages that hold prompts: the shared ones, and those of the papers."""
    return (SHARED, *(_path(folder) for folder, paper in papers().items() if paper.prompts))


def scripted_authors() -> list[ScriptedAuthor]:
    """Return the papers' parts of `builtin/author`."""
    return [cast(ScriptedAuthor, _module(folder, paper.author)) for folder, paper in papers().items() if paper.author]


def calling_authors() -> list[CallingAuthor]:
    """Return the papers' parts of `builtin/author` that call natively."""
    named = ((folder, paper.calling_author) for folder, paper in papers().items())
    return [cast(CallingAuthor, _module(folder, name)) for folder, name in named if name]


def _option_modules() -> list[ModuleType]:
    return [_module(folder, paper.options) for folder, paper in papers().items() if paper.options]


def _report_rows(run: RunView, _: NoOptions) -> list[Row]:
    from callwright.protocol.run_access import run_rows

    return run_rows(run, load_protocol(run.protocol))


def _offers(kind: str) -> dict[str, str]:
    """Module of everything that papers offer in one of their tables, by name."""
    tables = ((folder, getattr(paper, kind)) for folder, paper in papers().items())
    return {name: _path(folder, module) for folder, table in tables for name, module in table.items()}


def _load(what: str, kind: str, name: str) -> ModuleType:
    offers = _offers(kind)
    if name not in offers:
        raise unknown_name(what, name, list(offers))
    return import_module(offers[name])


def _module(folder: str, name: str) -> ModuleType:
    return import_module(_path(folder, name))


def _path(*names: str) -> str:
    return ".".join(("callwright.papers", *names))
