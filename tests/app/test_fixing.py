from __future__ import annotations

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner

from callwright.app.fixing import AuthoredPlan, suggest_fixes
from callwright.cli.lint_command import command
from callwright.errors import BadInput, RolloutFailed
from callwright.records.tool import Catalog, Tool
from fake_server import QUICK
from served_voice import Prompt, serving

CATALOG = Catalog(
    tools=(
        Tool(name="get_client", description="Finds the client."),
        Tool(name="get_clients", description="Finds the client now."),
        Tool(name="weather", description="Tells whether it rains in a city."),
    )
)


def reply(**texts: str) -> str:
    return json.dumps({"reply": texts})


def name_in(prompt: Prompt) -> str:
    """The tool that a prompt asks to reword."""
    found = re.search(r"name: (\S+)", prompt[1][1])
    assert found
    return found[1]


def fixed(url: str, **options: Any) -> AuthoredPlan:
    return suggest_fixes(CATALOG, author="openai/any", base_url=url, patience=QUICK, **options)


def reword(prompt: Prompt) -> str:
    """Other words for the first tool, the present ones for the second."""
    if name_in(prompt) == "get_client":
        return reply(description="Looks up who bought.", why="buyers are people")
    return reply(description="Finds the client now.", why="it may stay")


def test_a_model_words_the_plan() -> None:
    """Its words are taken where they say something new, with its reason; rules say nothing."""
    with serving(reword) as server:
        made = fixed(server.url)
    assert (made.asked, made.failed) == (2, 0)
    assert made.author.startswith("openai/any")
    assert {(one.tool, one.why) for one in made.plan.suggestions} == {("get_client", "buyers are people")}
    assert {one.to for one in made.plan.suggestions} == {"Looks up who bought."}


def test_words_that_do_not_help_are_not_taken() -> None:
    """A model that makes the tools more alike changes nothing."""
    with serving(lambda _: reply(description="Finds the client.", why="so it is")) as server:
        plan = fixed(server.url).plan
    assert plan.suggestions == ()
    assert plan.changed == CATALOG


def test_an_unusable_reply_is_mended_or_left_to_the_rules() -> None:
    """A reply that does not fit is asked for again; where none fits rules propose, and that is counted."""
    tries: list[Prompt] = []

    def answer(prompt: Prompt) -> str:
        tries.append(prompt)
        if name_in(prompt) == "get_clients":
            return "I would rather not."
        first = len([one for one in tries if name_in(one) == "get_client"]) == 1
        return reply(name="buyer", description="x", why="y") if first else reword(prompt)

    with serving(answer) as server:
        made = fixed(server.url)
    assert (made.asked, made.failed) == (2, 1)
    assert made.plan.suggestions[0].tool == "get_client"
    assert len(tries) == 2 + 3


def test_a_model_without_one_usable_reply_is_an_error() -> None:
    """Where nothing that the model says can be used, that is said, and no plan by rule passed off as its own."""
    with serving(lambda _: "no") as server, pytest.raises(RolloutFailed, match="do not fit"):
        fixed(server.url)


def test_a_url_without_a_model_is_refused() -> None:
    """A base URL alone would change nothing."""
    with pytest.raises(BadInput, match="--author"):
        suggest_fixes(CATALOG, base_url="http://127.0.0.1:1/v1")


def test_a_model_that_no_server_has_is_refused() -> None:
    """It is not taken for one at OpenAI."""
    with pytest.raises(BadInput, match="author 'builtin/author': this model cannot write"):
        suggest_fixes("builtin/enterprise", author="builtin/author")


def test_the_command_names_the_author(tmp_path: Any) -> None:
    """`--fix-plan --author --json` says who proposed, how often it was asked, and how often in vain."""
    functions = [{"name": tool.name, "description": tool.description} for tool in CATALOG.tools]
    (path := tmp_path / "tools.json").write_text(json.dumps(functions))
    with serving(reword) as server:
        arguments = [str(path), "--fix-plan", "--author", "openai/any", "--base-url", server.url, "--json"]
        printed = json.loads(CliRunner().invoke(command, arguments, catch_exceptions=False).stdout)
    assert printed["author"].startswith("openai/any")
    assert (printed["asked"], printed["failed"]) == (2, 0)
