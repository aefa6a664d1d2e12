"""How `wild` sessions over real tool lists turn out: proportions, tools used, hidden and missing values, speed.

    python bench/wild_sessions.py ../shared/data/wild/tools_en.jsonl -n 1000 --seed 7

The checks on hidden and missing values are written anew here, on the finished dialogues alone, and not shared with the
recipe's own: plain text search over everything said and returned.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from random import Random

from callwright.app.catalogs import read_catalog
from callwright.author.personas import bank
from callwright.author.value_checks import carrying_faults
from callwright.engine.context import Context
from callwright.environment.tool_world import ToolWorld
from callwright.errors import RolloutFailed
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.surface import forms
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_design import design_of
from callwright.papers.wild.session_plan import SessionPlanner, prepare
from callwright.papers.wild.session_rollout import Made, rollout
from callwright.papers.wild.task_briefs import WildAsk
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.papers.wild.tool_pool import ToolPool
from callwright.papers.wild.user_words import wild_ask
from callwright.papers.wild.wild_recipe import RECIPE
from callwright.recipe import item_ids
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import decode
from callwright.records.tool import Catalog, Tool


def main() -> None:
    """Make sessions and print what they are like."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalog")
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tasks", type=int, default=4)
    given = parser.parse_args()
    started, worked = time.perf_counter(), time.process_time()
    catalog = prepare(read_catalog(given.catalog))
    made, failed = _sessions(catalog, given.n, given.seed, given.tasks)
    seconds, work = time.perf_counter() - started, time.process_time() - worked
    kept = [one.dialogue for one in made if not one.issues]
    print(
        f"{len(kept)} kept of {given.n}, {failed} not planned, {given.n / seconds:.1f} sessions/s in one process, "
        f"{given.n / work:.1f} a second of its CPU time"
    )
    print("rejected:", dict(Counter(one.issues[0].code for one in made if one.issues)))
    _unusable(catalog)
    _proportions(kept, given.n, given.seed, given.tasks)
    _tools(kept, catalog)
    false = [fault for one in kept for fault in untrue_places(one)]
    places = sum(len(_notes(one).hidden) for one in kept)
    print(f"hidden places: {places}, untrue {len(false)}", *false[:5], sep="\n  ")
    clarify = sum(task.kind == "clarify" for one in kept for task in one.tasks)
    known = [fault for one in kept for fault in known_values(one, catalog)]
    print(f"clarify tasks: {clarify}, whose value has a source {len(known)}", *known[:5], sep="\n  ")


def _sessions(catalog: Catalog, n: int, seed: int, tasks: int) -> tuple[list[Made], int]:
    shop = SessionPlanner(catalog, WildOptions(tasks=tasks), seed)
    made, failed = [], 0
    for index, item in enumerate(item_ids(RECIPE, catalog, shop.options, seed=seed, n=n)):
        try:
            made.append(asyncio.run(rollout(shop.plan(item, index), Context.detached(item, seed=seed), shop)))
        except RolloutFailed:
            failed += 1
    return made, failed


def _proportions(kept: list[Dialogue], n: int, seed: int, tasks: int) -> None:
    """Print shares of what was kept beside those designed, and the greatest difference in points."""
    designs = [design_of(index, seed=seed, tasks=tasks) for index in range(n)]
    wanted = {
        "kind": Counter(task.kind for one in designs for task in one.tasks),
        "topology": Counter(task.topology for one in designs for task in one.tasks if task.topology),
        "hiding": Counter(task.hiding for one in designs for task in one.tasks[1:]),
        "transitions": Counter(str(one.transitions) for one in designs),
    }
    found = {
        "kind": Counter(task.kind for one in kept for task in one.tasks),
        "topology": Counter(topology for one in kept for topology in _notes(one).topologies if topology),
        "hiding": Counter(task.hiding for one in kept for task in one.tasks[1:]),
        "transitions": Counter(str(_notes(one).transitions) for one in kept),
    }
    for name, design in wanted.items():
        total, whole = sum(found[name].values()), sum(design.values())
        shares = {key: (100 * found[name][key] / total, 100 * design[key] / whole) for key in sorted(design)}
        worst = max(abs(one - other) for one, other in shares.values())
        listed = ", ".join(f"{key or 'none'} {one:.1f} ({other:.1f})" for key, (one, other) in shares.items())
        print(f"{name}: {listed}; greatest difference {worst:.2f} points")


def _unusable(catalog: Catalog) -> None:
    """Print tools for which no call can be drawn and put into words that carry it, each with the reason."""
    persona, today, named = bank()[0], date(2026, 5, 4), []
    for place, tool in enumerate(catalog.tools):
        fault = ""
        for attempt in range(8):
            rng = Random(place * 8 + attempt)
            world = ToolWorld(seed=1, item="", today=today, persona=persona)
            builder = TaskBuilder(rng, ToolPool("", (tool,), (tool.name,)), persona, today, world)
            call = builder.draw(0, optional=False)
            if call is None:
                fault = "no valid values could be drawn"
                continue
            wish = call.wish()
            text = wild_ask.offline(rng, WildAsk((wish,), "verbose", "plain", today.isoformat(), 0))
            fault = "; ".join(carrying_faults(text, wish.said, (), today.isoformat()))
            if not fault:
                break
        if fault:
            named.append(f"{tool.name} ({fault})")
    print(f"usable by themselves: {len(catalog.tools) - len(named)} of {len(catalog.tools)}", *named, sep="\n  ")


