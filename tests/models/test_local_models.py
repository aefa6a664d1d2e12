"""Models in this process: their names, their files, and a real small model that is loaded and asked."""

from __future__ import annotations

import asyncio
import json
import shutil
import struct
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from callwright import evaluate_model, judge_dataset, synthesize
from callwright.app.model_checks import check_model
from callwright.errors import BadInput, BadOption, RolloutFailed
from callwright.models import local_models
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.models.decoding import Decoding
from callwright.models.endpoint import Endpoint, is_served, read_endpoint
from callwright.models.keys import ApiKey
from callwright.models.local_models import LocalModel, LocalSettings, open_local
from callwright.models.openai import ServedModel
from callwright.models.prices import read_prices
from callwright.models.transport import close_connections
from hand_sessions import SINGLE, session, write_sessions
from room_talks import CATALOG, SEED
from smollm import weights

SMALL = LocalSettings(context=512, threads=1)


@pytest.fixture(scope="module")
def endpoint() -> Endpoint:
    return read_endpoint(f"local/{weights()}", local=SMALL)


async def ask(endpoint: Endpoint, *requests: ChatRequest, seed: int = 1, most: int = 12) -> list[ChatReply]:
    model = ServedModel(endpoint, key=ApiKey.from_environment(endpoint), decoding=Decoding(max_tokens=most))
    try:
        return list(await asyncio.gather(*(model.reply(request, Random(seed)) for request in requests)))
    finally:
        await close_connections()


def gguf(path: Path, head: bytes) -> Path:
    path.write_bytes(b"GGUF" + head)
    return path


def test_a_name_tells_weights_and_settings_and_no_path(tmp_path: Path, endpoint: Endpoint) -> None:
    copied = shutil.copy(weights(), tmp_path / "other.gguf")
    assert read_endpoint(f"local/{copied}", local=SMALL).name == endpoint.name
    assert str(weights().parent) not in endpoint.name
    assert "sha256:b179c9523d0e6a0f" in endpoint.name
    assert "context 512, threads 1" in endpoint.name
    assert is_served(endpoint.name)
    assert not endpoint.is_openai


def test_another_template_context_or_thread_makes_another_name(tmp_path: Path, endpoint: Endpoint) -> None:
    template = tmp_path / "template.jinja"
    template.write_text("{{ messages[0].content }}")
    others = [
        LocalSettings(context=1024, threads=1),
        LocalSettings(context=512, threads=2),
        LocalSettings(context=512, threads=1, chat_template=template),
    ]
    names = {read_endpoint(f"local/{weights()}", local=other).name for other in others}
    assert len(names | {endpoint.name}) == 4


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.gguf"
    text.write_text("no model")
    with pytest.raises(BadInput, match="no GGUF file"):
        open_local(f"local/{text}")
    with pytest.raises(BadInput, match="cannot be read"):
        open_local(f"local/{tmp_path / 'absent.gguf'}")


