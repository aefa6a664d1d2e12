"""Attacks on what papers, training data, reviews and servers read."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import random
import socket
import socketserver
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cinema_dialogues import record_of, text_of
from hostile import HOSTILE, Check, Mutations, changed, line, places
from state_corpora import THREE
from test_published_rounds import small

from callwright.papers.tooldial.act_grammar import sequences
from fake_server import completion
from serving import serving

# -- files of published corpora --------------------------------------------------------------------------------------

_SLOT = {"name": "city", "description": "The city.", "is_categorical": True, "possible_values": ["Oslo", "Rome"]}
_INTENT = {
    "name": "GetWeather", "description": "Weather.", "is_transactional": False, "required_slots": ["city"],
    "optional_slots": {"day": "today"}, "result_slots": ["city", "day"],
}  # fmt: skip
SERVICES = [
    {
        "service_name": "Weather_1", "description": "Weather of cities.", "intents": [_INTENT],
        "slots": [_SLOT, {**_SLOT, "name": "day", "is_categorical": False, "possible_values": []}],
    }
]  # fmt: skip
_FRAME = {
    "service": "Weather_1",
    "slots": [{"slot": "city", "start": 15, "exclusive_end": 19}],
    "actions": [{"act": "INFORM", "slot": "city", "values": ["Oslo"], "canonical_values": ["Oslo"]}],
    "state": {"active_intent": "GetWeather", "requested_slots": [], "slot_values": {"city": ["Oslo"]}},
}
_ANSWERED = {
    "service": "Weather_1",
    "slots": [],
    "actions": [{"act": "OFFER", "slot": "day", "values": ["today"], "canonical_values": ["today"]}],
    "service_call": {"method": "GetWeather", "parameters": {"city": "Oslo"}},
    "service_results": [{"city": "Oslo", "day": "today"}],
}
_SGD = {
    "dialogue_id": "1_1",
    "services": ["Weather_1"],
    "turns": [
        {"speaker": "USER", "utterance": "The weather in Oslo?", "frames": [_FRAME]},
        {"speaker": "SYSTEM", "utterance": "It is fine today.", "frames": [_ANSWERED]},
    ],
}
_V22 = {
    "dialogue_id": "A.json",
    "services": ["hotel"],
    "turns": [
        {
            "turn_id": "0", "speaker": "USER", "utterance": "hi",
            "frames": [{"service": "hotel", "state": {"slot_values": {"hotel-area": ["east", "the east"]}}}],
        },
        {"turn_id": "1", "speaker": "SYSTEM", "utterance": "ok", "frames": []},
    ],
}  # fmt: skip
_BELIEF = [{"act": "inform", "slots": [["area", "east"]]}]
WOZ = {
    "dialogue_idx": 0,
    "dialogue": [{"transcript": "in the east", "system_transcript": "", "belief_state": _BELIEF, "turn_idx": 0}],
}
_CAMREST = {
    "dialogue_id": 0,
    "dial": [
        {"turn": 0, "usr": {"transcript": "in the east", "slu": _BELIEF}, "sys": {"sent": "Here.", "DA": ["name"]}}
    ],
}
_METADATA = {"hotel": {"semi": {"area": "east|west", "name": "not mentioned"}, "book": {"booked": [], "day": ""}}}
_MULTIWOZ = {
    "MUL1.json": {
        "goal": {"hotel": {"info": {"area": "East"}, "reqt": ["phone", "stars"], "book": {"day": "monday"}}},
        "log": [{"text": "hi"}, {"text": "a", "metadata": _METADATA}] * 2,
    }
}
_STATE = {"hotel": {"area": "east"}}
_SAID = {
    "mul1": [
        {"response": "[hotel_name] in the [hotel_area]", "state": _STATE, "active_domains": ["hotel"]},
        {"response": "call [hotel_phone]", "state": _STATE, "active_domains": ["hotel"]},
    ]
}
_ROWS = {
    "hotel": [{"id": "h1", "area": "east", "name": "a b", "stars": "4"}, {"id": "h2", "area": "west", "name": "c"}],
    "restaurant": [{"id": "r", "name": "x", "food": "thai", "pricerange": "cheap"}],
    "attraction": [{"id": "a", "name": "x", "type": "park"}],
    "train": [{"trainID": "TR1", "day": "monday", "departure": "ely", "leaveAt": "09:15", "arriveBy": "10:00"}],
}


def corpora(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield files of published corpora, databases and recorded responses with one place changed."""
    acts = sorted(sequences(), key=len)[-1]
    group = small(home / "m")
    tool_docs, rounds = (json.loads((group / name).read_text()) for name in ("tool_docs.json", "round_2.json"))
    edges = {"nodes": tool_docs["functions"], "links": [{"source": 0, "target": 0, "weight": 1.0}]}
    files: dict[str, dict[str, Any]] = {
        "tooldial": {"m/x.json": [record_of(acts)]},
        "tooldial text": {"m/x.json": [text_of(record_of(acts))]},
        "dice": {"m/tool_docs.json": tool_docs, "m/round_2.json": rounds, "m/tool_graph.json": edges},
        "multiwoz": {"m/x.json": {"A": THREE}, "m/schema.json": SERVICES},
        "multiwoz 2.2": {"m/x.json": [_V22]},
        "sgd": {"m/x.json": [_SGD], "m/schema.json": SERVICES},
        "woz": {"m/x.json": [WOZ]},
        "camrest": {"m/x.json": [_CAMREST]},
        "score": {"m/x.json": _SAID, "m/d.json": _MULTIWOZ, **{f"m/{of}_db.json": own for of, own in _ROWS.items()}},
    }
    score = ("score", "multiwoz", "m/x.json", "--data", "m/d.json", "--db", "m")
    pools = [(name, file, Mutations(value, rng)) for name, own in files.items() for file, value in own.items()]
    while True:
        for name, file, pool in pools:
            what, new = pool.next()
            argv = ("read", name.split()[0], "m" if name == "dice" else "m/x.json", "-o", "out")
            if name == "multiwoz" and file.endswith("schema.json"):
                argv = (*argv, "--schema", "m/schema.json")
            if name == "score":
                argv = (*score, *rng.choice(((), ("--json",), ("--domains", "estimated"), ("--domains", "slots"))))
            written = {one: line(value) for one, value in files[name].items()} | {file: line(new)}
            yield Check("corpus", argv, written, f"{name} {file}: {what}")


