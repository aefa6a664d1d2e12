"""Count what the guard of a live user makes of messages that people wrote and labelled.

    python tests/long/user_guard.py count SCENES.jsonl [--half even|odd] [--data FOLDER] [--show 20]
    python tests/long/user_guard.py requests SCENES.jsonl -o REQUESTS.jsonl
    python tests/long/user_guard.py count SCENES.jsonl --answers ANSWERS.jsonl

A scene is one message in its place: `id`, `catalog` (`enterprise`, or the name of a document in FOLDER), `tool`,
`rivals`, `goal`, `values` by parameter or path, `said` (those of them that were said), `settled` (whether it is clear
which tool is meant), `talk` (a list of `who` and `text`, the assistant last; empty before the first message), `reply`,
`label` (`clean` or a kind of fault) and `half`. `persona` and `today` may be given.

`requests` writes what the judge of `eval --judge` is sent of each scene: `id`, `system`, `user`, `schema`. A message
with a certain finding is not sent. A reader who plays the judge answers with one line a request: `id` and `answer`, the
judge's reply as text or object. With `--answers` it decides; scenes that it leaves out are named and not counted.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from eleven import DATA, source_of

import callwright
from callwright.errors import BadRecord
from callwright.models.chat import ChatRequest
from callwright.models.structured import FENCED, read_object
from callwright.papers.diaforge.certain_faults import is_certain
from callwright.papers.diaforge.live_talk import LiveTalk, UserScene
from callwright.papers.diaforge.message_judge import fault_of, judge_message, judged_message
from callwright.papers.diaforge.user_phase import after_words
from callwright.papers.diaforge.user_policy import UserState, heard_by, user_of
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import (
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    Scenario,
    ShownTool,
    Task,
    Turn,
)
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from callwright.records.transcript import UserFault

CLEAN = "clean"


class Placed(NamedTuple):
    """A message in its place, with what rules find in it."""

    scene: Mapping[str, Any]
    talk: LiveTalk
    found: tuple[UserFault, ...]

    @property
    def certain(self) -> tuple[UserFault, ...]:
        """Findings that no judge is asked about."""
        return tuple(one for one in self.found if is_certain(one, self.scene["reply"], self.talk.user.known))


@cache
def tools_of(catalogue: str, data: Path) -> dict[str, Tool]:
    """The tools by name."""
    return {tool.name: tool for tool in callwright.read_catalog(source_of(catalogue, data)).tools}


def placed(scene: Mapping[str, Any], data: Path = DATA) -> Placed:
    """Return a scene as the protocol would meet it. Raises ValueError for one that cannot be."""
    try:
        tools = tools_of(scene["catalog"], data)
        pool = tuple(tools[name] for name in (scene["tool"], *scene["rivals"]))
    except (KeyError, StopIteration) as error:
        raise ValueError(f"scene {scene.get('id')}: {error} is missing or unknown") from error
    dialogue = _dialogue(scene, pool)
    turns = dialogue.turns
    if [turn.speaker for turn in turns] != ["user", "assistant"] * (len(turns) // 2):
        raise ValueError(f"scene {scene['id']}: talk is not user, assistant, ..., assistant")
    talk = LiveTalk(_state(scene, dialogue, pool), turns, UserScene(dialogue, pool, pool[0], "user", "verbose"))
    return Placed(scene, talk, talk.faults_in(scene["reply"]))


def _dialogue(scene: Mapping[str, Any], pool: Sequence[Tool]) -> Dialogue:
    gold = pool[0]
    values = {name: (encode(value),) for name, value in nested(scene["values"]).items()}
    if unknown := values.keys() - gold.properties.keys():
        raise ValueError(f"scene {scene['id']}: {gold.name} has no parameter {', '.join(sorted(unknown))}")
    call = GoldCall(gold.name, tuple(GoldArgument(*one) for one in values.items()))
    people = (Participant("user", "user", persona=scene.get("persona", "")), Participant("assistant", "assistant"))
    tasks = (Task("single", scene["goal"], (call,)),)
    today = scene.get("today", "2026-11-02")
    plan = DiaforgePlan(gold_tool=gold.key)
    shown = tuple(ShownTool(tool.key, tool.name) for tool in pool)
    return Dialogue(
        id=scene["id"],
        participants=people,
        tasks=tasks,
        today=today,
        tools=shown,
        turns=tuple(Turn(one["who"], one["text"]) for one in scene["talk"]),
        recipe="diaforge.v1",
        provenance=Provenance(author="offline", callwright=""),
        scenario=Scenario(
            id=scene["id"], recipe="diaforge.v1", seed=0, index=0, participants=people, tasks=tasks, today=today,
            annotation=plan,
        ),
    )  # fmt: skip


def _state(scene: Mapping[str, Any], dialogue: Dialogue, pool: Sequence[Tool]) -> UserState:
    """The user's state after the talk; what was said and whether the tool is settled are the scene's."""
    assert dialogue.scenario is not None
    plan = DiaforgePlan(gold_tool=pool[0].key)
    state, asks = user_of(dialogue.scenario, plan, pool[0], pool[1:], style="verbose"), None
    for turn in dialogue.turns:
        if turn.speaker == "user":
            state, _ = after_words(state, asks, turn.text)
        else:
            asks = heard_by(state, turn.text)
    told = {one.slot.name for one in state.known for path in scene["said"] if _is_part(one.slot.name, path)}
    return msgspec.structs.replace(state, picked=bool(scene["settled"]), told=frozenset(told))


def _is_part(slot: str, path: str) -> bool:
    return slot == path or slot.startswith(f"{path}.") or path.startswith(f"{slot}.")


def nested(values: Mapping[str, Json]) -> dict[str, Any]:
    """Values by path as arguments: `rate.value` is a property, `lines.0` an item."""
    nested: dict[str, Any] = {}
    for path, value in values.items():
        *way, last = path.split(".")
        place = nested
        for part in way:
            place = place.setdefault(part, {})
        place[last] = value
    return {name: _listed(value) for name, value in nested.items()}


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    items = {name: _listed(item) for name, item in value.items()}
    return list(items.values()) if items and all(name.isdigit() for name in items) else items


# -- the judge -----------------------------------------------------------------------------------------------------


def request_of(one: Placed) -> ChatRequest:
    """Return what the judge is sent."""
    return judge_message.prompt(judged_message(one.talk, one.scene["reply"], one.found))


def line_of(one: Placed) -> dict[str, Any]:
    """Return the request to the judge as one line, with nothing of the label."""
    request = request_of(one)
    system, user = (message.content for message in request.messages)
    return {"id": one.scene["id"], "system": system, "user": user, "schema": json.loads(request.reply_schema or "{}")}


def judged(one: Placed, answer: Any) -> tuple[UserFault, ...]:
    """Return the faults that stay: those that are certain, else the judge's. Raises BadRecord for no verdict."""
    if one.certain:
        return one.certain
    content, errors = read_object(answer if isinstance(answer, str) else json.dumps(answer))
    if errors and errors != (FENCED,):
        raise BadRecord("; ".join(errors))
    verdict = judge_message.parse(content)
    if faults := judge_message.faults(verdict, judged_message(one.talk, one.scene["reply"], one.found)):
        raise BadRecord("; ".join(faults))
    return fault_of(verdict, len(one.talk.turns))


