"""`callwright read fnctod-mix`: training dialogues of state tracking from several corpora, some of each domain.

Datasets of other readers are put together: of each domain up to a number of dialogues, with only the functions that
occur in a dialogue. A corpus that is evaluated is refused, so that no test or validation dialogue is trained on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from callwright.errors import BadInput
from callwright.formats import catalog as catalogs
from callwright.papers.fnctod.belief_states import Belief, beliefs
from callwright.papers.fnctod.tracked_dialogues import LabelledTurn, tracked_dialogue
from callwright.papers.fnctod.tracking_turns import tracking_tools
from callwright.papers.paper import Corpus, CorpusReader
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.annotations.state_notes import StateTurn
from callwright.records.dialogue import Dialogue
from callwright.records.dialogue_state import DomainState, SlotValue
from callwright.records.jsontext import parse
from callwright.records.tool import Catalog, Tool
from callwright.store import dataset as folders

EVALUATED: Final = ("multiwoz-2.1", "multiwoz-2.2")
"""Corpora that the protocols of this paper are evaluated on."""

PAPER_DOMAINS: Final = 36
"""Domains that the paper trains on."""

_NUMBER: Final = re.compile(r"_\d+$")


class MixOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much of each domain is taken."""

    per_domain: Annotated[int, Meta(ge=1, le=100_000, description="Most dialogues of each domain.")] = 200


class _Candidate(NamedTuple):
    """A dialogue with the functions of its domains."""

    dialogue: Dialogue
    tools: dict[str, Tool]
    folder: str
    """Name of the dataset's folder, as ids of several corpora may be the same."""

    @property
    def domains(self) -> set[str]:
        """The domains, without the numbers that tell services of one domain apart."""
        return {_NUMBER.sub("", name).lower() for name in self.tools}


def read(path: Path, options: MixOptions) -> Corpus:
    """Return the training dialogues of the datasets in a folder. Raises BadInput for one of an evaluated corpus."""
    datasets = sorted(one for one in path.iterdir() if (one / folders.CATALOG).is_file()) if path.is_dir() else []
    if not datasets:
        raise BadInput(f"{path}: no datasets. Give a folder that holds datasets of `callwright read`, one a folder.")
    taken: Counter[str] = Counter()
    chosen = list(_chosen((one for folder in datasets for one in _candidates(folder)), options.per_domain, taken))
    if not chosen:
        raise BadInput(f"{path}: no dialogue has belief states. Give datasets of state tracking.")
    tools = {tool.key: tool for one in chosen for tool in one.tools.values()}
    full = sum(count >= options.per_domain for count in taken.values())
    counts = ", ".join(f"{name} {count}" for name, count in sorted(taken.items()))
    reached = (
        f"{len(taken)} domains, {full} of them with {options.per_domain} or more ({counts}); the paper has "
        f"{PAPER_DOMAINS} with up to 200"
    )
    dialogues = tuple(_tracked(one) for one in chosen)
    return Corpus(
        Catalog(tools=tuple(tools.values()), source="fnctod-mix"),
        dialogues,
        tuple(one.name for one in datasets),
        reached,
    )


def _candidates(folder: Path) -> Iterator[_Candidate]:
    catalog = catalogs.read(parse(folders.read_catalog_bytes(folder), where=str(folder)), source=str(folder))
    for dialogue in folders.read_dialogues(folder):
        corpus = dialogue.provenance.author
        if corpus in EVALUATED:
            raise BadInput(f"{folder}: {corpus} is evaluated, so it is not trained on. Leave this dataset out.")
        known = {domain for belief in beliefs(dialogue).values() for domain in belief}
        tools = tracking_tools(shown_tools(dialogue, catalog.by_key))
        if known:
            yield _Candidate(dialogue, {name: tool for name, tool in tools.items() if name in known}, folder.name)


def _chosen(candidates: Iterable[_Candidate], most: int, taken: Counter[str]) -> Iterator[_Candidate]:
    """Yield the dialogues that some domain still needs, in their order; `taken` counts them."""
    for one in candidates:
        if any(taken[domain] < most for domain in one.domains):
            taken.update(one.domains)
            yield one


def _tracked(one: _Candidate) -> Dialogue:
    """Return a dialogue whose calls are those of its functions."""
    known = beliefs(one.dialogue)
    turns = [
        LabelledTurn(turn.text, StateTurn(states=tuple(_states(known.get(at, {})))))
        for at, turn in enumerate(one.dialogue.turns)
    ]
    return tracked_dialogue(f"{one.folder}-{one.dialogue.id}", "fnctod-mix", turns, one.tools)


def _states(belief: Belief) -> Iterator[DomainState]:
    for domain, slots in belief.items():
        yield DomainState(domain=domain, slots=tuple(SlotValue(slot, values) for slot, values in slots.items()))


READER: Final = CorpusReader(
    "Put the datasets in FOLDER together as training data of state tracking: some dialogues of each domain, each with "
    "the functions of its own domains. MultiWOZ, which is evaluated, is refused.",
    "FOLDER",
    MixOptions,
    read,
)
