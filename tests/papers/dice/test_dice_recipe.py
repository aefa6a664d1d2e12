"""`synth dice`: the design, clean dialogues, and the cascade against planted defects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import callwright
from callwright.app.catalogs import read_catalog
from callwright.catalog.contrast import action_phrase
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.errors import BadInput, CallwrightError, RunConflict
from callwright.formats import graph_file
from callwright.lang.surface import mentions
from callwright.measure.item_mentions import call_items
from callwright.papers.dice.chat_cascade import REASONS, issues_of
from callwright.papers.dice.chat_chains import ChatGraph, UniformChains, fitted
from callwright.papers.dice.chat_design import Cell, cells, with_same_names
from callwright.papers.dice.chat_filter import KNOWING
from callwright.papers.dice.chat_plan import ChatPlan, ChatPlanner, prepare
from callwright.papers.dice.dice_measures import scored
from callwright.papers.dice.dice_options import TYPES, DiceOptions
from callwright.papers.dice.dice_recipe import needs_result
from callwright.papers.dice.published_rounds import read, to_record
from callwright.papers.paper import NoOptions
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.jsontext import JsonText, decode, encode
from callwright.records.tool import Catalog, Tool
from callwright.records.tool_graph import GraphTool, ToolGraph

N = 36


def _takes(shown: Mapping[str, str]) -> JsonText:
    texts = {
        name: {"type": "string", "description": f"The {name.replace('_', ' ')}, e.g. '{value}'"}
        for name, value in shown.items()
    }
    return encode({"type": "object", "properties": texts, "required": list(texts)})


_TWO = ("order_monitor", "transfer_stock")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dialogue of each of the 36 cells."""
    out = tmp_path_factory.mktemp("chats") / "ds"
    callwright.synthesize("dice", "builtin/enterprise", n=N, seed=7, out=out)
    return out


@pytest.fixture(scope="module")
def chats(folder: Path) -> tuple[Dialogue, ...]:
    """The kept dialogues."""
    return tuple(callwright.open_dataset(folder).dialogues)


@pytest.fixture(scope="module")
def catalog(folder: Path) -> Catalog:
    """The tools of the dataset."""
    return callwright.open_dataset(folder).catalog


def notes(chat: Dialogue) -> DiceNotes:
    assert isinstance(chat.annotation, DiceNotes)
    return chat.annotation


def people(chat: Dialogue) -> list[str]:
    return [who.id for who in chat.participants if who.role == "user"]


def said(chat: Dialogue) -> list[tuple[int, Turn]]:
    return [(at, turn) for at, turn in enumerate(chat.turns) if chat.role(turn) == "user"]


def test_the_design_is_full(chats: tuple[Dialogue, ...]) -> None:
    """At least nine in ten are kept, each as its cell asks: rounds, people, type."""
    found = Counter((len(one.tasks), len(people(one)), notes(one).dialogue_type) for one in chats)
    assert len(chats) >= 0.9 * N
    assert {(cell.rounds, cell.party, cell.type) for cell in cells("1-4", "2-4")} >= set(found)
    assert max(found.values()) == 1
    assert {kind for _, _, kind in found} == set(TYPES)


def test_the_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    """However many are made."""
    callwright.synthesize("dice", "builtin/enterprise", n=8, seed=7, out=tmp_path / "ds")
    lines = (tmp_path / "ds/dialogues.jsonl").read_bytes().splitlines()
    assert lines
    assert lines == (folder / "dialogues.jsonl").read_bytes().splitlines()[: len(lines)]


def test_every_value_is_said_or_returned(chats: tuple[Dialogue, ...], catalog: Catalog) -> None:
    """The surface counter's rules find each gold value in what people said or the assistant told."""
    items = 0
    for chat in chats:
        texts, day = [turn.text for turn in chat.turns], date.fromisoformat(chat.today)
        for item in call_items(chat, catalog.by_name):
            if item.parameter:
                items += 1
                assert any(mentions(text, item.value, item.kind, today=day) for text in texts), (chat.id, item)
    assert items > 100


