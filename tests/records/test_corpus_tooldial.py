"""ToolDial's layout (appendix A.4 and Table 18) in our records, and back without loss: a dialogue written by hand."""

from __future__ import annotations

import ast
from itertools import zip_longest
from typing import Any

from callwright.records.annotations.tooldial_notes import RetrieverStatus, ToolDialNotes, ToolDialStep, ToolDialTurn
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Call, Dialogue, Participant, Provenance, Result, ShownTool, Step, Turn
from callwright.records.dialogue_state import ApiState, ParameterValue
from callwright.records.jsontext import decode, encode
from callwright.records.retrieved import Retrieved
from callwright.records.tool import Catalog, Tool

SHOWINGS = {
    "api_name": "CinemaShowings",
    "api_description": "Showings of one cinema on one day.",
    "required_parameters": [
        {"input_name": "cinema_id", "description": "Identifier of the cinema."},
        {"input_name": "date", "description": "Day, as YYYY-MM-DD."},
    ],
    "optional_parameters": [{"input_name": "language", "description": "Spoken language."}],
}
CINEMAS = {
    "api_name": "ListCinemas",
    "api_description": "All cinemas with their identifiers.",
    "required_parameters": [],
    "optional_parameters": [],
}
NOTHING = "{'retriever_call': 'false', 'retrieved_api': 'none'}"
NO_STATE = "{'api_confirmed': 'false', 'api_status': 'none'}"


def state(cinema: str, date: str) -> str:
    """Return the state line of the target API."""
    required = {"cinema_id": cinema, "date": date}
    status = {"api_name": "CinemaShowings", "required_parameters": required, "optional_parameters": {"language": ""}}
    return repr({"api_confirmed": "true", "api_status": status})


SOURCE_STATE = repr(
    {
        "api_confirmed": "true",
        "api_status": {"api_name": "ListCinemas", "required_parameters": {}, "optional_parameters": {}},
    }
)
SOURCE = "Output component of source API to procure target API's input parameter cinema_id -> id"
CHOICE = {"cinemas": [{"id": 4, "name": "Rex"}, {"id": 9, "name": "Lux"}]}

# User turns are (act, text); system turns are text with one line for each label.
DIALOGUE: list[tuple[str, str] | str] = [
    ("inform intent clear", "What is on at a cinema near me on the 3rd of May 2025?"),
    f"""\
- Dialogue State: {NO_STATE}
- Thought: There is a clear wish here: I look for an API.
- Action: retriever call
- Retriever status: {{'retriever_call': 'true', 'retrieved_api': {{'CinemaShowings': 0.74, 'ListCinemas': 0.51}}}}
- API documentation: {SHOWINGS!r}
- Thought: CinemaShowings fits; the cinema is missing.
- Action: request
- Retriever status: {NOTHING}
- Message: Which cinema do you have in mind? I need its identifier.
- Dialogue State: {state("", "2025-05-03")}""",
    ("fail inform", "No idea what its identifier is, sorry."),
    f"""\
- Dialogue State: {state("", "2025-05-03")}
- Thought: Another API may give the identifier.
- Action: retriever call
- Retriever status: {{'retriever_call': 'true', 'retrieved_api': [{SOURCE!r}]}}
- API documentation: {CINEMAS!r}
- Thought: ListCinemas needs nothing, so I call it.
- Action: call
- Retriever status: {NOTHING}
- API call: {{'api_name': 'ListCinemas', 'parameters': {{}}}}
- API response: {CHOICE!r}
- Thought: There are two; the user has to choose.
- Action: request
- Retriever status: {NOTHING}
- Message: There are two, the Rex and the Lux. Which one?
- Dialogue State: {SOURCE_STATE}""",
    ("inform", "The Lux, please."),
    f"""\
- Dialogue State: {state("9", "2025-05-03")}
- Thought: All values are there.
- Action: call
- Retriever status: {NOTHING}
- API call: {{'api_name': 'CinemaShowings', 'parameters': {{'cinema_id': '9', 'date': '2025-05-03'}}}}
- API response: {{'showings': ['Playtime 20:15', 'Stalker 21:00']}}
- Thought: I tell the result.
- Action: response
- Retriever status: {NOTHING}
- Message: The Lux shows Playtime at 20:15 and Stalker at 21:00.
- Dialogue State: {state("9", "2025-05-03")}""",
    ("user bye", "Perfect, bye!"),
    f"""\
- Thought: The user leaves.
- Action: system bye
- Retriever status: {NOTHING}
- Message: Enjoy the film!
- Dialogue State: {NO_STATE}""",
]