# -- counts --------------------------------------------------------------------------------------------------------


class Counts(NamedTuple):
    """What was made of scenes."""

    of: Counter[str]
    """Scenes by label."""
    refused: Counter[str]
    """Those with a fault found; of clean ones these are false alarms."""
    named: Counter[str]
    """Those whose fault was found under its own name."""

    def lines(self) -> Iterator[str]:
        """Yield the counts, all faults together first."""
        kinds = sorted(kind for kind in self.of if kind != CLEAN)
        total, found = (sum(count[kind] for kind in kinds) for count in (self.of, self.refused))
        yield f"faults found       {_share(found, total)}"
        yield f"under their name   {_share(sum(self.named[kind] for kind in kinds), total)}"
        yield f"clean refused      {_share(self.refused[CLEAN], self.of[CLEAN])}"
        for kind in kinds:
            yield f"  {kind:<17}{_share(self.refused[kind], self.of[kind])}"


def _share(part: int, of: int) -> str:
    return f"{part:>4} of {of:>4}" + (f"  {part / of:6.1%}" if of else "")


def counts_of(results: Iterable[tuple[Mapping[str, Any], tuple[UserFault, ...]]]) -> Counts:
    """Count scenes by label, with the faults that were found in each."""
    counts = Counts(Counter(), Counter(), Counter())
    for scene, faults in results:
        label = scene["label"]
        counts.of[label] += 1
        counts.refused[label] += bool(faults)
        counts.named[label] += any(fault.kind == label for fault in faults)
    return counts


def _count(scenes: Sequence[Placed], options: argparse.Namespace) -> None:
    results = [(one.scene, one.found) for one in scenes]
    if options.answers:
        answers = {line["id"]: line["answer"] for line in _read(options.answers)}
        results = []
        for one in scenes:
            if not one.certain and one.scene["id"] not in answers:
                print(f"{one.scene['id']}: no answer")
                continue
            try:
                results.append((one.scene, judged(one, answers.get(one.scene["id"]))))
            except BadRecord as error:
                print(f"{one.scene['id']}: no verdict: {error}")
    for line in counts_of(results).lines():
        print(line)
    wrong = [(scene, found) for scene, found in results if bool(found) == (scene["label"] == CLEAN)]
    for scene, found in wrong[: options.show]:
        said = "; ".join(f"{fault.by}: {fault.kind}: {fault.detail}" for fault in found) or "nothing found"
        heard = scene["talk"][-1]["text"] if scene["talk"] else "(first message)"
        print(f"{scene['id']} [{scene['label']}] {heard!r} -> {scene['reply']!r}\n    {said}")


def _requests(scenes: Sequence[Placed], options: argparse.Namespace) -> None:
    lines = [line_of(one) for one in scenes if not one.certain]
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    options.out.write_text(text, encoding="utf-8")
    print(f"{len(lines)} requests; {len(scenes) - len(lines)} scenes have a certain finding and are not sent.")


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def main() -> None:
    """Count a file of scenes, or write what the judge is sent of them."""
    parser = argparse.ArgumentParser(description="Count what the guard of a live user makes of labelled messages.")
    commands = parser.add_subparsers(dest="command", required=True)
    count, requests = commands.add_parser("count"), commands.add_parser("requests")
    for command in (count, requests):
        command.add_argument("file", type=Path)
        command.add_argument("--half", choices=["even", "odd"])
        command.add_argument("--data", type=Path, default=DATA)
    count.add_argument("--answers", type=Path, help="the judge's answers, by id")
    count.add_argument("--show", type=int, default=20, help="wrong decisions to print")
    requests.add_argument("-o", "--out", type=Path, required=True)
    options = parser.parse_args()
    chosen = [one for one in _read(options.file) if options.half in (None, one["half"])]
    scenes = [placed(one, options.data) for one in chosen]
    (_count if options.command == "count" else _requests)(scenes, options)


if __name__ == "__main__":
    main()