def test_later_rounds_use_what_was_returned(chats: tuple[Dialogue, ...]) -> None:
    """Half of the edges at least are results that fill an input; nobody says that value in words before the call."""
    later = [one for chat in chats for one in notes(chat).rounds[1:]]
    taken = sum(bool(one.taken) for one in later)
    assert taken >= 0.5 * len(later) > 0
    tools = prepare(read_catalog("builtin/enterprise")).by_key
    assert sum(needs_result(chat, at, tools) for chat in chats for at in range(len(chat.tasks))) >= 0.9 * taken


def test_the_same_thing_keeps_its_identifier(tmp_path: Path) -> None:
    """The second call of two about one site has the site of the first."""
    text = {"type": "string"}
    tools = [
        Tool(
            name="list_site_builds",
            description="List the builds of a site.",
            parameters=encode({"type": "object", "properties": {"site_id": text}, "required": ["site_id"]}),
            returns=encode({"type": "object", "properties": {"build_id": text}, "required": ["build_id"]}),
        ),
        Tool(
            name="restart_site_build",
            description="Restart a build of a site.",
            parameters=encode(
                {
                    "type": "object",
                    "properties": {"site_id": text, "build_id": text},
                    "required": ["site_id", "build_id"],
                }
            ),
            returns=encode({"type": "object", "properties": {"status": text}, "required": ["status"]}),
        ),
    ]
    callwright.synthesize("dice", Catalog(tools=tuple(tools)), n=9, seed=1, out=tmp_path / "ds", rounds="2")
    chats = callwright.open_dataset(tmp_path / "ds").dialogues
    calls = [[task.gold[0].values for task in chat.tasks] for chat in chats]

    assert len(calls) >= 8
    assert all(first["site_id"] == second["site_id"] for first, second in calls)


def test_people_have_stakes(chats: tuple[Dialogue, ...], catalog: Catalog) -> None:
    """Who begins a round wants its call; in quarrels and negotiations some of the others would rather not."""
    against = 0
    for chat in chats:
        told = {who.id: who.persona for who in chat.participants}
        for task, round_ in zip(chat.tasks, notes(chat).rounds, strict=True):
            wish = action_phrase(gloss(catalog.by_name[task.gold[0].tool]))
            wants = told[chat.turns[round_.first].speaker].partition("Wants to ")[2]
            assert wish in wants.partition(" Would rather not ")[0], (chat.id, wish, wants)
        against += any("Would rather not " in one for one in told.values())
        assert not (notes(chat).dialogue_type == TYPES[0] and "Would rather not" in str(told))
    assert against >= 0.5 * len(chats)


def test_the_assistant_tells_what_came_of_a_call(tmp_path: Path) -> None:
    """The identifier of what was made, and the one text that was looked up."""
    tools = (
        _tool("create_garden_order", "Create a garden order.", "plant_name", "order_id"),
        _tool("check_bus_news", "Check the news of a bus line.", "city", "bus_headlines"),
    )
    callwright.synthesize("dice", Catalog(tools=tools), n=12, seed=1, out=tmp_path / "ds", rounds="1")
    turns = [turn for chat in callwright.open_dataset(tmp_path / "ds").dialogues for turn in chat.turns if turn.steps]
    told = [(turn.text, decode(turn.steps[0].results[0].value or "{}")) for turn in turns]

    assert {name for _, value in told for name in value} >= {"order_id", "bus_headlines"}
    for text, value in told:
        news = value.get("order_id", value.get("bus_headlines"))
        assert str(news) in text, (text, value)


def _tool(name: str, description: str, parameter: str, output: str) -> Tool:
    text = {"type": "string"}
    return Tool(
        name=name,
        description=description,
        parameters=encode({"type": "object", "properties": {parameter: text}, "required": [parameter]}),
        returns=encode({"type": "object", "properties": {output: text}, "required": [output]}),
    )