PLAIN = ("Thought", "Action", "Message")


def read_lines(text: str) -> list[tuple[str, Any]]:
    """Return the labelled lines of a system turn; Python literals are read, never run."""
    pairs = (line.removeprefix("- ").split(": ", 1) for line in text.splitlines())
    return [(label, value if label in PLAIN else ast.literal_eval(value)) for label, value in pairs]


def to_catalog(*documents: dict[str, Any]) -> Catalog:
    """Return the tools of API documents, each kept as it came."""
    return Catalog(tools=tuple(_tool(one) for one in documents))


def _tool(document: dict[str, Any]) -> Tool:
    return Tool(name=document["api_name"], description=document["api_description"], raw=encode(document))


CATALOG = to_catalog(SHOWINGS, CINEMAS)


def to_dialogue(source: list[tuple[str, str] | str]) -> Dialogue:
    """Return the turns of a source as a dialogue; a state at the head of a system turn belongs to the user's turn."""
    turns: list[Turn] = []
    notes: list[ToolDialTurn] = []
    for one in source:
        if isinstance(one, tuple):
            act, text = one
            turns.append(Turn("user", text, (Step(act=act.replace(" ", "_")),)))
            notes.append(ToolDialTurn())
        else:
            lines = read_lines(one)
            if lines[0][0] == "Dialogue State":
                notes[-1] = ToolDialTurn(state=_state(lines.pop(0)[1]))
            turn, extra = _system_turn(lines)
            turns.append(turn)
            notes.append(extra)
    return Dialogue(
        id="hand-0",
        recipe="tooldial.v1",
        participants=(Participant("user", "user"), Participant("assistant", "assistant")),
        tools=tuple(ShownTool(tool.key, tool.name) for tool in CATALOG.tools),
        turns=tuple(turns),
        provenance=Provenance(author="tooldial", callwright="0.1.0", catalog=CATALOG.digest),
        annotation=ToolDialNotes(turns=tuple(notes)),
    )


def _system_turn(lines: list[tuple[str, Any]]) -> tuple[Turn, ToolDialTurn]:
    values = dict(lines)
    starts = [at for at, (label, _) in enumerate(lines) if label == "Thought"]
    parts = [dict(lines[at:end]) for at, end in zip_longest(starts, starts[1:])]
    turn = Turn("assistant", values["Message"], tuple(map(_step, parts)))
    return turn, ToolDialTurn(state=_state(values["Dialogue State"]), steps=tuple(map(_step_notes, parts)))


def _step(part: dict[str, Any]) -> Step:
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    if "API call" in part:
        calls = (Call(part["API call"]["api_name"], encode(part["API call"]["parameters"])),)
        results = (Result(value=encode(part["API response"])),)
    return Step(thought=part["Thought"], act=part["Action"].replace(" ", "_"), calls=calls, results=results)


def _step_notes(part: dict[str, Any]) -> ToolDialStep:
    documents = (part["API documentation"]["api_name"],) if "API documentation" in part else ()
    return ToolDialStep(retriever=_retriever(part["Retriever status"]), documents=documents)


def _retriever(status: dict[str, Any]) -> RetrieverStatus:
    found = status["retrieved_api"]
    called = status["retriever_call"] == "true"
    if isinstance(found, dict):
        return RetrieverStatus(called=called, apis=tuple(Retrieved(name, score) for name, score in found.items()))
    return RetrieverStatus(called=called, sources=tuple(found) if isinstance(found, list) else ())


