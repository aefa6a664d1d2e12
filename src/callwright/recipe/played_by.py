"""Who played the roles of a dialogue: rules, or models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from callwright import __version__
from callwright.records.dialogue import Provenance
from callwright.records.jsontext import JsonText
from callwright.records.tool import Catalog

if TYPE_CHECKING:
    from callwright.engine.context import Context


def by_rules(*, seed: int, catalog: Catalog, options: JsonText) -> Provenance:
    """Return the origin of a dialogue that no model wrote."""
    return _origin("offline", seed, catalog, options)


def played_by(ctx: Context, roles: Iterable[str], *, seed: int, catalog: Catalog, options: JsonText) -> Provenance:
    """Return the origin of a dialogue of models: the author, and those of its roles that another model plays."""
    author = ctx.models["author"].name
    others = [f"{role} {ctx.models[role].name}" for role in roles if ctx.models[role].name != author]
    return _origin(f"{author} ({', '.join(others)})" if others else author, seed, catalog, options)


def _origin(author: str, seed: int, catalog: Catalog, options: JsonText) -> Provenance:
    return Provenance(author=author, callwright=__version__, seed=seed, catalog=catalog.digest, options=options)
