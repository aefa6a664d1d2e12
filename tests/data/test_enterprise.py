"""The bundled catalogue: its size, its schemas, its wording and its look-alikes."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from itertools import combinations
from typing import Any

import jsonschema_rs
import pytest

from callwright.catalog.asked_acts import is_giving_back
from callwright.catalog.gloss import gloss
from callwright.catalog.lint import lint
from callwright.formats.catalog import read
from callwright.lang.english import base_verb

CATALOG: dict[str, Any] = json.loads(files("callwright").joinpath("data/enterprise.json").read_text(encoding="utf-8"))
TOOLS: list[dict[str, Any]] = CATALOG["tools"]
CHECKED_FORMATS = {"date", "email"}
SMALL_WORDS = {"a", "an", "the", "of", "for", "to", "in", "on", "at", "with", "by", "from", "as"}

each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
each_with_parameters = pytest.mark.parametrize(
    "tool", [tool for tool in TOOLS if tool["parameters"]["properties"]], ids=lambda tool: tool["name"]
)


def first_sentence(tool: dict[str, Any]) -> str:
    return str(tool["description"]).split(". ")[0].rstrip(".")


def parameters(tool: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = tool["parameters"]["properties"]
    return found


def outputs(schema: dict[str, Any]) -> set[str]:
    """Names of all properties of a result, those of its rows included."""
    names: set[str] = set()
    for name, inner in schema.get("properties", {}).items():
        names |= {name} | outputs(inner.get("items", {}))
    return names


def content(tool: dict[str, Any]) -> set[str]:
    return set(first_sentence(tool).lower().split()) - SMALL_WORDS


def siblings(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether the first sentences share half of their content words."""
    return len(content(one) & content(other)) * 2 >= max(len(content(one)), len(content(other)))


def test_size() -> None:
    """The catalogue holds at least sixty tools over at least six lines of business, each with several."""
    domains = Counter(tool["domain"] for tool in TOOLS)
    assert len(TOOLS) >= 60
    assert len(domains) >= 6
    assert min(domains.values()) >= 5


def test_layout() -> None:
    """It is a catalogue file of version 1 with nothing left out and nothing altered."""
    assert {key: CATALOG[key] for key in CATALOG if key != "tools"} == {
        "schema_version": 2, "source": "builtin/enterprise", "left_out": [], "altered": [],
    }  # fmt: skip
    assert all(set(tool) == {"name", "domain", "description", "parameters", "returns"} for tool in TOOLS)


def test_names_and_descriptions_are_unique() -> None:
    """No two tools share a name or a first sentence."""
    assert len({tool["name"] for tool in TOOLS}) == len(TOOLS)
    assert len({first_sentence(tool) for tool in TOOLS}) == len(TOOLS)


@each_tool
def test_names_are_valid(tool: dict[str, Any]) -> None:
    """Names of tools and parameters are snake case and short enough for every served model."""
    assert all(re.fullmatch(r"[a-z][a-z0-9_]{1,40}", name) for name in (tool["name"], *parameters(tool)))


@each_tool
def test_schemas_compile(tool: dict[str, Any]) -> None:
    """Both schemas of a tool are valid JSON Schema of an object, with every required name documented."""
    for schema in (tool["parameters"], tool["returns"]):
        jsonschema_rs.validator_for(schema)
        assert schema["type"] == "object"
        assert set(schema["required"]) <= set(schema["properties"])
    assert len(tool["parameters"]["required"]) <= 5
    assert tool["returns"]["properties"]


@each_with_parameters
def test_examples_fit(tool: dict[str, Any]) -> None:
    """Every example of a parameter keeps to the parameter's own schema, formats included."""
    assert parameters(tool)
    for schema in parameters(tool).values():
        assert set(schema.get("format", "").split()) <= CHECKED_FORMATS
        validator = jsonschema_rs.validator_for(schema, validate_formats=True)
        assert all(validator.is_valid(example) for example in schema.get("examples", []))


def test_strings_say_what_they_hold() -> None:
    """A string parameter has an enum, is a date, or gives examples to draw values from."""
    every = [(tool["name"], name, schema) for tool in TOOLS for name, schema in parameters(tool).items()]
    texts = [one for one in every if one[2]["type"] == "string"]
    assert texts
    for tool, name, schema in texts:
        known = "enum" in schema or schema.get("format") == "date" or len(schema.get("examples", ())) >= 2
        assert known, f"{tool}.{name}"


