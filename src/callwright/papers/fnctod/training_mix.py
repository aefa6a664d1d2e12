"""`callwright synth fnctod`: training dialogues of state tracking from several corpora, some of each domain.

Datasets of `callwright read` are put together. A domain is one of one corpus, as in the paper's Table 9; a dialogue
shows only the functions that occur in it. A corpus that is evaluated is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from callwright.errors import BadInput
from callwright.formats import catalog as catalogs
from callwright.papers.fnctod.belief_states import Belief, beliefs
from callwright.papers.fnctod.tracked_dialogues import LabelledTurn, tracked_dialogue
from callwright.papers.fnctod.tracking_turns import tracking_tools
from callwright.papers.paper import Corpus, CorpusMixer
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.annotations.state_notes import StateTurn
from callwright.records.dialogue import Dialogue
from callwright.records.dialogue_state import DomainState, SlotValue
from callwright.records.jsontext import parse
from callwright.records.tool import Catalog, Tool, digest
from callwright.store import dataset as folders

EVALUATED: Final = ("multiwoz-2.1", "multiwoz-2.2")
"""Corpora that the protocols of this paper are evaluated on."""

PAPER_DOMAINS: Final[Mapping[str, tuple[str, ...]]] = {
    "sgd": (
        *("RentalCars_1", "RentalCars_2", "Buses_1", "Buses_2", "Events_1", "Events_2", "Services_1", "Services_2"),
        *("Services_3", "Media_1", "RideSharing_1", "RideSharing_2", "Travel_1", "Hotels_1", "Hotels_2", "Hotels_3"),
        *("Flights_1", "Flights_2", "Restaurants_1", "Calendar_1", "Music_1", "Music_2", "Weather_1", "Movies_1"),
        *("Homes_1", "Banks_1"),
    ),
    "camrest-676": ("restaurant",),
    "msr-e2e": ("restaurant", "movie", "taxi"),
    "taskmaster": ("pizza_ordering", "movie_ticket", "auto_repair", "uber_lyft", "coffee_ordering"),
    "woz-2.0": ("restaurant",),
}
"""The 36 domains that the paper trains on, by corpus (Table 9)."""


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
    def domains(self) -> set[tuple[str, str]]:
        """Corpus and domain of each function."""
        return {(self.dialogue.provenance.author, name) for name in self.tools}


def mix(folders_: Sequence[Path], options: MixOptions, seed: int) -> Corpus:
    """Return training dialogues of datasets, drawn by the seed. Raises BadInput for one of an evaluated corpus."""
    found = [one for folder in folders_ for one in _candidates(folder)]
    drawn = sorted(found, key=lambda one: digest(str(seed), one.folder, one.dialogue.id))
    taken: Counter[tuple[str, str]] = Counter()
    chosen = list(_chosen(drawn, options.per_domain, taken))
    if not chosen:
        named = ", ".join(map(str, folders_))
        raise BadInput(f"{named}: no dialogue has belief states. Give datasets of state tracking.")
    tools = {tool.key: tool for one in chosen for tool in one.tools.values()}
    return Corpus(
        Catalog(tools=tuple(tools.values()), source="fnctod-mix"),
        tuple(map(_tracked, chosen)),
        tuple(one.name for one in folders_),
        _reached(taken),
    )


def _reached(taken: Counter[tuple[str, str]]) -> str:
    wanted = {(corpus, name) for corpus, names in PAPER_DOMAINS.items() for name in names}
    counts = ", ".join(f"{corpus} {name} {count}" for (corpus, name), count in sorted(taken.items()))
    return f"{len(taken)} domains ({counts}; {len(wanted & taken.keys())} of the paper's {len(wanted)})"


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


def _chosen(candidates: Iterable[_Candidate], most: int, taken: Counter[tuple[str, str]]) -> Iterator[_Candidate]:
    """Yield the dialogues all of whose domains have room, in their order; `taken` counts them."""
    for one in candidates:
        if one.domains and all(taken[domain] < most for domain in one.domains):
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


MIXER: Final = CorpusMixer(
    "Put datasets of state tracking, made by `callwright read`, together as training data: up to some dialogues of "
    "each domain, each with the functions of its own domains. MultiWOZ, which is evaluated, is refused.",
    "FOLDERS",
    MixOptions,
    mix,
)