def test_order_is_no_rotation(chats: tuple[Dialogue, ...]) -> None:
    """Under 10 % of rounds of three and four people rotate strictly; of two people somebody speaks on at times."""
    rotating, rounds, doubles = 0, 0, 0
    for chat in chats:
        ends = [*(one.first for one in notes(chat).rounds[1:]), len(chat.turns)]
        for one, end in zip(notes(chat).rounds, ends, strict=True):
            order = [turn.speaker for turn in chat.turns[one.first : end] if chat.role(turn) == "user"]
            n = len(people(chat))
            if n == 2:
                doubles += sum(a == b for a, b in pairwise(order))
                continue
            rounds += 1
            is_cycle = all(a == b for a, b in zip(order, order[n:], strict=False))
            rotating += len(order) > n and len(set(order[:n])) == n and is_cycle
    assert rounds > 50
    assert rotating < 0.1 * rounds
    assert doubles


def test_everyone_knows_something_in_half_of_the_dialogues(chats: tuple[Dialogue, ...]) -> None:
    """A persona says which values its bearer knows."""
    full = [chat for chat in chats if all("Knows the " in who.persona for who in chat.participants[:-1])]
    assert len(full) >= 0.5 * len(chats)


def test_the_score_rises_with_length(chats: tuple[Dialogue, ...], catalog: Catalog) -> None:
    """On average, by DICE-SCORE with the surface counter."""
    found = scored(chats, catalog.by_key)
    means = [
        sum(scores) / len(scores)
        for length in (1, 2, 3, 4)
        if (scores := [one.score for one in found if one.length == length])
    ]
    assert len(means) == 4
    assert means == sorted(means)


def test_personas_give_nothing_away(chats: tuple[Dialogue, ...], catalog: Catalog) -> None:
    """Nobody's persona holds a value of a call or the name of a function, and in one chat no two begin alike."""
    slots_of = {tool.name: slots(tool) for tool in catalog.tools}
    count = 0
    for chat in chats:
        texts = [KNOWING.split(f"{who.persona} Writes")[0] for who in chat.participants if who.role == "user"]
        texts = [text.split(" Writes")[0].split(" Ends what")[0] for text in texts]
        assert all(texts)
        assert len({tuple(text.split()[:3]) for text in texts}) == len(texts), texts
        for gold in (gold for task in chat.tasks for gold in task.gold):
            assert not any(gold.tool in text for text in texts)
            for name, value in gold.values.items():
                kind = slots_of[gold.tool][name].kind
                assert not any(mentions(text, value, kind, today=chat.day) for text in texts), (texts, value)
                count += 1
    assert count > 100


def test_personas_of_a_file_stay(tmp_path: Path) -> None:
    """They keep their texts and are given names."""
    texts = [f"A {who} of a small town." for who in ("nurse", "driver", "poet", "cook", "clerk")]
    (tmp_path / "p.jsonl").write_text("".join(encode({"persona": text}) + "\n" for text in texts))
    out = tmp_path / "ds"
    made = callwright.synthesize(
        "dice", "builtin/enterprise", n=9, seed=7, out=out, rounds="1", personas=tmp_path / "p.jsonl"
    )
    assert made.kept > 6
    for chat in callwright.open_dataset(out).dialogues:
        users = [who for who in chat.participants if who.role == "user"]
        assert all(who.persona.startswith(tuple(texts)) for who in users)
        assert len({who.name for who in users}) == len(users)
        assert all(who.name for who in users)