@each_tool
def test_first_sentence_is_a_wish(tool: dict[str, Any]) -> None:
    """The description opens with a base-form verb and an object, in four to twelve plain words, on one line."""
    words = first_sentence(tool).split()
    assert base_verb(words[0]) == words[0].lower()
    assert 4 <= len(words) <= 12
    assert re.fullmatch(r"[A-Z][A-Za-z' -]+", " ".join(words))
    assert not {"and", "or"} & set(words)
    assert tool["name"] not in tool["description"]
    assert "_" not in tool["description"]


@each_tool
def test_further_sentences_tell_more(tool: dict[str, Any]) -> None:
    """One to three further sentences give conditions."""
    assert tool["description"].endswith(".")
    assert 1 <= tool["description"].count(". ") <= 3


@each_with_parameters
def test_parameters_have_names_people_use(tool: dict[str, Any]) -> None:
    """A parameter's gloss before the first comma is a short noun phrase without schema words."""
    assert parameters(tool)
    for name, schema in parameters(tool).items():
        gloss = schema["description"].split(",")[0]
        assert gloss[0].islower(), name
        assert len(gloss.split()) <= 6, name
        assert "_" not in gloss, name
        assert not {"the", "id", "ids", "identifier", "string", "parameter"} & set(gloss.split()[:2]), name
        assert schema["type"] != "boolean" or base_verb(gloss.removeprefix("whether to ").split()[0]), name


def test_choices_read_as_words() -> None:
    """Enum values are words that can be said as they stand."""
    choices = {one for tool in TOOLS for schema in parameters(tool).values() for one in schema.get("enum", ())}
    assert choices
    assert [choice for choice in choices if not re.fullmatch(r"[A-Za-z0-9 -]+", choice)] == []


def test_required_parameters_vary() -> None:
    """Some tools need nothing, most need one to three values, few need four."""
    counts = Counter(len(tool["parameters"]["required"]) for tool in TOOLS)
    share = {count: n / len(TOOLS) for count, n in counts.items()}
    assert 0.05 <= share[0] <= 0.15
    assert all(0.15 <= share[count] <= 0.40 for count in (1, 2, 3))
    assert 0 < share[4] <= 0.15


def test_look_alikes() -> None:
    """At least a quarter of the tools, and fewer than all, have a near-duplicate by the composite similarity."""
    assert 0.25 <= lint(read(CATALOG, source="builtin/enterprise"), formula="paper").near_duplicate_share <= 0.75


def test_siblings_share_their_line_of_business() -> None:
    """Half of the tools or more have a sibling beside them whose first sentence shares half of its words."""
    alike = {
        tool["name"]
        for pair in combinations(TOOLS, 2)
        if pair[0]["domain"] == pair[1]["domain"] and siblings(*pair)
        for tool in pair
    }
    assert len(alike) >= len(TOOLS) / 2


def test_lint_finds_nothing() -> None:
    """No description is missing, copied or vague in the eyes of the linter."""
    assert lint(read(CATALOG, source="builtin/enterprise")).findings == ()


def test_glosses_keep_the_first_sentence() -> None:
    """A tool does what its first sentence says, in its words and their order; what it shows or returns, people get."""
    catalog = read(CATALOG, source="builtin/enterprise")
    assert catalog.tools
    for tool in catalog.tools:
        phrase = re.sub(r"(?:an?|the) (customer|colleague|employee)'s ([\w -]+)", r"\2 of \1", gloss(tool).phrase)
        verb, *rest = _plain(tool.description.split(". ")[0])
        said, *object_ = _plain(phrase)
        assert said == ("get" if verb in ("show", "return") and not is_giving_back(tool) else verb)
        words = iter(rest)
        assert object_
        assert all(word in words for word in object_), phrase


def test_outputs_feed_inputs() -> None:
    """At least fifteen times what one tool returns is what another tool requires, under the same name."""
    links = {
        (source["name"], target["name"])
        for source in TOOLS
        for target in TOOLS
        if source is not target and outputs(source["returns"]) & set(target["parameters"]["required"])
    }
    assert len(links) >= 15


def test_spans_have_both_ends() -> None:
    """A tool that asks for the end of a stay, hire or break asks for its start as well."""
    starts = {
        "check_out": {"check_in"},
        "return_date": {"pick_up_date", "departure_date"},
        "pause_until": {"pause_from"},
    }
    for tool in TOOLS:
        for end, start in starts.items():
            assert end not in parameters(tool) or start & set(parameters(tool)), tool["name"]


def _plain(text: str) -> list[str]:
    """The words in any article's absence: a possessive moves its owner's article."""
    return [word for word in text.lower().rstrip(".").split() if word not in ("a", "an", "the")]
