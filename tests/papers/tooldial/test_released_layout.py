"""Released dialogues read, and written again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cinema_dialogues import record_of, text_of, write_records
from click.testing import CliRunner

from callwright.cli import main
from callwright.errors import BadDocument
from callwright.papers.paper import NoOptions
from callwright.papers.tooldial.act_grammar import sequences
from callwright.papers.tooldial.released_layout import read, to_record
from callwright.records.annotations.tooldial_notes import ToolDialNotes
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue

SEQUENCES = list(sequences())


def acts_of(dialogue: Dialogue) -> tuple[str, ...]:
    return tuple(step.act for turn in dialogue.turns for step in turn.steps)


def notes_of(dialogue: Dialogue) -> ToolDialNotes:
    assert isinstance(dialogue.annotation, ToolDialNotes)
    return dialogue.annotation


def test_base_layout_round_trip(tmp_path: Path) -> None:
    """A dialogue of every act sequence is the same record again, through the JSON codec, names of tools apart."""
    records = [record_of(acts) for acts in SEQUENCES]
    corpus = read(write_records(tmp_path / "test.json", records), NoOptions())
    again = [from_line(to_line(one), Dialogue, where="here") for one in corpus.dialogues]

    written = [to_record(one, corpus.catalog.by_key)["dialogue"] for one in again]
    assert written == [one["dialogue"] for one in records]
    assert [acts_of(one) for one in again] == SEQUENCES


def test_both_layouts_say_the_same(tmp_path: Path) -> None:
    """Text and entries give the same turns, calls and states; the text has states after `inform` and turns only."""
    records = [record_of(acts) for acts in SEQUENCES]
    base = read(write_records(tmp_path / "a.json", records), NoOptions()).dialogues
    text = read(write_records(tmp_path / "b.json", [text_of(one) for one in records]), NoOptions()).dialogues

    assert [one.turns for one in text] == [one.turns for one in base]
    kept = 0
    for one, other in zip(base, text, strict=True):
        for turn, full, short in zip(one.turns, notes_of(one).turns, notes_of(other).turns, strict=True):
            is_shown = one.role(turn) == "assistant" or turn.steps[0].act == "inform"
            assert short.state == (full.state if is_shown else None)
            kept += is_shown
    assert kept == sum(
        (act in ("inform",))
        + (act in ("request", "request_multi", "clarify", "suggest", "response", "response_fail"))
        + (act == "system_bye")
        for acts in SEQUENCES
        for act in acts
    )


def test_calls_have_the_values_of_their_states(tmp_path: Path) -> None:
    """The source is called with the city, the target with the chosen cinema and the date."""
    linked = next(acts for acts in SEQUENCES if "request_multi" in acts and acts.count("request") > 1)
    (dialogue,) = read(write_records(tmp_path / "a.json", [text_of(record_of(linked))]), NoOptions()).dialogues

    calls = [(call.tool, call.values) for turn in dialogue.turns for call in turn.calls]
    assert calls == [
        ("Films—ListCinemas", {"city": "Ghent"}),
        ("Films—CinemaShowings", {"cinema_id": "K9", "date": "2025-05-03"}),
    ]
    assert [gold.after for gold in dialogue.tasks[0].gold] == [(), (0,)]


def test_documents_are_tools(tmp_path: Path) -> None:
    """Tools have the names and descriptions of their parameters, and are shown under their released names."""
    corpus = read(write_records(tmp_path / "a.json", [text_of(record_of(SEQUENCES[0]))]), NoOptions())

    (tool,) = corpus.catalog.tools
    assert (tool.name, tool.required) == ("FilmsCinemaShowings", ("cinema_id", "date"))
    assert tool.properties["language"] == {"description": "Spoken language."}
    assert [one.name for one in corpus.dialogues[0].tools] == ["Films—CinemaShowings"]


def changed(text: str, old: str, new: str) -> dict[str, Any]:
    record = text_of(record_of(SEQUENCES[0]))
    assert old in record["dialogue"]
    return {**record, "dialogue": record["dialogue"].replace(old, new, 1)} if text == "text" else record


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (changed("text", "{'retriever_call': 'false'", "__import__('os').system('x')"), "dialogue 1, turn 2"),
        (changed("text", "- Dialogue State: {", "- Dialogue State: (((((("), "Dialogue State: not a Python literal"),
        (changed("text", "- Action:request", "- Action:respond"), "none of the acts request"),
        ({**changed("", "User", ""), "action_list": ["user_bye"]}, "action_list"),
        ({"dialogue": 3}, "list of turns or a text"),
        ({"dialogue": [{"Robot": {}}]}, "Robot"),
        ({"dialogue": [{"User": {"action": "inform", "message": 3}}]}, "message is no text"),
        ({"dialogue": "hello"}, "begin with"),
        ({"dialogue": []}, "first turn"),
        ([], "dialogue"),
    ],
)
def test_bad_files_are_told(tmp_path: Path, record: Any, told: str) -> None:
    """A hostile or broken file is one error that names file, dialogue and turn."""
    path = write_records(tmp_path / "bad.json", [record])

    with pytest.raises(BadDocument, match=r"bad\.json: dialogue 1") as error:
        read(path, NoOptions())
    assert told in str(error.value)


def test_command_line(tmp_path: Path) -> None:
    """`read tooldial` writes a dataset, `export --format tooldial` writes it back."""
    record = record_of(SEQUENCES[0])
    path = write_records(tmp_path / "test.json", [record])

    done = CliRunner().invoke(main, ["read", "tooldial", str(path), "-o", str(tmp_path / "td")], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    out = CliRunner().invoke(main, ["export", str(tmp_path / "td"), "--format", "tooldial"], catch_exceptions=False)
    assert json.loads(out.output)["dialogue"] == record["dialogue"]