def test_the_published_layout_comes_back(chats: tuple[Dialogue, ...], catalog: Catalog, tmp_path: Path) -> None:
    """Written with the published names of speakers and read again it is the same talk, with the same calls."""
    docs = [
        {
            "function": tool.name,
            "desc": tool.description,
            "parameters": [{"name": name, "type": "string", "desc": "x"} for name in tool.properties],
        }
        for tool in catalog.tools
    ]
    (tmp_path / "tool_docs.json").write_text(encode({"functions": docs}))
    written = [to_record(chat, catalog.by_key) for chat in chats]
    for length in (1, 2, 3, 4):
        own = [one for one in written if one["metadata"]["round_num"] == length]
        (tmp_path / f"round_{length}.json").write_text(encode(own))
    back = {one.id: one for one in read(tmp_path, NoOptions()).dialogues}
    assert len(back) == len(chats) > 30
    for chat in chats:
        assert chat.scenario is not None
        one = back[f"dice-{len(chat.tasks)}-{chat.scenario.index}"]
        shown = {who.id: who.id.replace("user_1", "agent_a") for who in chat.participants}
        shown |= {"user_2": "agent_b", "user_3": "agent_c", "user_4": "agent_d", "assistant": "AI Assistant"}
        assert [who.id for who in one.participants] == [shown[who.id] for who in chat.participants]
        assert [who.persona for who in one.participants] == [who.persona for who in chat.participants]
        assert [(turn.speaker, turn.text) for turn in one.turns] == [
            (shown[turn.speaker], turn.text) for turn in chat.turns
        ]
        assert [task.turn for task in one.tasks] == [task.turn for task in chat.tasks]
        for ours, theirs in zip(chat.tasks, one.tasks, strict=True):
            assert theirs.gold[0].tool == ours.gold[0].tool
            assert theirs.gold[0].values == ours.gold[0].values
            assert theirs.gold[0].result is not None
            assert ours.gold[0].result is not None
            assert theirs.gold[0].result.value == ours.gold[0].result.value
        assert (notes(one).dialogue_type, notes(one).functions) == (notes(chat).dialogue_type, notes(chat).functions)
        assert [(each.first, each.domain) for each in notes(one).rounds] == [
            (each.first, each.domain) for each in notes(chat).rounds
        ]
        assert to_record(one, catalog.by_key) == to_record(chat, catalog.by_key)


@pytest.mark.parametrize("model", ["builtin/oracle"])
def test_the_oracle_is_always_right(folder: Path, tmp_path: Path, model: str) -> None:
    """In both modes of exact match, in every slice."""
    callwright.evaluate_model(folder, "dice", model=model, out=tmp_path / "run")
    rows = [row for row in callwright.score_runs(tmp_path / "run") if row.metric in ("em_strict", "em_paper")]
    assert len(rows) > 10
    assert all(row.value == 1 for row in rows)


# -- planted defects --------------------------------------------------------------------------------------------------

Defect = Callable[[Dialogue, Random], Dialogue | None]


def _with_text(chat: Dialogue, at: int, text: str) -> Dialogue:
    turns = list(chat.turns)
    turns[at] = replace(turns[at], text=text)
    return replace(chat, turns=tuple(turns))


def refusal(chat: Dialogue, rng: Random) -> Dialogue:
    at, _ = rng.choice(said(chat))
    return _with_text(chat, at, "I'm sorry, but I can't help with that.")


def nobody_addresses(chat: Dialogue, rng: Random) -> Dialogue:
    at = rng.choice(chat.tasks).turn or 0
    return _with_text(chat, at, "Somebody should do that now.")


def function_named(chat: Dialogue, rng: Random) -> Dialogue:
    at, turn = rng.choice(said(chat))
    return _with_text(chat, at, f"{turn.text} You know, {rng.choice(chat.tasks).gold[0].tool}.")


def value_missing(chat: Dialogue, rng: Random) -> Dialogue | None:
    taken = [{given.parameter: given.pointer for given in one.taken} for one in notes(chat).rounds]
    for task, from_result in zip(chat.tasks, taken, strict=True):
        if set(task.gold[0].values) - set(from_result):
            kept = [replace(turn, text="Hm.") if turn.speaker != "assistant" and at != task.turn else turn
                    for at, turn in enumerate(chat.turns)]  # fmt: skip
            return replace(chat, turns=tuple(kept))
    return None


