"""Answer nodes of WildToolBench: the calls and other actions of one task, with their dependencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from callwright.errors import BadDocument, BadInput
from callwright.match.call_graph import call_graph, members
from callwright.records.annotation import WildNode
from callwright.records.dialogue import GoldArgument, GoldCall, Result, Task
from callwright.records.jsontext import Json, decode, encode

PSEUDO: Final = ("ask_user_for_required_parameters", "prepare_to_answer")
"""Actions that are no tools: the one that asks the user, and the one that closes a task."""


def read_nodes(answer: Json, where: str) -> tuple[WildNode, ...]:
    """Return the nodes of a task, known by position. Raises BadDocument for a node of another layout."""
    nodes = _checked(answer, where)
    calls = [at for at, node in enumerate(nodes) if not _is_pseudo(node)]
    needs = _needs(nodes, where)
    return tuple(
        WildNode(
            after=tuple(needs[at]),
            action=node["action"]["name"],
            arguments=encode(node["action"]["arguments"]),
            observation=encode(node.get("observation")),
            user_input=node.get("user_input"),
        )
        if _is_pseudo(node)
        else WildNode(after=tuple(needs[at]), call=calls.index(at))
        for at, node in enumerate(nodes)
    )


def read_gold(answer: Json, names: Mapping[str, str], where: str) -> tuple[GoldCall, ...]:
    """Return the gold calls of a task; `names` are documented names to shown ones.

    What a call needs through an action that is no tool, it needs itself. Raises BadDocument for an unknown tool and
    for nodes that need each other.
    """
    nodes = _checked(answer, where)
    needs = _needs(nodes, where)
    try:
        order = call_graph(len(nodes), [(earlier, at) for at, own in enumerate(needs) for earlier in own])
    except BadInput as error:
        raise BadDocument(f"{where}: {error}") from error
    calls = [at for at, node in enumerate(nodes) if not _is_pseudo(node)]
    behind: list[set[int]] = [set() for _ in nodes]
    for at in sorted(range(len(nodes)), key=order.level.__getitem__):
        for earlier in members(order.needs[at]):
            behind[at] |= behind[earlier] if _is_pseudo(nodes[earlier]) else {earlier}
    return tuple(_gold(nodes[at], sorted(calls.index(one) for one in behind[at]), names, where) for at in calls)


def write_nodes(nodes: Sequence[WildNode], task: Task, names: Mapping[str, str]) -> list[dict[str, Json]]:
    """Return the nodes of a task as published; `names` are shown names to documented ones."""
    return [_node(at, node, task, names) for at, node in enumerate(nodes)]


def _node(at: int, node: WildNode, task: Task, names: Mapping[str, str]) -> dict[str, Json]:
    if node.call is None:
        name, arguments = node.action, decode(node.arguments) if node.arguments else {}
        observation = decode(node.observation) if node.observation else None
    else:
        gold = task.gold[node.call]
        name, arguments = names.get(gold.tool, gold.tool), gold.values
        observation = decode(gold.result.value) if gold.result and gold.result.value else None
    written: dict[str, Json] = {
        "action": {"name": name, "arguments": arguments},
        "dependency_list": list(node.after),
        "idx": at,
        "observation": observation,
    }
    return written if node.user_input is None else written | {"user_input": node.user_input}


def _gold(node: dict[str, Json], after: Sequence[int], names: Mapping[str, str], where: str) -> GoldCall:
    name, arguments = node["action"]["name"], node["action"]["arguments"]
    if name not in names:
        raise BadDocument(f"{where}: the answer calls {name!r:.80}, which is not among the tools of the record.")
    return GoldCall(
        tool=names[name],
        arguments=tuple(GoldArgument(key, (encode(value),)) for key, value in arguments.items()),
        after=tuple(after),
        result=Result(value=encode(node.get("observation"))),
    )


def _is_pseudo(node: dict[str, Json]) -> bool:
    return node["action"]["name"] in PSEUDO


def _checked(answer: Json, where: str) -> list[dict[str, Json]]:
    if not isinstance(answer, list):
        raise BadDocument(f"{where}: the answer is not a list of nodes.")
    for at, node in enumerate(answer):
        action = node.get("action") if isinstance(node, dict) else None
        if not isinstance(action, dict) or not isinstance(action.get("name"), str):
            raise BadDocument(f"{where}: node {at} has no `action` with a name.")
        if not isinstance(action.get("arguments"), dict):
            raise BadDocument(f"{where}: the arguments of node {at} are not an object.")
        if not isinstance(node.get("user_input"), str | None):
            raise BadDocument(f"{where}: `user_input` of node {at} is not text.")
    return answer


def _needs(nodes: Sequence[dict[str, Json]], where: str) -> list[list[int]]:
    """The positions of the nodes that each one needs."""
    places: dict[int, int] = {}
    for at, node in enumerate(nodes):
        number = node.get("idx", at)
        if type(number) is not int or number in places:
            raise BadDocument(f"{where}: `idx` of node {at} is not a number, or occurs twice.")
        places[number] = at
    found = []
    for at, node in enumerate(nodes):
        needed = node.get("dependency_list", [])
        if not isinstance(needed, list) or not all(type(one) is int and one in places for one in needed):
            raise BadDocument(f"{where}: `dependency_list` of node {at} names a node that does not exist.")
        found.append([places[one] for one in needed])
    return found
