"""Who judges, and by which criteria, as a user names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from callwright.errors import BadInput
from callwright.judge.asking import ROLE
from callwright.judge.rubric import Rubric, find_rubrics
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.endpoint import Endpoint, is_served, read_endpoint
from callwright.models.keys import ApiKey
from callwright.models.openai import ServedModel
from callwright.models.retries import Patience
from callwright.models.structured import Learned

DEFAULT_CRITERIA: Final = "relevancy,critique"
"""What DiaFORGE judges its dialogues by (appendix A.2)."""

MOST_SAMPLES: Final = 100


class Judge(msgspec.Struct, frozen=True):
    """A model that judges."""

    endpoint: Endpoint
    key: ApiKey
    decoding: Decoding = AS_SERVED

    @property
    def name(self) -> str:
        """Full name, with its URL and with the settings that are not left to the server: other ones, another judge."""
        said = ", ".join(f"{name} {value}" for name, value in self.decoding.config.items())
        return f"{self.endpoint.name} ({said})" if said else self.endpoint.name


def read_judges(
    names: Sequence[str], *, base_url: str | None, decoding: Decoding = AS_SERVED
) -> tuple[Judge, ...]:
    """Return the judges of these names. Raises BadInput for none, two the same, and names of no served model."""
    found = []
    for name in names:
        if not is_served(name):
            raise BadInput(f"judge {name!r}: not a model that can judge. Give openai/NAME or openai/NAME@URL.")
        endpoint = read_endpoint(name, base_url=base_url)
        found.append(Judge(endpoint, ApiKey.from_environment(endpoint), decoding))
    if not found:
        raise BadInput("no judge is given. Name one: openai/NAME.")
    named = [judge.name for judge in found]
    if twice := next((name for name in named if named.count(name) > 1), None):
        raise BadInput(f"judge {twice} is given twice. Give each judge once; --samples asks one judge several times.")
    return tuple(found)


def served_judges(judges: Sequence[Judge], patience: Patience | None) -> dict[str, ServedModel]:
    """Return the judges by name, ready to be asked."""
    learned = Learned()
    return {
        judge.name: ServedModel(
            judge.endpoint, key=judge.key, role=ROLE, decoding=judge.decoding, patience=patience, learned=learned
        )
        for judge in judges
    }


def read_criteria(criteria: str | Sequence[str]) -> tuple[Rubric, ...]:
    """Return the criteria of these names or files, given as a list or joined by commas. Raises BadInput."""
    names = criteria.split(",") if isinstance(criteria, str) else criteria
    return find_rubrics(tuple(name.strip() for name in names if name.strip()))


def check_samples(samples: int) -> None:
    """Raise BadInput for a number of samples that makes no sense."""
    if not 1 <= samples <= MOST_SAMPLES:
        raise BadInput(f"samples is {samples}; give 1 to {MOST_SAMPLES}.")
