"""Counts what a kept dialogue costs at a server: calls, tokens in and out, and what a prefix cache holds of them.

    python tests/long/served_cost.py src              # this version
    python tests/long/served_cost.py ../earlier/src   # another one, such as that of a worktree

`callwright serve builtin/author` of the version answers, and its `synth` asks, one call after another. A token is four
bytes. A prompt is its tools and messages; the part that a cache holds is counted in whole blocks of 128 tokens, which
an earlier prompt of the run begins with.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import aiohttp
from aiohttp import web

sys.path.insert(0, str(Path(__file__).parents[1]))

from fake_server import FakeServer

BYTES_A_TOKEN: Final = 4
BLOCK: Final = 128 * BYTES_A_TOKEN
"""Bytes of a block."""
_N, _SEED = "20", "7"


class Counts:
    """Requests and replies of one run."""

    def __init__(self) -> None:
        self.calls = self.bytes_in = self.bytes_out = self.bytes_cached = 0
        self._held: set[bytes] = set()

    def add(self, prompt: bytes, reply: str) -> None:
        """Count a request with its reply; its whole blocks are held from now on."""
        self.calls += 1
        self.bytes_in += len(prompt)
        self.bytes_out += len(reply.encode())
        ends = range(BLOCK, len(prompt) + 1, BLOCK)
        begins = [hashlib.sha256(prompt[:end]).digest() for end in ends]
        self.bytes_cached += BLOCK * next((at for at, one in enumerate(begins) if one not in self._held), len(begins))
        self._held.update(begins)

    def row(self, kept: int) -> str:
        """Calls, tokens in and out by kept dialogue, and the share that a cache holds."""
        tokens_in, tokens_out = (size / BYTES_A_TOKEN / kept for size in (self.bytes_in, self.bytes_out))
        share = self.bytes_cached / self.bytes_in
        return f"{self.calls / kept:.1f} | {tokens_in:,.0f}, {tokens_out:,.0f} | {share:.0%}"


def prompt_of(body: dict[str, Any]) -> bytes:
    """Return the text of a request: its tools, then each message with its role and calls."""
    parts = [json.dumps(one) for one in body.get("tools") or []]
    for one in body["messages"]:
        calls = json.dumps(one["tool_calls"]) if one.get("tool_calls") else ""
        parts.append(f"{one['role']}\n{one.get('content') or ''}{calls}")
    return "\n".join(parts).encode()


def counting(url: str, counts: Counts) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Answer as the server at `url` does, and count."""

    async def answer(request: web.Request) -> web.Response:
        sent = await request.read()
        async with aiohttp.ClientSession() as session, session.post(f"{url}/chat/completions", data=sent) as got:
            said, status = await got.read(), got.status
        if status == 200:
            message = json.loads(said)["choices"][0]["message"]
            calls = json.dumps(message["tool_calls"]) if message.get("tool_calls") else ""
            reply = f"{message.get('reasoning_content') or ''}{message.get('content') or ''}{calls}"
            counts.add(prompt_of(json.loads(sent)), reply)
        return web.Response(body=said, status=status, content_type="application/json")

    return answer


async def count(source: Path, recipe: str, *more: str) -> str:
    """Return the row of a recipe in the version whose packages lie in `source`."""
    run = [sys.executable, "-m", "callwright"]
    env, pipe = {**os.environ, "PYTHONPATH": str(source.resolve())}, subprocess.PIPE
    serve = await asyncio.create_subprocess_exec(*run, "serve", "builtin/author", "--port", "0", env=env, stdout=pipe)
    assert serve.stdout is not None
    counts = Counts()
    try:
        line = (await serve.stdout.readline()).decode()
        url = next(word for word in line.split() if word.startswith("http://")).rstrip(".,")
        async with FakeServer(counting(url, counts)).running() as server:
            with tempfile.TemporaryDirectory() as folder:
                command = [*run, "synth", recipe, "builtin/enterprise", "-n", _N, "--seed", _SEED, "--concurrency", "1"]
                command += ["--author", "openai/any", "--base-url", server.url, "-o", f"{folder}/ds", "--json", *more]
                synth = await asyncio.create_subprocess_exec(*command, env=env, stdout=pipe)
                told = json.loads((await synth.communicate())[0])
    finally:
        serve.terminate()
        await serve.wait()
    return f"| {' '.join((recipe, *more))} | {told['planned']}, {told['kept']} | {counts.row(told['kept'])} |"


def main() -> None:
    """Print a row for each recipe."""
    (source,) = sys.argv[1:]
    for recipe in ("diaforge", "wild"):
        print(asyncio.run(count(Path(source), recipe)), flush=True)


if __name__ == "__main__":
    main()