def result_ignored(chat: Dialogue, rng: Random) -> Dialogue | None:
    later = next((at for at, one in enumerate(notes(chat).rounds) if one.taken), 0)
    if not later:
        return None
    at = (chat.tasks[later - 1].turn or 0) + 1
    step = chat.turns[at].steps[0]
    other = replace(step, results=(replace(step.results[0], value="{}"),))
    turns = list(chat.turns)
    turns[at] = replace(turns[at], steps=(other,))
    return replace(chat, turns=tuple(turns))


def merged(chat: Dialogue, rng: Random) -> Dialogue:
    at, turn = rng.choice(said(chat)[1:])
    name = chat.participants[0].name
    return _with_text(chat, at, f"{turn.text} {name}: Good.")


def wrong_round(chat: Dialogue, rng: Random) -> Dialogue | None:
    if len(chat.tasks) < 2:
        return None
    places = [(task.turn or 0) + 1 for task in chat.tasks[:2]]
    turns = list(chat.turns)
    steps = [turns[at].steps for at in places]
    turns[places[0]], turns[places[1]] = (
        replace(turns[places[0]], steps=steps[1]),
        replace(turns[places[1]], steps=steps[0]),
    )
    return replace(chat, turns=tuple(turns))


def wrong_type(chat: Dialogue, rng: Random) -> Dialogue:
    task = chat.tasks[0]
    gold = task.gold[0]
    first = replace(gold.arguments[0], accepted=(encode([7]),))
    changed = replace(task, gold=(replace(gold, arguments=(first, *gold.arguments[1:])),))
    return replace(chat, tasks=(changed, *chat.tasks[1:]))


DEFECTS: dict[str, Defect] = {
    "refusal": refusal,
    "assistant_not_addressed": nobody_addresses,
    "function_named": function_named,
    "value_not_found": value_missing,
    "result_ignored": result_ignored,
    "speakers_merged": merged,
    "unlike_gold": wrong_round,
    "type_error": wrong_type,
}


@pytest.mark.parametrize("reason", DEFECTS)
def test_planted_defects_are_found(chats: tuple[Dialogue, ...], catalog: Catalog, reason: str) -> None:
    """At least 95 % of the dialogues with the defect are rejected for it."""
    rng = Random(1)
    spoilt = [one for chat in chats if (one := DEFECTS[reason](chat, rng)) is not None]
    found = [one for one in spoilt if reason in {issue.code for issue in issues_of(one, catalog.by_name)}]
    assert reason in REASONS
    assert len(spoilt) >= 20
    assert len(found) >= 0.95 * len(spoilt)


# -- the design -------------------------------------------------------------------------------------------------------


_UNJOINED = [
    Tool(name=name, description=text, parameters=_takes(taken))
    for name, text, taken in (
        ("brush_rind", "Brush the rind of a cheese wheel.", {"wheel_id": "WH-118", "wash": "cider brine"}),
        ("pierce_wheel", "Pierce a wheel.", {"wheel_id": "WH-118", "needle_count": "30"}),
        ("smoke_cheese", "Smoke a cheese over wood.", {"cheese_kind": "scamorza", "wood": "beech"}),
        ("shear_flock", "Shear a flock of sheep.", {"flock_name": "Upper Meadow"}),
        ("haggle_price", "Haggle with a monger over a price.", {"monger": "Rind & Sons", "price_per_kilo": "18.5"}),
        ("bequeath_recipe", "Bequeath a recipe.", {"recipe_title": "Nettle Tomme", "apprentice": "Lena Moor"}),
        ("wean_lamb", "Wean a lamb from its ewe.", {"ear_tag": "UK-4471", "feed": "creep pellets"}),
        ("cancel_tasting", "Cancel a tasting.", {"tasting_id": "TA-44"}),
        ("show_cave", "Show a ripening cave.", {"cave_name": "Old Cellar"}),
    )
]