def write_corpora(home: Path) -> None:
    """Write small corpora that datasets of the fixture are read from."""
    (home / "mwz.json").write_text(json.dumps({"A": THREE}))
    (home / "woz.json").write_text(json.dumps([WOZ, {**WOZ, "dialogue_idx": 1}]))
    (home / "db").mkdir()
    for domain, rows in _ROWS.items():
        (home / "db" / f"{domain}_db.json").write_text(json.dumps(rows))
    (home / "sets").mkdir()


# -- datasets and runs of papers -------------------------------------------------------------------------------------

LOOKS: tuple[tuple[str, ...], ...] = (
    ("show", "m"),
    ("measure", "m"),
    ("split", "m", "-o", "out"),
    ("review", "m", "--list"),
    ("export", "m", "--as", "trl", "-o", "out"),
    ("export", "m", "--as", "axolotl", "-o", "out"),
    ("export-env", "m", "--as", "inspect", "-o", "out"),
    ("judge", "m", "--judge", "openai/x", "--base-url", "http://127.0.0.1:9/v1", "--dry-run"),
)


def _eval(protocol: str, *more: str, model: str = "oracle") -> tuple[str, ...]:
    return ("eval", "m", "--protocol", protocol, "--model", f"builtin/{model}", "-o", "out", *more)


PAPER_DATA: dict[str, tuple[tuple[str, ...], ...]] = {
    "td": (
        _eval("tooldial"),
        _eval("tooldial", "--task", "act", "--history", "none"),
        _eval("tooldial", "--task", "overall", "--history", "own"),
        _eval("tooldial", "--task", "faithfulness"),
        ("export", "m", "--format", "tooldial", "-o", "out"),
        ("export", "m", "--as", "openai", "--protocol", "tooldial", "-o", "out"),
        ("graph", "show", "m/graph.json"),
    ),
    "chats": (
        _eval("dice"),
        _eval("dice", "--top-tools", "2", model="retriever"),
        ("export", "m", "--format", "dice", "-o", "out"),
    ),
    "mds": (_eval("fnctod"), _eval("fnctod", "--one-step", "--spec", "text"), _eval("tod", "--db", "db")),
    "sets/woz": (_eval("fnctod", model="stated"), ("read", "fnctod-mix", "m", "-o", "out")),
    "ds": (
        _eval("dynamic", "--pool", "all"),
        _eval("static", "--pool", "3"),
        ("export", "m", "--as", "sharegpt", "--protocol", "static", "-o", "out"),
        ("export-env", "m", "--as", "trl-grpo", "-o", "out"),
    ),
    "wds": (_eval("static", model="eager"), ("export", "m", "--as", "ms-swift", "--slices", "dialogue", "-o", "out")),
}


