"""Foreign documents: every way they can be broken is one clear error, and nothing is executed or fetched."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from callwright.errors import BadDocument
from callwright.formats.document import load, loads
from callwright.formats.yaml_events import parse_yaml
from callwright.records.jsontext import MAX_BYTES

_scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)
_printable = st.text(st.characters(min_codepoint=32, max_codepoint=126)).filter(
    lambda text: not re.fullmatch(r"[-+]?\d+[eE][-+]?\d+", text)
)
"""Without `0E0`, which PyYAML writes bare for a text, as YAML 1.1 has it, and JSON takes for a number."""
_printable_values = st.recursive(
    st.none() | st.booleans() | st.integers() | _printable,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_printable, inner, max_size=4),
    max_leaves=12,
)


def read_yaml(text: str) -> object:
    return parse_yaml(text, where="doc.yaml")


@given(_values)
def test_json_reads_as_written(value: object) -> None:
    """What is written as JSON is read back as it was."""
    assert loads(json.dumps(value).encode(), where="doc.json", syntax="json") == value


@given(_printable_values)
def test_yaml_reads_as_written(value: object) -> None:
    """What PyYAML writes is read back as it was: its quotes keep strings strings."""
    assert read_yaml(yaml.safe_dump(value)) == value


@given(_printable_values)
def test_json_is_yaml(value: object) -> None:
    """A JSON document is a YAML document with the same value."""
    assert read_yaml(json.dumps(value, indent=1)) == value


@pytest.mark.parametrize(
    "text", ["NO", "off", "yes", "2020-01-01", "12:30:45", "0755", "0x1F", "0o17", "1_000", "=", "."]
)
def test_plain_words_stay_strings(text: str) -> None:
    """YAML 1.1's booleans, dates, base-60, octal and grouped numbers are strings."""
    assert read_yaml(f"a: {text}") == {"a": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("-7", -7),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("~", None),
        ("", None),
        ("True", True),
        ("!!str 5", "5"),
        ("'5'", "5"),
    ],
)
def test_plain_values(text: str, value: object) -> None:
    """Numbers, booleans and nulls are read as in JSON, and tags and quotes are kept to."""
    found = read_yaml(f"a: {text}")
    assert found == {"a": value}
    assert type(found["a"]) is type(value)  # type: ignore[index]


def test_keys_are_strings() -> None:
    """A response code or a boolean as a key is its text."""
    assert read_yaml("200: a\ntrue: b\n1.10: c") == {"200": "a", "true": "b", "1.10": "c"}


def test_aliases_and_merges() -> None:
    """Aliases stand for what they name, and `<<` adds what is not there."""
    assert read_yaml("a: &a {x: 1, y: 2}\nb: *a\nc: {<<: *a, y: 3}") == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 2},
        "c": {"x": 1, "y": 3},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1\nb: 2", "line 2, column"),
        ("a: 1\nb: 2\na: 3", "line 3, column 1: the key 'a' stands twice"),
        ("a: .nan", "line 1, column 4: .nan is no JSON number"),
        ("a: -.inf", "is no JSON number"),
        ("a: 1e999", "too large for a number"),
        ("a: &x [*x]", "stands inside what it names"),
        ("a: *x", "stands for nothing"),
        ("? [a]\n: b", "a key must be a single word"),
        ("a: !!python/object/apply:os.system [x]", "python/object/apply:os.system' is not supported"),
        ("a: !thing x", "the tag '!thing' is not supported"),
        ("a: !!int x", "is no int"),
        ("a\n---\nb", "a second document"),
        ("# nothing", "empty"),
        ("<<: 5", "merges mappings only"),
        ("a: \0", "control characters"),
    ],
)
def test_broken_yaml(text: str, message: str) -> None:
    """Each fault of a YAML document is an error that names file and place."""
    with pytest.raises(BadDocument, match=message) as caught:
        read_yaml(text)
    assert str(caught.value).startswith("doc.yaml: ")


def _bomb() -> str:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    return "\n".join(lines)


def _string_bomb() -> str:
    return "a: &a " + "x" * 1_000_000 + "\nb:\n" + "- *a\n" * 1_000


def _key_bomb() -> str:
    return "a: &a " + "x" * 1_000_000 + "\nb:\n" + "- {? *a : 1}\n" * 1_000


