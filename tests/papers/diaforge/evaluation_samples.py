"""Small tools and random dialogues and transcripts, for the tests of evaluation."""

from __future__ import annotations

from hypothesis import strategies as st

from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    ShownTool,
    Step,
    Task,
    Turn,
)
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript, UserFault

SCHEMA = encode(
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}, "c": {"type": "boolean"}},
        "required": ["a"],
    }
)
TOOLS = tuple(
    Tool(name=name, description=f"Does {name}.", parameters=SCHEMA, domain=domain)
    for name, domain in (("hr_add", "hr"), ("hr_remove", "hr"), ("it_add", "it"))
)
BY_KEY = {tool.key: tool for tool in TOOLS}
BY_NAME = {tool.name: tool for tool in TOOLS}
PEOPLE = (Participant("u", "user"), Participant("a", "assistant"))


def dialogue(
    id_: str = "d",
    *,
    gold: GoldCall | None = None,
    said: tuple[str, ...] = ("Please add it.", "Number 5."),
    tool_fits: bool = True,
    today: str = "",
) -> Dialogue:
    """Return a dialogue with these user turns, each answered by `ok`."""
    turns = tuple(turn for text in said for turn in (Turn("u", text), Turn("a", "ok")))
    task = Task("single", gold=(gold,), turn=0) if gold is not None and tool_fits else Task("chat", turn=0)
    return Dialogue(
        id=id_,
        recipe="diaforge.v1",
        participants=PEOPLE,
        turns=turns,
        tools=tuple(ShownTool(tool.key, tool.name) for tool in TOOLS),
        tasks=(task,),
        provenance=Provenance(author="offline", callwright="0.1.0"),
        today=today,
        annotation=DiaforgeNotes(gold_tool=gold.tool if gold else "", tool_fits=tool_fits),
    )


def gold(tool: str = "hr_add", /, **values: object) -> GoldCall:
    """Return a gold call with one accepted value an argument."""
    return GoldCall(tool, tuple(GoldArgument(name, (encode(value),)) for name, value in values.items()))


def call(tool: str = "hr_add", /, **values: object) -> Call:
    """Return a call."""
    return Call(tool, encode(values))


def transcript(
    id_: str, *turns: tuple[Call, ...], trial: int = 0, faults: tuple[UserFault, ...] = (), text: str = "Which one?"
) -> Transcript:
    """Return a transcript whose assistant turns make these calls."""
    said = tuple(
        turn
        for calls in turns
        for turn in (Turn("u", "Hello."), Turn("a", "" if calls else text, (Step(calls=calls),) if calls else ()))
    )
    return Transcript(
        dialogue=id_,
        protocol="diaforge-static.v1",
        model="builtin/test",
        trial=trial,
        turns=said,
        ended="call" if any(turns) else "script",
        faults=faults,
    )


names = st.sampled_from(["hr_add", "hr_remove", "it_add", "made_up"])
scalars = st.sampled_from([1, 1.0, True, "1", "true", "x", None, 2, [1], {"k": 1}])
arguments = st.dictionaries(st.sampled_from(["a", "b", "c", "z"]), scalars, max_size=3).map(encode)
broken = st.sampled_from([JsonText('{"a":'), JsonText("[1]"), JsonText('"text"')])
calls = st.builds(Call, names, st.one_of(arguments, arguments, arguments, broken))
transcripts = st.lists(st.lists(calls, max_size=3).map(tuple), max_size=3)
golds = st.builds(
    GoldCall,
    st.sampled_from(["hr_add", "hr_remove", "it_add"]),
    st.dictionaries(
        st.sampled_from(["a", "b", "c"]),
        st.tuples(st.lists(scalars.map(encode), min_size=1, max_size=2).map(tuple), st.booleans()),
        max_size=3,
    ).map(lambda found: tuple(GoldArgument(name, accepted, opt) for name, (accepted, opt) in found.items())),
)
pairs = st.lists(st.tuples(golds, transcripts), max_size=6)