def paper_datasets(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield datasets of each paper with one place of a dialogue, the catalogue or the graph changed."""
    pools = []
    for name in PAPER_DATA:
        for file in ("dialogues.jsonl", "catalog.json", "graph.json"):
            if (home / name / file).exists():
                text = (home / name / file).read_text()
                pools.append(
                    (name, file, Mutations(json.loads(text.splitlines()[0] if file.endswith("l") else text), rng))
                )
    while True:
        for name, file, pool in pools:
            what, new = pool.next()
            kept = ("dialogues.jsonl", "catalog.json", "graph.json")
            files = {f"m/{one}": (home / name / one).read_bytes() for one in kept if (home / name / one).exists()}
            files[f"m/{file}"] = line(new)
            for argv in (rng.choice(PAPER_DATA[name]), rng.choice(LOOKS)):
                yield Check("paper", argv, files, f"{name} {file}: {what}")


OF_RUNS: tuple[tuple[str, ...], ...] = (
    ("report", "m"),
    ("report", "m", "--json"),
    ("report", "m", "--by", "tool", "--items", "out.jsonl"),
    ("show", "m", "--wrong"),
    ("confusions", "m"),
    ("score", "m"),
    ("measure", "m"),
    ("export", "m", "--as", "inspect-log", "-o", "out"),
)
_CHANGED = (
    ("SELECT value FROM outcomes", "UPDATE outcomes SET value = ? WHERE position = 0"),
    ("SELECT item FROM items", "UPDATE items SET item = ? WHERE position = 0"),
    (
        "SELECT value FROM meta WHERE key = 'config'",
        "UPDATE meta SET value = CAST(? AS TEXT) WHERE key = 'config'",
    ),
    ("SELECT reply FROM replies", "UPDATE replies SET reply = ? WHERE position = 0"),
)


def paper_runs(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield runs of each protocol with one place of a transcript, an item, the configuration or a reply changed."""
    pools = []
    for name in ("trun", "crun", "mrun", "drun", "brun"):
        with contextlib.closing(sqlite3.connect(home / name / "run.db")) as rows:
            task = rows.execute("SELECT id FROM items").fetchone()[0]
            for query, statement in _CHANGED:
                if row := rows.execute(query).fetchone():
                    pools.append((name, task, statement, Mutations(json.loads(row[0]), rng)))
    while True:
        for name, task, statement, pool in pools:
            what, new = pool.next()
            with contextlib.closing(sqlite3.connect(home / "out.db")) as rows:
                with contextlib.closing(sqlite3.connect(home / name / "run.db")) as original:
                    original.backup(rows)
                rows.execute(statement, (line(new).rstrip(),))
                rows.commit()
            content = (home / "out.db").read_bytes()
            argv = rng.choice((*OF_RUNS, ("show", "m", task), ("explain", "m", task), ("show", "m", task, "--sent")))
            yield Check("paper run", argv, {"m/run.db": content}, f"{name} {statement[:14]} {what}")


# -- training data, labels, marks, figures ---------------------------------------------------------------------------

_CHAT_TEMPLATES = (
    "",
    "{{",
    "{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}",
    "{{ 'a' * 10**10 }}",
    "{% for a in range(10**9) %}x{% endfor %}",
    "{{ messages[0].__class__.__mro__ }}",
    "{{ raise_exception('" + "x" * 10_000 + "') }}",
    "(" * 5_000 + "{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}",
    "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
    "{% include '/etc/passwd' %}",
    "{{ tools | tojson }}" * 50,
    "{% generation %}{{ messages }}{% endgeneration %}",
    "{{ 9**9**9 }}",
    "{% set ns = namespace(s='aaaaaaaaaa') %}{% for _ in '"
    + "x" * 60
    + "' %}{% set ns.s = ns.s + ns.s %}{% endfor %}{{ ns.s }}",
    "{{ 'x'.ljust(10**10) }}",
    HOSTILE,
)


def training(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield exports with one place changed, hostile chat templates and tokenizers."""
    folders = ("e-trl", "e-openai", "e-sharegpt")
    files = {
        (folder, path.name): path.read_text()
        for folder in folders
        for path in (home / folder).iterdir()
        if path.is_file()
    }
    pools = [
        (folder, name, Mutations(json.loads(text.splitlines()[0] if name.endswith("l") else text), rng))
        for (folder, name), text in files.items()
        if name.endswith((".json", ".jsonl"))
    ]
    while True:
        for folder, name, pool in pools:
            what, new = pool.next()
            written = {f"m/{one}": text.encode() for (of, one), text in files.items() if of == folder}
            written[f"m/{name}"] = line(new)
            template = ("--template", "qwen3") if rng.random() < 0.5 else ()
            yield Check("training", ("verify-export", "m", *template), written, f"{folder} {name}: {what}")
            hostile, tokenizer = rng.choice(_CHAT_TEMPLATES), rng.choice((b"", b"{}", b"[", line(new), b"\xff" * 99))
            written = {"m/t.jinja": hostile.encode(), "m/tokenizer.json": tokenizer}
            more = rng.choice(((), ("--tokenizer", "m"), ("--max-length", "5")))
            argv = ("verify-export", folder, "--template", "m/t.jinja", *more)
            yield Check("training", argv, written, f"template {hostile[:40]!r}")


def marks(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield marks of reviews, labels of edges and figures of studies with one place changed."""
    pools: list[tuple[str, str, Mutations]] = []
    for path in sorted((home / "rds" / ".review").iterdir()):
        if path.name.endswith("jsonl"):
            pools.append(("rds", f".review/{path.name}", Mutations(json.loads(path.read_text().splitlines()[0]), rng)))
    graph = json.loads((home / "graph.json").read_text())
    label = {
        "from": "send_invoice",
        "output": "/id",
        "to": "approve_invoice",
        "input": "code",
        "valid": True,
        "by": "x",
    }
    labels = Mutations(label, rng)
    of_review: tuple[tuple[str, ...], ...] = (
        ("review", "m", "--list"),
        ("review", "m", "--json"),
        ("review", "m", "--mark", "d", "right", "--by", HOSTILE),
        ("export", "m", "--format", "diaforge", "--reviewed", "-o", "out"),
        ("eval", "m", "--protocol", "static", "--model", "builtin/eager", "--reviewed", "-o", "out"),
    )
    cells = ("1", "2.5", "nan", "inf", "1e400", "", "x", HOSTILE, "1,2", '"', "-0", "\x00", "9" * 5_000)
    while True:
        for data, name, pool in pools:
            what, new = pool.next()
            paths = [path for path in sorted((home / data).rglob("*")) if path.is_file() and ".run" not in path.parts]
            files = {f"m/{path.relative_to(home / data).as_posix()}": path.read_bytes() for path in paths}
            yield Check("marks", rng.choice(of_review), {**files, f"m/{name}": line(new)}, f"{name}: {what}")
        what, new = labels.next()
        files = {"m/l.jsonl": line(new), "m/graph.json": line(graph)}
        yield Check("marks", ("graph", "evaluate", "m/graph.json", "--labels", "m/l.jsonl"), files, f"label: {what}")
        rows = "\n".join(",".join(rng.choice(cells) for _ in range(rng.choice((1, 2, 2, 2, 3)))) for _ in range(4))
        argv = ("study", "correlate", "m/p.csv", *rng.choice(((), ("--json",))))
        yield Check("marks", argv, {"m/p.csv": f"1,2\n2,3\n3,5\n{rows}".encode("utf-8", "replace")}, ascii(rows))


# -- servers ---------------------------------------------------------------------------------------------------------


class _Answering(socketserver.ThreadingTCPServer):
    """A server that answers every request with the bytes it holds."""

    daemon_threads = True
    answer = b""


class _Connection(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        server: Any = self.server
        self.request.settimeout(5)
        with contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                part = self.request.recv(65_536)
                if not part:
                    return
                head += part
            head, _, body = head.partition(b"\r\n\r\n")
            length = next(
                (int(one[15:]) for one in head.lower().split(b"\r\n") if one.startswith(b"content-length")), 0
            )
            while len(body) < length and (part := self.request.recv(65_536)):
                body += part
            self.request.sendall(server.answer)


@contextlib.contextmanager
def _answering() -> Iterator[tuple[str, Callable[[bytes], None]]]:
    server = _Answering(("127.0.0.1", 0), _Connection)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", lambda content: setattr(server, "answer", content)
    finally:
        server.shutdown()
        server.server_close()


_CALL = {"id": "c1", "type": "function", "function": {"name": "x", "arguments": '{"a": 1}'}}
_TEXTS = (
    "Hello.",
    '{"thought": "x", "text": "y", "question": "z", "answer": 3, "score": 3, "verdict": "yes"}',
    '<tool_call>{"name": "x", "arguments": {"a": 1}}</tool_call>',
    HOSTILE,
    "{" * 50_000,
    "<tool_call>" * 20_000,
    "\n" * 200_000,
    "9" * 100_000,
    "\ud800",
    "",
)


def _bodies(rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """Yield answers of a server, as bytes."""
    pools = [
        Mutations(completion(content="Hello.", tool_calls=[_CALL], reasoning_content="Hm."), rng),
        Mutations(completion(content="Hello."), rng),
        Mutations({"error": {"message": f"no {HOSTILE}", "code": "x", "type": "y", "param": None}}, rng),
    ]
    heads = (
        "200 OK",
        "200 OK",
        "200 OK",
        "400 Bad",
        "401 No",
        "404 No",
        "429 Later",
        "500 Down",
        "302 Moved",
        "999 \x1b",
    )
    while True:
        for pool in pools:
            what, new = pool.next()
            yield what, _answer(rng.choice(heads), line(new))
        text = rng.choice(_TEXTS)
        yield f"says {text[:20]!r}", _answer("200 OK", line(completion(content=text)))
        odd = (b"", b"\x00" * 9_999, b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}")
        chunked = (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"2;" + b"x" * 300_000 + b"\r\n{}\r\n0\r\n\r\n"
        )
        twice = _answer("200 OK", line(completion(content="a"))) * 2
        moved = _answer("302 Found", b"", "Location: file:///etc/passwd\r\n")
        yield "odd bytes", rng.choice((*odd, chunked, twice, moved, b"HTTP/1.1 200 OK\r\nX: " + b"y" * 10**6))


def _answer(status: str, body: bytes, more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode("latin-1") + body


def servers(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield commands whose model is behind a hostile server."""
    from callwright.models import openai

    openai.pause = lambda *_, **__: 0.0  # type: ignore[assignment]  # retries without waiting
    with _answering() as (url, hold):
        at = ("--base-url", url)
        model = ("--model", "openai/x", *at, "--timeout", "5")
        commands: tuple[tuple[str, ...], ...] = (
            ("models", "check", "openai/x", *at, "--timeout", "5"),
            ("eval", "ds", "--protocol", "static", *model, "-o", "out", "--limit", "1"),
            ("eval", "ds", "--protocol", "dynamic", *model, "-o", "out", "--limit", "1"),
            ("eval", "wds", "--protocol", "wild", *model, "-o", "out", "--limit", "1"),
            ("eval", "td", "--protocol", "tooldial", *model, "-o", "out", "--limit", "1", "--calling", "prompted"),
            ("eval", "chats", "--protocol", "dice", *model, "-o", "out", "--limit", "1", "--calling", "schema"),
            ("eval", "mds", "--protocol", "fnctod", *model, "-o", "out", "--limit", "1"),
            (
                "synth",
                "diaforge",
                "small.json",
                "-n",
                "1",
                "--author",
                "openai/x",
                *at,
                "--no-distractors",
                "-o",
                "out",
            ),
            ("judge", "run", "--judge", "openai/x", *at, "--criteria", "relevancy", "--limit", "1"),
            ("graph", "evaluate", "graph.json", "--judge", "openai/x", *at, "--sample", "1"),
            ("optimise", "rds", "--model", "openai/x", *at, "--budget-calls", "20", "-o", "out"),
        )
        for what, content in _bodies(rng):
            hold(content)
            argv = rng.choice(commands)
            if argv[0] in ("judge", "graph"):  # they keep verdicts beside what they judge
                files = {f"m/{path.name}": path.read_bytes() for path in (home / "ds").iterdir() if path.is_file()}
                files["m/graph.json"] = (home / "graph.json").read_bytes()
                argv = tuple({"run": "m", "graph.json": "m/graph.json"}.get(word, word) for word in argv)
                yield Check("server", (*argv, "--catalog", "small.json") if argv[0] == "graph" else argv, files, what)
            else:
                yield Check("server", argv, {}, what)


_ASKED = {
    "model": "any",
    "messages": [
        {"role": "system", "content": "Help."},
        {"role": "user", "content": "Please delete file 77."},
        {"role": "assistant", "content": None, "tool_calls": [_CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "{}"},
        {"role": "user", "content": [{"type": "text", "text": "And file 78."}]},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "delete_file",
                "description": "Delete a file.",
                "parameters": {
                    "type": "object",
                    "properties": {"file_id": {"type": "integer", "minimum": 1}, "why": {"type": "string"}},
                    "required": ["file_id"],
                },
            },
        }
    ],
    "tool_choice": "auto",
    "temperature": 0.5,
    "max_tokens": 50,
    "stream": False,
    "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}},
}
_HEADS = (
    "GET / HTTP/9\r\n\r\n", "\x00\x01\r\n\r\n", "POST /v1/chat/completions HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "POST /v1/chat/completions HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET /v1/models HTTP/1.1\r\nHost: \x1b\r\n\r\n",
    "POST /v1/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", "GET " + "a" * 20_000,
    "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
)  # fmt: skip


def requests(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield requests to `callwright serve`, malformed and hostile."""
    pool = Mutations(_ASKED, rng)
    with contextlib.ExitStack() as stack:
        models = ("builtin/retriever", "builtin/author", "builtin/eager", "builtin/user")
        urls = [stack.enter_context(serving(model))[0] for model in models[:3]]
        while True:
            for url in urls:
                what, new = pool.next()
                yield Check("serve", ("serve",), {}, f"request: {what}", _asking(url, line(new)))
            head = rng.choice(_HEADS)
            yield Check("serve", ("serve",), {}, f"head {head[:50]!r}", _asking(rng.choice(urls), b"", head))


def _asking(url: str, body: bytes, head: str = "") -> Callable[[], tuple[int, str, str]]:
    """Return what sends a request, and tells a reply as a command would: 0 for a result, 2 for a clear error."""
    place = urlsplit(url)
    usual = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost:{place.port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )

    def act() -> tuple[int, str, str]:
        logged, said = io.StringIO(), b""
        handler = logging.StreamHandler(logged)
        logging.getLogger().addHandler(handler)
        try:
            with (
                contextlib.redirect_stderr(logged),
                socket.create_connection((place.hostname, place.port)) as connection,
            ):
                connection.settimeout(1.0 if head else 60)
                connection.sendall((head or usual).encode("latin-1") + body)
                with contextlib.suppress(TimeoutError, ConnectionError):
                    while part := connection.recv(65_536):
                        said += part
        finally:
            logging.getLogger().removeHandler(handler)
        return _told(said, logged.getvalue(), malformed=bool(head))

    return act


def _told(said: bytes, logged: str, *, malformed: bool) -> tuple[int, str, str]:
    status = said[9:12].decode("ascii", "replace")
    if status == "200" or (malformed and not said):
        return 0, "", logged
    if status[:1] == "4":
        return 2, "callwright: " + status, logged
    return 2, f"status {status}: {said[:500]!r}", logged or f"status {status}: {said[:500]!r}"


# -- hostile text in every place at once -----------------------------------------------------------------------------


def texts(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield datasets in which every free text is hostile, for every command that prints."""
    free = {"text", "description", "message", "name_of_user", "persona", "thought", "code", "hiding", "speaker"}
    while True:
        for name in ("ds", "wds", "td", "chats", "mds"):
            dialogue = json.loads((home / name / "dialogues.jsonl").read_text().splitlines()[0])
            catalog = json.loads((home / name / "catalog.json").read_text())
            for path in [one for one in places(dialogue) if one[-1] in free and rng.random() < 0.5]:
                with contextlib.suppress(KeyError, IndexError, TypeError):
                    dialogue = changed(dialogue, path, HOSTILE)
            files = {"m/dialogues.jsonl": line(dialogue), "m/catalog.json": line(catalog)}
            for argv in (*LOOKS, *PAPER_DATA[name]):
                yield Check("text", argv, files, f"{name}: hostile texts")


AREAS = {
    "corpus": corpora,
    "paper": paper_datasets,
    "paper run": paper_runs,
    "training": training,
    "marks": marks,
    "server": servers,
    "serve": requests,
    "text": texts,
}