@pytest.mark.parametrize("text", [_bomb(), _string_bomb(), _key_bomb()], ids=["nodes", "strings", "keys"])
def test_alias_bombs(text: str) -> None:
    """A small document that aliases blow up is refused while it is read."""
    with pytest.raises(BadDocument, match="Use fewer aliases"):
        read_yaml(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000 + "]" * 10_000,
        "- " * 10_000 + "a",
        "{a: " * 10_000,
        "a0: &a0 [x]\n" + "\n".join(f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 5_000)),
    ],
    ids=["flow", "block", "mapping", "aliases"],
)
def test_deep_yaml(text: str) -> None:
    """Nesting of any kind ends at 200 levels, without a crash."""
    with pytest.raises(BadDocument, match="nested over 200 levels deep"):
        read_yaml(text)


@pytest.mark.parametrize("value", ["[" * 10_000 + "]" * 10_000, '{"a":' * 10_000 + "1" + "}" * 10_000])
def test_deep_json(value: str) -> None:
    """JSON nested 10,000 levels deep is refused."""
    with pytest.raises(BadDocument, match="10,000 levels deep"):
        loads(value.encode(), where="doc.json", syntax="json")


def test_json_errors_name_the_place(tmp_path: Path) -> None:
    """A syntax error names file, line and column."""
    path = tmp_path / "a.json"
    path.write_text('{"a": 1,\n "b" 2}')
    with pytest.raises(BadDocument, match=r"a\.json: line 2, column 6"):
        load(path)


def test_json_lines(tmp_path: Path) -> None:
    """JSON lines are the list of their values, and an error names its line."""
    path = tmp_path / "a.jsonl"
    path.write_text('[1]\n\n{"a": 2}\n')
    assert load(path) == [[1], {"a": 2}]
    path.write_text("[1]\n[2\n")
    with pytest.raises(BadDocument, match="jsonl:2: column"):
        load(path)


def test_json_lines_under_the_wrong_suffix(tmp_path: Path) -> None:
    """JSON lines in a `.json` file are read as lines; a value with something after it is an error."""
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}\n{"a": 2}\n')
    assert load(path) == [{"a": 1}, {"a": 2}]
    path.write_text('{"a": 1} 5')
    with pytest.raises(BadDocument, match="line 1, column 10: Extra data"):
        load(path)


def test_syntax_follows_content_without_suffix(tmp_path: Path) -> None:
    """A file with a suffix that says nothing is JSON when it starts like JSON, and else YAML."""
    path = tmp_path / "spec"
    path.write_text(' {"a": 1}')
    assert load(path) == {"a": 1}
    path.write_text("a: 1")
    assert load(path) == {"a": 1}


@pytest.mark.parametrize("suffix", ["json", "yaml", "jsonl"])
def test_huge_file_is_not_read(tmp_path: Path, suffix: str) -> None:
    """A document of 100 MB is refused by its size alone."""
    path = tmp_path / f"huge.{suffix}"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(BadDocument, match="larger than 64 MiB"):
        load(path)


@pytest.mark.parametrize("suffix", ["json", "yaml", "jsonl", "txt"])
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\x89PNG\r\n\x1a\n\xff", "UTF-8"),
        (b"\x00\x01\x02", "line 1|jsonl:1|control characters"),
    ],
)
def test_empty_and_binary_files(tmp_path: Path, suffix: str, data: bytes, message: str) -> None:
    """Empty files and binary ones are errors of their own."""
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(data)
    with pytest.raises(BadDocument, match=message):
        load(path)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """A missing file and a folder are named as such."""
    with pytest.raises(BadDocument, match="no such file"):
        load(tmp_path / "none.json")
    with pytest.raises(BadDocument, match="this is a folder"):
        load(tmp_path)
    with pytest.raises(BadDocument, match="cannot be read"):
        load(Path("a\0b"))


def test_a_folder_and_a_large_file_are_named_once(tmp_path: Path) -> None:
    """Each has one plain message."""
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    for path in (tmp_path, large):
        with pytest.raises(BadDocument) as caught:
            load(path)

        assert str(caught.value).count(str(path)) == 1
        assert not str(caught.value).endswith("..")


def test_a_broken_line_is_told_by_its_number_once() -> None:
    """With the column, and what to do."""
    with pytest.raises(BadDocument, match=r"^a\.jsonl:2: column 6: Expecting value\. Fix the line"):
        loads(b'{"a":1}\n{"b":\n', where="a.jsonl", syntax="jsonl")


def test_a_folder_is_told_with_the_catalogue_in_it(tmp_path: Path) -> None:
    """A dataset's tools lie in its `catalog.json`."""
    (tmp_path / "catalog.json").write_text("{}")
    with pytest.raises(BadDocument, match=r"such as .*/catalog\.json\."):
        load(tmp_path)
