"""Reading PersonaHub's layout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.errors import BadDocument
from callwright.formats.personahub import MAX_TEXT, read

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60).filter(str.strip)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("personahub")


def write(folder: Path, content: bytes | str) -> Path:
    path = folder / "persona.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_only_the_persona_is_read(folder: Path) -> None:
    """Each line's `persona` becomes a text; other fields are passed over and nothing is made up."""
    path = write(
        folder,
        '{"input persona": "x", "persona": "A  nurse who sails. ", "synthesized text": 3}\n{"persona": "A poet."}\n',
    )
    first, second = read(path)
    assert (first.text, second.text) == ("A nurse who sails.", "A poet.")
    assert {first.name, first.job, first.domain, first.seniority, first.city, first.country} == {""}


@given(st.lists(texts, min_size=1, max_size=8))
def test_every_text_is_found_once_and_in_order(folder: Path, given_texts: list[str]) -> None:
    """What was written is read back with spaces tidied, in order, repeated texts once, with ids of their own."""
    path = write(folder, "".join(json.dumps({"persona": text}) + "\n" for text in given_texts))
    found = read(path)
    assert [who.text for who in found] == list(dict.fromkeys(" ".join(text.split()) for text in given_texts))
    assert len({who.id for who in found}) == len(found)


def test_id_depends_on_the_text_alone(folder: Path) -> None:
    """The same text has the same id in any file and on any line."""
    (alone,) = read(write(folder, '{"persona": "A poet."}'))
    assert read(write(folder, '{"persona": "A nurse."}\r\n{"persona": "A poet."}\r\n'))[1].id == alone.id


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"persona": "A"}\n\n{"persona": "B"}\n', "line 2: blank"),
        ('{"persona": "A"}\n{"persona": \n', "line 2: "),
        ('{"persona": "A"}\n["A"]\n', "line 2: "),
        ('{"persona": 4}\n', "line 1: "),
        ('{"person": "A"}\n', "line 1: .*persona"),
        ('{"persona": "  "}\n', "line 1: .*0 characters"),
        (json.dumps({"persona": "x" * (MAX_TEXT + 1)}), "line 1: .*4,001 characters"),
        (b'{"persona": "\xff"}\n', "line 1: "),
        ("[" * 100_000, "line 1: "),
        ("", "no personas"),
    ],
)
def test_broken_files_are_refused(folder: Path, content: bytes | str, message: str) -> None:
    """A broken or blank line, and an empty file, give one error that names the line."""
    with pytest.raises(BadDocument, match=message):
        read(write(folder, content))


def test_missing_file_is_refused(tmp_path: Path) -> None:
    """A file that cannot be read is an error of ours that names the path."""
    with pytest.raises(BadDocument, match=r"nowhere\.jsonl: no such file"):
        read(tmp_path / "nowhere.jsonl")
