"""Plans that tell look-alike tools apart, by rule or with a model as the author."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from callwright.app.catalogs import read_catalog
from callwright.author.online_voice import ASKS, repair
from callwright.author.telling_apart import telling_apart
from callwright.catalog.fix_plan import FixPlan, fix_plan, pointer
from callwright.catalog.lint import Formula, lint
from callwright.catalog.sentence_encoder import load
from callwright.catalog.similarity import WEIGHTS, Weights
from callwright.engine.in_process import run_blocking
from callwright.errors import BadInput, BadRecord, RolloutFailed
from callwright.models.chat import ChatModel
from callwright.models.endpoint import is_served
from callwright.models.openai import served_model
from callwright.models.retries import Patience
from callwright.records.tool import Catalog, Tool

_AT_ONCE = 16


class PairScoring(msgspec.Struct, frozen=True, kw_only=True):
    """What makes two tools alike (see `catalog.lint`)."""

    formula: Formula = "meaning"
    threshold: float | None = None
    weights: Weights = WEIGHTS
    encoder: str | None = None


class AuthoredPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A plan and who proposed its changes."""

    plan: FixPlan
    author: str
    asked: int = 0
    """Times a model was asked to reword a tool."""
    failed: int = 0
    """Of these, without a usable reply; rules proposed there."""


def suggest_fixes(
    catalog: Catalog | str | Path,
    *,
    top: int = 20,
    scoring: PairScoring = PairScoring(),  # noqa: B008  # frozen
    author: str | None = None,
    base_url: str | None = None,
    patience: Patience | None = None,
) -> AuthoredPlan:
    """Return additions to descriptions that tell the `top` most alike pairs of a catalogue apart.

    Rules propose them, or the model `author`. Raises BadInput, and RolloutFailed where the model gives no usable reply.
    """
    tools = catalog if isinstance(catalog, Catalog) else read_catalog(catalog)
    by = None if scoring.encoder is None else load(scoring.encoder)
    alike: dict[str, Any] = msgspec.structs.asdict(scoring) | {"encoder": by}
    before = lint(tools, most_pairs=top, **alike)
    plan = partial(fix_plan, tools, before, **alike)
    if author is None:
        if base_url is not None:
            raise BadInput("a base URL needs a model to ask. Add --author openai/NAME.")
        return AuthoredPlan(plan=plan(), author="rules")
    if not is_served(author):
        raise BadInput(
            f"author {author!r}: this model cannot write suggestions. "
            "Give openai/NAME or local/PATH.gguf, or leave it out."
        )
    model = served_model(author, role="author", base_url=base_url, patience=patience)
    pairs = [(tools.by_name[pair.a], tools.by_name[pair.b]) for pair in before.pairs]
    asked = [ordered for a, b in pairs for ordered in ((a, b), (b, a))]
    replies = run_blocking(_ask_all(model, asked))
    written = {(a.name, b.name): reply for (a, b), reply in zip(asked, replies, strict=True)}

    def propose(tool: Tool, rival: Tool) -> tuple[str, str]:
        reply = written[tool.name, rival.name]
        return pointer(tool, rival) if isinstance(reply, RolloutFailed) else reply

    failures = [reply for reply in replies if isinstance(reply, RolloutFailed)]
    if failures and len(failures) == len(asked):
        raise failures[0]
    return AuthoredPlan(plan=plan(propose=propose), author=model.name, asked=len(asked), failed=len(failures))


async def _ask_all(model: ChatModel, pairs: Sequence[tuple[Tool, Tool]]) -> list[tuple[str, str] | RolloutFailed]:
    gate = asyncio.Semaphore(_AT_ONCE)

    async def ask(index: int, tool: Tool, rival: Tool) -> tuple[str, str] | RolloutFailed:
        async with gate:
            try:
                return await _ask(model, tool, rival, Random(index))
            except RolloutFailed as error:
                return error

    return await asyncio.gather(*(ask(index, *pair) for index, pair in enumerate(pairs)))


async def _ask(model: ChatModel, tool: Tool, rival: Tool, rng: Random) -> tuple[str, str]:
    request = asked = telling_apart.prompt(tool, rival)
    why = ""
    for _ in range(ASKS):
        reply = await model.reply(asked, rng)
        try:
            return _read(reply.content, tool, rival)
        except BadInput as error:
            why = str(error)[:500]
        asked = repair(request, reply, why) if asked is request else request
    what = f"{model.name}: {ASKS} replies that do not fit; the last: {why}"
    raise RolloutFailed(what, kind="bad_reply", role="author")


def _read(content: str, tool: Tool, rival: Tool) -> tuple[str, str]:
    written = telling_apart.parse(content)
    if faults := telling_apart.faults(written, tool, rival):
        raise BadRecord("; ".join(faults))
    return written["description"], written["why"]
