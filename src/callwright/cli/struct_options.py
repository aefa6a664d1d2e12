"""Command-line options derived from structs of options: name, type, range, default and help text.

A field `t_max: Annotated[int, Meta(ge=1, le=100, description="Most exchanges.")] = 10` becomes

    --t-max INTEGER    Most exchanges.  [default: 10; 1<=x<=100]

A `bool` becomes a flag, a `Literal` a choice; `| None` and `| UnsetType` mean that nothing is the default.
`Meta(extra={"metavar": "FILE"})` names the value in the help. A range is told here and enforced by whoever reads the
struct, so that the Python API and the command line refuse the same values in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import click
import msgspec
from msgspec import inspect

from callwright.records.jsontext import Json

_BOUNDS = (("gt", "{}<x"), ("ge", "{}<=x"), ("lt", "x<{}"), ("le", "x<={}"))


class _Described(NamedTuple):
    """One field of one struct, as the command line shows it."""

    owner: str
    name: str
    type: click.ParamType[Any]
    help: str
    metavar: str | None


def struct_options(struct: type[msgspec.Struct]) -> list[click.Option]:
    """Return the options for the fields of a struct, in their order. Raises TypeError as `owned_options` does."""
    return owned_options([("", struct)])


def owned_options(owned: Iterable[tuple[str, type[msgspec.Struct]]]) -> list[click.Option]:
    """Return the options of several owners' structs on one command; help texts begin with the owners' names.

    A field of several structs is one option, with all choices. Raises TypeError for a field that no option can stand
    for (one without default, a flag that is on by default, a list), and for one whose type differs between owners.
    """
    by_name: dict[str, list[_Described]] = {}
    for owner, struct in owned:
        info = inspect.type_info(struct)
        for field in info.fields if isinstance(info, inspect.StructType) else ():
            by_name.setdefault(field.name, []).append(_described(owner, field))
    return [_option(fields) for fields in by_name.values()]


def given(values: Mapping[str, Any]) -> dict[str, Json]:
    """Return the values of options that were given: those of the others are None."""
    return {name: value for name, value in values.items() if value is not None}


def _option(fields: list[_Described]) -> click.Option:
    first = fields[0]
    if len({type(one.type) for one in fields}) > 1:
        raise TypeError(f"{first.name} has different types in {', '.join(one.owner for one in fields)}. Rename one.")
    kind = first.type
    if isinstance(kind, click.Choice):
        choices = (value for one in fields for value in one.type.choices)  # type: ignore[attr-defined]
        kind = click.Choice(list(dict.fromkeys(choices)))
    owners: dict[str, list[str]] = {}
    for one in fields:
        owners.setdefault(one.help, []).append(one.owner)
    helps = [": ".join(filter(None, (", ".join(filter(None, names)), said))) for said, names in owners.items()]
    return click.Option(
        [first.name, f"--{first.name.replace('_', '-')}"],
        type=kind,
        is_flag=isinstance(kind, click.types.BoolParamType),
        default=None,
        help=" ".join(helps),
        metavar=first.metavar,
    )


def _described(owner: str, field: inspect.Field) -> _Described:
    kind, description, metavar = field.type, "", None
    if isinstance(kind, inspect.Metadata):
        description = str((kind.extra_json_schema or {}).get("description", ""))
        metavar = (kind.extra or {}).get("metavar")
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        kind = _without_none(kind)
    if field.required:
        raise TypeError(f"{field.name} has no default, which an option needs.")
    default = None if field.default in (msgspec.NODEFAULT, msgspec.UNSET) else field.default
    is_flag = isinstance(kind, inspect.BoolType)
    if is_flag and default:
        raise TypeError(f"{field.name} is on by default; a flag can only turn it on. Name it by its opposite.")
    facts = [] if is_flag or default in (None, "") else [f"default: {_shown(default)}"]
    facts += filter(None, [_range(kind)])
    told = f"{description}  [{'; '.join(facts)}]".strip() if facts else description
    return _Described(owner, field.name, _param_type(field.name, kind), told, metavar)


def _without_none(kind: inspect.UnionType) -> inspect.Type:
    """The one type of a union beside None; the union itself where there are several."""
    types = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
    return types[0] if len(types) == 1 else kind


def _param_type(name: str, kind: inspect.Type) -> click.ParamType[Any]:
    match kind:
        case inspect.BoolType():
            return click.BOOL
        case inspect.IntType():
            return click.INT
        case inspect.FloatType():
            return click.FLOAT
        case inspect.StrType():
            return click.STRING
        case inspect.LiteralType():
            return click.Choice(list(kind.values))
    raise TypeError(f"{name}: no option can stand for {type(kind).__name__}.")


def _range(kind: inspect.Type) -> str:
    """The bounds of a number, as click writes them: `1<=x<=100`; empty where there are none."""
    low, high = "", ""
    for name, form in _BOUNDS:
        bound = getattr(kind, name, None)
        if bound is not None and name in ("gt", "ge"):
            low = form.format(_shown(bound))
        elif bound is not None:
            high = form.format(_shown(bound))
    return f"{low}{high.removeprefix('x')}" if low else high


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
