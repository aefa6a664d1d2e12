"""The standard MultiWOZ evaluation of recorded outputs: Inform, Success, richness, BLEU.

Totals are over the dialogues of the outputs that the data knows; turns are paired in order. Richness is over every
response of the outputs. Missing and surplus outputs are named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from callwright import __version__
from callwright.errors import BadInput
from callwright.measure.lexical_richness import Richness, richness
from callwright.papers.fnctod.active_domains import estimated_domains
from callwright.papers.fnctod.canonical_values import State, canonical_state
from callwright.papers.fnctod.goal_success import GoalOutcome, GoalTurn, outcome
from callwright.papers.fnctod.multiwoz_layout import GoalDialogue
from callwright.papers.fnctod.placeholder_text import ResponseNormaliser, domains_named, has_placeholder
from callwright.papers.fnctod.recorded_outputs import RecordedTurn, Unmatched, unmatched
from callwright.papers.fnctod.venue_database import VenueDatabase
from callwright.records.tool import digest
from callwright.stats.corpus_bleu import corpus_bleu

DomainSource = Literal["given", "slots", "estimated"]
"""Where the active domains of a turn come from: the record, the placeholders in the response, changes of the state."""


class DomainRates(msgspec.Struct, frozen=True):
    """Percentages over the dialogues whose goal has a domain."""

    inform: float
    success: float
    dialogues: int


class DialogueScore(msgspec.Struct, frozen=True):
    """The outcome of one dialogue's goal."""

    dialogue: str
    inform: bool
    success: bool
    matched: dict[str, bool]
    """By domain of the goal."""
    unprovided: dict[str, tuple[str, ...]]
    """Placeholders asked for and not provided, by domain; domains without any are left out."""
    offered: dict[str, int]
    """Number of venues that stand offered at the end, by domain."""


