"""Candidate pools as planned (DiaFORGE, section 3.1), and what `eval --pool` shows in their place."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from callwright.catalog.lexical import fit
from callwright.catalog.neighbours import nearest
from callwright.catalog.similarity import description_encoder, is_near, pair_similarity
from callwright.catalog.vectors import SparseVectors
from callwright.engine.context import Context
from callwright.errors import BadInput, BadOption
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions, DynamicOptions, StaticOptions
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop
from callwright.papers.diaforge.dynamic_protocol import PROTOCOL as DYNAMIC
from callwright.papers.diaforge.shown_pool import shown_pools
from callwright.papers.diaforge.static_protocol import PROTOCOL as STATIC
from callwright.protocol import read_options
from callwright.protocol.evaluation_job import EvaluationJob, Setting
from callwright.protocol.scoring import Scoring
from callwright.records.codec import from_line
from callwright.records.dialogue import Scenario
from callwright.records.tool import Catalog, Tool
from callwright.records.transcript import Transcript
from diaforge_builders import SEED, bundled, kept, make, notes_of, planned, workshop
from recipe_jobs import diaforge_scenario

NO_LOOK_ALIKES = DiaforgeOptions(no_distractors=True)
K = DiaforgeOptions().distractors


def keys(scenario: Scenario) -> set[str]:
    return {tool.key for tool in scenario.tools}


class ByFirstLetter:
    """An encoder to whom texts are alike that begin with one letter."""

    signature = "first-letter"

    def vectors(self, texts: Sequence[str]) -> SparseVectors:
        return fit("abcdefghijklmnopqrstuvwxyz").vectors([text.strip()[:1].lower() for text in texts])

    def cosine(self, a: str, b: str) -> float:
        return float(a.strip()[:1].lower() == b.strip()[:1].lower())


def test_a_pool_is_the_gold_tool_and_its_nearest() -> None:
    """Those of a positive cosine, at most k, whatever the retriever makes of the opening."""
    near = nearest(bundled().tools, K)
    for dialogue in kept():
        gold = bundled().by_name[notes_of(dialogue).gold_tool]
        at = bundled().tools.index(gold)
        expected = {gold.key, *(bundled().tools[one.index].key for one in near[at])}
        assert {tool.key for tool in dialogue.tools} == expected


def test_the_gold_tool_stands_anywhere_in_its_pool() -> None:
    """Each of the six places holds it about equally often."""
    places = Counter([tool.name for tool in one.tools].index(notes_of(one).gold_tool) for one in kept())
    assert set(places) == set(range(K + 1))
    assert max(places.values()) < 1.5 * min(places.values())


def test_the_retriever_returns_the_gold_tool_for_every_opening() -> None:
    """Within the first k + 1; dialogues without are rejected as such."""
    assert kept()
    assert all(len(notes_of(one).retrieved) == K + 1 for one in kept())
    assert all(notes_of(one).gold_tool in {found.name for found in notes_of(one).retrieved} for one in kept())
    lost = [made for made in planned() if made.issues and made.issues[0].code == "seed_tool_not_retrieved"]
    assert all(notes_of(one.dialogue).gold_tool not in str(notes_of(one.dialogue).retrieved) for one in lost)


def test_an_encoder_changes_the_pool() -> None:
    """Of two catalogues' plans with different encoders the pools differ, and are those of the encoder."""
    shop = DialogueWorkshop(bundled(), DiaforgeOptions(), SEED, encoder=ByFirstLetter())
    other = [diaforge_scenario(shop, index) for index in range(30)]
    assert any(keys(one) != keys(diaforge_scenario(workshop(), one.index)) for one in other)
    for scenario in other:
        assert len({tool.name[0].lower() for tool in scenario.tools}) == 1


def test_without_look_alikes_no_near_duplicate_is_shown() -> None:
    """Neither the nearest nor any tool of a composite similarity of .70."""
    encoder, near = description_encoder(bundled().tools), nearest(bundled().tools, K)
    made = kept(150, NO_LOOK_ALIKES)
    assert sum(len(dialogue.tools) > K for dialogue in made) > 100
    for dialogue in made:
        gold = bundled().by_name[notes_of(dialogue).gold_tool]
        others = [bundled().by_key[tool.key] for tool in dialogue.tools if tool.key != gold.key]
        assert not any(is_near(pair_similarity(gold, other, encoder).score) for other in others)
        assert not {bundled().tools[one.index] for one in near[bundled().tools.index(gold)]} & set(others)


