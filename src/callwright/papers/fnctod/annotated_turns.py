"""Turns whose labels are single values, without a schema, as dialogues: one function a domain, of the slots that occur.

Messages of one speaker in a row are one turn. Words of the assistant before the user's first are no part of a dialogue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from callwright.errors import BadInput
from callwright.lang.schemas import name_words
from callwright.papers.fnctod.domain_functions import Service, ServiceIntent, ServiceSlot, domain_tools
from callwright.papers.fnctod.tracked_dialogues import LabelledTurn, tracked_dialogue
from callwright.papers.paper import Corpus
from callwright.records.annotations.state_notes import StateTurn
from callwright.records.dialogue_state import DomainState, SlotValue
from callwright.records.tool import Catalog

_SAMPLES: Final = 10


class SlotLabel(NamedTuple):
    """A value that a message gives to a slot of a domain, or takes back."""

    domain: str
    slot: str
    value: str
    """Empty where the value is taken back."""


class Said(NamedTuple):
    """One message."""

    is_user: bool
    text: str
    labels: tuple[SlotLabel, ...]


def annotated_corpus(path: Path, corpus: str, dialogues: Mapping[str, Sequence[Said]]) -> Corpus:
    """Return the dialogues, by id, of a file. Raises BadInput where no message of a user has words."""
    seen: dict[str, dict[str, Counter[str]]] = {}
    for said in dialogues.values():
        for label in (label for one in said for label in one.labels if label.value):
            seen.setdefault(label.domain, {}).setdefault(label.slot, Counter())[label.value] += 1
    tools = domain_tools(_service(domain, slots) for domain, slots in sorted(seen.items()))
    made = []
    for name, said in dialogues.items():
        turns = list(_turns(said))
        if not turns:
            raise BadInput(f"{path}: dialogue {name}: the user says nothing. Remove the dialogue.")
        made.append(tracked_dialogue(f"{path.stem}-{name}", corpus, turns, tools))
    return Corpus(Catalog(tools=tuple(tools.values()), source=path.name), tuple(made), (path.name,))


def _service(domain: str, slots: Mapping[str, Counter[str]]) -> Service:
    found = tuple(
        ServiceSlot(slot, " ".join(name_words(slot)), possible_values=tuple(v for v, _ in seen.most_common(_SAMPLES)))
        for slot, seen in sorted(slots.items())
    )
    intent = ServiceIntent("find", optional_slots=dict.fromkeys(slots, ""))
    return Service(domain, f"{' '.join(name_words(domain))}: what the user wants", found, (intent,))


def _turns(said: Sequence[Said]) -> Iterator[LabelledTurn]:
    """Yield the turns, the user first, with what holds after each turn of the user."""
    known: dict[str, dict[str, str]] = {}
    texts: list[str] = []
    first = next((at for at, one in enumerate(said) if one.is_user), len(said))
    for at, one in enumerate(said):
        for domain, slot, value in one.labels:
            known.setdefault(domain, {}).pop(slot, None)
            if value:
                known[domain][slot] = value
        if at < first:
            continue
        texts.append(one.text)
        if at + 1 == len(said) or said[at + 1].is_user != one.is_user:
            yield LabelledTurn(" ".join(texts), StateTurn(states=tuple(_states(known)) if one.is_user else ()))
            texts = []


def _states(known: Mapping[str, Mapping[str, str]]) -> Iterable[DomainState]:
    for domain, slots in known.items():
        if slots:
            yield DomainState(domain=domain, slots=tuple(SlotValue(slot, (value,)) for slot, value in slots.items()))
