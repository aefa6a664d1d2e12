"""The registry: one name a paper, and what all papers offer together.

A paper's module `paper` is small; the modules that it names are imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, cast

import msgspec

from callwright.author.prompts import SHARED, Prompts
from callwright.errors import unknown_name
from callwright.formats.layouts import Layout
from callwright.papers.paper import Paper, ScriptedAuthor
from callwright.protocol import EvaluationProtocol
from callwright.recipe import Recipe
from callwright.records.transcript import Row

PAPERS: Final = ("diaforge", "wild", "bfcl")
"""Folders of the papers, in the order in which their offers are listed."""


@cache
def papers() -> dict[str, Paper]:
    """Return each paper by the name of its folder."""
    return {name: _module(name, "paper").PAPER for name in PAPERS}


def recipe_names() -> list[str]:
    """Return the names of all recipes."""
    return [recipe for paper in papers().values() for recipe in paper.recipes]


def find_recipe(name: str) -> Recipe:
    """Return the recipe of this name; raises UnknownName, which lists them."""
    for folder, paper in papers().items():
        if name in paper.recipes:
            recipe: Recipe = _module(folder, paper.recipes[name]).RECIPE
            return recipe
    raise unknown_name("recipe", name, recipe_names())


def recipe_options() -> dict[str, type[msgspec.Struct]]:
    """Return the option structs of all recipes by name."""
    return {name: struct for module in _option_modules() for name, struct in module.RECIPES.items()}


def protocol_options() -> dict[str, type[msgspec.Struct]]:
    """Return the option structs of all protocols by name."""
    return {name: struct for module in _option_modules() for name, struct in module.PROTOCOLS.items()}


def owners_of(option: str) -> list[str]:
    """Return the names of the recipes that have an option of this name."""
    return [name for name, struct in recipe_options().items() if option in struct.__struct_fields__]


def find_protocol(name: str) -> str:
    """Return the full name of a protocol, its alias or its name with version; raises UnknownName, which lists them."""
    aliases = {short: full for paper in papers().values() for short, full in paper.aliases.items()}
    known = [protocol for paper in papers().values() for protocol in paper.protocols]
    full = aliases.get(name, name.rpartition(".v")[0] or name)
    if full not in known:
        raise unknown_name("protocol", name, [*known, *aliases])
    return full


def load_protocol(name: str) -> EvaluationProtocol:
    """Return the protocol of this name, alias or name with version. Raises UnknownName."""
    full = find_protocol(name)
    folder, module = next(
        (folder, paper.protocols[full]) for folder, paper in papers().items() if full in paper.protocols
    )
    protocol: EvaluationProtocol = _module(folder, module).PROTOCOL
    return protocol


def protocols_of(rows: Iterable[Row]) -> dict[str, EvaluationProtocol]:
    """Return the protocols that the rows of reports come from, by name with version."""
    return {name: load_protocol(name) for name in dict.fromkeys(row.protocol for row in rows)}


def layouts() -> tuple[Layout, ...]:
    """Return the layouts that papers read tools from."""
    return tuple(
        Layout((name,), _path(folder, module))
        for folder, paper in papers().items()
        for name, module in paper.layouts.items()
    )


def read_prompts(folder: str | Path | None = None) -> Prompts:
    """Return the prompts, shared ones and those of the papers, with the files of `folder` in their places."""
    return Prompts(folder, homes=prompt_homes())


def prompt_homes() -> tuple[str, ...]:
    """Return the packages that hold prompts: the shared ones, and those of the papers."""
    return (SHARED, *(_path(folder) for folder, paper in papers().items() if paper.prompts))


def scripted_authors() -> list[ScriptedAuthor]:
    """Return the papers' parts of `builtin/author`."""
    return [cast(ScriptedAuthor, _module(folder, paper.author)) for folder, paper in papers().items() if paper.author]


def _option_modules() -> list[ModuleType]:
    return [_module(folder, paper.options) for folder, paper in papers().items() if paper.options]


def _module(folder: str, name: str) -> ModuleType:
    return import_module(_path(folder, name))


def _path(*names: str) -> str:
    return ".".join(("callwright.papers", *names))
