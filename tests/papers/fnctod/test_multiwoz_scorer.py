"""`score multiwoz`: files in, numbers out."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from callwright.cli import main
from callwright.errors import BadInput
from callwright.papers.fnctod.multiwoz_scorer import MultiwozScoringOptions, score

STATE = {"hotel": {"area": "east"}}
SAID = [
    {"response": "[hotel_name] in the [hotel_area]", "state": STATE, "active_domains": ["hotel"]},
    {"response": "call [hotel_phone]", "state": STATE, "active_domains": ["hotel"]},
]


def metadata(area: str) -> dict[str, Any]:
    return {"hotel": {"semi": {"area": area, "name": "not mentioned"}, "book": {"booked": [], "day": ""}}}


def data() -> dict[str, Any]:
    log = [{"text": "hi"}, {"text": "a", "metadata": metadata("east|west")}] * 2
    return {"MUL1.json": {"goal": {"hotel": {"info": {"area": "East"}, "reqt": ["phone", "stars"]}}, "log": log}}


def write(folder: Path, **changed: Any) -> tuple[Path, MultiwozScoringOptions]:
    """Write a tiny corpus, a database and outputs; `changed` replaces data or outputs."""
    rows = {
        "hotel": [{"id": "h1", "area": "east"}, {"id": "h2", "area": "west"}],
        "restaurant": [{"id": "r", "name": "x"}],
        "attraction": [{"id": "a", "name": "x"}],
        "train": [{"trainID": "TR1", "day": "monday"}],
    }
    for domain, own in rows.items():
        (folder / f"{domain}_db.json").write_text(json.dumps(own))
    (folder / "data.json").write_text(json.dumps(changed.get("data", data())))
    (folder / "out.json").write_text(json.dumps(changed.get("outputs", {"mul1": SAID})))
    return folder / "out.json", MultiwozScoringOptions(data=str(folder / "data.json"), db=str(folder))


def scored(folder: Path, domains: Any = None, **changed: Any) -> Any:
    outputs, options = write(folder, **changed)
    return score(outputs, msgspec.structs.replace(options, domains=domains)).document


@pytest.mark.parametrize("domains", [None, "given", "slots", "estimated"])
def test_a_right_dialogue_counts_by_every_source_of_domains(tmp_path: Path, domains: Any) -> None:
    found = scored(tmp_path, domains)
    assert (found.inform, found.success, found.dialogues, found.turns) == (100, 100, 1, 2)
    assert f"domains:{domains or 'given'}|states:recorded" in found.signature


def test_gold_states_stand_in_for_all_where_one_is_missing(tmp_path: Path) -> None:
    wrong = [{**SAID[0], "state": {}}, {"response": SAID[1]["response"]}]
    found = scored(tmp_path, "slots", outputs={"mul1": wrong})
    assert found.success == 100
    assert "states:gold-2.1" in found.signature
    outputs, options = write(tmp_path, outputs={"mul1": wrong})
    words = ["score", "multiwoz", str(outputs), "--data", str(options.data), "--db", str(options.db)]
    assert "2 turns scored, with gold states, because some" in CliRunner().invoke(main, words).output


def test_missing_and_surplus_dialogues_and_turns_are_named(tmp_path: Path) -> None:
    documents = {name: data()["MUL1.json"] for name in ("MUL1", "MUL2", "MUL3")}
    found = scored(tmp_path, data=documents, outputs={"mul1": SAID[:1], "mul3.json": SAID + SAID, "sng9": SAID})
    assert [(one.dialogue, one.turns, one.whole) for one in found.missing] == [("mul1", 1, False), ("mul2", 2, True)]
    assert [(one.dialogue, one.turns, one.whole) for one in found.extra] == [("mul3", 2, False), ("sng9", 2, True)]
    assert (found.dialogues, found.turns, found.inform, found.success) == (2, 3, 100, 50)


def test_no_outputs_have_no_rates(tmp_path: Path) -> None:
    found = scored(tmp_path, outputs={})
    assert (found.inform, found.success, found.bleu, found.dialogues) == (None, None, None, 0)


def test_the_command_prints_a_document(tmp_path: Path) -> None:
    outputs, options = write(tmp_path, outputs={"mul1": [{**SAID[0], "response": "[name] [moon]"}, SAID[1]]})
    (tmp_path / "refs.json").write_text(json.dumps({"mul1": ["NAME", "call PHONE"]}))
    words = ["score", "multiwoz", str(outputs), "--data", str(options.data), "--db", str(options.db)]
    words += ["--references", str(tmp_path / "refs.json"), "--items", str(tmp_path / "items.jsonl")]
    printed = CliRunner().invoke(main, [*words, "--json"])
    assert printed.exit_code == 0, printed.output
    found = json.loads(printed.output)
    assert set(found) == {
        *("inform", "success", "by_domain", "richness", "dialogues", "turns", "missing", "extra"),
        *("unknown_placeholders", "bleu", "why", "signature"),
    }
    assert set(found["richness"]) == {"avg_length", "cbe", "unique_1", "unique_2", "unique_3", "entropy", "msttr"}
    assert (found["unknown_placeholders"], found["why"]) == ({"moon": 1}, "")
    assert found["bleu"] is not None
    (item,) = map(json.loads, (tmp_path / "items.jsonl").read_text().splitlines())
    assert (item["dialogue"], item["success"], item["offered"]) == ("mul1", True, {"hotel": 1})
    shown = CliRunner().invoke(main, words)
    assert "all     100.0    100.0          1" in shown.output


def test_references_of_some_turns_give_no_bleu(tmp_path: Path) -> None:
    """BLEU over the turns that happen to have a reference is no figure of the system."""
    outputs, options = write(tmp_path)
    (tmp_path / "refs.json").write_text(json.dumps({"mul1": ["NAME in the AREA"]}))
    found: Any = score(outputs, msgspec.structs.replace(options, references=str(tmp_path / "refs.json"))).document
    assert found.bleu is None
    assert found.why == "the references lack 1 of 2 turns"


@pytest.mark.parametrize(
    "references",
    [
        ["[hotel_name] in the [value_area]", "Call [Phone]"],  # to be normalised
        ["NAME in the AREA", "call PHONE"],
        ["NAME in the AREA", "call PHONE", "a [ bracket ]"],  # normalised already, with a bracket of its own
    ],
)
def test_references_are_normalised_where_they_are_not_yet(tmp_path: Path, references: list[str]) -> None:
    outputs, options = write(tmp_path, outputs={"mul1": [*SAID, {**SAID[0], "response": "a [ bracket"}]})
    (tmp_path / "refs.json").write_text(json.dumps({"mul1": references}))
    found: Any = score(outputs, msgspec.structs.replace(options, references=str(tmp_path / "refs.json"))).document
    assert found.bleu > 70


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"outputs": {"mul1": [{"state": {}}]}}, "mul1, turn 0.*response"),
        ({"outputs": {"mul1": [SAID[0], {"response": 3}]}}, "mul1, turn 1"),
        ({"outputs": {"mul1": [{"response": "x", "state": {"hotel": ["east"]}}]}}, "mul1, turn 0.*state"),
        ({"outputs": {"mul1": 4}}, "mul1: expected a list"),
        ({"outputs": []}, "expected an object"),
        ({"outputs": {"mul1": SAID, "MUL1.json": SAID}}, "two ids"),
        ({"data": []}, "expected an object"),
        ({"data": {"A": {"goal": {}, "log": [{"text": "x"}]}}}, "A: 1 turns"),
        ({"data": {"A": {"goal": {}, "log": [{}, {"metadata": {"hotel": 3}}]}}}, "A, turn 1, hotel"),
        ({"data": {"A": {"log": []}}}, "A: no `goal`"),
    ],
)
def test_bad_input_is_one_error_with_its_place(tmp_path: Path, changed: Any, place: str) -> None:
    with pytest.raises(BadInput, match=place):
        scored(tmp_path, **changed)


def test_given_domains_must_be_given(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"mul1, turn 0.*--domains slots"):
        scored(tmp_path, "given", outputs={"mul1": [{"response": "x"}]})


def test_the_corpus_has_the_published_numbers_of_dialogues(shared_data: Path, tmp_path: Path) -> None:
    """1,000 dialogues, 7,372 system turns; all of them are missing where there are no outputs."""
    folder = shared_data / "multiwoz"
    (tmp_path / "out.json").write_text("{}")
    options = MultiwozScoringOptions(data=str(folder / "test_2.1.json.zip"), db=str(folder / "db"))
    found: Any = score(tmp_path / "out.json", options).document
    assert (len(found.missing), sum(one.turns for one in found.missing)) == (1000, 7372)


def test_a_zip_with_two_documents_is_refused(tmp_path: Path) -> None:
    _, options = write(tmp_path)
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.json", "{}")
        archive.writestr("b.json", "{}")
    with pytest.raises(BadInput, match="2 JSON documents"):
        score(tmp_path / "out.json", msgspec.structs.replace(options, data=str(tmp_path / "two.zip")))