def test_a_tool_without_look_alikes_has_no_dialogue() -> None:
    """Nothing is to be told apart where no other tool shares a word with it; the ablation keeps it."""
    one = Tool(name="cancel_order", description="Cancel an order.")
    alone = Catalog(tools=(one, Tool(name="xyz", description="Zyx wvu.")))
    made = make(DialogueWorkshop(alone, DiaforgeOptions(), SEED), range(4))
    assert [len(each.dialogue.tools) for each in made] == [1] * 4
    assert "no_look_alike" in {issue.code for each in made for issue in each.issues}
    (single,) = make(DialogueWorkshop(Catalog(tools=(one,)), NO_LOOK_ALIKES, SEED), [0])
    assert not single.issues


def test_where_no_tool_fits_the_pool_is_as_large() -> None:
    """It holds k + 1 others, so that its size gives nothing away."""
    found = planned(20, DiaforgeOptions(no_tool_share=1.0))
    assert len(found) == 20
    for made in found:
        assert len(made.dialogue.tools) == K + 1
        assert notes_of(made.dialogue).gold_tool not in {tool.name for tool in made.dialogue.tools}


@pytest.mark.parametrize("pool", ["dialogue", "all", "20"])
def test_the_model_sees_the_pool_asked_for(pool: str) -> None:
    """The own tools, all of the catalogue, or the gold tool among its nearest; always with the gold tool."""
    shown = shown_pools(bundled(), StaticOptions(pool=pool))
    sizes = {"dialogue": K + 1, "all": len(bundled().tools), "20": 20}
    for dialogue in kept()[:20]:
        tools = shown(dialogue)
        assert len(tools) == sizes[pool]
        assert {tool.key for tool in dialogue.tools} <= {tool.key for tool in tools}
    first = [shown(one)[0].name == notes_of(one).gold_tool for one in kept()[:200]]
    assert sum(first) < 100


def test_the_gold_tool_is_hidden_where_no_tool_fits() -> None:
    """From the whole catalogue, and from a larger pool."""
    dialogues = kept(20, DiaforgeOptions(no_tool_share=1.0))
    for pool in ("all", "20"):
        shown = shown_pools(bundled(), DynamicOptions(pool=pool))
        assert all(notes_of(one).gold_tool not in {tool.name for tool in shown(one)} for one in dialogues)


def test_a_pool_needs_a_gold_tool() -> None:
    """Dialogues without one can be shown with their own tools only."""
    chat = msgspec.structs.replace(kept()[0], scenario=None, tasks=())
    STATIC.check(chat, (), StaticOptions())
    with pytest.raises(BadInput, match="not one gold tool"):
        STATIC.check(chat, (), StaticOptions(pool="all"))


@pytest.mark.parametrize("pool", ["", "0", "none", "-1", "1.5"])
def test_other_pools_are_refused(pool: str) -> None:
    """A pool is `dialogue`, `all` or a number."""
    with pytest.raises(BadOption, match="pool"):
        read_options(DYNAMIC, {"pool": pool})


def transcripts(pool: str, model: str) -> list[Transcript]:
    """What a builtin model does with some dialogues in the dynamic protocol."""
    options = msgspec.to_builtins(read_options(DYNAMIC, {"pool": pool}))
    setting = Setting(protocol=DYNAMIC.version, options=options, model=model)
    job = EvaluationJob(DYNAMIC, setting, bundled(), kept()[:30])

    async def all_of_them() -> list[bytes]:
        return [
            await job.run(index, Context.detached(item, seed=1, models=job.models(index)))
            for index, item in enumerate(job.ids)
        ]

    return [from_line(line, Transcript, where="run") for line in asyncio.run(all_of_them())]


def test_the_user_answers_for_the_own_pool() -> None:
    """An oracle is right in any pool, and the first words of its user are the same in all."""
    own, whole = transcripts("dialogue", "builtin/oracle"), transcripts("all", "builtin/oracle")
    assert [one.turns[0] for one in own] == [one.turns[0] for one in whole]
    assert {one.ended for one in whole} == {"call"}


def test_the_pool_is_in_the_signature() -> None:
    """Figures of another pool are other figures."""
    found = transcripts("20", "builtin/oracle")
    by_id = {dialogue.id: dialogue for dialogue in kept()[:30]}
    for pool in ("dialogue", "20"):
        scoring = Scoring(run="r", model="m", protocol=DYNAMIC.version, seed=1, data="d", options={"pool": pool})
        rows = DYNAMIC.score(by_id, bundled().by_key, found, failed=(), scoring=scoring)
        assert all(("pool:20" in row.signature) == (pool == "20") for row in rows)
        assert rows[0].value == 1.0
