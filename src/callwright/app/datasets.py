"""Datasets: opening a folder, and splitting one into parts with disjoint tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from callwright import __version__
from callwright.app.splitting import LEFT_OUT, Touched, assign_parts
from callwright.engine.randomness import stream
from callwright.errors import BadInput, RunConflict
from callwright.formats import catalog as catalogs
from callwright.measure.shape import Statistics, exchange_statistics
from callwright.papers.registry import recipe_of
from callwright.protocol.scoring import data_digest
from callwright.protocol.shown_dialogue import shown_tools
from callwright.recipe.card import part_card
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, parse
from callwright.records.tool import Catalog, Tool
from callwright.store import dataset as folders
from callwright.store.files import write_atomically
from callwright.store.links import folder_inside, refuse_link

By = Literal["domain", "tool"]

SPLIT = "split.json"
"""In the folder of the parts: what they were made from, and how."""

SHARES = {"train": 0.8, "test": 0.2}

_PART_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


class Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """The dialogues of a dataset folder, with the documents of their tools."""

    folder: Path
    dialogues: tuple[Dialogue, ...]
    catalog: Catalog

    @property
    def digest(self) -> str:
        """Digest of the dialogues, whatever their order."""
        return data_digest(self.dialogues)


class SplitResult(msgspec.Struct, frozen=True, kw_only=True):
    """How many dialogues each part got, and how many are in none."""

    parts: dict[str, int]
    left_out: int
    """Dialogues whose tools belong to several parts."""
    tools: dict[str, int]


def open_dataset(folder: str | Path) -> Dataset:
    """Return a dataset, checked. Raises BadInput, which names file and line or the dialogue."""
    folder = Path(folder)
    dialogues = tuple(folders.read_dialogues(folder))
    catalog = read_tools(folder)
    seen: set[str] = set()
    for dialogue in dialogues:
        if dialogue.id in seen:
            raise BadInput(f"{folder}: two dialogues have the id {dialogue.id!r}. Remove one, or give it another id.")
        seen.add(dialogue.id)
        _check(dialogue, catalog, folder)
    return Dataset(folder=folder, dialogues=dialogues, catalog=catalog)


def read_tools(folder: str | Path) -> Catalog:
    """Return the catalogue of a dataset folder. Raises BadInput."""
    where = str(Path(folder) / folders.CATALOG)
    return catalogs.read(parse(folders.read_catalog_bytes(folder), where=where), source=where)


def _check(dialogue: Dialogue, catalog: Catalog, folder: Path) -> None:
    try:
        shown_tools(dialogue, catalog.by_key)
    except BadInput as error:
        where = "" if f"dialogue {dialogue.id}" in str(error) else f"dialogue {dialogue.id}: "
        raise type(error)(f"{folder}: {where}{error}") from error


def split(
    dataset: Dataset | str | Path,
    *,
    by: By = "domain",
    shares: Mapping[str, float] = SHARES,
    seed: int = 0,
    out: str | Path,
) -> SplitResult:
    """Write parts of a dataset, each a dataset folder in `out`, so that no tool is seen in two parts.

    `by` says what stays together: the tools of a line of business, or only each tool. A dialogue goes to the part
    that has all tools it shows; one whose pool mixes tools of two parts is left out and counted, because a model
    trained on one part would have seen the other's tools. `shares` are the parts' names, each with its share of the
    dialogues, which is met within .05 if the groups allow it (see `callwright.app.splitting`).

    Raises BadInput for wrong arguments, too few groups for the parts, and a folder that holds something else.
    """
    data = dataset if isinstance(dataset, Dataset) else open_dataset(dataset)
    _check_shares(shares, by)
    out = Path(out)
    settings: dict[str, Json] = {"by": by, "shares": dict(shares), "seed": seed, "data": data.digest}
    _check_split_target(out, shares, settings)
    touched = [_touched(dialogue, data.catalog, by) for dialogue in data.dialogues]
    homes = assign_parts(touched, shares, stream(seed, data.digest, f"split/{by}"))
    parts = {
        name: [dialogue for dialogue, home in zip(data.dialogues, homes, strict=True) if home == name]
        for name in shares
    }
    if empty := [name for name, dialogues in parts.items() if not dialogues]:
        groups = len(frozenset[str]().union(*touched))
        raise BadInput(
            f"{data.folder}: no dialogue is left for {', '.join(empty)}: {len(data.dialogues):,} dialogues in "
            f"{groups:,} groups (by {by}) cannot be split this way. Make more dialogues, choose other shares, or split "
            f"by {'tool' if by == 'domain' else 'domain'}."
        )
    shown = {name: _shown(dialogues, data.catalog) for name, dialogues in parts.items()}
    for name, dialogues in parts.items():
        _write_part(out / name, dialogues, shown[name], {**settings, "part": name})
    result = SplitResult(
        parts={name: len(dialogues) for name, dialogues in parts.items()},
        left_out=homes.count(LEFT_OUT),
        tools={name: len(catalog.tools) for name, catalog in shown.items()},
    )
    summary = {"settings": settings, **msgspec.structs.asdict(result), "callwright": __version__}
    write_atomically(out / SPLIT, [msgspec.json.format(msgspec.json.encode(summary), indent=2), b"\n"])
    return result


def _check_shares(shares: Mapping[str, float], by: str) -> None:
    if by not in ("domain", "tool"):
        raise BadInput(f"unknown value {by!r} of by. Known: domain, tool")
    if len(shares) < 2:
        raise BadInput("a split needs at least two parts, such as train=0.8 and test=0.2.")
    for name, share in shares.items():
        if not _PART_NAME.fullmatch(name):
            raise BadInput(f"part {name!r}: a part's name may contain letters, digits, `_`, `.` and `-`.")
        if not 0 < share < 1:
            raise BadInput(f"part {name}: its share is {share}; give a number between 0 and 1.")
    if abs(sum(shares.values()) - 1) > 1e-6:
        raise BadInput(f"the shares add up to {sum(shares.values()):g}, not to 1.")


def _check_split_target(out: Path, shares: Iterable[str], settings: dict[str, Json]) -> None:
    for name, what in ((folders.DIALOGUES, "a dataset"), ("run.db", "a run")):
        if (out / name).exists():
            raise BadInput(f"{out}: holds {what}. Choose another folder for the parts.")
    for part in shares:
        folder_inside(out, part)
    refuse_link(out / SPLIT)
    if not (out / SPLIT).is_file():
        return
    there = parse((out / SPLIT).read_bytes(), where=str(out / SPLIT))
    if not isinstance(there, dict) or there.get("settings") != settings:
        raise RunConflict(f"{out}: this folder holds another split. Choose another folder.")


def _touched(dialogue: Dialogue, catalog: Catalog, by: By) -> Touched:
    keys = {shown.key for shown in dialogue.tools}
    if recipe := recipe_of(dialogue.recipe):
        keys |= recipe.unshown_tools(dialogue)
    if by == "tool":
        return frozenset(keys)
    return frozenset(catalog.by_key[key].domain if key in catalog.by_key else "" for key in keys)


def _shown(dialogues: Iterable[Dialogue], catalog: Catalog) -> Catalog:
    keys = {shown.key for dialogue in dialogues for shown in dialogue.tools}
    tools: Sequence[Tool] = [tool for tool in catalog.tools if tool.key in keys]
    return Catalog(tools=tuple(tools), source=catalog.source)


def _write_part(folder: Path, dialogues: Sequence[Dialogue], catalog: Catalog, settings: dict[str, Json]) -> None:
    folders.write_dataset(
        folder,
        dialogues=map(to_line, dialogues),
        rejected=(),
        catalog=catalogs.write(catalog),
        funnel={"kept": len(dialogues), "split": settings, "callwright": __version__},
        card=part_card(settings, len(dialogues), catalog, _statistics(dialogues, catalog)),
    )


def _statistics(dialogues: Sequence[Dialogue], catalog: Catalog) -> Statistics:
    """The statistics of the recipe that made all dialogues; those that any dialogues have where there is none."""
    recipes = {recipe_of(dialogue.recipe) for dialogue in dialogues}
    recipe = recipes.pop() if len(recipes) == 1 else None
    return (recipe.statistics if recipe else exchange_statistics)(dialogues, catalog.by_key)
