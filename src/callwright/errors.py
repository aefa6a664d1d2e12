"""All errors that Callwright raises on purpose, in one tree.

    CallwrightError
    ├── BadInput                 what the user gave cannot be used            (exit code 2)
    │   ├── BadDocument          a file cannot be parsed or breaks its format
    │   ├── BadRecord            a Callwright record is malformed, or of an unknown version
    │   ├── BadOption            an option is unknown, or its value is out of range
    │   ├── UnknownName          no tool, recipe, protocol or model has that name
    │   └── RunConflict          a run folder belongs to another run, or is in use
    ├── StorageFailed            the disk is full, or a write fails
    ├── RolloutFailed            one rollout cannot be finished; others go on
    └── Interrupted              the user asked to stop                       (exit code 130)
        ├── BudgetSpent          the budget allows no further call            (exit code 1)
        └── ModelUnavailable     a model is unavailable for every request     (exit code 1)

A message says what is wrong, where, and how to fix it. Bad *data* inside a dialogue is not an exception:
validators return issues.
"""

from __future__ import annotations

import re

import msgspec


class CallwrightError(Exception):
    """Base of every error raised on purpose."""


class BadInput(CallwrightError, ValueError):
    """The user's input cannot be used; nothing was lost."""


class BadDocument(BadInput):
    """A foreign document cannot be parsed, or breaks the rules of its format."""


class BadRecord(BadInput):
    """A record in a Callwright file is malformed or of an unknown version."""


class BadOption(BadInput):
    """An unknown option, or one whose value is out of range."""


class UnknownName(BadInput, LookupError):
    """An unknown name."""


class RunConflict(BadInput):
    """A run folder holds another run, or another process is writing it."""


class StorageFailed(CallwrightError, OSError):
    """A write to disk failed; committed data is safe."""


class RolloutFailed(CallwrightError):
    """One rollout could not be finished; `role` (such as `author`) caused it, and `kind` is a class for counts."""

    def __init__(self, message: str, *, kind: str, role: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.role = role


class Interrupted(CallwrightError):
    """The user asked to stop; finished work is committed. `result` is the partial result, None before the start."""

    def __init__(self, message: str, *, result: object = None) -> None:
        super().__init__(message)
        self.result = result


class BudgetSpent(Interrupted):
    """The run's budget allows no further call; everything finished so far is committed."""


class ModelUnavailable(Interrupted):
    """A model is unavailable for every request; everything finished so far is committed."""


def unknown_name(what: str, name: str, known: list[str]) -> UnknownName:
    """Return the error for an unknown name, with the known names."""
    listed = ", ".join(sorted(known)) or "none"
    return UnknownName(f"no {what} is called {name!r}. Known: {listed}")


def bad_option(owner: str, error: Exception, options: type[msgspec.Struct]) -> BadOption:
    """Return the error for an option that msgspec refused (`t_max: expected `int` >= 1`), with the known options."""
    said, _, name = str(error).removesuffix("`").partition(" - at `$.")
    known = options.__struct_fields__
    if " matching regex " in said and (form := _form_of(options, name)):
        said = f"expected {form}"
    said = f"{name}: {said[:1].lower()}{said[1:]}" if name else _UNKNOWN_FIELD.sub(r"no option is called '\1'", said)
    return BadOption(f"{said}. Options of {owner}: {', '.join(known) or 'none'}.")


def _form_of(options: type[msgspec.Struct], name: str) -> str:
    """The values of an option as the help writes them, else what it is by default; empty where nothing is."""
    info = msgspec.inspect.type_info(options)
    fields = info.fields if isinstance(info, msgspec.inspect.StructType) else ()
    field = next((field for field in fields if field.name == name), None)
    if field is None:
        return ""
    extra = field.type.extra if isinstance(field.type, msgspec.inspect.Metadata) else None
    written = (extra or {}).get("metavar", "")
    return str(written) or (f"a value within {field.default}" if isinstance(field.default, str) else "")


_UNKNOWN_FIELD = re.compile(r"^Object contains unknown field `(.*?)`?$")