@pytest.mark.parametrize("name", ["cheese", "builtin/enterprise"])
def test_every_tool_is_in_chats_of_each_length(name: str) -> None:
    """Between a third and three times the even share, also tools that share nothing and that end things."""
    tools = Catalog(tools=tuple(_UNJOINED)) if name == "cheese" else read_catalog(name)
    planner = ChatPlanner(prepare(tools), DiceOptions(), 7)
    used = {length: Counter[str]() for length in (1, 2, 3, 4)}
    for index in range(36 * 50):
        plan = planner.plan(f"item{index}", index)
        assert isinstance(plan, ChatPlan)
        used[len(plan.rounds)].update(one.tool.name for one in plan.rounds)
    assert len(planner.usable) > 8
    for length, counts in used.items():
        even = 450 * length / len(planner.usable)
        assert {one.name for one in planner.usable} == counts.keys(), length
        assert even / 3 <= min(counts.values()) <= max(counts.values()) <= 3 * even, length


def test_people_of_a_larger_party_have_more_to_say() -> None:
    """Of the chains for one turn of the cells those with more values; no chain is lost."""
    values = {"few": 1, "some": 2, "many": 4}
    chains = [("many",), ("few",), ("some",)] * 4
    found = fitted(chains, (2, 3, 4), values)
    assert found == [("few",), ("some",), ("many",)] * 4


def test_uniform_chains_are_any_path_alike() -> None:
    """Each item has a path of its own; over a hub each is as frequent, so that the hub is in most."""
    tools = [Tool(name=f"get_{name}", description="Get it.") for name in ("a", "b", "c", "hub")]
    edges = {"get_a": ("get_hub",), "get_b": ("get_hub",), "get_c": ("get_a",), "get_hub": ("get_c",)}
    chains = UniformChains(ChatGraph(tools, edges, is_given=True), (3, 4), seed=1)
    cell = Cell(3, 2, TYPES[0])
    found = Counter(chains.tries(cell, f"item{at}", at)[0] for at in range(400))
    assert len(found) == 4
    assert min(found.values()) > 70
    assert chains.tries(cell, "item1", 0) == chains.tries(cell, "item1", 9)


def test_the_funnel_is_by_rounds_and_stage(tmp_path: Path) -> None:
    """Table 2: what each stage removed of the dialogues of each length, in the file and in the card."""
    made = callwright.synthesize("dice", "builtin/enterprise", per_cell=8, seed=3, out=tmp_path, rounds="1-2")
    funnel = json.loads((tmp_path / "funnel.json").read_text())["stages"]
    removed = ["failed", "unfinished", "stage 1", "stage 2", "stage 3"]
    assert funnel["by"] == "rounds"
    assert [(line["group"], line["initial"]) for line in funnel["lines"]] == [("1", 72), ("2", 72), ("all", 144)]
    assert [list(line["removed"]) for line in funnel["lines"]] == [removed] * 3
    assert funnel["lines"][-1]["final"] == made.kept < made.planned
    kept = Counter(str(len(one.tasks)) for one in callwright.open_dataset(tmp_path).dialogues)
    assert {line["group"]: line["final"] for line in funnel["lines"][:2]} == kept
    last = funnel["lines"][-1]
    counts = " | ".join(map(str, (last["initial"], *last["removed"].values(), last["final"])))
    card = (tmp_path / "README.md").read_text()
    assert (
        "| rounds | initial | failed | unfinished (rules) | stage 1 (rules) | stage 2 (rules) | stage 3 (rules) |"
        in card
    )
    assert f"| all | {counts} |" in card


def test_the_sampler_is_an_option(tmp_path: Path) -> None:
    """The card says which one it was; to name the default changes nothing."""
    for name, options in (("a", {}), ("b", {"sampler": "balanced"}), ("c", {"sampler": "uniform"})):
        callwright.synthesize("dice", "builtin/enterprise", n=6, seed=7, out=tmp_path / name, rounds="2", **options)
    texts = [(tmp_path / name / "dialogues.jsonl").read_bytes() for name in "abc"]
    cards = [(tmp_path / name / "README.md").read_text() for name in "abc"]
    assert texts[0] == texts[1] != texts[2]
    assert "| chains of tools | balanced: tools are used evenly in each length |" in cards[1]
    assert "| chains of tools | uniform: each path of the graph is as likely |" in cards[2]


