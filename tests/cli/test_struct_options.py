"""Command-line options are what the structs of options say."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import click
import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given as given_by
from hypothesis import strategies as st

from callwright.cli.struct_options import given, owned_options, struct_options


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Options of every kind."""

    t_max: Annotated[int, msgspec.Meta(ge=1, le=100, description="Most exchanges.")] = 10
    share: Annotated[float, msgspec.Meta(gt=0, le=1, description="Share of tasks.")] = 1.0
    style: Annotated[Literal["terse", "verbose"], msgspec.Meta(description="How users talk.")] = "terse"
    plain: Annotated[bool, msgspec.Meta(description="No thoughts.")] = False
    encoder: Annotated[str | msgspec.UnsetType, msgspec.Meta(description="An encoder.")] = msgspec.UNSET
    file: Annotated[str | None, msgspec.Meta(description="A file.", extra={"metavar": "FILE"})] = None


def run(options: list[click.Option], *words: str) -> tuple[dict[str, Any], str]:
    """Return what a command with these options is given, and what it prints."""
    seen: dict[str, Any] = {}
    command = click.Command("made", params=list(options), callback=lambda **values: seen.update(given(values)))
    result = CliRunner().invoke(command, list(words), terminal_width=200)
    return seen, result.output


def test_help_tells_type_text_default_and_range() -> None:
    """The help names each option with its type, text, default and range; absent values have no default."""
    _, text = run(struct_options(Session), "--help")
    lines = [" ".join(line.split()) for line in text.splitlines()]

    assert "--t-max INTEGER Most exchanges. [default: 10; 1<=x<=100]" in lines
    assert "--share FLOAT Share of tasks. [default: 1; 0<x<=1]" in lines
    assert "--style [terse|verbose] How users talk. [default: terse]" in lines
    assert "--plain No thoughts." in lines
    assert "--encoder TEXT An encoder." in lines
    assert "--file FILE A file." in lines


def test_values_not_given_are_left_out() -> None:
    """Only what was typed is passed on; flags are True."""
    assert run(struct_options(Session))[0] == {}
    assert run(struct_options(Session), "--plain", "--t-max", "3")[0] == {"plain": True, "t_max": 3}


def test_an_unknown_choice_is_refused() -> None:
    """A value that is no choice is refused with those there are."""
    values, said = run(struct_options(Session), "--style", "loud")

    assert not values
    assert "'terse', 'verbose'" in said


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """Shares one field with `Session`, and a name with another text."""

    t_max: Annotated[int, msgspec.Meta(ge=1, le=100, description="Most exchanges.")] = 10
    style: Annotated[Literal["terse", "rude"], msgspec.Meta(description="How users write.")] = "rude"


def test_structs_of_several_owners_become_one_set_of_options() -> None:
    """A shared field is one option: its text once with all owners, or one text for each; choices are joined."""
    options = owned_options([("wild", Session), ("live", Live)])
    _, text = run(options, "--help")
    words = " ".join(text.split())

    assert [option.name for option in options] == list(Session.__struct_fields__)
    assert "wild, live: Most exchanges. [default: 10; 1<=x<=100]" in words
    assert "--style [terse|verbose|rude] wild: How users talk. [default: terse]" in words
    assert "live: How users write. [default: rude]" in words
    assert run(options, "--style", "rude")[0] == {"style": "rude"}


class Listed(msgspec.Struct):
    """A field that takes several values."""

    names: tuple[str, ...] = ()


class Required(msgspec.Struct):
    """A field without default."""

    name: str


class On(msgspec.Struct):
    """A flag that is on by default."""

    plain: bool = True


class Text(msgspec.Struct):
    """A field of `Session` with another type."""

    t_max: str = ""


@pytest.mark.parametrize("structs", [(Listed,), (Required,), (On,), (Session, Text)])
def test_what_no_option_can_stand_for_is_refused(structs: tuple[type[msgspec.Struct], ...]) -> None:
    """Lists, fields without default, flags that are on, and one name with two types raise TypeError."""
    with pytest.raises(TypeError):
        owned_options(("", struct) for struct in structs)


FIELDS = st.one_of(
    st.tuples(st.just(int), st.integers(-1000, 1000)),
    st.tuples(st.just(float), st.floats(-1e6, 1e6)),
    st.tuples(st.just(str), st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1)),
    st.tuples(st.just(Literal["one", "two"]), st.sampled_from(["one", "two"])),
    st.tuples(st.just(bool), st.just(True)),
)


@given_by(
    st.dictionaries(st.from_regex(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", fullmatch=True), FIELDS, min_size=1, max_size=6),
    st.data(),
)
def test_made_structs_read_back_what_was_typed(fields: dict[str, tuple[Any, Any]], data: st.DataObject) -> None:
    """For any struct, the values typed are the values its reader gets; each description stands in the help."""
    names = {f"x_{name}": value for name, value in fields.items()}
    kinds = {
        name: Annotated[kind if kind is bool else kind | None, msgspec.Meta(description=f"about-{name}")]
        for name, (kind, _) in names.items()
    }
    struct = msgspec.defstruct(
        "Made", [(name, kind, False if names[name][0] is bool else None) for name, kind in kinds.items()]
    )
    typed = data.draw(st.sets(st.sampled_from(sorted(names))))
    words = [
        f"--{name.replace('_', '-')}{'' if names[name][0] is bool else f'={names[name][1]}'}" for name in sorted(typed)
    ]
    values, _ = run(struct_options(struct), *words)
    _, text = run(struct_options(struct), "--help")

    assert values == {name: names[name][1] for name in typed}
    assert msgspec.to_builtins(msgspec.convert(values, struct)) | values == msgspec.to_builtins(
        msgspec.convert(values, struct)
    )
    assert all(f"about-{name}" in "".join(text.split()) for name in names)
