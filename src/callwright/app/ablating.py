"""Ablations: a protocol under each of its named settings, a run folder each, so that the same command resumes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from callwright.app.requests import EvaluationRequest
from callwright.errors import BadInput
from callwright.papers.registry import load_protocol
from callwright.protocol import Ablations


def ablations_of(protocol: str) -> Ablations:
    """Return the ablations of a protocol. Raises BadInput for one without any."""
    found = load_protocol(protocol).ablations
    if found is None:
        raise BadInput(f"{protocol} has no ablations. Leave --ablations out.")
    return found


def ablation_requests(request: EvaluationRequest) -> Iterator[tuple[str, EvaluationRequest]]:
    """Yield each setting's name, and the request with its options, into a folder of that name in `out`."""
    for name, options in ablations_of(request.protocol).options.items():
        changed = {**request.options, **options}
        yield name, msgspec.structs.replace(request, options=changed, out=Path(request.out) / name)