def test_a_file_that_was_cut_off_is_refused_when_it_is_loaded(tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(weights().read_bytes()[:1_000_000])
    with pytest.raises(BadInput, match="cannot load"):
        asyncio.run(open_local(f"local/{cut}", SMALL).url())


@pytest.mark.parametrize(
    ("length", "text", "title"),
    [(5, b"Tiny1", "Tiny1@"), (2**60, b"Endless", "Endless@"), (9, b"a/../b\n c", "a-..-b-c@"), (0, b"", "")],
)
def test_the_title_in_the_file_is_bounded_and_holds_no_path(
    tmp_path: Path, length: int, text: bytes, title: str
) -> None:
    file = gguf(tmp_path / "x.gguf", local_models._TITLE + struct.pack("<Q", length) + text)
    assert open_local(f"local/{file}", SMALL).name.startswith(f"local/{title}sha256:")


def test_a_title_that_ends_within_its_length_is_read(tmp_path: Path) -> None:
    file = gguf(tmp_path / "y.gguf", local_models._TITLE + b"\x01")
    assert open_local(f"local/{file}", SMALL).name.startswith("local/sha256:")


@pytest.mark.parametrize("settings", [{"context": 10}, {"threads": 0}])
def test_settings_that_cannot_work_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(BadOption):
        LocalSettings(**settings)


def test_settings_of_local_models_need_one() -> None:
    with pytest.raises(BadOption, match="local models only"):
        evaluate_model("ds", "static", model="builtin/eager", out="run", context=512)


def test_requests_at_once_load_the_model_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second waits for the first: ending a second server would wait for ever for its connections."""
    started: list[object] = []

    class Started:
        listening_address = "http://127.0.0.1:1"

    def load(self: LocalModel) -> Started:
        time.sleep(0.05)
        started.append(self)
        return Started()

    monkeypatch.setattr(LocalModel, "_load", load)
    model = open_local(f"local/{gguf(tmp_path / 'once.gguf', b'once')}", SMALL)

    async def urls() -> list[str]:
        return list(await asyncio.gather(*(model.url() for _ in range(8))))

    assert asyncio.run(urls()) == ["http://127.0.0.1:1/v1"] * 8
    assert len(started) == 1


def test_a_real_model_keeps_to_a_schema_and_its_seed(endpoint: Endpoint) -> None:
    schema = '{"properties":{"city":{"enum":["Rome","Oslo"]}},"required":["city"],"type":"object"}'
    said = ChatRequest((Message("user", "Name a city."),))
    shaped = ChatRequest((Message("user", "Name a city."),), reply_schema=schema)  # type: ignore[arg-type]
    first, again, city = asyncio.run(ask(endpoint, said, said, shaped, most=40))
    assert first.content
    assert first.content == again.content
    assert json.loads(city.content)["city"] in ("Rome", "Oslo")
    assert first.tokens_in
    assert first.tokens_out


def test_a_conversation_beyond_the_context_fails_with_its_kind(endpoint: Endpoint) -> None:
    with pytest.raises(RolloutFailed) as raised:
        asyncio.run(ask(endpoint, ChatRequest((Message("user", "word " * 2000),))))
    assert raised.value.kind == "context_too_long"


def test_a_local_model_costs_nothing(endpoint: Endpoint) -> None:
    assert read_prices().usd(endpoint.name, tokens_in=1000, tokens_out=1000) == 0.0


def test_a_run_with_a_real_model_keeps_neither_path_nor_key(tmp_path: Path) -> None:
    synthesize("diaforge", "builtin/enterprise", n=1, out=tmp_path / "ds")
    model = f"local/{weights()}"
    options = {"context": 8192, "threads": 1, "decoding": Decoding(max_tokens=8)}
    result = evaluate_model(tmp_path / "ds", "static", model=model, out=tmp_path / "run", **options)
    assert result.done == 1
    kept = b"".join(path.read_bytes() for path in (tmp_path / "run").iterdir())
    assert b"sha256:b179c9523d0e6a0f" in kept
    assert str(weights()).encode() not in kept
    keys = [one.key.encode() for one in local_models._MODELS.values()]
    assert keys
    assert not any(key in kept for key in keys)


def test_a_real_model_goes_through_every_command_of_make_local(tmp_path: Path) -> None:
    """Its short form: `models check`, one dialogue each of three protocols, and one judgement."""
    synthesize("diaforge", CATALOG, n=1, seed=SEED, out=tmp_path / "ds")
    write_sessions(tmp_path / "sessions", [session(SINGLE)])
    model = f"local/{weights()}"
    options: dict[str, Any] = {"context": 4096, "threads": 1, "decoding": Decoding(max_tokens=8)}
    runs = {
        protocol: evaluate_model(tmp_path / data, protocol, model=model, out=tmp_path / protocol, **more, **options)
        for protocol, data, more in (("static", "ds", {}), ("dynamic", "ds", {"t_max": 1}), ("wild", "sessions", {}))
    }
    judged = judge_dataset(tmp_path / "ds", criteria=("relevancy",), judges=model, **options)
    assert check_model(model).chat
    assert {name: (run.done, run.failed) for name, run in runs.items()} == dict.fromkeys(runs, (1, {}))
    assert (len(judged.judgements), bool(judged.asked)) == (1, True)