def _state(state: dict[str, Any]) -> ApiState:
    if state["api_confirmed"] == "false":
        return ApiState()
    status = state["api_status"]
    return ApiState(
        api=status["api_name"],
        required=_parameters(status["required_parameters"]),
        optional=_parameters(status["optional_parameters"]),
    )


def _parameters(values: dict[str, Any]) -> tuple[ParameterValue, ...]:
    return tuple(ParameterValue(name, encode(value)) for name, value in values.items())


def to_source(dialogue: Dialogue) -> list[Any]:
    """Return user turns as pairs and system turns as labelled lines, as `read_lines` gives them."""
    notes = dialogue.annotation
    assert isinstance(notes, ToolDialNotes)
    source: list[Any] = []
    head: list[tuple[str, Any]] = []
    for turn, extra in zip(dialogue.turns, notes.turns, strict=True):
        if dialogue.role(turn) == "user":
            source.append((turn.steps[0].act.replace("_", " "), turn.text))
            head = [] if extra.state is None else [("Dialogue State", _state_document(extra.state))]
            continue
        assert extra.state is not None
        pairs = zip(turn.steps, extra.steps, strict=True)
        lines = [line for step, more in pairs for line in _step_lines(step, more)]
        source.append(head + lines + [("Message", turn.text), ("Dialogue State", _state_document(extra.state))])
    return source


def _step_lines(step: Step, more: ToolDialStep) -> list[tuple[str, Any]]:
    lines: list[tuple[str, Any]] = [("Thought", step.thought), ("Action", step.act.replace("_", " "))]
    lines.append(("Retriever status", _retriever_document(more.retriever)))
    for name in more.documents:
        raw = CATALOG.by_name[name].raw
        assert raw is not None
        lines.append(("API documentation", decode(raw)))
    for call, result in zip(step.calls, step.results, strict=True):
        assert result.value is not None
        lines.append(("API call", {"api_name": call.tool, "parameters": call.values}))
        lines.append(("API response", decode(result.value)))
    return lines


def _retriever_document(status: RetrieverStatus) -> dict[str, Any]:
    found: Any = {api.name: api.score for api in status.apis} or list(status.sources) or "none"
    return {"retriever_call": "true" if status.called else "false", "retrieved_api": found}


def _state_document(state: ApiState) -> dict[str, Any]:
    if not state.api:
        return {"api_confirmed": "false", "api_status": "none"}
    status = {
        "api_name": state.api,
        "required_parameters": {one.name: decode(one.value) for one in state.required},
        "optional_parameters": {one.name: decode(one.value) for one in state.optional},
    }
    return {"api_confirmed": "true", "api_status": status}


def test_nothing_is_lost() -> None:
    """Acts, thoughts, states, retriever status, documents, calls and messages come back equal, line by line."""
    dialogue = from_line(to_line(to_dialogue(DIALOGUE)), Dialogue, where="tooldial")

    assert to_source(dialogue) == [one if isinstance(one, tuple) else read_lines(one) for one in DIALOGUE]


def test_acts_stand_in_the_steps() -> None:
    """The acts of a dialogue are those of its steps, users' and assistant's, in order."""
    acts = [step.act for turn in to_dialogue(DIALOGUE).turns for step in turn.steps]

    assert acts == [
        *("inform_intent_clear", "retriever_call", "request", "fail_inform", "retriever_call", "call", "request"),
        *("inform", "call", "response", "user_bye", "system_bye"),
    ]


def test_states_follow_the_dialogue() -> None:
    """The target is aimed at, then the source until its call, then the target again with the chosen value."""
    notes = to_dialogue(DIALOGUE).annotation
    assert isinstance(notes, ToolDialNotes)

    assert [turn.state.api if turn.state else None for turn in notes.turns] == [
        *("", "CinemaShowings", "CinemaShowings", "ListCinemas", "CinemaShowings", "CinemaShowings"),
        *(None, ""),
    ]
    assert notes.turns[3].steps[0].retriever.sources == (SOURCE,)
