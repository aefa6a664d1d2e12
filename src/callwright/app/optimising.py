"""Optimisation of what a model reads: a better system prompt, and descriptions of the tools that it confuses.

prompt/
├── system.txt          the best prompt: `callwright eval --system prompt/system.txt`
├── catalog.json        the tools with the best descriptions, where some changed
├── optimisation.json   scores of the first and the best texts on dialogues that the search never saw
├── calls.log          a line for each call, written before it is sent
├── reflections.jsonl   replies of the model that writes
├── prompts/            every prompt that was tried
└── runs/               every evaluation, as a run folder
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from callwright.app.capo_engine import capo_start, capo_step, require_capo, search_with_capo
from callwright.app.catalogs import write_catalog
from callwright.app.datasets import Dataset, open_dataset
from callwright.app.gepa_engine import gepa_start, gepa_step, require_gepa, search_with_gepa
from callwright.app.prompt_search import (
    SYSTEM,
    VERSION,
    OptimisationRequest,
    PromptSearch,
    Texts,
    described_anew,
    descriptions_in,
)
from callwright.errors import BadInput, RunConflict
from callwright.models.endpoint import is_served
from callwright.papers.registry import load_protocol
from callwright.protocol import read_options
from callwright.protocol.system_prompt import read_system
from callwright.records.jsontext import Json, encode
from callwright.stats.intervals import Interval, mean_interval
from callwright.stats.paired import PairedTest, paired_test
from callwright.store.files import write_atomically
from callwright.store.links import folder_inside, refuse_link, refuse_taken_folder
from callwright.store.lock import FolderLock

_ENGINES: Final = {
    "gepa": (require_gepa, gepa_start, gepa_step, search_with_gepa),
    "capo": (require_capo, capo_start, capo_step, search_with_capo),
}


class Reworded(msgspec.Struct, frozen=True):
    """A tool's description before and after."""

    tool: str
    old: str
    new: str


class Optimisation(msgspec.Struct, frozen=True, kw_only=True):
    """How a search ended: `optimisation.json`."""

    prompt: str
    """The best prompt."""
    first: str
    """The prompt that the search began with."""
    before: Interval
    """Of the first texts, on the test part."""
    after: Interval
    """Of the best texts, on the test part."""
    gain: Interval
    """Mean difference of the same dialogues."""
    test: PairedTest
    """Whether chance could give it."""
    reworded: tuple[Reworded, ...]
    """Descriptions of tools that changed."""
    tried: int
    """Texts that were scored on the choosing part."""
    replies: int
    """Replies of the model under test and of the one that reflects, over all sessions."""
    usd: float | None
    """What they cost; None where a price is unknown or a server counts no tokens."""
    lost: int
    """Calls that gave no reply: in flight when a process was killed, or not usable. They count for the budget."""
    failed: int
    """Rollouts that gave no transcript; they count as 0."""
    dialogues: dict[str, int]
    signature: str


def optimise_prompt(request: OptimisationRequest) -> Optimisation:
    """Search a better system prompt, and descriptions of tools that the model confuses, within the budget.

    The same request in the same folder goes on where it stopped. Raises BadInput where the settings, the data or the
    budget do not suffice; otherwise as `evaluate_model`.
    """
    require, start, step, find = _ENGINES[request.engine]
    require()
    opened = request.dataset if isinstance(request.dataset, Dataset) else open_dataset(request.dataset)
    found = load_protocol(request.protocol)
    reflection = request.reflection or request.model
    if not is_served(reflection):
        raise BadInput(f"reflection {reflection!r}: this model cannot write prompts. Give openai/NAME.")
    first = read_system(found, request.system).text
    options = msgspec.to_builtins(read_options(found, request.options))
    request = msgspec.structs.replace(request, dataset=opened, reflection=reflection, options=options)
    out = Path(request.out)
    search = PromptSearch(opened, found, request)
    search.check_budget(start(search) + step(search))
    _begin(out, {"version": VERSION, "signature": search.course, "first": first, "options": options})
    lock = FolderLock(out / "lock")
    try:
        best, tried = find(search, first)
        if search.stopped_by is not None:
            raise search.stopped_by
        return _concluded(search, {SYSTEM: first}, best, tried)
    finally:
        search.sent.close()
        lock.release()


def _begin(out: Path, config: dict[str, Json]) -> None:
    """Make the folder, or match it with the search that it holds."""
    refuse_link(out)
    path = out / "search.json"
    refuse_link(path)
    text = encode(config)
    if path.is_file():
        if path.read_text(encoding="utf-8") != text:
            raise RunConflict(f"{out}: this folder holds another search. Choose another folder, or its settings.")
        return
    refuse_taken_folder(out)
    for name in ("runs", "prompts"):
        folder_inside(out, name).mkdir(parents=True, exist_ok=True)
    write_atomically(path, [text.encode()])


def _concluded(search: PromptSearch, first: Texts, best: Texts, tried: int) -> Optimisation:
    """Measure the best texts against the first prompt on the test part, and write both."""
    out, data = Path(search.settings.out), search.data
    before, after = (search.judge(texts, search.parts["test"]) for texts in (first, best))
    pairs = [(one.score, other.score) for one, other in zip(before, after, strict=True)]
    test = paired_test(gains := [new - was for was, new in pairs])
    old = {name: data.catalog.by_name[name].description for name in descriptions_in(best)}
    changed = {name: text for name, text in descriptions_in(best).items() if text != old[name]}
    found = Optimisation(
        prompt=best[SYSTEM],
        first=first[SYSTEM],
        before=mean_interval([score for score, _ in pairs]),
        after=mean_interval([score for _, score in pairs]),
        gain=mean_interval(gains),
        test=test,
        reworded=tuple(Reworded(name, old[name], text) for name, text in changed.items()),
        tried=tried,
        replies=search.replies,
        usd=search.usd,
        lost=search.lost(),
        failed=search.failed,
        dialogues={name: len(ids) for name, ids in search.parts.items()},
        signature=f"{search.signature}|{test.name}",
    )
    write_atomically(out / "system.txt", [found.prompt.encode()])
    if changed:
        write_catalog(described_anew(data, changed).catalog, out / "catalog.json")
    text = msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"
    write_atomically(out / "optimisation.json", [text])
    return found
