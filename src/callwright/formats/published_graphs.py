"""The links of tool graphs as DICE-BENCH and TaskBench publish them: `nodes` and `links` with `source` and `target`."""

from __future__ import annotations

from typing import NamedTuple

from callwright.errors import BadDocument
from callwright.formats.names import first_repeated
from callwright.records.jsontext import Json

_NAMES = ("function", "id")
"""Keys of a node's name: DICE-BENCH's, then TaskBench's."""


class Links(NamedTuple):
    """A graph by the names of its tools; links may repeat."""

    nodes: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


def fits(document: Json) -> bool:
    """True for an object with lists of `nodes` and `links`."""
    return isinstance(document, dict) and all(isinstance(document.get(key), list) for key in ("nodes", "links"))


def read(document: Json, *, source: str) -> Links:
    """Return the nodes and links in their order.

    Raises BadDocument for nodes without a name or with one that another has, and for links that are no pair of two
    different nodes.
    """
    if not isinstance(document, dict) or not fits(document):
        raise BadDocument(f"{source}: no graph. Give an object with the lists `nodes` and `links`.")
    nodes = tuple(_name(node, f"{source}: nodes[{at}]") for at, node in enumerate(document["nodes"]))
    known = set(nodes)
    twice = first_repeated(nodes)
    if twice is not None:
        raise BadDocument(f"{source}: two nodes are called {twice!r:.80}. Rename or remove one.")
    return Links(
        nodes, tuple(_link(link, known, f"{source}: links[{at}]") for at, link in enumerate(document["links"]))
    )


def _name(node: Json, where: str) -> str:
    found = (
        next((node[key] for key in _NAMES if isinstance(node.get(key), str)), None) if isinstance(node, dict) else None
    )
    if not isinstance(found, str) or not found:
        raise BadDocument(f"{where}: no name under `function` or `id`. Give it one.")
    return found


def _link(link: Json, known: set[str], where: str) -> tuple[str, str]:
    source, target = (_end(link, name, known, where) for name in ("source", "target"))
    if source == target:
        raise BadDocument(f"{where}: leads from {source!r:.80} to itself. Remove the link.")
    return source, target


def _end(link: Json, name: str, known: set[str], where: str) -> str:
    end = link.get(name) if isinstance(link, dict) else None
    if not isinstance(end, str) or end not in known:
        raise BadDocument(f"{where}: the {name} {end!r:.80} is no node. Correct or remove the link.")
    return end
