"""A small MCP server over stdio, run by tests as a program: `python mcp_stdio.py MODE [FILE]`; well-behaved or not.

FILE gets the process ids of the server and of a child that it started.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TOOL = {"name": "find_place", "description": "Finds.", "inputSchema": {"type": "object", "properties": {"q": {}}}}
PAGES: dict[str, list[Any]] = {
    "pages": [[TOOL], [{**TOOL, "name": "b"}, {**TOOL, "name": "b", "description": "Other."}], [{**TOOL, "name": "c"}]],
    "bad-tool": [[TOOL, {"name": 7, "inputSchema": {"type": "object"}}]],
    "array": [[TOOL, {**TOOL, "name": "d", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/no"}}}}]],
    "empty": [[]],
    "remote": [[{**TOOL, "name": "r", "inputSchema": {"type": "object", "$ref": "https://x.org/s.json"}}]],
    "chatty": [[TOOL]],
}


def send(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(mode: str, message: dict[str, Any]) -> None:
    """Answer one request."""
    if message["method"] == "initialize":
        capabilities: dict[str, Any] = {} if mode == "no-tools" else {"tools": {}}
        info = {"name": "fake", "version": "1.2"}
        version = message["params"]["protocolVersion"]
        result: dict[str, Any] = {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}
    elif mode == "dies-later":
        sys.exit(f"nobody home, {os.environ.get('SECRET_TOKEN', 'no token')}")
    elif mode == "endless":
        result = {"tools": [], "nextCursor": "again"}
    elif mode == "refuses":
        send({"id": message["id"], "error": {"code": -32000, "message": "not today"}})
        return
    else:
        page = int((message.get("params") or {}).get("cursor", 0))
        pages = PAGES[mode]
        result = {"tools": pages[page]}
        if page + 1 < len(pages):
            result["nextCursor"] = str(page + 1)
    send({"id": message["id"], "result": result})


def main(mode: str, *files: str) -> None:
    """Serve in one of the modes."""
    if mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
        Path(files[0]).write_text(f"{os.getpid()} {child.pid}")
        time.sleep(300)
    if mode == "dies":
        sys.exit("no configuration found")
    if mode == "garbage":
        while True:
            print("listening on nothing", flush=True)
            time.sleep(0.05)
    if mode == "chatty":
        print("starting up", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            answer(mode, message)


if __name__ == "__main__":
    main(*sys.argv[1:])
