"""Places in a rollout: keyed chance, writing steps, asking."""

from __future__ import annotations

import asyncio
import itertools
from random import Random

import pytest
from engine_jobs import GREETING, EchoModel, request
from hypothesis import given, settings
from hypothesis import strategies as st

from callwright.engine.context import Context, WritingStep
from callwright.engine.randomness import LateStream, stream
from callwright.errors import CallwrightError, UnknownName

keys = st.tuples(st.integers(), st.text(max_size=4), st.text(max_size=4), st.integers(0, 9), st.integers(0, 9))


@settings(deadline=None)
@given(keys, keys)
def test_streams_are_equal_exactly_where_their_keys_are(one: tuple[int, str, str, int, int], two: object) -> None:
    """Seed, item, scope, attempt and trial each tell streams apart, boundaries included."""
    assert isinstance(two, tuple)
    drawn = [stream(*key[:4], trial=key[4]).getrandbits(128) for key in (one, two)]
    assert (drawn[0] == drawn[1]) == (one == two)


def test_a_stream_is_the_same_in_every_process_and_version() -> None:
    """The numbers of a stream are fixed: a change here changes every dataset."""
    assert stream(7, "item", "user/2", 1).getrandbits(64) == 5364120454967644804


def test_every_place_has_its_own_chance() -> None:
    """Items, trials, scopes, attempts and the attempts of places around them draw differently."""
    root = [Context.detached(item, seed=seed, trial=trial) for item in "ab" for seed in (0, 1) for trial in (0, 1)]
    places = [
        *root,
        *(ctx.at("user/1") for ctx in root),
        *(ctx.at("user/1", attempt=1) for ctx in root),
        *(ctx.at("user/1").at("vote") for ctx in root),
        *(ctx.at("user/1", attempt=1).at("vote") for ctx in root),
        *(ctx.at("user").at("1", attempt=2) for ctx in root),
    ]
    assert len({place.rng().getrandbits(128) for place in places}) == len(places)


def test_a_path_may_be_walked_in_steps() -> None:
    """`at("user/2")` and `at("user").at("2")` are one place."""
    ctx = Context.detached("a")
    assert ctx.at("user/2").rng().random() == ctx.at("user").at("2").rng().random()


@pytest.mark.parametrize("scope", ["", "a#b", "a@b", "a~1"])
def test_scopes_that_could_be_confused_are_refused(scope: str) -> None:
    """Empty scopes and the characters that join paths are a programming error."""
    with pytest.raises(CallwrightError, match="a scope must not be empty"):
        Context.detached("a").at(scope)


def test_writing_offline_is_keyed_by_place() -> None:
    """What a step writes depends on the place and the step, not on what was written before."""

    async def write(names: list[str]) -> dict[str, str]:
        ctx = Context.detached("a", seed=3)
        return {name: await ctx.at(name).write(GREETING, name) for name in names}

    written = [asyncio.run(write(list(order))) for order in itertools.permutations(["u1", "u2", "u3"])]
    assert all(texts == written[0] for texts in written)
    assert len({text.split()[1] for text in written[0].values()}) == 3


def test_writing_with_one_step_twice_at_a_place_is_an_error() -> None:
    """Two writings of one place would be the same text; the error says what to do."""

    async def write() -> None:
        ctx = Context.detached("a")
        await ctx.write(GREETING, "x")
        await ctx.at("other").write(GREETING, "x")
        await ctx.write(GREETING, "x")

    with pytest.raises(CallwrightError, match="with another scope or attempt"):
        asyncio.run(write())


def test_asking_a_role_twice_at_a_place_is_an_error() -> None:
    """A place asks a role once an attempt; other roles and attempts are free."""
    model = EchoModel()

    async def ask() -> None:
        ctx = Context.detached("a", models={"model": model, "voter": model})
        await ctx.ask("model", request("x"))
        await ctx.ask("voter", request("x"))
        await ctx.at("again", attempt=1).ask("model", request("x"))
        await ctx.at("again", attempt=2).ask("model", request("x"))
        await ctx.ask("model", request("x"))

    with pytest.raises(CallwrightError, match="a place may ask a role once"):
        asyncio.run(ask())
    assert len(model.asked) == 4


def test_asking_a_role_without_a_model_names_the_known_ones() -> None:
    """A role not named has no model to ask."""
    ctx = Context.detached("a", models={"model": EchoModel()})
    with pytest.raises(UnknownName, match=r"no role with a model is called 'user'\. Known: model"):
        asyncio.run(ctx.ask("user", request("x")))


def test_another_voice_gets_the_step_its_place_and_its_arguments() -> None:
    """A voice may ask the author from the step's own place, and still draw from its chance."""

    class AuthorVoice:
        async def write(self, step: WritingStep[str], ctx: Context, args: tuple[object, ...]) -> str:
            reply = await ctx.ask("author", request(f"{step.name} {args}"))
            return f"{reply.content} at {ctx.scope}"

    author = EchoModel()

    async def write() -> list[str]:
        ctx = Context.detached("a", models={"author": author}, voice=AuthorVoice())
        return [await ctx.at(f"user/{n}").write(GREETING, n) for n in range(2)]

    written = asyncio.run(write())
    assert author.asked == ["test/greeting (0,)", "test/greeting (1,)"]
    assert written[1].endswith(" at user/1#test/greeting")
    assert written[0].split()[2] != written[1].split()[2]


def test_the_same_place_draws_the_same_again() -> None:
    """`rng()` always begins at the start of the place's stream."""
    place = Context.detached("a").at("x")
    assert isinstance(place.rng(), Random)
    assert place.rng().random() == place.rng().random()


def test_a_stream_begun_late_is_the_same_stream() -> None:
    """Whatever is drawn from it; models are handed such streams, and most never draw."""
    late, early = LateStream(7, "item", "scope", 1, 2), stream(7, "item", "scope", 1, trial=2)
    drawn = [
        [chance.random(), chance.choice("abc"), chance.gauss(0, 1), chance.sample(range(50), 4), chance.getrandbits(99)]
        for chance in (late, early)
    ]
    assert drawn[0] == drawn[1]