def _tools(kept: list[Dialogue], catalog: Catalog) -> None:
    names = [{shown.name: shown.key for shown in one.tools} for one in kept]
    used = {names[at][gold.tool] for at, one in enumerate(kept) for task in one.tasks for gold in task.gold}
    left = sorted(tool.name for tool in catalog.tools if tool.key not in used)
    print(f"tools: {len(used)} of {len(catalog.tools)} called; never: {', '.join(left) or 'none'}")


def _notes(dialogue: Dialogue) -> WildPlan:
    if not isinstance(dialogue.annotation, WildPlan):
        raise TypeError(f"{dialogue.id}: no wild session")
    return dialogue.annotation


def untrue_places(dialogue: Dialogue) -> Iterator[str]:
    """Yield hidden values that do not stand in the turn, or at the pointer, that the annotation names."""
    for place in _notes(dialogue).hidden:
        ask, turn = dialogue.tasks[place.task].turn, place.origin.turn
        if ask is None or turn is None or turn >= ask or (place.hiding == "long_range" and ask - turn <= 2):
            yield f"{dialogue.id}: task {place.task}: turn {turn} is no place for {place.hiding}"
        elif place.origin.call is not None:
            value = json.loads(str(dialogue.tasks[place.origin.task].gold[place.origin.call].result.value))  # type: ignore[union-attr]
            for key in place.origin.path.split("/")[1:]:
                value = value[int(key)] if isinstance(value, list) else value[key]
            returned = {str(r.value) for step in dialogue.turns[turn].steps for r in step.results}
            whole = str(dialogue.tasks[place.origin.task].gold[place.origin.call].result.value)  # type: ignore[union-attr]
            if value != json.loads(place.value) or whole not in returned:
                yield f"{dialogue.id}: task {place.task}: {place.origin.path} of turn {turn} holds {value!r}"
        elif place.parameter and not _says(dialogue.turns[turn].text, json.loads(place.value)):
            yield f"{dialogue.id}: task {place.task}: turn {turn} does not say {place.value}"


def _says(text: str, value: object) -> bool:
    """Whether any plain form of the value stands in the text; of lists and objects all that is in them."""
    if isinstance(value, bool):
        return True
    if isinstance(value, list):
        return all(_says(text, one) for one in value)
    if isinstance(value, dict):
        return all(_says(text, one) for one in value.values())
    said = text.lower().replace(",", "")
    if str(value).lower().replace(",", "") in said or _QUANTITY.fullmatch(str(value)):
        return True  # days, times and numbers are said in many ways: the recipe's own check reads those
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", str(value)).lower()
    return spaced in said or any(form.lower() in text.lower() for k in _KINDS for form in forms(value, k, None))


_QUANTITY = re.compile(r"\d{4}-\d\d-\d\d.*|\d+(\.\d+)?|\d\d:\d\d.*")
_KINDS: tuple[Kind, ...] = ("country", "currency", "language", "enum")


def known_values(dialogue: Dialogue, catalog: Catalog) -> Iterator[str]:
    """Yield clarify tasks whose missing value stands anywhere earlier, or has an earlier value of the same name."""
    tools = {shown.name: catalog.by_key[shown.key] for shown in dialogue.tools}
    for position, task in enumerate(dialogue.tasks):
        if task.kind != "clarify" or task.turn is None:
            continue
        for name in task.missing:
            value = task.gold[0].values[name]
            before = [turn.text for turn in dialogue.turns[: task.turn + 2]]
            steps = [step for turn in dialogue.turns[: task.turn] for step in turn.steps]
            before += [str(result.value) for step in steps for result in step.results]
            if any(re.search(rf"(?<![\w-]){re.escape(str(value))}(?![\w-])", text) for text in before):
                yield f"{dialogue.id}: task {position}: {value!r} stands earlier"
            if re.search(r"\b(?:another|different|other)\b", dialogue.turns[task.turn].text):
                continue
            named = _plain(name)
            for earlier in dialogue.tasks[:position]:
                for gold in earlier.gold:
                    alike = [other for other in gold.values if _plain(other) == named]
                    if any(_same_kind(tools, gold.tool, other, task.gold[0].tool, name) for other in alike):
                        yield f"{dialogue.id}: task {position}: an earlier {named} could be meant"
                    if gold.result is not None and gold.result.value and named in set(_keys(decode(gold.result.value))):
                        yield f"{dialogue.id}: task {position}: a result holds a {named}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _same_kind(tools: dict[str, Tool], one: str, first: str, other: str, second: str) -> bool:
    a, b = tools[one].properties.get(first, {}), tools[other].properties.get(second, {})
    return kind_of(first, a) == kind_of(second, b)


def _keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield _plain(key)
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


if __name__ == "__main__":
    main()
