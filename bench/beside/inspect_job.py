"""The conversations of `bench/served.py` by inspect_ai, which that file installs and runs this with.

    FOLDER/bin/python bench/beside/inspect_job.py URL CONVERSATIONS IN_FLIGHT

Prints the calls, the seconds that passed and those of processor time, from the first sample to the written log. One
sample goes before: what is imported with the first is not counted. Connections and samples in flight are as many as
asked for; all else is as it comes (without its live log it is a fifth faster).
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import solver
from inspect_ai.tool import ToolInfo, ToolParams


@solver
def talk() -> Any:
    """Each user turn as it stands, each reply after the model's own earlier ones; no call is carried out."""

    async def solve(state: Any, generate: Any) -> Any:
        asked = state.metadata
        tools = [
            ToolInfo(
                name=tool["function"]["name"],
                description=tool["function"]["description"] or "-",
                parameters=ToolParams.model_validate(tool["function"]["parameters"]),
            )
            for tool in asked["tools"]
        ]
        state.messages = [ChatMessageSystem(content=asked["system"])]
        for text in asked["users"]:
            state.messages.append(ChatMessageUser(content=text))
            state.output = await get_model().generate(state.messages, tools=tools)
            state.messages.append(state.output.message)
        return state

    return solve


def main() -> None:
    url, path, in_flight = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    samples = []
    for body in json.loads(path.read_text()):
        said = [(one["role"], one["content"]) for one in body["messages"]]
        users = [content for role, content in said if role == "user"]
        asked = {"system": said[0][1], "users": users, "tools": body.get("tools", [])}
        samples.append(Sample(input=users[0], target="please", metadata=asked))
    model = get_model("openai-api/bench/any", base_url=url, api_key="none")

    def work(some: list[Sample], folder: str) -> None:
        task = Task(dataset=MemoryDataset(some), solver=talk(), scorer=includes())
        (log,) = eval(
            task, model=model, max_connections=in_flight, max_samples=in_flight, display="none", log_dir=folder
        )
        assert log.status == "success", log.error

    with tempfile.TemporaryDirectory() as folder:
        work(samples[:1], folder)
        passed, processor = perf_counter(), process_time()
        work(samples, folder)
        calls = sum(len(sample.metadata["users"]) for sample in samples)
        print(calls, perf_counter() - passed, process_time() - processor)


if __name__ == "__main__":
    main()
