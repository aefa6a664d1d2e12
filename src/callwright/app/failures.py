"""What failed rollouts said, for people: one example of each class."""

from __future__ import annotations

from callwright.store.run import Run


def failure_examples(run: Run) -> dict[str, str]:
    """Return the message of the first failed rollout of each class."""
    examples: dict[str, str] = {}
    if not run.failures():
        return examples
    for outcome in run.outcomes():
        if not outcome.ok:
            examples.setdefault(outcome.kind, outcome.message)
    return examples
