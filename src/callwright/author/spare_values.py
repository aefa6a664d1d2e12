"""The optional values that a person might mention, first those that come to mind first."""

from __future__ import annotations

from collections.abc import Collection

from callwright.author.mention_order import NEVER, mention_rank
from callwright.author.required_values import required_paths
from callwright.author.sent_places import places_of_sending
from callwright.author.unknown_values import is_unknown_value
from callwright.author.unstated import unsayable
from callwright.catalog.slots import Slot, slots, tool_leaves
from callwright.lang.schemas import plain_schema
from callwright.records.tool import Tool


def _is_bare_body(slot: Slot, tool: Tool) -> bool:
    """Whether a parameter is the body of a request, of which nothing tells what it holds."""
    one_way = plain_schema(tool.properties.get(slot.name))  # a body of several kinds is described in each
    return slot.name == "body" and not (slot.description or one_way.get("description"))


def spare_slots(tool: Tool, wanted: Collection[str]) -> list[Slot]:
    """The slots that a person might mention, first those that come to mind first and need nothing beside them."""
    by_path, headers = slots(tool), places_of_sending(tool)
    spare = [by_path[path] for path, leaf in tool_leaves(tool).items() if path not in wanted and not leaf.is_fixed]
    spare = [slot for slot in spare if mention_rank(slot, tool) < NEVER and headers.get(slot.name) != "header"]
    spare = [slot for slot in spare if not (is_unknown_value(slot, tool) or _is_bare_body(slot, tool))]
    drawn_in = {slot.name: required_paths(tool, (*wanted, slot.name)) for slot in spare}
    spare = [slot for slot in spare if not any(unsayable(by_path[path], tool) for path in drawn_in[slot.name])]
    return sorted(spare, key=lambda slot: mention_rank(slot, tool) + 0.5 * len(drawn_in[slot.name]))
