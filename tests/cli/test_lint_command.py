from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from callwright.app.fixing import suggest_fixes
from callwright.cli.lint import command
from callwright.cli.lint_plan import _where_they_differ, show_plan
from callwright.errors import BadInput

FUNCTIONS = [
    {"name": "list_paid_orders", "description": "Lists all orders that were paid.", "parameters": {}},
    {"name": "list_open_orders", "description": "Lists all orders that were [bold]not paid.", "parameters": {}},
    {"name": "weather", "description": "", "parameters": {}},
]


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    path = tmp_path / "functions.json"
    path.write_text(json.dumps(FUNCTIONS), "utf-8")
    return str(path)


def test_json_has_the_documented_shape(catalog: str) -> None:
    """`--json` prints one document with tools, share, pairs and findings, and nothing else."""
    printed = json.loads(CliRunner().invoke(command, [catalog, "--json"], catch_exceptions=False).stdout)
    assert printed["tools"] == 3
    assert printed["near_duplicate_share"] == pytest.approx(2 / 3)
    assert printed["pairs_total"] == 1
    assert [set(pair) for pair in printed["pairs"]] == [{"a", "b", "score", "name", "description", "parameters"}]
    assert {"tool": "weather", "code": "description-missing"}.items() <= printed["findings"][0].items()
    assert set(printed["findings"][0]) == {"tool", "code", "message"}
    assert printed["clusters"] == [{"name": "list orders", "tools": ["list_paid_orders", "list_open_orders"]}]


def test_report_for_people_names_pairs_differences_and_findings(catalog: str) -> None:
    """The readable report shows the pair, what tells it apart, the cluster and the findings, markup untouched."""
    printed = CliRunner().invoke(command, [catalog], catch_exceptions=False).stdout
    for expected in (
        "list_paid_orders",
        "name: paid / open",
        "bold, not",
        "list orders (2 tools)",
        "description-missing: 1",
    ):
        assert expected in printed


def test_top_limits_what_is_shown(catalog: str) -> None:
    """`--top 0` shows no pairs but still the counts and the findings."""
    printed = CliRunner().invoke(command, [catalog, "--top", "0"], catch_exceptions=False).stdout
    assert "1 pair in 1 cluster" in printed
    assert "list_paid_orders" not in printed


def test_bundled_catalogue_is_read_by_name() -> None:
    """`builtin/enterprise` names the bundled catalogue."""
    printed = json.loads(CliRunner().invoke(command, ["builtin/enterprise", "--json"], catch_exceptions=False).stdout)
    assert printed["tools"] >= 60
    assert printed["near_duplicate_share"] > 0


def test_all_pairs_are_streamed_into_the_same_document() -> None:
    """`--all-pairs` gives the same document; its pairs stand by position."""
    bounded, whole = (
        json.loads(CliRunner().invoke(command, ["builtin/enterprise", "--json", *more], catch_exceptions=False).stdout)
        for more in ([], ["--all-pairs"])
    )
    assert len(whole["pairs"]) == whole["pairs_total"] > 10
    assert sorted(map(str, whole.pop("pairs"))) == sorted(map(str, bounded.pop("pairs")))
    assert whole == bounded


def test_all_pairs_of_nothing_alike_is_json_too(tmp_path: Path) -> None:
    """A catalogue without near-duplicates streams an empty list."""
    (path := tmp_path / "one.json").write_text(json.dumps(FUNCTIONS[2:]), "utf-8")
    printed = CliRunner().invoke(command, [str(path), "--json", "--all-pairs"], catch_exceptions=False).stdout
    assert json.loads(printed)["pairs"] == []


def test_all_pairs_is_for_json(catalog: str) -> None:
    """`--all-pairs` without `--json` is refused with what to do."""
    with pytest.raises(BadInput, match="Add --json"):
        CliRunner().invoke(command, [catalog, "--all-pairs"], catch_exceptions=False)


def test_a_plan_is_one_json_document(tmp_path: Path) -> None:
    """`--fix-plan --json` prints suggestions with the documented fields; `-o` writes the changed catalogue."""
    out = tmp_path / "fixed.json"
    arguments = ["builtin/enterprise", "--fix-plan", "--json", "-o", str(out)]
    printed = json.loads(CliRunner().invoke(command, arguments, catch_exceptions=False).stdout)
    fields = {"tool", "change", "from", "to", "why", "against", "similarity_before", "similarity_after"}
    assert all(set(suggestion) == fields for suggestion in printed["suggestions"])
    assert printed["pairs"] == 20
    again = json.loads(CliRunner().invoke(command, [str(out), "--json"], catch_exceptions=False).stdout)
    assert again["pairs_total"] == printed["pairs_after"] < printed["pairs_before"]


def test_a_plan_for_people_shows_both_texts() -> None:
    """The readable plan says how many changes, and of each the figures, both texts and the reason."""
    arguments = ["builtin/enterprise", "--fix-plan", "--top", "10"]
    printed = CliRunner().invoke(command, arguments, catch_exceptions=False).stdout
    assert "Most alike pairs looked at: 10" in printed
    assert "  - request_unpaid_leave\n  + request_unpaid_leave_with_reason\n  because request_annual_leave" in printed
    assert "Still near" in printed


def test_writing_is_for_plans(catalog: str, tmp_path: Path) -> None:
    """`-o` without `--fix-plan` is refused with what to do."""
    with pytest.raises(BadInput, match="Add --fix-plan"):
        CliRunner().invoke(command, [catalog, "-o", str(tmp_path / "x.json")], catch_exceptions=False)


@pytest.mark.parametrize("weights", ["1,2", "a,b,c", "1,1,1", "nan,0,0"])
def test_wrong_weights_are_bad_input(catalog: str, weights: str) -> None:
    """Weights that are not three shares of 1 are refused with an example."""
    with pytest.raises(BadInput, match=r"0\.4,0\.35,0\.25"):
        CliRunner().invoke(command, [catalog, "--weights", weights], catch_exceptions=False)


def test_a_long_change_is_cut_to_where_it_differs() -> None:
    """With the words before it; a short one stands whole."""
    same = "The same words at the start, which go on for more than eighty characters until something comes. "
    long_ = "and then it goes on " * 20
    old, new = _where_they_differ(same + "Old " + long_, same + "New " + long_)

    assert old.startswith("… ")
    assert "something comes. Old and then" in old
    assert new == old.replace("Old", "New")
    assert max(len(old), len(new)) <= 210
    assert _where_they_differ("pay", "pay now") == ("pay", "pay now")


def test_what_stays_near_is_named_as_it_would_be(capsys: pytest.CaptureFixture[str]) -> None:
    """With the name it has and the one it would get."""
    made = suggest_fixes("builtin/enterprise", top=30)
    show_plan(made, as_json=False)
    printed = capsys.readouterr().out
    renamed = {one.tool: one.to for one in made.plan.suggestions if one.change == "name"}
    near = [name for pair in made.plan.still_near for name in (pair.a, pair.b) if name in renamed]

    assert near
    assert all(f"{name}, renamed {renamed[name]}" in printed for name in near)
    assert printed.count(", renamed ") == len(near)