def test_given_edges_carry_equal_names() -> None:
    """A result fills the parameter of its name and kind, along the edges alone."""
    text = {"type": "string", "description": "Its name."}
    names = encode({"type": "object", "properties": {"restaurant_name": text}, "required": ["restaurant_name"]})
    tools = (
        Tool(
            name="find_restaurant",
            description="Find a restaurant.",
            parameters=encode({"type": "object"}),
            returns=names,
        ),
        Tool(name="book_restaurant", description="Book a restaurant.", parameters=names),
    )
    edges = {"find_restaurant": ("book_restaurant",)}
    flows = with_same_names({}, edges, Catalog(tools=tools))
    assert flows == {("find_restaurant", "book_restaurant"): (("restaurant_name", "/restaurant_name"),)}
    assert with_same_names({}, {}, Catalog(tools=tools)) == {}


def test_a_graph_without_long_paths_is_joined_by_subject(tmp_path: Path) -> None:
    """A graph of one edge gives chats of each length; those of two rounds follow the edge."""
    nodes = [{"function": "create_task"}, {"function": "assign_task"}]
    links = [{"source": "create_task", "target": "assign_task"}]
    (tmp_path / "graph.json").write_text(json.dumps({"nodes": nodes, "links": links}))
    made = callwright.synthesize(
        "dice", "builtin/enterprise", n=N, seed=7, graph=str(tmp_path / "graph.json"), out=tmp_path / "ds"
    )
    chats = callwright.open_dataset(tmp_path / "ds").dialogues
    assert "no_plan" not in made.rejected
    assert {len(one.tasks) for one in chats} == {1, 2, 3, 4}
    called = {tuple(task.gold[0].tool for task in one.tasks) for one in chats if len(one.tasks) == 2}
    assert called == {("create_task", "assign_task")}


@pytest.mark.parametrize("layout", ["built", "published"])
def test_a_graph_without_edges_is_joined_by_subject(tmp_path: Path, layout: str) -> None:
    """Nothing leads on; chats of each length are there, of several tools each."""
    tools, file = Catalog(tools=tuple(_UNJOINED)), tmp_path / "graph.json"
    if layout == "built":  # of tools whose results are inferred only for chats
        nodes = tuple(GraphTool(key=one.key, name=one.name) for one in _UNJOINED)
        file.write_bytes(graph_file.write(ToolGraph(nodes=tuple(one.key for one in nodes), tools=nodes)))
    else:
        file.write_text(encode({"nodes": [{"id": one.name} for one in _UNJOINED], "links": []}))
    made = callwright.synthesize("dice", tools, n=N, seed=7, graph=str(file), out=tmp_path / "ds")
    chats = callwright.open_dataset(tmp_path / "ds").dialogues
    assert made.kept >= 0.9 * N
    assert {len(one.tasks) for one in chats} == {1, 2, 3, 4}
    assert {task.gold[0].tool for one in chats for task in one.tasks} == {one.name for one in _UNJOINED}


def test_lengths_without_a_path_are_rejected_and_not_failed(tmp_path: Path) -> None:
    """Two tools give chats of one and two rounds; each longer one is rejected before its first word."""
    few = Catalog(tools=tuple(tool for tool in read_catalog("builtin/enterprise").tools if tool.name in _TWO))
    made = callwright.synthesize("dice", few, n=N, seed=7, out=tmp_path / "ds")
    assert made.failed == {}
    assert made.rejected["no_plan"] == N // 2
    assert made.planned == made.kept + sum(made.rejected.values())


@pytest.mark.parametrize("text", ["3-2", "4-1"])
def test_ranges_that_end_before_they_begin_are_refused(text: str) -> None:
    """With what to do."""
    with pytest.raises(BadInput, match="Give the smaller number first"):
        cells(text, "2")


