"""Leniencies of the matcher: each is one field, off by default, and part of the score's signature.

    STRICT        the schema first, then values exactly
    NEAR          as STRICT, but free text may be worded a little otherwise
    LENIENT       the schema first, then all leniencies that the schema gives a reason for
    COERCED       values exactly once literals have their declared type; the schema is checked elsewhere (DiaFORGE, C.1)
    COERCED_NEAR  as COERCED, but free text may be worded a little otherwise
    UNTYPED       no schema, numbers and booleans in quotes are themselves, no case and no spaces (`dice`)

BFCL's `official` is none of these: it is the leaderboard's own procedure.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

from callwright.errors import BadInput, unknown_name

Literals = Literal["never", "declared", "any"]
Strings = Literal["exact", "folded", "normalised", "near_text", "near"]


class Leniency(msgspec.Struct, frozen=True, kw_only=True):
    """The checks and leniencies of a comparison."""

    schema: bool = True
    """Violations of the tool's schema are faults, and are checked before values."""
    literals: Literals = "never"
    """When `"5"` equals 5: never; if the schema declares a number (and likewise 5 equals `"5"` for a declared string);
    or always, and then `"True"` equals true."""
    strings: Strings = "exact"
    """`folded`: case and spaces are ignored. `normalised`: punctuation too. `near`: free text may also differ slightly
    (see `likeness`). `near_text`: free text may be near if its numbers are the same; all other strings are exact."""
    sets: bool = False
    """The order of an array is ignored if its items are unique or chosen from a list."""
    missing_optional: bool = False
    """A gold argument that the schema does not require may be missing."""


STRICT: Final = Leniency()
NEAR: Final = Leniency(strings="near_text")
LENIENT: Final = Leniency(literals="declared", strings="near", sets=True, missing_optional=True)
COERCED: Final = Leniency(schema=False, literals="declared")
COERCED_NEAR: Final = Leniency(schema=False, literals="declared", strings="near_text")
UNTYPED: Final = Leniency(schema=False, literals="any", strings="folded")

PRESETS: Final = {
    "strict": STRICT,
    "near": NEAR,
    "lenient": LENIENT,
    "coerced": COERCED,
    "coerced_near": COERCED_NEAR,
    "untyped": UNTYPED,
}

_CHOICES: Final = {"literals": get_args(Literals), "strings": get_args(Strings)}


def leniency_of(text: str) -> Leniency:
    """Return the leniency for a user's text: a preset, and options that change it.

    Raises UnknownName for an unknown preset, BadInput for an unknown option.

    >>> leniency_of("strict,strings=near,sets") == Leniency(strings="near", sets=True)
    True
    """
    name, *options = text.split(",")
    if name not in PRESETS:
        raise unknown_name("match", name, list(PRESETS))
    changes: dict[str, bool | str] = {}
    for option in options:
        field, _, value = option.partition("=")
        if value in _CHOICES.get(field, ()):
            changes[field] = value
        elif field in ("schema", "sets", "missing_optional") and value in ("", "yes", "no"):
            changes[field] = value != "no"
        else:
            raise BadInput(f"match {text!r:.80}: no option {option!r:.40}. Known: {_known_options()}.")
    return msgspec.structs.replace(PRESETS[name], **changes)


def signature(leniency: Leniency) -> str:
    """Return the part of a metric's signature that names the leniencies.

    >>> signature(STRICT), signature(Leniency(sets=True))
    ('match:strict(schema)', 'match:custom(schema+sets)')
    """
    name = next((name for name, preset in PRESETS.items() if preset == leniency), "custom")
    return f"match:{name}({'+'.join(_named(leniency)) or 'values'})"


def _named(leniency: Leniency) -> list[str]:
    off = Leniency(schema=False)
    fields = ((field, getattr(leniency, field)) for field in leniency.__struct_fields__)
    named = ((field, value) for field, value in fields if value != getattr(off, field))
    return [field if value is True else f"{field}={value}" for field, value in named]


def _known_options() -> str:
    choices = [f"{field}={'|'.join(values)}" for field, values in _CHOICES.items()]
    return ", ".join([*choices, "schema=yes|no", "sets", "missing_optional"])
