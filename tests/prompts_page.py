"""Writes `docs/prompts.md`: what each role of two hand-written dialogues is sent. Run it after a change of a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from callwright.models.chat import ChatRequest
from callwright.papers.diaforge.dynamic_protocol import begin
from callwright.papers.diaforge.live_talk import LiveTalk, UserScene
from callwright.papers.diaforge.message_judge import judge_message, judged_message
from callwright.papers.diaforge.user_phase import after_words
from callwright.papers.diaforge.user_policy import heard_by
from callwright.papers.dice.chat_roles import FloorView, PersonView, role_asked
from callwright.papers.registry import read_prompts
from callwright.papers.tooldial.tooldial_agents import asked
from callwright.papers.tooldial.turn_roles import PROMPTS
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool
from strong_author import SessionAuthor, TalkAuthor, catalogue, play_session, play_talk, sessions, talks
from tooldial_workshop import made, workshop

PAGE: Final = Path(__file__).parents[1] / "docs" / "prompts.md"
_WIDEST: Final = 160
_HEAD: Final = """\
# What each role is sent

With `--author MODEL` models play the roles of `synth diaforge`, `synth wild`, `synth dice` and `synth tooldial`
([how](models.md#models-that-play-the-roles)). This page prints the last request to each role of one dialogue of
each, and to the judge of a user that a model plays; `dice` has
[its own table](dice.md#chats-that-models-play), `tooldial` [another](tooldial.md#dialogues-in-the-words-of-models).
The first part is the same for all dialogues and comes first, so that a server keeps it; below the line is what the
dialogue adds. They were written by hand, but for the last; documents of tools are cut here, not when they are sent.

Your own: `callwright show path/to/ds ID --sent` shows every request of a dialogue with its reply and its cost. The
prompts are the files `diaforge/*.j2`, `live_user/*.j2`, `wild/*.j2`, `dice/*.j2` and `tooldial/*.j2`; `--prompts DIR`
replaces them.
Without a model nothing is sent:

```sh
callwright synth diaforge builtin/enterprise -n 2 --distractors 2 --seed 7 -o ds
callwright show ds
```
"""


def page() -> str:
    """The text of the page."""
    talk = next(one for one in talks() if one.name == "kick-off")
    author = TalkAuthor(talk)
    kick_off = play_talk(talk, author).dialogue
    session = next(one for one in sessions() if one.name == "club evening")
    cast = SessionAuthor(session)
    play_session(session, cast)
    parts = [
        _HEAD,
        "\n## `diaforge`: a kick-off with the new client\n",
        *_roles(author.asked),
        "\n## `diaforge`: what the checker is sent of another talk\n",
        *_roles({"checker": _checked("wrong time")}),
        "\n## `eval --protocol dynamic --user --judge`: an answer in that talk\n",
        *_roles({"judge": [judge_request(kick_off, catalogue(talk.catalogue).by_key)]}),
        "\n## `wild`: an evening at the club\n",
        *_roles(cast.asked),
        "\n## `dice`: lunch with the new neighbours\n",
        *_roles(_chat()),
        "\n## `tooldial`: a value that another tool supplies\n",
        *_roles(_turns()),
    ]
    return "".join(parts)


def _checked(name: str) -> list[ChatRequest]:
    """What a checker is sent of a talk in which a value is said in other words."""
    talk = next(one for one in talks() if one.name == name)
    author = TalkAuthor(talk)
    play_talk(talk, author)
    return author.asked["checker"]


def judge_request(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatRequest:
    """What a judge is sent of the user's last message of a dialogue; `tools` by key."""
    shown = shown_tools(dialogue, tools)
    *before, message = [at for at, turn in enumerate(dialogue.turns) if dialogue.role(turn) == "user"]
    state, asks = begin(dialogue, shown, user_style="verbose"), None
    for at in before:
        state, _ = after_words(state, asks, dialogue.turns[at].text)
        asks = heard_by(state, dialogue.turns[at + 1].text)
    gold = next(tool for tool in shown if tool.name == dialogue.tasks[0].gold[0].tool)
    scene = UserScene(dialogue, shown, gold, dialogue.turns[0].speaker, "verbose")
    talk = LiveTalk(state, dialogue.turns[:message], scene)
    text = dialogue.turns[message].text
    return judge_message.prompt(judged_message(talk, text, talk.faults_in(text)))


def _chat() -> dict[str, list[ChatRequest]]:
    """What a person and the orchestrator of a group chat are sent."""
    people = ("Ana", "Ben", "Chidi")
    said = ["Ana: Let's order lunch for the new neighbours.", "Ben: Convince me.", "Ana: Chidi, when do they arrive?"]
    chidi = PersonView(
        name="Chidi",
        persona="Counts before he promises. Knows the date. Writes in plain sentences.",
        people=people,
        type="persuasion_deliberation_negotiation",
        today="Monday, 2026-03-02",
        lines=said,
        knows={"the date": "March 6"},
        opposes="Ana",
    )
    floor = FloorView(people, (), said, len(said), least=4, choices=("Chidi",))
    prompts = read_prompts()
    return {role: [role_asked(role, prompts, view)] for role, view in (("user", chidi), ("orchestrator", floor))}


def _turns() -> dict[str, list[ChatRequest]]:
    """What is sent for the turn in which a person lacks a value, and for the one after it; and for the first call."""
    made_offline = next(one for one in map(made, range(46)) if "fail_inform" in _acts(one.dialogue)).dialogue
    requests = list(asked(made_offline, workshop(), read_prompts()))
    wishes = sum(one.role == "retriever" for one in requests)
    last = wishes + _acts(made_offline).index("fail_inform")
    of_turns = {role: [one.request for one in requests[: last + 2] if one.role == role] for role in PROMPTS}
    return of_turns | {"tools": [one.request for one in requests if one.role == "tools"][:1]}


def _acts(dialogue: Dialogue) -> list[str]:
    return [turn.steps[-1].act for turn in dialogue.turns]


_NAMES: Final = {
    "goal": "author, the wish", "values": "author, the gold values", "user": "user", "assistant": "assistant",
    "author": "author, a task", "checker": "checker", "annotator": "annotator", "tools": "tools",
    "orchestrator": "orchestrator", "judge": "judge", "retriever": "retriever, a query",
}  # fmt: skip


def _roles(asked: Mapping[str, Sequence[ChatRequest]]) -> Iterator[str]:
    for role, requests in asked.items():
        first = next(one for one in reversed(requests) if len(one.messages) == 2)
        yield f"\n### {_NAMES[role]}\n\n```text\n"
        yield from _cut(first.messages[0].content.splitlines())
        yield f"{'-' * 40}\n"
        yield from _cut(first.messages[1].content.splitlines())
        yield "```\n"


def _cut(lines: Iterable[str]) -> Iterator[str]:
    """The lines; a document of a tool without its end."""
    for line in lines:
        is_document = line.startswith('{"name"') and len(line) > _WIDEST
        yield f"{line[:_WIDEST]} ...\n" if is_document else f"{line}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