@pytest.mark.parametrize(
    ("nodes", "links", "told"),
    [
        ("ab", [("a", "c")], "'c' is no node"),
        ("aba", [("a", "b")], "two nodes"),
        ("ab", [("a", "a")], "to itself"),
    ],
)
def test_a_broken_graph_is_refused(tmp_path: Path, nodes: str, links: list[tuple[str, str]], told: str) -> None:
    """In one error, before anything is planned."""
    pairs = [{"source": source, "target": target} for source, target in links]
    (tmp_path / "g.json").write_text(encode({"nodes": [{"id": one} for one in nodes], "links": pairs}))
    with pytest.raises(CallwrightError, match=told):
        callwright.synthesize(
            "dice", "builtin/enterprise", n=2, seed=1, out=tmp_path / "ds", graph=str(tmp_path / "g.json")
        )
    assert not (tmp_path / "ds").exists()


def test_what_makes_no_chats_is_refused_before_a_folder_is_made(tmp_path: Path) -> None:
    """A graph of other tools, and a catalogue whose calls people cannot agree on."""
    graph, out = tmp_path / "g.json", tmp_path / "ds"
    graph.write_text('{"nodes": [{"id": "x"}, {"id": "y"}], "links": [{"source": "x", "target": "y"}]}')
    with pytest.raises(BadInput, match="it has no tools of the catalogue"):
        callwright.synthesize("dice", "builtin/enterprise", n=2, out=out, graph=str(graph))
    silent = Catalog(tools=(Tool(name="ping"), Tool(name="list_all")))
    with pytest.raises(BadInput, match="no tool whose call people could agree on"):
        callwright.synthesize("dice", silent, n=2, out=out)
    assert not out.exists()


def test_one_graph_gives_one_dataset(shared_data: Path, tmp_path: Path) -> None:
    """Whatever the layout and the place of its file, and the order of its links."""
    published = json.loads((shared_data / "dice" / "tool_graph.json").read_text())
    published["nodes"].reverse()
    published["links"] = [*published["links"][::-1], published["links"][0]]
    (tmp_path / "other.json").write_text(encode(published))
    callwright.read_corpus("dice", shared_data / "dice", out=tmp_path / "read")
    files = [shared_data / "dice" / "tool_graph.json", tmp_path / "other.json", tmp_path / "read" / "graph.json"]
    found = []
    for at, file in enumerate(files):
        out = tmp_path / f"ds{at}"
        callwright.synthesize(
            "dice", str(shared_data / "dice" / "tool_docs.json"), n=12, seed=5, out=out, rounds="2-3", graph=str(file)
        )
        found.append((out / "dialogues.jsonl").read_bytes())
    assert found[0].count(b"\n") > 8
    assert found[0] == found[1] == found[2]


def test_an_edited_graph_is_another_dataset(shared_data: Path, tmp_path: Path) -> None:
    """Without some of its edges a file of the same name makes other dialogues, and a run in the folder is refused."""
    file, docs = tmp_path / "g.json", str(shared_data / "dice" / "tool_docs.json")
    published = json.loads((shared_data / "dice" / "tool_graph.json").read_text())
    file.write_text(encode(published))
    callwright.synthesize("dice", docs, n=4, seed=5, out=tmp_path / "a", rounds="2", graph=str(file))
    file.write_text(encode({**published, "links": published["links"][:200]}))
    with pytest.raises(RunConflict, match="graph"):
        callwright.synthesize("dice", docs, n=4, seed=5, out=tmp_path / "a", rounds="2", graph=str(file))
    callwright.synthesize("dice", docs, n=4, seed=5, out=tmp_path / "b", rounds="2", graph=str(file))
    ids = [{one.id for one in callwright.open_dataset(tmp_path / name).dialogues} for name in "ab"]
    assert all(ids)
    assert ids[0].isdisjoint(ids[1])


def test_the_card_tells_the_order_of_speakers(folder: Path) -> None:
    """By the number of people: how open it is who comes next, and rounds in rotation; and values that stay examples."""
    card = (folder / "README.md").read_text()
    assert all(f"| entropy of who of {n} people speaks next |" in card for n in (2, 3, 4))
    assert "| values that are the only example of a document | 0 of " in card
