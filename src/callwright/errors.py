"""All errors that Callwright raises on purpose, in one tree.

    CallwrightError
    ├── BadInput                 what the user gave cannot be used            (exit code 2)
    │   ├── BadDocument          a file cannot be parsed or breaks its format
    │   ├── BadRecord            a record of ours is malformed, or of an unknown version
    │   ├── BadOption            an option that is unknown there, or with a value out of range
    │   ├── UnknownName          no tool, recipe, protocol or model of that name
    │   └── RunConflict          a run folder belongs to another run, or is in use
    ├── StorageFailed            the disk is full or refuses to be written
    ├── RolloutFailed            one rollout cannot be finished; others go on
    └── Interrupted              the user asked to stop                       (exit code 130)
        ├── BudgetSpent          nothing more may be asked of models          (exit code 1)
        └── ModelUnavailable     a model cannot be asked, whatever is asked   (exit code 1)

A message says what is wrong, where, and how to mend it. Bad *data* inside a dialogue is not an exception:
validators return issues.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


class CallwrightError(Exception):
    """Base of every error raised on purpose."""


class BadInput(CallwrightError, ValueError):
    """What the user gave cannot be used; nothing was lost."""


class BadDocument(BadInput):
    """A foreign document cannot be parsed, or breaks the rules of its format."""


class BadRecord(BadInput):
    """A record in one of our own files is malformed or of an unknown version."""


class BadOption(BadInput):
    """An option that means nothing where it was given, or whose value is out of range."""


class UnknownName(BadInput, LookupError):
    """A name that stands for nothing known."""


class RunConflict(BadInput):
    """A run folder holds another run, or another process is writing it."""


class StorageFailed(CallwrightError, OSError):
    """The disk refused a write; what was committed before is safe."""


class RolloutFailed(CallwrightError):
    """One rollout could not be finished.

    `role` names the part that is to blame (`author`, `model`, `user`, `engine`); `kind` is a short class for counts.
    """

    def __init__(self, message: str, *, kind: str, role: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.role = role


class Interrupted(CallwrightError):
    """The user asked to stop; everything finished so far is committed.

    `result` is what the work would have returned at its end, as far as it got; None where it had not begun.
    """

    def __init__(self, message: str, *, result: object = None) -> None:
        super().__init__(message)
        self.result = result


class BudgetSpent(Interrupted):
    """The run's budget allows no further call; everything finished so far is committed."""


class ModelUnavailable(Interrupted):
    """A model cannot be asked, whatever is asked of it; everything finished so far is committed."""


def unknown_name(what: str, name: str, known: list[str]) -> UnknownName:
    """Return the error for an unknown name, with the names that would have been right."""
    listed = ", ".join(sorted(known)) or "none"
    return UnknownName(f"no {what} is called {name!r}. Known: {listed}")


def bad_option(owner: str, error: Exception, known: Iterable[str]) -> BadOption:
    """Return the error for an option that msgspec refused: `t_max: expected `int` >= 1`, and what options there are."""
    said, _, name = str(error).removesuffix("`").partition(" - at `$.")
    said = f"{name}: {said[:1].lower()}{said[1:]}" if name else _UNKNOWN_FIELD.sub(r"no option is called '\1'", said)
    return BadOption(f"{said}. Options of {owner}: {', '.join(known) or 'none'}.")


_UNKNOWN_FIELD = re.compile(r"^Object contains unknown field `(.*?)`?$")
