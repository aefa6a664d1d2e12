"""What papers offer is complete: it loads, and the command line can be made from it."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from callwright.cli.struct_options import struct_options
from callwright.errors import UnknownName
from callwright.papers import registry

STRUCTS = {
    **{f"read {name}": registry.load_reader(name).options for name in registry.names_of("readers")},
    **{f"score {name}": registry.load_scorer(name).options for name in registry.names_of("scorers")},
    **{f"explain {name}": registry.load_explainer(name).options for name in registry.names_of("explainers")},
}


@pytest.mark.parametrize("struct", STRUCTS.values(), ids=STRUCTS)
def test_options_are_described(struct: type[msgspec.Struct]) -> None:
    """Each option of a reader, scorer or explainer has a help text."""
    options = struct_options(struct)

    assert [option.name for option in options] == list(struct.__struct_fields__)
    assert all(option.help for option in options)


def test_every_corpus_and_protocol_is_there() -> None:
    """What the papers of today offer; a further paper may offer more."""
    assert {"diaforge", "wild", "bfcl"} <= {*registry.names_of("readers")}
    assert {"wild", "bfcl"} <= {*registry.names_of("scorers")}
    assert "wild" in registry.names_of("explainers")
    assert "acts" in registry.names_of("listings")


def test_what_no_paper_offers_is_refused_by_name() -> None:
    """An unknown name is answered with those there are."""
    with pytest.raises(UnknownName, match=r"Known: .*bfcl.*wild"):
        registry.load_reader("nobody")
    with pytest.raises(UnknownName, match=r"Known: .*wild"):
        registry.load_explainer("static")


@pytest.mark.parametrize("name", registry.names_of("recipes"))
def test_recipes_reach_worker_processes(name: str) -> None:
    """`synth --workers 2` sends the recipe to each."""
    recipe = registry.find_recipe(name)

    assert pickle.loads(pickle.dumps(recipe)) == recipe
