"""Records to lines and back."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from record_strategies import records

from callwright.errors import BadRecord
from callwright.records.annotation import Annotation
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import SCHEMA_VERSION, Dialogue, Participant, Provenance, Step, Turn
from callwright.records.tool import Catalog, Tool
from callwright.records.transcript import Transcript

DIALOGUE = Dialogue(
    id="d1",
    recipe="hand.v1",
    participants=(Participant("user", "user"), Participant("assistant", "assistant")),
    turns=(Turn("user", "Hello."), Turn("assistant", "Hi.", (Step(thought="Greet."),))),
    provenance=Provenance(author="offline", callwright="0.1.0"),
)

KINDS: tuple[type[Any], ...] = (Dialogue, Transcript, Catalog)
slow_to_draw = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@slow_to_draw
@given(st.data())
@pytest.mark.parametrize("kind", KINDS)
def test_round_trip(kind: type[Any], data: st.DataObject) -> None:
    """Every record reads back equal, and writes the same bytes again."""
    record = data.draw(records(kind))

    line = to_line(record)
    again = from_line(line, kind, where="line 1")

    assert record == again
    assert line == to_line(again)


@settings(max_examples=20)
@given(st.data())
@pytest.mark.parametrize("kind", get_args(Annotation), ids=lambda kind: kind.__name__)
def test_annotation_keeps_its_kind(kind: type[Any], data: st.DataObject) -> None:
    """Each annotation comes back as the struct it was."""
    notes = data.draw(records(kind))

    again = from_line(to_line(msgspec.structs.replace(DIALOGUE, annotation=notes)), Dialogue, where="line 1").annotation

    assert type(again) is kind
    assert notes == again


def test_line_has_no_line_end() -> None:
    """A record is one line, whatever its texts hold."""
    record = msgspec.structs.replace(DIALOGUE, turns=(Turn("user", "one\ntwo\u2028three\r"),))

    assert b"\n" not in to_line(record)
    assert b"\r" not in to_line(record)


def test_every_line_has_the_version() -> None:
    """The schema version stands in each line."""
    for record in (DIALOGUE, Catalog(tools=(Tool(name="t"),))):
        assert msgspec.json.decode(to_line(record))["schema_version"] == SCHEMA_VERSION


@pytest.mark.parametrize("version", ["null", "0", "1", "3", '"1"', "true", "1.5"])
def test_other_versions_are_refused(version: str) -> None:
    """A line of another schema version is refused with its place."""
    line = to_line(DIALOGUE).replace(b'"schema_version":2', f'"schema_version":{version}'.encode())

    with pytest.raises(BadRecord, match=r"^ds/dialogues\.jsonl:3: .*schema_version"):
        from_line(line, Dialogue, where="ds/dialogues.jsonl:3")


def test_version_1_is_refused_with_what_to_do() -> None:
    """The error of a line of version 1 says that the command that made the data has to be given again."""
    line = to_line(DIALOGUE).replace(b'"schema_version":2', b'"schema_version":1')

    with pytest.raises(BadRecord, match=r"^x:3: schema_version is 1; .* reads 2\. Make the data again with the"):
        from_line(line, Dialogue, where="x:3")


def test_missing_version_is_refused() -> None:
    """A line without a schema version is refused, and the message says what to do."""
    with pytest.raises(BadRecord, match=r"schema_version is None.*Make the data again"):
        from_line(b'{"id": "d1"}', Dialogue, where="x:1")


@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        (b'"id":"d1"', b'"id":"d1","colour":"red"', "colour"),
        (b'"thought":', b'"thougth":', "thougth"),
        (b'"author":', b'"auhtor":', "author|auhtor"),
    ],
)
def test_unknown_fields_are_refused(before: bytes, after: bytes, field: str) -> None:
    """A misspelt field is an error at every depth, not a value lost in silence."""
    with pytest.raises(BadRecord, match=rf"^ds/dialogues\.jsonl:7: .*({field})"):
        from_line(to_line(DIALOGUE).replace(before, after), Dialogue, where="ds/dialogues.jsonl:7")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"[]",
        b'{"schema_version":2,"id":"d1"',
        b'{"schema_version":2,"id":7}',
        b'{"schema_version":2,"id":"\xff"}',
        '{"schema_version":2,"id":"\ud800"}',
        b'{"schema_version":2,"turns":' + b"[" * 10_000,
        b"[" * 1_000_000,
    ],
    ids=["empty", "null", "list", "cut", "type", "utf-8", "surrogate", "deep", "brackets"],
)
def test_damaged_lines_are_refused(line: bytes | str) -> None:
    """Whatever is wrong with a line, the error is one of ours and names the place."""
    with pytest.raises(BadRecord, match=r"^x:9: "):
        from_line(line, Dialogue, where="x:9")


@given(st.data())
def test_cut_lines_are_refused(data: st.DataObject) -> None:
    """A line cut short anywhere is refused."""
    line = to_line(DIALOGUE)
    cut = data.draw(st.integers(0, len(line) - 1))

    with pytest.raises(BadRecord, match=r"^x:1: "):
        from_line(line[:cut], Dialogue, where="x:1")


def test_a_number_without_a_float_is_refused() -> None:
    """A whole number of 309 digits in a typed field would end in an error far from its line."""
    line = to_line(DIALOGUE)
    assert line.count(b'"schema_version":') == 1
    with pytest.raises(BadRecord, match=r"^x:3: a number of over 308 digits"):
        from_line(line.replace(b'"schema_version":', b'"schema_version":' + b"7" * 309), Dialogue, where="x:3")


def test_half_a_surrogate_pair_is_refused_on_writing() -> None:
    """Text without a UTF-8 form cannot be written, and says so with an error of ours."""
    with pytest.raises(BadRecord, match="not Unicode"):
        to_line(msgspec.structs.replace(DIALOGUE, turns=(Turn("user", "\ud800"),)))