class MultiwozScore(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of the evaluation, in percent and full precision; None where nothing was measured."""

    inform: float | None
    success: float | None
    by_domain: dict[str, DomainRates]
    richness: Richness
    dialogues: int
    turns: int
    """Turns of outputs that stand beside a turn of the data."""
    missing: tuple[Unmatched, ...]
    extra: tuple[Unmatched, ...]
    unknown_placeholders: dict[str, int]
    """Names that the evaluation does not know, with their counts; they become empty."""
    bleu: float | None
    why: str
    """Why there is no BLEU; empty where there is one."""
    signature: str


class ScoringData(NamedTuple):
    """Goals, database and references that outputs are scored against."""

    goals: Mapping[str, GoalDialogue]
    database: VenueDatabase
    references: Mapping[str, Sequence[str]] | None = None
    """Reference responses by dialogue; None where none were given."""


class _Said(NamedTuple):
    """The normalised turns of one dialogue."""

    responses: tuple[str, ...]
    states: tuple[State, ...]
    active: tuple[Sequence[str], ...]


def score_outputs_on(
    outputs: Mapping[str, tuple[RecordedTurn, ...]], data: ScoringData, domains: DomainSource | None
) -> tuple[MultiwozScore, tuple[DialogueScore, ...]]:
    """Return the score of recorded outputs, and what became of each dialogue.

    Without `domains` they are as given where every turn gives them, and else estimated, as the standard does. Raises
    BadInput where they are to be as given and some turn gives none.
    """
    source = domains or ("given" if _all_have(outputs, "active_domains") else "estimated")
    has_states = _all_have(outputs, "state")
    normalise = ResponseNormaliser()
    said = {
        name: _said(name, turns, data.goals.get(name), source, has_states, normalise) for name, turns in outputs.items()
    }
    known = [name for name in said if name in data.goals]
    outcomes = {
        name: outcome(data.goals[name].goal, _goal_turns(said[name], data.goals[name]), data.database) for name in known
    }
    missing, extra = unmatched(outputs, {name: len(one.states) for name, one in data.goals.items()})
    bleu, why = _bleu(said, data, normalise)
    score = MultiwozScore(
        inform=_percent([one.informed for one in outcomes.values()]),
        success=_percent([one.succeeded for one in outcomes.values()]),
        by_domain=_by_domain(list(outcomes.values())),
        richness=richness(text for one in said.values() for text in one.responses),
        dialogues=len(known),
        turns=sum(min(len(outputs[name]), len(data.goals[name].states)) for name in known),
        missing=missing,
        extra=extra,
        unknown_placeholders=dict(sorted(normalise.unknown.items())),
        bleu=bleu,
        why=why,
        signature=_signature(data, source, has_states=has_states),
    )
    return score, tuple(_dialogue_score(name, one, data.goals[name]) for name, one in outcomes.items())


def _all_have(outputs: Mapping[str, tuple[RecordedTurn, ...]], field: str) -> bool:
    return all(getattr(turn, field) is not None for turns in outputs.values() for turn in turns)


def _said(
    name: str,
    turns: tuple[RecordedTurn, ...],
    gold: GoalDialogue | None,
    source: DomainSource,
    has_states: bool,
    normalise: ResponseNormaliser,
) -> _Said:
    """Return the turns of a dialogue; states are the recorded ones where all turns of the file have one, else gold."""
    if has_states:
        states = tuple(canonical_state(turn.state or {}) for turn in turns)
    else:
        known = gold.states if gold else ()
        states = tuple(known[at] if at < len(known) else {} for at in range(len(turns)))
    return _Said(tuple(normalise(turn.response) for turn in turns), states, tuple(_active(name, turns, states, source)))


def _active(
    name: str, turns: Sequence[RecordedTurn], states: Sequence[State], source: DomainSource
) -> list[Sequence[str]]:
    if source == "estimated":
        return list(estimated_domains(states))
    if source == "slots":
        return [domains_named(turn.response) for turn in turns]
    found = []
    for at, turn in enumerate(turns):
        if turn.active_domains is None:
            raise BadInput(f"{name}, turn {at}: no `active_domains`. Use --domains slots or estimated.")
        found.append(turn.active_domains)
    return list(found)


def _goal_turns(said: _Said, gold: GoalDialogue) -> list[GoalTurn]:
    return [GoalTurn(*turn) for turn in zip(said.responses, said.states, said.active, gold.booked, strict=False)]


def _by_domain(outcomes: Sequence[GoalOutcome]) -> dict[str, DomainRates]:
    names = dict.fromkeys(name for one in outcomes for name in one.matched)
    return {name: _rates([one for one in outcomes if name in one.matched], name) for name in sorted(names)}


def _rates(own: Sequence[GoalOutcome], name: str) -> DomainRates:
    """Return a domain's rates over the dialogues that have it; a service counts where the whole goal is informed."""
    served = sum(one.informed and one.served[name] for one in own)
    return DomainRates(100 * sum(one.matched[name] for one in own) / len(own), 100 * served / len(own), len(own))


def _percent(found: Sequence[bool]) -> float | None:
    return 100 * sum(found) / len(found) if found else None


def _bleu(said: Mapping[str, _Said], data: ScoringData, normalise: ResponseNormaliser) -> tuple[float | None, str]:
    """Return BLEU and why there is none. References with placeholders in brackets are normalised like responses."""
    references = data.references
    if references is None:
        return None, "no references: give the delexicalised responses of MultiWOZ 2.2 with --references"
    known = [name for name in said if name in data.goals]
    turns = {name: min(len(said[name].responses), len(data.goals[name].states)) for name in known}
    if missing := sum(max(0, due - len(references.get(name, ()))) for name, due in turns.items()):
        return None, f"the references lack {missing:,} of {sum(turns.values()):,} turns"
    pairs = [pair for name, one in said.items() for pair in zip(one.responses, references.get(name, ()), strict=False)]
    if any(has_placeholder(reference) for _, reference in pairs):
        plain = ResponseNormaliser()
        pairs = [(ours, plain(reference)) for ours, reference in pairs]
    found = corpus_bleu([ours for ours, _ in pairs], [reference for _, reference in pairs])
    return found, "" if found is not None else "no response has a reference"


def _dialogue_score(name: str, found: GoalOutcome, gold: GoalDialogue) -> DialogueScore:
    unprovided = {domain: tuple(sorted(one.requestable - found.provided[domain])) for domain, one in gold.goal.items()}
    return DialogueScore(
        name,
        found.informed,
        found.succeeded,
        dict(found.matched),
        {domain: words for domain, words in unprovided.items() if words},
        {domain: len(ids) for domain, ids in found.offered.items()},
    )


def _signature(data: ScoringData, source: str, *, has_states: bool) -> str:
    named = digest(*(f"{name}:{len(one.states)}" for name, one in sorted(data.goals.items())))
    states = "recorded" if has_states else "gold-2.1"
    references = "none" if data.references is None else "given|tok:13a|smooth:exp"
    return (
        f"multiwoz.v1|domains:{source}|states:{states}|fuzzy:difflib>=90|moses:en|references:{references}|data:{named}"
        f"|callwright:{__version__}"
    )
