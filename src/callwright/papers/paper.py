"""What a paper offers, as names of its modules: each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Final, Protocol

import msgspec

from callwright.records.jsontext import Json

NONE: Final[Mapping[str, str]] = MappingProxyType({})


class ScriptedAuthor(Protocol):
    """A paper's part of `builtin/author`: what it writes to the paper's own prompts."""

    def write_text(self, asked: str, rng: Random) -> str:
        """Return the words that a prompt asks for; empty where it is no prompt of the paper."""
        ...

    def write_object(self, asked: str, rng: Random) -> dict[str, Json] | None:
        """Return the object that a prompt asks for; None where it is no prompt of the paper."""
        ...


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """One paper: the `PAPER` of its module `paper`. Modules are named without their package."""

    recipes: Mapping[str, str] = NONE
    """Name of a recipe to the module that has it as `RECIPE`."""
    protocols: Mapping[str, str] = NONE
    """Name of a protocol to the module that has it as `PROTOCOL`."""
    aliases: Mapping[str, str] = NONE
    """Short name of a protocol to its name."""
    options: str = ""
    """Module that has the option structs by name, as `RECIPES` and `PROTOCOLS`; it loads nothing else."""
    layouts: Mapping[str, str] = NONE
    """Name of a layout that tools are read from to the module that reads it (`callwright.formats.layouts.Reader`)."""
    prompts: bool = False
    """Whether the paper has prompts, in `data/prompts/` of its folder."""
    author: str = ""
    """Module with the paper's part of `builtin/author` (`ScriptedAuthor`); empty where it has none."""
